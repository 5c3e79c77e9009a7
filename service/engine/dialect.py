"""How one server likes to be asked. Found out from its objections, one at a time, and kept."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, cast

from service.prompting.form import Form

TOOL: Final = "reply"
MOST_TOKENS: Final = 8_000  # of a reply; models that think first spend most of it on thoughts

# Validation keys that strict decoders reject; our own validation keeps them.
_OURS_TO_CHECK: Final = frozenset({"minLength", "maxLength", "minItems", "maxItems"})


class Method(StrEnum):
    """How the form of the reply is enforced, from the strictest to none."""

    JSON_SCHEMA = "json_schema"
    TOOLS = "tools"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Dialect:
    """`token_field` is None where no limit may be named, `temperature` where none may be set."""

    method: Method = Method.JSON_SCHEMA
    token_field: str | None = "max_tokens"  # noqa: S105 - the name of a request field
    temperature: float | None = 0.0
    system_role: bool = True
    stream_usage: bool = True

    def request(self, form: Form) -> dict[str, object]:
        """The body's fields beside model and messages."""
        fields: dict[str, object] = dict(_form_fields(self.method, form))
        if self.token_field:
            fields[self.token_field] = MOST_TOKENS
        if self.temperature is not None:
            fields["temperature"] = self.temperature
        return fields


def _form_fields(method: Method, form: Form) -> Mapping[str, object]:
    lean = cast("Form", _lean(form))
    if method is Method.JSON_SCHEMA:
        schema = {"name": TOOL, "strict": True, "schema": lean}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if method is Method.TOOLS:
        function = {"name": TOOL, "description": "Give the reply.", "parameters": lean}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": TOOL}},
        }
    return {}


def _lean(node: object) -> object:
    if isinstance(node, list):
        return [_lean(item) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    fields = cast("dict[str, object]", node)
    return {key: _lean(value) for key, value in fields.items() if key not in _OURS_TO_CHECK}


# Statuses with which servers refuse a feature. llama-cpp-python says 500 to an unknown form.
OBJECTING: Final = frozenset({400, 404, 405, 415, 422, 500, 501})

_NEXT_METHOD: Final = {Method.JSON_SCHEMA: Method.TOOLS, Method.TOOLS: Method.PLAIN}
_NEXT_TOKEN_FIELD: Final = {"max_tokens": "max_completion_tokens", "max_completion_tokens": None}


def _other_method(dialect: Dialect) -> Dialect:
    return replace(dialect, method=_NEXT_METHOD.get(dialect.method, dialect.method))


def _other_token_field(dialect: Dialect) -> Dialect:
    return replace(dialect, token_field=_NEXT_TOKEN_FIELD.get(dialect.token_field or ""))


# What an objection names, and what to leave out then; the first that changes anything holds.
_OBJECTIONS: Final[tuple[tuple[re.Pattern[str], Callable[[Dialect], Dialect]], ...]] = (
    (re.compile(r"(?i)max_(?:completion_)?tokens"), _other_token_field),
    (re.compile(r"(?i)temperature"), lambda d: replace(d, temperature=None)),
    (
        re.compile(r"(?i)system.{0,20}(?:role|message)|role.{0,20}system"),
        lambda d: replace(d, system_role=False),
    ),
    (
        re.compile(r"(?i)stream_options|include_usage"),
        lambda d: replace(d, stream_usage=False),
    ),
    (
        re.compile(r"(?i)response_?format|json_?schema|schema|grammar|guided|structured"),
        lambda d: _other_method(d) if d.method is Method.JSON_SCHEMA else d,
    ),
    (
        re.compile(r"(?i)tool|function"),
        lambda d: _other_method(d) if d.method is Method.TOOLS else d,
    ),
)


def after_objection(dialect: Dialect, status: int, text: str) -> Dialect | None:
    """The dialect without what the server objects to; None when that is not the trouble.

    Each step leaves something out for good, so that there are at most seven of them.
    """
    if status not in OBJECTING:
        return None
    for pattern, leave_out in _OBJECTIONS:
        changed = leave_out(dialect) if pattern.search(text) else dialect
        if changed != dialect:
            return changed
    return None
