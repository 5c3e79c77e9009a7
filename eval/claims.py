"""How well numbers in text are found and judged: strict accuracy on labelled texts.

A text counts when every labelled claim is found with the right verdict and nothing else is.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from service.cli.output import print_json
from service.domain.claims import ClaimContext, ClaimVerdict, NumericClaim, check
from service.domain.text import Span

CASES: Final = Path(__file__).parent / "cases" / "claims"


@dataclass(frozen=True, slots=True)
class Label:
    span: Span
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    split: str
    family: str
    lang: str
    text: str
    context: ClaimContext | None
    claims: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`wrong_on_right` counts right numbers called wrong; `extra` verdicts on no claim."""

    case: Case
    found: tuple[NumericClaim, ...]
    missed: tuple[Label, ...]
    misjudged: tuple[tuple[Label, NumericClaim], ...]
    extra: tuple[NumericClaim, ...]

    @property
    def is_strict(self) -> bool:
        return not (self.missed or self.misjudged or self.extra)

    @property
    def wrong_on_right(self) -> int:
        return sum(
            label.verdict is ClaimVerdict.RIGHT and claim.verdict is ClaimVerdict.WRONG
            for label, claim in self.misjudged
        )


@dataclass(frozen=True, slots=True)
class Report:
    """Counts of one split."""

    outcomes: tuple[Outcome, ...]

    @property
    def strict(self) -> float:
        return sum(o.is_strict for o in self.outcomes) / max(len(self.outcomes), 1)

    @property
    def right_called_wrong(self) -> float:
        labels = [c for o in self.outcomes for c in o.case.claims]
        right = sum(label.verdict is ClaimVerdict.RIGHT for label in labels)
        return sum(o.wrong_on_right for o in self.outcomes) / max(right, 1)

    @property
    def verdicts_without_claim(self) -> int:
        """Texts without claims on which some verdict was issued."""
        return sum(bool(o.found) for o in self.outcomes if not o.case.claims)

    def by_family(self) -> Mapping[str, tuple[int, int]]:
        table: defaultdict[str, list[bool]] = defaultdict(list)
        for outcome in self.outcomes:
            table[outcome.case.family].append(outcome.is_strict)
        return {family: (sum(rows), len(rows)) for family, rows in table.items()}


def read_cases(path: Path) -> Iterator[Case]:
    """Cases of a file of JSON lines, or of every such file of a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield _case(cast("dict[str, object]", json.loads(line)))


def _case(row: Mapping[str, object]) -> Case:
    context = cast("dict[str, float | str] | None", row.get("context"))
    claims = cast("list[dict[str, object]]", row["claims"])
    return Case(
        id=str(row["id"]),
        split=str(row["split"]),
        family=str(row["family"]),
        lang=str(row["lang"]),
        text=str(row["text"]),
        context=_context(context),
        claims=tuple(_label(claim) for claim in claims),
    )


def _context(row: Mapping[str, float | str] | None) -> ClaimContext | None:
    if row is None:
        return None
    whole = {"dp_degree", "gpus", "micro_batches"}
    values = {name: int(value) if name in whole else value for name, value in row.items()}
    return ClaimContext(**values)  # pyright: ignore[reportArgumentType]


def _label(row: Mapping[str, object]) -> Label:
    start, end = cast("list[int]", row["span"])
    return Label(Span(start, end), ClaimVerdict(str(row["verdict"])))


def judge_case(case: Case) -> Outcome:
    """Match found claims to labels by overlap, each once."""
    found = check(case.text, case.context)
    free = list(found)
    missed: list[Label] = []
    misjudged: list[tuple[Label, NumericClaim]] = []
    for label in case.claims:
        claim = next((c for c in free if c.span.overlaps(label.span)), None)
        if claim is None:
            missed.append(label)
            continue
        free.remove(claim)
        if claim.verdict is not label.verdict:
            misjudged.append((label, claim))
    return Outcome(case, found, tuple(missed), tuple(misjudged), tuple(free))


def evaluate(path: Path = CASES) -> Mapping[str, Report]:
    """A report for each split found under `path`."""
    outcomes: defaultdict[str, list[Outcome]] = defaultdict(list)
    for case in read_cases(path):
        outcomes[case.split].append(judge_case(case))
    return {split: Report(tuple(rows)) for split, rows in sorted(outcomes.items())}


def faults(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What is not as labelled, one line each."""
    for outcome in outcomes:
        if outcome.is_strict:
            continue
        yield f"{outcome.case.id} [{outcome.case.family}] {outcome.case.text}"
        for label in outcome.missed:
            yield f"    missed {label.span.of(outcome.case.text)!r} ({label.verdict})"
        for label, claim in outcome.misjudged:
            said = f"is {label.verdict}, called {claim.verdict}: {claim.why}"
            yield f"    {claim.text!r} ({claim.quantity}) {said}"
        for claim in outcome.extra:
            yield f"    extra {claim.text!r} ({claim.quantity}) {claim.verdict}: {claim.why}"


def document(reports: Mapping[str, Report]) -> dict[str, object]:
    """Shares of 0..1 and counts by split; faults of the development split only."""
    return {
        split: {
            "texts": len(report.outcomes),
            "strict": report.strict,
            "right_called_wrong": report.right_called_wrong,
            "verdicts_without_claim": report.verdicts_without_claim,
            "families": {
                family: {"strict": kept, "texts": total}
                for family, (kept, total) in sorted(report.by_family().items())
            },
            "faults": list(faults(report.outcomes)) if split == "dev" else None,
        }
        for split, report in reports.items()
    }


def main(*, as_json: bool = False) -> None:
    """Print each split; the faults of the development split only, lest the test be tuned on."""
    reports = evaluate()
    if as_json:
        print_json(document(reports))
        return
    for split, report in reports.items():
        print(
            f"{split}: {len(report.outcomes)} texts, strict {report.strict:.3f}, "
            f"right called wrong {report.right_called_wrong:.3f}, "
            f"verdicts on texts without claims {report.verdicts_without_claim}"
        )
        for family, (kept, total) in sorted(report.by_family().items()):
            print(f"  {family}: {kept}/{total}")
        if split == "dev":
            print("\n".join(faults(report.outcomes)))


if __name__ == "__main__":
    main()
