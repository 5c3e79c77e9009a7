"""The form sent to a model says the same as the type that will check the reply."""

import json

import pytest

from service.domain.tasks import AnswerReading, Phrase
from service.prompting.form import as_text, reply_form


@pytest.fixture(scope="module")
def form():
    return json.loads(as_text(reply_form(AnswerReading)))


def test_every_key_is_required_and_no_other_allowed(form):
    assert form["required"] == ["points", "misconceptions"]
    assert form["additionalProperties"] is False
    point = form["properties"]["points"]["items"]
    assert point["required"] == ["id", "verdict", "quote"]
    assert point["additionalProperties"] is False


def test_the_menu_of_verdicts_is_the_four_that_a_model_may_give(form):
    verdict = form["properties"]["points"]["items"]["properties"]["verdict"]
    assert verdict["enum"] == ["met", "partial", "missed", "contradicted"]


def test_no_reference_and_no_docstring_is_sent():
    text = as_text(reply_form(AnswerReading))
    assert "$ref" not in text
    assert "$defs" not in text
    assert "description" not in text
    assert "title" not in text


def test_the_text_is_json_of_the_form():
    assert json.loads(as_text(reply_form(Phrase))) == reply_form(Phrase)
