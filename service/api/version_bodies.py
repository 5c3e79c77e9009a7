"""Versions, proposals and applications as the API takes them in and gives them out."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from service.api.bodies import EntryBody
from service.api.forms import Body, Id, Text
from service.domain.applications import Card, Column, DateKind
from service.domain.language import Lang, Message
from service.domain.resume import Project, Work
from service.domain.rewriting import Proposal, Refused, Style, ToAsk
from service.domain.tailoring import Order
from service.domain.versions import Difference, Revision, Version
from service.flows.versions import VersionView
from service.wording.catalogue import Wording

Seen = Annotated[int, Field(ge=1, description="The revision you looked at; 409 when it is past.")]


def _example(**example: JsonValue) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [dict(example)]})


Title = Annotated[str, Field(description="What it is called; one line.")]
Note = Annotated[str, Field(description="Your own note.")]


class VersionIn(Body):
    model_config = _example(
        resume_id="4f0c1e2d3b4a59687786a5b4", posting_id="9b8a7c6d5e4f30211203f4e5"
    )

    resume_id: Id = Field(description="From `POST /v1/resumes`.")
    posting_id: Id | None = Field(
        default=None, description="Tailor for this posting; left out for the master."
    )


class NoteIn(Body):
    model_config = _example(title="Training engineer, Acme", note="Ask about the cluster.")

    title: Title
    note: Note = ""


class RewriteIn(Body):
    model_config = _example(styles=["star", "result_first"])

    styles: Sequence[Style] = Field(
        default=tuple(Style), max_length=8, description="Which wordings to propose; all of them."
    )


class AnswersIn(Body):
    model_config = _example(answers={"b1-result": "memory per GPU fell from 80 GB to 24 GB"})

    answers: dict[str, str] = Field(
        max_length=6, description="What you say to a question, by its id."
    )


class EditIn(Body):
    model_config = _example(text="Trained a 13B model with FSDP on 64 GPUs", seen=3)

    text: Text
    seen: Seen


class OrderIn(Body):
    model_config = _example(seen=3)

    seen: Seen


class RestoreIn(Body):
    model_config = _example(revision=1, seen=3)

    revision: int = Field(ge=1, description="Whose text comes back, as a new revision.")
    seen: Seen


class CardIn(Body):
    model_config = _example(title="Training engineer", company="Acme", column="applied")

    title: Title
    company: str = Field(default="", description="The employer.")
    note: Note = ""
    url: str = Field(default="", description="The address of the ad; http or https.")
    column: Column = Field(default=Column.SAVED, description="Where the card stands.")


class CardChangeIn(Body):
    """What is left out stays as it is."""

    model_config = _example(seen=2, column="interview")

    seen: Seen
    title: str | None = Field(default=None, description="What it is called; one line.")
    company: str | None = Field(default=None, description="The employer.")
    note: str | None = Field(default=None, description="Your own note.")
    url: str | None = Field(default=None, description="The address of the ad; http or https.")
    column: Column | None = Field(default=None, description="Where the card goes.")


class DateIn(Body):
    model_config = _example(seen=2, kind="interview", day="2027-03-04", at="10:30")

    seen: Seen
    kind: DateKind = Field(description="What the date is for.")
    day: str = Field(description="YYYY-MM-DD")
    at: str = Field(default="", description="HH:MM in your own time, or empty.")
    note: Note = ""


class VersionRow(Body):
    id: str
    created_at: datetime
    updated_at: datetime
    resume_id: str
    posting_id: str | None = Field(description="Null for the master.")
    title: str
    note: str
    revision: int


class QuestionToAnswerBody(Body):
    id: str
    bullet_id: str
    asks: str
    text: str
    doubt: str | None = Field(description="Why your answer cannot be as it stands.")


class ProposalBody(Body):
    id: str
    bullet_id: str
    style: Style
    before: str
    after: str
    by: str = Field(description="builtin, or the model's name.")
    state: Literal["open", "accepted", "rejected", "stale"]
    doubts: Sequence[str] = Field(description="Figures the memory formulas do not bear out.")


class OrderBody(Body):
    """The same lines in another order; no word is changed, except that skills change places."""

    id: str
    about: str = Field(description="An entry (w1, p2) or skills.")
    heading: str
    before: Sequence[str]
    after: Sequence[str]
    wanted: Sequence[str] = Field(description="Skills of the posting that the lines ahead show.")


class RefusedBody(Body):
    bullet_id: str
    style: Style
    by: str
    reasons: Sequence[str]


class VersionBody(VersionRow):
    name: str | None
    work: Sequence[EntryBody]
    projects: Sequence[EntryBody]
    text: str
    questions: Sequence[QuestionToAnswerBody] = Field(max_length=6)
    proposals: Sequence[ProposalBody]
    refused: Sequence[RefusedBody] = Field(
        description="What an engine proposed and the guard kept back, with its reasons."
    )
    fallback: str | None = Field(description="Why the built-in engine proposed instead.")
    orders: Sequence[OrderBody] = Field(
        description="What the posting asks for first; empty for a master."
    )


class RevisionBody(Body):
    revision: int
    created_at: datetime
    change: Literal["imported", "tailored", "accepted", "edited", "restored", "reordered"]
    about: str = Field(description="The bullet, or what it was made from.")


class DifferenceBody(Body):
    bullet_id: str
    before: str
    after: str


class CardDateBody(Body):
    id: str
    kind: DateKind
    day: date
    at: str
    note: str


class CardBody(Body):
    id: str
    created_at: datetime
    updated_at: datetime
    title: str
    company: str
    column: Column
    note: str
    url: str
    version_id: str | None
    dates: Sequence[CardDateBody]
    revision: int


class ReminderBody(Body):
    card_id: str
    title: str
    date: CardDateBody


def version_row(version: Version) -> VersionRow:
    return VersionRow.model_validate(_row(version))


def _row(version: Version) -> dict[str, object]:
    return {name: getattr(version, name) for name in VersionRow.model_fields}


def version_body(view: VersionView, wording: Wording, lang: Lang) -> VersionBody:
    def say(message: Message) -> str:
        return wording.render(message, lang)

    resume, rewriting = view.resume, view.rewriting
    return VersionBody.model_validate(
        _row(view.version)
        | {
            "name": resume.name,
            "work": [_entry(w, w.employer, w.title) for w in resume.work],
            "projects": [_entry(p, p.name, p.role) for p in resume.projects],
            "text": resume.text,
            "questions": [_question(q, say) for q in rewriting.questions],
            "proposals": [_proposal(p, [say(d) for d in p.doubts]) for p in rewriting.proposals],
            "refused": [_refused(r, [say(m) for m in r.reasons]) for r in rewriting.refused],
            "fallback": wording.text(rewriting.fallback, lang) if rewriting.fallback else None,
            "orders": [_order(o) for o in view.orders],
        }
    )


def _entry(entry: Work | Project, name: str, title: str | None) -> dict[str, object]:
    bullets = [
        {"id": b.id, "text": b.text, "span": (b.span.start, b.span.end)} for b in entry.bullets
    ]
    return {
        "name": name, "title": title, "start": entry.start, "end": entry.end, "bullets": bullets,
    }  # fmt: skip


def _question(asked: ToAsk, say: Callable[[Message], str]) -> dict[str, object]:
    doubt = say(asked.doubt) if asked.doubt else None
    return {
        "id": asked.id,
        "bullet_id": asked.bullet_id,
        "asks": asked.asks.value,
        "text": say(asked.text),
        "doubt": doubt,
    }  # fmt: skip


def _proposal(one: Proposal, doubts: Sequence[str]) -> dict[str, object]:
    return {
        "id": one.id, "bullet_id": one.source.bullet_id, "style": one.style, "before": one.before,
        "after": one.after, "by": one.by, "state": one.state.value, "doubts": doubts,
    }  # fmt: skip


def _order(one: Order) -> dict[str, object]:
    return {
        "id": one.id, "about": one.about, "heading": one.heading, "wanted": one.wanted,
        "before": [b.text for b in one.before], "after": [b.text for b in one.after],
    }  # fmt: skip


def _refused(one: Refused, reasons: Sequence[str]) -> dict[str, object]:
    return {"bullet_id": one.bullet_id, "style": one.style, "by": one.by, "reasons": reasons}


def revision_body(one: Revision) -> RevisionBody:
    return RevisionBody(
        revision=one.seq, created_at=one.created_at, change=one.change.value, about=one.about
    )


def difference_body(one: Difference) -> DifferenceBody:
    return DifferenceBody(bullet_id=one.bullet_id, before=one.before, after=one.after)


def card_body(card: Card) -> CardBody:
    fields = {name: getattr(card, name) for name in CardBody.model_fields if name != "dates"}
    dates = [date_body(card, i) for i in range(len(card.dates))]
    return CardBody.model_validate(fields | {"dates": dates})


def date_body(card: Card, index: int) -> CardDateBody:
    one = card.dates[index]
    return CardDateBody(id=one.id, kind=one.kind, day=one.day, at=one.at, note=one.note)
