"""A checked configuration in the terminal."""

from typing import Final

from rich.console import Console
from rich.text import Text

from service.domain.config_check import Estimate, Severity
from service.domain.language import msg
from service.domain.memory import show_bytes
from service.flows.article import Desk
from service.flows.config_check import CheckedConfig

WORDS: Final = {
    Severity.ERROR: msg("error"),
    Severity.WARNING: msg("warning"),
    Severity.NOTE: msg("note"),
}
LOOKS: Final = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def show_config(desk: Desk, checked: CheckedConfig) -> None:
    console = Console(highlight=False, soft_wrap=True)
    report = checked.report
    console.print(Text(f"{report.schema.title} {report.schema.version}", style="bold"))
    for effect in report.effects:
        console.print(Text(f"  {desk.say(effect.message)} {' '.join(effect.fact_ids)}"))
    console.print()
    for finding in report.findings:
        mark = Text(f"{desk.say(WORDS[finding.severity]):<8}", style=LOOKS[finding.severity])
        facts = " ".join(finding.fact_ids)
        console.print(mark + Text(f"{finding.path}  {desk.say(finding.message)} {facts}"))
    if not report.findings:
        console.print(desk.say(msg("Nothing to mend was found.")))
    if report.estimate:
        _show_estimate(console, desk, report.estimate)
    _show_questions(console, desk, checked)
    for fact in checked.facts:
        console.print(Text(f"{fact.id}  {fact.source}", style="dim"))


def _show_estimate(console: Console, desk: Desk, estimate: Estimate) -> None:
    states = estimate.states
    console.print()
    console.print(Text(desk.say(msg("Model states per GPU: {worked}", worked=states.worked))))
    if states.host_total:
        host = show_bytes(states.host_total)
        console.print(Text(desk.say(msg("On the host, for each GPU: {bytes}", bytes=host))))
    if estimate.own:
        own = show_bytes(estimate.own.gpu)
        console.print(Text(desk.say(msg("DeepSpeed's own estimator says {bytes}.", bytes=own))))
        for quirk in estimate.own.quirks:
            console.print(Text(f"  {desk.say(quirk)}"))
    console.print(Text(desk.say(msg("Not counted: {parts}", parts=states.left_out))))


def _show_questions(console: Console, desk: Desk, checked: CheckedConfig) -> None:
    if not checked.probes:
        return
    console.print()
    console.print(desk.say(msg("What an interviewer would ask:")))
    for probe in checked.probes:
        console.print(Text(f"  {probe.id:<22}{probe.text.in_(desk.lang)}"))
    console.print()
