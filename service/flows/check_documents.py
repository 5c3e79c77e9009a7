"""What was checked as JSON documents: the same from the command, the API and the pages."""

from service.domain.article import CheckedArticle, Confirmed, HeldBelief, MarkedSentence
from service.domain.claims.model import NumericClaim
from service.domain.config_check import Estimate, Finding
from service.domain.text import Span
from service.flows.article import Desk, cited_facts
from service.flows.config_check import CheckedConfig


def article_document(desk: Desk, text: str, article: CheckedArticle) -> dict[str, object]:
    """The fields other tools rely on; offsets count Unicode code points."""
    return {
        "claims": [_claim(desk, claim) for claim in article.claims],
        "misconceptions": [_belief(desk, text, held) for held in article.beliefs],
        "confirmed": [_confirmed(text, said) for said in article.confirmed],
        "sentences": [_sentence(sentence) for sentence in article.sentences],
        "sources": {i: f.source for i, f in cited_facts(desk.knowledge, article).items()},
    }


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]


def _claim(desk: Desk, claim: NumericClaim) -> dict[str, object]:
    return {
        "span": _pair(claim.span),
        "text": claim.text,
        "quantity": claim.quantity.value,
        "verdict": claim.verdict.value,
        "expected": claim.expected or "",
        "formula": claim.formula,
        "why": desk.say(claim.why),
        "fact_ids": list(claim.fact_ids),
    }


def _belief(desk: Desk, text: str, held: HeldBelief) -> dict[str, object]:
    known = desk.knowledge.misconceptions[held.misconception_id]
    return {
        "id": known.id,
        "quote": held.span.of(text),
        "span": _pair(held.span),
        "correction": known.correction.in_(desk.lang),
        "fact_ids": list(known.fact_ids),
    }


def _confirmed(text: str, said: Confirmed) -> dict[str, object]:
    return {
        "question": said.question_id,
        "point": said.point_id,
        "quote": said.span.of(text),
        "span": _pair(said.span),
        "fact_ids": list(said.fact_ids),
    }


def _sentence(sentence: MarkedSentence) -> dict[str, object]:
    return {
        "span": _pair(sentence.span),
        "verdict": sentence.mark.value if sentence.mark else None,
        "claims": list(sentence.claims),
        "misconceptions": list(sentence.beliefs),
        "confirmed": list(sentence.confirmed),
        "quoted": sentence.quoted,
    }


def config_document(desk: Desk, checked: CheckedConfig) -> dict[str, object]:
    report = checked.report
    return {
        "tool": report.schema.tool.value,
        "version": report.schema.version,
        "schema": report.schema.id,
        "findings": [_finding(desk, f) for f in report.findings],
        "effects": [_finding(desk, f) for f in report.effects],
        "estimate": _estimate(desk, report.estimate) if report.estimate else None,
        "asked": [{"id": p.id, "text": p.text.in_(desk.lang)} for p in checked.probes],
        "sources": {fact.id: fact.source for fact in checked.facts},
    }


def _finding(desk: Desk, finding: Finding) -> dict[str, object]:
    return {
        "severity": finding.severity.value,
        "path": finding.path,
        "message": desk.say(finding.message),
        "fact_ids": list(finding.fact_ids),
        "source": finding.source,
    }


def _estimate(desk: Desk, estimate: Estimate) -> dict[str, object]:
    states, own = estimate.states, estimate.own
    return {
        "scheme": states.scheme.id,
        "recipe": states.recipe.id,
        "bytes_per_gpu": states.total,
        "host_bytes_per_gpu": states.host_total,
        "formula": states.formula,
        "worked": states.worked,
        "comm_elements_per_step": estimate.elements_per_step,
        "deepspeed_estimator": {"gpu": own.gpu, "cpu": own.cpu} if own else None,
        "estimator_quirks": [desk.say(quirk) for quirk in own.quirks] if own else [],
    }
