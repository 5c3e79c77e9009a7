"""Only one whole, unambiguous object of the agreed form is ever read."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import Field

from service.domain.tasks import AnswerReading, Strict
from service.engine.extract import LONGEST_REPLY, Complaint, extract


class Mark(Strict):
    level: int = Field(ge=0, le=5)
    why: str = ""


def complaint(text, reading_type: type[Strict] = Mark):
    with pytest.raises(Complaint) as caught:
        extract(text, reading_type)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '{"level": 3}',
        '  \n{"level": 3}\n',
        '```json\n{"level": 3}\n```',
        '```\n{"level": 3}\n```\nThat is all.',
        'Here it is: {"level": 3}. Done.',
        '<think>maybe {"level": 5}?</think>{"level": 3}',
        'no opening mark {"level": 5}</think>\n\n{"level": 3}',
        '<think>\n</think>\n```json\n{"level": 3}\n```',
        '{"level": 3, "why": ""}',
    ],
)
def test_the_object_is_found_beside_thoughts_fences_and_chatter(text):
    assert extract(text, Mark).level == 3


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no complete JSON object"),
        ("I would say three.", "no complete JSON object"),
        ('{"level": 3', "no complete JSON object"),
        ('{"level": 3, "why": "cut o', "no complete JSON object"),
        ('```json\n{"level": 3', "no complete JSON object"),
        ("[3]", "no complete JSON object"),
        ('{"level": 3}{"level": 5}', "broken"),
        ('first {"level": 1} then {"level": 5}', "more than one"),
        ('```\n{"level": 1}\n```\n```\n{"level": 5}\n```', "more than one"),
        ("Sure! {'level': 5}", "broken"),
        ('{"level": 3,}', "broken"),
        ('{"level": 1, "level": 5}', "twice"),
        ('{"level": 1, "l\\u0065vel": 5}', "twice"),
        ('{"level": NaN}', "NaN is not JSON"),
        ('{"level": Infinity}', "Infinity is not JSON"),
        ('{"level": -Infinity}', "Infinity is not JSON"),
        ('{"level": 1e400}', "too large"),
        ('{"level": ' + "9" * 5000 + "}", "too many digits"),
        ('{"level": 1e9}', "level: int"),
        ('{"level": 9}', "less_than_equal"),
        ('{"level": "3"}', "int_type"),
        ('{"level": 3.0}', "int"),
        ('{"level": true}', "int_type"),
        ('{"level": null}', "int_type"),
        ('{"level": 3, "is_admin": true}', "is_admin: extra_forbidden"),
        ('{"why": "x"}', "level: missing"),
        ('{"level": 3, "why": "\\ud800"}', "no text"),
        ('{"level": 3, "why": "a\\u0000b"}', "no text"),
        ('{"level": ' + "[" * 100_000, "no complete JSON object"),
        ('{"level": ' + "[" * 60 + "]" * 60 + "}", "nested deeper"),
        ('<think>it is {"level": 5}', "inside <think>"),
        ("x" * (LONGEST_REPLY + 1), "longer than"),
    ],
)
def test_everything_doubtful_is_refused_with_its_reason(text, part):
    assert part in complaint(text)


def test_a_brace_inside_a_string_does_not_end_the_object():
    assert extract('so: {"level": 2, "why": "a } b \\" { c"} end', Mark).why == 'a } b " { c'


def test_an_object_quoted_inside_the_reply_is_no_second_object():
    why = json.dumps({"level": 5})
    assert extract(json.dumps({"level": 1, "why": why}), Mark).level == 1


def test_a_complaint_holds_nothing_of_the_values_in_the_reply():
    text = complaint('{"level": "canary-7f3a", "why": 5}')
    assert "canary" not in text
    assert "level" in text


def test_lists_become_the_tuples_of_the_form():
    reply = {"points": [{"id": "m1", "verdict": "met", "quote": "q"}], "misconceptions": []}
    assert extract(json.dumps(reply), AnswerReading).points[0].id == "m1"


def test_a_verdict_that_is_not_on_the_menu_is_refused():
    reply = {"points": [{"id": "m1", "verdict": "unjudged", "quote": ""}], "misconceptions": []}
    assert "literal_error" in complaint(json.dumps(reply), AnswerReading)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(JSON)
@example({"level": 3})
@example({"level": 3, "why": "x", "more": 1})
def test_any_json_gives_a_valid_mark_or_a_complaint(value):
    try:
        mark = extract(json.dumps(value), Mark)
    except Complaint:
        return
    assert isinstance(value, dict)
    assert mark.level == value["level"]
    assert set(value) <= {"level", "why"}


@given(st.text(max_size=200))
def test_any_text_gives_a_complaint_and_nothing_else(text):
    assert complaint(text) != ""
