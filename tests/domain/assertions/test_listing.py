"""Words thrown in a row assert nothing; sentences and terse counts do."""

from pathlib import Path

import pytest

from service.corpus.lexicon import load_lexicon
from service.domain.assertions import Lexicon, Stance, read_frames

FOLDER = Path(__file__).parents[3] / "knowledge" / "lexicon"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon(FOLDER)


@pytest.mark.parametrize(
    "text",
    [
        "重计算、激活、换取、时间、减少、显存",
        "recompute, activations, trade, time, reduce, memory",
        "recompute activations shrink memory trade compute partition gather parameters gradients",
        "重计算 激活 换取 时间 减少 显存",
    ],
)
def test_terms_in_a_row_are_no_statement(text: str, lexicon: Lexicon) -> None:
    assert {f.stance for f in read_frames(text, lexicon)} == {Stance.LISTED}


@pytest.mark.parametrize(
    "text",
    [
        "重计算用额外的时间换显存，反向时再算一遍激活。",
        "Weights 14 GB, gradients 14 GB, optimizer states 84 GB.",
        "ZeRO-1 shards optimizer states, ZeRO-2 adds gradients, ZeRO-3 adds parameters.",
        "显存包括参数、梯度、优化器状态、激活和缓冲。",
    ],
)
def test_terse_statements_still_count(text: str, lexicon: Lexicon) -> None:
    assert Stance.ASSERTED in {f.stance for f in read_frames(text, lexicon)}
