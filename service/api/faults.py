"""What is wrong with a field of a request, in the reader's language; never what was in it."""

from collections.abc import Mapping
from typing import Final

from fastapi.exceptions import RequestValidationError

from service.domain.language import Lang, Message, msg
from service.wording.catalogue import Wording

# By pydantic's kind of error; the names in braces are those of its context.
REASONS: Final[Mapping[str, Message]] = {
    "missing": msg("This field is needed."),
    "extra_forbidden": msg("There is no such field."),
    "string_type": msg("A text is needed."),
    "string_too_short": msg("At least {min_length} characters are needed."),
    "string_too_long": msg("At most {max_length} characters are allowed."),
    "string_pattern_mismatch": msg("It does not have the form {pattern}."),
    "too_short": msg("At least {min_length} entries are needed."),
    "too_long": msg("At most {max_length} entries are allowed."),
    "enum": msg("It must be one of {expected}."),
    "literal_error": msg("It must be one of {expected}."),
    "greater_than": msg("It must be more than {gt}."),
    "greater_than_equal": msg("It must be at least {ge}."),
    "less_than": msg("It must be less than {lt}."),
    "less_than_equal": msg("It must be at most {le}."),
    "finite_number": msg("A finite number is needed."),
    "int_type": msg("A whole number is needed."),
    "int_parsing": msg("A whole number is needed."),
    "int_from_float": msg("A whole number is needed."),
    "float_type": msg("A number is needed."),
    "float_parsing": msg("A number is needed."),
    "bool_type": msg("true or false is needed."),
    "bool_parsing": msg("true or false is needed."),
    "list_type": msg("A list is needed."),
    "dict_type": msg("An object is needed."),
    "model_type": msg("An object is needed."),
    "model_attributes_type": msg("An object is needed."),
    "json_invalid": msg("The body is no valid JSON: {error}."),
}
OTHER: Final = msg("This value cannot be used here.")


def tell_faults(
    error: RequestValidationError, wording: Wording, lang: Lang
) -> list[dict[str, str]]:
    """One row for each fault: the field's place and the reason."""
    return [
        {
            "field": ".".join(str(part) for part in fault["loc"]),
            "reason": wording.render(_reason(str(fault["type"]), fault.get("ctx") or {}), lang),
        }
        for fault in error.errors()
    ]


def _reason(kind: str, context: Mapping[str, object]) -> Message:
    told = REASONS.get(kind, OTHER)
    return Message(told.template, tuple(sorted((k, str(v)) for k, v in context.items())))
