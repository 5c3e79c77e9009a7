"""The evaluation commands. Exit codes: 0 done, 1 a gate failed, 2 bad data, 3 incomplete."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from eval.answers import read_answers
from eval.pace import Pace
from eval.run import Wanted

if TYPE_CHECKING:
    from eval.answers import AnswerLine
    from eval.meta import Agreement, Rates
    from eval.pace import Progress
    from eval.run import RunReport

INCOMPLETE: Final = 3
UNREACHABLE: Final = 4
FLAGSHIP: Final = "zero-stages"
EVERY_SECONDS: Final = 10.0
FAILED: Final = 1

app = typer.Typer(
    name="eval",
    help="Evaluate answers, and the grader itself. 评测回答，也评测评分器本身。",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

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
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


@app.command()
def run(
    answers: AnswersOption,
    out: OutOption,
    question: QuestionOption = None,
    engine: EngineOption = "builtin",
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, help="Answers under way at the same time.")
    ] = 4,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try refused and unreadable replies again, too.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Refuse to open any socket; builtin only.")
    ] = False,
    price_in: Annotated[float | None, typer.Option(help="Money per million tokens in.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Money per million tokens out.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Grade every answer of a file into a folder. 把一个文件里的回答逐条评分。"""
    from eval.cost import Prices
    from eval.offline import refuse_sockets
    from service.cli.output import print_json

    if offline:
        refuse_sockets(engine)
    retried = frozenset({"refused", "parse_error"} if retry else ())
    wanted = Wanted(Pace(at_once, time.monotonic), Prices(price_in, price_out), retried)
    report = asyncio.run(_run(read_answers(answers), question, out, engine, wanted))
    if as_json:
        print_json(report.document() | {"out": str(out)})
    else:
        typer.echo(
            f"{report.graded} graded, {report.not_enough_evidence} without enough evidence, "
            f"{report.errors} errors; mean {report.mean_score}; {out}"
        )
    _leave_run(report)


def _leave_run(report: "RunReport") -> None:
    """Never 0 with rows missing."""
    if report.unreachable:
        raise typer.Exit(UNREACHABLE)
    if not report.complete:
        raise typer.Exit(INCOMPLETE)


async def _run(
    lines: "Sequence[AnswerLine]",
    question_id: str | None,
    out: Path,
    engine: str,
    wanted: Wanted,
) -> "RunReport":
    from eval.grader import open_grader
    from eval.run import run_answers

    named = question_id or (None if all(a.question_id for a in lines) else FLAGSHIP)
    async with open_grader(named, engine) as grader:
        return await run_answers(grader, lines, out, _teller(), wanted)


def _teller() -> Callable[["Progress"], None]:
    """Progress on standard error: in place on a terminal, else a line every ten seconds."""
    shown = [0.0]

    def tell(progress: "Progress") -> None:
        if sys.stderr.isatty():
            end = "\n" if progress.done == progress.total else ""
            sys.stderr.write(f"\r{progress}   {end}")
        elif progress.seconds - shown[0] >= EVERY_SECONDS:
            shown[0] = progress.seconds
            sys.stderr.write(f"{progress}\n")

    return tell


@app.command()
def meta(
    answers: Annotated[
        Path, typer.Option("--answers", help="Answers with points, misconceptions and score.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the run and agreement.json go.")
    ] = None,
    question: QuestionOption = None,
    engine: EngineOption = "builtin",
    as_json: JsonOption = False,
) -> None:
    """Agreement of the grader with labels. 评分器与人工标签的一致程度。"""
    from tempfile import TemporaryDirectory

    lines = read_answers(answers)
    if out is not None:
        _meta(lines, question, out, engine, as_json)
        return
    with TemporaryDirectory() as folder:
        _meta(lines, question, Path(folder), engine, as_json)


def _meta(
    lines: "Sequence[AnswerLine]", question: str | None, out: Path, engine: str, as_json: bool
) -> None:
    from eval.meta import compare
    from eval.run import read_results
    from service.cli.output import print_json

    report = asyncio.run(_run(lines, question, out, engine, Wanted(Pace(4, time.monotonic))))
    results: dict[str, Mapping[str, object]] = {str(r["id"]): r for r in read_results(out)}
    agreement = compare(lines, results)
    text = json.dumps(agreement.document(), indent=2) + "\n"
    (out / "agreement.json").write_text(text, encoding="utf-8")
    if as_json:
        print_json(agreement.document())
    else:
        _print_agreement(agreement)
    _leave_run(report)


def _print_agreement(agreement: "Agreement") -> None:
    typer.echo(f"answers                {agreement.answers}")
    typer.echo(f"points judged          {agreement.judged_points}")
    typer.echo(f"points unjudged        {agreement.unjudged_points}")
    typer.echo(f"exact label            {_figure(agreement.exact)}")
    typer.echo(f"met or not             {_rates(agreement.points)}")
    typer.echo(f"misconceptions         {_rates(agreement.misconceptions)}")
    typer.echo(f"total, mean abs error  {_figure(agreement.mean_absolute_error)}")
    typer.echo(f"total, bias            {_figure(agreement.bias)}")
    for name, rates in agreement.by_point.items():
        typer.echo(f"  {name:<20} {_rates(rates)}")


def _rates(rates: "Rates") -> str:
    return (
        f"P {_figure(rates.precision)}  R {_figure(rates.recall)}  F1 {_figure(rates.f1)}"
        f"  (n {rates.positives})"
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


@app.command()
def vectors(
    file: Annotated[Path, typer.Argument(help="Reference vectors (JSON).")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Run reference values through the memory module. 用参考数值检验显存模块。"""
    from eval.vectors import print_report, report_json, run_vectors
    from service.cli.output import print_json

    report = run_vectors(file)
    if as_json:
        print_json(report_json(report))
    else:
        print_report(report)
    if not report.passed_all:
        raise typer.Exit(FAILED)


@app.command()
def claims() -> None:
    """Accuracy of the number check on the labelled texts. 数字核查的准确率。"""
    from eval.claims import main

    main()


@app.command()
def retrieval() -> None:
    """Retrieval beside BM25 on the labelled queries. 检索效果与 BM25 的对比。"""
    from eval.retrieval import main

    main()


@app.command(name="misconceptions")
def misconceptions_(
    as_json: JsonOption = False,
    misses: Annotated[bool, typer.Option("--misses", help="List faults of dev only.")] = False,
) -> None:
    """Precision and recall of wrong beliefs in texts. 误解识别的准确率与召回率。"""
    from eval.misconceptions import main

    main(as_json=as_json, misses=misses)


@app.command(name="build")
def build_(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where the files go; without it the committed are checked."),
    ] = None,
    seed: Annotated[
        str, typer.Option("--seed", help="The same seed, the same bytes.")
    ] = "20261130",
    as_json: JsonOption = False,
) -> None:
    """Build the constructed set of labelled answers and attacks. 生成构造评测集。"""
    from eval.attacks.commands import build_set

    _leave(build_set(out, seed, as_json=as_json))


@app.command()
def attack(
    engine: Annotated[
        str, typer.Option("--engine", help="builtin, llm, or lexical (a floor).")
    ] = "builtin",
    split: Annotated[str, typer.Option("--split", help="dev or test; log looks at test.")] = "dev",
    kinds: Annotated[
        list[str] | None, typer.Option("--class", help="Only this class; may be repeated.")
    ] = None,
    cases: Annotated[int, typer.Option("--cases", help="Cases of each class.")] = 100,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for attack.json with the failing cases.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Robustness: attacks and relations, each class against its bar. 评分器的鲁棒性。"""
    from eval.attacks.commands import attack_grader
    from eval.constructed.bank import Split
    from service.errors import InputInvalid

    if split not in set(Split):
        raise InputInvalid("The split is dev or test, not {split}.", split=split)
    _leave(attack_grader(engine, Split(split), kinds or (), cases, out=out, as_json=as_json))


def _leave(code: int) -> None:
    if code:
        raise typer.Exit(code)
