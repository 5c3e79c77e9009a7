"""Words for a move from ready-made lines; the candidate's words come in unchanged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Lang
from service.domain.text import first_clauses

LONGEST_QUOTE: Final = 80  # characters said back; a whole one up to here
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
    cut = first_clauses(quote, LONGEST_QUOTE)
    options = (chosen.quoting if cut else chosen.plain)[lang]
    template = options[variant % len(options)]
    return template.replace("{asks_about}", asks_about).replace("{quote}", cut).strip()
