from dataclasses import dataclass

from service.domain.interview import SessionStatus
from service.web.next_step import BRING_POSTING, BRING_RESUME, FIRST_INTERVIEW, next_step


@dataclass(frozen=True)
class Listed:
    id: str
    status: SessionStatus


def test_a_new_person_brings_a_resume_then_a_posting_then_interviews():
    assert next_step(0, 0, []) is BRING_RESUME
    assert next_step(1, 0, []) is BRING_POSTING
    assert next_step(1, 1, []) is FIRST_INTERVIEW


def test_what_is_begun_comes_first():
    sessions = [Listed("done", SessionStatus.CLOSED), Listed("open", SessionStatus.PAUSED)]
    assert next_step(1, 1, sessions).path == "/interviews/open"


def test_with_all_interviews_over_the_last_report_is_next():
    assert next_step(0, 0, [Listed("a", SessionStatus.CLOSED)]).path == "/interviews/a/report"
