"""`shardwise doctor`: can the model be used, and if not, what exactly is wrong."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from service.domain.language import Lang
    from service.engine.step import Step
    from service.wording.catalogue import Wording

UNREACHABLE: Final = 4
LOOKS: Final = {"ok": "green", "warning": "yellow", "failed": "red", "skipped": "dim"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of the findings.")] = "",
) -> None:
    """Test the connection to the model, step by step. 逐步检查与模型服务的连接。"""
    import asyncio
    import time

    from service.cli.language import reader_language
    from service.engine.doctor import examine, reachable
    from service.settings import read_settings
    from service.wording.catalogue import load_wording

    settings = read_settings()
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
    show(steps, load_wording(), reader_language(lang))
    if not reachable(steps):
        raise typer.Exit(UNREACHABLE)


def _print_json(steps: "Sequence[Step]", wording: "Wording", lang: "Lang") -> None:
    from service.cli.output import print_json
    from service.engine.doctor import reachable

    print_json(
        {
            "usable": reachable(steps),
            "steps": [
                {
                    "name": step.name,
                    "state": step.state.value,
                    "found": wording.render(step.found, lang),
                    "advice": wording.render(step.advice, lang) if step.advice else None,
                }
                for step in steps
            ],
        }
    )


def _show(steps: "Sequence[Step]", wording: "Wording", lang: "Lang") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for step in steps:
        mark = Text(f"{step.state.value:<9}", style=LOOKS[step.state.value])
        console.print(mark + Text(f"{step.name:<9} {wording.render(step.found, lang)}"))
        if step.advice:
            console.print(Text(f"{'':<19}{wording.render(step.advice, lang)}"))
