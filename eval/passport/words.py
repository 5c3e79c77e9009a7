"""The words of the passport, in both languages."""

from typing import Final

from service.domain.language import Bilingual

W: Final = {
    "title": Bilingual(zh="评分器护照", en="Passport of the grader"),
    "what": Bilingual(
        zh="这一页说明内置评分器评得有多准、在哪里会错。所有数字都由一条命令从头测出，"
        "没有一个是手填的；每个数字旁边都有不读内容的底线，以及开发集与测试集之差。"
        "测试半只给合计，不列出任何一条。",
        en="How well the built-in grader grades, and where it errs. One command measures every "
        "figure anew; none is typed in. Beside each stand floors that understand nothing and "
        "the gap between development and test. Of the test halves only totals are given, "
        "never an item.",
    ),
    "made": Bilingual(zh="用什么测的", en="Measured with"),
    "thing": Bilingual(zh="项目", en="What"),
    "value": Bilingual(zh="值", en="Value"),
    "date": Bilingual(zh="日期", en="Date"),
    "command": Bilingual(zh="命令", en="Command"),
    "commands": Bilingual(zh="逐项重测", en="Each figure again"),
    "goals": Bilingual(zh="没有达到的目标", en="Goals missed"),
    "goals_count": Bilingual(
        zh="{all} 个目标中达到 {met} 个。没有达到的：",
        en="{met} of {all} goals are met. Missed:",
    ),
    "missed": Bilingual(zh="未达目标", en="Missed goals"),
    "goal": Bilingual(zh="目标", en="Goal"),
    "figure": Bilingual(zh="实测", en="Figure"),
    "bound": Bilingual(zh="要求", en="Wanted"),
    "spread": Bilingual(zh="分数的分布", en="Spread of the marks"),
    "spread_note": Bilingual(zh="各分数段的回答数", en="Answers in each band of marks"),
    "mean": Bilingual(zh="平均", en="Mean"),
    "said": Bilingual(zh="评分器", en="grader"),
    "true": Bilingual(zh="标签", en="labels"),
    "free.all": Bilingual(zh="自由回答（全部 130 条）", en="Free answers (all 130)"),
    "free.test": Bilingual(zh="自由回答，测试半", en="Free answers, test half"),
    "constructed.test": Bilingual(zh="构造集，测试半", en="Constructed set, test half"),
    "totals": Bilingual(zh="总分与标签的一致程度", en="Totals beside the labels"),
    "totals_note": Bilingual(
        zh="MAE：平均差几分（满分 100）。偏差：正数为偏高。QWK、ICC：1 为完全一致，0.70 "
        "是常用的下限。底线是在同一批数据上留出学习的：只猜平均分、只看长度、只看用词。"
        "“含空白”把没有给分的回答算作 0 分。",
        en="MAE: points of 100 off on average. Bias: above 0 is too generous. QWK, ICC: 1 is "
        "full agreement, 0.70 the usual least. The floors are learned out of fold on the "
        "same data: the mean, the length, the words. “With blanks” counts every answer and "
        "takes a mark that was withheld as 0.",
    ),
    "grader": Bilingual(zh="评分器", en="Grader"),
    "with_blanks": Bilingual(zh="评分器，含空白", en="Grader, with blanks"),
    "floor_mean": Bilingual(zh="底线：平均分", en="Floor: the mean"),
    "floor_length": Bilingual(zh="底线：长度", en="Floor: the length"),
    "floor_lexical": Bilingual(zh="底线：用词", en="Floor: the words"),
    "floor_majority": Bilingual(zh="底线：多数", en="Floor: the majority"),
    "floor": Bilingual(zh="底线", en="Floor"),
    "dev": Bilingual(zh="开发半", en="Development half"),
    "test": Bilingual(zh="测试半", en="Test half"),
    "gap": Bilingual(zh="开发减测试", en="Development − test"),
    "mae": Bilingual(zh="MAE", en="MAE"),
    "bias": Bilingual(zh="偏差", en="Bias"),
    "qwk": Bilingual(zh="QWK", en="QWK"),
    "icc": Bilingual(zh="ICC", en="ICC"),
    "pearson": Bilingual(zh="Pearson r", en="Pearson r"),
    "exact_band": Bilingual(zh="同段", en="Same band"),
    "adjacent_band": Bilingual(zh="至多差一段", en="≤ 1 band off"),
    "off_by_15": Bilingual(zh="差 15 分以上", en="Off by > 15"),
    "smd": Bilingual(zh="SMD", en="SMD"),
    "intervals": Bilingual(
        zh="95% 区间（按作者或同源成组重抽 2000 次）：",
        en="95% intervals (2,000 draws of whole authors or bases): ",
    ),
    "points": Bilingual(zh="逐个得分点", en="Point by point"),
    "points_note": Bilingual(
        zh="误给：标签没有得分而评分器给了；漏给：标签有得分而评分器没给。",
        en="False credit: given without any in the label. Missed credit: none given where the "
        "label has some.",
    ),
    "accuracy": Bilingual(zh="准确率", en="Accuracy"),
    "macro_f1": Bilingual(zh="macro-F1", en="Macro-F1"),
    "kappa": Bilingual(zh="kappa", en="Kappa"),
    "false_credit": Bilingual(zh="误给", en="False credit"),
    "missed_credit": Bilingual(zh="漏给", en="Missed credit"),
    "positives": Bilingual(zh="标为讲到", en="Labelled met"),
    "people_kappa": Bilingual(zh="两人之间 kappa", en="Kappa of two people"),
    "by_point": Bilingual(
        zh="自由回答的每个得分点（讲到不足 30 条的不下结论）",
        en="Each point of the free answers (fewer than 30 labelled met carry no claim)",
    ),
    "wording": Bilingual(
        zh="按措辞的远近（构造集）",
        en="By distance of the wording (constructed set)",
    ),
    "wording_near": Bilingual(zh="接近教科书", en="Near a textbook"),
    "wording_middle": Bilingual(zh="口语", en="As one speaks"),
    "wording_far": Bilingual(zh="比喻、不提阶段名", en="Metaphors, no stage named"),
    "n_test": Bilingual(zh="测试条数", en="n, test"),
    "n_dev": Bilingual(zh="开发条数", en="n, development"),
    "f1_test": Bilingual(zh="测试 macro-F1", en="Macro-F1, test"),
    "f1_dev": Bilingual(zh="开发 macro-F1", en="Macro-F1, development"),
    "people": Bilingual(zh="人与人之间（上限）", en="People with each other (the ceiling)"),
    "people_note": Bilingual(
        zh="两个人各自独立给同一批自由回答标注；不一致之处逐条裁定，理由存档。"
        "评分器与两人平均的一致程度，不可能要求高过两人之间。",
        en="Two people labelled the free answers independently; every difference was settled "
        "with a reason on record. No grader can be asked to agree more than people do.",
    ),
    "one_rater": Bilingual(zh="只有一个人标注。", en="Only one person has labelled."),
    "between_people": Bilingual(zh="一人对另一人", en="One person beside the other"),
    "grader_people": Bilingual(zh="评分器对两人平均", en="Grader beside their mean"),
    "grader_settled": Bilingual(zh="评分器对裁定标签", en="Grader beside the settled labels"),
    "robust": Bilingual(zh="鲁棒性", en="Robustness"),
    "robust_note": Bilingual(
        zh="{all} 类中 {passed} 类过线。“守住”是关系成立的比例（例如：注入前后分数不变）。50 "
        "例中一例不破，只能说失败率低于 {below:.0%}。",
        en="{passed} of {all} classes pass. “Holds” is the share of cases whose relation holds "
        "(injection moves no mark, and so on). None broken of {n} only says: below {below:.0%}.",
    ),
    "robust_table": Bilingual(
        zh="各类攻击与关系（测试半的措辞）",
        en="Classes of attacks and relations (test wordings)",
    ),
    "class": Bilingual(zh="类别", en="Class"),
    "n": Bilingual(zh="条数", en="n"),
    "holds": Bilingual(zh="守住", en="Holds"),
    "change": Bilingual(zh="平均变化", en="Mean change"),
    "worst": Bilingual(zh="最坏", en="Worst"),
    "bar": Bilingual(zh="是否过线", en="Bar"),
    "passes": Bilingual(zh="过", en="passes"),
    "fails": Bilingual(zh="未过", en="fails"),
    "languages": Bilingual(zh="两种语言是否一样", en="Parity of languages"),
    "languages_table": Bilingual(zh="按语言", en="By language"),
    "twins": Bilingual(
        zh="同一回答换成另一种语言，分数平均变化 {mean} 分；变化在 5 分以内的占 {holds}。",
        en="The same answer in the other language moves by {mean} points on average; the share "
        "within 5 points is {holds}.",
    ),
    "modules": Bilingual(zh="数字、误解与检索", en="Numbers, wrong beliefs, retrieval"),
    "modules_note": Bilingual(
        zh="数字的测试集都已看过并改过，只有首次结果是未见过的，记在 eval/LOG.md。",
        en="All test sets of numbers have been looked at and mended since; their first looks, "
        "the only unseen ones, are in eval/LOG.md.",
    ),
    "strict": Bilingual(zh="数字：整段全对", en="Numbers: whole texts right"),
    "called_wrong": Bilingual(zh="数字：对的说成错的", en="Numbers: right called wrong"),
    "wrong_found": Bilingual(zh="数字：错的被查出", en="Numbers: wrong ones found"),
    "belief_precision": Bilingual(zh="误解：精确率", en="Wrong beliefs: precision"),
    "belief_recall": Bilingual(zh="误解：召回率", en="Wrong beliefs: recall"),
    "belief_f1": Bilingual(zh="误解：F1", en="Wrong beliefs: F1"),
    "recall_5": Bilingual(zh="检索：R@5", en="Retrieval: R@5"),
    "mrr": Bilingual(zh="检索：MRR", en="Retrieval: MRR"),
    "wrong_confidence": Bilingual(
        zh="检索：答不了却自信",
        en="Retrieval: sure without an answer",
    ),
    "sure": Bilingual(zh="校准与取舍", en="Calibration and coverage"),
    "sure_note": Bilingual(
        zh="按评分器给的分数段，它的平均分与标签平均分之差，加权平均为 {error} 分（自由回答）。"
        "单个得分点没有自己的置信度，所以没有逐点校准。",
        en="By bands of what it says, the grader's mean is {error} points away from the labels' "
        "mean (free answers). A single point carries no confidence of its own, so there is "
        "no calibration per point.",
    ),
    "risk": Bilingual(
        zh="只取判得最完整的一部分回答",
        en="Among the answers judged most completely",
    ),
    "coverage": Bilingual(zh="覆盖", en="Coverage"),
    "speed": Bilingual(zh="耗时、费用、重复", en="Time, cost, repeats"),
    "latency": Bilingual(
        zh="每条回答 p50 {p50} 毫秒，p95 {p95} 毫秒（{answers} 条，两个进程，{cores} 核，"
        "测量时机器可能在忙）。",
        en="An answer takes {p50} ms at the median, {p95} ms at the 95th percentile ({answers} "
        "answers, two processes, {cores} cores, perhaps busy with other work).",
    ),
    "cost": Bilingual(
        zh="费用：内置评分器不联网、不请求模型，没有 token，也没有钱；用模型时由 eval run 的 "
        "cost.json 记账。",
        en="Cost: the built-in grader opens no connection and asks no model: no tokens, no "
        "money. With a model, cost.json of eval run keeps the account.",
    ),
    "repeat": Bilingual(
        zh="换一个进程、换哈希种子再评一遍：{answers} 条中 {same} 条逐字相同。",
        en="Graded once more in another process with another hash seed: {same} of {answers} "
        "results are the same to the letter.",
    ),
    "limits": Bilingual(zh="局限", en="Limits"),
    "again": Bilingual(zh="怎样重测", en="How to measure again"),
    "again_note": Bilingual(
        zh="在新克隆里运行 `python3 go.py eval passport`，重写这一页；加 `--check` "
        "则重测并与这一页比对，有不同就列出来并以 1 退出。日期与耗时不参与比对。",
        en="In a fresh clone `python3 go.py eval passport` writes this page anew; with "
        "`--check` it measures again, lists what differs from this page and exits 1. Date "
        "and time taken are not compared.",
    ),
}  # fmt: skip

LIMITS: Final = (
    Bilingual(
        zh="自由回答由一个人用 13 种虚构的口吻写成，不是真实考生；"
        "两名标注者与裁定者都与项目有关。",
        en="The free answers are one writer's, in 13 invented voices, not real candidates'; "
        "both raters and who settled their differences belong to the project.",
    ),
    Bilingual(
        zh="自由回答测试半只有六种口吻；按口吻成组的区间很宽，差几个百分点说明不了什么。",
        en="The test half of the free answers has six voices; drawn by voice the intervals are "
        "wide, and a few hundredths mean nothing.",
    ),
    Bilingual(
        zh="构造集只有一个作者，文字过于干净，证明的是逻辑，不是真实感；"
        "没有第二个人抽查过它的标签。",
        en="The constructed set has one author and is too clean: it proves logic, not realism. "
        "No second person has checked a sample of its labels.",
    ),
    Bilingual(
        zh="除旗舰题外，只有两道题在构造集里；其余题目没有自由回答可测。",
        en="Beside the flagship question only two stand in the constructed set; for all others "
        "there are no free answers to measure with.",
    ),
    Bilingual(
        zh="测试半看过几次、每次之后改了什么，记在 eval/LOG.md；每运行一次本命令又看一次合计。",
        en="How often each test half was looked at, and what was changed after, stands in "
        "eval/LOG.md; each run of this command looks at the totals once more.",
    ),
    Bilingual(
        zh="底线在同一批标签上留出学习，是较强的底线：评分器自己没有用这些标签学过。",
        en="The floors learn from the same labels out of fold, which makes them strong: the "
        "grader has learned from none of them.",
    ),
    Bilingual(
        zh="经历类得分点无法核实：编得像的经历与真实经历得分一样。",
        en="Experience cannot be verified: an experience made up well earns what a true one "
        "does.",
    ),
)  # fmt: skip
REPRODUCE: Final = (
    (
        Bilingual(zh="自由回答", en="Free answers"),
        "shardwise eval meta --answers eval/cases/free --by split",
    ),
    (
        Bilingual(zh="构造集的文件", en="Files of the constructed set"),
        "shardwise eval build --out made",
    ),
    (Bilingual(zh="鲁棒性", en="Robustness"), "shardwise eval attack --split test --cases {n}"),
    (
        Bilingual(zh="鲁棒性的底线", en="Floor of robustness"),
        "shardwise eval attack --split test --cases {n} --engine lexical",
    ),
    (Bilingual(zh="数字", en="Numbers"), "shardwise eval claims"),
    (Bilingual(zh="误解", en="Wrong beliefs"), "shardwise eval misconceptions"),
    (Bilingual(zh="检索", en="Retrieval"), "python -m eval.retrieval --split test"),
    (
        Bilingual(zh="重复", en="Repeats"),
        "shardwise eval stability --answers eval/cases/free --out again -k 2",
    ),
)
