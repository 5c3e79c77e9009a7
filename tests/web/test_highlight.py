from hypothesis import given
from hypothesis import strategies as st

from service.domain.text import Span
from service.web.highlight import Piece, pieces


def test_the_marked_words_are_cut_out():
    assert pieces("abcdef", [Span(1, 3)]) == (Piece("a"), Piece("bc", mark=True), Piece("def"))


def test_overlapping_marks_become_one():
    assert pieces("abcdef", [Span(2, 5), Span(1, 3)]) == (
        Piece("a"),
        Piece("bcde", mark=True),
        Piece("f"),
    )


def test_a_text_without_marks_is_one_piece():
    assert pieces("abc", []) == (Piece("abc"),)
    assert pieces("", []) == ()


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_the_pieces_joined_are_the_text(text: str, pairs: list[tuple[int, int]]):
    spans = [Span(min(a, b), max(a, b)) for a, b in pairs if max(a, b) <= len(text)]
    cut = pieces(text, spans)
    assert "".join(p.text for p in cut) == text
    assert sum(len(p.text) for p in cut if p.mark) == len(
        {i for s in spans for i in range(s.start, s.end)}
    )
