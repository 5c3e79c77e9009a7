"""Which numbers can be claims at all, by their own form."""

from typing import Final

from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View

_LARGEST_WIDTH: Final = 32e9
_AHEAD: Final = 60
_PER_PARAM: Final = ("/param", "per param", "/ param", "per weight", "/参数", "每参数")

_POSSIBLE: Final = frozenset(
    {
        Unit.BYTES, Unit.WIDTH, Unit.FORMULA, Unit.FACTOR, Unit.SHARE, Unit.PERCENT, Unit.SUM,
        Unit.PARAMS, Unit.LETTER_B, Unit.LETTER_K, Unit.LETTER_M, Unit.LETTER_T, Unit.NONE,
    }
)  # fmt: skip


def is_candidate(number: Number, settings: set[int]) -> bool:
    """Settings are no claims, except parameter counts, which may be both."""
    if number.unit not in _POSSIBLE or (number.amount.high <= 0 and number.expr is None):
        return False
    is_count = number.unit in {Unit.PARAMS, Unit.LETTER_B}
    return is_count or number.start not in settings


def is_width(view: View, number: Number) -> bool:
    """16B per param: bytes, not billions."""
    if number.unit is not Unit.LETTER_B or number.amount.low > _LARGEST_WIDTH:
        return False
    if view.text(number.end, number.end + 12).lstrip(" ").startswith(_PER_PARAM):
        return True
    part = view.before("part", number.start)
    is_tight = part is not None and number.start - part.end <= 1
    return is_tight and any(
        words in view.text(number.end, number.end + _AHEAD) for words in _PER_PARAM
    )
