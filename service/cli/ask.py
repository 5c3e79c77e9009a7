"""`shardwise ask`: the vetted facts that answer a question, each with its source."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.domain.language import Lang
    from service.retrieval.port import Found, Retriever


def ask(
    query: Annotated[str | None, typer.Argument(help="The question, in either language.")] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", min=1, max=50, help="Most facts.")] = 5,
    json_lines: Annotated[
        Path | None,
        typer.Option("--jsonl", help='Lines of {"id", "query"}; one result a line.'),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[
        str, typer.Option(help="zh or en; the language of the question when left out.")
    ] = "",
) -> None:
    """Search the vetted facts. 检索经过核实的知识。"""
    from service.cli.language import reader_language
    from service.cli.output import print_json, read_json_lines
    from service.domain.language import detect_language

    if json_lines is not None:
        lines = list(read_json_lines(json_lines))  # a bad line is found before any answer
        retriever = _retriever()
        for line in lines:
            found = retriever.find(str(line.get("query", "")), limit)
            print_json(document(line.get("id"), found))
        return
    wanted = _words(query)
    found = _retriever().find(wanted, limit)
    if as_json:
        print_json(document(None, found))
        return
    _show(found, reader_language(lang) if lang else detect_language(wanted))


def _words(query: str | None) -> str:
    from service.errors import TextEmpty

    if not (query or "").strip():
        raise TextEmpty("Ask a question, or give a file with --jsonl.")
    return str(query)


def _retriever() -> "Retriever":
    """Waits for the index: a command has no later moment at which it could be ready."""
    from service.corpus.load import load_knowledge
    from service.retrieval.open import at_once, open_retriever
    from service.settings import read_settings

    settings = read_settings()
    knowledge = load_knowledge(settings.knowledge_dir)
    return open_retriever(knowledge.facts, knowledge.digest, settings.data_dir, start=at_once)


def document(id_: object, found: "Found") -> dict[str, object]:
    """The fields other tools rely on; scores run 0..1."""
    return {
        "id": id_,
        "hits": [
            {
                "fact_id": passage.fact.id,
                "score": passage.score,
                "text_en": passage.fact.text.en,
                "text_zh": passage.fact.text.zh,
                "source": passage.fact.source,
                "verified": passage.fact.verified.value,
            }
            for passage in found.passages
        ],
        "confident": found.confident,
    }


def _show(found: "Found", lang: "Lang") -> None:
    from rich.console import Console
    from rich.text import Text

    from service.domain.language import msg
    from service.wording import load_wording

    console = Console(highlight=False)
    wording = load_wording()
    if not found.confident:
        unsure = msg("The knowledge base does not seem to answer this. The nearest facts:")
        console.print(Text(wording.render(unsure, lang), style="yellow"))
    for passage in found.passages:
        fact = passage.fact
        console.print(Text(f"{fact.id}  ", style="bold") + Text(fact.text.in_(lang)))
        firm = "" if fact.verified.is_firm else wording.render(msg("(not verified)"), lang) + " "
        console.print(Text(f"      {firm}{fact.source}", style="dim"))
