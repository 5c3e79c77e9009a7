"""Figures whose own words leave them open: right when the text around them makes them right."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from service.domain.claims import signs
from service.domain.claims.asked import Asked
from service.domain.claims.bindings import SIZES
from service.domain.claims.experience import is_told_from_experience
from service.domain.claims.expression import divisors, plain_numbers
from service.domain.claims.judge import Judgement
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.variants import Variants
from service.domain.claims.view import View

_RECENT: Final = 2  # sentences that a state is carried over
_MOST: Final = 3  # states named before that are tried
_REACH: Final = 24
_NARROW: Final = 0.05  # still right so far off, a figure is within three of a hundred
_FAR: Final = 100
_THOUSAND: Final = 1_000.0
_FEWEST: Final = 100  # tokens of a context
_LEAST: Final = 1e7  # parameters: a number this large in a line of bytes is the model
_LARGEST: Final = 1e14
_DIVIDED: Final = re.compile(
    "切|分片|分摊|摊|拆|除以|平分|全分|(?<![a-z])(?:shard|split|spread|divid|partition|across)"
)
_STEP: Final = re.compile(
    "同步|每步|一步|传|搬|通信|(?<![a-z])(?:sync|step|traffic|sends?|moves?|wire|communicat)"
)
_CACHE: Final = re.compile("缓存|上下文|对话|(?<![a-z])(?:cache|kv|context|chat|prompt)(?![a-z])")
_LEFT_OVER: Final = re.compile(
    "剩|余|留|空|缓冲|碎片|激活|(?<![a-z])(?:left|leav|remain|spare|headroom|free|buffer|activation"
    "|fragment|logit|overhead)"
)


def _tokens(number: Number) -> float:
    """4K is 4096 tokens where a cache is spoken of; 0 for what counts no tokens."""
    if number.unit in {Unit.LETTER_K, Unit.TOKENS} and number.scale == _THOUSAND:
        return number.amount.low / _THOUSAND * 1_024
    is_count = number.unit in {Unit.TOKENS, Unit.NONE} and number.amount.low >= _FEWEST
    return number.amount.low if is_count else 0.0


class Promotion:
    """Tries what the text says elsewhere on figures that could not be checked as they stand."""

    def __init__(self, view: View, variants: Variants, judge: Callable[[Asked], Judgement]) -> None:
        self._view = view
        self._variants = variants
        self._judge = judge

    def of(self, asked: Asked) -> Judgement | None:
        """The first reading that makes it right; None when there is none, or it was measured."""
        if asked.quantity is Quantity.KV_CACHE and asked.number.unit is Unit.BYTES:
            return next((j for one in self._cached(asked) if (j := self._is_right(one))), None)
        if asked.quantity is Quantity.BYTES_PER_PARAM:
            states = (replace(asked, part=part) for part in self._states(asked))
            return next((j for one in states if (j := self._is_right(one))), None)
        if asked.quantity in SIZES and asked.psi is None:
            return next((j for one in _worked_out(asked) if (j := self._is_right(one))), None)
        if asked.quantity not in SIZES or "measured" in asked.words:
            return None
        if is_told_from_experience(self._view, asked.number):
            return None
        return next((j for one in self._readings(asked) if (j := self._is_right(one))), None)

    def fit(self, asked: Asked) -> Judgement | None:
        """A size that no word explains, when it is what a reading gives almost exactly."""
        near = self._view.near(asked.number, _REACH)
        if _LEFT_OVER.search(near) or signs.TAKEN_OFF.search(near):
            return None
        sides = (_scaled(asked, 1 - _NARROW), asked, _scaled(asked, 1 + _NARROW))
        judged = [self.of(one) for one in sides]
        return judged[1] if all(judged) else None

    def _readings(self, asked: Asked) -> Iterator[Asked]:
        yield asked
        for part in self._states(asked):
            yield replace(asked, part=part)
            yield replace(asked, part=part, schemes=(), per="total")
            if part == ("optimizer",) and (asked.shards or 1) > 1 and not asked.schemes:
                yield replace(asked, part=part, schemes=("zero1",), per="gpu")
        yield from self._variants.of(asked)
        yield from self._of_all(asked)
        yield from self._split(asked)
        yield from self._sent(asked)
        yield from self._cached(asked)

    def _of_all(self, asked: Asked) -> Iterator[Asked]:
        """全参要 112 GB: all states of the model, when that is what it comes to."""
        if asked.part or asked.schemes or asked.per == "gpu":
            return
        words = (asked.words - {"tune"}) | {"states", "train"}
        yield replace(asked, per="total", recipe="", words=words)

    def _split(self, asked: Asked) -> Iterator[Asked]:
        """Spread over 64 cards: what is divided there, all states or the one named before."""
        if asked.schemes or (asked.shards or 1) <= 1:
            return
        before = self._view.text(asked.number.start - _FAR, asked.number.start)
        if not _DIVIDED.search(before):
            return
        for part in ((), *self._states(asked)):
            yield replace(asked, schemes=("zero3",), part=part, per="gpu")

    def _sent(self, asked: Asked) -> Iterator[Asked]:
        """梯度同步一步 12 GB: what goes over the wire."""
        if not _STEP.search(self._view.near(asked.number, _FAR)):
            return
        named = self._view.last_values("scheme", asked.number.start, _MOST)
        for scheme in dict.fromkeys((*asked.schemes, *reversed(named), "ddp")):
            yield replace(asked, quantity=Quantity.COMM_VOLUME, schemes=(scheme,), part=())

    def _cached(self, asked: Asked) -> Iterator[Asked]:
        """A 4K chat costs 3.1 GB: the cache of the tokens counted near."""
        home = self._view.sentence(asked.number.start)
        if not asked.model_name or not self._speaks_of_cache(asked.number):
            return
        near = [*self._view.numbers_of_sentence(home)]
        near += self._view.numbers_of_sentence(home - 1) if home else []
        counts = [*dict.fromkeys(_tokens(n) for n in near if n is not asked.number)]
        for tokens in (count for count in counts if count):
            for batch in (1.0, asked.batch):
                yield replace(
                    asked, quantity=Quantity.KV_CACHE, tokens=tokens, batch=batch, per="sequence"
                )

    def _speaks_of_cache(self, number: Number) -> bool:
        mark = self._view.before("topic", number.start)
        is_kv = mark is not None and mark.value == "kv" and number.start - mark.end <= _FAR
        return is_kv or _CACHE.search(self._view.near(number, _FAR)) is not None

    def _states(self, asked: Asked) -> Iterator[tuple[str, ...]]:
        """States named shortly before, nearest first, where its own clause names none."""
        number, view = asked.number, self._view
        if asked.part or view.clause_has("part", number):
            return
        for mark in reversed(view.last("part", number.start, _MOST)):
            is_recent = view.sentence(number.start) - view.sentence(mark.start) <= _RECENT
            if is_recent and mark.value != "states":
                yield (mark.value,)

    def _is_right(self, asked: Asked) -> Judgement | None:
        judged = self._judge(asked)
        return judged if judged.verdict is ClaimVerdict.RIGHT else None


def _worked_out(asked: Asked) -> Iterator[Asked]:
    """16×7e9/64 = 1.75 GB says its own model size and how many ranks share the states."""
    sizes = {n for n in plain_numbers(asked.number.worked) if _LEAST <= n <= _LARGEST}
    shards = divisors(asked.number.worked)
    if len(sizes) != 1 or len(shards) > 1:
        return
    sized = replace(asked, psi=sizes.pop())
    if not shards:
        yield replace(sized, per="total", schemes=())
        return
    for schemes in dict.fromkeys((asked.schemes, ("zero3",))):
        yield replace(sized, shards=shards[0], per="gpu", schemes=schemes)


def _scaled(asked: Asked, factor: float) -> Asked:
    number: Number = asked.number
    return replace(asked, number=replace(number, amount=number.amount.times(factor)))
