import pytest

from service.domain.claims import ClaimVerdict, check
from service.domain.claims.find import find
from service.domain.claims.known import BUILT_IN, KnownModels
from service.domain.claims.tokens import Number, Unit

KNOWN = KnownModels(BUILT_IN)


def numbers(text: str) -> list[Number]:
    return list(find(text, KNOWN).numbers)


def formula(text: str) -> Number:
    return next(n for n in numbers(text) if n.unit is Unit.FORMULA)


@pytest.mark.parametrize(
    "text",
    [
        "4ψ+12ψ/N",
        "4Ψ + 12Ψ/N_d",
        "(4 + 12/N)ψ",
        "4P + 12P/Nd",
        "4 psi plus 12 psi over N",
        "four psi plus twelve psi divided by n",
        "四 psi 加上十二 psi 除以 N",
        "4 倍 ψ 加 12 倍 ψ / 卡数",
        r"$4\psi + \frac{12\psi}{N}$",
    ],
)
def test_one_formula_reads_the_same_however_it_is_written(text: str) -> None:
    expr = formula(text).expr
    assert expr is not None
    assert expr.at({"ψ": 1, "N": 8}) == pytest.approx(5.5)


def test_micro_batches_stay_a_symbol() -> None:
    expr = formula("(2k+1)ψ").expr
    assert expr is not None
    assert expr.at({"ψ": 1, "k": 4}) == pytest.approx(9)


def test_activations_have_their_own_symbols() -> None:
    expr = formula("sbh(34+5as/h)").expr
    assert expr is not None
    assert expr.at({"s": 2, "b": 1, "h": 4, "a": 2}) == pytest.approx(8 * (34 + 5 * 2 * 2 / 4))


def test_a_symbol_without_a_value_has_no_result() -> None:
    expr = formula("16ψ/N").expr
    assert expr is not None
    assert expr.at({"ψ": 1}) is None
    assert expr.at({"ψ": 1, "N": 0}) is None


def test_a_setting_is_no_formula() -> None:
    (number,) = numbers("N = 64")
    assert (number.name, number.amount.low) == ("N", 64)


def test_what_follows_the_equals_sign_knows_its_parts() -> None:
    result = numbers("16 × 7.5 = 120 GB")[-1]
    assert result.sums_to == pytest.approx(120)
    assert result.factors == (16, 7.5)


def test_brackets_are_followed_to_a_sane_depth() -> None:
    expr = formula("(" * 8 + "2ψ/N" + ")" * 8).expr
    assert expr is not None
    assert expr.at({"ψ": 1, "N": 4}) == pytest.approx(0.5)
    assert not any(n.unit is Unit.FORMULA for n in numbers("(" * 400 + "2ψ/N" + ")" * 400))


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("10-15GB", 10e9, 15e9, Unit.BYTES),
        ("between 25 and 30 GB", 25e9, 30e9, Unit.BYTES),
        ("十几个 G", 11e9, 19e9, Unit.BYTES),
        ("100 多 GB", 100e9, 199e9, Unit.BYTES),
        ("7×10⁹ 参数", 7e9, 7e9, Unit.PARAMS),
        ("1.5 万亿参数", 1.5e12, 1.5e12, Unit.PARAMS),
        ("百分之五十", 50, 50, Unit.PERCENT),
        ("四分之一", 0.25, 0.25, Unit.SHARE),
        ("half as much again", 1.5, 1.5, Unit.FACTOR),
        ("１６ 字节", 16, 16, Unit.WIDTH),
        ("2.5 GiB", 2.5 * 2**30, 2.5 * 2**30, Unit.BYTES),
    ],
)
def test_a_figure_carries_unit_and_bounds(text: str, low: float, high: float, unit: Unit) -> None:
    (number,) = numbers(text)
    assert (number.amount.low, number.amount.high) == pytest.approx((low, high))
    assert number.unit is unit


def test_the_last_unit_of_a_list_counts_for_all() -> None:
    sizes = [n.amount.low for n in numbers("38.5、26.25 和 14 GB")]
    assert sizes == pytest.approx([38.5e9, 26.25e9, 14e9])


def test_a_model_is_known_by_name_or_by_its_size() -> None:
    models = find("Llama 3 8B, Baichuan-13B", KNOWN).models
    assert [m.params for m in models] == [8_030_261_248, 13e9]
    assert [m.is_known for m in models] == [True, False]


def test_a_huge_exponent_is_no_amount() -> None:
    assert [n.unit for n in numbers("1e999 GB")] == [Unit.OTHER]


@pytest.mark.parametrize("text", ["第 3 个节点掉线", "点", "几点", "。点点", "零点", "个", "倍倍"])
def test_characters_of_numerals_in_other_words_are_passed_over(text: str) -> None:
    assert [n for n in numbers(text) if n.unit not in {Unit.NONE, Unit.OTHER}] == []


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("16 x 7e9 / 64 = 1.75 GB per GPU", ClaimVerdict.RIGHT),
        ("16×7e9/64=1.75 GB", ClaimVerdict.RIGHT),
        ("算下来 16×7e9=112 GB", ClaimVerdict.RIGHT),
        ("16×7e9/64=3.5 GB", ClaimVerdict.WRONG),
        ("16 x 7e9 / 64 = 7 GB", ClaimVerdict.WRONG),
    ],
)
def test_a_line_of_arithmetic_says_its_own_model_and_ranks(
    text: str, verdict: ClaimVerdict
) -> None:
    assert [claim.verdict for claim in check(text)] == [verdict]


def test_broken_arithmetic_is_told_in_the_unit_of_the_figure() -> None:
    (claim,) = check("16×7e9/64=3.5 GB")
    assert claim.expected == "1.75"
