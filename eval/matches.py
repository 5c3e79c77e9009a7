"""How well requirements are judged: statuses and quoted evidence against written truth."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import yaml

from eval.splits import case_file
from service.cli.output import print_json
from service.corpus.load import load_knowledge
from service.corpus.resume_words import FILE, load_resume_words
from service.documents.text import text_lines
from service.domain.alignment import RequirementMatch, align
from service.domain.knowledge import Skill
from service.domain.posting_reading import read_posting
from service.domain.resume_reading.read import read_resume_lines
from service.domain.resume_reading.words import ResumeWords
from service.settings import ROOT

Json = Mapping[str, Any]
CASES: Final = Path(__file__).parent / "cases" / "matches"
HELD_BACK: Final = ("held_back", "written")
STATUSES: Final = ("met", "partial", "gap")


@dataclass(slots=True)
class MatchTally:
    """Pairs of (true, said) status; evidence that holds the words it must."""

    pairs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    evidence_right: int = 0
    evidence_said: int = 0
    wrong: list[str] = field(default_factory=list[str])

    @property
    def macro_f1(self) -> float:
        scores = [self._f1(s) for s in STATUSES if any(t == s for t, _ in self.pairs)]
        return sum(scores) / len(scores) if scores else 1.0

    def _f1(self, status: str) -> float:
        hit = sum(t == s == status for t, s in self.pairs)
        total = sum((t == status) + (s == status) for t, s in self.pairs)
        return 2 * hit / total if total else 1.0

    @property
    def evidence_precision(self) -> float:
        return self.evidence_right / self.evidence_said if self.evidence_said else 1.0


def read_cases(path: Path) -> Sequence[Json]:
    return cast("Sequence[Json]", yaml.safe_load(path.read_text(encoding="utf-8")))


def measure(cases: Sequence[Json], words: ResumeWords, skills: Mapping[str, Skill]) -> MatchTally:
    tally = MatchTally()
    for case in cases:
        lines, _ = text_lines(case["resume"], markdown=True)
        resume = read_resume_lines(lines, words, skills)
        match = align(resume, read_posting(case["posting"], skills), skills, case["today"])
        for true in case["statuses"]:
            _compare(case["id"], true, match.requirements, tally)
    return tally


def _compare(
    case_id: str, true: Json, judged: Sequence[RequirementMatch], tally: MatchTally
) -> None:
    said = next((j for j in judged if true["quote"] in j.requirement.text), None)
    status = said.status.value if said else "missing"
    tally.pairs.append((true["status"], status))
    if status != true["status"]:
        why = said.why if said else "not read as a requirement"
        tally.wrong.append(f"{case_id} {true['quote']!r} {status}, not {true['status']}: {why}")
    if said is not None and said.evidence and "evidence" in true:
        right = any(true["evidence"] in e.text for e in said.evidence)
        tally.evidence_said += 1
        tally.evidence_right += right
        if not right:
            tally.wrong.append(f"{case_id} {true['quote']!r} cites {said.evidence[0].text!r}")


def table(tally: MatchTally) -> Iterator[str]:
    right = sum(t == s for t, s in tally.pairs)
    yield f"status macro-F1    {tally.macro_f1:6.1%}  {right} of {len(tally.pairs)} right"
    yield f"evidence precision {tally.evidence_precision:6.1%}  of {tally.evidence_said}"


def document(tally: MatchTally, split: str) -> dict[str, object]:
    """Counts and shares of 0..1; what was wrong only for the split used while building."""
    return {
        "split": split,
        "statuses": len(tally.pairs),
        "right": sum(true == said for true, said in tally.pairs),
        "macro_f1": tally.macro_f1,
        "evidence_said": tally.evidence_said,
        "evidence_precision": tally.evidence_precision,
        "wrong": None if split in HELD_BACK else tally.wrong,
    }


def main(split: str, *, as_json: bool = False) -> None:
    """Print the table of one split; what was wrong only for the split used while building.

    Raises:
        InputInvalid: there is no such split.
    """
    skills = load_knowledge(ROOT / "knowledge").skills
    words = load_resume_words(ROOT / "knowledge" / FILE)
    cases = read_cases(case_file(CASES, split, ".yaml"))
    tally = measure(cases, words, skills)
    if as_json:
        print_json(document(tally, split))
        return
    if split not in HELD_BACK:
        print("\n".join(tally.wrong))
    print("\n".join(table(tally)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tuning")
