import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from service.web.routes.account import local_path
from service.web.security import HEADERS, WebSecurity, is_same_origin


async def plain(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


async def kept(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok", headers={"Cache-Control": "public"})


@pytest.fixture
def client() -> TestClient:
    app = Starlette(routes=[Route("/", plain, methods=["GET", "POST"]), Route("/kept", kept)])
    app.add_middleware(WebSecurity)
    return TestClient(app)


def test_every_response_carries_the_headers(client: TestClient):
    answer = client.get("/")
    assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
    assert answer.headers["cache-control"] == "no-store"
    assert client.get("/kept").headers["cache-control"] == "public"


def test_the_policy_allows_nothing_inline_and_nobody_else():
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize(
    ("headers", "same"),
    [
        ({}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"origin": "http://here:8000", "host": "here:8000"}, True),
        ({"origin": "http://here:8001", "host": "here:8000"}, False),
        ({"origin": "https://evil.example", "host": "here:8000"}, False),
        ({"origin": "null", "host": "here:8000"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://h", "host": "h"}, False),
    ],
)
def test_a_change_needs_the_same_origin(headers: dict[str, str], same: bool):
    assert is_same_origin(Headers(headers)) is same


def test_a_post_from_another_site_is_refused_and_a_look_is_not(client: TestClient):
    foreign = {"Sec-Fetch-Site": "cross-site"}
    refused = client.post("/", headers=foreign)
    assert refused.status_code == 403
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert client.get("/", headers=foreign).status_code == 200
    assert client.post("/", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


@pytest.mark.parametrize(
    ("back", "path"),
    [
        ("/resumes?x=1", "/resumes?x=1"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a\r\nSet-Cookie: x=1", "/"),
        ("", "/"),
    ],
)
def test_one_returns_to_a_path_of_this_site_only(back: str, path: str):
    assert local_path(back) == path
