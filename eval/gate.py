"""Rules that a run must keep, from a YAML file; what is broken is told with the items that moved.

rules:
  - measure: totals.qwk        # a path into agreement.json, attack.json or summary.json
    at_least: 0.70
  - measure: totals.intervals.qwk.0
    at_least: 0.60
  - measure: points.false_credit
    at_most: 0.05
regression:                    # against --baseline, by id
  mae_worse_by: 1.0
  items_worse: 5
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from eval.comparing import compare_runs
from eval.folder import SUMMARY, read_run
from eval.judging import agreement_of
from eval.meta import Document
from service.errors import InputInvalid

ATTACK: Final = "attack.json"
FAILED: Final = 1
INCOMPLETE: Final = 3


class Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: str
    at_least: float | None = None
    at_most: float | None = None


class Regression(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    mae_worse_by: float | None = None
    items_worse: int | None = None


class Gate(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: tuple[Rule, ...] = ()
    regression: Regression | None = None


def read_gate(path: Path) -> Gate:
    """Raises InputInvalid: not readable, or not in this form, or without any rule."""
    try:
        gate = Gate.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        raise InputInvalid("{path} is not a gate file.", path=str(path)) from error
    bounded = all(r.at_least is not None or r.at_most is not None for r in gate.rules)
    if not bounded or not (gate.rules or gate.regression):
        raise InputInvalid("{path} is not a gate file.", path=str(path))
    return gate


def check_gate(folder: Path, config: Path, baseline: Path | None) -> Document:
    """`exit` is 0, 1 with a rule broken, 3 with rows missing.

    Raises:
        InputInvalid: the file or a folder cannot be used, or a baseline is wanted and not named.
    """
    gate = read_gate(config)
    if gate.regression and baseline is None:
        raise InputInvalid("The gate has a rule of regression; name --baseline.")
    answers, rows = read_run(folder)
    missing = [a.id for a in answers if a.id not in rows or rows[a.id]["status"] == "error"]
    checked = [_checked(rule, _measures(folder)) for rule in gate.rules]
    moved: Sequence[object] = ()
    if baseline is not None:
        compared = compare_runs(baseline, folder)
        moved = cast("Sequence[object]", compared["moved"])
        checked += list(_regressed(gate.regression, compared))
    passed = all(c["passed"] for c in checked)
    code = INCOMPLETE if missing else 0
    return {
        "exit": code if passed else FAILED,
        "passed": passed and not missing,
        "rules": checked,
        "missing": missing,
        "moved": list(moved),
    }


def _measures(folder: Path) -> Document:
    found: Document = {}
    for name in (SUMMARY, ATTACK):
        if (folder / name).exists():
            found |= json.loads((folder / name).read_text(encoding="utf-8"))
    return found | agreement_of(folder)


def value_at(document: object, path: str) -> float | None:
    """The number at a dotted path; digits are places in a list."""
    here = document
    for part in path.split("."):
        if isinstance(here, Mapping):
            here = cast("Mapping[str, object]", here).get(part)
        elif isinstance(here, list) and part.isdigit():
            listed = cast("list[object]", here)
            here = listed[int(part)] if int(part) < len(listed) else None
        else:
            return None
    return float(here) if isinstance(here, int | float) else None


def _checked(rule: Rule, measures: Document) -> Document:
    """A measure that is not there breaks its rule: what was not measured was not passed."""
    value = value_at(measures, rule.measure)
    high = value is not None and (rule.at_least is None or value >= rule.at_least)
    low = value is not None and (rule.at_most is None or value <= rule.at_most)
    return {**rule.model_dump(exclude_none=True), "value": value, "passed": high and low}


def _regressed(rule: Regression | None, compared: Document) -> Iterator[Document]:
    if rule is None:
        return
    errors = cast("Document | None", compared["errors"]) or {}
    worse = cast("Sequence[str] | None", errors.get("worse"))
    change = cast("float | None", errors.get("mae_change"))
    if rule.mae_worse_by is not None:
        kept = change is not None and change <= rule.mae_worse_by
        bound = rule.mae_worse_by
        yield {"measure": "regression.mae", "value": change, "at_most": bound, "passed": kept}
    if rule.items_worse is not None:
        kept = worse is not None and len(worse) <= rule.items_worse
        yield {
            "measure": "regression.items",
            "value": None if worse is None else len(worse),
            "at_most": rule.items_worse,
            "passed": kept,
            "items": list(worse or ()),
        }


def gate_text(document: Document) -> str:
    lines = [
        f"{'passed' if r['passed'] else 'FAILED'}  {r['measure']} = {r['value']}"
        f"  (at least {r.get('at_least', '-')}, at most {r.get('at_most', '-')})"
        f"  {r.get('items') or ''}"
        for r in cast("Sequence[Document]", document["rules"])
    ]
    if document["missing"]:
        lines.append(f"missing rows: {document['missing']}")
    moved = cast("Sequence[Document]", document["moved"])
    lines += [
        f"moved  {m['id']}: {m['before']} -> {m['after']}  {m['points'] or ''}" for m in moved
    ]
    return "\n".join(lines)
