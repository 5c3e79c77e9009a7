"""A checked text in the terminal and as the document that other tools rely on."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

from service.domain.article import CheckedArticle, Confirmed, HeldBelief, Mark, MarkedSentence
from service.domain.claims.model import ClaimContext, NumericClaim
from service.domain.language import msg
from service.domain.text import Span
from service.flows.article import Desk, cited_facts

LOOKS: Final = {
    Mark.RIGHT: "green",
    Mark.WRONG: "bold red",
    Mark.MISCONCEPTION: "bold red",
    Mark.CONDITIONAL: "yellow",
    Mark.UNCHECKABLE: "dim",
}
SIGNS: Final = {
    Mark.RIGHT: "✓",
    Mark.WRONG: "✗",
    Mark.MISCONCEPTION: "✗",
    Mark.CONDITIONAL: "~",
    Mark.UNCHECKABLE: "?",
}
WORDS: Final = {
    Mark.RIGHT: msg("right"),
    Mark.WRONG: msg("wrong"),
    Mark.MISCONCEPTION: msg("misconception"),
    Mark.CONDITIONAL: msg("conditional"),
    Mark.UNCHECKABLE: msg("uncheckable"),
}
INDENT: Final = "    "


def document(desk: Desk, text: str, context: ClaimContext) -> dict[str, object]:
    """The fields other tools rely on; offsets count Unicode code points."""
    article = desk.articles.check(text, context)
    return {
        "claims": [_claim(desk, claim) for claim in article.claims],
        "misconceptions": [_belief(desk, text, held) for held in article.beliefs],
        "confirmed": [_confirmed(text, said) for said in article.confirmed],
        "sentences": [_sentence(sentence) for sentence in article.sentences],
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


def show_article(desk: Desk, text: str, context: ClaimContext) -> None:
    """For people: each marked sentence, why, with the numbers put in, and the sources below."""
    console = Console(highlight=False, soft_wrap=True)
    article = desk.articles.check(text, context)
    for sentence in article.sentences:
        if sentence.mark is None:
            continue
        look = LOOKS[sentence.mark]
        head = f"{SIGNS[sentence.mark]} {desk.say(WORDS[sentence.mark])}  "
        console.print(Text(head, style=look) + Text(_one_line(sentence.span.of(text))))
        for line in _reasons(desk, article, sentence):
            console.print(Text(INDENT + line))
    _show_end(console, desk, article)


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _reasons(desk: Desk, article: CheckedArticle, sentence: MarkedSentence) -> Iterator[str]:
    for place in sentence.claims:
        claim = article.claims[place]
        formula = f" [{claim.formula}]" if claim.formula else ""
        facts = " ".join(claim.fact_ids)
        verdict = desk.say(WORDS[Mark(claim.verdict.value)])
        yield f"{claim.text}: {verdict}. {desk.say(claim.why)}{formula} {facts}"
    for place in sentence.beliefs:
        known = desk.knowledge.misconceptions[article.beliefs[place].misconception_id]
        yield f"{known.id}: {known.correction.in_(desk.lang)} {' '.join(known.fact_ids)}"
    if sentence.mark is Mark.RIGHT and not sentence.claims:
        facts = [i for place in sentence.confirmed for i in article.confirmed[place].fact_ids]
        yield " ".join(dict.fromkeys(facts))


def _show_end(console: Console, desk: Desk, article: CheckedArticle) -> None:
    counts = {mark: sum(s.mark is mark for s in article.sentences) for mark in Mark}
    if not any(counts.values()):
        console.print(desk.say(msg("No number to check and no known misconception was found.")))
        return
    console.print()
    said = ", ".join(f"{desk.say(WORDS[mark])} {n}" for mark, n in counts.items() if n)
    console.print(
        desk.say(msg("{count} sentences: {said}.", count=len(article.sentences), said=said))
    )
    for fact_id, fact in sorted(cited_facts(desk.knowledge, article).items()):
        console.print(Text(f"{fact_id}  {fact.source}", style="dim"))
