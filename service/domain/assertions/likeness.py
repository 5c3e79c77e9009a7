"""Points without patterns: how much of a reference statement a stretch of the answer says."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final

from service.domain.assertions.clauses import COPULA
from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame, Kind, Mention, Stance
from service.domain.assertions.series import STAGES
from service.domain.assertions.tokens import Shape, tokenize
from service.domain.grading import PointClaim, RubricPoint, Verdict
from service.domain.text import Span, fold

STAGE_NAMES: Final = frozenset(STAGES.values())
# Shares of a statement's weight, set on the development wordings (eval/LOG.md, Reader).
MET_FROM: Final = 0.60
PARTIAL_FROM: Final = 0.42
UNDECIDED_FROM: Final = 0.34
# A point that no pattern found, though one stretch says this much of it, is not called missed.
DOUBTED_FROM: Final = 0.60
OTHER_SUBJECT: Final = 0.6  # what is said of somebody else fits this much worse
LEAST_WORD: Final = 4  # letters; shorter English words outside the lexicon carry no topic
CARRIES: Final = frozenset({Kind.SUBJECT, Kind.OBJECT, Kind.RELATION, Kind.QUALITY, Kind.QUANTITY})
DENIABLE: Final = frozenset({Kind.RELATION, Kind.QUALITY})


@dataclass(frozen=True, slots=True)
class Feature:
    """A concept or a word outside the lexicon; words of one language cannot match the other."""

    name: str
    lang: str = ""  # "" for a concept
    denied: bool = False

    def turned(self) -> "Feature":
        return Feature(self.name, self.lang, not self.denied)


@dataclass(frozen=True, slots=True)
class Statement:
    """What one reference sentence or one stretch of an answer says, and of whom."""

    features: frozenset[Feature]
    subjects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stretch:
    """One or two neighbouring sentences of the answer, as far as they are asserted."""

    said: Statement
    span: Span


@dataclass(frozen=True, slots=True)
class Likeness:
    """The statements of every point and how much each feature tells points apart."""

    statements: Mapping[str, tuple[Statement, ...]]
    weights: Mapping[Feature, float]


def prepare_likeness(points: Iterable[RubricPoint], lexicon: Lexicon) -> Likeness:
    """Statements from each point's text and wordings; weights by how few points say a thing."""
    statements = {p.id: tuple(_statements(p, lexicon)) for p in points}
    counts: Counter[Feature] = Counter()
    for group in statements.values():
        counts.update({f for s in group for f in s.features})
    total = len(statements) + 1
    weights = {f: log(total / n) + 0.3 for f, n in counts.items()}
    return Likeness(statements, weights)


def _statements(point: RubricPoint, lexicon: Lexicon) -> Iterable[Statement]:
    texts = [point.text.zh, point.text.en]
    texts += [text for lang in sorted(point.wordings) for text in point.wordings[lang]]
    for text in texts:
        found = _state(text, read_frames(text, lexicon), lexicon)
        if found.features:
            yield found


def _state(text: str, frames: Sequence[Frame], lexicon: Lexicon) -> Statement:
    mentions = [m for f in frames for m in f.mentions if _carries(m)]
    features = {Feature(_name(m), "", m.negated and m.kind in DENIABLE) for m in mentions}
    features |= {w for f in frames for w in _words(f, text, lexicon)}
    return Statement(frozenset(features), frozenset(s for f in frames for s in f.subjects))


def _carries(mention: Mention) -> bool:
    return mention.kind in CARRIES and COPULA.isdisjoint(mention.concepts)


def _name(mention: Mention) -> str:
    if mention.value is None:
        return mention.concepts[0]
    return f"{mention.concepts[0]}={mention.value}+{mention.share or 0}"


def _words(frame: Frame, text: str, lexicon: Lexicon) -> Iterable[Feature]:
    """Words and pairs of Han characters that the lexicon does not know."""
    part = frame.span.of(text)
    tokens = tokenize(fold(part), part, lexicon.characters)
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.shape is Shape.WORD and len(token.form) >= LEAST_WORD:
            if token.form not in lexicon.words:
                yield Feature(token.form, "en")
        elif token.shape is Shape.HAN and after is not None and after.shape is Shape.HAN:
            yield Feature(token.form + after.form, "zh")


def stretches(text: str, frames: Sequence[Frame], lexicon: Lexicon) -> tuple[Stretch, ...]:
    """Asserted sentences alone and in neighbouring pairs."""
    sentences: dict[int, list[Frame]] = {}
    for frame in frames:
        if frame.stance is Stance.ASSERTED:
            sentences.setdefault(frame.sentence, []).append(frame)
    groups = list(sentences.values())
    pairs = [a + b for a, b in pairwise(groups)]
    return tuple(
        Stretch(
            _state(text, group, lexicon),
            Span(min(f.span.start for f in group), max(f.span.end for f in group)),
        )
        for group in (*groups, *pairs)
    )


def match_by_likeness(
    answer: str, said: Sequence[Stretch], point_id: str, known: Likeness
) -> PointClaim:
    """The best fitting stretch decides; one that fits half is unjudged rather than guessed."""
    scored = [
        (_share(statement, stretch.said, known.weights), -place, stretch, statement)
        for statement in known.statements.get(point_id, ())
        for place, stretch in enumerate(said)
    ]
    if not scored:
        return PointClaim(point_id, Verdict.MISSED, "", 0.5)
    share, _, stretch, statement = max(scored, key=lambda s: (s[0], s[1]))
    verdict = _verdict(share, statement, stretch.said)
    quote = "" if verdict is Verdict.MISSED else stretch.span.of(answer).strip()
    return PointClaim(point_id, verdict, quote[:1_900], round(min(1.0, share), 2))


def doubted(claim: PointClaim, said: Sequence[Stretch], known: Likeness) -> PointClaim:
    """A missed point whose words were said after all is left unjudged rather than guessed."""
    shares = (
        _share(statement, stretch.said, known.weights)
        for statement in known.statements.get(claim.point_id, ())
        for stretch in said
        if _stages(statement) == _stages(stretch.said)
    )
    if max(shares, default=0.0) < DOUBTED_FROM:
        return claim
    return PointClaim(claim.point_id, Verdict.UNJUDGED, "", 0.0)


def _stages(statement: Statement) -> frozenset[str]:
    """The stages a statement names: what is said of another one is no likeness."""
    return STAGE_NAMES.intersection(f.name for f in statement.features)


def _share(statement: Statement, said: Statement, weights: Mapping[Feature, float]) -> float:
    """Weighted share of the statement that the stretch says; foreign words are left out.

    What is said with the opposite polarity counts as said: the verdict then turns.
    """
    langs = {f.lang for f in said.features}
    fair = sorted((f for f in statement.features if not f.lang or f.lang in langs), key=_key)
    total = sum(weights.get(f, 0.0) for f in fair)
    said_so = said.features
    hit = sum(weights.get(f, 0.0) for f in fair if f in said_so or f.turned() in said_so)
    share = hit / total if total else 0.0
    about_others = statement.subjects and said.subjects.isdisjoint(statement.subjects)
    return share * OTHER_SUBJECT if about_others and said.subjects else share


def _key(feature: Feature) -> tuple[str, str, bool]:
    return (feature.lang, feature.name, feature.denied)


def _verdict(share: float, statement: Statement, said: Statement) -> Verdict:
    if share < UNDECIDED_FROM:
        return Verdict.MISSED
    if share < PARTIAL_FROM:
        return Verdict.UNJUDGED
    if any(_is_turned(f, statement.features, said.features) for f in statement.features):
        return Verdict.CONTRADICTED
    return Verdict.MET if share >= MET_FROM else Verdict.PARTIAL


def _is_turned(feature: Feature, stated: frozenset[Feature], said: frozenset[Feature]) -> bool:
    """Said only with the other polarity, by a statement that knows only this one."""
    return feature.turned() in said and feature not in said and feature.turned() not in stated
