"""The floors of a public set: what scores without understanding, on questions never seen."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GroupKFold

from eval.measures.floors import floor_scores, folds_for
from eval.measures.totals import total_figures
from eval.public_sets import Marked

WORD: Final = re.compile(r"[\u3400-\u9fff]|[a-z0-9]+")


def overlap(one: Marked) -> float:
    """Share of the reference's words that the answer has, 0..1; characters for Chinese."""
    wanted, said = (set(WORD.findall(t.casefold())) for t in (one.reference, one.answer))
    return len(wanted & said) / len(wanted) if wanted else 0.0


def public_floors(marked: Sequence[Marked]) -> Mapping[str, object]:
    """Figures of each floor, learned out of fold with whole questions left out.

    With too few questions for the folds there are no learned floors.
    """
    true = np.array([m.score for m in marked], float)
    questions = [m.question for m in marked]
    found = dict(floor_scores([m.answer for m in marked], true, questions))
    if found:
        alike = np.array([overlap(m) for m in marked], float)
        said = np.zeros(len(marked))
        for known, unseen in cast("Any", GroupKFold(folds_for(questions))).split(
            alike, true, questions
        ):
            line = cast("Any", IsotonicRegression(out_of_bounds="clip"))
            said[unseen] = line.fit(alike[known], true[known]).predict(alike[unseen])
        found["overlap"] = said
    return {
        "answers": len(marked),
        "questions": len(set(questions)),
        "floors": {name: total_figures(scores, true) for name, scores in found.items()},
    }
