"""The words of a report, in both languages."""

from typing import Final

from service.domain.language import Bilingual

W: Final = {
    "title": Bilingual(zh="评测报告", en="Evaluation report"),
    "run": Bilingual(zh="这次运行", en="The run"),
    "summary": Bilingual(zh="评了什么", en="What was graded"),
    "missing": Bilingual(
        zh="缺失的回答（没有分数，不当作零分）", en="Missing answers (no mark, never counted as 0)"
    ),
    "none": Bilingual(zh="没有。", en="None."),
    "unlabelled": Bilingual(
        zh="数据里没有人工标签，所以没有一致性指标。加上 score 或得分点列即可。",
        en="The data carry no labels, so there is no agreement to report. Add a score or points.",
    ),
    "few": Bilingual(
        zh="有标签的回答不足 100 条：以下数字只能参考，不能下结论。",
        en="Fewer than 100 labelled answers: read the figures as hints, not as a claim.",
    ),
    "totals": Bilingual(zh="总分与人工标签的一致程度", en="Totals beside the labels"),
    "totals_note": Bilingual(
        zh="MAE：平均差几分，越小越好。bias：正数表示偏高。QWK、ICC：1 为完全一致，0.7 以上可用。"
        "off_by_15：相差超过 15 分的比例。mean、length、lexical 是不读内容的底线："
        "只猜平均分、只看长度、"
        "只看用词；评分器必须明显优于它们。区间为 95%，按同源回答成组重抽。",
        en="MAE: points off on average, lower is better. bias: above 0 is too generous. QWK, ICC: "
        "1 is full agreement, 0.7 is usable. off_by_15: share off by more than 15. mean, length "
        "and lexical are floors that read nothing: the average, the length, the words; a grader "
        "must clearly beat them. Intervals are 95%, drawn by base answer.",
    ),
    "points": Bilingual(zh="逐个得分点", en="Point by point"),
    "points_note": Bilingual(
        zh="false_credit：不该给而给了；missed_credit：该给而没给。正例少于 30 的点不下结论。",
        en="false_credit: given and not earned; missed_credit: earned and not given. A point with "
        "fewer than 30 positives carries no claim.",
    ),
    "groups": Bilingual(zh="按语言、长度、分数段", en="By language, length and band"),
    "people": Bilingual(zh="人与人之间（上限）", en="People with each other (the ceiling)"),
    "confusion": Bilingual(
        zh="分数段：行为标签，列为评分器", en="Bands: rows are labels, columns the grader"
    ),
    "bland": Bilingual(
        zh="差值（评分器减标签）随分数的分布", en="Difference (grader - label) over the mean"
    ),
    "calibration": Bilingual(
        zh="校准：横轴为评分器，纵轴为标签平均", en="Calibration: grader across, labels' mean up"
    ),
    "per_point": Bilingual(zh="各得分点 macro-F1", en="Macro-F1 of each point"),
    "robust": Bilingual(
        zh="鲁棒性：各类攻击守住的比例", en="Robustness: share of each class that held"
    ),
    "risk": Bilingual(
        zh="只看判得最完整的一部分回答时的 MAE", en="MAE among the answers judged most completely"
    ),
}
