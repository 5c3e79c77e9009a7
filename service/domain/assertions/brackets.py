"""Brackets that belong to a calculation: `2(N-1)/N` is one expression, not an aside."""

from collections.abc import Sequence
from typing import Final

from service.domain.assertions.tokens import Shape, Token

OPENING: Final = frozenset({"("})
CLOSING: Final = frozenset({")"})
OPERATORS: Final = frozenset("+-*/=×·÷−–^%~≈")
LONGEST_SYMBOL: Final = 3  # letters: N, sbh, dp; a longer word is prose
LONGEST_BRACKET: Final = 24  # tokens


def arithmetic_brackets(tokens: Sequence[Token], first: int, last: int) -> frozenset[int]:
    """Places in first..last of brackets with nothing but a calculation between them.

    A bare symbol, as in `Zero Redundancy Optimizer (ZeRO)`, is an aside unless an operator or a
    number stands directly beside the bracket.
    """
    found: set[int] = set()
    opened: list[int] = []
    for at in range(first, last):
        if tokens[at].form in OPENING:
            opened.append(at)
        elif tokens[at].form in CLOSING and opened:
            start = opened.pop()
            if at - start <= LONGEST_BRACKET and _calculates(tokens, start, at, found):
                found |= {start, at}
    return frozenset(found)


def _calculates(tokens: Sequence[Token], start: int, end: int, inner: set[int]) -> bool:
    inside = [tokens[i] for i in range(start + 1, end) if i not in inner]
    if not inside or not all(_is_symbol(t) for t in inside):
        return False
    return any(t.form in OPERATORS for t in inside) or _is_factor(tokens, start, end)


def _is_factor(tokens: Sequence[Token], start: int, end: int) -> bool:
    before = tokens[start - 1] if start and tokens[start - 1].end == tokens[start].start else None
    after = tokens[end + 1] if end + 1 < len(tokens) else None
    return (before is not None and (before.shape is Shape.NUMBER or before.form in OPERATORS)) or (
        after is not None and after.form in OPERATORS
    )


def _is_symbol(token: Token) -> bool:
    if token.shape is Shape.NUMBER or token.form in OPERATORS:
        return True
    return token.shape is Shape.WORD and len(token.form) <= LONGEST_SYMBOL
