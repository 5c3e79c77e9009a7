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
    "short": Bilingual(zh="一句话", en="In short"),
    "short_graded": Bilingual(
        zh="{answers} 条回答：评了 {graded} 条，{not_enough_evidence} 条内容太少、没有给分，"
        "{errors} 条缺失。平均 {mean} 分（满分 100）。",
        en="{answers} answers: {graded} graded, {not_enough_evidence} said too little for a mark, "
        "{errors} missing. The mean mark is {mean} of 100.",
    ),
    "short_labels": Bilingual(
        zh="与 {n} 条有标签的回答相比，平均相差 {mae} 分，总体{side} {bias} 分。",
        en="Beside {n} labelled answers it is {mae} points off on average, and {side} by {bias}.",
    ),
    "generous": Bilingual(zh="偏高", en="too generous"),
    "strict": Bilingual(zh="偏低", en="too strict"),
    "short_beats": Bilingual(
        zh="不读内容的最好底线相差 {floor} 分：评分器更准。",
        en="The best floor that reads nothing is {floor} points off: the grader does better.",
    ),
    "short_fails": Bilingual(
        zh="不读内容的最好底线只差 {floor} 分：在这批数据上评分器没有胜过它。",
        en="The best floor that reads nothing is {floor} points off: on these data the grader does "
        "not beat it.",
    ),
    "short_no_floor": Bilingual(
        zh="有标签的回答太少，算不出不读内容的底线。",
        en="Too few labelled answers to learn the floors that read nothing.",
    ),
    "marks": Bilingual(zh="每条回答", en="Each answer"),
    "marks_note": Bilingual(
        zh="与标签相差最多的排在前面，至多 200 条；理由与引文在 results.jsonl。",
        en="Those farthest from their label first, 200 at most; reasons and quotes are in "
        "results.jsonl.",
    ),
    "gap": Bilingual(zh="开发半减测试半", en="Development half minus test half"),
    "calibrated": Bilingual(
        zh="校准：按评分器的分数段，两边平均分相差 {error} 分。",
        en="Calibration: by bands of what the grader says, the means are {error} points apart.",
    ),
}


def _name(zh: str, en: str) -> Bilingual:
    return Bilingual(zh=zh, en=en)


# Columns and rows of the tables; English keeps the name that agreement.json and gates use.
NAMES: Final = {
    "mark": _name("评分", "mark"), "label": _name("标签", "label"), "apart": _name("相差", "apart"),
    "answers": _name("回答", "answers"), "labelled": _name("有标签", "labelled"),
    "missing": _name("缺失", "missing"), "blank": _name("空白", "blank"),
    "no_mark": _name("未给分", "no_mark"), "graded": _name("已评", "graded"),
    "not_enough_evidence": _name("内容太少", "not_enough_evidence"),
    "errors": _name("缺失", "errors"), "outcomes": _name("结果", "outcomes"),
    "mean_score": _name("平均分", "mean_score"), "grader": _name("评分器", "grader"),
    "with blanks": _name("含空白", "with blanks"), "mean": _name("底线：平均分", "floor: mean"),
    "length": _name("底线：长度", "floor: length"),
    "lexical": _name("底线：用词", "floor: lexical"),
    "majority": _name("底线：多数", "floor: majority"), "*": _name("全部得分点", "all points"),
    "misconceptions": _name("误解", "misconceptions"), "positives": _name("标为讲到", "positives"),
    "unjudged": _name("未判", "unjudged"), "accuracy": _name("准确率 accuracy", "accuracy"),
    "false_credit": _name("误给 false_credit", "false_credit"),
    "missed_credit": _name("漏给 missed_credit", "missed_credit"),
    "bias": _name("偏差 bias", "bias"), "mae": _name("平均差 mae", "mae"),
    "exact_band": _name("同段 exact_band", "exact_band"),
    "adjacent_band": _name("至多差一段 adjacent_band", "adjacent_band"),
    "off_by_15": _name("差 15 分以上 off_by_15", "off_by_15"),
    "motivation": _name("动机", "motivation"), "stages": _name("阶段", "stages"),
    "tradeoffs": _name("权衡", "tradeoffs"), "experience": _name("经验", "experience"),
    "short": _name("短", "short"), "middle": _name("中", "middle"), "long": _name("长", "long"),
    "share": _name("占比", "share"), "holds": _name("守住", "holds"),
    "outcome": _name("结果", "outcome"),
}  # fmt: skip
