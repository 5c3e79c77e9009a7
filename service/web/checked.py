"""A checked text or configuration as the page shows it: sentence by sentence, key by key."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.article import CheckedArticle, Mark, MarkedSentence
from service.domain.claims.model import NumericClaim
from service.domain.config_check import Finding, Severity
from service.domain.knowledge import Fact, Knowledge, Misconception
from service.domain.language import Message, msg
from service.domain.memory import show_bytes
from service.flows.config_check import CheckedConfig
from service.web.highlight import WRONG, Piece, pieces
from service.web.highlight import Mark as Highlight
from service.web.labels import Badge

MARKS: Final[Mapping[Mark, Badge]] = {
    Mark.WRONG: Badge(msg("Wrong"), "wrong"),
    Mark.MISCONCEPTION: Badge(msg("Misconception"), "wrong"),
    Mark.CONDITIONAL: Badge(msg("Depends"), "partial"),
    Mark.RIGHT: Badge(msg("Right"), "met"),
    Mark.UNCHECKABLE: Badge(msg("Cannot be checked"), "unjudged"),
}
SEVERITIES: Final[Mapping[Severity, Badge]] = {
    Severity.ERROR: Badge(msg("error"), "wrong"),
    Severity.WARNING: Badge(msg("warning"), "partial"),
    Severity.NOTE: Badge(msg("note"), "info"),
}
ACCUSED: Final = frozenset({Mark.WRONG, Mark.MISCONCEPTION})


@dataclass(frozen=True, slots=True)
class SentenceView:
    """One marked sentence, why, and the facts it rests on."""

    badge: Badge
    words: str
    claims: tuple[NumericClaim, ...]
    beliefs: tuple[Misconception, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class ArticleView:
    """`counts` in the order of severity; `segments` are the whole text with its marks."""

    sentences: tuple[SentenceView, ...]
    read: int
    counts: tuple[tuple[Badge, int], ...]
    segments: tuple[Piece, ...]


def article_view(knowledge: Knowledge, text: str, article: CheckedArticle) -> ArticleView:
    marked = [s for s in article.sentences if s.mark is not None]
    number = Counter(s.mark for s in marked)
    return ArticleView(
        tuple(_sentences(knowledge, text, article, marked)),
        len(article.sentences),
        tuple((badge, number[mark]) for mark, badge in MARKS.items() if number[mark]),
        pieces(text, [_highlight(s) for s in marked]),
    )


def _highlight(sentence: MarkedSentence) -> Highlight:
    return Highlight(sentence.span, WRONG) if sentence.mark in ACCUSED else Highlight(sentence.span)


def _sentences(
    knowledge: Knowledge, text: str, article: CheckedArticle, marked: list[MarkedSentence]
) -> Iterator[SentenceView]:
    for sentence in marked:
        if sentence.mark is None:
            continue
        claims = tuple(article.claims[i] for i in sentence.claims)
        ids = dict.fromkeys(article.beliefs[i].misconception_id for i in sentence.beliefs)
        beliefs = tuple(knowledge.misconceptions[i] for i in ids)
        said = [article.confirmed[i] for i in sentence.confirmed]
        facts = [i for source in (*claims, *beliefs, *said) for i in source.fact_ids]
        known = tuple(knowledge.facts[i] for i in dict.fromkeys(facts) if i in knowledge.facts)
        words = " ".join(sentence.span.of(text).split())
        yield SentenceView(MARKS[sentence.mark], words, claims, beliefs, known)


@dataclass(frozen=True, slots=True)
class ConfigView:
    """`memory`, `host` and `own` are empty where model or GPUs are not known."""

    title: str
    effects: tuple[Finding, ...]
    findings: tuple[tuple[Badge, Finding], ...]
    memory: str
    host: str
    own: str
    quirks: tuple[Message, ...]
    left_out: tuple[Message, ...]
    checked: CheckedConfig


def config_view(checked: CheckedConfig) -> ConfigView:
    report, estimate = checked.report, checked.report.estimate
    own = estimate.own if estimate else None
    states = estimate.states if estimate else None
    return ConfigView(
        f"{report.schema.title} {report.schema.version}",
        report.effects,
        tuple((SEVERITIES[f.severity], f) for f in report.findings),
        states.worked if states else "",
        show_bytes(states.host_total) if states and states.host_total else "",
        show_bytes(own.gpu) if own else "",
        own.quirks if own else (),
        states.left_out if states else (),
        checked,
    )
