"""The adviser's weighing as the explorer shows it: what fits, what it costs, what decides."""

from dataclasses import dataclass
from typing import Final

from service.domain.language import Bilingual, Message, msg
from service.domain.memory import Advice, Offload, Option, show_bytes
from service.web.labels import Badge

FITS: Final = Badge(msg("fits"), "met")
TOO_LARGE: Final = Badge(msg("too large"), "gap")
PROPOSED: Final = Badge(msg("proposed"), "info")
DEFENSIBLE: Final = Badge(msg("defensible"), "partial")


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """`room` is what stays free, or what is missing where it does not fit."""

    name: Bilingual
    offload: Offload
    total: str
    room: str
    lacks: bool
    seconds: str
    badges: tuple[Badge, ...]


@dataclass(frozen=True, slots=True)
class AdviceView:
    rows: tuple[AdviceRow, ...]
    why: tuple[Message, ...]
    instead: tuple[Message, ...]


def advice_view(advice: Advice) -> AdviceView:
    rows = tuple(_row(option, advice) for option in advice.options)
    return AdviceView(rows, advice.why, advice.instead)


def _row(option: Option, advice: Advice) -> AdviceRow:
    return AdviceRow(
        option.scheme.title,
        option.candidate.offload,
        show_bytes(option.total),
        show_bytes(abs(option.headroom)),
        option.headroom < 0,
        f"{option.seconds:.2f} s",
        _badges(option, advice),
    )


def _badges(option: Option, advice: Advice) -> tuple[Badge, ...]:
    fits = FITS if option.fits else TOO_LARGE
    if option is advice.proposed:
        return fits, PROPOSED
    return (fits, DEFENSIBLE) if option in advice.defensible else (fits,)
