"""Which numbers can be claims at all, by their own form."""

from typing import Final

from service.domain.claims.tokens import Number, Unit

_POSSIBLE: Final = frozenset(
    {
        Unit.BYTES, Unit.WIDTH, Unit.FORMULA, Unit.FACTOR, Unit.SHARE, Unit.PERCENT, Unit.SUM,
        Unit.PARAMS, Unit.LETTER_B, Unit.LETTER_K, Unit.LETTER_M, Unit.LETTER_T, Unit.NONE,
    }
)  # fmt: skip


def is_candidate(number: Number, settings: set[int]) -> bool:
    """Settings are no claims, except parameter counts, which may be both."""
    if number.unit not in _POSSIBLE or number.amount.high <= 0 and number.expr is None:
        return False
    is_count = number.unit in {Unit.PARAMS, Unit.LETTER_B}
    return is_count or number.start not in settings
