"""The evaluation commands. Exit codes: 0 done, 1 a gate failed, 2 bad data, 3 incomplete."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from eval.answers import read_answers
from eval.cache_commands import cache
from eval.folder_commands import compare, gate, grade, report, validate
from eval.interviews.command import interviews
from eval.options import (
    FAILED,
    INCOMPLETE,
    EngineOption,
    JsonOption,
    QuestionOption,
    leave,
)
from eval.pace import Pace
from eval.passport.command import passport
from eval.public_command import public
from eval.quick_command import ci
from eval.run import Wanted
from eval.run_commands import run, stability, worker
from eval.running import Order, leave_run, run_lines

app = typer.Typer(
    name="eval",
    help="Evaluate answers, and the grader itself. 评测回答，也评测评分器本身。",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(cache, name="cache")


@app.command()
def meta(
    folder: Annotated[Path | None, typer.Argument(help="A run with labelled answers.")] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", help="Labelled answers: graded first.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the run and agreement.json go.")
    ] = None,
    question: QuestionOption = None,
    engine: EngineOption = "builtin",
    by: Annotated[
        list[str] | None, typer.Option("--by", help="Also by this key of the rows.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Agreement of the grader with labels. 评分器与人工标签的一致程度。"""
    from tempfile import TemporaryDirectory

    from eval.judging import agreement_of
    from eval.report.page import agreement_text
    from service.cli.output import print_json
    from service.errors import InputInvalid

    with TemporaryDirectory() as scratch:
        run_folder = folder or out or Path(scratch)
        ran = None
        if answers is not None:
            order = Order(question, run_folder, engine, Wanted(Pace(4, time.monotonic)))
            ran = asyncio.run(run_lines(read_answers(answers), order))
        elif folder is None:
            raise InputInvalid("Name a run's folder, or labelled answers with --answers.")
        document = agreement_of(run_folder, by or ())
        if as_json:
            print_json(document)
        else:
            typer.echo(agreement_text(document))
        if ran is not None:
            leave_run(ran)
        leave(INCOMPLETE if document["missing"] else 0)


for told in (
    run, worker, stability, report, compare, gate, validate, grade, passport, ci, public,
    interviews,
):  # fmt: skip
    app.command()(told)


Split_ = Annotated[str, typer.Option("--split", help="tuning or held_back.")]


@app.command()
def postings(split: Split_ = "tuning", as_json: JsonOption = False) -> None:
    """Requirements read from job ads. 招聘要求的解析准确率。"""
    from eval.postings import main

    main(split, as_json=as_json)


@app.command()
def matches(split: Split_ = "tuning", as_json: JsonOption = False) -> None:
    """Requirements judged against résumés. 匹配判断的准确率。"""
    from eval.matches import main

    main(split, as_json=as_json)


@app.command()
def resumes(split: Split_ = "tuning", as_json: JsonOption = False) -> None:
    """Fields read from résumés in every layout. 简历各字段的解析准确率。"""
    from eval.resume_run import main

    main(split, as_json=as_json)


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
def claims(as_json: JsonOption = False) -> None:
    """Accuracy of the number check on the labelled texts. 数字核查的准确率。"""
    from eval.claims import main

    main(as_json=as_json)


@app.command()
def retrieval(
    split: Annotated[str, typer.Option("--split", help="dev or test.")] = "test",
    misses: Annotated[bool, typer.Option("--misses", help="List what was not found.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Retrieval beside BM25 on the labelled queries. 检索效果与 BM25 的对比。"""
    from eval.retrieval import main

    main(split, misses, as_json)


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

    leave(build_set(out, seed, as_json=as_json))


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
    leave(attack_grader(engine, Split(split), kinds or (), cases, out=out, as_json=as_json))
