"""How much a grade changes when nothing but the repeat does."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np

from eval.folder import RESULTS, read_run
from eval.measures.totals import bands
from eval.meta import Document, said_of


def stability_of(folders: Sequence[Path]) -> Document:
    """Over answers graded in every repeat: flips of points, spread of totals, bands crossed."""
    runs = [read_run(folder)[1] for folder in folders]
    shared = [i for i in runs[0] if all(i in r and r[i]["status"] != "error" for r in runs)]
    marked = [i for i in shared if all(r[i]["score"] is not None for r in runs)]
    table = np.array([[cast("float", r[i]["score"]) for r in runs] for i in marked])
    points = [
        {said_of(r[i], p) for r in runs}
        for i in shared
        for p in cast("dict[str, object]", runs[0][i]["points"])
    ]
    flipped = sum(len(said) > 1 for said in points)
    bytes_of = {(folder / RESULTS).read_bytes() for folder in folders}
    return {
        "repeats": len(folders),
        "answers": len(shared),
        "marked": len(marked),
        "identical_bytes": len(bytes_of) == 1,
        "point_flips": flipped / len(points) if points else None,
        "mean_sd": float(table.std(axis=1, ddof=1).mean()) if marked else None,
        "icc11": icc11(table) if len(marked) > 1 else None,
        "band_crossed": float(np.mean([len(set(bands(row).tolist())) > 1 for row in table]))
        if marked
        else None,
    }


def icc11(table: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> float | None:
    """One-way, single rating: (MSB - MSW) / (MSB + (k-1) MSW), Shrout and Fleiss 1979."""
    n, k = table.shape
    between = k * float(np.sum((table.mean(axis=1) - table.mean()) ** 2)) / (n - 1)
    within = float(np.sum((table - table.mean(axis=1, keepdims=True)) ** 2)) / (n * (k - 1))
    divisor = between + (k - 1) * within
    return (between - within) / divisor if divisor else None


def stability_text(document: Document) -> str:
    return "\n".join(f"{name:<16} {value}" for name, value in document.items())
