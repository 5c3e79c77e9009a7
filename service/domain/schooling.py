"""Degrees and fields of study, compared across both languages."""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from service.domain.language import Message, msg
from service.domain.posting import Requirement
from service.domain.resume import Education

# Lowest first. Also used to read a résumé's own words.
DEGREES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("college", re.compile(r"大专|专科|高职|associate", re.IGNORECASE)),
    (
        "bachelor",
        re.compile(
            r"本科|学士|bachelor|undergraduate|\bb\.?\s?(?:sc?|a|eng|tech|e)\b", re.IGNORECASE
        ),
    ),
    (
        "master",
        re.compile(
            r"硕士|研究生|master|\bm\.?\s?(?:sc?|a|eng|tech|phil|ba)\b|postgraduate", re.IGNORECASE
        ),
    ),
    ("phd", re.compile(r"博士|ph\.?\s?d|doctor", re.IGNORECASE)),
)
_RANK: Final = {name: rank for rank, (name, _) in enumerate(DEGREES)}
# Fields an ad in this trade means by "computer science or a related major".
_RELATED: Final = re.compile(
    r"计算机|软件|人工智能|智能|电子|通信|自动化|数学|统计|信息|数据|网络|物理|控制|微电子|集成电路|机器学习|"
    r"comput|software|artificial|intelligen|electr|communication|automat|math|statistic|informati|data|machine learning|physics|robotic|cyber",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Schooled:
    status: Literal["met", "partial", "gap"]
    entry: int | None  # index of the education entry that decides
    why: Message


def rank(words: str | None) -> int | None:
    """0 college, 1 bachelor, 2 master, 3 phd; None when no degree is named."""
    found = [r for r, (_, pattern) in enumerate(DEGREES) if words and pattern.search(words)]
    return max(found, default=None)


def compare(requirement: Requirement, education: Sequence[Education]) -> Schooled:
    """The best entry against the degree and the field that are asked for."""
    ranks = [rank(e.degree) for e in education]
    entry = max(range(len(education)), key=lambda i: -1 if ranks[i] is None else ranks[i] or 0)
    best = ranks[entry]
    if requirement.degree is not None:
        if best is None:
            return Schooled("partial", entry, msg("The résumé names a school but no degree."))
        if best < _RANK[requirement.degree]:
            return Schooled("gap", entry, msg("The degree asked for is higher."))
    if requirement.major:
        related = next(
            (i for i, e in enumerate(education) if e.major and _RELATED.search(e.major)), None
        )
        if related is None:
            return Schooled(
                "partial", entry, msg("The field of study is not clearly the one asked for.")
            )
        entry = related if requirement.degree is None else entry
    return Schooled("met", entry, msg("The quoted education meets it."))
