"""The form of a reply: the reading type's JSON schema without references and ornaments."""

import json
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from service.domain.tasks import Strict

Form: TypeAlias = Mapping[str, object]

# Titles and docstrings are for readers of the code; defaults would make a key optional.
_ORNAMENTS: Final = frozenset({"title", "description", "default"})


def reply_form(reading_type: type[Strict]) -> Form:
    """The schema with every reference put in place and every key required.

    One form serves all servers: strict decoding knows no optional keys, and grammar-based
    servers differ in how they follow references.
    """
    schema = reading_type.model_json_schema()
    definitions = cast("Mapping[str, object]", schema.pop("$defs", {}))
    return cast("Form", _in_place(schema, definitions))


def as_text(form: Form) -> str:
    """One line, keys in order: the same schema is the same text in every process."""
    return json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(", ", ": "))


def _in_place(node: object, definitions: Mapping[str, object]) -> object:
    if isinstance(node, list):
        return [_in_place(item, definitions) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    fields = cast("dict[str, object]", node)
    if "$ref" in fields:
        return _in_place(definitions[str(fields["$ref"]).rpartition("/")[2]], definitions)
    if fields.get("type") == "object" and "properties" in fields:
        return _closed_object(cast("Mapping[str, object]", fields["properties"]), definitions)
    return {k: _in_place(v, definitions) for k, v in fields.items() if k not in _ORNAMENTS}


def _closed_object(
    properties: Mapping[str, object], definitions: Mapping[str, object]
) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {k: _in_place(v, definitions) for k, v in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }
