"""The time of an interview, as the API gives it out."""

from datetime import datetime

from service.api import bodies
from service.domain.interview import Session, SessionStatus
from service.domain.timing import timing


def timing_body(session: Session, now: datetime) -> bodies.TimingBody | None:
    time = timing(session, now) if session.status is not SessionStatus.CLOSED else None
    if time is None:
        return None
    return bodies.TimingBody(
        question_seconds_left=round(time.question_left, 1),
        session_seconds_left=round(time.session_left, 1),
        question_deadline=time.question_deadline,
        session_deadline=time.session_deadline,
    )
