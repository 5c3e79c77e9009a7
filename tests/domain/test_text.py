from hypothesis import given
from hypothesis import strategies as st

from service.domain.text import Span, find_quote, fold


def test_a_quote_is_found_behind_full_width_signs_and_other_quote_marks():
    text = "他说：“ＺｅＲＯ－３ 是 ３ψ”。"
    span = find_quote(text, '"ZeRO-3 是 3ψ"')
    assert span is not None
    assert span.of(text) == "“ＺｅＲＯ－３ 是 ３ψ”"


def test_invisible_characters_do_not_hide_a_quote():
    text = "sta\u200bge 1 shards opti\u00admizer states"
    span = find_quote(text, "stage 1 shards optimizer states")
    assert span == Span(0, len(text))


def test_words_that_are_not_there_are_not_found():
    assert find_quote("stage 1 shards optimizer states", "stage 2") is None
    assert find_quote("stage 1", "  ") is None


def test_white_space_of_any_kind_counts_as_one_blank():
    text = "first\n\n  second"
    span = find_quote(text, "first second")
    assert span is not None
    assert span.of(text) == text


@given(st.text())
def test_offsets_grow_and_close_the_text(text: str):
    folded = fold(text)
    assert list(folded.offsets) == sorted(folded.offsets)
    assert folded.offsets[-1] == len(text)
    assert len(folded.offsets) == len(folded.text) + 1


@given(st.text(min_size=1), st.integers(0, 30), st.integers(1, 30))
def test_a_piece_of_the_folded_text_leads_back_to_the_original(text: str, start: int, length: int):
    folded = fold(text)
    piece = folded.text[start : start + length]
    if not piece.strip():
        return
    span = find_quote(text, piece)
    assert span is not None
    assert piece.strip() in fold(span.of(text)).text
