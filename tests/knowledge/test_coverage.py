"""What candidates report being asked is asked by the bank, the frequent themes above all."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest
import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
SURVEYED: Final = 203  # themes of the survey of interview reports
LEAST_SHARE: Final = 0.90
FREQUENT: Final = 4  # seen that often a theme must be covered


class Theme(NamedTuple):
    id: str
    seen: int
    zh: str
    en: str
    asked_by: tuple[str, ...]
    why: str


def _themes() -> tuple[Theme, ...]:
    rows = yaml.load((ROOT / "knowledge" / "coverage.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return tuple(
        Theme(
            str(row["id"]),
            int(row["seen"]),
            str(row["zh"]),
            str(row["en"]),
            tuple(row["asked_by"]),
            str(row.get("why", "")),
        )
        for row in rows
    )


THEMES: Final = _themes()


def test_every_theme_of_the_survey_stands_once():
    ids = [theme.id for theme in THEMES]
    assert len(ids) == len(set(ids)) == SURVEYED


def test_only_questions_that_exist_are_named():
    bank = {path.stem for path in (ROOT / "knowledge" / "questions").glob("*.yaml")}
    named = {question for theme in THEMES for question in theme.asked_by}
    assert named <= bank


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.id)
def test_a_theme_is_asked_or_says_why_not(theme: Theme):
    assert bool(theme.asked_by) != bool(theme.why)
    assert any("\u4e00" <= char <= "\u9fff" for char in theme.zh)
    assert theme.en.isascii()


def test_nine_of_ten_themes_are_asked():
    asked = sum(bool(theme.asked_by) for theme in THEMES)
    assert asked >= LEAST_SHARE * len(THEMES)


def test_what_is_asked_most_is_never_left_out():
    left_out = [theme.id for theme in THEMES if theme.seen >= FREQUENT and not theme.asked_by]
    assert not left_out
