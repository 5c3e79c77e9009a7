"""`shardwise resume rewrite`: other wordings for a résumé's lines, and what is missing in them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.domain.language import Lang
    from service.domain.posting import Posting
    from service.domain.resume import Resume
    from service.domain.rewriting import Answered, Rewriting
    from service.domain.tailoring import Order
    from service.wording.catalogue import Wording


def rewrite(
    file: Annotated[Path, typer.Argument(help="PDF, DOCX, Markdown, text or JSON Resume.")],
    posting: Annotated[Path | None, typer.Option(help="The ad as a text file.")] = None,
    style: Annotated[
        list[str] | None,
        typer.Option(help="plain, star, quantified or result_first. Repeatable; all by default."),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(help="ID=what you say to a question. Repeatable; it may be used."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of reasons.")] = "",
) -> None:
    """Propose wordings that say nothing new. 改写简历：不添加任何没有的内容。"""
    import asyncio

    from service.cli.language import reader_language
    from service.cli.output import print_json
    from service.wording.catalogue import load_wording

    resume = _resume(file)
    asked = _posting(posting) if posting else None
    found = asyncio.run(_propose(resume, asked, style or (), answer or ()))
    ordered = _orders(resume, asked) if asked else ()
    wording, reader = load_wording(), reader_language(lang, resume.text)
    if as_json:
        print_json(document(found, wording, reader) | {"orders": [_order(o) for o in ordered]})
        return
    _show(found, wording, reader)
    _show_orders(ordered, wording, reader)
    if not found.proposals:
        from service.domain.language import msg

        looked = msg(
            "{count} lines were looked at for filler words, weak verbs, a result to put first and"
            " figures you gave; none can be put better without saying more.",
            count=len(resume.bullets()),
        )
        typer.echo(wording.render(looked, reader))


def _orders(resume: "Resume", posting: "Posting") -> "tuple[Order, ...]":
    from service.corpus.load import load_knowledge
    from service.domain.tailoring import orders
    from service.settings import read_settings

    return orders(resume, posting, load_knowledge(read_settings().knowledge_dir).skills)


def _order(one: "Order") -> dict[str, object]:
    return {
        "about": one.about,
        "before": [b.text for b in one.before],
        "after": [b.text for b in one.after],
        "wanted": list(one.wanted),
    }


def _show_orders(ordered: "Sequence[Order]", wording: "Wording", lang: "Lang") -> None:
    from service.domain.language import msg

    for one in ordered:
        typer.echo(
            wording.render(msg("{about}: what the posting asks for first", about=one.about), lang)
        )
        for number, line in enumerate(one.after, 1):
            typer.echo(f"  {number}. {line.text}")


def _resume(file: Path) -> "Resume":
    """Raises FileUnreadable, FileUnsupported, FileTooLarge, InputInvalid."""
    from service.cli.resume import open_reader, read_file
    from service.errors import FileUnreadable

    read = read_file(file, open_reader())
    if read.resume is None:
        raise FileUnreadable("The file holds no readable résumé.", read.quality.value)
    return read.resume


def _posting(file: Path) -> "Posting":
    from service.cli.posting import read_file

    return read_file(file)


async def _propose(
    resume: "Resume", posting: "Posting | None", styles: Sequence[str], answers: Sequence[str]
) -> "Rewriting":
    """With the engine that the settings name; nothing is stored.

    Raises:
        InputInvalid: an unknown style, or an answer to no question.
        SetupError: the settings, knowledge or prompts are not usable.
    """
    from service.assembly import Seams, new_id, open_engine
    from service.corpus.lexicon import load_lexicon
    from service.corpus.load import load_knowledge
    from service.domain.rewriting import Style
    from service.errors import InputInvalid
    from service.flows.rewriting import Desk, propose, sources_of
    from service.settings import read_settings

    unknown = [s for s in styles if s not in set(Style)]
    if unknown:
        raise InputInvalid("{value} is none of {known}.", value=unknown[0], known=", ".join(Style))
    settings = read_settings()
    knowledge = load_knowledge(settings.knowledge_dir)
    lexicon = load_lexicon(settings.knowledge_dir / "lexicon")
    given = _answered(resume, answers)
    async with open_engine(settings, Seams(), knowledge, lexicon) as (engine, _):
        desk = Desk(engine, knowledge.skills, new_id)
        chosen = tuple(Style(s) for s in styles) or tuple(Style)
        return await propose(desk, sources_of(resume, given, posting), given, chosen, posting)


def _answered(resume: "Resume", answers: Sequence[str]) -> "tuple[Answered, ...]":
    from service.domain.rewriting import Answered
    from service.domain.rewriting.model import Asks
    from service.errors import InputInvalid

    known = {f"{b.id}-{asks.value}": (b.id, asks) for b in resume.bullets() for asks in Asks}
    pairs = [answer.partition("=") for answer in answers]
    foreign = next((own_id for own_id, _, _ in pairs if own_id not in known), None)
    if foreign is not None:
        raise InputInvalid("There is no question {id}.", id=foreign)
    return tuple(Answered(i, *known[i], text.strip()) for i, _, text in pairs if text.strip())


def document(found: "Rewriting", wording: "Wording", lang: "Lang") -> dict[str, object]:
    return {
        "proposals": [
            {
                "bullet_id": p.source.bullet_id,
                "style": p.style.value,
                "before": p.before,
                "after": p.after,
                "by": p.by,
                "doubts": [wording.render(d, lang) for d in p.doubts],
            }
            for p in found.proposals
        ],
        "questions": [
            {
                "id": q.id,
                "bullet_id": q.bullet_id,
                "asks": q.asks.value,
                "text": wording.render(q.text, lang),
                "doubt": wording.render(q.doubt, lang) if q.doubt else None,
            }
            for q in found.questions
        ],
        "refused": [
            {
                "bullet_id": r.bullet_id,
                "style": r.style.value,
                "by": r.by,
                "reasons": [wording.render(m, lang) for m in r.reasons],
            }
            for r in found.refused
        ],
        "fallback": wording.text(found.fallback, lang) if found.fallback else None,
    }


def _show(found: "Rewriting", wording: "Wording", lang: "Lang") -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for one in found.proposals:
        console.print(f"{one.source.bullet_id} [{one.style.value}]", style="bold")
        console.print(f"- {one.before}", style="red")
        console.print(f"+ {one.after}", style="green")
        for doubt in one.doubts:
            console.print(f"! {wording.render(doubt, lang)}", style="yellow")
    for asked in found.questions:
        console.print(f"? {asked.id}  {wording.render(asked.text, lang)}")
        if asked.doubt:
            console.print(f"  ! {wording.render(asked.doubt, lang)}", style="yellow")
    for refused in found.refused:
        reasons = " ".join(wording.render(m, lang) for m in refused.reasons)
        console.print(f"x {refused.bullet_id} [{refused.style.value}]  {reasons}", style="dim")
    if found.fallback:
        console.print(wording.text(found.fallback, lang), style="yellow")
