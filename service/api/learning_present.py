"""Learning turned into bodies, in the reader's language."""

from datetime import datetime

from service.api.learning_bodies import (
    BestAnswerBody,
    BulletLineBody,
    DrillBody,
    PointShownBody,
    ReviewBody,
    SkillPointBody,
    SkillPointDetailBody,
    TrendRowBody,
)
from service.api.present import Presenter
from service.domain.learning.drilling import short_question
from service.domain.learning.mastery import BestAnswer, SkillPoint
from service.domain.learning.model import Review
from service.domain.learning.trend import TrendRow
from service.domain.naming import RULE, topic_name
from service.flows.learning import Proof
from service.flows.learning_drill import DrillView


def point_body(show: Presenter, point: SkillPoint, now: datetime) -> SkillPointBody:
    state = point.schedule
    return SkillPointBody(
        topic=point.topic,
        name=show.say(topic_name(point.topic)),
        standing=point.standing,
        why=show.say(point.why),
        column=point.column,
        mastery=_rounded(point.mastery),
        recall=_rounded(point.recall),
        due=state.due if state else None,
        is_due=point.is_due(now),
        stability_days=round(state.stability, 2) if state else None,
        points=point.points,
        proved=len(point.proved),
        reviews=len(point.reviews),
        note=point.note.text if point.note else "",
        note_revision=point.note.revision if point.note else 0,
    )


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def proof_body(show: Presenter, found: Proof, now: datetime) -> SkillPointDetailBody:
    return SkillPointDetailBody(
        point=point_body(show, found.point, now),
        resume_id=found.resume.id if found.resume else None,
        bullets=[BulletLineBody(id=b.id, text=b.text) for b in found.bullets],
        best=_best(found.best) if found.best else None,
        reviews=[_review(show, r) for r in reversed(found.point.reviews)],
    )


def _best(best: BestAnswer) -> BestAnswerBody:
    return BestAnswerBody(
        at=best.review.at,
        origin=best.review.origin.value,
        origin_id=best.review.origin_id,
        quotes=list(dict.fromkeys(p.quote for p in best.shown)),
    )


def _review(show: Presenter, review: Review) -> ReviewBody:
    return ReviewBody(
        at=review.at,
        question_id=review.question_id,
        origin=review.origin.value,
        origin_id=review.origin_id,
        rating=review.rating,
        rule=review.rule,
        why=show.say(RULE[review.rule]),
        share=review.share,
        proved=review.proved,
        points=[
            PointShownBody(
                point_id=p.point_id,
                verdict=p.verdict.value,
                quote=p.quote,
                hinted=p.hinted,
                confirmed=p.confirmed,
            )
            for p in review.points
        ],
    )


def trend_body(row: TrendRow) -> TrendRowBody:
    return TrendRowBody(
        session_id=row.session_id,
        at=row.at,
        level=row.level,
        mode=row.mode,
        score=row.score,
        dimensions={d.value: v for d, v in row.dimensions.items()},
        asked={d.value: v for d, v in row.asked.items()},
    )


def drill_body(show: Presenter, seen: DrillView) -> DrillBody:
    drill, review = seen.drill, seen.review
    known = seen.question is not None and seen.point is not None
    rubric = (
        short_question(seen.question, drill.point_id).rubric if known and seen.question else None
    )
    state = seen.skill.schedule if seen.skill else None
    return DrillBody(
        id=drill.id,
        topic=drill.topic,
        question_id=drill.question_id,
        point_id=drill.point_id,
        lang=drill.lang,
        text=drill.text,
        asked_at=drill.asked_at,
        updated_at=drill.updated_at,
        status=drill.status.value,
        hints=[show.say(h) for h in seen.hints],
        answer=drill.answer,
        grade=show.grade(drill.grade, rubric) if drill.grade and rubric else None,
        rating=review.rating if review else None,
        why=show.say(RULE[review.rule]) if review else None,
        confirmed=bool(review and review.points[0].confirmed),
        read_by=show.reader(drill.read_by) if drill.read_by else None,
        facts=[show.fact(f) for f in seen.facts],
        due=state.due if state else None,
    )
