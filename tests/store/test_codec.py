"""What is written as JSON is read back equal, for any value the domain can hold."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.domain.grading import Grade
from service.domain.language import Bilingual, Message, msg
from service.domain.text import Span
from service.errors import StoreInvalid, TextInvalid
from service.store.codec import MATCH, POSTING, RESUME, SESSION, TURN, Codec

_texts = st.text(max_size=12)
_numbers = st.floats(allow_nan=False, allow_infinity=False)
_params = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | _numbers
    | _texts
    | st.builds(Bilingual, zh=_texts, en=_texts),
    lambda inner: (
        st.builds(Message, _texts, st.lists(st.tuples(_texts, inner), max_size=2).map(tuple))
        | st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=4,
)
_zones = st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3.5))])
_LEAVES: dict[object, st.SearchStrategy[Any]] = {
    str: _texts,
    int: st.integers(-(2**53), 2**53),
    float: _numbers,
    bool: st.booleans(),
    NoneType: st.none(),
    datetime: st.datetimes(timezones=_zones),
    Span: st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda p: Span(min(p), max(p))),
    Message: st.builds(
        Message, _texts, st.lists(st.tuples(_texts, _params), max_size=2).map(tuple)
    ),
}


def _tuples(*inner: Any) -> st.SearchStrategy[Any]:
    if Ellipsis in inner:
        return st.lists(any_of(inner[0]), max_size=2).map(tuple)
    return st.tuples(*map(any_of, inner))


_GENERIC: dict[object, Callable[..., st.SearchStrategy[Any]]] = {
    Union: lambda *inner: st.one_of(*map(any_of, inner)),
    UnionType: lambda *inner: st.one_of(*map(any_of, inner)),
    Annotated: lambda inner, *_: any_of(inner),
    tuple: _tuples,
    Mapping: lambda key, value: st.dictionaries(any_of(key), any_of(value), max_size=2),
}


@cache
def any_of(form: Any) -> st.SearchStrategy[Any]:
    """Any value of a type of the domain, from its annotations."""
    if form in _LEAVES:
        return _LEAVES[form]
    if get_origin(form) in _GENERIC:
        return _GENERIC[get_origin(form)](*get_args(form))
    if issubclass(form, Enum):
        return st.sampled_from(form)
    hints = {k: v for k, v in get_type_hints(form).items() if get_origin(v) is not ClassVar}
    return st.builds(form, **{name: any_of(hint) for name, hint in hints.items()})


_CODECS = [RESUME, POSTING, MATCH, SESSION, TURN]


@pytest.mark.parametrize("codec", _CODECS, ids=lambda c: c.type.__name__)
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_any_value_comes_back_equal(codec: Codec[Any], data: st.DataObject) -> None:
    value = data.draw(any_of(codec.type))
    assert codec.decode(codec.encode(value), 1) == value


def test_a_moment_keeps_its_zone_and_its_microseconds(a) -> None:
    moment = datetime(2027, 3, 4, 5, 6, 7, 8, tzinfo=timezone(timedelta(hours=8)))
    turn = replace(a.session().turns[0], asked_at=moment)
    back = TURN.decode(TURN.encode(turn), 1).asked_at
    assert (back, back.utcoffset()) == (moment, timedelta(hours=8))


def test_an_exact_fraction_in_a_sentence_is_kept_as_it_reads(a) -> None:
    plan = a.session().plan
    why = msg("{share} of it", share=Fraction(1, 3))
    session = replace(
        a.session(), plan=replace(plan, questions=(replace(plan.questions[0], why=why),))
    )
    back = SESSION.decode(SESSION.encode(session), 1)
    assert str(back.plan.questions[0].why) == "1/3 of it"


def test_text_stays_readable_in_the_file(a) -> None:
    assert "李雷" in RESUME.encode(a.resume().resume)


def test_half_a_character_is_refused_before_anything_is_stored(a) -> None:
    with pytest.raises(TextInvalid):
        RESUME.encode(a.resume(words="\ud800").resume)


def test_a_payload_of_a_newer_form_is_refused(a) -> None:
    with pytest.raises(StoreInvalid, match="newer"):
        RESUME.decode(RESUME.encode(a.resume().resume), 2)


def test_a_damaged_payload_is_named_without_its_words() -> None:
    with pytest.raises(StoreInvalid) as caught:
        RESUME.decode('{"text": 7, "name": "secret words"}', 1)
    assert "Resume" in str(caught.value)
    assert "text" in str(caught.value)
    assert "secret words" not in str(caught.value)


@dataclass(frozen=True, slots=True)
class Third:
    title: str
    years: float


def test_an_older_payload_is_brought_up_step_by_step() -> None:
    codec = Codec(
        Third,
        version=3,
        upgrades={
            1: lambda old: {"title": old["name"], "months": old["months"]},
            2: lambda old: {"title": old["title"], "years": float(str(old["months"])) / 12},
        },
    )
    assert codec.decode(json.dumps({"name": "x", "months": 18}), 1) == Third("x", 1.5)
    assert codec.decode(json.dumps({"title": "x", "months": 18}), 2) == Third("x", 1.5)
    assert codec.decode(json.dumps({"title": "x", "years": 2.5}), 3) == Third("x", 2.5)


def test_a_grade_with_nothing_to_judge_keeps_its_gaps(a) -> None:
    empty: Grade = replace(a.grade(), score=None, findings=(), misconceptions=(), claims=())
    turn = replace(a.session().turns[0], grade=empty)
    assert TURN.decode(TURN.encode(turn), 1).grade == empty
