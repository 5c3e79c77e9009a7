"""What a stretch of text leaves behind to compare it by: words, concepts, numbers, stance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Final

from service.domain.assertions.clauses import NOT
from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.likeness import CARRIES, DENIABLE
from service.domain.assertions.model import Frame, Mention, Stance
from service.domain.assertions.sentences import COPULA
from service.domain.assertions.tokens import Shape, tokenize
from service.domain.text import fold

UNKNOWN_WORD: Final = 0.7  # of the weight of the rarest word known
NOT_HELD: Final = frozenset({Stance.QUOTED, Stance.REJECTED, Stance.CORRECTED, Stance.HEDGED})


@dataclass(frozen=True, slots=True)
class Said:
    """A concept as far as it can be compared: its name, and whether it is denied."""

    name: str
    denied: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """What one frame says of whom; `held` when the speaker means it."""

    subjects: frozenset[str]
    said: frozenset[Said]
    held: bool
    denied: bool  # its predicate, or that it is so


@dataclass(frozen=True)
class Trace:
    """One stretch of text; the shares of stance are of its frames, 0 to 1."""

    words: frozenset[str]
    concepts: frozenset[Said]
    subjects: frozenset[str]
    numbers: frozenset[tuple[Fraction, Fraction | None]]
    denials: int
    stances: Mapping[Stance, float]
    asks: bool
    clauses: tuple[Clause, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(c.name for c in self.concepts)

    @property
    def not_held(self) -> float:
        return sum(self.stances.get(s, 0.0) for s in NOT_HELD)


def trace_of(text: str, frames: Sequence[Frame], lexicon: Lexicon) -> Trace:
    """`frames` are those of this stretch, read in the text that it stands in."""
    mentions = [m for f in frames for m in f.mentions]
    counts = Counter(f.stance for f in frames)
    return Trace(
        words=words_of(text, lexicon),
        concepts=_said(mentions),
        subjects=frozenset(s for f in frames for s in f.subjects),
        numbers=frozenset((m.value, m.share) for m in mentions if m.value is not None),
        denials=sum(NOT in m.concepts for m in mentions),
        stances={stance: n / len(frames) for stance, n in counts.items()},
        asks="?" in fold(text).text or counts[Stance.ASKED] > 0,
        clauses=tuple(c for f in frames if (c := _clause(f)).said),
    )


def _clause(frame: Frame) -> Clause:
    held = frame.stance is Stance.ASSERTED
    denied = any(m.negated and m.kind in DENIABLE for m in frame.mentions)
    return Clause(frozenset(frame.subjects), _said(frame.mentions), held, denied)


def _said(mentions: Iterable[Mention]) -> frozenset[Said]:
    return frozenset(
        Said(_name(m), m.negated and m.kind in DENIABLE) for m in mentions if _carries(m)
    )


def read_trace(text: str, lexicon: Lexicon) -> Trace:
    return trace_of(text, read_frames(text, lexicon), lexicon)


def words_of(text: str, lexicon: Lexicon) -> frozenset[str]:
    """Stems, numbers and pairs of Han characters."""
    tokens = tokenize(fold(text), text, lexicon.characters)
    found: set[str] = set()
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.shape in (Shape.WORD, Shape.NUMBER):
            found.add(token.form)
        elif token.shape is Shape.HAN and after is not None and after.shape is Shape.HAN:
            found.add(token.form + after.form)
    return frozenset(found)


def _carries(mention: Mention) -> bool:
    return mention.kind in CARRIES and COPULA.isdisjoint(mention.concepts)


def _name(mention: Mention) -> str:
    if mention.value is None:
        return mention.concepts[0]
    return f"{mention.concepts[0]}={mention.value}+{mention.share or 0}"


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a word tells: the logarithm of one over the share of texts that have it."""

    weights: Mapping[str, float]
    unknown: float

    def of(self, words: Iterable[str]) -> float:
        """The weights added up, in the order of the words, so that sums never differ."""
        return sum(self.weights.get(w, self.unknown) for w in sorted(words))


def rarity_of(texts: Sequence[Iterable[str]]) -> Rarity:
    counts = Counter(w for words in texts for w in words)
    total = max(2, len(texts))
    weights = {w: log(total / n) for w, n in counts.items()}
    return Rarity(weights, UNKNOWN_WORD * log(total))
