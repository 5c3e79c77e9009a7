"""The goals the figures are held against; which of them are missed is computed, never typed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from eval.attacks.classes import CLASSES
from eval.gate import value_at
from eval.meta import Document
from service.domain.language import Bilingual


@dataclass(frozen=True, slots=True)
class Goal:
    """`bound` at least, or with `is_most` at most."""

    name: Bilingual
    path: str
    bound: float
    is_most: bool = False

    def met_by(self, value: float | None) -> bool:
        """What was not measured is not met."""
        if value is None:
            return False
        return value <= self.bound if self.is_most else value >= self.bound


FREE_TEST: Final = Bilingual(zh="自由回答测试半", en="Free answers, test half")
MADE_TEST: Final = Bilingual(zh="构造集测试半", en="Constructed set, test half")
NUMBERS: Final = Bilingual(zh="数字核查测试集", en="Numbers, test sets")
BELIEFS: Final = Bilingual(zh="误解识别测试半", en="Wrong beliefs, test half")
FACTS: Final = Bilingual(zh="知识检索测试半", en="Retrieval, test half")


def _of(where: Bilingual, zh: str, en: str) -> Bilingual:
    return Bilingual(zh=f"{where.zh}：{zh}", en=f"{where.en}: {en}")


GOALS: Final = (
    Goal(_of(FREE_TEST, "QWK", "QWK"), "free.test.totals.qwk", 0.70),
    Goal(_of(FREE_TEST, "QWK 区间下限", "QWK, low end"), "free.test.totals.intervals.qwk.0", 0.60),
    Goal(_of(FREE_TEST, "同一分数段", "same band"), "free.test.totals.exact_band", 0.55),
    Goal(
        _of(FREE_TEST, "至多差一段", "at most one band off"), "free.test.totals.adjacent_band", 0.95
    ),
    Goal(_of(FREE_TEST, "SMD 上限", "SMD, at most"), "free.test.totals.smd", 0.15, is_most=True),
    Goal(_of(FREE_TEST, "SMD 下限", "SMD, at least"), "free.test.totals.smd", -0.15),
    Goal(_of(MADE_TEST, "MAE", "MAE"), "constructed.test.totals.mae", 8.0, is_most=True),
    Goal(
        _of(MADE_TEST, "近距离措辞 macro-F1", "near wording, macro-F1"),
        "constructed.test.groups.family.near.macro_f1", 0.92,
    ),
    Goal(
        _of(MADE_TEST, "中距离措辞 macro-F1", "middle wording, macro-F1"),
        "constructed.test.groups.family.middle.macro_f1", 0.80,
    ),
    Goal(
        _of(MADE_TEST, "远距离措辞 macro-F1", "far wording, macro-F1"),
        "constructed.test.groups.family.far.macro_f1", 0.60,
    ),
    Goal(_of(BELIEFS, "精确率", "precision"), "misconceptions.test.all.precision", 0.95),
    Goal(_of(BELIEFS, "召回率", "recall"), "misconceptions.test.all.recall", 0.75),
    Goal(_of(NUMBERS, "整段全对", "whole texts right"), "claims.test.strict", 0.92),
    Goal(
        _of(NUMBERS, "对的说成错的", "right called wrong"),
        "claims.test.right_called_wrong", 0.01, is_most=True,
    ),
    Goal(_of(FACTS, "R@5", "R@5"), "retrieval.test.fused.recall_5", 0.93),
    Goal(_of(FACTS, "MRR", "MRR"), "retrieval.test.fused.mrr", 0.80),
    Goal(
        _of(FACTS, "答不了却自信", "sure without an answer"),
        "retrieval.test.fused.wrong_confidence", 0.10, is_most=True,
    ),
)  # fmt: skip


def judged_goals(figures: Document) -> Iterator[tuple[Goal, float | None]]:
    """Each goal with its figure; the classes of the probe suite after the others."""
    for goal in GOALS:
        yield goal, value_at(figures, goal.path)
    for kind in CLASSES:
        name = Bilingual(zh=f"攻击 {kind}", en=f"Attack {kind}")
        yield (
            Goal(name, f"attacks.test.{kind}.passed", 1.0),
            value_at(figures, f"attacks.test.{kind}.passed"),
        )
