"""Runs of numbers, symbols and signs that stand together: what a formula is written with."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from service.domain.claims.expression import Atom
from service.domain.claims.figures import FIGURE
from service.domain.claims.tokens import Number, Unit

LONGEST: Final = 40  # atoms; longer runs are no formula anybody writes
_PSI: Final = re.compile(r"\\?psi(?![a-z])|\\?phi(?![a-z])|[ψφϕ]")
_VARIABLE: Final = re.compile(
    r"(?P<n>n(?:_\{(?:d|dp)\}|_?(?:dp|d))?(?![a-z0-9])|dp(?![a-z0-9])|卡数|gpu ?数|num_gpus"
    r"|world_size|数据并行度)"
    r"|(?P<letters>sbhl|bshl|sbh|bsh|a ?s(?![a-z])|h ?t(?![a-z])|[hdtlsba](?![a-z0-9]))"
    r"|(?P<k>k(?![a-z0-9]))"
)
_OPERATOR: Final = re.compile(
    r"(?P<add>\+|加上|加|plus(?![a-z]))|(?P<sub>[-−–]|减去|减|minus(?![a-z]))"
    r"|(?P<mul>[*×·⋅∙]|x(?![a-z])|乘以|乘上|乘|times(?![a-z])|倍的|倍|个)"
    r"|(?P<div>[/÷⁄]|除以|over(?![a-z])|divided by(?![a-z])|比上)"
    r"|(?P<frac>\\[dt]?frac ?\{)|(?P<mid>\} ?\{)|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<eq>=|≈|≃|~=|等于|equals(?![a-z])|约等于)"
    r"|(?P<verb>(?:makes?|is|gives?|comes to)(?![a-z])|是|得(?![到出了]))"
)
_SIGN: Final[Mapping[str, str]] = {
    "frac": "(",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "open": "(",
    "close": ")",
    "eq": "=",
    "verb": "=",
}
_MULTIPLIES_PSI: Final = re.compile(rf" ?(?:倍的?|times|x|个|[*×·])? ?(?:k ?)?(?:{_PSI.pattern})")
_NEXT_MULTIPLE: Final = re.compile(rf" ?\d+(?:\.\d+)? ?(?:{_PSI.pattern})")
_COUNTS_K: Final = re.compile(r" ?k ?(?:[+)]|ψ|φ)")
_WORDS_FOR_PSI: Final = re.compile(r"参数量|参数数量|num_params|#params|params(?![a-z])")
_ARTICLE: Final = re.compile(" [a-z]{2,}")  # "2ψ - a reduce-scatter"
_ACTIVATION: Final = frozenset({"sbh", "bsh", "sbhl", "bshl"})
_UNITS_AS_SIGNS: Final = frozenset({"倍", "倍的", "个", "times", "x"})
_JOINING: Final = frozenset("+-*/(")
_NUMERAL_END: Final = re.compile(
    "[零〇一二两三四五六七八九十百千点]|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    "|twelve|teen|ty|hundred)(?![a-z])"
)
_SCALED: Final[Mapping[Unit, float]] = {
    Unit.LETTER_B: 1e9,
    Unit.LETTER_M: 1e6,
    Unit.LETTER_T: 1e12,
    Unit.LETTER_K: 1e3,
}


class AtomReader:
    """Reads runs of one text. `numbers` are its figures; `taken` characters belong to names."""

    def __init__(self, low: str, cased: str, numbers: Sequence[Number], taken: bytearray) -> None:
        self._low = low
        self._cased = cased
        self._taken = taken
        self.by_start: Mapping[int, Number] = {number.start: number for number in numbers}

    def may_start(self, at: int) -> bool:
        """Whether a formula can begin here; cheap, for it is asked of every character."""
        char = self._low[at]
        if self._taken[at]:
            return False
        if at in self.by_start or char in "ψφϕ(\\":
            return True
        before = self._low[at - 1 : at]
        follows_word = "a" <= before <= "z" or before == "_" or before.isdigit()
        return not follows_word and char in "pnksb卡dm"

    def run(self, at: int) -> list[Atom]:
        """Atoms from `at` on with at most a space between; as many as `LONGEST` are no formula."""
        low, atoms = self._low, list[Atom]()
        while at < len(low) and len(atoms) < LONGEST and not self._taken[at]:
            if at in self.by_start and atoms and atoms[-1].kind == "var":
                break  # nobody writes the figure behind the symbol: 4ψ 一直在
            step = self._atoms(at, atoms)
            if not step:
                break
            atoms.extend(step)
            at = atoms[-1].end
            if self._has_unit(atoms[-1]):
                break
            at += low[at : at + 1] in {" ", "$"} and at + 1 < len(low)
        return atoms

    def _atoms(self, at: int, before: list[Atom]) -> list[Atom]:
        if at in self.by_start:
            return self._figure(self.by_start[at])
        return self._psi(at, before) or self._variable(at, before) or self._operator(at, before)

    def _figure(self, number: Number) -> list[Atom]:
        is_name = number.unit is Unit.OTHER and "a" <= self._low[number.start - 1] <= "z"
        is_share = number.unit in {Unit.SHARE, Unit.PERCENT}
        if number.amount.is_vague or is_share or (is_name and number.start):
            return []
        digits = FIGURE.match(self._low, number.start)
        if digits:
            value = float(digits.group().replace(",", ""))
            return [Atom("num", value, number.start, digits.end())]
        value = number.amount.low / _SCALED.get(number.unit, number.scale)
        return [Atom("num", value, number.start, self._word_end(number))]

    def _word_end(self, number: Number) -> int:
        """Of a number in words the unit is what trails the last numeral."""
        if number.unit is Unit.NONE:
            return number.end
        ends = [m.end() for m in _NUMERAL_END.finditer(self._low, number.start, number.end)]
        return ends[-1] if ends else number.end

    def _has_unit(self, atom: Atom) -> bool:
        """A number with a unit ends the formula, unless what follows multiplies it."""
        number = self.by_start.get(atom.start) if atom.kind == "num" else None
        if number is None:
            return False
        goes_on = _MULTIPLIES_PSI.match(self._low, atom.end) or _COUNTS_K.match(self._low, atom.end)
        return number.end > atom.end and goes_on is None

    def _psi(self, at: int, before: list[Atom]) -> list[Atom]:
        psi = _PSI.match(self._low, at)
        if psi is None and before and before[-1].value == "*":
            psi = _WORDS_FOR_PSI.match(self._low, at)
        if psi:
            return [Atom("var", "ψ", at, psi.end())]
        is_p = self._cased[at] == "P" and not self._cased[at + 1 : at + 2].isalpha()
        follows = bool(before) and (before[-1].kind == "num" or before[-1].value in _JOINING)
        return [Atom("var", "ψ", at, at + 1)] if is_p and follows else []

    def _variable(self, at: int, before: list[Atom]) -> list[Atom]:
        match = _VARIABLE.match(self._low, at)
        if match is None:
            return []
        is_joined = bool(before) and (before[-1].value in _JOINING or before[-1].end == at)
        if match["letters"]:
            return _letters(match, is_joined=is_joined)
        if before and not is_joined:
            return []
        name = "N" if match["n"] else self._cased[at]
        return [Atom("var", name, at, match.end())]

    def _operator(self, at: int, before: list[Atom]) -> list[Atom]:
        match = _OPERATOR.match(self._low, at)
        if match is None or match.lastgroup is None:
            return []
        if match.lastgroup == "mid":
            return [Atom("op", sign, at, match.end()) for sign in ")/("]
        if match.lastgroup == "verb" and not _is_arithmetic(before):
            return []
        sign = _SIGN[match.lastgroup]
        if sign == "/" and _NEXT_MULTIPLE.match(self._low, match.end()):
            return []  # 10ψ/9ψ/8ψ is a list
        is_unit = match.group() in _UNITS_AS_SIGNS and not self._continues(match.end())
        if is_unit or (not before and sign != "("):
            return []
        return [Atom("op", sign, at, match.end())]

    def _continues(self, at: int) -> bool:
        at += self._low[at : at + 1] == " "
        return bool(_PSI.match(self._low, at)) or self._low[at : at + 1].isdigit()


def _is_arithmetic(atoms: Sequence[Atom]) -> bool:
    """2 + 2 + 12 makes, 112 divided by 8 is: only figures so far, and a sign between them."""
    signs = [atom.value for atom in atoms if atom.kind == "op"]
    return bool(signs) and "=" not in signs and all(atom.kind != "var" for atom in atoms)


def _letters(match: re.Match[str], *, is_joined: bool) -> list[Atom]:
    """sbh, as, ht: each letter is a symbol of its own; d is another name of N."""
    letters = match["letters"].replace(" ", "")
    if not is_joined and letters not in _ACTIVATION:
        return []
    if letters == "a" and _ARTICLE.match(match.string, match.end()):
        return []
    names = ["N"] if letters == "d" else list(letters)
    return [Atom("var", name, match.start(), match.end()) for name in names]


def trim(atoms: list[Atom]) -> list[Atom]:
    """Signs at the end and brackets without a partner are no part of a formula."""
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
