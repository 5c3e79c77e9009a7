"""`shardwise doctor`: what a start and the model need, and if something is wrong, what exactly."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from service.domain.language import Lang
    from service.engine.step import Step
    from service.wording.catalogue import Wording

BAD_PLACE: Final = 2
UNREACHABLE: Final = 4
LOOKS: Final = {"ok": "green", "warning": "yellow", "failed": "red", "skipped": "dim"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of the findings.")] = "",
) -> None:
    """Test this installation and the connection to the model. 逐步检查本机安装与模型连接。"""
    import asyncio
    import time

    from service.assembly import utc_now
    from service.cli.language import reader_language
    from service.cli.place import examine_place
    from service.engine.doctor import examine, reachable
    from service.settings import read_settings
    from service.wording.catalogue import load_wording

    settings = read_settings()
    place = examine_place(settings, utc_now)
    steps = asyncio.run(
        examine(
            settings.openai_base_url,
            settings.openai_api_key,
            settings.model,
            seconds=settings.model_seconds,
            clock=time.monotonic,
        )
    )
    show = _print_json if as_json else _show
    show(place, steps, load_wording(), reader_language(lang))
    if not reachable(place):
        raise typer.Exit(BAD_PLACE)
    if not reachable(steps):
        raise typer.Exit(UNREACHABLE)


def _print_json(
    place: "Sequence[Step]", steps: "Sequence[Step]", wording: "Wording", lang: "Lang"
) -> None:
    from service.cli.output import print_json
    from service.engine.doctor import reachable

    print_json(
        {
            "usable": reachable(place) and reachable(steps),
            "place": [_document(step, wording, lang) for step in place],
            "steps": [_document(step, wording, lang) for step in steps],
        }
    )


def _document(step: "Step", wording: "Wording", lang: "Lang") -> dict[str, str | None]:
    return {
        "name": step.name,
        "state": step.state.value,
        "found": wording.render(step.found, lang),
        "advice": wording.render(step.advice, lang) if step.advice else None,
    }


def _show(
    place: "Sequence[Step]", steps: "Sequence[Step]", wording: "Wording", lang: "Lang"
) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for step in (*place, *steps):
        mark = Text(f"{step.state.value:<9}", style=LOOKS[step.state.value])
        found = Text(f"{step.name:<9} {wording.render(step.found, lang)}")
        console.print(mark + found, soft_wrap=True)
        if step.advice:
            console.print(Text(f"{'':<19}{wording.render(step.advice, lang)}"), soft_wrap=True)
