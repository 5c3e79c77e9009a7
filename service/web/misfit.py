"""A field that does not fit, told by its name on the page and by what would fit."""

from collections.abc import Mapping
from typing import Any, Final

from service.domain.language import Message, msg
from service.errors import InputInvalid

FIELDS: Final[Mapping[str, Message]] = {
    "back": msg("Page to return to"),
    "file": msg("Résumé file"),
    "key": msg("Key"),
    "lang": msg("Language"),
    "level": msg("Level"),
    "minutes": msg("Minutes"),
    "mode": msg("How"),
    "posting": msg("Job posting"),
    "q": msg("Question"),
    "question": msg("Question"),
    "resume": msg("Résumé"),
    "seq": msg("Number of the turn"),
    "text": msg("Text"),
    "theme": msg("Light or dark"),
}
# By the kinds of fault that Pydantic names; their context holds the bounds.
FAULTS: Final[Mapping[str, Message]] = {
    "missing": msg("{field} is missing."),
    "int_parsing": msg("{field}: this must be a whole number."),
    "greater_than_equal": msg("{field}: at least {ge}."),
    "less_than_equal": msg("{field}: at most {le}."),
    "string_too_long": msg("{field}: at most {max_length} characters."),
    "enum": msg("{field}: pick one of the choices."),
}
OTHER: Final = msg("{field}: this value does not work.")


def misfit(faults: list[Mapping[str, Any]]) -> InputInvalid:
    """The first of `faults` (as Pydantic lists them) in words; the others show after it."""
    first = faults[0]
    name = str(first["loc"][-1])
    bounds: Mapping[str, object] = first.get("ctx", {})
    told = FAULTS.get(first["type"], OTHER)
    return InputInvalid(told.template, **{**bounds, "field": field_name(name)})


def field_name(name: str) -> Message | str:
    """What a field is called on the page."""
    return FIELDS.get(name, name)
