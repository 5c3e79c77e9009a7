"""Where bytes are that no claim is about: cards, disks, links; and totals that were measured."""

from collections.abc import Callable
from typing import Final

from service.domain.claims import signs
from service.domain.claims.tokens import Number
from service.domain.claims.view import View

_REACH: Final = 28
_BESIDE: Final = 4  # "A100 (80GB"
_NEAR_CARD: Final = 16  # "H100 each with 80 GB"


def is_rate(view: View, number: Number) -> bool:
    """900 GB/s."""
    said = view.sheet.folded.text[number.start : number.end]
    if said.endswith(("Gb", "Mb", "Tb")):
        return True  # gigabits
    before = view.text(number.start - _BESIDE, number.start).rstrip(" ")
    return before.endswith("每秒") or bool(signs.RATE_AFTER.match(view.low, number.end))


def is_hardware(view: View, number: Number) -> bool:
    """The memory a card has, not what is put into it."""
    return any(sign(view, number) for sign in _HARDWARE)


def _before(view: View, number: Number) -> str:
    return view.text(number.start - _REACH, number.start)


def _is_said_of_card(view: View, number: Number) -> bool:
    """80GB 的卡, 24 GB is not enough."""
    low = view.low
    if signs.CARD_AFTER.match(low, number.end):
        return True
    is_needed = view.clause_has("scheme", number) and signs.FITS_NOT_AFTER.match(low, number.end)
    return not is_needed and signs.CAPACITY_AFTER.match(low, number.end) is not None


def _follows_card(view: View, number: Number) -> bool:
    gpu = view.before("gpu", number.start)
    if gpu is None or number.start - gpu.end > _NEAR_CARD:
        return False
    between = view.text(gpu.end, number.start)
    return len(between) <= _BESIDE or signs.OF_CARD.fullmatch(between) is not None


def _precedes_card(view: View, number: Number) -> bool:
    gpu = view.after("gpu", number.end)
    return gpu is not None and gpu.start - number.end < _BESIDE - 1


def _is_counted(view: View, number: Number) -> bool:
    """8 × 80 GB."""
    return number.sums_to is None and bool(signs.COUNTED_CARDS.search(_before(view, number)))


def _is_capacity(view: View, number: Number) -> bool:
    before = _before(view, number)
    if signs.CARDS_OF.search(before):
        return True
    if view.clause_has("part", number):
        return False
    is_owned = bool(signs.OWNED_BEFORE.search(before)) and not view.sentence_has("scheme", number)
    return is_owned or bool(signs.CAPACITY_BEFORE.search(before))


_HARDWARE: Final[tuple[Callable[[View, Number], bool], ...]] = (
    _is_said_of_card,
    _follows_card,
    _precedes_card,
    _is_counted,
    _is_capacity,
)


def is_elsewhere(view: View, number: Number) -> bool:
    """Disks, files, hosts, buckets: bytes that are no model states on a GPU."""
    storage = view.in_clause("storage", number)
    if storage is None:
        return False
    part = view.in_clause("part", number)
    if part and 0 <= storage.start - part.end <= 1:
        return False
    return part is None or abs(storage.start - number.start) < abs(part.start - number.start)


def is_measured(view: View, number: Number) -> bool:
    """A total read off a tool, unless its own clause names a state."""
    if view.clause_has("measured", number):
        return True
    mark = view.before("measured", number.start)
    if mark is None or view.clause_has("part", number):
        return False
    is_same = view.sentence(mark.start) == view.sentence(number.start)
    return is_same and not view.loud_between(mark.end, number.start)
