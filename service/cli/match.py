"""`shardwise match`: a résumé beside a job ad, requirement by requirement, with quotes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.domain.alignment import Match, RequirementMatch
    from service.domain.language import Lang
    from service.wording.catalogue import Wording


def match(
    resume: Annotated[Path, typer.Option(help="The résumé file.")],
    posting: Annotated[Path, typer.Option(help="The ad as a text file.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[
        str, typer.Option(help="zh or en: the language of reasons; the ad's own.")
    ] = "",
) -> None:
    """Set a résumé beside a job ad. 简历与岗位逐条对照。"""
    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.wording.catalogue import load_wording

    found = align_files(resume, posting)
    asked = " ".join(r.requirement.text for r in found.requirements)
    wording, reader = load_wording(), reader_language(lang, asked)
    if as_json:
        print_json(document(found, wording, reader))
        return
    _show(found, wording, reader)


def align_files(resume: Path, posting: Path) -> "Match":
    """Read both files and align them.

    Raises:
        FileUnreadable, FileUnsupported, FileTooLarge, InputInvalid, TextEmpty: one cannot be read.
    """
    from datetime import UTC, datetime
    from functools import partial

    from service.cli.posting import read_file as read_posting_file
    from service.cli.resume import open_reader, read_file
    from service.corpus.lexicon import load_lexicon
    from service.corpus.load import load_knowledge
    from service.domain.alignment import align
    from service.domain.assertions.foreign import is_addressed_to_grader
    from service.errors import FileUnreadable
    from service.settings import read_settings

    read = read_file(resume, open_reader())
    if read.resume is None:
        raise FileUnreadable("The file holds no readable résumé.", read.quality.value)
    folder = read_settings().knowledge_dir
    skills, lexicon = load_knowledge(folder).skills, load_lexicon(folder / "lexicon")
    today = f"{datetime.now(UTC):%Y-%m}"  # noqa: TID251 - the command line owns its clock
    foreign = partial(is_addressed_to_grader, lexicon=lexicon)
    return align(read.resume, read_posting_file(posting), skills, today, foreign)


def document(found: "Match", wording: "Wording", lang: "Lang") -> dict[str, object]:
    """The JSON form of spec/contracts.md."""
    return {
        "score": found.score,
        "parts": dict(found.parts),
        "requirements": [_requirement(r, wording, lang) for r in found.requirements],
        "gaps": [_requirement(r, wording, lang) for r in found.gaps],
    }


def _requirement(judged: "RequirementMatch", wording: "Wording", lang: "Lang") -> dict[str, object]:
    asked = judged.requirement
    return {
        "id": asked.id,
        "text": asked.text,
        "kind": asked.kind.value,
        "status": judged.status.value,
        "evidence": [
            {
                "bullet_id": e.bullet_id,
                "text": e.text,
                "strength": e.strength.value,
                "skill": e.skill,
                "how": e.how,
            }
            for e in judged.evidence
        ],
        "why": wording.render(judged.why, lang),
        "weight": judged.weight,
        "points": judged.points,
    }


def _show(found: "Match", wording: "Wording", lang: "Lang") -> None:
    """One requirement after the other: nothing is cut, however narrow the window."""
    from service.domain.language import msg

    statuses = {"met": msg("met"), "partial": msg("partial"), "gap": msg("gap")}
    typer.echo(f"{found.score:g} / 100")
    for judged in found.requirements:
        status = wording.render(statuses[judged.status.value], lang)
        points = f"{judged.points:g} / {judged.weight:g}"
        typer.echo(f"\n{judged.requirement.id}  [{status}]  {points}  {judged.requirement.text}")
        typer.echo(f"    {wording.render(judged.why, lang)}")
        for quote in judged.evidence:
            typer.echo(f"    {quote.bullet_id}: {quote.text}")
