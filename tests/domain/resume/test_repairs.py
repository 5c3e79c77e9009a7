"""Repairs rest on what is written; each is decided once; only what is missing can be filled."""

import pytest

from service.domain.resume import Repair, Resume
from service.domain.resume_reading.repairs import decide, fill, normalised
from service.errors import InputInvalid, NotFound


@pytest.mark.parametrize(
    ("phone", "after"),
    [
        ("13955000101", "139 5500 0101"),
        ("+86-139-5500-0101", "+86 139 5500 0101"),
        ("0086 13955000101", "+86 139 5500 0101"),
        ("139 5500 0101", None),
        ("+44 20 7946 0000", None),
        ("(415) 555-0188", None),
    ],
)
def test_a_mobile_is_grouped_and_nothing_is_added(phone: str, after: str | None):
    found = [r.after for r in normalised(None, phone)]
    assert found == ([after] if after else [])


def test_only_the_domain_of_an_address_loses_its_case():
    assert list(normalised("Ann.B@Example.COM", None)) == [
        Repair("email", "Ann.B@Example.COM", "Ann.B@example.com", "normalised")
    ]


def test_a_repair_is_decided_once_and_a_refusal_restores_what_was_written():
    repairs = (Repair("email", "an@x", "ann@example.com", "from_link"),)
    resume = Resume("", email="ann@example.com", repairs=repairs)
    assert decide(resume, "email", True) == Resume("", email="ann@example.com")
    assert decide(resume, "email", False) == Resume("", email="an@x")
    with pytest.raises(NotFound):
        decide(decide(resume, "email", True), "email", False)


def test_only_what_is_missing_is_filled_and_only_with_its_form():
    lacking = Resume("", name="Ann", missing=("email", "phone"))
    assert fill(lacking, "email", " ann@example.com ").email == "ann@example.com"
    assert fill(lacking, "email", "ann@example.com").missing == ("phone",)
    for field, value in (("email", "not an address"), ("phone", "call me <b>")):
        with pytest.raises(InputInvalid):
            fill(lacking, field, value)
    with pytest.raises(NotFound):
        fill(lacking, "name", "Bob")
