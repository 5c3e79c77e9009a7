"""What all the simulated interviews come to, candidate by candidate and language by language."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import fmean

from eval.interviews.candidates import Cast
from eval.interviews.holding import Held
from eval.interviews.rules import RULES, Bound, Judged, judge
from service.domain.knowledge import Misconception

# `heaviest` is no fault by itself: after the first follow-up the interviewer goes a layer down.
FAULTS = tuple(rule for rule in RULES if rule != "heaviest")


def document_of(
    held: Sequence[Held], cast: Cast, atlas: Mapping[str, Misconception]
) -> dict[str, object]:
    """Rows in the order held; shares 0..1, marks 0..100, None where nothing was judged."""
    judged = {id(one): tuple(judge(one.session, _bound(one, cast, atlas))) for one in held}
    grouped = groupby(held, key=lambda one: (one.candidate, one.lang))
    rows = [_row(name, lang, list(ones), judged) for (name, lang), ones in grouped]
    every = [j for judgements in judged.values() for j in judgements]
    return {
        "follow_ups": len(every),
        "kept": _shares(every),
        "rows": rows,
        "in_order": in_order(held, cast),
        "broken": [_broken(one, j) for one in held for j in judged[id(one)] if _faults(j)],
    }


def _bound(one: Held, cast: Cast, atlas: Mapping[str, Misconception]) -> Bound:
    return Bound(one.questions, atlas, cast.verdicts)


def _row(
    name: str, lang: str, ones: Sequence[Held], judged: Mapping[int, tuple[Judged, ...]]
) -> dict[str, object]:
    follow_ups = [j for one in ones for j in judged[id(one)]]
    marks = [one.score for one in ones if one.score is not None]
    return {
        "candidate": name,
        "lang": str(lang),
        "interviews": len(ones),
        "without_mark": len(ones) - len(marks),
        "mark": fmean(marks) if marks else None,
        "follow_ups": len(follow_ups),
        "kept": _shares(follow_ups),
    }


def _shares(judged: Sequence[Judged]) -> dict[str, float | None]:
    return {
        rule: sum(j.kept[rule] for j in judged) / len(judged) if judged else None for rule in RULES
    }


def _faults(judged: Judged) -> list[str]:
    return [rule for rule in FAULTS if not judged.kept[rule]]


def _broken(one: Held, judged: Judged) -> dict[str, object]:
    return {
        "candidate": one.candidate,
        "lang": str(one.lang),
        "rules": _faults(judged),
        "move": judged.move,
        "answer": judged.answer,
        "text": judged.text,
    }


def in_order(held: Sequence[Held], cast: Cast) -> bool:
    """In each language, whoever stands higher has the higher mean mark; no mark counts as 0."""
    for lang in {one.lang for one in held}:
        means = _means([one for one in held if one.lang is lang], cast)
        for standing, marks in means.items():
            below = [m for s, lower in means.items() if s < standing for m in lower]
            if below and min(marks) <= max(below):
                return False
    return True


def _means(held: Sequence[Held], cast: Cast) -> dict[int, list[float]]:
    """The mean mark of each candidate, by standing."""
    means: dict[int, list[float]] = {}
    for name in dict.fromkeys(one.candidate for one in held):
        marks = [one.score or 0.0 for one in held if one.candidate == name]
        means.setdefault(cast.candidates[name].standing, []).append(fmean(marks))
    return means
