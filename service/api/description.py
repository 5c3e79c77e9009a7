"""The OpenAPI document: every way an operation can fail is told, in the form it really has."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from fastapi import FastAPI

from service.api.bodies import ProblemBody
from service.api.errors import PROBLEM, TITLES

Responses = dict[int | str, dict[str, Any]]
FORM: Final = f"#/components/schemas/{ProblemBody.__name__}"


def problems(*statuses: int) -> Responses:
    """Responses for a router or a route, by status."""
    return {s: {"model": ProblemBody, "description": str(TITLES[s])} for s in statuses}


# What any operation of one's own may answer.
EVERYWHERE: Final = problems(401, 422, 500, 503)
READING: Final = problems(404)
DELETING: Final = problems(403, 404)
CHANGING: Final = problems(403, 404, 409)
CREATING: Final = problems(400, 403, 404, 409, 413, 507)
UPLOADING: Final = problems(400, 403, 409, 413, 415, 507)
ANSWERING: Final = problems(400, 403, 404, 409, 413, 502, 507)


def describe(app: FastAPI) -> None:
    """Make `app.openapi()` tell the form of problems, and how a key is sent."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _corrected(plain())
        return app.openapi_schema

    app.openapi = openapi


# A key is needed where keys are set up, and nothing at all on one's own machine.
SECURITY: Final[Sequence[Mapping[str, Sequence[str]]]] = ({}, {"key": ()})
SCHEMES: Final = {"key": {"type": "http", "scheme": "bearer", "description": "sw_..."}}


def _corrected(document: dict[str, Any]) -> dict[str, Any]:
    """FastAPI notes a further response under the media type of the route's success."""
    for methods in cast("Mapping[str, Mapping[str, Any]]", document["paths"]).values():
        for operation in methods.values():
            for response in operation["responses"].values():
                _name_problem(response)
    document["components"]["securitySchemes"] = dict(SCHEMES)
    document["security"] = [{k: list(v) for k, v in way.items()} for way in SECURITY]
    return document


def _name_problem(response: dict[str, Any]) -> None:
    for form in response.get("content", {}).values():
        if form.get("schema", {}).get("$ref") == FORM:
            response["content"] = {PROBLEM: form}
            return
