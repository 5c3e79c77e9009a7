"""The base answers: points drawn until a wanted total is reached, false beliefs in half of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from eval.constructed.bank import (
    FAMILIES,
    LANGUAGES,
    QUESTIONS,
    Bank,
    BankQuestion,
    Belief,
    Family,
    Split,
    half_of,
)
from eval.constructed.composing import compose
from eval.constructed.dice import Dice
from eval.constructed.figures import Figures, figures
from eval.constructed.labels import Labels, Said, What, label

BASES_PER_SPLIT: Final = 200
BANDS: Final = 10
# A block is twenty bases: each band in both languages. Seven of ten blocks ask the flagship.
BLOCK: Final = BANDS * len(LANGUAGES)
FLAGSHIP_BLOCKS: Final = 7
# Beliefs asserted in one base, of a hundred bases: none in 50, one in 35, two in 15.
BELIEFS_OF: Final = (*(0,) * 50, *(1,) * 35, *(2,) * 15)
MIXED_EVERY: Final = 10


@dataclass(frozen=True, slots=True)
class Base:
    """One assembled answer and all that is needed to say it otherwise."""

    id: str
    split: Split
    question: BankQuestion
    lang: str  # zh, en or mixed
    family: Family
    template: int
    numbers: Figures
    said: tuple[Said, ...]
    text: str
    labels: Labels

    @property
    def frame(self) -> str:
        """The language of what surrounds the statements."""
        return "zh" if self.lang == "mixed" else self.lang


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes bases, and makes them again in other words."""

    bank: Bank
    dice: Dice

    def bases(self, split: Split, count: int = BASES_PER_SPLIT) -> tuple[Base, ...]:
        return tuple(self._base(split, number) for number in range(count))

    def _base(self, split: Split, number: int) -> Base:
        dice = self.dice.at(split, number)
        question = self.bank.questions[_question(number)]
        held = self._beliefs(question, split, dice)
        points = _draw_points(question, held, number // len(LANGUAGES) % BANDS, dice)
        lang = LANGUAGES[number % len(LANGUAGES)]
        base = Base(
            id=f"{split}-{number:03d}",
            split=split,
            question=question,
            lang=lang if dice.below(MIXED_EVERY, "mixed") else "mixed",
            family=dice.pick(FAMILIES[split], "family"),
            template=dice.below(2, "template"),
            numbers=figures(split, dice.below(3, "figures")),
            said=(),
            text="",
            labels=label(question, self.bank.beliefs, ()),
        )
        return self.retell(base, self._statements(base, points, held, dice))

    def _beliefs(self, question: BankQuestion, split: Split, dice: Dice) -> dict[str, Belief]:
        known = self.bank.beliefs_for(question, split)
        wanted = BELIEFS_OF[dice.below(len(BELIEFS_OF), "beliefs")]
        chosen: dict[str, Belief] = {}
        for name in dice.shuffled(sorted(known), "beliefs"):
            touched = {p for b in chosen.values() for p in b.touches}
            if len(chosen) < wanted and not touched & known[name].touches:
                chosen[name] = known[name]
        return chosen

    def _statements(
        self, base: Base, points: Sequence[str], held: Mapping[str, Belief], dice: Dice
    ) -> tuple[Said, ...]:
        said = [self.point(base, p, _lang(base, i), dice) for i, p in enumerate(points)]
        said += [self.belief(base, b, _lang(base, i), dice) for i, b in enumerate(held)]
        said.append(self.filler(base, dice))
        return tuple(dice.shuffled(said, "order"))

    def point(self, base: Base, point: str, lang: str, dice: Dice) -> Said:
        """A statement of `point`; of near ones every fourth says only half."""
        entry = base.question.points[point]
        halves = entry.halves(lang, base.split)
        is_half = base.family is Family.NEAR and halves and not dice.below(4, f"half{point}")
        wordings = halves if is_half else entry.wordings(lang, base.family, base.split)
        text = base.numbers.fill(dice.pick(wordings, f"wording{point}"))
        return Said(What.HALF if is_half else What.WHOLE, point, lang, text)

    def belief(self, base: Base, belief: str, lang: str, dice: Dice) -> Said:
        wordings = self.bank.beliefs[belief].wordings(lang, base.split)
        return Said(What.BELIEF, belief, lang, dice.pick(wordings, f"wording{belief}"))

    def filler(self, base: Base, dice: Dice) -> Said:
        lines = half_of(self.bank.speech.fillers[base.frame], base.split)
        return Said(What.NOTHING, "filler", base.frame, dice.pick(lines, "filler"))

    def retell(self, base: Base, said: Sequence[Said]) -> Base:
        """The same answer made of other statements."""
        template = half_of(self.bank.speech.templates, base.split)[base.template]
        text = compose(said, template, base.frame, self.dice.at(base.id, "compose"))
        labels = label(base.question, self.bank.beliefs, said)
        return replace(base, said=tuple(said), text=text, labels=labels)


def _question(number: int) -> str:
    block = number // BLOCK % BANDS
    if block < FLAGSHIP_BLOCKS:
        return QUESTIONS[0]
    return QUESTIONS[1 + (number // len(LANGUAGES) + block) % 2]


def _lang(base: Base, number: int) -> str:
    return LANGUAGES[number % 2] if base.lang == "mixed" else base.lang


def _draw_points(
    question: BankQuestion, held: Mapping[str, Belief], band: int, dice: Dice
) -> list[str]:
    """Points in random order until the band's total is reached, with what they imply."""
    touched = {p for b in held.values() for p in b.touches}
    free = [
        p for p, v in question.points.items() if p not in touched and not touched & set(v.implies)
    ]
    target = (band * 100 + dice.below(100, "target")) / BANDS
    chosen: list[str] = []
    for point in dice.shuffled(free, "points"):
        if _worth(question, chosen) >= target:
            break
        wanted = (point, *question.points[point].implies)
        chosen += [p for p in wanted if p not in chosen]
    return chosen


def _worth(question: BankQuestion, points: Sequence[str]) -> float:
    total = 0.0
    for dimension, weight in question.dimensions.items():
        own = [p for p, v in question.points.items() if v.dimension == dimension]
        total += weight * sum(p in points for p in own) / len(own)
    return total
