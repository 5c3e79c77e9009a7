"""Every point is found when it is said in other words, in Chinese as well as in English."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.language import Lang
from service.domain.tasks import AskedMisconception, AskedPoint, ReadAnswer
from service.engine.builtin import BuiltinEngine

ROOT = Path(__file__).resolve().parents[2]
KNOWLEDGE = load_knowledge(ROOT / "knowledge")
ENGINE = BuiltinEngine(KNOWLEDGE, load_lexicon(ROOT / "knowledge" / "lexicon"))
SPOKEN = [
    yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "eval/cases/spoken").glob("*.yaml"))
]


def reading(question_id, lang, answer):
    question = KNOWLEDGE.questions[question_id]
    return ENGINE.read(
        ReadAnswer(
            lang=lang,
            question_id=question_id,
            question=question.text.in_(lang),
            points=tuple(
                AskedPoint(id=p.id, text=p.text.in_(lang)) for p in question.rubric.points
            ),
            misconceptions=tuple(
                AskedMisconception(id=m.id, belief=m.belief.zh, correction=m.correction.zh)
                for m in KNOWLEDGE.misconceptions.values()
            ),
            passages=(),
            numbers=(),
            answer=answer,
        )
    )


def verdict(question_id, point_id, lang, answer):
    points = {p.id: p for p in reading(question_id, lang, answer).points}
    return points[point_id].verdict if point_id in points else "unjudged"


def said(lang):
    place = list(Lang).index(lang)
    for part in SPOKEN:
        for question_id, points in part.items():
            for point_id, pair in points.items():
                yield question_id, point_id, pair[place]


@pytest.mark.parametrize("lang", list(Lang))
def test_other_words_are_found_and_accuse_nobody(lang):
    verdicts = Counter(verdict(q, p, lang, text) for q, p, text in said(lang))
    assert verdicts["met"] >= 0.97 * verdicts.total(), verdicts
    accused = [text for q, _, text in said(lang) if reading(q, lang, text).misconceptions]
    assert accused == []


@pytest.mark.parametrize(
    ("question_id", "point_id", "answer"),
    [
        ("fsdp-and-zero3", "wrapping", "每个 FSDP unit 前向之前 all-gather 完整参数。"),
        ("choose-stage", "levers", "当时显存不够，我们开了重计算，offload 太慢就没用。"),
        ("choose-stage", "levers", "We hit OOM and turned on checkpointing; offload was slow."),
        ("tensor-parallel", "why", "The first MLP matrix is split by columns, the second by rows."),
        ("tensor-parallel", "nonlinear", "The first MLP matrix is split by columns."),
        (
            "collectives",
            "all_reduce",
            "In a ring all-reduce each GPU sends 2(N-1)/N times the data.",
        ),
        ("activation-checkpointing", "again", "ZeRO does nothing for activations, recompute."),
        ("zero-offload", "what", "It needs a lot of host memory, and the CPU update is slow."),
    ],
)
def test_a_neighbouring_point_earns_nothing(question_id, point_id, answer):
    assert verdict(question_id, point_id, Lang.EN, answer) != "met"


@pytest.mark.parametrize(
    ("question_id", "point_id", "answer", "quote"),
    [
        ("collectives", "ring_cost", "Each GPU sends 2(N-1)/N of the data in a ring.", "2(N-1)/N"),
        ("pipeline-bubble", "share", "气泡占理想计算时间的 (p-1)/m，所以要多分。", "(p-1)/m"),
    ],
)
def test_a_formula_is_quoted_whole(question_id, point_id, answer, quote):
    points = {p.id: p.quote for p in reading(question_id, Lang.EN, answer).points}
    assert quote in points[point_id]
