import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.text import Span, clause_ends, find_quote, first_clauses, fold


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


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("重算一下，16×7/64=1.75。", [4, 17]),
        ("it is 1.5x, see nn.utils for 1,000 GPUs.", [10, 39]),
        ("2(N-1)/N (a ring, of course). Done", [28]),
        ("an open ( bracket. shields nothing", [17]),
        ("a) b. c", [4]),
        ("", []),
    ],
)
def test_clauses_end_outside_numbers_names_and_brackets(text: str, ends: list[int]):
    assert list(clause_ends(text)) == ends


def test_a_short_text_keeps_all_but_its_last_stop():
    assert first_clauses("每卡 28 GB。", 80) == "每卡 28 GB"


def test_a_long_text_is_cut_behind_whole_clauses_and_never_inside_a_number():
    text = "Let me redo the sum for sixty-four: 2*13 + 14*13/64 = 28.84375 GB, and so on, and on"
    assert first_clauses(text, 60) == "Let me redo the sum for sixty-four"
    assert first_clauses(text, 70).endswith("28.84375 GB")


def test_a_clause_too_long_is_cut_between_words_outside_brackets():
    text = "one two three four five six (seven eight nine ten eleven twelve) thirteen"
    assert first_clauses(text, 45) == "one two three four five six"
    assert first_clauses("字" * 100, 80) == "字" * 80


@given(st.text(), st.integers(30, 90))
def test_first_clauses_are_verbatim_and_short_enough(text: str, longest: int):
    cut = first_clauses(text, longest)
    assert cut in text
    assert len(cut) <= longest
