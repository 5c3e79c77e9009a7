import pytest

from service.web.reference import kind_of, read_reference

DOCUMENT = {
    "info": {"title": "T", "version": "1", "description": "About."},
    "paths": {
        "/things/{id}": {
            "post": {
                "tags": ["things"],
                "operationId": "make",
                "summary": "Make one",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/ThingIn"}}
                    }
                },
                "responses": {
                    "201": {
                        "description": "Made",
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}
                        },
                    }
                },
            }
        }
    },
    "components": {
        "schemas": {
            "ThingIn": {
                "required": ["size"],
                "properties": {"size": {"type": "integer", "description": "How large."}},
            },
            "Thing": {"properties": {"parts": {"type": "array", "items": {"type": "string"}}}},
            "Colour": {"enum": ["red"]},
        }
    },
}


def test_an_operation_is_told_with_its_fields_and_replies():
    made = read_reference(DOCUMENT).groups["things"][0]
    assert (made.method, made.path, made.summary) == ("POST", "/things/{id}", "Make one")
    assert [(f.name, f.place, f.kind, f.required) for f in made.fields] == [
        ("id", "path", "string", True),
        ("size", "body", "integer", True),
    ]
    assert made.fields[1].text == "How large."
    assert [(r.status, r.text, r.kind) for r in made.replies] == [("201", "Made", "Thing")]


def test_only_schemas_with_fields_are_listed():
    assert [shape.name for shape in read_reference(DOCUMENT).shapes] == ["Thing", "ThingIn"]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"enum": ["zh", "en"]}, "zh | en"),
        ({"const": "x"}, "x"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer | null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Fact"}}, "array of Fact"),
        ({"type": "array"}, "array of values"),
        ({}, ""),
    ],
)
def test_a_type_is_told_in_words(schema: dict[str, object], kind: str):
    assert kind_of(schema) == kind
