from hypothesis import given
from hypothesis import strategies as st

from service.domain.text import Span
from service.web.highlight import SAID, WRONG, Mark, Piece, pieces


def test_the_marked_words_are_cut_out():
    assert pieces("abcdef", [Mark(Span(1, 3))]) == (Piece("a"), Piece("bc", SAID), Piece("def"))


def test_overlapping_marks_become_one():
    marks = [Mark(Span(2, 5)), Mark(Span(1, 3))]
    assert pieces("abcdef", marks) == (Piece("a"), Piece("bcde", SAID), Piece("f"))


def test_what_is_wrong_shows_through_what_was_said():
    marks = [Mark(Span(1, 3), WRONG), Mark(Span(0, 5))]
    assert pieces("abcdef", marks) == (
        Piece("a", SAID),
        Piece("bc", WRONG),
        Piece("de", SAID),
        Piece("f"),
    )


def test_a_text_without_marks_is_one_piece():
    assert pieces("abc", []) == (Piece("abc"),)
    assert pieces("", []) == ()


MARKS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from([SAID, WRONG])), max_size=8
)


@given(st.text(max_size=40), MARKS)
def test_the_pieces_joined_are_the_text(text: str, drawn: list[tuple[int, int, str]]):
    marks = [Mark(Span(min(a, b), max(a, b)), k) for a, b, k in drawn if max(a, b) <= len(text)]
    cut = pieces(text, marks)
    assert "".join(p.text for p in cut) == text
    marked = {i for m in marks for i in range(m.span.start, m.span.end)}
    assert sum(len(p.text) for p in cut if p.look) == len(marked)
