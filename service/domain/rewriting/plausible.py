"""Whether a memory figure can be, by the memory formulas. A doubt is shown, never counted.

A run's memory holds more than model states, so only two things are certain: sharding cannot save
more than the states it splits, and a card cannot hold less than its share of them.
"""

# ruff: noqa: E501 - word lists and patterns are read in one piece

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from service.domain import scale
from service.domain.language import Message, msg
from service.domain.memory import model_states, reduction_factor
from service.domain.rewriting.figures import PERCENT, TIMES, Figure, find_figures
from service.domain.rewriting.lexicon import METRICS
from service.domain.rewriting.model import filled
from service.domain.text import fold

# Anything else that saves memory makes the bounds of sharding no bounds.
_OTHER_LEVERS: Final = re.compile(
    r"offload|checkpoint(?!s|ing? (?:every|interval))|recomput|flash|quanti|lora|qlora|8-?bit|4-?bit"
    r"|fp8|fp4|int8|\b[tpce]p\b|tensor parallel|pipeline|adafactor|lion|galore|liger|activation"
    r"|inference|serving|kv|卸载|重计算|检查点|量化|低秩|张量并行|流水线|序列并行|推理|激活|部署",
    re.IGNORECASE,
)
_SCHEMES: Final = (
    ("zero3_paper", re.compile(r"zero[- ]?3|stage ?3|fsdp2?|fully sharded|full shard|第三阶段|阶段三", re.IGNORECASE)),
    ("zero2_paper", re.compile(r"zero[- ]?2|stage ?2|shard_grad_op|第二阶段|阶段二", re.IGNORECASE)),
    ("zero1_paper", re.compile(r"zero[- ]?1|stage ?1|distributed optimizer|第一阶段|阶段一", re.IGNORECASE)),
)  # fmt: skip
_MEMORY: Final = re.compile(r"显存|内存|memory|vram|hbm", re.IGNORECASE)
_FALLS: Final = re.compile(
    r"降|减|省|下降|缩|reduc|cut|lower|decreas|sav|drop|shr[aiu]nk|less|down|halv", re.IGNORECASE
)
_MANY: Final = 1_000_000  # cards: the limit of what sharding can save
_ROOM: Final = 0.99  # rounding in figures as people write them
_CAP: Final = 0.005
_BYTES: Final = {"gb": 1e9, "gib": 2**30, "mb": 1e6, "mib": 2**20, "tb": 1e12, "tib": 2**40}
_TOO_MUCH: Final = msg(
    "{scheme} on {cards} cards splits at most {most} of the model states (mixed-precision Adam), "
    "so it alone cannot save {said}; what else was changed, or what was measured?"
)
_TOO_SMALL: Final = msg(
    "Model states alone take {least} GB per card ({scheme}, {cards} cards, mixed-precision Adam); "
    "how can a card hold {said}?"
)
_NAMES: Final = {"zero1_paper": "ZeRO-1", "zero2_paper": "ZeRO-2", "zero3_paper": "ZeRO-3 / FSDP"}


def doubts(text: str) -> tuple[Message, ...]:
    """What the memory formulas do not bear out; empty where they say nothing."""
    folded = fold(text).text
    scheme = next((name for name, p in _SCHEMES if p.search(folded)), None)
    if scheme is None or _OTHER_LEVERS.search(folded):
        return ()
    cards = round(scale.accelerators(folded) or 0)
    return (*_too_much(folded, scheme, cards), *_too_small(folded, scheme, cards))


def _too_much(text: str, scheme: str, cards: int) -> Iterator[Message]:
    most = 1 - 1 / reduction_factor(scheme, cards or _MANY)
    for said, share in _savings(text):
        if share > most + _CAP:
            yield filled(
                _TOO_MUCH,
                scheme=_NAMES[scheme],
                cards=cards or "∞",
                most=f"{most:.1%}",
                said=said,
            )


def _savings(text: str) -> Iterator[tuple[str, float]]:
    """Shares of memory said to be saved: 60 %, 4x less, from 80 GB to 20 GB."""
    figures = find_figures(text)
    for figure in figures:
        if not _is_saving(text, figure):
            continue
        if figure.unit == PERCENT:
            yield figure.text, float(figure.value) / 100
        if figure.unit == TIMES and figure.value > 1:
            yield figure.text, 1 - 1 / float(figure.value)
    sizes = [f for f in figures if f.unit in _BYTES] if _MEMORY.search(text) else []
    for before, after in pairwise(sizes):
        if _bytes(before) > _bytes(after):
            said = f"{before.text} → {after.text}"
            yield said, 1 - _bytes(after) / _bytes(before)


_REACH: Final = 24
# What else a share may be of; without any of these a share beside ZeRO is one of its memory.
_OTHER_MEASURES: Final = re.compile(
    "|".join(p for name, p in METRICS.items() if name != "memory")
    + r"|uptime|availab|success|pass(?:ed|ing)? rate|cover|efficien|scaling|linear|of (?:the )?peak|goodput|hit rate|loss|test"
    r"|效率|可用|成功率|覆盖|线性|扩展|峰值|命中|通过率|稳定",
    re.IGNORECASE,
)


def _is_saving(text: str, figure: Figure) -> bool:
    """A share beside memory that falls; or one beside no measure at all, which can be no other."""
    if figure.unit not in (PERCENT, TIMES):
        return False
    around = text[max(0, figure.span.start - _REACH) : figure.span.end + _REACH]
    if _MEMORY.search(around):
        return _FALLS.search(text) is not None
    nothing_else = _OTHER_MEASURES.search(text) is None
    return figure.unit == PERCENT and nothing_else


def _too_small(text: str, scheme: str, cards: int) -> Iterator[Message]:
    psi = scale.parameters(text)
    sizes = [f for f in find_figures(text) if f.unit in _BYTES] if _MEMORY.search(text) else []
    if not psi or not cards or not sizes:
        return
    least = model_states(psi, scheme, cards).total
    said = min(sizes, key=_bytes)
    if _bytes(said) < least * _ROOM:
        yield filled(
            _TOO_SMALL,
            least=f"{least / 1e9:.1f}",
            scheme=_NAMES[scheme],
            cards=cards,
            said=said.text,
        )


def _bytes(figure: Figure) -> float:
    return float(figure.value) * _BYTES[figure.unit]
