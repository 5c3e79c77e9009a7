"""Who says a number, and whether they stand by it: reported, rejected, asked, taken back."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from service.domain.claims import voices
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View


class Stance(StrEnum):
    """Only `asserted` is a claim."""

    ASSERTED = "asserted"
    ASKED = "asked"
    REJECTED = "rejected"
    REPORTED = "reported"
    SUPPOSED = "supposed"
    TAKEN_BACK = "taken_back"


_SENTENCE_REACH: Final = 240


class Stances:
    """Judges each number of a view once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._sentences = _spans(view)
        self._anywhere: dict[int, bool] = {}

    def of(self, number: Number, later: Number | None) -> Stance:
        """`later` is the next number of the same sort, if one follows."""
        start, end = self._sentence(number)
        if self._is_asked(number, start, end):
            return Stance.ASKED
        if self._is_taken_back(number, later, end):
            return Stance.TAKEN_BACK
        if self._is_refused(number, start, end, later):
            return Stance.REJECTED
        if self._is_reported(number, start):
            return Stance.REPORTED
        if self._is_supposed(number, start, end):
            return Stance.SUPPOSED
        return Stance.ASSERTED

    def _is_anywhere(self, pattern: re.Pattern[str]) -> bool:
        """Whether the whole text holds it at all; searched once."""
        known = self._anywhere.get(id(pattern))  # a pattern's own hash reads all of it
        if known is None:
            known = self._anywhere[id(pattern)] = pattern.search(self._view.low) is not None
        return known

    def _find(self, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
        return pattern.search(text) if self._is_anywhere(pattern) else None

    def _sentence(self, number: Number) -> tuple[int, int]:
        index = self._view.sentence(number.start)
        return self._sentences[index]

    def _clause_start(self, number: Number, floor: int) -> int:
        clause = self._view.clause(number.start)
        at = bisect_left(self._view.sheet.clauses, clause)
        return max(at, floor)

    def _clause_end(self, number: Number) -> int:
        clause = self._view.clause(max(number.start, number.end - 1))
        return bisect_left(self._view.sheet.clauses, clause + 1)

    def _is_asked(self, number: Number, start: int, end: int) -> bool:
        low = self._view.low
        sentence = low[start : min(end + 1, start + 2 * _SENTENCE_REACH)]
        first = max(self._clause_start(number, start), number.start - _SENTENCE_REACH)
        last = min(self._clause_end(number) + 1, number.end + _SENTENCE_REACH)
        clause = low[first:last]
        if not sentence.rstrip(" ").endswith(("?", "？")):
            said = low[max(start, number.start - _SENTENCE_REACH) : number.start]
            return bool(voices.ASKS_PLAINLY.search(clause)) or self._is_unsure(said)
        if voices.TAG.search(sentence):
            return False
        asking = voices.ASKING.search(sentence)
        scope = (
            self._last_clause(start, end)
            if asking is None
            else self._clause_from(start + asking.start(), start)
        )
        return number.end > scope

    def _is_unsure(self, said: str) -> bool:
        """Not sure whether 2ψ or 3ψ, until a guess follows."""
        unsure = self._find(voices.UNSURE, said)
        return unsure is not None and not voices.GUESSING.search(said, unsure.end())

    def _last_clause(self, start: int, end: int) -> int:
        last = self._view.clause(max(start, end - 1))
        return max(start, bisect_left(self._view.sheet.clauses, last))

    def _clause_from(self, at: int, start: int) -> int:
        return max(start, bisect_left(self._view.sheet.clauses, self._view.clause(at)))

    def _is_taken_back(self, number: Number, later: Number | None, end: int) -> bool:
        limit = later.start if later else min(end, number.end + _SENTENCE_REACH)
        stop = min(limit, number.end + _SENTENCE_REACH)
        between = self._view.low[number.end : stop]
        before = self._view.low[max(0, number.start - _SHORT) : number.start]
        if (
            later is not None
            and self._find(voices.SELF_SAID, before)
            and voices.BACK_TO_SELF.search(between)
        ):
            return True
        found = self._find(voices.TAKING_BACK, between)
        if found is None or voices.NO_RETRACTION.search(between):
            return False
        if later is None:
            return False
        return not voices.REFUSING_BEFORE.search(
            self._view.low[max(0, later.start - _SHORT) : later.start]
        )

    def _is_refused(self, number: Number, start: int, end: int, later: Number | None) -> bool:
        low = self._view.low
        before = low[max(self._clause_start(number, start), number.start - _SHORT) : number.start]
        if voices.REFUSING_BEFORE.search(before) and not voices.BOUND.search(before):
            return True
        clause = low[
            max(self._clause_start(number, start), number.start - _SENTENCE_REACH) : number.start
        ]
        if self._find(voices.MISTAKING, clause):
            return True
        stop = min(end + 1, number.end + _SENTENCE_REACH, later.start if later else end + 1)
        after = low[number.end : stop]
        if self._find(voices.REFUSING_AFTER, after):
            return True
        if later is not None and later.start <= end and voices.INCOMPLETE.search(after):
            return True
        following = low[end + 1 : end + 1 + _SHORT]
        return later_is_far(later, end) and bool(voices.POINTING_BACK.match(following))

    def _is_reported(self, number: Number, start: int) -> bool:
        low = self._view.low
        said = low[max(start, number.start - _SENTENCE_REACH) : number.start]
        if not self._is_anywhere(voices.REPORTING):
            return False
        reports = list(voices.REPORTING.finditer(said))
        if not reports:
            return False
        if voices.AUTHORITY.search(reports[-1].group()):
            return False
        since = number.start - len(said) + reports[-1].end()
        rest = low[since : number.start]
        return not voices.BACK_TO_SELF.search(rest) and not self._contrasts(number, since)

    def _contrasts(self, number: Number, since: int) -> bool:
        """都说省八倍，八张卡撑死 4.3 倍: the second figure of the same thing is one's own."""
        view = self._view
        first = view.number_after(since)
        is_other = first is not None and first.start < number.start and first.unit is number.unit
        apart = first is not None and view.clause(first.start) != view.clause(number.start)
        return is_other and apart and not view.clause_has("scheme", number)

    def _is_supposed(self, number: Number, start: int, end: int) -> bool:
        """The premise of a supposition, or a wish."""
        low = self._view.low
        sentence = low[start : min(end + 1, start + 2 * _SENTENCE_REACH)]
        if not self._find(voices.SUPPOSING, sentence):
            return False
        if voices.WISH_ONLY.search(sentence):
            return True
        clause = low[
            max(self._clause_start(number, start), number.start - _SENTENCE_REACH) : number.start
        ]
        premise = voices.PREMISE.search(clause)
        return premise is not None and not voices.CONSEQUENCE.search(clause, premise.end())


_SHORT: Final = 40


def later_is_far(later: Number | None, end: int) -> bool:
    return later is None or later.start > end


def _spans(view: View) -> Sequence[tuple[int, int]]:
    """Start and end of each sentence; the end is where its closing mark stands."""
    sentences = view.sheet.sentences
    spans: list[tuple[int, int]] = []
    start = 0
    for index in range(sentences[-1] + 1):
        end = bisect_left(sentences, index + 1)
        spans.append((start, max(start, end - 1)))
        start = end
    return spans


SAME_SORT: Final = {
    Unit.BYTES: "size", Unit.WIDTH: "width", Unit.FORMULA: "formula", Unit.FACTOR: "factor",
    Unit.SHARE: "factor", Unit.PERCENT: "factor", Unit.SUM: "width", Unit.NONE: "none",
    Unit.PARAMS: "params", Unit.LETTER_B: "params", Unit.LETTER_K: "size", Unit.LETTER_M: "size",
    Unit.LETTER_T: "size",
}  # fmt: skip
