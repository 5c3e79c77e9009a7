"""`eval public`: the floors of a public set of short answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from eval.options import JsonOption

SHOWN: Final = ("mae", "rmse", "qwk", "pearson")


def public(
    folder: Annotated[Path, typer.Argument(help="A folder with a public short-answer set.")],
    as_json: JsonOption = False,
) -> None:
    """The floors of a public set that a grader must beat. 公开短答集的底线。"""
    from eval.public_floors import public_floors
    from eval.public_sets import read_public
    from service.cli.output import print_json

    document = public_floors(read_public(folder))
    if as_json:
        print_json(document)
        return
    typer.echo(f"answers {document['answers']}, questions {document['questions']}")
    floors = cast("Mapping[str, Mapping[str, float | None]]", document["floors"])
    for name, figures in floors.items():
        shown = {k: figures[k] for k in SHOWN}
        told = ", ".join(f"{k} {v:.3f}" for k, v in shown.items() if v is not None)
        typer.echo(f"  {name:<8} {told}")
