"""Formulas and sums of a text, with what they are set equal to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.atoms import LONGEST, AtomReader, trim
from service.domain.claims.expression import Atom, Expr, parse
from service.domain.claims.numerals import exactly
from service.domain.claims.tokens import Number, Unit

_SMALL_WORD: Final = 10  # one, 两: words below this count mostly nothing
_FEWEST_PARTS: Final = 3  # 2+2+12; two summands may be anything
_RATIO_ATOMS: Final = 3  # 1/8
_CUT_OFF: Final = re.compile(r" ?(?:[/÷×*]|除以|divided by)(?! ?\d+(?:\.\d+)? ?[ψφϕ])")
_BYTES: Final = ("字节", "个字节", "bytes")


def find_formulas(
    low: str, cased: str, numbers: Sequence[Number], taken: bytearray
) -> list[Number]:
    """The numbers again, with those that stand in formulas replaced by the formulas."""
    reader = AtomReader(low, cased, numbers, taken)
    made = list(_read(low, reader))
    used = bytearray(len(low))
    for start, end, _ in made:
        used[start:end] = b"\1" * (end - start)
    rest = [n for n in numbers if not used[n.start] and not _is_noise(low, n)]
    formulas = [n for _, _, found in made for n in found if not _is_noise(low, n)]
    return sorted((*rest, *formulas), key=lambda number: number.start)


def _read(low: str, reader: AtomReader) -> Iterator[tuple[int, int, list[Number]]]:
    """Start and end of each run that is a formula, and the numbers it makes."""
    at = 0
    while at < len(low):
        if not reader.may_start(at):
            at += 1
            continue
        read = reader.run(at)
        if len(read) >= LONGEST:
            at = read[-1].end
            continue
        run = trim(read)
        found = _make(low, run, reader.by_start)
        if found:
            end = max(found[-1].end, run[-1].end, at + 1)
            yield at, end, found
            at = end
        else:
            at = max(at + 1, reader.by_start[at].end if at in reader.by_start else 0)


def _is_noise(low: str, number: Number) -> bool:
    is_bare = number.unit is Unit.NONE and number.expr is None and not number.name
    is_small_word = not low[number.start].isdigit() and number.amount.low < _SMALL_WORD
    counts_next = low[number.end + 1 : number.end + 2].isdigit()  # eight 80 GB cards
    return is_bare and is_small_word and not counts_next


def _make(low: str, run: list[Atom], by_start: Mapping[int, Number]) -> list[Number]:
    """Formula numbers of a run; nothing when it is only a lone number or no formula."""
    if len(run) <= 1 and not (run and run[0].value == "ψ"):
        return []
    segments = _segments(run)
    made: list[Number] = []
    parts: Number | None = None
    for position, segment in enumerate(segments):
        number = _segment_number(low, segment, by_start)
        if number is None:
            return made
        is_last = position == len(segments) - 1
        number = _assigned(segments, position, number)
        if number.unit is Unit.SUM and not is_last:
            parts = number
            continue
        made.extend(_settled(segment, number, parts if is_last else None))
    return made


def _settled(segment: list[Atom], number: Number, parts: Number | None) -> list[Number]:
    if number.unit is Unit.OTHER:
        return []
    if number.unit is Unit.SUM:
        return _lone(segment, number)
    return [_result(parts, number) if parts and number.expr is None else number]


def _lone(segment: list[Atom], number: Number) -> list[Number]:
    """Arithmetic without a result: a sum of parts, or a share such as 1/8."""
    if number.expr and len(number.expr.summands) >= _FEWEST_PARTS:
        return [number]
    is_division = len(segment) == _RATIO_ATOMS and segment[1].value == "/"
    is_share = is_division and 0 < number.amount.low < 1
    return [replace(number, unit=Unit.SHARE, expr=None)] if is_share else []


def _segments(run: list[Atom]) -> list[list[Atom]]:
    parts: list[list[Atom]] = [[]]
    for atom in run:
        if atom.kind == "op" and atom.value == "=":
            parts.append([])
        else:
            parts[-1].append(atom)
    return [trimmed for part in parts if (trimmed := trim(part))]


def _segment_number(low: str, segment: list[Atom], by_start: Mapping[int, Number]) -> Number | None:
    if len(segment) == 1 and segment[0].kind == "num":
        return by_start[segment[0].start]
    expr = parse(segment)
    if expr is None:
        return None
    start, end = segment[0].start, segment[-1].end
    if expr.names:
        is_whole = not _CUT_OFF.match(low, end)
        unit = Unit.FORMULA if is_whole and _is_of_trade(expr, segment) else Unit.OTHER
        return Number(start, _with_bytes(low, end), exactly(0), unit, expr=expr)
    value = expr.at({})
    if value is None:
        return None
    last = by_start.get(segment[-1].start)
    return Number(start, last.end if last else end, exactly(value), Unit.SUM, expr=expr)


def _is_of_trade(expr: Expr, segment: list[Atom]) -> bool:
    """Of ψ, of activations, or bytes per parameter on N ranks (6+12/d); N alone is a setting."""
    if "ψ" in expr.names or expr.names >= {"s", "b", "h"} or expr.names >= {"a", "s", "h"}:
        return True
    has_figure = any(atom.kind == "num" for atom in segment)
    return "N" in expr.names and has_figure and len(segment) > _RATIO_ATOMS


def _with_bytes(low: str, end: int) -> int:
    at = end + (low[end : end + 1] == " ")
    for word in _BYTES:
        if low.startswith(word, at):
            return at + len(word)
    return end


def _assigned(segments: list[list[Atom]], position: int, number: Number) -> Number:
    """N=64 and K=12: the number knows the symbol it was set for."""
    left = segments[position - 1] if position else []
    if len(left) != 1 or left[0].kind != "var" or number.expr is not None:
        return number
    return replace(number, name=str(left[0].value), start=left[0].start)


def _result(parts: Number, number: Number) -> Number:
    """What comes after "=" stands for the whole line of arithmetic."""
    expr = parts.expr
    adds = expr is not None and expr.only_adds and number.unit in {Unit.NONE, Unit.WIDTH}
    return replace(
        number,
        start=parts.start if adds else number.start,
        sums_to=parts.amount.low,
        worked=expr,
        factors=expr.factors if expr else (),
    )
