"""The pieces a passport is put together from; the same for Markdown and for the page."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from service.domain.language import Bilingual, Lang


class Block(TypedDict):
    """`kind` is h1, h2, p, list or table."""

    kind: str
    text: NotRequired[str]
    items: NotRequired[list[str]]
    head: NotRequired[list[str]]
    rows: NotRequired[list[list[str]]]


def heading(words: Bilingual, lang: Lang, level: int = 2) -> Block:
    return {"kind": f"h{level}", "text": words.in_(lang)}


def paragraph(text: str) -> Block:
    return {"kind": "p", "text": text}


def items(lines: Sequence[str]) -> Block:
    return {"kind": "list", "items": list(lines)}


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Block:
    return {"kind": "table", "text": caption, "head": list(head), "rows": [list(r) for r in rows]}


def markdown(blocks: Sequence[Block]) -> str:
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    prefix = {"h1": "# ", "h2": "## "}
    text = block.get("text", "")
    if "items" in block:
        return "\n".join(f"- {line}" for line in block["items"])
    if "rows" in block and "head" in block:
        lines = [block["head"], ["---"] * len(block["head"]), *block["rows"]]
        cells = ["| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines]
        return "\n".join([f"{text}\n", *cells])
    return prefix.get(block["kind"], "") + text


def number(value: object, digits: int = 3) -> str:
    """A dash where there is no figure; whole numbers as they are."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    return f"{value:.{digits}f}"


def gap(dev: object, test: object) -> str:
    """Development minus test, with its sign."""
    if isinstance(dev, int | float) and isinstance(test, int | float):
        return f"{dev - test:+.3f}"
    return "–"
