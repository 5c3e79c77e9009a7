"""Small words that change what a figure means: to or by, from, at the limit, all states."""

from typing import Final

from service.domain.claims import signs
from service.domain.claims.places import is_measured
from service.domain.claims.recipes import names_type
from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View

_BEFORE: Final = 24
_EACH: Final = 6
_NEAR: Final = 28
_FAR: Final = 44
_IN_CLAUSE: Final = ("limit", "always", "more", "less", "infer", "train", "tune")


def manner_of(view: View, number: Number) -> frozenset[str]:
    """Flags that the checks understand; `adam` means that the optimizer itself is spoken of."""
    words = {kind for kind in _IN_CLAUSE if view.clause_has(kind, number)}
    words |= {mark.value for mark in view.governing("condition", number)}
    return frozenset(words | {name for name, is_so in _flags(view, number) if is_so})


def _flags(view: View, number: Number) -> tuple[tuple[str, bool], ...]:
    before = view.text(number.start - _BEFORE, number.start)
    is_share = number.unit in {Unit.SHARE, Unit.PERCENT}
    gradients = (view.clause_has("mix", number, name) for name in ("fp32grad", "fp16grad"))
    return (
        ("tune", _is_tuned(view, number)),
        ("tensor", view.sentence_has("tp", number)),
        ("floor", signs.NEVER_BELOW.search(before) is not None),
        ("each", signs.EACH_BEFORE.search(before[-_EACH:]) is not None),
        ("by", is_share and not signs.DOWN_TO.search(before)),
        ("from", _is_start(view, number, before)),
        ("mixed", view.sentence_has("mix", number)),
        ("states", view.sentence_has("part", number, "states")),
        ("limit", view.sentence_has("limit", number)),
        ("gradmix", any(gradients)),
        ("typed", names_type(view, number)),
        ("measured", is_measured(view, number)),
        ("delta", signs.DELTA_BEFORE.search(before) is not None),
        ("adam", _is_of_adam(view, number)),
        *_of_layer(view, number),
    )


def _of_layer(view: View, number: Number) -> tuple[tuple[str, bool], ...]:
    """What is said of a formula of activations: the input alone, or what every rank repeats."""
    if number.expr is None or "s" not in number.expr.names:
        return ()
    near = view.near(number, _FAR)
    return (
        ("input", signs.OF_INPUT.search(near) is not None),
        ("repeated", signs.REPEATED.search(near) is not None),
    )


def _is_start(view: View, number: Number, before: str) -> bool:
    """From 112 GB; cuts 112 GB to 38.5."""
    if signs.STARTS_FROM.search(before):
        return True
    is_cut = signs.CUTS.search(before) is not None
    return is_cut and signs.CUT_TO.match(view.low, number.end) is not None


def _is_tuned(view: View, number: Number) -> bool:
    """Adapters are spoken of here or just before; a full fine-tuning named first is none."""
    mark = view.before("tune", number.start)
    is_recent = mark is not None and view.sentence(number.start) - view.sentence(mark.start) <= 1
    return is_recent or view.clause_has("tune", number)


def _is_of_adam(view: View, number: Number) -> bool:
    """Adam needs 12 bytes: its own state, unless the training or a total is spoken of."""
    mark = view.before("opt", number.start) or view.after("opt", number.end)
    if mark is None or mark.value != "adam" or abs(mark.start - number.start) >= _FAR:
        return False
    if signs.TRAINS.search(view.text(number.start - _NEAR, number.end + _NEAR)):
        return False
    return not (view.sentence_has("mix", number) or view.sentence_has("per", number, "total"))
