"""What decides points without understanding: the majority, the length, the words.

As in `floors`: learned from the labels out of fold, whole clusters at a time, one point at a time.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from eval.measures.floors import folds_for

FULL: Final = "met"
Labels = Mapping[str, str]


def point_floor_pairs(
    texts: Sequence[str], labels: Sequence[Labels], clusters: Sequence[str]
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Pairs of (label, what the floor says) for each floor; empty with too few clusters."""
    if not folds_for(clusters):
        return {}
    found: dict[str, list[tuple[str, str]]] = {"majority": [], "length": [], "lexical": []}
    lengths = np.log1p([[len(t)] for t in texts])
    points = sorted({p for label in labels for p in label})
    folds = cast("Any", GroupKFold(folds_for(clusters))).split(lengths, None, clusters)
    for known, unseen in cast("list[tuple[Any, Any]]", list(folds)):
        words = cast("Any", TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True))
        seen = words.fit_transform([texts[i] for i in known])
        asked = words.transform([texts[i] for i in unseen])
        alike, alike_asked = (seen @ seen.T).toarray(), (asked @ seen.T).toarray()
        for point in points:
            at = [n for n, i in enumerate(known) if point in labels[i]]
            to = [n for n, i in enumerate(unseen) if point in labels[i]]
            if not at or not to:
                continue
            true: Any = cast("Any", np).array([labels[known[n]][point] == FULL for n in at])
            asked_of: list[str] = [labels[unseen[n]][point] for n in to]
            said: dict[str, Any] = {
                "majority": np.full(len(to), 2 * int(true.sum()) > len(at)),
                "length": _told(lengths[known][at], true, lengths[unseen][to]),
                "lexical": _by_words(alike[np.ix_(at, at)], true, alike_asked[np.ix_(to, at)]),
            }
            for name, column in said.items():
                found[name] += [
                    (label, FULL if met else "missed")
                    for label, met in zip(asked_of, column.tolist(), strict=True)
                ]
    return found


def _by_words(alike: Any, true: Any, alike_unseen: Any) -> Any:
    """Ridge regression on +1 and -1 over likeness of words, as if both classes were as many."""
    if len(set(true.tolist())) < 2:  # noqa: PLR2004
        return np.full(alike_unseen.shape[0], bool(true[0]))
    wanted = np.where(true, 1.0, -1.0)
    middle = (wanted[true].mean() + wanted[~true].mean()) / 2
    level = float(wanted.mean()) - middle
    weights = cast("Any", np.linalg).solve(alike + np.eye(len(true)), wanted - wanted.mean())
    return alike_unseen @ weights + level > 0


def _told(known: object, true: Any, unseen: Any) -> Any:
    """A balanced logistic regression; one class only is said again."""
    if len(set(true.tolist())) < 2:  # noqa: PLR2004
        return np.full(unseen.shape[0], bool(true[0]))
    model = cast("Any", LogisticRegression(class_weight="balanced", max_iter=1000))
    return model.fit(known, true).predict(unseen)
