"""How well ads are read: requirements found, kinds, groups and skills, against written truth."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import yaml

from eval.splits import case_file
from service.cli.output import print_json
from service.corpus.load import load_knowledge
from service.domain.knowledge import Skill
from service.domain.posting import Requirement
from service.domain.posting_reading import read_posting
from service.domain.text import Span
from service.settings import ROOT

Json = Mapping[str, Any]
CASES: Final = Path(__file__).parent / "cases" / "postings"
CHECKED: Final = ("kind", "group", "negated", "years", "degree", "skills")
HELD_BACK: Final = ("held_back", "far_held_back", "written")
# Two spans are of one requirement when they share at least half of their union.
LEAST_OVERLAP: Final = 0.5


@dataclass(slots=True)
class PostingTally:
    """Counts over ads; `wrong` says what to look at."""

    said: int = 0
    true: int = 0
    hit: int = 0
    right: dict[str, int] = field(default_factory=dict[str, int])
    skills_said: int = 0
    skills_true: int = 0
    skills_hit: int = 0
    wrong: list[str] = field(default_factory=list[str])

    @property
    def f1(self) -> float:
        return 2 * self.hit / (self.said + self.true) if self.said + self.true else 1.0

    @property
    def skills_f1(self) -> float:
        total = self.skills_said + self.skills_true
        return 2 * self.skills_hit / total if total else 1.0

    def accuracy(self, name: str) -> float:
        return self.right.get(name, 0) / self.hit if self.hit else 1.0


def read_cases(path: Path) -> Sequence[Json]:
    return cast("Sequence[Json]", yaml.safe_load(path.read_text(encoding="utf-8")))


def measure(cases: Sequence[Json], skills: Mapping[str, Skill]) -> PostingTally:
    tally = PostingTally()
    for case in cases:
        _compare(case, read_posting(case["text"], skills).requirements, tally)
    return tally


def _compare(case: Json, said: Sequence[Requirement], tally: PostingTally) -> None:
    left = list(said)
    tally.said += len(said)
    for true in case["requirements"]:
        tally.true += 1
        span = _span(case["text"], true["quote"])
        best = max(left, key=lambda r: _overlap(r.span, span), default=None)
        if best is None or _overlap(best.span, span) < LEAST_OVERLAP:
            tally.wrong.append(f"{case['id']} missed {true['quote']!r}")
            tally.skills_true += len(true.get("skills", ()))
            continue
        left.remove(best)
        tally.hit += 1
        _details(case["id"], true, best, tally)
    tally.wrong.extend(f"{case['id']} extra {r.text!r}" for r in left)


def _span(text: str, quote: str) -> Span:
    start = text.index(quote)
    return Span(start, start + len(quote))


def _overlap(one: Span, other: Span) -> float:
    shared = min(one.end, other.end) - max(one.start, other.start)
    union = max(one.end, other.end) - min(one.start, other.start)
    return max(0, shared) / union if union else 0.0


def _details(case_id: str, true: Json, said: Requirement, tally: PostingTally) -> None:
    for name, right, note in _checks(true, said):
        tally.right[name] = tally.right.get(name, 0) + right
        if not right:
            tally.wrong.append(f"{case_id} {name} {note} in {said.text!r}")
    wanted, found = set(true.get("skills", ())), {*said.skills}
    tally.skills_true += len(wanted)
    tally.skills_said += len(found)
    tally.skills_hit += len(wanted & found)


def _checks(true: Json, said: Requirement) -> Iterator[tuple[str, bool, str]]:
    yield "kind", said.kind.value == true["kind"], f"{said.kind.value}, not {true['kind']}"
    group = true.get("group", "all_of")
    yield "group", said.group.value == group, f"{said.group.value}, not {group}"
    yield "negated", said.negated == true.get("negated", False), str(said.negated)
    yield "years", said.years == true.get("years"), f"{said.years}, not {true.get('years')}"
    yield "degree", said.degree == true.get("degree"), f"{said.degree}, not {true.get('degree')}"
    skills = set(true.get("skills", ()))
    yield "skills", {*said.skills} == skills, f"{sorted(said.skills)}, not {sorted(skills)}"


def table(tally: PostingTally) -> Iterator[str]:
    yield f"requirement F1 {tally.f1:6.1%}  {tally.hit} of {tally.said} said, {tally.true} true"
    for name in CHECKED:
        yield f"{name:14} {tally.accuracy(name):6.1%}"
    yield f"skills F1      {tally.skills_f1:6.1%}"


def document(tally: PostingTally, split: str) -> dict[str, object]:
    """Counts and shares of 0..1; what was wrong only for the split used while building."""
    return {
        "split": split,
        "requirements": {"said": tally.said, "true": tally.true, "hit": tally.hit, "f1": tally.f1},
        "accuracy": {name: tally.accuracy(name) for name in CHECKED},
        "skills_f1": tally.skills_f1,
        "wrong": None if split in HELD_BACK else tally.wrong,
    }


def main(split: str, *, as_json: bool = False) -> None:
    """Print the table of one split; what was wrong only for the split used while building.

    Raises:
        InputInvalid: there is no such split.
    """
    skills = load_knowledge(ROOT / "knowledge").skills
    tally = measure(read_cases(case_file(CASES, split, ".yaml")), skills)
    if as_json:
        print_json(document(tally, split))
        return
    if split not in HELD_BACK:
        print("\n".join(tally.wrong))
    print("\n".join(table(tally)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tuning")
