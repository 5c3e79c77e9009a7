"""Two runs paired by id: which items moved, and whether the difference is more than chance."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

import numpy as np

from eval.folder import read_run
from eval.judging import questions_rubrics
from eval.measures.paired import holm, mcnemar, wilcoxon
from eval.measures.totals import Figures, intervals
from eval.meta import Document, Judged, judged_answers, said_of
from eval.row import Row
from service.errors import InputInvalid

# A total that moved by less is not listed, in points of 100.
MOVED_BY: Final = 1.0


def compare_runs(first: Path, second: Path) -> Document:
    """Second minus first.

    Raises:
        InputInvalid: no runs, or no answer in both.
    """
    answers, before = read_run(first)
    _, after = read_run(second)
    shared = [a for a in answers if a.id in before and a.id in after]
    if not shared:
        raise InputInvalid("The two runs have no answer in common.")
    moved = [m for a in shared if (m := _moved(a.id, before[a.id], after[a.id]))]
    old = judged_answers(shared, before, questions_rubrics())
    new = {j.line.id: j for j in judged_answers(shared, after, questions_rubrics())}
    pairs = [(j, new[j.line.id]) for j in old if j.line.id in new]
    return {
        "answers": len(shared),
        "only_in_one": len(answers) - len(shared),
        "moved": moved,
        "mean_change": _mean_change(before, after, [a.id for a in shared]),
        "errors": _errors(pairs),
        "points": _points(pairs),
    }


def _moved(answer_id: str, before: Row, after: Row) -> Document | None:
    one, other = before["score"], after["score"]
    flips = {
        p: [said_of(before, p), said_of(after, p)]
        for p in cast("Mapping[str, object]", after["points"])
        if said_of(before, p) != said_of(after, p)
    }
    far = abs(float(cast("float", other or 0)) - float(cast("float", one or 0))) >= MOVED_BY
    if not (far or flips or (one is None) != (other is None)):
        return None
    return {"id": answer_id, "before": one, "after": other, "points": flips}


def _mean_change(before: Mapping[str, Row], after: Mapping[str, Row], ids: Sequence[str]) -> object:
    changes = [
        float(cast("float", after[i]["score"])) - float(cast("float", before[i]["score"]))
        for i in ids
        if before[i]["score"] is not None and after[i]["score"] is not None
    ]
    return float(np.mean(changes)) if changes else None


def _errors(pairs: Sequence[tuple[Judged, Judged]]) -> Document | None:
    """Change of the absolute error of totals, with a clustered interval; below 0 is better."""
    both = [
        (o, n, o.true)
        for o, n in pairs
        if o.true is not None and o.said is not None and n.said is not None
    ]
    if not both:
        return None
    changes = np.array([abs((n.said or 0) - t) - abs((o.said or 0) - t) for o, n, t in both])

    def mean(at: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Figures:
        return {"change": float(changes[at].mean())}

    between = intervals([o.line.cluster for o, _, _ in both], mean).get("change")
    worse = [o.line.id for (o, _, _), c in zip(both, changes, strict=True) if c >= MOVED_BY]
    return {
        "n": len(both),
        "mae_change": float(changes.mean()),
        "interval": list(between) if between else None,
        "wilcoxon_p": wilcoxon([float(c) for c in changes]),
        "worse": worse,
    }


def _points(pairs: Sequence[tuple[Judged, Judged]]) -> Document:
    """Per point how many only the first, only the second had right; p by McNemar, by Holm."""
    names = sorted({p for o, _ in pairs for p in o.line.points})
    counts = {n: _only(pairs, n) for n in names}
    adjusted = holm({n: mcnemar(*c) for n, c in counts.items()})
    return {
        n: {"lost": c[0], "won": c[1], "p": mcnemar(*c), "p_holm": adjusted[n]}
        for n, c in counts.items()
    }


def _only(pairs: Sequence[tuple[Judged, Judged]], point: str) -> tuple[int, int]:
    rights = [
        tuple((said_of(j.row, point) == "met") == (j.line.points[point] == "met") for j in pair)
        for pair in pairs
        if point in pair[0].line.points
    ]
    return rights.count((True, False)), rights.count((False, True))


def comparison_text(document: Document) -> str:
    moved = cast("Sequence[Document]", document["moved"])
    lines = [f"{document['answers']} answers in both, {len(moved)} moved"]
    lines += [f"  {m['id']}: {m['before']} -> {m['after']}  {m['points'] or ''}" for m in moved]
    errors = cast("Document | None", document["errors"])
    if errors:
        lines.append(
            f"mean absolute error {errors['mae_change']:+.2f} {errors['interval']}, "
            f"Wilcoxon p {errors['wilcoxon_p']:.4f}; worse: {errors['worse']}"
        )
    points = cast("Mapping[str, Document]", document["points"])
    lines += [
        f"  {name}: lost {p['lost']}, won {p['won']}, p {p['p']:.4f}, Holm {p['p_holm']:.4f}"
        for name, p in points.items()
        if p["lost"] or p["won"]
    ]
    return "\n".join(lines)
