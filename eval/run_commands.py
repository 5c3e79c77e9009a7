"""The commands that grade many answers: a run, the workers it is spread over, repeats."""

import asyncio
import sys
import time
from typing import Annotated

import typer

from eval.answers import read_answers
from eval.options import (
    AnswersOption,
    EngineOption,
    JsonOption,
    LangOption,
    OutOption,
    QuestionOption,
)
from eval.pace import Pace
from eval.run import Wanted
from eval.running import Order, leave_run, new_number, run_lines


def run(
    answers: AnswersOption,
    out: OutOption,
    question: QuestionOption = None,
    engine: EngineOption = "builtin",
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, help="Answers under way at once, in each worker.")
    ] = 4,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try refused and unreadable replies again, too.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Refuse to open any socket; builtin only.")
    ] = False,
    workers: Annotated[
        str | None,
        typer.Option("--workers", help="postgresql://... where workers take part; '' for none."),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Grade anew what was graded before.")
    ] = False,
    price_in: Annotated[float | None, typer.Option(help="Money per million tokens in.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Money per million tokens out.")] = None,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Grade every answer of a file into a folder. 把一个文件里的回答逐条评分。"""
    from eval.cost import Prices
    from eval.offline import refuse_sockets
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.wording import load_wording

    if offline:
        refuse_sockets(engine, workers)
        workers = ""
    retried = frozenset({"refused", "parse_error"} if retry else ())
    wanted = Wanted(Pace(at_once, time.monotonic), Prices(price_in, price_out), retried)
    reader = reader_language(lang)
    order = Order(question, out, engine, wanted, workers, not no_cache, reader)
    ran = asyncio.run(run_lines(read_answers(answers), order))
    if as_json:
        print_json(ran.document() | {"out": str(out)})
    else:
        typer.echo(load_wording().render(ran.message(out), reader))
    leave_run(ran)


def worker(
    workers: Annotated[
        str | None,
        typer.Option("--workers", help="postgresql://...; else SHARDWISE_WORKERS_URL."),
    ] = None,
    engine: EngineOption = "builtin",
    idle: Annotated[
        float | None, typer.Option("--idle", min=0, help="Leave after so many seconds of no work.")
    ] = None,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take part in runs of other processes until told to stop. 作为工作进程参与评分。"""
    from eval.workers.database import read_workers_url, shown
    from eval.workers.worker import Shift, work
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.domain.language import msg
    from service.errors import InputInvalid
    from service.settings import read_settings
    from service.wording import load_wording

    address = workers or read_settings().workers_url
    if not address:
        raise InputInvalid("Name the database with --workers or SHARDWISE_WORKERS_URL.")
    url, wording, reader = read_workers_url(address), load_wording(), reader_language(lang)
    ready = msg("Ready for answers of {engine} on {url}.", engine=engine, url=shown(url))
    shift = Shift(
        number=new_number(),
        pace=Pace(1, time.monotonic),
        idle=idle,
        ready=lambda: print(wording.render(ready, reader), file=sys.stderr, flush=True),
    )
    graded = asyncio.run(work(url, engine, shift))
    if as_json:
        print_json({"graded": graded})
    else:
        typer.echo(wording.render(msg("{count} answers graded.", count=graded), reader))


def stability(
    answers: AnswersOption,
    out: OutOption,
    repeats: Annotated[int, typer.Option("-k", min=2, help="How often each is graded.")] = 5,
    question: QuestionOption = None,
    engine: EngineOption = "builtin",
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """The same answers graded k times, nothing cached. 同一批回答重复评分的稳定性。"""
    from eval.repeats import stability_of, stability_text
    from service.cli.language import reader_language
    from service.cli.output import print_json

    lines = read_answers(answers)
    folders = [out / f"r{n}" for n in range(repeats)]
    for folder in folders:
        wanted = Wanted(Pace(4, time.monotonic))
        order = Order(question, folder, engine, wanted, lang=reader_language(lang))
        leave_run(asyncio.run(run_lines(lines, order)))
    document = stability_of(folders)
    if as_json:
        print_json(document)
    else:
        typer.echo(stability_text(document))
