"""Words for a move from ready-made lines; the candidate's words come in unchanged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Lang

LONGEST_QUOTE: Final = 80  # characters said back; a whole one up to here
LEAST_QUOTE: Final = 24
CUTS: Final = "。！？；，、.!?;,:：\n"
GENERAL: Final = "ask"  # the move whose lines serve a move without lines of its own


@dataclass(frozen=True, slots=True)
class MoveLines:
    """The lines of one move by language: with a quote, and without."""

    quoting: Mapping[Lang, tuple[str, ...]]
    plain: Mapping[Lang, tuple[str, ...]]


def say(
    lines: Mapping[str, MoveLines],
    move: str,
    lang: Lang,
    quote: str,
    asks_about: str,
    variant: int,
) -> str:
    """One line for the move; the same variant always gives the same words."""
    chosen = lines.get(move, lines[GENERAL])
    cut = shortened(quote)
    options = (chosen.quoting if cut else chosen.plain)[lang]
    template = options[variant % len(options)]
    return template.replace("{asks_about}", asks_about).replace("{quote}", cut).strip()


def shortened(quote: str) -> str:
    """The first whole clauses of a quote, verbatim; a clause too long is cut at a blank."""
    quote = quote.strip()
    if len(quote) <= LONGEST_QUOTE:
        return quote.rstrip(CUTS) or quote
    head = quote[:LONGEST_QUOTE]
    ends = [i for i, char in enumerate(head) if char in CUTS and i >= LEAST_QUOTE]
    if ends:
        return head[: ends[-1]].rstrip()
    blank = head.rfind(" ")
    return head[:blank].rstrip() if blank >= LEAST_QUOTE else head
