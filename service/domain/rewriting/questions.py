"""What a bullet lacks, as questions: six at most, one for each bullet before a second for any."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final

from service.domain import scale
from service.domain.language import Message, msg
from service.domain.rewriting.answers import DOUBTS, Worth, worth
from service.domain.rewriting.figures import BYTES, CARDS, DATE, PERCENT, TIMES, find_figures
from service.domain.rewriting.lexicon import DEEDS
from service.domain.rewriting.model import Answered, Asks, Source, ToAsk, filled
from service.domain.rewriting.plausible import doubts
from service.domain.rewriting.tokens import han_words, latin_keys
from service.domain.text import first_clauses, fold

MOST: Final = 6
_SHOWN: Final = 60  # characters of the bullet in a question
_TEXT: Final[Mapping[Asks, Message]] = {
    Asks.RESULT: msg("“{bullet}”: what changed, by how much, and how was it measured?"),
    Asks.SCALE: msg("“{bullet}”: how large was the model, and on how many cards did it run?"),
    Asks.BASELINE: msg("“{bullet}”: what was the figure before, and what is it compared with?"),
    Asks.SITUATION: msg("“{bullet}”: what was the problem or the goal?"),
}
_CHANGES: Final = frozenset({"less", "more", "better", "fix", "reach"})
_TRAINS: Final = frozenset({"train", "run"})
_PAIR: Final = re.compile(r"\bfrom\b|从|由|→|->|相比|compared|\bvs\b|over the|than", re.IGNORECASE)
_SITUATION: Final = re.compile(
    r"针对|面对|为解决|为了|由于|因为|鉴于|背景|because|since|facing|given|to (?:solve|fix|avoid)"
    r"|when|while|need(?:ed)?|problem|goal",
    re.IGNORECASE,
)
_OUTCOMES: Final = frozenset({PERCENT, TIMES, "points", "rate", "ms", "second", "minute", "hour"})


def open_questions(
    sources: Sequence[Source], answers: Sequence[Answered] = ()
) -> tuple[ToAsk, ...]:
    """Questions for `sources` in the order given, without those that were answered.

    At most six, answered ones counted, and none twice: lines that read alike are asked about once.
    An answer that cannot be, or is none, is asked again with its doubt.
    """
    given = {a.question_id: a for a in answers}
    asked = [list(_missing(s)) for s in sources]
    rounds = chain.from_iterable(zip_longest(*asked))
    first = _distinct(pair for pair in rounds if pair is not None)[:MOST]
    return tuple(q for s, asks in first if (q := _question(s, asks, given)) is not None)


_Missing = tuple[Source, Asks]


def _distinct(pairs: Iterable[_Missing]) -> tuple[_Missing, ...]:
    found: dict[tuple[str, Asks], _Missing] = {}
    for source, asks in pairs:
        found.setdefault((_shown(source).casefold(), asks), (source, asks))
    return tuple(found.values())


def _shown(source: Source) -> str:
    return first_clauses(" ".join(source.text.split()), _SHOWN)


def question_id(source: Source, asks: Asks) -> str:
    return f"{source.bullet_id}-{asks.value}"


def _question(source: Source, asks: Asks, given: Mapping[str, Answered]) -> ToAsk | None:
    own_id = question_id(source, asks)
    answer = given.get(own_id)
    doubt = _doubt(source, asks, answer)
    if answer and doubt is None:
        return None
    text = filled(_TEXT[asks], bullet=_shown(source))
    return ToAsk(own_id, source.bullet_id, asks, text, doubt)


def _doubt(source: Source, asks: Asks, answer: Answered | None) -> Message | None:
    if answer is None:
        return next(iter(doubts(source.text)), None) if asks is Asks.RESULT else None
    unfit = DOUBTS.get(worth(answer.text))
    if unfit is not None or worth(answer.text) is Worth.NOTHING:
        return unfit
    return next(iter(doubts(f"{source.text}\n{answer.text}")), None)


def _missing(source: Source) -> Iterator[_Missing]:
    """Judged on the bullet alone, so that answering does not bring up new questions."""
    text = fold(source.text).text
    figures = find_figures(text)
    units = {f.unit for f in figures}
    deeds = _deeds(text)
    has_outcome = bool(units & (_OUTCOMES | BYTES))
    if not has_outcome or doubts(text):
        yield source, Asks.RESULT
    if deeds & _TRAINS and CARDS not in units and scale.accelerators(text) is None:
        yield source, Asks.SCALE
    if units & {PERCENT, TIMES} and not _PAIR.search(text):
        yield source, Asks.BASELINE
    if not _SITUATION.search(text) and not (units - {DATE, ""}) <= {CARDS}:
        yield source, Asks.SITUATION


def _deeds(text: str) -> frozenset[str]:
    keys = (*latin_keys(text), *(w.key for w in han_words(text)))
    return frozenset(name for key in keys for name in DEEDS.get(key, ()))
