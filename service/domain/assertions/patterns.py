"""The pattern language over frames: what a rubric point or a misconception looks like when said.

Patterns are data in the knowledge files (docs/reading.md describes them); here they are checked,
compiled and matched.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame, Kind, Mention, Stance

KEYS: Final = frozenset(
    {"gives", "part", "about", "not_about", "says", "unless", "within", "stance", "own",
     "explicit", "order"}
)  # fmt: skip
TOLERANCE: Final = Fraction(1, 50)


class Gives(StrEnum):
    MET = "met"
    PARTIAL = "partial"
    CONTRADICTED = "contradicted"


class Within(StrEnum):
    """How far apart the things said may stand."""

    FRAME = "frame"
    SENTENCE = "sentence"
    PASSAGE = "passage"  # a sentence and its neighbours
    ANSWER = "answer"


class Sign(StrEnum):
    SAID = "+"
    DENIED = "-"
    EITHER = "~"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One alternative of an item: a concept, said or denied, with a value when it needs one."""

    concept: str
    sign: Sign = Sign.SAID
    value: Fraction | None = None
    share: Fraction | None = None

    def fits(self, mention: Mention) -> bool:
        return self.names(mention) and (
            self.sign is Sign.EITHER or mention.negated == (self.sign is Sign.DENIED)
        )

    def names(self, mention: Mention) -> bool:
        """The concept and value, whatever the polarity."""
        if self.concept not in mention.concepts:
            return False
        if self.value is None:
            return True
        return _close(mention.value, self.value) and _close(mention.share, self.share)


Item = tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    says: tuple[Item, ...]
    gives: Gives = Gives.MET
    part: str = ""
    about: frozenset[str] = frozenset()
    not_about: frozenset[str] = frozenset()
    unless: Item = ()
    within: Within = Within.FRAME
    stances: frozenset[Stance] = frozenset({Stance.ASSERTED})
    own: bool = False
    explicit: bool = False
    order: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A pattern found in frames. `flipped`: all was there, with the predicate denied."""

    pattern: Pattern
    frames: tuple[Frame, ...]
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class FrameIndex:
    """Frames and, per concept, which of them name it."""

    frames: tuple[Frame, ...]
    naming: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])


def index_frames(frames: Sequence[Frame]) -> FrameIndex:
    naming: dict[str, list[int]] = {}
    for place, frame in enumerate(frames):
        for concept in dict.fromkeys(c for m in frame.mentions for c in m.concepts):
            naming.setdefault(concept, []).append(place)
    return FrameIndex(tuple(frames), {c: tuple(places) for c, places in naming.items()})


def _close(found: Fraction | None, wanted: Fraction | None) -> bool:
    return abs((found or 0) - (wanted or 0)) <= TOLERANCE * abs(wanted or 1)


def compile_pattern(raw: Mapping[str, object], lexicon: Lexicon) -> Pattern:
    """Check and compile one pattern of a knowledge file.

    Raises:
        ValueError: an unknown key, concept, word of the language, or nothing said.
    """
    unknown = sorted(set(raw) - KEYS)
    if unknown:
        raise ValueError(f"unknown key in a pattern: {', '.join(unknown)}")
    says = tuple(_item(text, lexicon) for text in _texts(raw, "says"))
    if not says:
        raise ValueError("a pattern says nothing")
    unless = tuple(w for text in _texts(raw, "unless") for w in _item(text, lexicon))
    stances = _texts(raw, "stance") or ("asserted",)
    return Pattern(
        says=says,
        gives=Gives(str(raw.get("gives", "met"))),
        part=str(raw.get("part", "")),
        about=_concepts(raw, "about", lexicon),
        not_about=_concepts(raw, "not_about", lexicon),
        unless=unless,
        within=Within(str(raw.get("within", "frame"))),
        stances=frozenset(Stance(s) for s in stances),
        own=raw.get("own") is True,
        explicit=raw.get("explicit") is True,
        order=raw.get("order") is True,
    )


def _texts(raw: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = raw.get(key, ())
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key} must be a text or a list of texts")  # noqa: TRY004 - one kind
    return tuple(str(text) for text in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _concepts(raw: Mapping[str, object], key: str, lexicon: Lexicon) -> frozenset[str]:
    names = _texts(raw, key)
    for name in names:
        if name not in lexicon.kinds and name != NOBODY:
            raise ValueError(f"unknown concept {name}")
    return frozenset(names)


NOBODY: Final = "nobody"  # in about: a frame without any subject


def _item(text: str, lexicon: Lexicon) -> Item:
    return tuple(_wanted(part.strip(), lexicon) for part in text.split("|"))


def _wanted(text: str, lexicon: Lexicon) -> Wanted:
    sign = Sign(text[0]) if text[:1] in ("+", "-", "~") else Sign.SAID
    name, _, value = text.lstrip("+-~").partition("=")
    if name not in lexicon.kinds:
        raise ValueError(f"unknown concept {name}")
    if not value:
        return Wanted(name, sign)
    whole, _, share = value.partition("+")
    if "/N" in whole:
        whole, share = "0", whole
    return Wanted(name, sign, Fraction(whole), Fraction(share.removesuffix("/N") or "0"))


def find_hits(pattern: Pattern, index: FrameIndex) -> Iterator[Hit]:
    """Every place where the pattern holds, in the order of the text."""
    anchors = sorted(
        {at for wanted in pattern.says[0] for at in index.naming.get(wanted.concept, ())}
    )
    if not anchors:
        return
    seen: set[int] = set()
    for anchor in anchors:
        first, last = _window(pattern.within, index.frames, anchor)
        if pattern.within is not Within.FRAME and first in seen:
            continue
        seen.add(first)
        able = [f for f in index.frames[first:last] if _may_speak(pattern, f)]
        hit = _match(pattern, able)
        if hit:
            yield hit


def _window(within: Within, frames: Sequence[Frame], anchor: int) -> tuple[int, int]:
    if within is Within.FRAME:
        return anchor, anchor + 1
    if within is Within.ANSWER:
        return 0, len(frames)
    sentence = frames[anchor].sentence
    first, last = anchor, anchor + 1
    before = sentence - 1 if within is Within.PASSAGE else sentence
    after = sentence + 1 if within is Within.PASSAGE else sentence
    while first > 0 and frames[first - 1].sentence >= before:
        first -= 1
    while last < len(frames) and frames[last].sentence <= after:
        last += 1
    return first, last


def _may_speak(pattern: Pattern, frame: Frame) -> bool:
    if frame.stance not in pattern.stances or (pattern.own and not frame.own_case):
        return False
    if pattern.explicit and frame.carried > 0:
        return False
    subjects = frozenset(frame.subjects) or frozenset({NOBODY})
    if pattern.about and pattern.about.isdisjoint(subjects):
        return False
    return pattern.not_about.isdisjoint(subjects)


def _match(pattern: Pattern, frames: Sequence[Frame]) -> Hit | None:
    used: list[Frame] = []
    flipped = False
    place = -1
    for item in pattern.says:
        found = _find(item, frames, place if pattern.order else -1)
        if found is None:
            found = _find_flipped(item, frames) if pattern.within is Within.FRAME else None
            if found is None:
                return None
            flipped = True
        frame, mention = found
        place = mention.first
        if frame not in used:
            used.append(frame)
    watched = frames if pattern.within is Within.SENTENCE else used
    if any(w.fits(m) for f in watched for m in f.mentions for w in pattern.unless):
        return None
    return Hit(pattern, tuple(sorted(used, key=lambda f: f.span)), flipped)


def _find(item: Item, frames: Sequence[Frame], after: int) -> tuple[Frame, Mention] | None:
    for frame in frames:
        for mention in frame.mentions:
            if mention.first > after and any(w.fits(mention) for w in item):
                return frame, mention
    return None


def _find_flipped(item: Item, frames: Sequence[Frame]) -> tuple[Frame, Mention] | None:
    """The item with its polarity turned; only a predicate can be denied into the opposite."""
    for frame in frames:
        for mention in frame.mentions:
            if mention.kind in (Kind.RELATION, Kind.QUALITY) and any(
                w.names(mention) and not w.fits(mention) for w in item
            ):
                return frame, mention
    return None
