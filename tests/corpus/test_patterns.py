from dataclasses import replace

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.patterns import require_patterns
from service.errors import KnowledgeInvalid
from service.settings import ROOT

KNOWLEDGE = load_knowledge(ROOT / "knowledge")
LEXICON = load_lexicon(ROOT / "knowledge" / "lexicon")


def test_every_pattern_of_the_base_fits_the_lexicon():
    assert any(p.patterns for q in KNOWLEDGE.questions.values() for p in q.rubric.points)
    require_patterns(KNOWLEDGE, LEXICON)


def test_unknown_concepts_are_named_with_their_file_all_at_once():
    broken = {
        i: replace(m, patterns=({"says": ["no_such_concept"]},))
        for i, m in KNOWLEDGE.misconceptions.items()
        if i in {"M01", "M02"}
    }
    knowledge = replace(KNOWLEDGE, misconceptions={**KNOWLEDGE.misconceptions, **broken})
    with pytest.raises(KnowledgeInvalid) as refusal:
        require_patterns(knowledge, LEXICON)
    assert len(refusal.value.faults) == 2
    assert "M01" in refusal.value.faults[0]
    assert "no_such_concept" in refusal.value.faults[0]
