"""A run's report: Markdown in both languages, and one HTML file that needs nothing else."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, cast

from eval.answers import AnswerLine
from eval.folder import COST, SUMMARY, read_header, read_run, write_whole
from eval.judging import agreement_of
from eval.meta import Document
from eval.report.plots import bars, bland_altman, calibration, confusion
from eval.report.words import NAMES, W
from eval.row import Row
from service.domain.language import Lang

TOTAL_ROWS: Final = ("grader", "with blanks", "mean", "length", "lexical")
TOTAL_COLUMNS: Final = (
    "n", "mae", "bias", "qwk", "icc", "pearson", "spearman", "alpha", "smd", "exact_band",
    "adjacent_band", "off_by_15",
)  # fmt: skip
POINT_COLUMNS: Final = (
    "n", "positives", "unjudged", "accuracy", "macro_f1", "kappa", "false_credit", "missed_credit",
)  # fmt: skip
MOST_MARKS: Final = 200
GROUP_COLUMNS: Final = ("n", "macro_f1", "mae", "bias", "qwk", "no_mark")
STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}"
    "td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:right}"
    "td:first-child{text-align:left}"
    "svg text{font-size:11px}svg{max-width:100%;height:auto}"
    "#zh:checked~.en,#en:checked~.zh{display:none}"
)
Table = tuple[Sequence[str], Sequence[Sequence[str]]]
# A block is a heading, a paragraph, a table or a plot.
Block = tuple[str, str] | tuple[str, Table]


def write_report(folder: Path, attack: Path | None) -> Sequence[Path]:
    """Write report.md, report.zh.md and report.html into the run's folder.

    Raises:
        InputInvalid: no run stands there.
    """
    blocks = {lang: list(_named(_blocks(folder, attack, lang), lang)) for lang in Lang}
    pages = {
        "report.md": _markdown(blocks[Lang.EN]),
        "report.zh.md": _markdown(blocks[Lang.ZH]),
        "report.html": _html(blocks),
    }
    for name, text in pages.items():
        write_whole(folder / name, text)
    return [folder / name for name in pages]


def agreement_text(document: Document) -> str:
    """The main tables for a terminal."""
    return _markdown(list(_named(_agreement(document, Lang.EN, plots=False), Lang.EN)))


def _named(blocks: Iterable[Block], lang: Lang) -> Iterator[Block]:
    """Headings and first cells in words of the reader; a table without rows is left out."""
    for kind, content in blocks:
        if isinstance(content, str):
            yield kind, content
            continue
        head, rows = content
        if rows:
            is_of_answers = head[0] == "id"
            named = rows if is_of_answers else [[_name(r[0], lang), *r[1:]] for r in rows]
            yield kind, ([_name(h, lang) for h in head], named)


def _name(word: str, lang: Lang) -> str:
    return NAMES[word].in_(lang) if word in NAMES else word


def _blocks(folder: Path, attack: Path | None, lang: Lang) -> Iterator[Block]:
    answers, rows = read_run(folder)
    found = agreement_of(folder)
    summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    yield "h1", W["title"].in_(lang)
    yield "h2", W["short"].in_(lang)
    yield from (("p", line) for line in short_of(summary, found, lang))
    yield "h2", W["marks"].in_(lang)
    yield "p", W["marks_note"].in_(lang)
    yield "table", _marks(answers, rows, found)
    lost = [(a.id, str(rows[a.id].get("outcome")) if a.id in rows else "-") for a in answers]
    lost = [(i, o) for i, o in lost if o != "ok"]
    yield "h2", W["missing"].in_(lang)
    yield ("table", (("id", "outcome"), lost)) if lost else ("p", W["none"].in_(lang))
    yield from _agreement(found, lang, plots=True)
    path = attack or folder / "attack.json"
    if path.exists():
        yield from _robustness(json.loads(path.read_text(encoding="utf-8")), lang)
    yield "h2", W["summary"].in_(lang)
    yield "table", _pairs(summary)
    yield "table", _pairs(json.loads((folder / COST).read_text(encoding="utf-8")))
    yield "h2", W["run"].in_(lang)
    yield "table", _pairs(read_header(folder))


def short_of(summary: Document, found: Document, lang: Lang) -> Iterator[str]:
    """What a reader wants to know first, in sentences."""
    mean = _cell(summary.get("mean_score"))
    counts = {k: summary[k] for k in ("answers", "graded", "not_enough_evidence", "errors")}
    yield W["short_graded"].in_(lang).format(mean=mean, **counts)
    totals = cast("Mapping[str, float]", found["totals"])
    if not totals.get("n"):
        return
    side = "generous" if totals["bias"] > 0 else "strict"
    words = {"mae": f"{totals['mae']:.1f}", "bias": f"{abs(totals['bias']):.1f}"}
    yield W["short_labels"].in_(lang).format(n=totals["n"], side=W[side].in_(lang), **words)
    floors = cast("Mapping[str, Mapping[str, float]]", found["floors"])
    if not floors:
        yield W["short_no_floor"].in_(lang)
        return
    least = min(f["mae"] for f in floors.values())
    told = "short_beats" if totals["mae"] < least else "short_fails"
    yield W[told].in_(lang).format(floor=f"{least:.1f}")


def _marks(answers: Sequence[AnswerLine], rows: Mapping[str, Row], found: Document) -> Table:
    """Each answer with its mark and label, those that differ most first."""
    pairs = {str(i): t for i, t, _ in cast("Sequence[tuple[str, float, float]]", found["pairs"])}
    listed = [(a.id, rows.get(a.id, {}).get("score"), pairs.get(a.id, a.score)) for a in answers]
    listed.sort(key=lambda x: -_apart(x[1], x[2]))
    cells = [(i, _cell(said), _cell(true), _cell(_apart(said, true))) for i, said, true in listed]
    return ("id", "mark", "label", "apart"), cells[:MOST_MARKS]


def _apart(said: object, true: object) -> float:
    both = isinstance(said, int | float) and isinstance(true, int | float)
    return abs(cast("float", said) - cast("float", true)) if both else 0.0


def _pairs(document: Mapping[str, object]) -> Table:
    return ("", ""), [(str(k), _cell(v)) for k, v in document.items()]


def _agreement(document: Document, lang: Lang, *, plots: bool) -> Iterator[Block]:
    if not document["labelled"]:
        yield "p", W["unlabelled"].in_(lang)
        return
    yield "h2", W["totals"].in_(lang)
    if not document["enough"]:
        yield "p", W["few"].in_(lang)
    yield "p", W["totals_note"].in_(lang)
    counts = {k: document[k] for k in ("answers", "labelled", "missing", "blank", "no_mark")}
    yield "table", _pairs(counts)
    yield "table", _total_table(document)
    yield "table", _pairs(cast("Document", cast("Document", document["totals"])["intervals"]))
    yield "table", _rows(cast("Mapping[str, Document]", document["dimensions"]), TOTAL_COLUMNS)
    by_point = cast("Mapping[str, Document]", document["by_point"])
    yield from _point_blocks(document, by_point, lang)
    if document["gap"]:
        yield "p", W["gap"].in_(lang)
        yield "table", _pairs(cast("Document", document["gap"]))
    yield "h2", W["groups"].in_(lang)
    for name, group in cast("Mapping[str, Mapping[str, Document]]", document["groups"]).items():
        yield "p", name
        yield "table", _rows(group, GROUP_COLUMNS)
    if document["raters"]:
        yield "h2", W["people"].in_(lang)
        yield "table", _pairs(cast("Document", document["raters"]))
    curve = cast("Sequence[Sequence[float]]", document["risk_coverage"])
    yield "p", W["calibrated"].in_(lang).format(error=_cell(document["calibration_error"]))
    yield "p", W["risk"].in_(lang)
    yield "table", (("share", "mae"), [[f"{s:.2f}", f"{m:.2f}"] for s, m in curve])
    if plots:
        yield from _plots(document, by_point, lang)


def _point_blocks(
    document: Document, by_point: Mapping[str, Document], lang: Lang
) -> Iterator[Block]:
    yield "h2", W["points"].in_(lang)
    yield "p", W["points_note"].in_(lang)
    both = {"*": document["points"], "misconceptions": document["misconceptions"]}
    yield "table", _rows({**cast("Mapping[str, Document]", both), **by_point}, POINT_COLUMNS)
    if document["point_floors"]:
        floors = cast("Mapping[str, Document]", document["point_floors"])
        yield "table", _rows(floors, POINT_COLUMNS)


def _total_table(document: Document) -> Table:
    floors = cast("Mapping[str, Document]", document["floors"])
    rows = {"grader": document["totals"], "with blanks": document["totals_with_blanks"], **floors}
    return _rows(cast("Mapping[str, Document]", rows), TOTAL_COLUMNS)


def _rows(rows: Mapping[str, Document], columns: Sequence[str]) -> Table:
    cells = [[name, *(_cell(row.get(c)) for c in columns)] for name, row in rows.items()]
    return ("", *columns), cells


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list):
        return ", ".join(_cell(v) for v in cast("list[object]", value)) or "-"
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return "; ".join(f"{k} {_cell(v)}" for k, v in pairs)
    return str(value)


def _plots(document: Document, by_point: Mapping[str, Document], lang: Lang) -> Iterator[Block]:
    pairs = cast("Sequence[tuple[str, float, float]]", document["pairs"])
    steps = cast("Sequence[Mapping[str, float]]", document["calibration"])
    scores = {n: float(cast("float", p["macro_f1"] or 0.0)) for n, p in by_point.items()}
    drawn = {
        "confusion": confusion(
            cast("Sequence[Sequence[int]]", document["confusion"]), W["confusion"].in_(lang)
        ),
        "bland": bland_altman([(t, s) for _, t, s in pairs], W["bland"].in_(lang)),
        "calibration": calibration(
            [(s["said"], s["true"], int(s["n"])) for s in steps], W["calibration"].in_(lang)
        ),
        "per_point": bars(scores, W["per_point"].in_(lang)),
    }
    for name, plot in drawn.items():
        yield "h3", W[name].in_(lang)
        yield "plot", plot


def _robustness(found: Mapping[str, object], lang: Lang) -> Iterator[Block]:
    classes = cast("Sequence[Mapping[str, object]]", found.get("classes", ()))
    held = {
        str(c.get("name") or c.get("kind")): float(cast("float", c.get("holds") or 0.0))
        for c in classes
    }
    yield "h2", W["robust"].in_(lang)
    yield "plot", bars(held, W["robust"].in_(lang))
    yield "table", (("", "holds"), [(n, f"{s:.3f}") for n, s in held.items()])


def _markdown(blocks: Sequence[Block]) -> str:
    prefix = {"h1": "# ", "h2": "## ", "h3": "### "}
    parts: list[str] = []
    for kind, content in blocks:
        if isinstance(content, str):
            parts += [] if kind in {"plot", "h3"} else [prefix.get(kind, "") + content]
        else:
            parts.append(_markdown_table(content))
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    head, rows = table
    lines = [head, ["---"] * len(head), *rows]
    safe = [[c.replace("|", "\\|").replace("\n", " ") for c in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in safe)


def _html(blocks: Mapping[Lang, Sequence[Block]]) -> str:
    """Both languages; which is shown is chosen without a script."""
    mains = "".join(
        f'<main class="{lang.value}" lang="{lang.value}">{"".join(map(_element, found))}</main>'
        for lang, found in blocks.items()
    )
    choice = (
        '<input type="radio" name="l" id="zh"><label for="zh">中文</label> '
        '<input type="radio" name="l" id="en" checked><label for="en">English</label>'
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shardwise</title>'
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'\"><style>{STYLE}</style></head><body>{choice}{mains}"
        "</body></html>\n"
    )


def _element(block: Block) -> str:
    kind, content = block
    if not isinstance(content, str):
        head, rows = content
        lines = "".join(
            "<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows
        )
        return f"<table><tr>{''.join(f'<th>{escape(c)}</th>' for c in head)}</tr>{lines}</table>"
    return content if kind == "plot" else f"<{kind}>{escape(content)}</{kind}>"
