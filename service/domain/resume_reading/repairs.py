"""Values of the head put right, each to accept or refuse, and what is still to be asked.

A proposal rests on the value itself: nothing is added that its writing does not hold.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from service.domain.resume import Repair, Resume
from service.errors import InputInvalid, NotFound

REPAIRED: Final = frozenset({"email", "phone"})
LONGEST_VALUE: Final = 200
_CHINESE_MOBILE: Final = re.compile(r"(?:(\+|00)86)?(1[3-9]\d)(\d{4})(\d{4})")
_FORMS: Final = {
    "name": re.compile(r"[^\n@<>]{2,80}"),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"),
    "phone": re.compile(r"\+?[\d\s().-]{7,25}"),
}


def normalised(email: str | None, phone: str | None) -> Iterator[Repair]:
    """The domain of an address in lower case (case means nothing there), a mobile in groups."""
    if email:
        local, _, domain = email.rpartition("@")
        yield from _differs("email", email, f"{local}@{domain.lower()}")
    mobile = _CHINESE_MOBILE.fullmatch(re.sub(r"[\s()（）-]", "", phone or ""))
    if phone and mobile:
        country = "+86 " if mobile[1] else ""
        yield from _differs("phone", phone, f"{country}{mobile[2]} {mobile[3]} {mobile[4]}")


def _differs(field: str, before: str, after: str) -> Iterator[Repair]:
    if before != after:
        yield Repair(field, before, after, "normalised")


def decide(resume: Resume, field: str, accept: bool) -> Resume:
    """The résumé with one repair decided; what was refused stands as it was written.

    Raises:
        NotFound: there is no such repair, or it was decided before.
    """
    repair = next((r for r in resume.repairs if r.field == field and field in REPAIRED), None)
    if repair is None:
        raise NotFound("There is no open repair of this field.")
    left = tuple(r for r in resume.repairs if r is not repair)
    value = repair.after if accept else repair.before
    return _with(replace(resume, repairs=left), field, value)


def fill(resume: Resume, field: str, value: str) -> Resume:
    """What the file lacks, as the person says it now.

    Raises:
        NotFound: nothing of this name is missing.
        InputInvalid: the value has not the form of the field.
    """
    if field not in resume.missing or field not in _FORMS:
        raise NotFound("Nothing of this name is missing.")
    said = " ".join(value.split())
    if len(said) > LONGEST_VALUE or not _FORMS[field].fullmatch(said):
        raise InputInvalid("This does not look like a value of {field}.", field=field)
    left = tuple(m for m in resume.missing if m != field)
    return _with(replace(resume, missing=left), field, said)


def _with(resume: Resume, field: str, value: str) -> Resume:
    if field == "name":
        return replace(resume, name=value)
    if field == "email":
        return replace(resume, email=value)
    return replace(resume, phone=value)
