"""Every figure against a value worked out by hand or printed in its source."""

import numpy as np
import pytest

from eval.measures.paired import holm, mcnemar, wilcoxon
from eval.measures.points import point_figures, wilson
from eval.measures.totals import alpha, bands, icc21, intervals, qwk, total_figures

# Shrout and Fleiss (1979), table 2: six targets, four judges; ICC(2,1) is 0.29.
JUDGED = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)


def test_icc_is_the_one_of_the_paper():
    assert icc21(JUDGED) == pytest.approx(0.29, abs=0.005)


def test_bands_are_cut_at_twenty_forty_sixty_eighty():
    assert bands(np.array([0, 19.9, 20, 59.9, 80, 100])).tolist() == [0, 0, 1, 2, 4, 4]


def test_quadratic_kappa_by_hand():
    """Bands 0,4,0,4 said, 0,4,4,4 true: 1 of 4 off by 4; by chance 2/4*1/4 + 2/4*3/4 = 0.5."""
    said, true = np.array([10.0, 90, 10, 90]), np.array([10.0, 90, 90, 90])
    assert qwk(said, true) == pytest.approx(1 - 0.25 / 0.5)
    assert qwk(true[1:], true[1:]) is None


def test_totals_by_hand():
    said, true = np.array([10.0, 50, 90, 30]), np.array([20.0, 50, 70, 30])
    figures = total_figures(said, true)
    assert figures["mae"] == 7.5
    assert figures["bias"] == 2.5
    assert figures["rmse"] == pytest.approx(np.sqrt(500 / 4))
    assert figures["exact_band"] == 0.5
    assert figures["adjacent_band"] == 1.0
    assert figures["off_by_15"] == 0.25
    assert figures["pearson"] == pytest.approx(2250 / np.sqrt(3500 * 1475))
    assert figures["spearman"] == 1.0


def test_alpha_is_one_for_equal_raters_and_none_without_variation():
    assert alpha(np.array([[1.0, 2, 3], [1, 2, 3]])) == 1.0
    assert alpha(np.array([[5.0, 5], [5, 5]])) is None


def test_points_by_hand():
    pairs = [("met", "met"), ("met", "missed"), ("missed", "partial"), ("missed", "unjudged")]
    figures = point_figures(pairs)
    assert (figures.n, figures.positives, figures.unjudged) == (4, 2, 1)
    assert figures.accuracy == 0.75
    assert (figures.precision, figures.recall) == (1.0, 0.5)
    assert figures.macro_f1 == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert figures.kappa == 0.5
    assert (figures.false_credit, figures.missed_credit) == (0.5, 0.5)
    assert figures.exact == pytest.approx(1 / 3)


def test_no_pairs_give_no_figure_instead_of_a_perfect_one():
    figures = point_figures([])
    assert figures.macro_f1 is None
    assert figures.f1 is None
    assert figures.exact is None


def test_wilson_of_none_in_ten():
    low, high = wilson(0, 10)
    assert low == 0.0
    assert high == pytest.approx(1.96**2 / (10 + 1.96**2), abs=0.001)


def test_tests_of_pairs_by_hand():
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(0, 0) == 1.0
    assert wilcoxon([1, 2, 3, 4, 5, 0]) == pytest.approx(2 / 32)
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "c": 0.06, "b": 0.06}
    )


def test_variants_of_one_base_are_drawn_together():
    values = np.array([0.0] * 5 + [10.0] * 5)

    def mean(drawn: np.ndarray) -> dict[str, float | None]:
        return {"mean": float(values[drawn].mean())}

    alone = intervals([str(i) for i in range(10)], mean, 400)["mean"]
    twins = intervals([str(i // 2) for i in range(10)], mean, 400)["mean"]
    assert twins[1] - twins[0] > alone[1] - alone[0]
    assert intervals(["a", "a"], mean, 10) == {}
