"""`shardwise check`: every number recomputed, every known misconception named."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from service.domain.claims.model import ClaimContext, NumericClaim
    from service.domain.grading import AssertedMisconception
    from service.domain.knowledge import Misconception
    from service.flows.checking import Checker


def check(
    file: Annotated[
        Path | None, typer.Argument(help="A text file; standard input when left out.")
    ] = None,
    context: Annotated[
        list[str] | None,
        typer.Option(help="What is known, e.g. model_params=7e9 or dp_degree=64. Repeatable."),
    ] = None,
    json_lines: Annotated[
        Path | None,
        typer.Option("--jsonl", help='Lines of {"id", "text", "context"}; one result a line.'),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of reasons.")] = "",
) -> None:
    """Check the numbers and beliefs in any text. 检查任意文本中的数字与说法。"""
    from service.cli.language import reader_language
    from service.cli.output import print_json, read_json_lines, read_text_file
    from service.flows.checking import open_checker, read_context
    from service.settings import read_settings

    checker = open_checker(read_settings().knowledge_dir, reader_language(lang))
    if json_lines is not None:
        for line in read_json_lines(json_lines):
            given = cast("Mapping[str, float | str] | None", line.get("context"))
            found = document(checker, str(line.get("text", "")), read_context(given))
            print_json({"id": line.get("id")} | found)
        return
    text = read_text_file(file)
    found = document(checker, text, read_context(_pairs(context or ())))
    if as_json:
        print_json({"id": str(file) if file else None} | found)
        return
    _show(checker, text, read_context(_pairs(context or ())))


def _pairs(given: Sequence[str]) -> dict[str, float | str]:
    """`name=value` options.

    Raises:
        InputInvalid: an option without `=`.
    """
    from service.errors import InputInvalid

    pairs: dict[str, float | str] = {}
    for option in given:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputInvalid("{option} must read name=value.", option=option)
        pairs[name.strip()] = value.strip()
    return pairs


def document(checker: "Checker", text: str, context: "ClaimContext") -> dict[str, object]:
    """The fields other tools rely on; offsets count Unicode code points."""
    claims, beliefs = checker.check(text, context)
    return {
        "claims": [_claim(checker, c) for c in claims],
        "misconceptions": [_belief(checker, known, held) for known, held in beliefs],
    }


def _claim(checker: "Checker", claim: "NumericClaim") -> dict[str, object]:
    return {
        "span": [claim.span.start, claim.span.end],
        "text": claim.text,
        "quantity": claim.quantity.value,
        "verdict": claim.verdict.value,
        "expected": claim.expected or "",
        "formula": claim.formula,
        "why": checker.say(claim.why),
        "fact_ids": list(claim.fact_ids),
    }


def _belief(
    checker: "Checker", known: "Misconception", held: "AssertedMisconception"
) -> dict[str, object]:
    span = held.evidence.span
    return {
        "id": known.id,
        "quote": held.evidence.quote,
        "span": [span.start, span.end],
        "correction": known.correction.in_(checker.lang),
        "fact_ids": list(known.fact_ids),
    }


LOOKS = {"right": "green", "wrong": "red", "conditional": "yellow", "uncheckable": "dim"}


def _show(checker: "Checker", text: str, context: "ClaimContext") -> None:
    """For people: the sentence's own words, the verdict, the reason, the source."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    claims, beliefs = checker.check(text, context)
    for claim in claims:
        verdict = claim.verdict.value
        mark = Text(f"{checker.text(verdict):<12}", style=LOOKS[verdict])
        console.print(mark + Text(claim.text, style="bold") + Text(f"  {claim.formula or ''}"))
        console.print(Text(f"            {checker.say(claim.why)} {' '.join(claim.fact_ids)}"))
    for known, held in beliefs:
        mark = Text(f"{known.id:<12}", style="red")
        console.print(mark + Text(f"“{held.evidence.quote}”", style="bold"))
        facts = " ".join(known.fact_ids)
        console.print(Text(f"            {known.correction.in_(checker.lang)} {facts}"))
    if not claims and not beliefs:
        console.print(checker.text("No number to check and no known misconception was found."))
