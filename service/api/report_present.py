"""A report turned into its body, in the reader's language."""

from service.api.present import Presenter
from service.api.report_bodies import (
    GapBody,
    NextQuestionBody,
    QuestionReportBody,
    ReportBody,
)
from service.domain.interview import Plan
from service.domain.reporting import GapReport, QuestionReport, Report


def report_body(show: Presenter, report: Report) -> ReportBody:
    return ReportBody(
        session_id=report.session.id,
        finished=report.finished,
        score=report.score,
        penalty=report.penalty,
        dimensions={d.value: v for d, v in report.dimensions.items()},
        asked={d.value: v for d, v in report.asked.items()},
        questions=[_question(show, q, report.session.plan) for q in report.questions],
        gaps=[_gap(show, g) for g in report.gaps],
        next_action=show.say(report.next_action),
        next_session=[
            NextQuestionBody(
                question_id=n.question.id,
                question=show.say(n.question.text),
                minutes=n.question.minutes,
                why=show.say(n.why),
            )
            for n in report.next_session.questions
        ],
        read_by=[show.reader(n) for n in report.read_by],
        fell_back=report.fell_back,
    )


def _question(show: Presenter, report: QuestionReport, plan: Plan) -> QuestionReportBody:
    rubric = report.question.rubric
    return QuestionReportBody(
        question_id=report.question.id,
        question=show.say(report.question.text),
        why=show.say(report.why),
        state=report.state.value,
        turns=[show.turn(t, plan) for t in report.turns],
        grade=show.grade(report.grade, rubric, report.points) if report.grade else None,
        reference=[show.fact(f) for f in report.reference],
        attempts=report.attempts,
        versions={name: show.say(text) for name, text in report.versions.items()},
    )


def _gap(show: Presenter, gap: GapReport) -> GapBody:
    return GapBody(
        question_id=gap.question_id,
        point_id=gap.point_id,
        text=show.say(gap.text),
        why=show.say(gap.why),
        facts=[show.fact(f) for f in gap.facts],
    )
