"""What a résumé's memory figure makes an interviewer ask: with which stage and how many GPUs?

A drop is held against what sharding can do. Where that explains it, the settings that do are named;
where it does not, or where the line leaves its setting open, it is asked what else there was. A
line is never said to be untrue: a run holds more than model states.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from service.domain.claims import KnownModels, check
from service.domain.claims.model import ClaimVerdict, Quantity
from service.domain.language import Message, msg
from service.domain.memory import reduction_factor
from service.domain.rewriting.figures import Figure, find_figures
from service.domain.rewriting.plausible import doubts
from service.domain.text import fold

_BYTES: Final = {"gb": 1e9, "gib": 2**30, "mb": 1e6, "mib": 2**20, "tb": 1e12, "tib": 2**40}
_STAGES: Final = (
    ("ZeRO-1", "zero1_paper"),
    ("ZeRO-2", "zero2_paper"),
    ("ZeRO-3", "zero3_paper"),
)
_MOST: Final = 4_096  # GPUs that are tried
_OPEN: Final = frozenset({ClaimVerdict.UNCHECKABLE, ClaimVerdict.CONDITIONAL, ClaimVerdict.WRONG})
_MEMORY: Final = frozenset(
    {Quantity.MEMORY_PER_GPU, Quantity.TOTAL_MEMORY, Quantity.REDUCTION_FACTOR}
)


def asks_of(text: str, models: KnownModels) -> Message | None:
    """Why this line calls for a question on its figure; None when it has no open memory figure."""
    if doubts(text):
        return msg(
            "Sharding alone does not explain the memory figure of this line. Be ready to say what "
            "else was changed and how it was measured."
        )
    return _of_drop(text) or _of_open_figure(text, models)


def _of_drop(text: str) -> Message | None:
    for before, after in _drops(text):
        ways = ", ".join(f"{name} (N ≥ {n})" for name, n in stages_for(_size(before), _size(after)))
        said = f"{before.text} → {after.text}"
        if ways:
            return msg(
                "By the formulas model states shrink as in {said} with {ways}. Be ready to say "
                "which it was, and how you know.",
                said=said,
                ways=ways,
            )
        return msg(
            "No stage of ZeRO alone gives {said}. Be ready to say what else was changed.", said=said
        )
    return None


def _drops(text: str) -> Iterator[tuple[Figure, Figure]]:
    sizes = [f for f in find_figures(fold(text).text) if f.unit in _BYTES]
    return ((a, b) for a, b in pairwise(sizes) if _size(a) > _size(b) > 0)


def _size(figure: Figure) -> float:
    return float(figure.value) * _BYTES[figure.unit]


def stages_for(before: float, after: float) -> tuple[tuple[str, int], ...]:
    """The stages that alone bring model states from `before` to `after`, each with the least N.

    Mixed-precision Adam, N a power of two; bytes in both arguments.
    """
    wanted = before / after
    powers = [2**i for i in range(_MOST.bit_length())]
    found = (
        (name, next((n for n in powers if reduction_factor(scheme, n) >= wanted), None))
        for name, scheme in _STAGES
    )
    return tuple((name, n) for name, n in found if n is not None)


def _of_open_figure(text: str, models: KnownModels) -> Message | None:
    for claim in check(text, models=models):
        if claim.quantity in _MEMORY and claim.verdict in _OPEN:
            return msg(
                "This line gives {number}. Be ready to name its setting: model size, number of "
                "GPUs, stage, and how it was measured.",
                number=claim.text,
            )
    return None
