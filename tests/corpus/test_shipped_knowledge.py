"""The knowledge that ships: complete, sourced, in both languages, honestly tagged."""

from pathlib import Path

import pytest

from service.corpus.load import load_knowledge
from service.domain.knowledge import Knowledge

FOLDER = Path(__file__).resolve().parents[2] / "knowledge"
LEAST_FACTS = 260


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge(FOLDER)


def test_there_are_enough_facts_and_their_numbers_have_no_hole(knowledge):
    numbers = sorted(int(id_[1:]) for id_ in knowledge.facts)
    assert len(numbers) >= LEAST_FACTS
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_fact_names_a_known_source_and_a_date(knowledge):
    for fact in knowledge.facts.values():
        assert fact.source_ids, fact.id
        assert set(fact.source_ids) <= knowledge.sources.keys(), fact.id
        assert fact.date.startswith("2026-"), fact.id


def test_every_source_is_used(knowledge):
    used = {id_ for fact in knowledge.facts.values() for id_ in fact.source_ids}
    assert used == set(knowledge.sources)


def test_what_was_not_read_at_its_source_is_tagged_so(knowledge):
    unread = {id_ for id_ in knowledge.sources if id_.endswith("-secondary")} | {"derived"}
    for fact in knowledge.facts.values():
        if set(fact.source_ids) <= unread:
            assert not fact.verified.is_firm, fact.id


def test_no_source_points_into_somebody_s_machine(knowledge):
    for fact in knowledge.facts.values():
        assert "evidence/" not in fact.source, fact.id
        assert "/tmp" not in fact.source, fact.id  # noqa: S108
        assert ".json" not in fact.source, fact.id


def test_every_fact_says_in_both_languages_which_questions_it_answers(knowledge):
    for fact in knowledge.facts.values():
        assert any(question.isascii() for question in fact.asked), fact.id
        assert any(not question.isascii() for question in fact.asked), fact.id


@pytest.mark.parametrize(
    ("id_", "en", "zh"),
    [("F015", "2ψ + 14ψ/N", "2ψ + 14ψ/N"), ("F033", "3ψ", "1.5 倍"), ("F018", "4x", "线性")],
)
def test_well_known_facts_keep_their_ids(knowledge, id_, en, zh):
    assert en in knowledge.facts[id_].text.en
    assert zh in knowledge.facts[id_].text.zh


def test_nobody_is_marked_wrong_by_what_was_not_verified(knowledge):
    assert knowledge.misconceptions
    for misconception in knowledge.misconceptions.values():
        facts = [knowledge.facts[id_] for id_ in misconception.fact_ids]
        assert any(fact.verified.is_firm for fact in facts), misconception.id
