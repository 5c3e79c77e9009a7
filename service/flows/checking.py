"""Checking any text without a service around it, and what is known before it is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain import claims
from service.domain.assertions import Lexicon, find_misconceptions
from service.domain.claims.model import ClaimContext, NumericClaim
from service.domain.grading import AssertedMisconception, ground_misconceptions
from service.domain.knowledge import Knowledge, Misconception
from service.domain.language import Lang, Message
from service.errors import InputInvalid
from service.wording.catalogue import Wording, load_wording

NUMBERS: Final[Mapping[str, Callable[[float], float | int]]] = {
    "model_params": float,
    "dp_degree": int,
    "gpus": int,
    "micro_batches": int,
}
WORDS: Final = ("scheme", "recipe", "model_name")


def read_context(given: Mapping[str, float | str | None] | None) -> ClaimContext:
    """Turn `model_params=7e9, dp_degree=64, ...` into a context; empty values are left out.

    Raises:
        InputInvalid: an unknown name or a value that is no number.
    """
    pairs = {name: value for name, value in (given or {}).items() if value is not None}
    unknown = [name for name in pairs if name not in NUMBERS and name not in WORDS]
    if unknown:
        raise InputInvalid(
            "{name} is not part of the context; known are {known}.",
            name=unknown[0],
            known=", ".join([*NUMBERS, *WORDS]),
        )
    numbers = {name: _number(name, pairs[name]) for name in NUMBERS if name in pairs}
    words = {name: str(pairs[name]) for name in WORDS if name in pairs}
    return ClaimContext(**numbers, **words)  # pyright: ignore[reportArgumentType]


def _number(name: str, value: float | str) -> float | int:
    try:
        number = float(value)
    except ValueError as error:
        raise InputInvalid("{name} must be a number.", name=name) from error
    if not isfinite(number) or NUMBERS[name](number) <= 0:
        raise InputInvalid("{name} must be more than zero, and finite.", name=name)
    return NUMBERS[name](number)


@dataclass(frozen=True, slots=True)
class Checker:
    """The number check and the misconception atlas, with reasons in one language."""

    knowledge: Knowledge
    lexicon: Lexicon
    wording: Wording
    lang: Lang

    def check(
        self, text: str, context: ClaimContext
    ) -> tuple[Sequence[NumericClaim], Sequence[tuple[Misconception, AssertedMisconception]]]:
        """Claims with verdicts, and asserted misconceptions with their quotes."""
        known = self.knowledge.misconceptions
        accused = find_misconceptions(text, tuple(known.values()), self.lexicon)
        held = ground_misconceptions(accused, text)
        return claims.check(text, context), [(known[m.misconception_id], m) for m in held]

    def say(self, message: Message) -> str:
        return self.wording.render(message, self.lang)

    def text(self, template: str) -> str:
        return self.wording.text(template, self.lang)


def open_checker(knowledge_dir: Path, lang: Lang) -> Checker:
    """Raises KnowledgeInvalid when the knowledge base has faults."""
    return Checker(
        load_knowledge(knowledge_dir), load_lexicon(knowledge_dir / "lexicon"), load_wording(), lang
    )
