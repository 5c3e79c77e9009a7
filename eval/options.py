"""Options and exit codes that several evaluation commands share."""

from pathlib import Path
from typing import Annotated, Final

import typer

INCOMPLETE: Final = 3
FAILED: Final = 1
UNREACHABLE: Final = 4
FLAGSHIP: Final = "zero-stages"

QuestionOption = Annotated[
    str | None,
    typer.Option("--question", help="Which question was answered; else each row's question_id."),
]
AnswersOption = Annotated[
    Path, typer.Option("--answers", help="JSON lines or CSV of id, lang, answer.")
]
OutOption = Annotated[
    Path, typer.Option("--out", help="The run's folder; go on there if it exists.")
]
EngineOption = Annotated[str, typer.Option("--engine", help="builtin or llm.")]
LangOption = Annotated[str, typer.Option("--lang", help="zh or en: the language of the lines.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


def leave(code: int) -> None:
    if code:
        raise typer.Exit(code)
