"""Long hostile text is read in linear time: no pattern walks back over it."""

import time

import pytest

from service.documents.text import text_lines
from service.domain.posting_reading import read_posting
from service.domain.resume_reading.read import read_resume_lines
from tests.domain.shipped import resume_words, skills

PIECES = [
    "1",
    " ",
    "(",
    "a ",
    "Go ",
    "1,",
    "并行、",
    "2020-",
    "没有",
    "*",
    "[a](",
    "https://",
    "<!--",
]


@pytest.mark.parametrize("piece", PIECES)
def test_fifty_thousand_characters_of_one_piece_are_read(piece: str):
    text = piece * (50_000 // len(piece))
    started = time.process_time()
    posting = read_posting(f"任职要求\n{text}", skills())
    lines, notices = text_lines(text, markdown=True)
    resume = read_resume_lines(lines, resume_words(), skills(), notices)
    assert all(r.span.of(posting.text) == r.text for r in posting.requirements)
    assert resume.work == ()
    assert time.process_time() - started < 10
