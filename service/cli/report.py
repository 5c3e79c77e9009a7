"""An interview's report as lines in the terminal."""

from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from service.cli.sentences import FELL_BACK
from service.domain.language import Lang, msg
from service.domain.reporting import QuestionReport, Report
from service.web.labels import CLAIM, DIMENSION, QUESTION_STATE, VERDICT
from service.wording.catalogue import Wording

BAR: Final = 24
MARK: Final = 20  # columns


def show_report(report: Report, wording: Wording, lang: Lang, console: Console) -> None:
    """Scores, each point with its quote, numbers, beliefs, gaps and one next action."""
    console.rule(wording.render(msg("Report"), lang))
    console.print(_scores(report, wording, lang))
    for question in report.questions:
        _show_question(question, wording, lang, console)
    for number, gap in enumerate(report.gaps, start=1):
        why = wording.render(gap.why, lang)
        console.print(f"{number}. {gap.text.in_(lang)} ({why})", markup=False)
        for fact in gap.facts:
            console.print(f"   {fact.id} {fact.text.in_(lang)} [{fact.source}]", markup=False)
    console.print(escape(wording.render(report.next_action, lang)), style="bold")
    _show_next(report, wording, lang, console)
    if report.fell_back:
        console.print(wording.render(FELL_BACK, lang), style="yellow")


def _show_next(report: Report, wording: Wording, lang: Lang, console: Console) -> None:
    if not report.next_session.questions:
        return
    console.print(f"\n{wording.render(msg('Plan for the next session'), lang)}", style="bold")
    for one in report.next_session.questions:
        why = wording.render(one.why, lang)
        console.print(f"- {one.question.text.in_(lang)} ({why})", markup=False)


def _scores(report: Report, wording: Wording, lang: Lang) -> Table:
    table = Table(show_header=False, box=None)
    for dimension, value in report.dimensions.items():
        asked = _asked(report.asked.get(dimension), wording, lang)
        name = wording.render(DIMENSION[dimension], lang)
        table.add_row(name, _bar(value), _figure(value), asked)
    table.add_row(wording.render(msg("Total"), lang), _bar(report.score), _figure(report.score))
    if report.penalty:
        table.add_row(
            wording.render(msg("Penalty for misconceptions"), lang), "", f"-{report.penalty:g}"
        )
    return table


def _bar(value: float | None) -> str:
    filled = round((value or 0) / 100 * BAR)
    return "█" * filled + "░" * (BAR - filled)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _asked(value: float | None, wording: Wording, lang: Lang) -> str:
    """What an answer earns that says just what the level requires."""
    return "" if value is None else wording.render(msg("asked: {mark}", mark=value), lang)


def _show_question(
    question: QuestionReport, wording: Wording, lang: Lang, console: Console
) -> None:
    console.print(f"\n{question.question.text.in_(lang)}", style="bold", markup=False)
    console.print(wording.render(QUESTION_STATE[question.state].name, lang), style="dim")
    for point in question.points:
        verdict = wording.render(VERDICT[point.finding.verdict].name, lang)
        console.print(_marked(verdict, point.point.text.in_(lang)))
        if point.finding.evidence:
            console.print(_marked("", f"“{point.finding.evidence.quote}”"))
    for claim in question.numbers:
        verdict = wording.render(CLAIM[claim.verdict].name, lang)
        why = wording.render(claim.why, lang)
        console.print(_marked(verdict, f"{claim.text}  {claim.formula or ''}  {why}"))
    for held in question.misconceptions:
        correction = held.misconception.correction.in_(lang)
        console.print(_marked(held.misconception.id, correction))


def _marked(mark: str, text: str) -> Table:
    """A mark and its text; wide Chinese characters count as two columns."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=MARK)
    grid.add_column()
    grid.add_row(escape(f"  {mark}"), escape(text))
    return grid
