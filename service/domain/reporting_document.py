"""A report as a document: headings, lists, quotes and one table, in no particular file format.

Everything the page shows is in it, in the same order. Texts stay sentences of both languages
until `in_words` puts them into the reader's.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from service.domain.claims.model import ClaimVerdict, NumericClaim
from service.domain.grading import Verdict
from service.domain.interview import Turn
from service.domain.knowledge import Fact
from service.domain.language import Bilingual, Lang, Message, msg
from service.domain.naming import CLAIM, DIMENSION, LEVEL, MODE, QUESTION_STATE, VERDICT
from service.domain.reporting import (
    GapReport,
    MisconceptionReport,
    PointReport,
    QuestionReport,
    Report,
)
from service.domain.resume_writing.compose import plain

Text = Message | Bilingual | str
Say = Callable[[Text], str]
Kind = Literal["heading", "text", "quote", "item", "source", "meters"]
VERSION_NAMES: Final = {
    "thirty_seconds": msg("In thirty seconds"),
    "two_minutes": msg("In two minutes"),
    "whiteboard": msg("At the whiteboard"),
}


@dataclass(frozen=True, slots=True)
class Meter:
    """One dimension: its mark and what the level asks for, 0..100 or None."""

    name: Text
    mark: float | None
    asked: float | None


@dataclass(frozen=True, slots=True)
class Block:
    """`level` is of a heading, 1 to 4; `label` stands before the text of an item."""

    kind: Kind
    text: Text = ""
    label: Text = ""
    level: int = 0
    meters: tuple[Meter, ...] = ()
    names: tuple[Text, ...] = ()  # the columns of the meters


@dataclass(frozen=True, slots=True)
class Document:
    title: Text
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A block in words; an empty mark reads as `none`."""

    kind: Kind
    text: str = ""
    label: str = ""
    level: int = 0
    rows: tuple[tuple[str, float | None, float | None], ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A document in one language; nothing in it is markup."""

    lang: Lang
    title: str
    lines: tuple[Line, ...] = field(default=())


def in_words(document: Document, lang: Lang, say: Say) -> Written:
    return Written(lang, plain(say(document.title)), tuple(_lines(document.blocks, say)))


def _lines(blocks: Sequence[Block], say: Say) -> Iterator[Line]:
    for block in blocks:
        rows = tuple((plain(say(m.name)), m.mark, m.asked) for m in block.meters)
        names = tuple(plain(say(n)) for n in block.names)
        label = plain(say(block.label))
        paragraphs = [p for p in map(plain, say(block.text).splitlines()) if p] or [""]
        for number, paragraph in enumerate(paragraphs):
            shown = label if number == 0 else ""
            kind = "text" if block.kind == "item" and number else block.kind
            yield Line(kind, paragraph, shown, block.level, rows, names)


def compose_report(report: Report) -> Document:
    """The whole report; the same for the same session and knowledge."""
    return Document(msg("Report"), tuple(_blocks(report)))


def _blocks(report: Report) -> Iterator[Block]:
    yield from _overview(report)
    yield _heading(2, msg("Next"))
    yield _text(report.next_action)
    if report.gaps:
        yield _heading(2, msg("What to close first"))
        for number, gap in enumerate(report.gaps, start=1):
            yield from _gap(number, gap)
    if report.next_session.questions:
        yield _heading(2, msg("Plan for the next session"))
        for one in report.next_session.questions:
            yield Block("item", one.question.text, one.why)
        yield _text(msg("About {minutes} minutes in all.", minutes=report.next_session.minutes))
    for number, question in enumerate(report.questions, start=1):
        yield from _question(number, question, report.session.plan.lang)


def _overview(report: Report) -> Iterator[Block]:
    plan = report.session.plan
    yield _text(
        msg(
            "{mode}, {level}, {minutes} minutes",
            mode=MODE[plan.mode],
            level=LEVEL[plan.level],
            minutes=plan.minutes,
        )
    )
    yield _text(f"{report.session.created_at:%Y-%m-%d %H:%M} UTC")
    if not report.finished:
        yield _text(msg("This interview is still running"))
    if report.fell_back:
        yield _text(msg("Part of this was read by the built-in engine"))
    if report.score is None:
        yield _text(THIN)
    else:
        yield _text(msg("Mark: {score} of 100", score=report.score))
    yield Block(
        "meters",
        meters=tuple(
            Meter(DIMENSION[d], mark, report.asked.get(d)) for d, mark in report.dimensions.items()
        ),
        names=(msg("Dimension"), msg("Your mark"), msg("This level asks for")),
    )
    yield _text(ASKED_FOR)
    if report.penalty:
        yield _text(
            msg(
                "Misconceptions held: a penalty of {points} points is shown here and not taken "
                "off the score.",
                points=report.penalty,
            )
        )


THIN: Final = msg(
    "Too little was said to judge. That is not a zero: answer in two or three full sentences and "
    "try again."
)
ASKED_FOR: Final = msg(
    "“This level asks for” is the mark of an answer that says just the points required at this "
    "level; what goes beyond them earns more."
)


def _gap(number: int, gap: GapReport) -> Iterator[Block]:
    yield Block("item", gap.text, f"({number})")
    yield _text(gap.why)
    yield from _facts(gap.facts)


def _question(number: int, one: QuestionReport, lang: Lang) -> Iterator[Block]:
    yield _heading(2, f"({number}) {one.question.text.in_(lang)}")
    yield Block("text", one.why, QUESTION_STATE[one.state])
    if one.grade and one.grade.score is not None:
        yield _text(msg("Mark: {score} of 100", score=one.grade.score))
    if one.grade and one.grade.score is None:
        yield _text(THIN)
    if one.attempts:
        marks = tuple("–" if mark is None else f"{mark:g}" for mark in one.attempts)
        yield _text(msg("Attempts, the best counts: {marks}", marks=marks))
    yield from _said(one.turns)
    yield from _under(msg("Point by point"), (b for p in one.points for b in _point(p)))
    yield from _under(msg("Your numbers, recomputed"), (b for n in one.numbers for b in _number(n)))
    yield from _under(
        msg("Misconceptions"), (b for m in one.misconceptions for b in _misconception(m))
    )
    yield from _under(msg("Reference answer with sources"), _reference(one))


def _under(title: Text, blocks: Iterable[Block]) -> Iterator[Block]:
    """The heading only where something stands under it."""
    found = tuple(blocks)
    if found:
        yield _heading(3, title)
        yield from found


def _said(turns: Sequence[Turn]) -> Iterator[Block]:
    if turns:
        yield _heading(3, msg("What was said"))
    for turn in turns:
        yield Block("text", turn.text, msg("Interviewer:"))
        if turn.answer:
            yield Block("quote", turn.answer)


def _point(point: PointReport) -> Iterator[Block]:
    if point.finding.verdict is Verdict.UNJUDGED:
        return
    yield Block("item", point.point.text, VERDICT[point.finding.verdict])
    if not point.required:
        yield _text(msg("beyond this level"))
    if point.finding.evidence:
        yield Block("quote", point.finding.evidence.quote)
    if point.finding.note:
        yield _text(point.finding.note)
    if point.lift:
        yield Block("text", point.lift, msg("What lifts it:"))
    yield from (Block("source", f"{f.id} · {f.source}") for f in point.facts)


def _number(claim: NumericClaim) -> Iterator[Block]:
    yield Block("item", claim.text, CLAIM[claim.verdict])
    if claim.verdict is ClaimVerdict.WRONG and claim.expected:
        yield _text(msg("expected: {value}", value=claim.expected))
    yield _text(claim.why)
    if claim.formula:
        yield _text(claim.formula)


def _misconception(held: MisconceptionReport) -> Iterator[Block]:
    yield Block("item", held.misconception.belief, held.misconception.id)
    yield Block("quote", held.asserted.evidence.quote)
    yield Block("text", held.misconception.correction, msg("Say instead:"))
    yield from _facts(held.facts)


def _reference(one: QuestionReport) -> Iterator[Block]:
    for name, text in one.versions.items():
        yield Block("text", text, VERSION_NAMES.get(name, name))
    yield from _facts(one.reference)


def _facts(facts: Sequence[Fact]) -> Iterator[Block]:
    for fact in facts:
        yield Block("text", fact.text)
        yield Block("source", f"{fact.id} · {fact.source}")


def _heading(level: int, text: Text) -> Block:
    return Block("heading", text, level=level)


def _text(text: Text) -> Block:
    return Block("text", text)
