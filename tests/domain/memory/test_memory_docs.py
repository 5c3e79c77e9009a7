"""What the documentation of the module shows is what the module does."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from service.domain.memory import RECIPES, SCHEMES, communication, model_states, volume_formula

DOCS = Path(__file__).parents[3] / "docs"
ROW = re.compile(r"^\| (`[^|]+) \| ([^|]+?)\s*\| ([^|]+?)\s*\|$", re.MULTILINE)
PAGES = ["memory.md", "memory.zh.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_row_of_the_table_of_schemes_is_right(page):
    rows = ROW.findall((DOCS / page).read_text("utf-8"))
    assert len(rows) == 10
    for names, states, traffic in rows:
        for name in re.findall(r"`(\w+)`", names):
            assert name in SCHEMES
            formula = model_states(1e9, name, 8).formula
            written = re.split("[,，]", states)[0].replace("/S", "/N")
            assert (written, traffic) == (formula, volume_formula(name))


@pytest.mark.parametrize("page", PAGES)
def test_the_example_shows_what_is_printed(page):
    text = (DOCS / page).read_text("utf-8")
    states = model_states(7.5e9, "zero2_paper", shards=64)
    traffic = communication(7e9, "ds_zero2_default", micro_batches=4)
    for shown in (str(states.total), repr(states.formula), repr(states.worked),
                  repr(states.sources), str(traffic.elements), repr(traffic.formula)):  # fmt: skip
        assert shown in text


@pytest.mark.parametrize("page", PAGES)
def test_the_recipes_named_have_the_widths_named(page):
    text = (DOCS / page).read_text("utf-8")
    found = re.findall(r"`(\w+)`(?: is| 为)? (\d+)\+(\d+)\+(\d+)", text)
    assert len(found) == 3
    for name, *widths in found:
        row = RECIPES[name]
        assert [row.parameters, row.gradients, row.optimizer] == [float(w) for w in widths]


BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def _shown_values(block: str) -> list[tuple[str, Any]]:
    """Expressions with the literal that the comment beside them says."""
    pairs: list[tuple[str, Any]] = []
    for line in block.splitlines():
        words, hash_, said = line.partition("  # ")
        if not hash_ or words.startswith((" ", "#")):
            continue
        try:
            pairs.append((words.strip(), ast.literal_eval(said.strip())))
        except (ValueError, SyntaxError):
            continue
    return pairs


@pytest.mark.parametrize(("page", "least"), [("memory.md", 12), ("memory.zh.md", 10)])
def test_the_examples_run_and_give_what_stands_beside_them(page: str, least: int):
    blocks = BLOCK.findall((DOCS / page).read_text("utf-8"))
    space: dict[str, Any] = {"knowledge": DOCS.parent / "knowledge"}
    compared = 0
    for block in blocks:
        exec(compile(block, page, "exec"), space)  # noqa: S102 - our own documentation
        for words, value in _shown_values(block):
            assert eval(words, space) == value, words  # noqa: S307
            compared += 1
    assert compared >= least
