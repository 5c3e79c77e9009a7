"""The result of the probe suite for people and for programs."""

from dataclasses import asdict
from typing import Final

from eval.attacks.model import Bar
from eval.attacks.relations import ClassReport
from eval.attacks.suite import SuiteReport

HEAD: Final = (
    f"{'class':<20}{'n':>5}{'holds':>8}{'mean':>8}{'95 %':>18}{'worst':>9}{'gain10':>8}  bar"
)


def table(report: SuiteReport) -> str:
    """One line a class; `mean` as in ClassReport, all in points of 100."""
    lines = [HEAD, *(_line(c) for c in report.classes)]
    lines.append(
        f"{sum(c.passed for c in report.classes)} of {len(report.classes)} classes pass; "
        f"{len(report.missing)} cases missing"
    )
    return "\n".join(lines)


def _line(one: ClassReport) -> str:
    interval = f"[{one.low:.2f}, {one.high:.2f}]"
    return (
        f"{one.kind:<20}{one.n:>5}{one.holds:>8.3f}{one.mean:>8.2f}{interval:>18}"
        f"{one.worst:>9.2f}{one.gained:>8.3f}  {bar_words(one.bar)}: "
        f"{'pass' if one.passed else f'FAIL ({one.worst_id})'}"
    )


def bar_words(bar: Bar) -> str:
    parts = [f"{bar.relation.value} within {bar.tolerance:g}"]
    named = {"mean": bar.mean, "worst": bar.worst, "holds": bar.holds}
    parts += [f"{name} {value:g}" for name, value in named.items() if value is not None]
    return ", ".join(parts)


def document(report: SuiteReport, engine: str, split: str) -> dict[str, object]:
    """All of it as JSON; `failing` lists the ids of the cases whose relation does not hold."""
    failing: dict[str, list[str]] = {}
    for outcome in report.outcomes:
        if not outcome.holds:
            failing.setdefault(outcome.case.kind, []).append(outcome.case.id)
    return {
        "engine": engine,
        "split": split,
        "passed": report.passed and not report.missing,
        "classes": [asdict(c) for c in report.classes],
        "failing": failing,
        "missing": list(report.missing),
    }
