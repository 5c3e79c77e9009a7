"""Looking around a number: what stands before it, after it, in its clause, in its sentence."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, Protocol

from service.domain.claims.patterns import alternatives
from service.domain.claims.tokens import Mark, Number, Sheet, Unit

_LINKS: Final = alternatives(
    """
    for|of|with|under|in|at|on|from|using|goes? to|going to|are|is|worth of|used by|by|per gpu|each
    per parameter|的|给|用于|是|留给|属于|来自|全是|都是|归|算|全部是|都归|都给|个
    """
)
_FILLERS: Final = alternatives(
    """
    the|a|an|all|full|plain|its|fp16|bf16|fp32|16-bit|zero|stage|sharded|model|per|gpu|with
    under|in|just
    """
)
_CONNECTED: Final = re.compile(
    rf" ?(?:\(|,)? ?(?:per parameter )?(?:{_LINKS})?(?: ?(?:{_FILLERS}))* ?-?"
)
_LISTED: Final = re.compile(
    r" ?(?:[、,\ue020/;+&]|和|与|及|以及|and|or|跟|还有|, and|加|plus|、?zero ?-?|stages? ?|-| )*"
    " ?"
)
_COMPARING: Final = re.compile(
    r"(?:compared (?:with|to)|relative to|versus|vs\.?|than|unlike"
    "|相比|相比于|相对于|相较于|对比|比起"
    "|和|与|跟) ?(?:plain |the |普通|纯)?(?:zero|stage)? ?-?$"
)
_AND_THEN: Final = re.compile(" (?:and|while|whereas|but|yet) |而|但")
_PAIR: Final = 2
_NEAR: Final = 40
Placing = Callable[[int], int]
_QUIET: Final = frozenset(
    {Unit.NONE, Unit.OTHER, Unit.GPUS, Unit.NODES, Unit.PARAMS, Unit.LETTER_B, Unit.TOKENS,
     Unit.LETTER_K, Unit.MICRO, Unit.SEQUENCES}
)  # fmt: skip


class Stretch(Protocol):
    """Anything that reaches from one place of the text to another."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Group:
    """Marks of one kind joined by list signs only."""

    marks: tuple[Mark, ...]

    @property
    def start(self) -> int:
        return self.marks[0].start

    @property
    def end(self) -> int:
        return self.marks[-1].end

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(mark.value for mark in self.marks)


def _homes(marks: Sequence[Mark], places: Sequence[int]) -> frozenset[tuple[str, str, int]]:
    """Which kinds, with and without their value, stand in which clause or sentence."""
    homes: set[tuple[str, str, int]] = set()
    for mark in marks:
        home = places[mark.start]
        homes.add((mark.kind, mark.value, home))
        homes.add((mark.kind, "", home))
    return frozenset(homes)


def _cut(marks: Sequence[Mark], cuts: Sequence[bool]) -> Iterator[list[Mark]]:
    piece = [marks[0]]
    for mark, is_cut in zip(marks[1:], cuts, strict=True):
        if is_cut:
            yield piece
            piece = []
        piece.append(mark)
    yield piece


class View:
    """A sheet with indexes. Every look is a bisection, so a text is read in n·log n."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.low = sheet.low
        self._number_sentences = [sheet.sentences[n.start] for n in sheet.numbers]
        self._in_clauses = _homes(sheet.marks, sheet.clauses)
        self._in_sentences = _homes(sheet.marks, sheet.sentences)
        self._starts_of_numbers = [n.start for n in sheet.numbers]
        self._loud = [n.start for n in sheet.numbers if n.unit not in _QUIET]

    @cached_property
    def by_kind(self) -> Mapping[str, Sequence[Mark]]:
        table: defaultdict[str, list[Mark]] = defaultdict(list)
        for mark in self.sheet.marks:
            table[mark.kind].append(mark)
        return table

    @cached_property
    def starts(self) -> Mapping[str, Sequence[int]]:
        return {kind: [m.start for m in marks] for kind, marks in self.by_kind.items()}

    @cached_property
    def groups(self) -> Mapping[str, Sequence[Group]]:
        return {kind: self._grouped(kind) for kind in ("scheme", "part")}

    @cached_property
    def group_starts(self) -> Mapping[str, Sequence[int]]:
        return {kind: [g.start for g in groups] for kind, groups in self.groups.items()}

    def _grouped(self, kind: str) -> Sequence[Group]:
        groups: list[list[Mark]] = []
        for mark in self.by_kind.get(kind, ()):
            last = groups[-1][-1] if groups else None
            is_listed = (
                last is not None
                and not (
                    len(groups[-1]) == 1
                    and _COMPARING.search(self.low, max(0, last.start - _NEAR), last.start)
                )
                and mark.start - last.end < _NEAR
                and bool(_LISTED.fullmatch(self.low, last.end, mark.start))
            )
            if is_listed:
                groups[-1].append(mark)
            else:
                groups.append([mark])
        return [Group(tuple(marks)) for marks in self._split_pairs(groups)]

    def _split_pairs(self, groups: Sequence[list[Mark]]) -> Iterator[list[Mark]]:
        """A comma ends one clause and begins the next, unless it is the only sign of the list."""
        for marks in groups:
            gaps = [self.low[a.end : b.start] for a, b in pairwise(marks)]
            is_pair = len(marks) == _PAIR and marks[-1].value != "moments"  # momentum and variance
            has_comma = ["\ue020" in gap or (is_pair and bool({",", ";"} & {*gap})) for gap in gaps]
            if any(has_comma) and (len(marks) == _PAIR or not all(has_comma)):
                yield from _cut(marks, has_comma)
            else:
                yield marks

    def clause_start(self, number: Number) -> int:
        """Where the clause of the number begins."""
        return bisect_left(self.sheet.clauses, self.clause(number.start))

    def clause_end(self, number: Number) -> int:
        """Behind the last character of the clause of the number."""
        return bisect_right(self.sheet.clauses, self.clause(max(number.start, number.end - 1)))

    def near(self, number: Number, reach: int) -> str:
        """The clause of the number, as far as `reach` characters on either side."""
        start = max(number.start - reach, self.clause_start(number))
        return self.text(start, min(number.end + reach, self.clause_end(number)))

    def clause(self, at: int) -> int:
        return self.sheet.clauses[at]

    def sentence(self, at: int) -> int:
        return self.sheet.sentences[at]

    def before(self, kind: str, at: int) -> Mark | None:
        """The last mark of that kind that starts before `at`."""
        index = bisect_left(self.starts.get(kind, ()), at)
        return self.by_kind[kind][index - 1] if index else None

    def last_values(self, kind: str, at: int, count: int) -> tuple[str, ...]:
        """Values of the last marks of that kind before `at`, in reading order."""
        return tuple(mark.value for mark in self.last(kind, at, count))

    def last(self, kind: str, at: int, count: int) -> Sequence[Mark]:
        """The last marks of that kind before `at`, in reading order."""
        index = bisect_left(self.starts.get(kind, ()), at)
        return self.by_kind.get(kind, ())[max(0, index - count) : index]

    def after(self, kind: str, at: int) -> Mark | None:
        index = bisect_left(self.starts.get(kind, ()), at)
        marks = self.by_kind.get(kind, ())
        return marks[index] if index < len(marks) else None

    def in_clause(self, kind: str, number: Number) -> Mark | None:
        """Nearest mark of the kind in the clause of the number, before it first."""
        return self._near(kind, number, self.clause)

    def in_sentence(self, kind: str, number: Number) -> Mark | None:
        return self._near(kind, number, self.sentence)

    def _near(self, kind: str, number: Number, place: Placing) -> Mark | None:
        home = place(number.start)
        left = self.before(kind, number.start)
        if left and place(left.start) == home:
            return left
        right = self.after(kind, number.end)
        if right is None or place(right.start) != home or self.introduces(right, number):
            return None
        return right

    def introduces(self, mark: Stretch, number: Number) -> bool:
        """Whether words of a later clause, or after an "and", lead to a figure of their own."""
        if mark.start < number.end:
            return False
        is_same = self.clause(mark.start) == self.clause(number.end - 1)
        if is_same and not self.is_behind_and(mark, number):
            return False
        index = bisect_left(self._loud, mark.end)
        return index < len(self._loud) and self.clause(self._loud[index]) == self.clause(mark.start)

    def is_behind_and(self, mark: Stretch, number: Number) -> bool:
        """Whether the words follow the number after an "and", as those of another statement."""
        return bool(_AND_THEN.search(self.low, number.end, mark.start))

    def governing(self, kind: str, number: Number) -> Sequence[Mark]:
        """Marks of the sentence without those that another figure stands before."""
        return [
            mark
            for mark in self.marks_in_sentence(kind, number)
            if mark.start < number.end
            or not (self.introduces(mark, number) or self.loud_between(number.end, mark.start))
        ]

    def clause_has(self, kind: str, number: Number, value: str = "") -> bool:
        """Whether the number's clause holds a mark of that kind (and value)."""
        return (kind, value, self.sheet.clauses[number.start]) in self._in_clauses

    def sentence_has(self, kind: str, number: Number, value: str = "") -> bool:
        return (kind, value, self.sheet.sentences[number.start]) in self._in_sentences

    def marks_in_sentence(self, kind: str, number: Number) -> Sequence[Mark]:
        return self._within(kind, self.sentence, self.sentence(number.start), number)

    def _within(self, kind: str, place: Placing, home: int, number: Number) -> Sequence[Mark]:
        marks = self.by_kind.get(kind, ())
        starts = self.starts.get(kind, ())
        middle = bisect_left(starts, number.start)
        low, high = middle, middle
        while low > 0 and middle - low < _NEAR and place(starts[low - 1]) == home:
            low -= 1
        while high < len(starts) and high - middle < _NEAR and place(starts[high]) == home:
            high += 1
        return marks[low:high]

    def numbers_of_sentence(self, sentence: int) -> Sequence[Number]:
        first = bisect_left(self._number_sentences, sentence)
        last = bisect_right(self._number_sentences, sentence, first)
        return self.sheet.numbers[first : min(last, first + _NEAR)]

    def number_after(self, at: int) -> Number | None:
        index = bisect_left(self._starts_of_numbers, at)
        return self.sheet.numbers[index] if index < len(self.sheet.numbers) else None

    def loud_between(self, start: int, end: int) -> bool:
        """Whether a number that may itself be a claim starts in between."""
        return bisect_right(self._loud, end - 1) > bisect_left(self._loud, start)

    def tight_after(self, kind: str, number: Number) -> Group | None:
        """The group right behind the number, joined by a connecting word or nothing."""
        starts = self.group_starts[kind]
        index = bisect_left(starts, number.end)
        if index == len(starts) or starts[index] - number.end > _NEAR:
            return None
        group = self.groups[kind][index]
        if self.sentence(group.start) != self.sentence(number.start):
            return None
        between = self.low[number.end : group.start]
        return group if _CONNECTED.fullmatch(between) else None

    def group_before(self, kind: str, at: int) -> Group | None:
        index = bisect_left(self.group_starts[kind], at)
        return self.groups[kind][index - 1] if index else None

    def group_after(self, kind: str, at: int) -> Group | None:
        index = bisect_left(self.group_starts[kind], at)
        groups = self.groups[kind]
        return groups[index] if index < len(groups) else None

    def text(self, start: int, end: int) -> str:
        return self.low[max(0, start) : max(0, end)]
