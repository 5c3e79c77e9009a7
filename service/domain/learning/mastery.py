"""Where each skill point stands, by rule, from its reviews."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from service.domain.knowledge import Question
from service.domain.language import Message, msg
from service.domain.learning.model import PointShown, Rating, Review, SkillNote, Standing
from service.domain.learning.schedule import Schedule, in_order, schedule

STABLE_DAYS: Final = 21.0  # FSRS's stability from which a point may be called stable
STABLE_SUCCESSES: Final = 2  # different days on which it was proved
STABLE_POINTS: Final = 3  # different rubric points proved, or all there are
STABLE_RECALL: Final = 0.8  # below this chance of recall it has been left too long
# Credit that was hinted, or that only a model saw, counts half.
UNPROVED: Final = 0.5
SUCCESSES: Final = (Rating.GOOD, Rating.EASY)


@dataclass(frozen=True, slots=True)
class SkillPoint:
    """`mastery` and `recall` are 0..1, None before the first review. Reviews run oldest first."""

    topic: str
    standing: Standing
    why: Message
    questions: tuple[str, ...]
    points: int
    proved: frozenset[str]
    asked: int  # reports of candidates that name it
    reviews: tuple[Review, ...] = ()
    schedule: Schedule | None = None
    recall: float | None = None
    mastery: float | None = None
    note: SkillNote | None = None

    @property
    def column(self) -> Standing:
        """Where the card lies: where the person put it, else where the evidence puts it."""
        return (self.note.standing if self.note else None) or self.standing

    def is_due(self, now: datetime) -> bool:
        return self.schedule is not None and self.schedule.due <= now


def skill_points(
    questions: Mapping[str, Question],
    reviews: Iterable[Review],
    notes: Mapping[str, SkillNote],
    now: datetime,
) -> tuple[SkillPoint, ...]:
    """One for each topic that has questions, those that are asked most often first."""
    by_topic = _by_topic(reviews)
    topics: dict[str, list[Question]] = {}
    for question in questions.values():
        topics.setdefault(question.topic, []).append(question)
    found = [
        _skill_point(topic, its, by_topic.get(topic, ()), notes.get(topic), now)
        for topic, its in topics.items()
    ]
    return tuple(sorted(found, key=lambda p: (-p.asked, p.topic)))


def _by_topic(reviews: Iterable[Review]) -> dict[str, list[Review]]:
    grouped: dict[str, list[Review]] = {}
    for review in in_order(reviews):
        grouped.setdefault(review.topic, []).append(review)
    return grouped


def _skill_point(
    topic: str,
    questions: Sequence[Question],
    reviews: Sequence[Review],
    note: SkillNote | None,
    now: datetime,
) -> SkillPoint:
    known = {point_key(q.id, p.id) for q in questions for p in q.rubric.points}
    proved = frozenset(k for r in reviews for k in proved_keys(r)) & known
    state = schedule(reviews)
    recall = state.recall(now) if state else None
    standing, why = _standing(reviews, state, recall, len(proved), len(known))
    return SkillPoint(
        topic=topic,
        standing=standing,
        why=why,
        questions=tuple(q.id for q in questions),
        points=len(known),
        proved=proved,
        asked=sum(q.asked for q in questions),
        reviews=tuple(reviews),
        schedule=state,
        recall=recall,
        mastery=_mastery(reviews[-1], recall) if reviews and recall is not None else None,
        note=note,
    )


def point_key(question_id: str, point_id: str) -> str:
    """Rubric points have names that are unique within their question only."""
    return f"{question_id}/{point_id}"


def proved_keys(review: Review) -> tuple[str, ...]:
    return tuple(point_key(review.question_id, p.point_id) for p in review.points if p.is_proved)


def _mastery(last: Review, recall: float) -> float:
    """What the last practice showed, faded by the chance that it is still there."""
    return recall * (last.proved + UNPROVED * (last.share - last.proved))


WHY_NEW: Final = msg("Not practised yet. One short question opens it.")
WHY_SHAKY: Final = msg("The last practice did not carry it. Practise it once more.")
WHY_DAYS: Final = msg("It was proved on one day so far. Prove it again on the day it is due.")
WHY_GROWING: Final = msg("It holds. Each proof on its day lets it rest longer.")
WHY_NARROW: Final = msg("It holds, but few of its points were asked. Take other questions of it.")
WHY_LATE: Final = msg("It was stable and has been left too long. Practise it once more.")
WHY_STABLE: Final = msg("Proved on several days, over several points, and not forgotten yet.")


def _standing(
    reviews: Sequence[Review],
    state: Schedule | None,
    recall: float | None,
    proved: int,
    known: int,
) -> tuple[Standing, Message]:
    if not reviews or state is None or recall is None:
        return Standing.NEW, WHY_NEW
    if reviews[-1].rating not in SUCCESSES:
        return Standing.SHAKY, WHY_SHAKY
    days = {r.at.date() for r in reviews if r.rating in SUCCESSES}
    lacking = (
        (len(days) < STABLE_SUCCESSES, WHY_DAYS),
        (state.stability < STABLE_DAYS, WHY_GROWING),
        (proved < min(STABLE_POINTS, known), WHY_NARROW),
        (recall < STABLE_RECALL, WHY_LATE),
    )
    why = next((why for lacks, why in lacking if lacks), None)
    return (Standing.GOOD, why) if why else (Standing.STABLE, WHY_STABLE)


def due_points(points: Iterable[SkillPoint], now: datetime) -> tuple[SkillPoint, ...]:
    """What is due, the one that fades most first."""
    due = [p for p in points if p.is_due(now)]
    return tuple(sorted(due, key=lambda p: (p.recall or 0.0, p.topic)))


def mastery_by_topic(points: Iterable[SkillPoint]) -> dict[str, float]:
    """For planning: 0..1 by topic; what was never practised is not in it."""
    return {p.topic: p.mastery for p in points if p.mastery is not None}


@dataclass(frozen=True, slots=True)
class BestAnswer:
    """The words that proved most of a skill point, and when they were said."""

    review: Review
    shown: tuple[PointShown, ...]


def best_answer(reviews: Iterable[Review]) -> BestAnswer | None:
    """The practice with the most proved, the newest among equals; None without own words."""
    ranked = sorted(in_order(reviews), key=lambda r: (r.proved, r.share, r.at), reverse=True)
    for review in ranked:
        shown = tuple(p for p in review.points if p.credit and p.quote)
        if shown:
            return BestAnswer(review, shown)
    return None
