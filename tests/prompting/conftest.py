"""Tasks to render, and the option that renews the golden files."""

from pathlib import Path

import pytest

from service.domain.language import Lang
from service.domain.tasks import (
    AskedBullet,
    AskedMisconception,
    AskedPassage,
    AskedPoint,
    CheckedNumber,
    PhraseMove,
    ReadAnswer,
    WordBullets,
)
from service.prompting.load import load_prompts

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
NONCE = "5f0c1d2e3a4b5c6d"


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="Renew the golden renders.")


def read_answer(
    lang=Lang.ZH, answer="ZeRO-1 把优化器状态切到各卡，每张卡仍有完整参数。", **changes
):
    fields = {
        "lang": lang,
        "question_id": "zero-stages",
        "question": "请讲讲 ZeRO 的三个阶段。" if lang is Lang.ZH else "Walk me through ZeRO.",
        "points": (
            AskedPoint(id="s1", text="Stage 1 shards optimizer states"),
            AskedPoint(id="t2", text="Stage 3 moves 1.5x the volume"),
        ),
        "misconceptions": (
            AskedMisconception(id="M07", belief="ZeRO is model parallelism", correction="It is DP"),
        ),
        "passages": (AskedPassage(fact_id="F015", text="Stage 3: 16ψ/N", source="ZeRO paper"),),
        "numbers": (
            CheckedNumber(text="1.5 倍", verdict="right", expected=None, why="3ψ against 2ψ"),
            CheckedNumber(text="12 GB", verdict="wrong", expected="16 GB", why="2 + 2 + 12"),
        ),
        "answer": answer,
    }
    return ReadAnswer.model_validate(fields | changes)


def phrase_move(lang=Lang.EN, **changes):
    fields = {
        "lang": lang,
        "move": "expand",
        "question": "Walk me through ZeRO." if lang is Lang.EN else "请讲讲 ZeRO 的三个阶段。",
        "answer": "Stage 3 shards everything." if lang is Lang.EN else "第三阶段全切。",
        "quote": "shards everything" if lang is Lang.EN else "全切",
        "asks_about": "what it costs in traffic" if lang is Lang.EN else "通信代价是多少",
        "variant": 2,
    }
    return PhraseMove.model_validate(fields | changes)


def word_bullets(lang=Lang.EN, **changes):
    line = "Responsible for training a 7B model" if lang is Lang.EN else "负责 7B 模型的训练工作"
    bullet = AskedBullet(id="b1", text=line, heading="Acme", answers={"b1-result": "12 %"})
    fields = {
        "lang": lang,
        "bullets": (bullet,),
        "styles": ("plain", "star"),
        "material": f"b1 [Acme]\n{line}\nanswers: 12 %",
        "posting": "DeepSpeed" if lang is Lang.EN else "熟悉 DeepSpeed",
    }
    return WordBullets.model_validate(fields | changes)


@pytest.fixture(scope="session")
def make_word_bullets():
    return word_bullets


@pytest.fixture(scope="session")
def prompts():
    return load_prompts(PROMPTS)


@pytest.fixture(scope="session")
def make_read_answer():
    return read_answer


@pytest.fixture(scope="session")
def make_phrase_move():
    return phrase_move


@pytest.fixture(scope="session")
def golden(request):
    """The text of a golden file, renewed by `pytest tests/prompting --update-golden`."""

    def reviewed(name, text):
        path = Path(__file__).parent / "golden" / f"{name}.txt"
        if request.config.getoption("--update-golden", default=False):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return path.read_text(encoding="utf-8")

    return reviewed
