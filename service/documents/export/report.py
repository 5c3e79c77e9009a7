"""A report as Markdown or as a tagged PDF; every text reaches the file as data, never as markup."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from service.documents.export.markdown import escaped
from service.domain.reporting_document import Line, Written

_TEMPLATE: Final = Path(__file__).parent / "report.typ"
NO_MARK: Final = "–"


def report_markdown(written: Written) -> bytes:
    """CommonMark with one table; signs of the text are never marks of the format."""
    lines = [f"# {escaped(written.title)}", ""]
    for line in written.lines:
        lines += [*_marked(line), ""]
    return ("\n".join(lines).rstrip() + "\n").encode()


def _marked(line: Line) -> Iterator[str]:
    text = escaped(line.text)
    said = f"**{escaped(line.label)}** {text}" if line.label else text
    match line.kind:
        case "heading":
            yield f"{'#' * line.level} {text}"
        case "quote":
            yield f"> {text}"
        case "item":
            yield f"- {said}"
        case "source":
            yield f"*{text}*"
        case "meters":
            yield from _table(line)
        case "text":
            yield said


def _table(line: Line) -> Iterator[str]:
    yield f"| {' | '.join(map(escaped, line.names))} |"
    yield "|---|---:|---:|"
    for name, mark, asked in line.rows:
        yield f"| {escaped(name)} | {_figure(mark)} | {_figure(asked)} |"


def _figure(value: float | None) -> str:
    return NO_MARK if value is None else f"{value:g}"


def report_pdf(written: Written) -> bytes:
    """A tagged PDF (PDF/UA-1), its font embedded; reads no clock, no network, no other font."""
    import manimgx_fonts_cjk
    import typst

    data = json.dumps(asdict(written), ensure_ascii=False)
    return typst.compile(
        _TEMPLATE,
        root=_TEMPLATE.parent,
        font_paths=[Path(next(iter(manimgx_fonts_cjk.__path__)))],
        ignore_system_fonts=True,
        sys_inputs={"report": data},
        pdf_standards=["ua-1"],
    )
