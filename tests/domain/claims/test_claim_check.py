import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.claims import ClaimContext, ClaimVerdict, KnownModels, Quantity, check
from service.domain.claims.known import BUILT_IN

RIGHT, WRONG = ClaimVerdict.RIGHT, ClaimVerdict.WRONG
CONDITIONAL, UNCHECKABLE = ClaimVerdict.CONDITIONAL, ClaimVerdict.UNCHECKABLE


def verdicts(text: str, context: ClaimContext | None = None) -> list[ClaimVerdict]:
    return [claim.verdict for claim in check(text, context)]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("混合精度 Adam 每个参数 16 字节。", RIGHT),
        ("Adam 的优化器状态每个参数 16 字节。", WRONG),
        ("In mixed precision that is 18 bytes per parameter.", CONDITIONAL),
        ("With fp32 gradients it is 18 bytes per parameter.", RIGHT),
        ("ZeRO-1 每卡 4ψ+12ψ/N。", RIGHT),
        ("ZeRO-2 每卡 4ψ+12ψ/N。", WRONG),
        ("ZeRO-2 needs 2ψ+18ψ/N.", CONDITIONAL),
        ("DeepSpeed's estimator gives 2ψ+18ψ/N for stage 2.", RIGHT),
        ("In the ZeRO paper stage 2 needs 2ψ+18ψ/N.", WRONG),
        ("7.5B on 64 GPUs is 31.4 GB per GPU with ZeRO-1.", RIGHT),
        ("7.5B on 64 GPUs is 31.4 GB per GPU with ZeRO-2.", WRONG),
        ("ZeRO-3 的话每张卡 14 GB。", UNCHECKABLE),
        ("ZeRO-3 的通信量是 3ψ。", RIGHT),
        ("ZeRO-3's volume is always 3ψ.", WRONG),
        ("Stage 2 communicates 2ψ.", CONDITIONAL),
        ("按论文，ZeRO-2 的通信量是 2ψ。", RIGHT),
        ("DeepSpeed 默认的 ZeRO-2 通信量是 2ψ。", WRONG),
        ("ZeRO-1 saves 4x of memory.", CONDITIONAL),
        ("ZeRO-1 saves up to 4x of memory.", RIGHT),
        ("N=8 时 ZeRO-1 省 2.9 倍显存。", RIGHT),
        ("On 8 GPUs ZeRO-1 saves 4x of memory.", WRONG),
        ("Llama-3-8B 的 KV cache 每个 token 128KB。", RIGHT),
        ("Llama-3-70B stores 2.6 MB of KV cache per token.", WRONG),
        ("每层激活 34sbh。", CONDITIONAL),
        ("With FlashAttention and dropout a layer keeps 34sbh of activations.", RIGHT),
        ("GPT-3 has 175 billion parameters.", RIGHT),
        ("On 32 GB cards with N=64 the largest model under ZeRO-2 is 14.4B.", RIGHT),
        ("7B 八卡 ZeRO-3，实测每卡占了 45GB。", UNCHECKABLE),
        ("7B 八卡 ZeRO-3，实测每卡只占了 8GB。", WRONG),
        ("2 + 2 + 8 = 16 bytes per parameter.", WRONG),
        ("2 + 2 + 12 makes 18 bytes per parameter.", WRONG),
        ("16×7 = 140 GB，这是 7B 的状态。", WRONG),
        ("13 乘以 16 等于 188 GB，所以 13B 要这么多。", WRONG),
        ("2×32×8×128×2 = 128 KB，Llama-3-8B 每个 token 的 KV cache。", RIGHT),
        ("ZeRO-2 把梯度和优化器都切了，7B 八卡每卡 38.5 GB。", WRONG),
        ("ZeRO-2 是 2ψ+14ψ/8。", RIGHT),
        ("Plain SGD in fp32 needs 8 bytes per parameter.", RIGHT),
        ("QLoRA 把 7B 底座压到 4 bit，权重约 3.5GB。", RIGHT),
    ],
)
def test_a_claim_gets_the_verdict_of_the_policy(text: str, verdict: ClaimVerdict) -> None:
    assert verdicts(text) == [verdict]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("7B 八卡 ZeRO-2，每卡大概 29 GB。", RIGHT),
        ("7B 八卡 ZeRO-2，每卡正好 29 GB。", WRONG),
        ("7B 八卡 ZeRO-3，每卡十几个 G。", RIGHT),
        ("7B 八卡 ZeRO-3，每卡不到 16 GB。", RIGHT),
        ("7B 八卡 ZeRO-3，每卡不到 40 GB。", WRONG),
        ("7B on 8 GPUs with ZeRO-3: 13 GiB per GPU.", RIGHT),
    ],
)
def test_tolerance_follows_how_the_figure_is_said(text: str, verdict: ClaimVerdict) -> None:
    assert verdicts(text) == [verdict]


def test_conditions_come_from_earlier_sentences() -> None:
    text = "We train 30B. The cluster has 32 GPUs. With ZeRO-3 each GPU keeps 15 GB."
    assert verdicts(text) == [RIGHT]


def test_conditions_come_from_the_context() -> None:
    text = "Stage 2 brings it down to 26 GB per GPU."
    assert verdicts(text) == [UNCHECKABLE]
    assert verdicts(text, ClaimContext(model_params=7e9, dp_degree=8)) == [RIGHT]
    assert verdicts(text, ClaimContext(model_name="llama-2-7b", gpus=8)) == [RIGHT]
    assert verdicts(text, ClaimContext(model_params=7e9, dp_degree=64)) == [WRONG]


def test_tensor_parallelism_divides_the_model_and_the_ranks() -> None:
    text = "We used TP=4 and PP=2 on 64 GPUs for 70B. With ZeRO-1 each GPU holds 48 GB."
    assert verdicts(text) == [RIGHT]


def test_a_list_is_matched_member_by_member() -> None:
    text = "For 7B on 8 GPUs, stages 1, 2 and 3 need 38.5, 38.5 and 14 GB per GPU."
    assert verdicts(text) == [RIGHT, WRONG, RIGHT]


def test_the_reason_names_the_term_that_is_off() -> None:
    (claim,) = check("ZeRO-2 每卡 4ψ+12ψ/N。")
    assert str(claim.why).startswith("Stage 2 also shards the 2ψ of gradients")
    assert claim.expected == claim.formula == "2ψ+14ψ/N"
    assert "F015" in claim.fact_ids
    assert claim.scheme == "zero2_paper"


def test_the_reason_puts_the_numbers_in() -> None:
    (claim,) = check("7B 八卡 ZeRO-3 每卡 14GB。")
    assert claim.formula == "16×7e9/8"
    assert claim.expected is not None
    assert claim.expected.startswith("14 GB")
    assert claim.quantity is Quantity.MEMORY_PER_GPU


def test_spans_are_code_points_of_the_original_text() -> None:
    text = "🙂　混合精度，每个参数\u200b１６ 字节。"
    (claim,) = check(text)
    assert claim.text == "１６ 字节"
    assert text[claim.span.start : claim.span.end] == claim.text


def test_models_may_be_given() -> None:
    shape = BUILT_IN["llama-3-8b"]
    models = {"mine": shape}
    assert verdicts("Llama-3-8B has 8 billion parameters.") == [RIGHT]
    known = KnownModels(models)
    assert [c.verdict for c in check("Llama-3-8B has 8 billion parameters.", models=known)] == [
        RIGHT
    ]
    assert check("GPT-3 has 175 billion parameters.", models=models) == ()


WORDS = """
ZeRO-2|7B|8 张卡|16 字节|4ψ+12ψ/N|3ψ|14GB|1.5 倍|不是|，|。|?|per GPU|N=64|(|=|2+2+12|KV cache|¾
١|𝟙|节点|第 3 个|几|千|half|a |times|over|psi|分之
"""
PIECES = st.sampled_from([*WORDS.strip().replace("\n", "|").split("|"), " ", "\n", "\u200b"])


@given(st.lists(PIECES | st.text(max_size=6), max_size=24).map("".join))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_and_every_claim_stands_where_it_says(text: str) -> None:
    for claim in check(text):
        assert claim.text == text[claim.span.start : claim.span.end] != ""
        assert str(claim.why)
