"""Forms as browsers send them without scripts: twice, a field twice, a path as a file name."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.web.test_pages import POSTING, RESUME


def token(pages: TestClient, path: str) -> str:
    found = re.search(r'name="once" value="([^"]+)"', pages.get(path).text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("shown", "path", "form", "listed"),
    [
        ("/postings", "/postings", {"text": POSTING}, "/v1/postings"),
        ("/resumes", "/resumes/pasted", {"text": RESUME}, "/v1/resumes"),
        ("/board", "/board", {"title": "Training engineer", "company": "Acme"}, "/v1/applications"),
    ],
)
def test_a_form_sent_twice_makes_one_thing(
    pages: TestClient, shown: str, path: str, form: dict[str, str], listed: str
):
    sent = form | {"once": token(pages, shown)}
    first, second = (pages.post(path, data=sent) for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.url == second.url
    assert len(pages.get(listed).json()) == 1
    again = form | {"once": token(pages, shown)}
    pages.post(path, data=again)
    assert len(pages.get(listed).json()) == 2


def test_the_same_token_with_another_text_is_another_wish(pages: TestClient):
    once = token(pages, "/postings")
    for text in (POSTING, f"{POSTING}\n- Go"):
        pages.post("/postings", data={"text": text, "once": once})
    assert len(pages.get("/v1/postings").json()) == 2


def test_a_file_sent_twice_is_kept_once_under_its_base_name(pages: TestClient):
    form = {"once": token(pages, "/resumes")}
    name = "C:\\Users\\lin\\..\\/home/lin/My CV.md"
    for _ in range(2):
        answer = pages.post("/resumes", data=form, files={"file": (name, RESUME.encode())})
        assert answer.status_code == 200
    (kept,) = pages.get("/v1/resumes").json()
    assert kept["filename"] == "My CV.md"


@pytest.mark.parametrize("path", ["/postings", "/board", "/resumes/pasted"])
def test_a_field_that_stands_twice_is_refused_and_nothing_is_kept(pages: TestClient, path: str):
    body = "text=one&text=two&title=one&title=two"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = pages.post(path, content=body, headers=kind)
    assert answer.status_code == 422
    assert "twice" in answer.text
    assert pages.get("/v1/postings").json() == pages.get("/v1/applications").json() == []


TOLD = """# Ann Bell

ann@example.com

## Summary

Eight years of training systems

## Projects

### Tiny Ring | 2022.03 - 2023.01

A ring all-reduce told in pictures

- Wrote the kernels in CUDA

## Skills

Tools: CUDA, NCCL

## Publications

Sparse Experts at Scale, MLSys 2023

Adaptive Quantization (US Patent 11,234,567)

## Awards

Best product 2023
"""


def test_the_page_of_a_resume_shows_all_that_was_read_and_asks_for_the_rest_in_a_field(
    pages: TestClient,
):
    html = pages.post("/resumes/pasted", data={"text": TOLD}).text.partition(
        '<pre class="fulltext"'
    )[0]
    for line in TOLD.splitlines():
        if line[:1].isalpha() and "Tools" not in line and "@" not in line:
            assert line in html
    asked = re.search(
        r'<div class="field"><label for="missing-phone">[^<]+</label>\s*<input[^>]+>', html
    )
    assert asked
    assert 'class="input"' in asked[0]
