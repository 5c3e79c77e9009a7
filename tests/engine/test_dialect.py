"""What a server objects to is left out, one thing at a time, and never brought back."""

import itertools

import pytest

from service.domain.tasks import AnswerReading
from service.engine.dialect import Dialect, Method, after_objection
from service.prompting.form import reply_form

FORM = reply_form(AnswerReading)

OBJECTIONS = [
    "Unsupported parameter: 'max_tokens'",
    "max_completion_tokens is not permitted",
    "'temperature' does not support 0.0 with this model",
    "System role not supported",
    "stream_options is not allowed",
    "This response_format type is unavailable now",
    "does not support tools",
]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        (OBJECTIONS[0], "token_field", "max_completion_tokens"),
        (OBJECTIONS[2], "temperature", None),
        (OBJECTIONS[3], "system_role", False),
        (OBJECTIONS[4], "stream_usage", False),
        (OBJECTIONS[5], "method", Method.TOOLS),
    ],
)
def test_each_objection_changes_what_it_names(text, field, value):
    changed = after_objection(Dialect(), 400, text)
    assert changed is not None
    assert getattr(changed, field) == value


def test_tools_are_given_up_only_when_tools_were_used():
    assert after_objection(Dialect(), 400, OBJECTIONS[6]) is None
    changed = after_objection(Dialect(method=Method.TOOLS), 400, OBJECTIONS[6])
    assert changed is not None
    assert changed.method is Method.PLAIN


@pytest.mark.parametrize("status", [401, 403, 413, 429, 502, 503])
def test_other_statuses_say_nothing_about_the_dialect(status):
    assert after_objection(Dialect(), status, OBJECTIONS[5]) is None


def test_an_objection_to_nothing_we_know_changes_nothing():
    assert after_objection(Dialect(), 400, "the weather is bad") is None


def test_however_a_server_objects_it_comes_to_an_end():
    for order in itertools.permutations(OBJECTIONS, 4):
        dialect, steps = Dialect(), 0
        text = " ".join((*order, *OBJECTIONS))
        while (changed := after_objection(dialect, 400, text)) is not None:
            dialect, steps = changed, steps + 1
            assert steps <= 7
        assert dialect == Dialect(Method.PLAIN, None, None, system_role=False, stream_usage=False)


def test_a_plain_request_names_no_form():
    assert set(Dialect(method=Method.PLAIN).request(FORM)) == {"max_tokens", "temperature"}
