"""Markdown and plain text are cut into the blocks a reader sees."""

import pytest

from service.domain.article.blocks import BlockKind, read_blocks
from service.domain.article.inline import own_places
from service.domain.article.sentences import split_sentences


def words(text: str) -> list[tuple[str, str]]:
    return [
        (b.kind.value, "".join(text[p] for p in own_places(text, b.lines)))
        for b in read_blocks(text)
    ]


def test_headings_items_cells_and_paragraphs_are_told_apart():
    text = "## 2.1 Title\n\nA line.\n- one\n1. two\n| a | b |\n|---|---|\n| c | d |\n"
    assert words(text) == [
        ("heading", "Title"), ("paragraph", "A line."), ("item", "one"), ("item", "two"),
        ("cell", "a"), ("cell", "b"), ("cell", "c"), ("cell", "d"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line", ["3.1 ZeRO 1：优化器状态分片", "三、为什么要切分", "**Why shard**"], ids=str
)
def test_a_numbered_or_bold_line_of_plain_text_is_a_heading(line):
    assert read_blocks(line)[0].kind is BlockKind.HEADING


@pytest.mark.parametrize("line", ["3.1 倍的通信量是因为收集了两次参数。", "1.5x faster", "-3 dB"])
def test_a_number_that_begins_a_sentence_is_no_heading_and_no_item(line):
    assert read_blocks(line)[0].kind is BlockKind.PARAGRAPH


def test_a_line_broken_for_its_width_goes_on():
    text = "Gradients are reduced in buckets while the backward\nstill runs.\nNext one."
    assert [w for _, w in words(text)] == [
        "Gradients are reduced in buckets while the backward\nstill runs.",
        "Next one.",
    ]


def test_code_in_a_named_language_is_no_prose():
    assert words("```json\n{}\n```\nAfter.\n```\n16ψ\n```\n") == [
        ("paragraph", "After."), ("paragraph", "16ψ"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("**bold** and `code`", "bold and code"),
        ("[words](https://example.org) stay", "words stay"),
        ("~~struck~~ kept", "kept"),
        ("2*ψ + 14*ψ/N", "2*ψ + 14*ψ/N"),
        ("an *emphasis* here", "an emphasis here"),
        ("<b>tag</b><!-- hidden -->", "tag"),
    ],
)
def test_marks_are_no_words_but_formulas_keep_their_stars(marked, plain):
    assert words(marked) == [("paragraph", plain)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("一句。两句！", ["一句。", "两句！"]),
        ("He said “no.” Then left.", ["He said “no.”", "Then left."]),
        ("It is 1.5 times, e.g. here. Next.", ["It is 1.5 times, e.g. here.", "Next."]),
        ("why?! yes", ["why?!", "yes"]),
    ],
)
def test_sentences_end_at_stops_only(text, sentences):
    found = [s.of(text) for s in split_sentences(text, range(len(text)))]
    assert found == sentences
