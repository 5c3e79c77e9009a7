"""What scores without reading: the mean, the length, the words. A grader must beat all three.

Each is learned from the labels out of fold: no answer, and no variant of its base, is scored by a
model that has seen it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from sklearn.feature_extraction.text import (
    TfidfVectorizer,
)
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from eval.measures.totals import Scores

FOLDS: Final = 5
LEAST_FOLDS: Final = 3


def folds_for(clusters: Sequence[str]) -> int:
    """At least two clusters in each fold; 0 where that leaves fewer than three folds."""
    folds = min(FOLDS, len(set(clusters)) // 2)
    return folds if folds >= LEAST_FOLDS else 0


def floor_scores(
    texts: Sequence[str], true: Scores, clusters: Sequence[str]
) -> Mapping[str, Scores]:
    """Scores of each floor; empty with fewer than six bases."""
    if not folds_for(clusters):
        return {}
    found = {name: np.zeros(len(texts)) for name in ("mean", "length", "lexical")}
    lengths = np.log1p([len(t) for t in texts])
    folds = cast("Any", GroupKFold(folds_for(clusters))).split(lengths, true, clusters)
    for known, unseen in folds:
        words = cast("Any", TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True))
        seen = words.fit_transform([texts[i] for i in known])
        asked = words.transform([texts[i] for i in unseen])
        by_length = cast("Any", IsotonicRegression(out_of_bounds="clip"))
        by_words = cast("Any", Ridge(alpha=1.0))
        found["mean"][unseen] = true[known].mean()
        found["length"][unseen] = by_length.fit(lengths[known], true[known]).predict(
            lengths[unseen]
        )
        found["lexical"][unseen] = by_words.fit(seen, true[known]).predict(asked)
    return {name: np.clip(scores, 0, 100) for name, scores in found.items()}
