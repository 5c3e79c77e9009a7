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


@pytest.mark.parametrize(
    "text",
    [
        (
            "ZeRO-1: optimizer states\nZeRO-2: gradients\nZeRO-3: parameter sharding, all-gather\n"
            "4ψ + 12ψ/N: four times\n2ψ + 14ψ/N: eight times\n16ψ/N: linear\n"
            "bandwidth: slow interconnect, throughput\nZeRO++: overlap, prefetch"
        ),
        (
            "ZeRO-1：优化器状态\nZeRO-2：梯度\nZeRO-3：参数切分，all-gather，释放\n"
            "4ψ + 12ψ/N：四分之一\n2ψ + 14ψ/N：八分之一\n16ψ/N：线性下降\n带宽：慢网络，吞吐\n"
            "激活值：激活重计算，碎片，缓冲区\n数据并行：冗余，完整副本，模型状态"
        ),
    ],
)
def test_a_table_of_terms_with_formulas_says_nothing(lexicon: Lexicon, text: str):
    assert {f.stance for f in read_frames(text, lexicon)} == {Stance.LISTED}


@pytest.mark.parametrize(
    "text",
    [
        "每个参数 2 字节参数、2 字节梯度、12 字节优化器状态，合起来 16ψ。",
        "ZeRO-1 切的是优化器状态，ZeRO-2 再切梯度，ZeRO-3 连参数也切，用完就释放，但通信多一半。",
        "Stage 1 shards optimizer states; stage 2 also gradients; stage 3 also the parameters.",
    ],
)
def test_a_terse_account_is_no_table(lexicon: Lexicon, text: str):
    assert Stance.LISTED not in {f.stance for f in read_frames(text, lexicon)}
