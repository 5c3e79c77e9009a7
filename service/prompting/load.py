"""Reads the folder of prompts and refuses it, naming every fault by file and line, all at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from jinja2 import TemplateSyntaxError
from pydantic import ValidationError

from service.domain.tasks import PhraseMove, ReadAnswer, Task, WordBullets
from service.errors import PromptInvalid
from service.prompting.body import body_faults
from service.prompting.form import reply_form
from service.prompting.prompt import FrontMatter, Prompt, Prompts, environment, fingerprint

TASKS: Final[tuple[type[Task[Any]], ...]] = (ReadAnswer, PhraseMove, WordBullets)
_FENCE: Final = "---"


@dataclass(frozen=True, slots=True)
class _Source:
    """A prompt file cut in two. `body_line` is the line before the body's first."""

    path: Path
    head: str
    body: str
    body_line: int

    def fault(self, line: int, text: str) -> str:
        return f"{self.path.name}:{line}: {text}"


def load_prompts(folder: Path, tasks: Sequence[type[Task[Any]]] = TASKS) -> Prompts:
    """Read `<task>.md` for each task.

    Raises:
        PromptInvalid: a file is missing, superfluous or faulty; `faults` lists them all.
    """
    by_name = {task.prompt: task for task in tasks}
    paths = sorted(folder.glob("*.md"))
    faults = list(_strays(folder, paths, set(by_name)))
    prompts: dict[str, Prompt] = {}
    for path in paths:
        if path.stem in by_name:
            prompt, found = _read(path, by_name[path.stem])
            faults.extend(found)
            prompts |= {path.stem: prompt} if prompt else {}
    if faults:
        raise PromptInvalid("The prompts are not usable:", faults)
    return Prompts(prompts)


def _strays(folder: Path, paths: Sequence[Path], names: set[str]) -> Iterator[str]:
    present = {path.stem for path in paths}
    for name in sorted(names - present):
        yield f"{folder.name}/{name}.md: missing, the task {name} has no prompt"
    for name in sorted(present - names):
        yield f"{name}.md:1: there is no task of this name"


def _read(path: Path, task: type[Task[Any]]) -> tuple[Prompt | None, list[str]]:
    try:
        source = _split(path)
    except UnicodeDecodeError as error:
        return None, [f"{path.name}:1: not UTF-8 (byte {error.start})"]
    if isinstance(source, str):
        return None, [source]
    head, faults = _front_matter(source)
    faults += [source.fault(source.body_line + n, text) for n, text in _check_body(source, task)]
    if head is None or faults:
        return None, faults
    form = reply_form(task.reading_type)
    template = environment().from_string(source.body)
    return Prompt(head, template, form, fingerprint(source.body, form)), []


def _split(path: Path) -> _Source | str:
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0].strip() != _FENCE:
        return f"{path.name}:1: must open with a line --- and the front matter"
    ends = [n for n, line in enumerate(lines[1:], start=1) if line.strip() == _FENCE]
    if not ends:
        return f"{path.name}:{len(lines)}: the front matter is not closed by a line ---"
    body = "\n".join(lines[ends[0] + 1 :])
    return _Source(path, "\n".join(lines[1 : ends[0]]), body, ends[0] + 1)


def _front_matter(source: _Source) -> tuple[FrontMatter | None, list[str]]:
    try:
        values: object = yaml.safe_load(source.head)
        head = FrontMatter.model_validate(values)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return None, [source.fault((mark.line if mark else 0) + 2, f"no YAML: {error.problem}")]
    except ValidationError as error:
        return None, [
            source.fault(
                _line_of(source.head, e["loc"]), f"{'.'.join(map(str, e['loc']))}: {e['msg']}"
            )
            for e in error.errors()
        ]
    if head.name != source.path.stem:
        line = _line_of(source.head, ("name",))
        return None, [source.fault(line, f"name: must be {source.path.stem}, as the file")]
    return head, []


def _line_of(head: str, loc: tuple[int | str, ...]) -> int:
    """The line of a key in the file; line 2 is the first of the front matter."""
    key = str(loc[0]) if loc else ""
    lines = head.splitlines()
    return next((n for n, line in enumerate(lines, 2) if line.partition(":")[0] == key), 2)


def _check_body(source: _Source, task: type[Task[Any]]) -> list[tuple[int, str]]:
    if not source.body.strip():
        return [(0, "the body is empty")]
    try:
        tree = environment().parse(source.body)
    except TemplateSyntaxError as error:
        return [(error.lineno, f"template: {error.message}")]
    return body_faults(tree, task)
