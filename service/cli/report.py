"""An interview's report as lines in the terminal."""

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from service.domain.language import Lang
from service.domain.reporting import QuestionReport, Report
from service.wording.catalogue import Wording

BAR = 24


def show_report(report: Report, wording: Wording, lang: Lang, console: Console) -> None:
    """Scores, each point with its quote, numbers, beliefs, gaps and one next action."""
    console.rule(wording.text("Report", lang))
    console.print(_scores(report, wording, lang))
    for question in report.questions:
        _show_question(question, wording, lang, console)
    for number, gap in enumerate(report.gaps, start=1):
        why = wording.render(gap.why, lang)
        console.print(f"{number}. {gap.text.in_(lang)} ({why})", markup=False)
        for fact in gap.facts:
            console.print(f"   {fact.id} {fact.text.in_(lang)} [{fact.source}]", markup=False)
    console.print(escape(wording.render(report.next_action, lang)), style="bold")
    if report.fell_back:
        note = "Some answers were read by the built-in engine because the model did not answer."
        console.print(wording.text(note, lang), style="yellow")


def _scores(report: Report, wording: Wording, lang: Lang) -> Table:
    table = Table(show_header=False, box=None)
    for dimension, value in report.dimensions.items():
        table.add_row(wording.text(dimension.value, lang), _bar(value), _figure(value))
    table.add_row(wording.text("total", lang), _bar(report.score), _figure(report.score))
    if report.penalty:
        table.add_row(wording.text("misconception penalty", lang), "", f"-{report.penalty:g}")
    return table


def _bar(value: float | None) -> str:
    filled = round((value or 0) / 100 * BAR)
    return "█" * filled + "░" * (BAR - filled)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _show_question(
    question: QuestionReport, wording: Wording, lang: Lang, console: Console
) -> None:
    console.print(f"\n{question.question.text.in_(lang)}", style="bold", markup=False)
    console.print(wording.text(question.state.value, lang), style="dim")
    for point in question.points:
        verdict = wording.text(point.finding.verdict.value, lang)
        console.print(f"  {verdict:<12} {point.point.text.in_(lang)}", markup=False)
        if point.finding.evidence:
            console.print(f"               “{point.finding.evidence.quote}”", markup=False)
    for claim in question.numbers:
        verdict = wording.text(claim.verdict.value, lang)
        why = wording.render(claim.why, lang)
        console.print(f"  {verdict:<12} {claim.text}  {claim.formula or ''}  {why}", markup=False)
    for held in question.misconceptions:
        correction = held.misconception.correction.in_(lang)
        console.print(f"  {held.misconception.id:<12} {correction}", markup=False)
