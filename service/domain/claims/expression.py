"""Formulas written as text: read once, then evaluated with any values put in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Node = tuple["Node | str | float", ...]

_DEEPEST: Final = 12
_ADDITIVE: Final = frozenset("+-")
_MULTIPLICATIVE: Final = frozenset("*/")


@dataclass(frozen=True, slots=True)
class Atom:
    """`kind` is num, var or op; `value` the number, the symbol or the sign."""

    kind: str
    value: float | str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Expr:
    """A formula and its symbols.

    `summands` and `factors` are its plain numbers when it only adds or only multiplies such.
    """

    node: Node
    names: frozenset[str]
    summands: tuple[float, ...] = ()
    factors: tuple[float, ...] = ()

    @property
    def only_adds(self) -> bool:
        return len(self.summands) > 1

    def at(self, values: Mapping[str, float]) -> float | None:
        """The value, or None when a symbol has no value or something is divided by zero."""
        return _evaluate(self.node, values)


def parse(atoms: Sequence[Atom]) -> Expr | None:
    """None when the atoms are no formula."""
    reader = _Reader(atoms)
    node = reader.sum(0)
    if node is None or not reader.is_done():
        return None
    names = frozenset(str(atom.value) for atom in atoms if atom.kind == "var")
    return Expr(node, names, _joined_by("+", atoms), _joined_by("*", atoms))


def _joined_by(sign: str, atoms: Sequence[Atom]) -> tuple[float, ...]:
    """2+2+12 or 16×7 as its parts; nothing when there is any other sign."""
    if len(atoms) % 2 == 0 or any(a.value != sign for a in atoms[1::2]):
        return ()
    values = [a.value for a in atoms[::2] if a.kind == "num"]
    return (
        tuple(v for v in values if isinstance(v, float))
        if len(values) * 2 == len(atoms) + 1
        else ()
    )


class _Reader:
    """Recursive descent over atoms; multiplication signs may be left out."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = atoms
        self._at = 0

    def is_done(self) -> bool:
        return self._at == len(self._atoms)

    def sum(self, depth: int) -> Node | None:
        left = self._product(depth)
        while left is not None and self._sign() in _ADDITIVE:
            sign = self._take()
            right = self._product(depth)
            left = None if right is None else (sign, left, right)
        return left

    def _product(self, depth: int) -> Node | None:
        left = self._factor(depth)
        while left is not None:
            if self._sign() in _MULTIPLICATIVE:
                sign = self._take()
            elif self._starts_factor():
                sign = "*"
            else:
                return left
            right = self._factor(depth)
            left = None if right is None else (sign, left, right)
        return None

    def _factor(self, depth: int) -> Node | None:
        if self.is_done() or depth > _DEEPEST:
            return None
        atom = self._atoms[self._at]
        if atom.kind in {"num", "var"}:
            self._at += 1
            return (atom.kind, atom.value)
        if atom.value != "(":
            return None
        self._at += 1
        inner = self.sum(depth + 1)
        if inner is None or self._sign() != ")":
            return None
        self._at += 1
        return inner

    def _sign(self) -> str:
        if self.is_done() or self._atoms[self._at].kind != "op":
            return ""
        return str(self._atoms[self._at].value)

    def _take(self) -> str:
        self._at += 1
        return str(self._atoms[self._at - 1].value)

    def _starts_factor(self) -> bool:
        if self.is_done():
            return False
        atom = self._atoms[self._at]
        return atom.kind in {"num", "var"} or atom.value == "("


def _evaluate(node: Node, values: Mapping[str, float]) -> float | None:
    if node[0] == "num":
        return _as_number(node[1])
    if node[0] == "var":
        return values.get(str(node[1]))
    left, right = _side(node[1], values), _side(node[2], values)
    if left is None or right is None or (node[0] == "/" and not right):
        return None
    return _apply(str(node[0]), left, right)


def _apply(sign: str, left: float, right: float) -> float:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else left / right


def _side(node: "Node | str | float", values: Mapping[str, float]) -> float | None:
    return _evaluate(node, values) if isinstance(node, tuple) else None


def _as_number(value: "Node | str | float") -> float | None:
    return float(value) if isinstance(value, float | int) else None


def divisors(expr: Expr | None) -> Sequence[int]:
    """Whole numbers that something is divided by: the 8 of 2ψ+14ψ/8."""
    values = (_plain(node[2]) for node in _nodes(expr) if node[0] == "/")
    return [int(v) for v in values if v and v > 1 and v == int(v)]


def plain_numbers(expr: Expr | None) -> Sequence[float]:
    """Every number written in it: 16, 7e9 and 64 of 16×7e9/64."""
    values = (_plain(node) for node in _nodes(expr))
    return [v for v in values if v is not None]


def _nodes(expr: Expr | None) -> Iterator[Node]:
    pending = [expr.node] if expr else []
    while pending:
        node = pending.pop()
        yield node
        pending.extend(side for side in node[1:] if isinstance(side, tuple))


def _plain(node: "Node | str | float") -> float | None:
    if not isinstance(node, tuple) or node[0] != "num":
        return None
    return _as_number(node[1])
