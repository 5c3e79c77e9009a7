"""The API's description as a page of our own: no script, no other host, readable in the dark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

METHODS: Final = ("get", "post", "put", "patch", "delete")
REFERENCE: Final = "#/components/schemas/"
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FieldLine:
    name: str
    kind: str
    place: str  # path, query, header or body
    required: bool
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    status: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Operation:
    """`id` is an anchor."""

    id: str
    method: str
    path: str
    summary: str
    text: str
    fields: tuple[FieldLine, ...]
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A named schema that operations speak of."""

    name: str
    text: str
    fields: tuple[FieldLine, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    title: str
    version: str
    text: str
    groups: Mapping[str, tuple[Operation, ...]]
    shapes: tuple[Shape, ...]


def read_reference(document: Schema) -> Reference:
    """The parts of an OpenAPI 3.1 document that a reader needs."""
    schemas: Mapping[str, Schema] = document.get("components", {}).get("schemas", {})
    groups: dict[str, list[Operation]] = {}
    for path, methods in document.get("paths", {}).items():
        for method in (m for m in METHODS if m in methods):
            described = methods[method]
            tag = (described.get("tags") or ["other"])[0]
            groups.setdefault(tag, []).append(_operation(path, method, described, schemas))
    info = document.get("info", {})
    return Reference(
        title=str(info.get("title", "")),
        version=str(info.get("version", "")),
        text=_plain(str(info.get("description", ""))),
        groups={tag: tuple(found) for tag, found in groups.items()},
        shapes=tuple(
            Shape(name, _text(schema), tuple(_properties(schema, "")))
            for name, schema in sorted(schemas.items())
            if "properties" in schema
        ),
    )


def _plain(markdown: str) -> str:
    """The page shows text; marks of emphasis would only be noise in it."""
    return markdown.replace("**", "").replace("`", "").strip()


def _operation(
    path: str, method: str, described: Schema, schemas: Mapping[str, Schema]
) -> Operation:
    return Operation(
        id=str(described.get("operationId", f"{method}-{path}")),
        method=method.upper(),
        path=path,
        summary=str(described.get("summary", "")),
        text=_text(described),
        fields=(*_parameters(described), *_body(described, schemas)),
        replies=tuple(_replies(described)),
    )


def _text(described: Schema) -> str:
    return _plain(str(described.get("description", "")))


def _parameters(described: Schema) -> Iterator[FieldLine]:
    for one in cast("Sequence[Schema]", described.get("parameters", ())):
        yield FieldLine(
            name=str(one["name"]),
            kind=kind_of(one.get("schema", {})),
            place=str(one["in"]),
            required=bool(one.get("required", False)),
            text=_text(one) or _text(one.get("schema", {})),
        )


def _body(described: Schema, schemas: Mapping[str, Schema]) -> Iterator[FieldLine]:
    content: Mapping[str, Schema] = described.get("requestBody", {}).get("content", {})
    for media in content.values():
        yield from _properties(_resolved(media.get("schema", {}), schemas), "body")


def _resolved(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    reference = str(schema.get("$ref", ""))
    return schemas.get(reference.removeprefix(REFERENCE), schema)


def _properties(schema: Schema, place: str) -> Iterator[FieldLine]:
    required = schema.get("required", ())
    properties: Mapping[str, Schema] = schema.get("properties", {})
    for name, one in properties.items():
        yield FieldLine(name, kind_of(one), place, name in required, _text(one))


def _replies(described: Schema) -> Iterator[Reply]:
    responses: Mapping[str, Schema] = described.get("responses", {})
    for status, one in responses.items():
        content: Mapping[str, Schema] = one.get("content", {})
        kinds = [kind_of(media.get("schema", {})) for media in content.values()]
        yield Reply(status, _text(one), " | ".join(k for k in kinds if k))


def kind_of(schema: Schema) -> str:
    """A type in words: `string`, `array of FactBody`, `zh | en`, `integer | null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " | ".join(kind_of(one) for one in schema[key])
    if schema.get("type") == "array":
        return f"array of {kind_of(schema.get('items', {})) or 'values'}"
    return str(schema.get("format") or schema.get("type", ""))
