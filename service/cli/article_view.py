"""A checked text in the terminal."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.text import Text

from service.domain.article import CheckedArticle, Mark, MarkedSentence
from service.domain.claims.model import ClaimContext
from service.domain.language import msg
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
