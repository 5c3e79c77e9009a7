"""The gate of every check: the small constructed set read anew and held against stored results.

`eval/baselines/ci.json` keeps what the grader said when the baseline was made; the figures of both
sides are worked out here from the same labels. `eval/baselines/ci.yaml` has the margins.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from eval.attacks.model import Case, Graded
from eval.attacks.relations import judge
from eval.constructed.build import CI, COMMITTED
from eval.gate import value_at
from eval.measures.points import point_figures, share
from eval.meta import Document, said_of
from eval.passport.reading import graded_of
from eval.row import Row
from service.errors import InputInvalid
from service.settings import ROOT

BASELINE: Final = ROOT / "eval" / "baselines" / "ci.json"
MARGINS: Final = ROOT / "eval" / "baselines" / "ci.yaml"
SMALL: Final = COMMITTED / CI
# A total nearer than this to the label's is as good as before, in points of 100.
SAME: Final = 1.0
Line = Mapping[str, object]
Rows = Mapping[str, Row]


class Margin(BaseModel):
    """How much worse a measure may get; `is_error` where more is worse."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: str
    worse_by: float
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    measure: str
    before: float | None
    after: float | None
    worse_by: float
    passed: bool


def read_lines(path: Path = SMALL) -> Sequence[Line]:
    """Raises InputInvalid: the set is not there."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputInvalid("{path} cannot be read.", path=str(path)) from error
    return [cast("Line", json.loads(line)) for line in text.splitlines()]


def read_margins(path: Path = MARGINS) -> Sequence[Margin]:
    """Raises InputInvalid: not of this form, or empty."""
    try:
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
        margins = [Margin.model_validate(row) for row in rows["margins"]]
    except (OSError, TypeError, KeyError, yaml.YAMLError, ValidationError) as error:
        raise InputInvalid("{path} is not a gate file.", path=str(path)) from error
    if not margins:
        raise InputInvalid("{path} is not a gate file.", path=str(path))
    return margins


def is_attack(line: Line) -> bool:
    return "points" not in line


def bases_wanted(lines: Sequence[Line]) -> frozenset[str]:
    """The honest answers that attacks are compared with."""
    return frozenset(str(x["base"]) for x in lines if is_attack(x) and x["base"])


def slim(row: Row) -> Row:
    """What of a result the gate compares."""
    points = cast("Mapping[str, Mapping[str, str]]", row["points"])
    verdicts = {p: {"verdict": v["verdict"]} for p, v in points.items()}
    return {"score": row["score"], "points": verdicts, "misconceptions": row["misconceptions"]}


def figures_of(lines: Sequence[Line], rows: Rows) -> Document:
    """Points, beliefs, totals of the labelled lines; the share of attacks whose relation holds."""
    labelled = [x for x in lines if not is_attack(x)]
    pairs = [
        (verdict, said_of(rows[str(x["id"])], point))
        for x in labelled
        for point, verdict in cast("Mapping[str, str]", x["points"]).items()
    ]
    errors = [_error(x, rows) for x in labelled]
    held = [_holds(x, rows) for x in lines if is_attack(x)]
    return {
        "points": point_figures(pairs).document(),
        "beliefs": point_figures(list(_beliefs(labelled, rows))).document(),
        "totals": {"n": len(errors), "mae": float(np.mean(errors)) if errors else None},
        "attacks": {"n": len(held), "holds": share(held)},
    }


def _error(line: Line, rows: Rows) -> float:
    """A withheld mark is taken as 0: to give no marks any more must not look better."""
    said = cast("float | None", rows[str(line["id"])]["score"]) or 0.0
    return abs(said - float(cast("float", line["score"])))


def _beliefs(lines: Sequence[Line], rows: Rows) -> Iterator[tuple[str, str]]:
    word = {True: "met", False: "missed"}
    for line in lines:
        true = set(cast("Sequence[str]", line["misconceptions"]))
        said = set(cast("Sequence[str]", rows[str(line["id"])]["misconceptions"]))
        yield from ((word[m in true], word[m in said]) for m in sorted(true | said))


def _holds(line: Line, rows: Rows) -> bool:
    base = str(line["base"]) if line["base"] else None
    case = Case(
        id=str(line["id"]),
        kind=str(line["kind"]),
        question=str(line["question"]),
        lang=str(line["lang"]),
        answer=str(line["answer"]),
        cluster=str(line["cluster"]),
        base=base,
        lost=tuple(cast("Sequence[str]", line["lost"])),
        beliefs=tuple(cast("Sequence[str]", line["beliefs"])),
    )
    before: Graded | None = graded_of(rows[base]) if base else None
    return judge(case, graded_of(rows[case.id]), before).holds


def verdicts(before: Document, after: Document, margins: Sequence[Margin]) -> Sequence[Verdict]:
    """A measure that is gone fails: what was not measured was not kept."""
    return [_verdict(m, value_at(before, m.measure), value_at(after, m.measure)) for m in margins]


def _verdict(margin: Margin, before: float | None, after: float | None) -> Verdict:
    if before is None or after is None:
        return Verdict(margin.measure, before, after, margin.worse_by, before is None)
    worse = after - before if margin.is_error else before - after
    passed = worse <= margin.worse_by + 1e-9
    return Verdict(margin.measure, before, after, margin.worse_by, passed)


def worsened(lines: Sequence[Line], before: Rows, after: Rows) -> Iterator[Document]:
    """The items that the new results judge worse: marks, points, beliefs, relations."""
    for line in lines:
        name = str(line["id"])
        found = (
            _attack_moved(line, before, after) if is_attack(line) else _moved(line, before, after)
        )
        if found:
            scores = {"before": before[name]["score"], "after": after[name]["score"]}
            yield {"id": name, **scores, **found}


def _attack_moved(line: Line, before: Rows, after: Rows) -> Document:
    is_lost = _holds(line, before) and not _holds(line, after)
    return {"relation": f"{line['kind']}: {line['relation']}"} if is_lost else {}


def _moved(line: Line, before: Rows, after: Rows) -> Document:
    name = str(line["id"])
    labels = cast("Mapping[str, str]", line["points"])
    lost = {
        p: [said_of(before[name], p), said_of(after[name], p), f"label {true}"]
        for p, true in labels.items()
        if (said_of(before[name], p) == "met") == (true == "met")
        and (said_of(after[name], p) == "met") != (true == "met")
    }
    true = set(cast("Sequence[str]", line["misconceptions"]))
    old, new = (set(cast("Sequence[str]", r[name]["misconceptions"])) for r in (before, after))
    beliefs = sorted((new ^ true) - (old ^ true))
    farther = _error(line, after) - _error(line, before) > SAME
    found: Document = {"points": lost} if lost else {}
    found |= {"beliefs": beliefs} if beliefs else {}
    return found or ({"points": {}} if farther else {})
