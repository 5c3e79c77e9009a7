"""`eval passport`: measure and write, or measure and compare with what is shipped."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, cast

import typer

from eval.options import FAILED, JsonOption, LangOption, leave


def passport(
    check: Annotated[
        bool, typer.Option("--check", help="Measure again and compare; write nothing.")
    ] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help="Write the pages anew from the figures that stand.")
    ] = False,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Measure every figure of the grader and write its passport. 重测全部指标并写出护照。"""
    from eval.passport.store import made_with, read_passport, write_passport
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.domain.language import msg
    from service.wording import load_wording

    reader, wording = reader_language(lang), load_wording()
    if pages:
        stands = read_passport()
        figures, made = (cast("dict[str, object]", stands[k]) for k in ("figures", "made"))
        typer.echo("\n".join(map(str, write_passport(figures, made))))
        return
    figures = _measured()
    if check:
        differing = _differing(figures, read_passport())
        if as_json:
            print_json({"same": not differing, "differing": differing})
        else:
            said = (
                msg("The passport says the same.")
                if not differing
                else msg("{count} figures differ from the passport:", count=len(differing))
            )
            typer.echo(wording.render(said, reader))
            for row in differing:
                typer.echo(f"  {row['figure']}: {row['before']} -> {row['now']}")
        leave(FAILED if differing else 0)
        return
    day = datetime.now(UTC).date().isoformat()  # noqa: TID251 the command is the outermost door
    paths = write_passport(figures, made_with(day))
    if as_json:
        print_json({"written": [str(p) for p in paths]})
    else:
        typer.echo("\n".join(map(str, paths)))


def _measured() -> dict[str, object]:
    from eval.passport.measure import measure

    return asyncio.run(measure())


def _differing(
    figures: Mapping[str, object], stands: Mapping[str, object]
) -> list[dict[str, object]]:
    from eval.passport.store import unlike

    return [
        {"figure": path, "before": old, "now": new}
        for path, old, new in unlike(stands["figures"], figures)
    ]
