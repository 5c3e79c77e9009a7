"""The flagship question: every point is reachable, its negation and empty talk are not."""

import json
from pathlib import Path

import pytest

from service.domain.assertions import match_points, prepare_point, read_frames
from service.domain.grading import Verdict

CASES = Path(__file__).resolve().parents[3] / "eval" / "cases" / "answers"


@pytest.fixture(scope="session")
def judge(knowledge, lexicon):
    points = [prepare_point(p, lexicon) for p in knowledge.questions["zero-stages"].rubric.points]

    def judged(text):
        claims = match_points(text, read_frames(text, lexicon), points)
        return {c.point_id: c for c in claims}

    return judged


@pytest.fixture(scope="session")
def met_by_wording(judge):
    rows = [
        json.loads(line)
        for line in (CASES / "dev_clauses.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [
        (point, row["lang"], judge(row["answer"])[point].verdict is Verdict.MET)
        for row in rows
        for point, label in row["points"].items()
        if label == "met"
    ]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_point_is_reached_by_several_wordings(met_by_wording, knowledge, lang):
    for point in knowledge.questions["zero-stages"].rubric.points:
        reached = sum(met for p, of, met in met_by_wording if p == point.id and of == lang)
        assert reached >= 2, point.id


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("ZeRO-1 并没有切分优化器状态。", "s1"),
        ("Stage 2 does not shard gradients.", "s2"),
        ("It is wrong that stage 1 partitions only the optimizer states.", "s1"),
        ("ZeRO-3 的通信量和 DDP 一样。", "t2"),
        ("ZeRO-2 communicates more than DDP.", "t1"),
        ("ZeRO is a form of model parallelism.", "m4"),
        ("ZeRO 能降低激活显存。", "t6"),
        ("任何情况都一律无脑用 ZeRO-3。", "t4"),
    ],
)
def test_the_opposite_contradicts(judge, text, point):
    assert judge(text)[point].verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "：",
        "Let me think about this step by step.",
        "ZeRO-1, ZeRO-2, ZeRO-3, optimizer states, gradients, parameters, all-gather, 1.5x.",
        "优化器状态、梯度、参数、切分、all-gather、reduce-scatter、激活重计算、offload、带宽。",
        "我精通 ZeRO 各阶段的原理，显存和通信的权衡都非常清楚。",
        "Does stage 1 partition only the optimizer states?",
        "有人说 ZeRO-1 也会切梯度，这是不对的。",
        "ZeRO-1 切的要么是优化器状态，要么是梯度，要么是参数。",
    ],
)
def test_empty_talk_earns_nothing(judge, text):
    assert {c.verdict for c in judge(text).values()} == {Verdict.MISSED}


def test_the_final_stance_counts(judge):
    text = "ZeRO-1 切梯度，哦不对，ZeRO-1 切的是优化器状态。"
    assert judge(text)["s1"].verdict is Verdict.MET


def test_swapped_stages_do_not_pay(judge):
    found = judge("ZeRO-3 只切优化器状态，ZeRO-1 连参数也切。")
    assert found["s3"].verdict is not Verdict.MET
    assert found["s1"].verdict is Verdict.CONTRADICTED


def test_textbook_statements_are_no_experience(judge):
    found = judge("遇到 OOM 可以调小 bucket，定位后修复即可。stage 3 可以加 offload。")
    assert {found[p].verdict for p in ("e1", "e2", "e3")} == {Verdict.MISSED}


def test_every_quote_stands_in_the_answer(judge):
    text = "ZeRO-1 只切优化器状态。ZeRO-2 再切梯度。ZeRO-3 用到哪层收集哪层，用完释放。"
    quotes = [c.quote for c in judge(text).values() if c.quote]
    assert len(quotes) >= 3
    assert all(quote in text for quote in quotes)


def test_the_reference_answer_earns_what_can_be_said_without_experience(judge, knowledge):
    answer = knowledge.questions["zero-stages"].versions["two_minutes"]
    for text in (answer.zh, answer.en):
        found = judge(text)
        said = [p for p in found if p[0] != "e"]
        met = sum(found[p].verdict is Verdict.MET for p in said)
        assert met >= len(said) - 2
