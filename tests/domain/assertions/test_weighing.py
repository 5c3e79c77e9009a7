"""Beliefs in words that no pattern knows, and beliefs that what follows puts right."""

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions import read_frames
from service.domain.assertions.evidence import FIGURES
from service.domain.assertions.trees import read_ensemble
from service.domain.text import Span
from service.flows.scales import open_scales
from service.settings import ROOT

FOLDER = ROOT / "knowledge"
KNOWLEDGE = load_knowledge(FOLDER)
LEXICON = load_lexicon(FOLDER / "lexicon")
SCALE = open_scales(FOLDER, KNOWLEDGE, LEXICON).beliefs


def test_what_follows_a_belief_and_states_its_correction_answers_it():
    belief = "Somebody told me ZeRO is model parallelism."
    text = f"{belief} {KNOWLEDGE.misconceptions['M11'].correction.en}"
    assert SCALE is not None
    assert SCALE.answered(text, "M11", Span(0, len(belief)))


def test_a_belief_alone_and_a_belief_among_other_statements_are_not_answered():
    belief = "ZeRO is model parallelism."
    correction = KNOWLEDGE.misconceptions["M11"].correction.en
    assert SCALE is not None
    assert not SCALE.answered(belief, "M11", Span(0, len(belief)))
    assert not SCALE.answered(f"{belief} {correction}", "M11", Span(0, len(belief)))


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        ("ZeRO-3 是模型并行，每张卡算一部分，很简单。", False),
        ("ZeRO-3 is model parallelism, each GPU computes its own part, and it is simple.", False),
        ("ZeRO-3 是模型并行，其实它是存储被切分的数据并行，计算没有被拆开。", True),
    ],
)
def test_the_rest_of_a_sentence_answers_only_where_it_turns(text: str, answered: bool):
    belief = text.replace("，", ",").partition(",")[0]
    assert SCALE is not None
    assert SCALE.answered(text, "M11", Span(0, len(belief))) is answered


def test_the_same_text_is_weighed_the_same_each_time():
    text = "ZeRO 就是一种模型并行。Stage 1 splits the gradients as well."
    frames = read_frames(text, LEXICON)
    assert SCALE is not None
    first = SCALE.weigh(text, frames)
    assert first == SCALE.weigh(text, frames)
    assert all(w.probability >= SCALE.ensemble.least for w in first)


def test_a_tree_goes_left_up_to_its_bound():
    document = {
        "figures": ["a"],
        "least": 0.5,
        "start": 0.0,
        "trees": [[[0, 0.5, 1, 2, 0], [-1, 0, 0, 0, -2.0], [-1, 0, 0, 0, 2.0]]],
    }
    ensemble = read_ensemble(document, ["a"])
    assert ensemble.probability([0.5]) == pytest.approx(0.1192, abs=1e-4)
    assert ensemble.probability([0.6]) == pytest.approx(0.8808, abs=1e-4)


def test_trees_of_other_figures_or_that_lead_nowhere_are_refused():
    with pytest.raises(ValueError, match="other figures"):
        read_ensemble({"figures": ["a"], "trees": []}, FIGURES)
    with pytest.raises(ValueError, match="leads nowhere"):
        read_ensemble(
            {"figures": ["a"], "least": 0.5, "start": 0, "trees": [[[0, 0.5, 0, 9, 0]]]}, ["a"]
        )
