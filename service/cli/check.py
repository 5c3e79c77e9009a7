"""`shardwise check`: any text marked sentence by sentence; configurations against their schema."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from service.domain.claims.model import ClaimContext
    from service.flows.article import Desk
    from service.flows.config_check import CheckedConfig


def check(
    file: Annotated[
        Path | None,
        typer.Argument(help="A text, or a DeepSpeed or FSDP file; standard input when left out."),
    ] = None,
    context: Annotated[
        list[str] | None,
        typer.Option(help="What is known, e.g. model_params=7e9 or dp_degree=64. Repeatable."),
    ] = None,
    json_lines: Annotated[
        Path | None,
        typer.Option("--jsonl", help='Lines of {"id", "text", "context"}; one result a line.'),
    ] = None,
    params: Annotated[str, typer.Option(help="Of a configuration's model: 7e9, 7B.")] = "",
    model: Annotated[str, typer.Option(help="A known model instead: llama-3-8b.")] = "",
    gpus: Annotated[int, typer.Option(help="GPUs the configuration runs on.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en: the language of reasons.")] = "",
) -> None:
    """Check the numbers and beliefs in any text. 检查任意文本或训练配置中的数字与说法。"""
    from service.cli.article_view import show_article
    from service.cli.language import reader_language
    from service.cli.output import print_json, read_json_lines, read_text_file
    from service.flows.article import open_desk
    from service.flows.checking import read_context
    from service.settings import read_settings

    knowledge_dir = read_settings().knowledge_dir
    if json_lines is not None:
        desk = open_desk(knowledge_dir, reader_language(lang))
        for line in read_json_lines(json_lines):
            found = _document(desk, str(line.get("text") or ""), _context_of(line))
            print_json({"id": line.get("id")} | found)
        return
    name, text = str(file) if file else None, read_text_file(file)
    desk = open_desk(knowledge_dir, reader_language(lang, text))
    checked = _as_config(desk, knowledge_dir, name or "", text, (params, model, gpus))
    if checked:
        _report_config(desk, checked, name, as_json=as_json)
        return
    known = read_context(_pairs(context or ()))
    if as_json:
        print_json({"id": name} | _document(desk, text, known))
        return
    show_article(desk, text, known)


def _document(desk: "Desk", text: str, context: "ClaimContext") -> dict[str, object]:
    from service.flows.check_documents import article_document

    return article_document(desk, text, desk.articles.check(text, context))


def _context_of(line: Mapping[str, object]) -> "ClaimContext":
    """A line's own context; a name that is not known is told on standard error and left out."""
    from service.flows.checking import read_known_context

    given = cast("Mapping[str, float | str] | None", line.get("context"))
    context, unknown = read_known_context(given)
    if unknown:
        typer.echo(f"{line.get('id')}: context {', '.join(unknown)} is not used", err=True)
    return context


def _as_config(
    desk: "Desk", knowledge_dir: Path, name: str, text: str, wished: tuple[str, str, int]
) -> "CheckedConfig | None":
    """The report when the text is a configuration.

    Raises:
        InputInvalid: a JSON file that is neither DeepSpeed's nor FSDP's, or a size without one.
    """
    from service.errors import InputInvalid
    from service.flows.config_check import check_config_text, is_config, open_schemas, read_setting

    params, model, gpus = wished
    found = None
    if is_config(name, text):
        setting = read_setting(desk.models, params, model, gpus)
        found = check_config_text(text, open_schemas(knowledge_dir), desk.knowledge, setting)
    if found is None and (name.lower().endswith(".json") or params or model or gpus):
        raise InputInvalid("{name} is no DeepSpeed or FSDP configuration.", name=name or "-")
    return found


def _report_config(
    desk: "Desk", checked: "CheckedConfig", name: str | None, *, as_json: bool
) -> None:
    from service.cli.config_view import show_config
    from service.cli.output import print_json
    from service.flows.check_documents import config_document

    if as_json:
        print_json({"id": name} | config_document(desk, checked))
        return
    show_config(desk, checked)


def _pairs(given: Sequence[str]) -> dict[str, float | str]:
    """`name=value` options.

    Raises:
        InputInvalid: an option without `=`.
    """
    from service.errors import InputInvalid

    pairs: dict[str, float | str] = {}
    for option in given:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputInvalid("{option} must read name=value.", option=option)
        pairs[name.strip()] = value.strip()
    return pairs
