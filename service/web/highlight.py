"""Which words of a text a verdict rests on, as pieces to be marked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from service.domain.grading import Grade
from service.domain.text import Span


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    mark: bool = False


def pieces(text: str, spans: Iterable[Span]) -> tuple[Piece, ...]:
    """`text` cut at the marked spans; joined again it is the same text."""
    return tuple(p for p in _cut(text, _merged(spans)) if p.text)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans as one."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _cut(text: str, spans: Iterable[Span]) -> Iterator[Piece]:
    at = 0
    for span in spans:
        yield Piece(text[at : span.start])
        yield Piece(span.of(text), mark=True)
        at = span.end
    yield Piece(text[at:])


def evidence_spans(grade: Grade | None) -> tuple[Span, ...]:
    """All words of one answer that a finding, a misconception or a number stands on."""
    if grade is None:
        return ()
    findings = (f.evidence.span for f in grade.findings if f.evidence)
    beliefs = (m.evidence.span for m in grade.misconceptions)
    return (*findings, *beliefs, *(c.span for c in grade.claims))
