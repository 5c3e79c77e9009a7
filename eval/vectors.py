"""Runs reference vectors against the memory module: figures of papers and of other tools' runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isclose
from pathlib import Path
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from eval.vector_functions import FUNCTIONS, UNITS, Models, Result
from eval.vector_inputs import Inputs, Unsupported
from service.corpus.models import MODELS_FILE, load_models
from service.errors import InputInvalid, UserError
from service.settings import ROOT

# Functions whose vectors may stay without an answer, and why.
ALLOWED: Final[Mapping[str, str]] = {
    "eleuther_calc_mem": "another calculator's output under its own conventions, no formula",
    "measured_state_bytes_rank0": "ZeroRedundancyOptimizer and hybrid runs depend on the tensors",
    "measured_fsdp_collective_counts": "modes that were run for other reasons are no formula",
    "measured_deepspeed_collective_elements": "recompute gathers as many as the test model had",
    "measured_deepspeed_state_bytes": "modes that were run for other reasons are no formula",
}
# Parts of an expected value that are evidence only.
EVIDENCE: Final[Mapping[str, tuple[str, ...]]] = {
    # How many tensors the test model had decides the number of calls.
    "measured_deepspeed_collective_elements": (".calls",),
    # Under stage 3 the run could not see the master weights and noted 0.
    "measured_deepspeed_state_bytes": ("fp32_master", "grad_partition"),
}
_EXACT: Final = 1e-9
_UNIT_IN_KEY: Final = "_gib"


class Vector(BaseModel):
    """`tolerance` is absolute, in `unit`; none means exact."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    function: str
    inputs: dict[str, object]
    expected: float | dict[str, object]
    unit: str = ""
    tolerance: float | None = Field(default=None, ge=0)


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Checked:
    """One vector with its outcome; `why` says what differed or what is missing."""

    id: str
    function: str
    outcome: Outcome
    why: str = ""

    @property
    def is_excused(self) -> bool:
        return self.outcome is Outcome.UNSUPPORTED and self.function in ALLOWED


@dataclass(frozen=True, slots=True)
class VectorReport:
    checked: tuple[Checked, ...]

    def count(self, outcome: Outcome) -> int:
        return sum(c.outcome is outcome for c in self.checked)

    @property
    def passed_all(self) -> bool:
        """No failure, and nothing without an answer that is not on the allow list."""
        return bool(self.checked) and all(
            c.outcome is Outcome.PASSED or c.is_excused for c in self.checked
        )


def run_vectors(path: Path, models: Models | None = None) -> VectorReport:
    """Check every vector of the file.

    Raises:
        InputInvalid: the file cannot be read or is not in the form of reference vectors.
    """
    vectors = _read(path)
    known = load_models(ROOT / "knowledge" / MODELS_FILE) if models is None else models
    return VectorReport(tuple(check_vector(vector, known) for vector in vectors))


def check_vector(vector: Vector, models: Models) -> Checked:
    """Compute and compare one vector."""
    function = FUNCTIONS.get(vector.function)
    if function is None:
        why = ALLOWED.get(vector.function, "no such function here")
        return Checked(vector.id, vector.function, Outcome.UNSUPPORTED, why)
    inputs = Inputs(vector.inputs)
    try:
        actual = function(inputs, models)
    except (Unsupported, UserError, LookupError, ValueError) as error:
        return Checked(vector.id, vector.function, Outcome.UNSUPPORTED, str(error))
    if unread := inputs.unread():
        why = f"inputs not taken into account: {', '.join(unread)}"
        return Checked(vector.id, vector.function, Outcome.UNSUPPORTED, why)
    differences = _differences(vector, actual)
    outcome = Outcome.FAILED if differences else Outcome.PASSED
    return Checked(vector.id, vector.function, outcome, "; ".join(differences))


def _read(path: Path) -> Sequence[Vector]:
    try:
        return TypeAdapter(list[Vector]).validate_json(path.read_bytes())
    except OSError as error:
        raise InputInvalid(
            "{path} cannot be read: {why}", path=str(path), why=error.strerror
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise InputInvalid(
            "{path} holds no reference vectors: {place}: {why}",
            path=str(path),
            place=place,
            why=first["msg"],
        ) from error


def _differences(vector: Vector, actual: Result) -> list[str]:
    found = actual if isinstance(actual, Mapping) else {"": actual}
    wanted = _flat(vector.expected)
    if not wanted:
        return ["nothing expected"]
    scale = UNITS.get(vector.unit, 1.0)
    evidence = EVIDENCE.get(vector.function, ())
    return [
        text
        for key, value in wanted.items()
        if (text := _difference(key, value, found, scale, vector.tolerance, evidence))
    ]


def _difference(
    key: str,
    wanted: object,
    found: Mapping[str, float],
    scale: float,
    tolerance: float | None,
    evidence: tuple[str, ...],
) -> str:
    name = key or "value"
    if key not in found:
        return "" if key.endswith(evidence) and evidence else f"{name} was not computed"
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return "" if wanted is None else f"{name} is no number in the file"
    # Some vectors carry the unit in the key; the function answers those in it.
    actual = found[key] / (1.0 if key.endswith(_UNIT_IN_KEY) else scale)
    near = (
        isclose(actual, wanted, rel_tol=_EXACT)
        if tolerance is None
        else abs(actual - wanted) <= tolerance + _EXACT * abs(wanted)
    )
    return "" if near else f"{name} is {actual:.10g}, expected {wanted:.10g}"


def _flat(value: object, prefix: str = "") -> dict[str, object]:
    """Nested values by dotted name; a plain value has the empty name."""
    if not isinstance(value, dict):
        return {prefix: value}
    flat: dict[str, object] = {}
    for key, inner in cast("dict[str, object]", value).items():
        flat.update(_flat(inner, f"{prefix}.{key}" if prefix else key))
    return flat


def report_lines(report: VectorReport) -> list[str]:
    """Per function passed/total, what failed or is missing, and the sum as the last line."""
    totals = Counter(c.function for c in report.checked)
    passed = Counter(c.function for c in report.checked if c.outcome is Outcome.PASSED)
    lines = [f"{name} {passed[name]}/{total}" for name, total in totals.items()]
    for checked in report.checked:
        if checked.outcome is not Outcome.PASSED:
            allowed = " (allowed)" if checked.is_excused else ""
            lines.append(
                f"  {checked.id} {checked.function} {checked.outcome}{allowed}: {checked.why}"
            )
    sums = (report.count(outcome) for outcome in Outcome)
    lines.append(", ".join(f"{n} {outcome}" for n, outcome in zip(sums, Outcome, strict=True)))
    return lines


def report_json(report: VectorReport) -> dict[str, object]:
    """The same as one JSON document."""
    return {
        "passed": report.count(Outcome.PASSED),
        "failed": report.count(Outcome.FAILED),
        "unsupported": report.count(Outcome.UNSUPPORTED),
        "ok": report.passed_all,
        "vectors": [
            {"id": c.id, "function": c.function, "outcome": str(c.outcome), "why": c.why}
            for c in report.checked
        ],
    }


def print_report(report: VectorReport) -> None:
    """Print `report_lines`."""
    print("\n".join(report_lines(report)))
