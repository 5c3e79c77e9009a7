"""Commands about one run's folder, a data set or a single answer; eval.cli puts them in."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from eval.options import FLAGSHIP, EngineOption, JsonOption, QuestionOption, leave


def report(
    folder: Annotated[Path, typer.Argument(help="A run's folder.")],
    attack_file: Annotated[
        Path | None, typer.Option("--attack", help="attack.json, for the robustness strip.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write report.md, report.zh.md and report.html into the run. 生成报告（中英文）。"""
    from eval.report.page import write_report
    from service.cli.output import print_json

    paths = write_report(folder, attack_file)
    if as_json:
        print_json({"written": [str(p) for p in paths]})
    else:
        typer.echo("\n".join(map(str, paths)))


def compare(
    first: Annotated[Path, typer.Argument(help="The run to compare with.")],
    second: Annotated[Path, typer.Argument(help="The newer run.")],
    as_json: JsonOption = False,
) -> None:
    """Two runs answer by answer: what moved, and is it chance. 逐条比较两次运行。"""
    from eval.comparing import compare_runs, comparison_text
    from service.cli.output import print_json

    document = compare_runs(first, second)
    if as_json:
        print_json(document)
    else:
        typer.echo(comparison_text(document))


def gate(
    folder: Annotated[Path, typer.Argument(help="A run's folder.")],
    config: Annotated[Path, typer.Option("-c", "--config", help="The rules, as YAML.")],
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="An older run that must not be undercut.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Exit 1 with the items that moved when a rule is broken. 不达标则以 1 退出。"""
    from eval.gate import check_gate, gate_text
    from service.cli.output import print_json

    document = check_gate(folder, config, baseline)
    if as_json:
        print_json(document)
    else:
        typer.echo(gate_text(document))
    leave(int(str(document["exit"])))


def validate(
    answers: Annotated[Path, typer.Argument(help="Answers, JSON lines or CSV.")],
    question: QuestionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every fault of a data set with its line. 检查数据集，逐行指出问题。"""
    from eval.validating import validate_file
    from service.cli.output import print_json

    document, lines = validate_file(answers, question)
    if as_json:
        print_json(document)
    else:
        typer.echo("\n".join(lines))
    leave(2 if document["faults"] else 0)


def grade(
    file: Annotated[Path | None, typer.Argument(help="The answer; - or none: input.")] = None,
    question: Annotated[str, typer.Option("--question")] = FLAGSHIP,
    engine: EngineOption = "builtin",
    lang: Annotated[str, typer.Option("--lang", help="zh or en; else the answer's own.")] = "",
    as_json: JsonOption = False,
) -> None:
    """One answer with the reasons and the quoted words. 给一条回答打分并说明理由。"""
    from eval.one import grade_one
    from service.cli.output import print_json, read_text_file

    document, lines = asyncio.run(grade_one(read_text_file(file), question, engine, lang))
    if as_json:
        print_json(document)
    else:
        typer.echo("\n".join(lines))
