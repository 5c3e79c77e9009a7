"""`eval ci`: the gate of every check, and `--renew` where a change was wanted."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer

from eval.options import FAILED, JsonOption, LangOption, leave


def ci(
    renew: Annotated[
        bool, typer.Option("--renew", help="Store what the grader says now as the baseline.")
    ] = False,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="Another file than eval/baselines/ci.json.")
    ] = None,
    lang: LangOption = "",
    as_json: JsonOption = False,
) -> None:
    """Is the grader worse than its baseline? 评分器是否比基线变差，变差则以 1 退出。"""
    from eval.quick import BASELINE, read_lines
    from service.cli.language import reader_language
    from service.cli.output import print_json

    path, lines = baseline or BASELINE, read_lines()
    rows = _read(lines)
    if renew:
        path.write_text(json.dumps(rows, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        typer.echo(str(path))
        return
    document = judged(lines, _stored(path), rows)
    if as_json:
        print_json(document)
    else:
        typer.echo(_text(document, reader_language(lang)))
    leave(0 if document["passed"] else FAILED)


def _read(lines: Sequence[Mapping[str, object]]) -> Mapping[str, Mapping[str, object]]:
    """Every line and every base that an attack is compared with, read here and now."""
    from eval.attacks.cases import SEED
    from eval.constructed.bank import Split, load_bank
    from eval.constructed.bases import Maker
    from eval.constructed.dice import Dice
    from eval.passport.reading import Text, read_share
    from eval.quick import bases_wanted, slim

    texts = {
        str(x["id"]): Text(*(str(x[k]) for k in ("question", "lang", "answer"))) for x in lines
    }
    wanted = bases_wanted(lines) - texts.keys()
    for base in Maker(load_bank(), Dice(SEED)).bases(Split.DEV):
        if base.id in wanted:
            texts[base.id] = Text(base.question.question, base.lang, base.text)
    read = read_share(list(texts.values()), 1)
    return {name: slim(was.row) for name, was in zip(texts, read, strict=True)}


def _stored(path: Path) -> Mapping[str, Mapping[str, object]]:
    """Raises InputInvalid: there is no baseline, or it cannot be read."""
    from service.errors import InputInvalid

    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputInvalid("{path} holds no baseline.", path=str(path)) from error
    return cast("Mapping[str, Mapping[str, object]]", found)


def judged(
    lines: Sequence[Mapping[str, object]],
    before: Mapping[str, Mapping[str, object]],
    after: Mapping[str, Mapping[str, object]],
) -> dict[str, object]:
    """Each margin, and the items that got worse.

    Raises:
        InputInvalid: the baseline was made with other items.
    """
    from eval.quick import figures_of, read_margins, verdicts, worsened
    from service.errors import InputInvalid

    if not after.keys() <= before.keys():
        raise InputInvalid("The baseline was made with other items; renew it with --renew.")
    found = verdicts(figures_of(lines, before), figures_of(lines, after), read_margins())
    return {
        "passed": all(v.passed for v in found),
        "margins": [asdict(v) for v in found],
        "worse": list(worsened(lines, before, after)),
    }


def _text(document: Mapping[str, object], lang: object) -> str:
    from service.domain.language import Lang, msg
    from service.wording import load_wording

    wording, reader = load_wording(), cast("Lang", lang)
    words = {True: msg("kept"), False: msg("WORSE")}
    lines = [
        f"{wording.render(words[bool(m['passed'])], reader)}  {m['measure']}: "
        f"{m['before']:.4f} -> {m['after']:.4f} (±{m['worse_by']})"
        for m in cast("Sequence[Mapping[str, float]]", document["margins"])
    ]
    worse = cast("Sequence[Mapping[str, object]]", document["worse"])
    told = msg("{count} items are judged worse than before:", count=len(worse))
    lines.append(wording.render(told, reader))
    lines += [f"  {json.dumps(item, ensure_ascii=False)}" for item in worse]
    return "\n".join(lines)
