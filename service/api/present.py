"""Domain values turned into bodies, in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from service.api import bodies
from service.api.room_present import timing_body
from service.domain.alignment import RequirementMatch
from service.domain.article import CheckedArticle
from service.domain.claims.model import NumericClaim
from service.domain.drawing.fill import as_planned, question_text
from service.domain.grading import AssertedMisconception, Evidence, Finding, Grade, Rubric
from service.domain.hinting import CEILING, hint_text
from service.domain.interview import Plan, Session, Turn
from service.domain.knowledge import Fact, Knowledge, Question
from service.domain.language import Bilingual, Lang, Message
from service.domain.posting import Requirement
from service.domain.reporting import PointReport
from service.domain.resume import Project, Work
from service.domain.tasks import EngineNote
from service.domain.text import Span
from service.flows.answer import Answered
from service.flows.interviews import SessionSummary
from service.flows.materials import StoredMatch, StoredPosting, StoredResume
from service.flows.tools import MemoryAnswer
from service.wording.catalogue import Wording


def _offsets(span: Span) -> tuple[int, int]:
    return (span.start, span.end)


@dataclass(frozen=True, slots=True)
class Presenter:
    """Knows the language, the wording and the knowledge base; changes nothing."""

    wording: Wording
    knowledge: Knowledge
    lang: Lang

    def say(self, text: Message | Bilingual | str) -> str:
        """In the language asked for; a plain string is already as it is meant."""
        return str(self.wording.value(text, self.lang))

    def fact(self, fact: Fact) -> bodies.FactBody:
        return bodies.FactBody(
            fact_id=fact.id,
            text=fact.text.in_(self.lang),
            text_en=fact.text.en,
            text_zh=fact.text.zh,
            source=fact.source,
            verified=fact.verified.value,
            topic=fact.topic,
        )

    def claim(self, claim: NumericClaim) -> bodies.ClaimBody:
        return bodies.ClaimBody(
            span=_offsets(claim.span),
            text=claim.text,
            quantity=claim.quantity.value,
            verdict=claim.verdict.value,
            expected=claim.expected,
            formula=claim.formula,
            why=self.wording.render(claim.why, self.lang),
            fact_ids=claim.fact_ids,
        )

    def misconception(self, asserted: AssertedMisconception) -> bodies.MisconceptionBody:
        known = self.knowledge.misconceptions[asserted.misconception_id]
        return bodies.MisconceptionBody(
            id=known.id,
            quote=asserted.evidence.quote,
            span=_offsets(asserted.evidence.span),
            correction=known.correction.in_(self.lang),
            fact_ids=known.fact_ids,
        )

    def checked(self, text: str, article: CheckedArticle) -> bodies.CheckBody:
        return bodies.CheckBody(
            claims=[self.claim(c) for c in article.claims],
            misconceptions=[
                self.misconception(
                    AssertedMisconception(b.misconception_id, Evidence(b.span.of(text), b.span))
                )
                for b in article.beliefs
            ],
            sentences=[
                bodies.SentenceBody(
                    span=_offsets(s.span),
                    verdict=s.mark.value if s.mark else None,
                    claims=s.claims,
                    misconceptions=s.beliefs,
                    quoted=s.quoted,
                )
                for s in article.sentences
            ],
        )

    def memory(self, answer: MemoryAnswer) -> bodies.MemoryBody:
        states, comm = answer.states, answer.comm
        return bodies.MemoryBody(
            model=answer.model,
            params=states.psi,
            scheme=states.scheme.id,
            shards=states.shards,
            bytes_per_gpu=states.total,
            breakdown={
                "parameters": states.parameters,
                "gradients": states.gradients,
                "optimizer": states.optimizer,
            },
            formula=states.formula,
            worked=states.worked,
            comm_elements_per_step=comm.elements,
            comm_bytes_per_step=comm.bytes,
            comm_formula=comm.formula,
            host_bytes=states.host_total,
            left_out=[self.wording.render(m, self.lang) for m in states.left_out],
            notes=[self.wording.render(m, self.lang) for m in states.notes],
            sources=states.sources,
            fact_ids=states.fact_ids,
        )

    def resume(self, stored: StoredResume) -> bodies.ResumeBody:
        resume = stored.resume
        return bodies.ResumeBody(
            id=stored.id,
            created_at=stored.created_at,
            filename=stored.filename,
            quality=stored.quality.value,
            warnings=[
                bodies.NoticeBody(kind=w.kind, count=w.count, detail=w.detail)
                for w in resume.warnings
            ],
            name=resume.name,
            email=resume.email,
            phone=resume.phone,
            city=resume.city,
            urls=resume.urls,
            education=[
                {"school": e.school, "degree": e.degree, "major": e.major}
                | {"start": e.start, "end": e.end}
                for e in resume.education
            ],
            work=[_entry(w, w.employer, w.title) for w in resume.work],
            projects=[_entry(p, p.name, p.role) for p in resume.projects],
            skills=resume.skills,
            text=resume.text,
        )

    def posting(self, stored: StoredPosting) -> bodies.PostingBody:
        posting = stored.posting
        return bodies.PostingBody(
            id=stored.id,
            created_at=stored.created_at,
            title=posting.title,
            level=posting.level,
            years_min=posting.years_min,
            degree=posting.degree,
            requirements=[_requirement(r) for r in posting.requirements],
        )

    def match(self, stored: StoredMatch) -> bodies.MatchBody:
        return bodies.MatchBody(
            id=stored.id,
            created_at=stored.created_at,
            resume_id=stored.resume_id,
            posting_id=stored.posting_id,
            score=stored.match.score,
            parts=dict(stored.match.parts),
            requirements=[self._requirement_match(r) for r in stored.match.requirements],
            gaps=[r.requirement.id for r in stored.match.gaps],
        )

    def _requirement_match(self, match: RequirementMatch) -> bodies.RequirementMatchBody:
        return bodies.RequirementMatchBody(
            id=match.requirement.id,
            text=match.requirement.text,
            kind=match.requirement.kind.value,
            status=match.status.value,
            evidence=[
                bodies.EvidenceBody(
                    bullet_id=e.bullet_id, text=e.text, strength=e.strength.value, how=e.how
                )
                for e in match.evidence
            ],
            why=self.wording.render(match.why, self.lang),
        )

    def plan(self, plan: Plan) -> bodies.PlanBody:
        return bodies.PlanBody(
            lang=plan.lang,
            level=plan.level,
            mode=plan.mode,
            minutes=plan.minutes,
            seed=plan.seed,
            warm_up=plan.warm_up,
            questions=[
                bodies.PlannedBody(
                    question_id=q.question_id,
                    question=question_text(self.knowledge.questions, plan, q),
                    minutes=q.minutes,
                    why=self.wording.render(q.why, self.lang),
                    basis=q.basis.value,
                    bullet=q.bullet,
                )
                for q in plan.questions
            ],
        )

    def session(self, session: Session, now: datetime) -> bodies.SessionBody:
        return bodies.SessionBody(
            id=session.id,
            status=session.status.value,
            revision=session.revision,
            created_at=session.created_at,
            updated_at=session.updated_at,
            plan=self.plan(session.plan),
            timing=timing_body(session, now),
            turns=[self.turn(t, session.plan) for t in session.turns],
        )

    def turn(self, turn: Turn, plan: Plan) -> bodies.TurnBody:
        return bodies.TurnBody(
            seq=turn.seq,
            question_id=turn.question_id,
            kind=turn.move.kind.value,
            depth=turn.depth,
            text=turn.text,
            status=turn.status.value,
            attempt=turn.attempt,
            hints=self._hints(turn, plan),
            answer=turn.answer,
            asked_at=turn.asked_at,
            answered_at=turn.answered_at,
            read_by=self.reader(turn.read_by) if turn.read_by else None,
        )

    def _rubric(self, question_id: str) -> Rubric:
        """Of the warm-up there is none: nothing of it is judged."""
        question = self.knowledge.questions.get(question_id)
        return question.rubric if question else Rubric(question_id, {}, ())

    def _hints(self, turn: Turn, plan: Plan) -> list[bodies.HintBody]:
        question = as_planned(self.knowledge.questions, plan.questions).get(turn.question_id)
        if question is None:
            return []
        return [
            bodies.HintBody(
                level=hint.level,
                text=self.wording.render(hint_text(question, hint), plan.lang),
                ceiling=CEILING[hint.level],
            )
            for hint in turn.hints
        ]

    def reader(self, note: EngineNote) -> bodies.ReaderBody:
        why = note.fallback_why
        return bodies.ReaderBody(
            engine=note.engine,
            model=note.model,
            fallback_from=note.fallback_from,
            fallback_why=self.wording.text(why, self.lang) if why else None,
            milliseconds=note.milliseconds,
            votes=note.votes,
            spread=[bodies.SpreadBody(point_id=s.point_id, votes=s.votes) for s in note.spread],
            doubts=[
                bodies.DoubtBody(point_id=d.point_id, model=d.first, builtin=d.second)
                for d in note.doubts
            ],
        )

    def grade(
        self, grade: Grade, rubric: Rubric, points: Sequence[PointReport] = ()
    ) -> bodies.GradeBody:
        lifts = {p.point.id: p.lift for p in points}
        return bodies.GradeBody(
            status=grade.status.value,
            score=grade.score,
            penalty=grade.penalty,
            coverage=grade.coverage,
            dimensions={d.value: v for d, v in grade.dimensions.items()},
            points=[
                self._point(rubric, f).model_copy(
                    update={"lift": self.wording.render(lift, self.lang)}
                )
                if (lift := lifts.get(f.point_id))
                else self._point(rubric, f)
                for f in grade.findings
            ],
            misconceptions=[
                self.misconception(m)
                for m in grade.misconceptions
                if m.misconception_id in self.knowledge.misconceptions
            ],
            claims=[self.claim(c) for c in grade.claims],
        )

    def _point(self, rubric: Rubric, finding: Finding) -> bodies.PointBody:
        point = rubric.point(finding.point_id)
        return bodies.PointBody(
            id=point.id,
            dimension=point.dimension.value,
            text=point.text.in_(self.lang),
            verdict=finding.verdict.value,
            quote=finding.evidence.quote if finding.evidence else "",
            span=_offsets(finding.evidence.span) if finding.evidence else None,
            confidence=finding.confidence,
            fact_ids=point.fact_ids,
        )

    def answered(self, answered: Answered) -> bodies.AnsweredBody:
        rubric = self._rubric(answered.question_id)
        following = answered.next
        return bodies.AnsweredBody(
            session_id=answered.session_id,
            seq=answered.seq,
            grade=self.grade(answered.grade, rubric),
            read_by=self.reader(answered.read_by),
            next=bodies.NextBody(
                seq=following.seq,
                question_id=following.question_id,
                kind=following.kind.value,
                depth=following.depth,
                text=following.text,
            )
            if following
            else None,
            closing=answered.closing,
        )

    def question(self, question: Question) -> bodies.QuestionBody:
        return bodies.QuestionBody(
            id=question.id,
            text=question.text.in_(self.lang),
            topic=question.topic,
            kind=question.kind.value,
            level=question.level,
            minutes=question.minutes,
            skills=question.skills,
        )


def _entry(entry: Work | Project, name: str, title: str | None) -> bodies.EntryBody:
    return bodies.EntryBody(
        name=name,
        title=title,
        start=entry.start,
        end=entry.end,
        bullets=[
            bodies.BulletBody(id=b.id, text=b.text, span=_offsets(b.span)) for b in entry.bullets
        ],
    )


def _requirement(requirement: Requirement) -> bodies.RequirementBody:
    return bodies.RequirementBody(
        id=requirement.id,
        text=requirement.text,
        span=_offsets(requirement.span),
        skills=requirement.skills,
        kind=requirement.kind.value,
        group=requirement.group.value,
        negated=requirement.negated,
        years=requirement.years,
        category=requirement.category,
    )


def row(summary: SessionSummary) -> bodies.SessionRow:
    return bodies.SessionRow(
        id=summary.id,
        title=summary.title,
        lang=summary.lang,
        level=summary.level,
        mode=summary.mode,
        status=summary.status.value,
        created_at=summary.created_at,
        updated_at=summary.updated_at,
        turns=summary.turns,
    )


__all__ = ["Presenter", "row"]
