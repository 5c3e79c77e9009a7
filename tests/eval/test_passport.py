"""The passport: what is shipped is what its figures say, and a difference is found and named."""

import json
import re
from typing import Any

import pytest

from eval.gate import value_at
from eval.passport.blocks import markdown, table
from eval.passport.goals import GOALS, Goal, judged_goals
from eval.passport.pages import pages
from eval.passport.store import PAPERS, made_with, read_passport, unlike, write_passport
from eval.passport.trimming import rounded, trimmed
from service.domain.language import Bilingual, Lang
from service.errors import InputInvalid
from service.settings import ROOT

SHIPPED = read_passport()
FIGURES: dict = SHIPPED["figures"]  # pyright: ignore[reportAssignmentType, reportMissingTypeArgument]


@pytest.mark.parametrize("lang", list(Lang))
def test_the_papers_and_the_page_say_what_the_figures_say(lang: Lang):
    blocks = pages(FIGURES, SHIPPED["made"], lang)  # pyright: ignore[reportArgumentType]
    assert SHIPPED["pages"][lang.value] == blocks  # pyright: ignore[reportIndexIssue]
    assert (ROOT / PAPERS[lang]).read_text(encoding="utf-8") == markdown(blocks)


def test_every_goal_has_a_figure():
    assert [g.path for g, value in judged_goals(FIGURES) if value is None] == []
    assert len(GOALS) > 10


def test_every_figure_stands_beside_floors_and_both_halves():
    for name in ("free.test", "constructed.test"):
        for floor in ("mean", "length", "lexical"):
            assert value_at(FIGURES, f"{name}.floors.{floor}.mae") is not None
        assert value_at(FIGURES, f"{name}.points.macro_f1") is not None
        assert value_at(FIGURES, name.replace("test", "dev") + ".points.macro_f1") is not None


def test_no_answer_of_a_test_half_is_shown():
    ids = re.compile(r"F\d{3}\b|test-[a-z_0-9]+-?\d{3}")
    assert ids.findall(json.dumps(SHIPPED)) == []


def test_the_grader_repeats_itself():
    assert FIGURES["repeat"]["same"] == FIGURES["repeat"]["answers"] > 0


def test_a_difference_is_named_by_its_path_and_times_are_not_compared():
    old = {"a": {"b": [1.0, 2.0]}, "latency": {"p50": 5.0}}
    new = {"a": {"b": [1.0005, 2.5]}, "latency": {"p50": 9.0}, "c": 1}
    assert list(unlike(old, new)) == [("a.b.1", 2.0, 2.5), ("c", None, 1)]
    assert list(unlike(FIGURES, FIGURES)) == []


def test_a_goal_that_was_not_measured_is_missed():
    least = Goal(Bilingual(zh="", en=""), "x", 0.5)
    most = Goal(Bilingual(zh="", en=""), "x", 0.5, is_most=True)
    assert [least.met_by(v) for v in (None, 0.4, 0.5)] == [False, False, True]
    assert [most.met_by(v) for v in (None, 0.5, 0.6)] == [False, True, False]


def test_a_table_in_markdown_keeps_its_cells():
    assert markdown([table("t", ["a", "b"], [["x|y", "1"]])]) == (
        "t\n\n| a | b |\n| --- | --- |\n| x\\|y | 1 |\n"
    )


def test_only_figures_are_kept_and_rounded():
    assert rounded({"a": [0.123456, "x"]}) == {"a": [0.1235, "x"]}
    whole = dict.fromkeys(
        (
            "answers", "labelled", "missing", "blank", "no_mark", "clusters", "points", "by_point",
            "misconceptions", "totals", "totals_with_blanks", "dimensions", "confusion",
            "calibration", "calibration_error", "risk_coverage", "floors", "point_floors",
            "raters", "groups",
        )
    )  # fmt: skip
    document: Any = whole | {"pairs": [["secret", 10.0, 90.0], ["x", 30.0, 100.0]]}
    found = trimmed(document)
    assert "pairs" not in found
    assert value_at(found, "scores.said.bands.4") == 2
    assert value_at(found, "scores.true.mean") == 20.0


def test_what_was_measured_with_is_named(tmp_path):
    made = made_with("2026-12-01")
    assert made["date"] == "2026-12-01"
    assert all(re.fullmatch("[0-9a-f]{16}", d) for d in made["data"].values())  # pyright: ignore[reportAttributeAccessIssue]
    paths = write_passport(FIGURES, made, tmp_path)
    assert [p.name for p in paths] == ["passport.json", "passport.md", "passport.zh.md"]
    with pytest.raises(InputInvalid, match="no passport"):
        read_passport(tmp_path / "none.json")
