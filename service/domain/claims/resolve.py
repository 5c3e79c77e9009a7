"""Step two: what each number is about, and the conditions it rests on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.domain.claims.asked import Asked
from service.domain.claims.conditions import Conditions, Setting
from service.domain.claims.known import KnownModels
from service.domain.claims.manner import manner_of
from service.domain.claims.model import ClaimContext, Quantity
from service.domain.claims.numbers import is_candidate
from service.domain.claims.recipes import recipe_of, weight_bytes
from service.domain.claims.stance import SAME_SORT, Stance, Stances
from service.domain.claims.tokens import Mark, Number, Unit
from service.domain.claims.topics import Topics
from service.domain.claims.view import View
from service.domain.memory import GB


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number stands in its list, and from where to where the list reaches."""

    index: int = 0
    size: int = 1
    start: int = 0
    end: int = 0


_LONE: Final = Place()


class Resolver:
    """One text, its context, and all the claims in it."""

    def __init__(self, view: View, context: ClaimContext, known: KnownModels) -> None:
        self._view = view
        self._context = context
        self.conditions = Conditions(view, context, known)
        self._topics = Topics(view, self.conditions, context)
        self._stances = Stances(view)
        self._refused: Number | None = None
        self._refused_parts: tuple[str, ...] = ()
        self._sizes = _group_sizes(view.sheet.numbers)

    def claims(self) -> Iterator[Asked]:
        """Asserted claims in reading order."""
        numbers = [n for n in self._view.sheet.numbers if is_candidate(n, self.conditions.used)]
        later = _next_of_sort(numbers)
        for number, following in zip(numbers, later, strict=True):
            quantity = self._topics.quantity(number)
            is_fit = quantity is None and self._topics.may_fit(number)
            if is_fit:
                quantity = Quantity.MEMORY_PER_GPU
            if quantity is None:
                continue
            place = self._sizes.get(number.start, _LONE)
            anchor = replace(number, start=place.start, end=place.end) if place.size > 1 else number
            parts = self._topics.parts.of(anchor, place.index, place.size)
            is_weak = self._topics.parts.is_weak
            stance = self._stances.of(number, following)
            if not parts and self._corrects(number):
                parts, is_weak = self._refused_parts, True
            if stance is not Stance.ASSERTED:
                self._refused, self._refused_parts = number, parts
            else:
                asked = self._ask(anchor, quantity, parts, place)
                flags = {"weakpart"} if is_weak else set[str]()
                flags |= {"byfit"} if is_fit else set[str]()
                yield _finished(asked, _in_gigabytes(number, quantity), flags)

    def _corrects(self, number: Number) -> bool:
        """A figure right after a refused one of its sort is about the same state."""
        last = self._refused
        if last is None or SAME_SORT.get(last.unit) != SAME_SORT.get(number.unit):
            return False
        return self._view.sentence(number.start) - self._view.sentence(last.start) <= 1

    def _ask(
        self, number: Number, quantity: Quantity, parts: tuple[str, ...], place: Place
    ) -> Asked:
        index, size = place.index, place.size
        topics, conditions = self._topics, self.conditions
        model = self._model(number, index, size, quantity)
        schemes = topics.subjects.schemes(number, index, size)
        tp, pp = conditions.degree("tp", number), conditions.degree("pp", number)
        return Asked(
            number=number,
            quantity=quantity,
            schemes=schemes or ((self._context.scheme,) if self._context.scheme else ()),
            reference=topics.subjects.reference(number),
            impl=self._impl(number),
            part=parts,
            per=self._per(number, quantity),
            psi=model.value if model else None,
            model_name=model.name if model else "",
            shards=conditions.shards(number, index, size),
            tp=tp,
            pp=pp,
            micro_batches=conditions.micro_batches(number),
            recipe=recipe_of(self._view, number) or self._context.recipe or "",
            collective=_value(
                self._view.in_clause("coll", number) or self._view.in_sentence("coll", number)
            ),
            weight_bytes=weight_bytes(self._view, number),
            tokens=conditions.value("seq", number),
            batch=conditions.value("batch", number) or 1,
            offload=_value(self._view.in_sentence("offload", number)),
            capacity=topics.capacity(number) if quantity is Quantity.PARAM_COUNT else None,
            words=self._words(number, quantity),
        )

    def _per(self, number: Number, quantity: Quantity) -> str:
        """A cache is told per token, or for the tokens and sequences its own clause counts."""
        per = self._topics.subjects.per(number)
        if quantity is not Quantity.KV_CACHE or per != "token":
            return per
        if self._view.clause_has("per", number, "token"):
            return per
        counts = (self.conditions.nearest(kind, number) for kind in ("seq", "batch"))
        home = self._view.clause(number.start)
        is_counted = any(c and c.start >= 0 and self._view.clause(c.start) == home for c in counts)
        return "sequence" if is_counted else per

    def _model(self, number: Number, index: int, size: int, quantity: Quantity) -> Setting | None:
        if quantity is Quantity.PARAM_COUNT:
            return self.conditions.named_model(number)
        return self.conditions.model(number, index, size)

    def _impl(self, number: Number) -> str:
        """The implementation named nearest, in the sentence or else as the subject before."""
        estimator = self._view.sentence_has("impl", number, "estimator")
        if estimator:
            return "estimator"
        return _value(self._view.in_sentence("impl", number))

    def _words(self, number: Number, quantity: Quantity) -> frozenset[str]:
        topics = self._topics
        flags = {
            "most": quantity is Quantity.PARAM_COUNT and topics.is_largest(number),
            "later": topics.subjects.is_told_later(number),
        }
        return manner_of(self._view, number) | {name for name, is_so in flags.items() if is_so}


def _finished(asked: Asked, number: Number, flags: set[str]) -> Asked:
    if not flags and number is asked.number:
        return asked
    return replace(asked, number=number, words=asked.words | flags)


def _in_gigabytes(number: Number, quantity: Quantity) -> Number:
    """A size without a unit is said in GB."""
    if quantity is not Quantity.MEMORY_PER_GPU or number.unit is not Unit.NONE:
        return number
    return replace(number, unit=Unit.BYTES, amount=number.amount.times(GB), scale=GB)


def _value(mark: Mark | None) -> str:
    return mark.value if mark else ""


def _group_sizes(numbers: Sequence[Number]) -> dict[int, Place]:
    """The place of each listed number, by its start."""
    members: dict[int, list[Number]] = {}
    for number in numbers:
        if number.group >= 0:
            members.setdefault(number.group, []).append(number)
    return {
        number.start: Place(index, len(listed), listed[0].start, listed[-1].end)
        for listed in members.values()
        for index, number in enumerate(listed)
    }


def _next_of_sort(numbers: Sequence[Number]) -> list[Number | None]:
    """For each number the next one of its sort; bare numbers never take anything back."""
    later: list[Number | None] = [None] * len(numbers)
    seen: dict[str, Number] = {}
    for index in range(len(numbers) - 1, -1, -1):
        sort = SAME_SORT.get(numbers[index].unit, "other")
        later[index] = seen.get(sort)
        seen[sort] = numbers[index]
    return later
