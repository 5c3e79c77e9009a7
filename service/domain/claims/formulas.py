"""Formulas and sums written in a text: runs of numbers, symbols and signs with nothing between."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from service.domain.claims.expression import Atom, parse
from service.domain.claims.numerals import exactly
from service.domain.claims.tokens import Number, Unit

_LONGEST: Final = 40
_PSI: Final = re.compile(r"\\?psi(?![a-z])|\\?phi(?![a-z])|[ψφϕ]")
_VARIABLE: Final = re.compile(
    r"(?P<n>n(?:_\{(?:d|dp)\}|_?(?:dp|d))?(?![a-z0-9])|dp(?![a-z0-9])|卡数|gpu ?数|num_gpus|world_size|世界大小|数据并行度)"
    r"|(?P<letters>sbhl|bshl|sbh|bsh|a ?s(?![a-z])|h ?t(?![a-z])|[hdtlsba](?![a-z0-9]))"
    r"|(?P<k>k(?![a-z0-9]))"
)
_OPERATOR: Final = re.compile(
    r"(?P<add>\+|加上|加|plus(?![a-z]))|(?P<sub>[-−–]|减去|减|minus(?![a-z]))"
    r"|(?P<mul>[*×·⋅∙]|x(?![a-z])|乘以|乘上|乘|times(?![a-z])|倍的|倍|个)"
    r"|(?P<div>[/÷⁄]|除以|除|over(?![a-z])|divided by(?![a-z])|比上|每)"
    r"|(?P<frac>\\[dt]?frac ?\{)|(?P<mid>\} ?\{)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<eq>=|≈|≃|~=|等于|equals(?![a-z])|约等于)"
)
_SIGN: Final = {
    "frac": "(",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "open": "(",
    "close": ")",
    "eq": "=",
}
_MULTIPLIES_PSI: Final = re.compile(rf" ?(?:倍的?|times|x|个|[*×·])? ?(?:k ?)?(?:{_PSI.pattern})")
_WORDS_FOR_PSI: Final = re.compile(r"参数量|参数数量|num_params|#params|params(?![a-z])")
_JOINING: Final = frozenset("+-*/(")


def find_formulas(
    low: str, cased: str, numbers: Sequence[Number], taken: bytearray
) -> list[Number]:
    """The numbers again, with those that stand in formulas replaced by the formulas."""
    starts = {number.start: index for index, number in enumerate(numbers)}
    result: list[Number] = []
    at, index = 0, 0
    while at < len(low):
        if taken[at] or not _may_start(low, at, starts):
            at += 1
            continue
        run = _read_run(low, cased, at, numbers, starts, taken)
        made = _make(low, run, numbers, starts)
        if made:
            result.extend(_skip(numbers, index, at))
            result.extend(made)
            at = max(made[-1].end, run[-1].end)
            index = _first_after(numbers, index, at)
        else:
            at = numbers[starts[at]].end if at in starts else at + 1
    result.extend(numbers[index:])
    return [n for n in sorted(set(result), key=lambda n: n.start) if not _is_noise(low, n)]


def _is_noise(low: str, number: Number) -> bool:
    is_word = not low[number.start].isdigit()
    is_bare = number.unit is Unit.NONE and number.expr is None and not number.name
    return is_bare and is_word and number.amount.low < 10


def _skip(numbers: Sequence[Number], index: int, at: int) -> Iterator[Number]:
    while index < len(numbers) and numbers[index].start < at:
        yield numbers[index]
        index += 1


def _first_after(numbers: Sequence[Number], index: int, at: int) -> int:
    while index < len(numbers) and numbers[index].start < at:
        index += 1
    return index


def _may_start(low: str, at: int, starts: dict[int, int]) -> bool:
    char = low[at]
    if at in starts or char in "ψφϕ(\\":
        return True
    is_word_start = not ("a" <= low[at - 1 : at] <= "z" or low[at - 1 : at] == "_")
    return is_word_start and char in "pnksb卡dm" and not low[at - 1 : at].isdigit()


def _read_run(
    low: str,
    cased: str,
    at: int,
    numbers: Sequence[Number],
    starts: dict[int, int],
    taken: bytearray,
) -> list[Atom]:
    atoms: list[Atom] = []
    while at < len(low) and len(atoms) < _LONGEST and not taken[at]:
        step = _atoms_at(low, cased, at, numbers, starts, atoms)
        if not step:
            break
        atoms.extend(step)
        at = atoms[-1].end
        if _has_unit(low, atoms[-1], numbers, starts):
            break
        at += low[at : at + 1] in {" ", "$"} and at + 1 < len(low)
    return _trim(atoms)


def _has_unit(low: str, atom: Atom, numbers: Sequence[Number], starts: dict[int, int]) -> bool:
    """A number with a unit ends the formula, unless what follows multiplies it."""
    if atom.kind != "num" or atom.start not in starts:
        return False
    number = numbers[starts[atom.start]]
    return number.end > atom.end and not _MULTIPLIES_PSI.match(low, atom.end)


def _atoms_at(
    low: str,
    cased: str,
    at: int,
    numbers: Sequence[Number],
    starts: dict[int, int],
    before: list[Atom],
) -> list[Atom]:
    if at in starts:
        number = numbers[starts[at]]
        end = _bare_end(low, number)
        if number.unit is Unit.OTHER and "a" <= low[at - 1 : at] <= "z":
            return []
        if number.amount.is_vague or number.unit in {Unit.SHARE, Unit.PERCENT} or end is None:
            return []
        return [Atom("num", _bare_value(low, number), at, end)]
    psi = _PSI.match(low, at)
    if psi:
        return [Atom("var", "ψ", at, psi.end())]
    follows_sign = bool(before) and str(before[-1].value) in _JOINING
    words = _WORDS_FOR_PSI.match(low, at) if follows_sign and before[-1].value == "*" else None
    if words:
        return [Atom("var", "ψ", at, words.end())]
    if _is_capital_p(cased, at, before):
        return [Atom("var", "ψ", at, at + 1)]
    return _variable_at(low, cased, at, before) or _operator_at(low, at, before)


def _is_capital_p(cased: str, at: int, before: list[Atom]) -> bool:
    if cased[at] not in "PM" or cased[at + 1 : at + 2].isalpha():
        return False
    if cased[at] == "M":
        return False
    return bool(before) and (before[-1].kind == "num" or str(before[-1].value) in _JOINING)


def _variable_at(low: str, cased: str, at: int, before: list[Atom]) -> list[Atom]:
    match = _VARIABLE.match(low, at)
    if match is None:
        return []
    glued = bool(before) and before[-1].end == at
    joined = bool(before) and (str(before[-1].value) in _JOINING or glued)
    if match["n"]:
        return [Atom("var", "N", at, match.end())] if joined or not before else []
    if match["k"]:
        name = "K" if cased[at] == "K" else "k"
        return [Atom("var", name, at, match.end())] if joined or not before else []
    letters = match["letters"].replace(" ", "")
    if not joined and letters not in {"sbh", "bsh", "sbhl", "bshl"}:
        return []
    if letters == "d":
        return [Atom("var", "N", at, match.end())]
    width = len(match["letters"])
    return [
        Atom("var", letter, at + (0 if i == 0 else width - len(letters) + i), match.end())
        for i, letter in enumerate(letters)
    ]


def _operator_at(low: str, at: int, before: list[Atom]) -> list[Atom]:
    match = _OPERATOR.match(low, at)
    if match is None or match.lastgroup is None:
        return []
    if match.lastgroup == "mid":
        return [Atom("op", sign, at, match.end()) for sign in ")/("]
    sign = _SIGN[match.lastgroup]
    if match.group() in {"倍", "倍的", "个", "times", "x"} and not _psi_follows(low, match.end()):
        return []
    if match.group() == "每" or (match.group() == "除" and not before):
        return []
    if not before and sign != "(":
        return []
    return [Atom("op", sign, at, match.end())]


def _psi_follows(low: str, at: int) -> bool:
    at += low[at : at + 1] == " "
    return bool(_PSI.match(low, at)) or low[at : at + 1].isdigit()


def _bare_end(low: str, number: Number) -> int | None:
    """Where the figure ends and its unit begins."""
    at = number.start
    if not low[at].isdigit():
        return number.end if number.unit is Unit.NONE else _word_end(low, number)
    match = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[+-]?\d{1,3})?").match(low, at)
    return match.end() if match else None


def _word_end(low: str, number: Number) -> int:
    """Chinese and English number words: the unit is what trails them."""
    end = number.end
    while end > number.start and not _is_numeral(low, end):
        end -= 1
    return end


def _is_numeral(low: str, end: int) -> bool:
    char = low[end - 1]
    return char in "零〇一二两三四五六七八九十百千点" or low.endswith(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
         "twelve", "teen", "ty", "hundred"), 0, end,
    )  # fmt: skip


_SCALED: Final = {
    Unit.BYTES: 1.0, Unit.LETTER_B: 1e9, Unit.LETTER_M: 1e6, Unit.LETTER_T: 1e12,
    Unit.LETTER_K: 1e3,
}  # fmt: skip


def _bare_value(low: str, number: Number) -> float:
    if low[number.start].isdigit():
        match = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[+-]?\d{1,3})?").match(
            low, number.start
        )
        return float(match.group().replace(",", "")) if match else number.amount.low
    return number.amount.low / _SCALED.get(number.unit, 1.0)


def _trim(atoms: list[Atom]) -> list[Atom]:
    """Signs at the end and brackets without a partner are no part of the formula."""
    while atoms and atoms[-1].kind == "op" and atoms[-1].value != ")":
        atoms = atoms[:-1]
    opened = sum(a.value == "(" for a in atoms) - sum(a.value == ")" for a in atoms)
    while atoms and opened > 0 and atoms[0].value == "(":
        atoms, opened = atoms[1:], opened - 1
    while atoms and opened < 0 and atoms[-1].value == ")":
        atoms, opened = atoms[:-1], opened + 1
    return atoms if not opened else atoms[: _last_balanced(atoms)]


def _last_balanced(atoms: list[Atom]) -> int:
    depth, last = 0, 0
    for index, atom in enumerate(atoms):
        depth += (atom.value == "(") - (atom.value == ")")
        if depth < 0:
            break
        if depth == 0 and (atom.kind != "op" or atom.value == ")"):
            last = index + 1
    return last


def _make(
    low: str, run: list[Atom], numbers: Sequence[Number], starts: dict[int, int]
) -> list[Number]:
    """Formula numbers of a run; nothing when it is only a lone number or no formula."""
    segments = _segments(run)
    if len(run) < 2 and not (run and run[0].value == "ψ"):
        return []
    made: list[Number] = []
    pending: Number | None = None
    for position, segment in enumerate(segments):
        is_last = position == len(segments) - 1
        number = _segment_number(low, segment, numbers, starts)
        if number is None:
            return made
        number = _assigned(segments, position, number)
        if is_last and pending is not None and number.expr is None:
            number = _result(pending, number)
        if number.unit is Unit.SUM and not is_last:
            pending = number
        elif number.unit is Unit.SUM:
            made.extend(_lone(segment, number))
        elif number.unit is not Unit.OTHER:
            made.append(number)
    return [n for n in made if n.unit is not Unit.OTHER]


def _lone(segment: list[Atom], number: Number) -> list[Number]:
    """Arithmetic without a result: a sum of parts, or a share such as 1/8."""
    if number.expr and len(number.expr.summands) > 2:
        return [number]
    is_share = (
        [a.value for a in segment[1:2]] == ["/"] and len(segment) == 3 and 0 < number.amount.low < 1
    )
    return [replace(number, unit=Unit.SHARE, expr=None)] if is_share else []


def _segments(run: list[Atom]) -> list[list[Atom]]:
    parts: list[list[Atom]] = [[]]
    for atom in run:
        if atom.value == "=" and atom.kind == "op":
            parts.append([])
        else:
            parts[-1].append(atom)
    return [_trim(part) for part in parts if part]


def _segment_number(
    low: str, segment: list[Atom], numbers: Sequence[Number], starts: dict[int, int]
) -> Number | None:
    if not segment:
        return None
    if len(segment) == 1 and segment[0].kind == "num":
        return numbers[starts[segment[0].start]]
    expr = parse(segment)
    if expr is None:
        return None
    start, end = segment[0].start, segment[-1].end
    if expr.names:
        end = _with_bytes(low, end)
        kept = bool(expr.names & {"ψ"}) or {"s", "b", "h"} <= expr.names or _is_ratio(expr.names)
        unit = Unit.FORMULA if kept or _is_per_rank(segment) else Unit.OTHER
        return Number(start, end, exactly(0), unit, expr=expr)
    last = numbers[starts[segment[-1].start]] if segment[-1].start in starts else None
    value = expr.at({})
    if value is None:
        return None
    end = last.end if last and segment[-1].kind == "num" else end
    return Number(start, end, exactly(value), Unit.SUM, expr=expr)


def _is_ratio(names: frozenset[str]) -> bool:
    return {"a", "s", "h"} <= names


def _is_per_rank(segment: list[Atom]) -> bool:
    """6+12/d: bytes per parameter on d ranks; N alone or N=64 is a setting."""
    return (
        any(a.value == "N" for a in segment)
        and any(a.kind == "num" for a in segment)
        and len(segment) > 3
    )


def _with_bytes(low: str, end: int) -> int:
    at = end + (low[end : end + 1] == " ")
    for word in ("字节", "个字节", "bytes"):
        if low.startswith(word, at):
            return at + len(word)
    return end


def _assigned(segments: list[list[Atom]], position: int, number: Number) -> Number:
    """N=64 and K=12: the number knows the symbol it was set for."""
    if not position:
        return number
    left = segments[position - 1]
    if len(left) != 1 or left[0].kind != "var" or number.expr is not None:
        return number
    return replace(number, name=str(left[0].value), start=left[0].start)


def _result(parts: Number, number: Number) -> Number:
    """What comes after "=" stands for the whole line of arithmetic."""
    is_addition = parts.expr is not None and _only_adds(parts)
    start = parts.start if is_addition and number.unit in {Unit.NONE, Unit.WIDTH} else number.start
    factors = parts.expr.factors if parts.expr else ()
    return replace(number, start=start, sums_to=parts.amount.low, factors=factors)


def _only_adds(parts: Number) -> bool:
    return parts.expr is not None and parts.expr.only_adds
