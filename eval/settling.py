"""A set labelled by several people: answers.jsonl, a file for each further rater, settled.jsonl.

answers.jsonl   the answers with the labels of the first rater
NAME.jsonl      one more rater: id, rater, points, misconceptions
settled.jsonl   one line for each label that differs: id, point or misconception, what each rater
                said under the rater's name, `settled` and `why`
Where all agree their label stands; where they differ the decision does, and stays on record.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval.answers import VERDICTS, AnswerLine, Fault, Label, Sheet, read_sheet
from eval.sheets import read_text
from service.domain.language import msg

ANSWERS: Final = "answers.jsonl"
SETTLED: Final = "settled.jsonl"
HELD: Final = {True: "yes", False: "no"}


class Decision(BaseModel):
    """What was decided on one label; the raters' labels are kept beside it by their names."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str
    point: str | None = None
    misconception: str | None = None
    settled: str
    why: str = Field(min_length=1)

    @property
    def about(self) -> str:
        return self.point or self.misconception or ""

    @property
    def said(self) -> Mapping[str, object]:
        return self.model_extra or {}


def settled_sheet(folder: Path) -> Sheet:
    """The answers with every rater's labels, and the settled ones where there is a record.

    Raises:
        InputInvalid: a file cannot be read.
    """
    sheet = read_sheet(folder / ANSWERS)
    faults = list(sheet.faults)
    labels = {a.id: list(a.raters) for a in sheet.answers}
    more = sorted(p for p in folder.glob("*.jsonl") if p.name not in {ANSWERS, SETTLED})
    for path in more:
        faults += _gather(path, labels)
    answers = [a.model_copy(update={"raters": tuple(labels[a.id])}) for a in sheet.answers]
    if (folder / SETTLED).exists():
        decisions, more_faults = _decisions(folder / SETTLED)
        faults += more_faults
        faults += _checked(answers, decisions)
        answers = [_settled(a, decisions) for a in answers]
    return Sheet(tuple(answers), sheet.lines, tuple(faults))


def _gather(path: Path, labels: Mapping[str, list[Label]]) -> Iterator[Fault]:
    """Add one rater's labels to `labels`; what is amiss comes back."""
    for number, row in _rows(path):
        try:
            label = Label.model_validate(row)
        except ValidationError:
            yield Fault(number, msg("{file}: not a label.", file=path.name))
            continue
        known = labels.get(str(row.get("id")))
        if known is None:
            yield Fault(
                number, msg("{file}: there is no answer {id}.", file=path.name, id=row.get("id"))
            )
        elif label.rater in {k.rater for k in known}:
            yield Fault(
                number,
                msg("{file}: {id} has two labels of one rater.", file=path.name, id=row.get("id")),
            )
        else:
            known.append(label)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            try:
                row: object = json.loads(line)
            except json.JSONDecodeError:
                row = None
            yield number, cast("Mapping[str, object]", row) if isinstance(row, dict) else {}


Decisions = Mapping[tuple[str, str], tuple[int, Decision]]


def _decisions(path: Path) -> tuple[Decisions, list[Fault]]:
    found: dict[tuple[str, str], tuple[int, Decision]] = {}
    faults: list[Fault] = []
    for number, row in _rows(path):
        try:
            decision = Decision.model_validate(row)
        except ValidationError:
            faults.append(
                Fault(number, msg("settled.jsonl: a decision needs id, settled and why."))
            )
            continue
        key = (decision.id, decision.about)
        if key in found:
            faults.append(
                Fault(
                    number,
                    msg(
                        "settled.jsonl: {id} {what} is decided twice.",
                        id=decision.id,
                        what=decision.about,
                    ),
                )
            )
        found[key] = (number, decision)
    return found, faults


def differing(answer: AnswerLine) -> Mapping[str, Mapping[str, str]]:
    """Each point or belief on which the raters differ, with what each said."""
    found: dict[str, Mapping[str, str]] = {}
    for point in sorted({p for label in answer.raters for p in label.points}):
        said = {b.rater: b.points[point] for b in answer.raters if point in b.points}
        if len(set(said.values())) > 1:
            found[point] = said
    held = {b.rater: set(b.misconceptions) for b in answer.raters if b.misconceptions is not None}
    for belief in sorted({m for names in held.values() for m in names}):
        said = {rater: HELD[belief in names] for rater, names in held.items()}
        if len(set(said.values())) > 1:
            found[belief] = said
    return found


def _checked(answers: Sequence[AnswerLine], decisions: Decisions) -> Iterator[Fault]:
    """Every difference has one decision that quotes it rightly; none is about anything else."""
    open_ = {(a.id, what): said for a in answers for what, said in differing(a).items()}
    for key in open_.keys() - decisions.keys():
        undecided = msg(
            "settled.jsonl: {id} {what} differs and is not decided.", id=key[0], what=key[1]
        )
        yield Fault(1, undecided)
    for key, (number, decision) in decisions.items():
        if key not in open_:
            yield Fault(
                number,
                msg(
                    "settled.jsonl: {id} {what} does not differ.",
                    id=decision.id,
                    what=decision.about,
                ),
            )
        elif dict(decision.said) != dict(open_[key]):
            yield Fault(
                number,
                msg(
                    "settled.jsonl: {id} {what} is not what was said.",
                    id=decision.id,
                    what=decision.about,
                ),
            )
        elif decision.settled not in (VERDICTS if decision.point else HELD.values()):
            yield Fault(
                number,
                msg(
                    "settled.jsonl: {id} {what} is no verdict.", id=decision.id, what=decision.about
                ),
            )


def _settled(answer: AnswerLine, decisions: Decisions) -> AnswerLine:
    if not answer.raters:
        return answer
    decided = {what: d.settled for (id_, what), (_, d) in decisions.items() if id_ == answer.id}
    first = answer.raters[0]
    points = {p: decided.get(p, verdict) for p, verdict in first.points.items()}
    held = {m for label in answer.raters for m in label.misconceptions or ()}
    kept = sorted(m for m in held if decided.get(m, "yes") == "yes")
    return answer.model_copy(update={"points": points, "misconceptions": tuple(kept)})
