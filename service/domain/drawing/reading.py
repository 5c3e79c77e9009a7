"""Finding the asked figures in an answer: which number is meant for which figure, and is it right.

A number belongs to a figure by its unit and by the cues nearest to it. It is called wrong only
where a cue of the figure stands in the same sentence, no number right for it is said anywhere,
and it is no other number of the exercise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.claims.find import find
from service.domain.claims.known import KnownModels
from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.claims.tokens import Number, Sheet
from service.domain.drawing.amounts import is_denied, values_of
from service.domain.drawing.cues import Told, told_in
from service.domain.drawing.model import Drawn, Figure, Unit, Values
from service.domain.drawing.values import work_out
from service.domain.grading import Finding, Rubric, Verdict
from service.domain.knowledge import Question
from service.domain.language import msg

# Another number of the exercise, as closely as people round.
SAME: Final = 0.02
ROUNDING: Final = 1e-9
RIGHT_WHY: Final = msg("It follows from the numbers of this question.")


@dataclass(frozen=True, slots=True)
class _Said:
    figure: Figure
    number: Number
    is_right: bool


def check_figures(
    answer: str, question: Question, drawn: Drawn, models: KnownModels
) -> tuple[NumericClaim, ...]:
    """The asked figures said in `answer`, right or wrong for this draw, in reading order."""
    drawing = question.drawing
    if drawing is None or not drawing.asked:
        return ()
    values = work_out(drawing, drawn)
    sheet = find(answer, models)
    said = _said(sheet, drawing.asked, values, find(question.text.zh, models))
    right = {one.figure.id for one in said if one.is_right}
    last = {one.figure.id: one for one in said}
    kept = (
        one
        for one in said
        if one.is_right or (one.figure.id not in right and last[one.figure.id] is one)
    )
    return tuple(_claim(answer, sheet, one, values) for one in kept)


def _said(sheet: Sheet, asked: Sequence[Figure], values: Values, given: Sheet) -> list[_Said]:
    found: list[_Said] = []
    for told in told_in(sheet, asked):
        if is_denied(sheet, told.number):
            continue
        right = [f for f in told.candidates if _is_right(sheet, told.number, f, values)]
        found += [_Said(f, told.number, is_right=True) for f in right]
        if not right:
            found += _wrong(sheet, told, values, given)
    return found


def _is_right(sheet: Sheet, number: Number, figure: Figure, values: Values) -> bool:
    wanted = values.numbers[figure.id]
    off = figure.tolerance * abs(wanted) + ROUNDING
    return any(
        low - off <= wanted <= high + off for low, high in _values(sheet, number, figure.unit)
    )


def _values(sheet: Sheet, number: Number, unit: Unit) -> tuple[tuple[float, float], ...]:
    return tuple(values_of(number, unit, sheet.low[number.start : number.end]))


def _wrong(sheet: Sheet, told: Told, values: Values, given: Sheet) -> list[_Said]:
    """Only for the one figure that its cue names, and never a number that is given or derived."""
    if not told.is_named or len(told.candidates) != 1:
        return []
    figure = told.candidates[0]
    meant = _values(sheet, told.number, figure.unit)
    others = [v for name, v in values.numbers.items() if name != figure.id]
    others += [low for n in given.numbers for low, _ in _values(given, n, figure.unit)]
    if any(abs(low - v) <= SAME * abs(v) for v in others for low, _ in meant):
        return []
    return [_Said(figure, told.number, is_right=False)]


def _claim(answer: str, sheet: Sheet, said: _Said, values: Values) -> NumericClaim:
    span = sheet.folded.span(said.number.start, said.number.end)
    shown = values.shown[said.figure.id]
    off = msg("With the numbers of this question it is {expected}.", expected=shown)
    return NumericClaim(
        span=span,
        text=span.of(answer),
        quantity=Quantity.FIGURE,
        verdict=ClaimVerdict.RIGHT if said.is_right else ClaimVerdict.WRONG,
        expected=str(shown),
        why=RIGHT_WHY if said.is_right else off,
        scheme=said.figure.id,
    )


def reconciled(
    numbers: Sequence[NumericClaim], figures: Sequence[NumericClaim]
) -> tuple[NumericClaim, ...]:
    """Both checks of one answer: what one finds right, the other does not call wrong."""
    good = [f.span for f in figures if f.verdict is ClaimVerdict.RIGHT]
    fine = [n.span for n in numbers if n.verdict is not ClaimVerdict.UNCHECKABLE]
    kept = [
        n
        for n in numbers
        if n.verdict is ClaimVerdict.RIGHT or not any(n.span.overlaps(s) for s in good)
    ]
    more = [
        f
        for f in figures
        if f.verdict is ClaimVerdict.RIGHT or not any(f.span.overlaps(s) for s in fine)
    ]
    return tuple(sorted((*kept, *more), key=lambda n: n.span))


def hold_to_figures(
    findings: Sequence[Finding], rubric: Rubric, numbers: Sequence[NumericClaim]
) -> tuple[Finding, ...]:
    """A point that asks for figures is met only by figures right for this draw.

    Whoever read the answer: this lowers verdicts and never raises one.
    """
    right = {
        n.scheme
        for n in numbers
        if n.quantity is Quantity.FIGURE and n.verdict is ClaimVerdict.RIGHT
    }
    wanted = {p.id: p.figures for p in rubric.points if p.figures}
    return tuple(_held(f, wanted.get(f.point_id, ()), right) for f in findings)


def _held(finding: Finding, wanted: Sequence[str], right: set[str | None]) -> Finding:
    if finding.verdict not in (Verdict.MET, Verdict.PARTIAL) or right.issuperset(wanted):
        return finding
    some = any(name in right for name in wanted)
    note = msg("The figure is missing, or not right for these numbers.")
    return Finding(
        finding.point_id,
        Verdict.PARTIAL if some else Verdict.MISSED,
        finding.evidence,
        finding.confidence,
        note,
    )


def slots_of(question: Question) -> Mapping[str, str]:
    """The concept that stands for each asked figure in patterns, by the figure's id."""
    return {f.id: f.slot for f in question.drawing.asked} if question.drawing else {}
