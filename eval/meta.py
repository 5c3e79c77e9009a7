"""Agreement of a run with labels: points, wrong beliefs, dimensions, totals; beside the floors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from eval.answers import AnswerLine
from eval.measures.floors import floor_scores
from eval.measures.point_floors import point_floor_pairs
from eval.measures.points import point_figures, share
from eval.measures.raters import ceiling
from eval.measures.totals import CUTS, Figures, Scores, intervals, quick_figures, total_figures
from eval.row import Row
from service.domain.grading import Finding, Rubric, Verdict, grade

# Fewer answers than this carry no claim about agreement; a language of its own needs 400.
ENOUGH: Final = 100
TERCILES: Final = ("short", "middle", "long")
Rubrics = Mapping[str, Rubric]
Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled answer beside its result; `said` is None where no mark was given."""

    line: AnswerLine
    row: Row
    said: float | None
    true: float | None
    true_dimensions: Mapping[str, float | None]


def judged_answers(
    answers: Sequence[AnswerLine], rows: Mapping[str, Row], rubrics: Rubrics
) -> Sequence[Judged]:
    """The answers with a label and a row that is not missing."""
    kept = [
        a for a in answers if a.is_labelled and a.id in rows and rows[a.id]["status"] != "error"
    ]
    return [_judged(a, rows[a.id], rubrics) for a in kept]


def _judged(line: AnswerLine, row: Row, rubrics: Rubrics) -> Judged:
    rubric = rubrics.get(str(row.get("question")))
    score, dimensions = label_score(line.points, rubric)
    said = cast("float | None", row["score"])
    return Judged(line, row, said, line.score if line.score is not None else score, dimensions)


def label_score(
    points: Mapping[str, str], rubric: Rubric | None
) -> tuple[float | None, Mapping[str, float | None]]:
    """What labels of every point add up to, by the rubric's weights; None with one missing."""
    if rubric is None or any(p.id not in points for p in rubric.points):
        return None, {}
    total = grade(rubric, [Finding(p.id, Verdict(points[p.id])) for p in rubric.points])
    return total.score, {d.value: v for d, v in total.dimensions.items()}


def agreement(
    answers: Sequence[AnswerLine],
    rows: Mapping[str, Row],
    rubrics: Rubrics,
    by: Sequence[str] = (),
) -> Document:
    """All figures.

    Totals leave out blank answers and those without a mark, and say how many there were;
    `totals_with_blanks` takes every answer, a missing mark counting as 0.
    """
    judged = judged_answers(answers, rows, rubrics)
    labelled = sum(a.is_labelled for a in answers)
    scored = [j for j in judged if j.true is not None]
    content = [j for j in scored if not j.line.is_blank]
    marked = [j for j in content if j.said is not None]
    groups = {name: _grouped(judged, tag) for name, tag in _taggers(judged, by).items()}
    return {
        "answers": len(answers),
        "labelled": labelled,
        "missing": labelled - len(judged),
        "blank": len(scored) - len(content),
        "no_mark": len(content) - len(marked),
        "clusters": len({j.line.cluster for j in marked}),
        "enough": len(marked) >= ENOUGH,
        "points": point_figures(_point_pairs(judged)).document(),
        "by_point": {
            name: point_figures([p for n, p in _named_pairs(judged) if n == name]).document()
            for name in sorted({n for n, _ in _named_pairs(judged)})
        },
        "misconceptions": point_figures(_belief_pairs(judged)).document(),
        "totals": _totals(marked),
        "totals_with_blanks": _figures(scored),
        "dimensions": _dimensions(marked),
        "confusion": _confusion(marked),
        "pairs": [[j.line.id, j.true, j.said] for j in marked],
        "calibration": _calibration(marked),
        "calibration_error": _calibration_error(marked),
        "risk_coverage": _risk_coverage(marked),
        "floors": _floors(marked),
        "point_floors": _point_floors(judged),
        "raters": ceiling(judged, rubrics, label_score),
        "groups": groups,
        "gap": _gap(groups["split"]),
    }


def said_of(row: Row, point: str) -> str:
    points = cast("Mapping[str, Mapping[str, str]]", row["points"])
    return points[point]["verdict"] if point in points else "unjudged"


def _named_pairs(judged: Sequence[Judged]) -> list[tuple[str, tuple[str, str]]]:
    return [
        (point, (label, said_of(j.row, point)))
        for j in judged
        for point, label in j.line.points.items()
    ]


def _point_pairs(judged: Sequence[Judged]) -> list[tuple[str, str]]:
    return [pair for _, pair in _named_pairs(judged)]


def _belief_pairs(judged: Sequence[Judged]) -> list[tuple[str, str]]:
    """Each belief that is labelled or said, answers whose beliefs nobody labelled left out."""
    word = {True: "met", False: "missed"}
    pairs: list[tuple[str, str]] = []
    for j in judged:
        if j.line.misconceptions is not None:
            true, said = set(j.line.misconceptions), set(cast("list[str]", j.row["misconceptions"]))
            pairs.extend((word[m in true], word[m in said]) for m in sorted(true | said))
    return pairs


def _columns(judged: Sequence[Judged]) -> tuple[Scores, Scores]:
    return np.array([j.said or 0.0 for j in judged]), np.array([j.true for j in judged], float)


def _figures(judged: Sequence[Judged]) -> Document:
    return {"n": len(judged), **total_figures(*_columns(judged))}


def _totals(judged: Sequence[Judged]) -> Document:
    said, true = _columns(judged)

    def drawn(at: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Figures:
        return quick_figures(said[at], true[at])

    between = intervals([j.line.cluster for j in judged], drawn)
    return {**_figures(judged), "intervals": {k: list(v) for k, v in between.items()}}


def _dimensions(judged: Sequence[Judged]) -> Document:
    found: Document = {}
    for name in sorted({d for j in judged for d in j.true_dimensions}):
        said = [cast("Mapping[str, float | None]", j.row["dimensions"]).get(name) for j in judged]
        pairs = [
            (s, t)
            for s, j in zip(said, judged, strict=True)
            if s is not None and (t := j.true_dimensions.get(name)) is not None
        ]
        table = np.array(pairs, float).reshape(-1, 2)
        found[name] = {"n": len(pairs), **total_figures(table[:, 0], table[:, 1])}
    return found


def _band(score: float | None) -> int:
    return int(np.digitize(score or 0.0, np.array(CUTS)))


def _confusion(judged: Sequence[Judged]) -> list[list[int]]:
    """Rows are the labels' bands, columns those said."""
    table = [[0] * (len(CUTS) + 1) for _ in range(len(CUTS) + 1)]
    for j in judged:
        table[_band(j.true)][_band(j.said)] += 1
    return table


def _calibration(judged: Sequence[Judged]) -> list[Document]:
    """By band of what was said: what it said on average, and what was true."""
    rows: list[Document] = []
    for band in range(len(CUTS) + 1):
        inside = [j for j in judged if _band(j.said) == band]
        if inside:
            said, true = _columns(inside)
            means = {"said": float(said.mean()), "true": float(true.mean())}
            rows.append({"band": band, "n": len(inside), **means})
    return rows


def _calibration_error(judged: Sequence[Judged]) -> float | None:
    """Mean distance of what was said from what was true on average, over bands, by answers."""
    rows = [
        (cast("int", r["n"]), abs(cast("float", r["said"]) - cast("float", r["true"])))
        for r in _calibration(judged)
    ]
    total = sum(n for n, _ in rows)
    return sum(n * distance for n, distance in rows) / total if total else None


def _risk_coverage(judged: Sequence[Judged]) -> list[list[float]]:
    """Mean absolute error of the share of answers whose rubric was judged most completely."""
    ordered = sorted(judged, key=lambda j: -cast("float", j.row.get("coverage", 1.0)))
    curve: list[list[float]] = []
    for part in (0.25, 0.5, 0.75, 1.0):
        said, true = _columns(ordered[: max(1, round(part * len(ordered)))])
        curve.append([part, float(np.abs(said - true).mean())] if len(said) else [part, 0.0])
    return curve if judged else []


def _floors(judged: Sequence[Judged]) -> Document:
    _, true = _columns(judged)
    texts, clusters = [j.line.answer for j in judged], [j.line.cluster for j in judged]
    floors = floor_scores(texts, true, clusters)
    return {name: total_figures(scores, true) for name, scores in floors.items()}


def _point_floors(judged: Sequence[Judged]) -> Document:
    inside = [j for j in judged if j.line.points]
    pairs = point_floor_pairs(
        [j.line.answer for j in inside],
        [j.line.points for j in inside],
        [j.line.cluster for j in inside],
    )
    return {name: point_figures(found).document() for name, found in pairs.items()}


def _gap(splits: Document) -> Document | None:
    """Development minus test of each figure; None where the rows name no two halves."""
    dev, test = (cast("Document", splits.get(name)) for name in ("dev", "test"))
    if not dev or not test:
        return None
    both = {k for k in dev.keys() & test.keys() if k != "n"}
    pairs = {k: (dev[k], test[k]) for k in sorted(both)}
    return {
        k: float(d) - float(t)
        for k, (d, t) in pairs.items()
        if isinstance(d, float | int) and isinstance(t, float | int)
    }


def _taggers(judged: Sequence[Judged], by: Sequence[str]) -> dict[str, Callable[[Judged], str]]:
    lengths = sorted(len(j.line.answer) for j in judged)
    cuts = [lengths[len(lengths) // 3], lengths[2 * len(lengths) // 3]] if lengths else [0, 0]
    taggers: dict[str, Callable[[Judged], str]] = {
        "lang": lambda j: j.line.lang or j.line.reader_lang.value,
        "length": lambda j: TERCILES[sum(len(j.line.answer) > cut for cut in cuts)],
        "band": lambda j: f"{20 * _band(j.true)}+",
        "split": lambda j: j.line.split or "",
    }
    return taggers | {name: _tagger(name) for name in by}


def _tagger(name: str) -> Callable[[Judged], str]:
    return lambda j: j.line.tag(name)


def _grouped(judged: Sequence[Judged], tag: Callable[[Judged], str]) -> Document:
    """Points and totals of each group apart."""
    found: Document = {}
    for value in sorted({tag(j) for j in judged} - {""}):
        inside = [j for j in judged if tag(j) == value]
        marked = [j for j in inside if j.said is not None and j.true is not None]
        figures = point_figures(_point_pairs(inside))
        found[value] = {
            "macro_f1": figures.macro_f1,
            "no_mark": share([j.said is None for j in inside]),
            **_figures([j for j in marked if not j.line.is_blank]),
        }
    return found
