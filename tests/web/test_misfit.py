from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from service.domain.grading import Level
from service.web.misfit import misfit


class Asked(BaseModel):
    minutes: Annotated[int, Field(ge=5, le=120)] = 25
    level: Level = Level.MID
    q: Annotated[str, Field(max_length=3)] = ""
    text: str
    odd: float = 0.0


def told(**values: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        Asked(**values)
    return str(misfit([dict(e) for e in caught.value.errors()]))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Text is missing."),
        ({"text": "a", "minutes": "soon"}, "Minutes: this must be a whole number."),
        ({"text": "a", "minutes": 4}, "Minutes: at least 5."),
        ({"text": "a", "minutes": 121}, "Minutes: at most 120."),
        ({"text": "a", "q": "long"}, "Question: at most 3 characters."),
        ({"text": "a", "level": "guru"}, "Level: pick one of the choices."),
        ({"text": "a", "odd": "x"}, "odd: this value does not work."),
    ],
)
def test_a_field_is_called_by_its_name_and_told_what_fits(values: Any, sentence: str):
    assert told(**values) == sentence
