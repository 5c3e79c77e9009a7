import pytest

from service.domain.memory import Offload
from service.web.explorer_form import NUMBERS, WORDS, read_choice


def test_an_address_that_says_nothing_gets_the_usual_choice():
    typed = read_choice({})
    assert typed.faults == {}
    assert typed.choice is not None
    assert (typed.choice.params, typed.choice.gpus, typed.choice.card) == ("7.5B", 64, 80)
    assert set(typed.values) == set(NUMBERS) | set(WORDS)


def test_what_an_address_says_is_the_choice():
    typed = read_choice({"gpus": " 128 ", "scheme": "ddp", "offload": "cpu_optimizer", "tp": "8"})
    assert typed.choice is not None
    assert (typed.choice.gpus, typed.choice.tp, typed.choice.scheme) == (128, 8, "ddp")
    assert typed.choice.offload is Offload.OPTIMIZER


@pytest.mark.parametrize("value", ["0", "-4", "1.5", "many", "", "100001", "9" * 5_000])
def test_a_number_out_of_bounds_is_told_with_its_bounds_and_stays_as_typed(value: str):
    typed = read_choice({"gpus": value, "tp": "2"})
    assert typed.choice is None
    assert str(typed.faults["gpus"]) == "GPUs: a whole number from 1 to 100000."
    assert set(typed.faults) == {"gpus"}
    assert (typed.values["gpus"], typed.values["tp"]) == (value, "2")


def test_all_faults_are_told_at_once():
    typed = read_choice({"gpus": "0", "seq": "x", "offload": "moon", "keep": "some"})
    assert set(typed.faults) == {"gpus", "seq", "offload", "keep"}
    assert str(typed.faults["offload"]) == "Offload: pick one from the list."


def test_a_name_longer_than_any_is_refused():
    assert set(read_choice({"model": "m" * 61}).faults) == {"params"}
