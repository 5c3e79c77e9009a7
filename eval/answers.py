"""Answers to be graded, from JSON lines or CSV, with labels where people have judged them.

A row needs `id` and `answer`; `lang`, `question_id`, `group` (the base an answer was made from),
`split`, and the labels `points`, `misconceptions`, `score`, `rater` may be there. Several rows of
one id with different raters are one answer with several labels.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, cast

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from eval.sheets import csv_rows, read_text
from service.domain.grading import LEAST_CHARACTERS
from service.domain.language import Lang, Message, detect_language, msg
from service.errors import InputInvalid

TABLES: Final = frozenset({".csv", ".tsv"})
LINES: Final = frozenset({".jsonl", ".json", ".ndjson"})
VERDICTS: Final = ("met", "partial", "missed", "contradicted")
# How people write a verdict in a sheet.
SPELLED: Final[Mapping[str, str]] = {
    "1": "met", "1.0": "met", "0.5": "partial", "0": "missed", "0.0": "missed",
    "-1": "contradicted", "yes": "met", "no": "missed", "满足": "met", "讲到": "met",
    "部分": "partial", "缺失": "missed", "没讲": "missed", "未提": "missed",
    "相反": "contradicted", "矛盾": "contradicted",
}  # fmt: skip


def _verdicts(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    points = cast("Mapping[str, object]", value)
    spelled = {name: str(verdict).strip().lower() for name, verdict in points.items()}
    return {name: SPELLED.get(verdict, verdict) for name, verdict in spelled.items()}


def _listed(value: object) -> object:
    """A list, or one cell of ids parted by spaces, commas or semicolons."""
    if not isinstance(value, str):
        return value
    return tuple(value.replace(",", " ").replace(";", " ").split())


Points = Annotated[Mapping[str, str], BeforeValidator(_verdicts)]
Ids = Annotated[tuple[str, ...] | None, BeforeValidator(_listed)]


class Label(BaseModel):
    """What one person says is true of an answer. `misconceptions` is None where not asked."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    rater: str = ""
    points: Points = Field(default_factory=dict[str, str])
    misconceptions: Ids = None
    score: float | None = Field(default=None, ge=0, le=100)


class AnswerLine(BaseModel):
    """Grading sees id, lang, question and answer only; other keys are kept for `--by`."""

    model_config = ConfigDict(
        frozen=True, extra="allow", populate_by_name=True, coerce_numbers_to_str=True
    )

    id: str = Field(min_length=1)
    lang: str | None = None
    answer: str
    question_id: str | None = Field(
        default=None, validation_alias=AliasChoices("question_id", "question")
    )
    group: str | None = Field(
        default=None, validation_alias=AliasChoices("group", "base", "base_id", "cluster")
    )
    split: str | None = None
    points: Points = Field(default_factory=dict[str, str])
    misconceptions: Ids = None
    score: float | None = Field(default=None, ge=0, le=100)
    raters: tuple[Label, ...] = ()

    @property
    def reader_lang(self) -> Lang:
        """As stated; a mixed or unstated language is told from the text."""
        return Lang(self.lang) if self.lang in set(Lang) else detect_language(self.answer)

    @property
    def cluster(self) -> str:
        """Variants of one base, or answers of one author, are no independent answers."""
        return self.group or self.tag("author") or self.tag("voice") or self.id

    @property
    def is_blank(self) -> bool:
        """Fewer letters and digits than can carry a judgement."""
        return sum(c.isalnum() for c in self.answer) < LEAST_CHARACTERS

    @property
    def is_labelled(self) -> bool:
        return bool(self.points or self.raters) or self.score is not None

    def tag(self, name: str) -> str:
        """The value of any key of the row, as text; empty where there is none."""
        value = cast("object", getattr(self, name, None))
        if value is None and self.model_extra:
            value = self.model_extra.get(name)
        return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Fault:
    line: int
    what: Message


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that could be read, the lines it stood on, and all that could not."""

    answers: tuple[AnswerLine, ...]
    lines: Mapping[str, int]
    faults: tuple[Fault, ...]


def read_answers(path: Path) -> Sequence[AnswerLine]:
    """All answers, in order.

    Raises:
        InputInvalid: no such file, or a line that is no answer; names the first.
    """
    sheet = read_sheet(path)
    for fault in sheet.faults:
        raise InputInvalid(
            "{path}, line {line}: {what}", path=str(path), line=fault.line, what=fault.what
        )
    return sheet.answers


def read_sheet(path: Path) -> Sheet:
    """Everything in the file, or in the folder of a set labelled by several, with every fault.

    Raises:
        InputInvalid: the file cannot be read at all.
    """
    if path.is_dir():
        from eval.settling import settled_sheet

        return settled_sheet(path)
    text = read_text(path)
    suffix = path.suffix.lower()
    is_table = suffix in TABLES or (suffix not in LINES and not text.lstrip().startswith("{"))
    return _gathered(csv_rows(text) if is_table else _json_rows(text))


def _json_rows(text: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                yield number, None


def _gathered(rows: Iterator[tuple[int, object]]) -> Sheet:
    answers: dict[str, AnswerLine] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for number, row in rows:
        line = _read_row(row)
        if isinstance(line, Message):
            faults.append(Fault(number, line))
            continue
        before = answers.get(line.id)
        merged = line if before is None else _with_rater(before, line)
        if isinstance(merged, Message):
            faults.append(Fault(number, merged))
            continue
        answers[line.id] = merged
        lines.setdefault(line.id, number)
    return Sheet(tuple(answers.values()), lines, tuple(faults))


def _read_row(row: object) -> AnswerLine | Message:
    if not isinstance(row, dict):
        return msg("not an answer; it needs id and answer.")
    fields = cast("dict[str, object]", row)
    labels = fields.pop("labels", None)
    if isinstance(labels, dict):
        fields |= cast("dict[str, object]", labels)
    rater = str(fields.pop("rater", "") or "")
    if isinstance(labels, list):
        fields["raters"] = labels
    try:
        line = AnswerLine.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "?"
        if first["type"] == "missing":
            return msg("not an answer; it needs id and answer.")
        return msg("the value of {field} cannot be used: {why}", field=place, why=first["msg"])
    return _rated(line, rater) if rater else line


def _rated(line: AnswerLine, rater: str) -> AnswerLine:
    label = Label(
        rater=rater, points=line.points, misconceptions=line.misconceptions, score=line.score
    )
    cleared = Label().model_dump(include={"points", "misconceptions", "score"})
    return line.model_copy(update=cleared | {"raters": (label,)})


def _with_rater(before: AnswerLine, line: AnswerLine) -> AnswerLine | Message:
    """One more person's label of the same answer; a row without rater is the settled label."""
    known = {label.rater for label in before.raters}
    new = [label for label in line.raters if label.rater not in known]
    is_settled = not line.raters and not (before.points or before.score is not None)
    if line.answer != before.answer or not (new or (is_settled and before.raters)):
        return msg("the id {id} stands there twice.", id=line.id)
    settled = {"points": line.points, "misconceptions": line.misconceptions, "score": line.score}
    update: dict[str, object] = {"raters": (*before.raters, *new)}
    return before.model_copy(update=update | (settled if is_settled else {}))
