"""A checked configuration in the terminal and as a JSON document."""

from typing import Final

from rich.console import Console
from rich.text import Text

from service.domain.config_check import Estimate, Finding, Severity
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


def config_document(desk: Desk, checked: CheckedConfig) -> dict[str, object]:
    report = checked.report
    return {
        "tool": report.schema.tool.value,
        "version": report.schema.version,
        "schema": report.schema.id,
        "findings": [_finding(desk, f) for f in report.findings],
        "effects": [_finding(desk, f) for f in report.effects],
        "estimate": _estimate(report.estimate) if report.estimate else None,
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


def _estimate(estimate: Estimate) -> dict[str, object]:
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
    }


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
    console.print(Text(desk.say(msg("Not counted: {parts}", parts=states.left_out))))


def _show_questions(console: Console, desk: Desk, checked: CheckedConfig) -> None:
    if not checked.probes:
        return
    console.print()
    console.print(desk.say(msg("What an interviewer would ask:")))
    for probe in checked.probes:
        console.print(Text(f"  {probe.id:<22}{probe.text.in_(desk.lang)}"))
    console.print()
