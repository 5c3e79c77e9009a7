"""Carries out a run for the commands: the grader opened, progress told, the exit code."""

import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from eval.options import FLAGSHIP, INCOMPLETE, UNREACHABLE
from service.domain.language import Lang, Message, msg

if TYPE_CHECKING:
    from eval.answers import AnswerLine
    from eval.pace import Progress
    from eval.run import Grader, RunReport, Spread, Wanted
    from eval.workers.spread import Tidings

EVERY_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Order:
    """What to run. `workers` None: what the settings say; `uses_cache`: results may be old ones."""

    question_id: str | None
    out: Path
    engine: str
    wanted: "Wanted"
    workers: str | None = None
    uses_cache: bool = False
    lang: Lang = Lang.EN


async def run_lines(lines: "Sequence[AnswerLine]", order: Order) -> "RunReport":
    """Raises what open_grader and run_spread raise."""
    from eval.grader import open_grader
    from eval.run import run_spread

    named = order.question_id or (None if all(a.question_id for a in lines) else FLAGSHIP)
    async with open_grader(named, order.engine) as grader:
        spread = _spread(grader, order)
        tell = teller(order.lang)
        return await run_spread(spread, grader, lines, order.out, tell, order.wanted)


def _spread(grader: "Grader", order: Order) -> "Spread":
    from eval.cache import FOLDER, ResultCache
    from eval.cached import Memory, with_memory
    from eval.run import spread_here
    from service.settings import read_settings

    settings, here = read_settings(), spread_here(grader, order.wanted.pace)
    address = settings.workers_url if order.workers is None else order.workers
    spread = _by_workers(grader, order, address) if address else here
    if not order.uses_cache:
        return spread

    def told(count: int) -> None:
        _say(msg("{count} results come from the cache.", count=count), order.lang)

    cache = ResultCache(settings.data_dir / FOLDER, order.engine)
    return with_memory(spread, Memory(cache, grader, here, told))


def _by_workers(grader: "Grader", order: Order, address: str) -> "Spread":
    from eval.workers.run import Workplace, spread_over_workers
    from service.assembly import utc_now

    place = Workplace(address, new_number, utc_now, tidings(order.lang))
    return spread_over_workers(grader, order.out, order.wanted.pace, place)


def new_number() -> int:
    """Of a run or a worker: one in two thousand million."""
    return secrets.randbits(31)


def teller(lang: Lang) -> Callable[["Progress"], None]:
    """Progress on standard error: in place on a terminal, else a line every ten seconds."""
    from service.wording import load_wording

    wording = load_wording()
    shown = [0.0]

    def tell(progress: "Progress") -> None:
        if sys.stderr.isatty():
            end = "\n" if progress.done == progress.total else ""
            sys.stderr.write(f"\r{wording.render(progress.message, lang)}   {end}")
        elif progress.seconds - shown[0] >= EVERY_SECONDS:
            shown[0] = progress.seconds
            sys.stderr.write(f"{wording.render(progress.message, lang)}\n")

    return tell


def tidings(lang: Lang) -> "Tidings":
    from eval.workers.spread import Tidings

    def rescued(count: int) -> None:
        _say(msg("A worker is gone; {count} answers of it are given to others.", count=count), lang)

    return Tidings(
        lonely=lambda: _say(LONELY, lang), rescued=rescued, gave_up=lambda: _say(GAVE_UP, lang)
    )


LONELY: Final = msg(
    "No worker takes these answers. Start some with the same version and settings: "
    "shardwise eval worker"
)
GAVE_UP: Final = msg("No worker came. The same command goes on from here.")


def _say(message: Message, lang: Lang) -> None:
    from service.wording import load_wording

    sys.stderr.write(load_wording().render(message, lang) + "\n")


def leave_run(report: "RunReport") -> None:
    """Never 0 with rows missing."""
    if report.unreachable:
        raise typer.Exit(UNREACHABLE)
    if not report.complete:
        raise typer.Exit(INCOMPLETE)
