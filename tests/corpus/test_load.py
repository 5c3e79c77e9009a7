"""The knowledge folder is read whole, or refused with every fault by file and line."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from service.corpus.load import load_knowledge
from service.domain.grading import Dimension, Level
from service.domain.knowledge import HowVerified, Knowledge
from service.domain.language import Bilingual
from service.errors import KnowledgeInvalid

SOURCES = """\
- id: paper
  title: A paper
  locator: "arXiv:1"
- id: run
  title: Measured
  locator: "1.0"
"""
FACTS = """\
- id: F001
  level: junior
  verified: VP
  date: 2026-11-30
  text:
    en: One thing is so.
    zh: 有一件事如此。
  sources:
    - {of: paper, at: "§1"}
    - {of: run}
"""
QUESTION = """\
id: why
text: {en: Why is it so?, zh: 为什么如此？}
topic: zero_stages
kind: explain
level: mid
minutes: 5
facts: [F001]
dimensions: {motivation: 0.2, stages: 0.8}
points:
  - id: m1
    dimension: motivation
    text: {en: Because., zh: 因为。}
    facts: [F001]
  - id: s1
    dimension: stages
    text: {en: Then., zh: 然后。}
    weight: 2
    required_from: senior
    quantities: [memory_per_gpu]
    follow_up: {en: And then?, zh: 然后呢？}
versions:
  whiteboard: {en: 16ψ/N, zh: 16ψ/N}
"""
MISCONCEPTIONS = """\
- id: M01
  belief: {en: It is not so., zh: 并非如此。}
  correction: {en: It is., zh: 就是如此。}
  facts: [F001]
  level: basic
  contradicts: [why/s1]
  wordings: {en: [never so]}
  patterns: [{subject: it, object: so}]
"""
SKILLS = """\
- name: DeepSpeed
  aliases: [deepspeed]
  category: framework
- name: ZeRO
  category: method
  parents: [DeepSpeed]
"""
FILES = {
    "sources.yaml": SOURCES,
    "facts/zero_stages.yaml": FACTS,
    "questions/why.yaml": QUESTION,
    "misconceptions/zero.yaml": MISCONCEPTIONS,
    "skills/frameworks.yaml": SKILLS,
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Knowledge]:
    def loaded(changes: dict[str, str] | None = None, without: tuple[str, ...] = ()) -> Knowledge:
        files = {k: v for k, v in {**FILES, **(changes or {})}.items() if k not in without}
        return load_knowledge(write(tmp_path, files))

    return loaded


def faults(load: Callable[..., Knowledge], name: str, old: str, new: str) -> list[str]:
    assert old in FILES[name]
    with pytest.raises(KnowledgeInvalid) as refused:
        load({name: FILES[name].replace(old, new)})
    return list(refused.value.faults)


def test_a_fact_shows_where_it_is_proved(load):
    fact = load().facts["F001"]
    assert fact.source == "A paper (arXiv:1), §1; Measured (1.0)"
    assert fact.source_ids == ("paper", "run")
    assert fact.text == Bilingual(zh="有一件事如此。", en="One thing is so.")
    assert (fact.verified, fact.topic, fact.date) == (HowVerified.VP, "zero_stages", "2026-11-30")


def test_a_question_carries_exact_weights_and_its_follow_ups(load):
    question = load().questions["why"]
    assert question.rubric.dimensions == {
        Dimension.MOTIVATION: Fraction(1, 5),
        Dimension.STAGES: Fraction(4, 5),
    }
    point = question.rubric.point("s1")
    assert (point.weight, point.required_from) == (Fraction(2), Level.SENIOR)
    assert point.quantities == ("memory_per_gpu",)
    assert question.follow_ups == {"s1": Bilingual(zh="然后呢？", en="And then?")}
    assert question.versions["whiteboard"].en == "16ψ/N"


def test_misconceptions_and_skills_arrive_as_written(load):
    knowledge = load()
    misconception = knowledge.misconceptions["M01"]
    assert misconception.wordings == {"en": ("never so",)}
    assert misconception.patterns == ({"subject": "it", "object": "so"},)
    assert knowledge.skills["ZeRO"].parents == ("DeepSpeed",)


def test_absent_parts_are_empty_but_facts_are_needed(load):
    without = ("questions/why.yaml", "misconceptions/zero.yaml", "skills/frameworks.yaml")
    knowledge = load(without=without)
    assert (knowledge.questions, knowledge.misconceptions, knowledge.skills) == ({}, {}, {})


def test_a_folder_without_facts_is_refused(tmp_path):
    with pytest.raises(KnowledgeInvalid) as refused:
        load_knowledge(tmp_path)
    assert refused.value.faults == ("facts: no facts/*.yaml",)


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("facts/zero_stages.yaml", "    zh: 有一件事如此。\n", "", ":6: text.zh: Field required"),
        ("facts/zero_stages.yaml", "level:", "levle:", ":2: levle: Extra inputs"),
        (
            "facts/zero_stages.yaml",
            "有一件事如此。",
            "It is so.",
            ":6: text: Value error, the zh",
        ),
        (
            "facts/zero_stages.yaml",
            "One thing is so.",
            "就是如此",
            ":6: text: Value error, the en",
        ),
        ("facts/zero_stages.yaml", "One thing is so.", "' '", ":6: text.en: String should have"),
        ("facts/zero_stages.yaml", "{of: paper,", "{of: nowhere,", ":9: no source nowhere"),
        (
            "facts/zero_stages.yaml",
            '  sources:\n    - {of: paper, at: "§1"}\n    - {of: run}\n',
            "  sources: []\n",
            ":8: sources: Tuple should have at least 1",
        ),
        ("facts/zero_stages.yaml", FACTS, FACTS + FACTS, ":11: id F001 already stands at facts/"),
        (
            "facts/zero_stages.yaml",
            "verified: VP",
            "verified: VP\n  verified: VS",
            ":4: key 'verified'",
        ),
        (
            "facts/zero_stages.yaml",
            "verified: VP",
            "verified: sure",
            ":3: verified: Input should",
        ),
        ("facts/zero_stages.yaml", "- id: F001", "- id: [", ":"),
        ("facts/zero_stages.yaml", FACTS, "just: a mapping", ":1: a list of entries is expected"),
        ("questions/why.yaml", QUESTION, "", ":1: Input should be a valid dictionary"),
        ("questions/why.yaml", "0.8", "0.7", ":8: the weights add to 0.9, not to 1"),
        ("questions/why.yaml", "stages: 0.8", "tradeoffs: 0.8", ":14: stages has no weight"),
        ("questions/why.yaml", "id: why", "id: what", ":1: question what must stand in"),
        ("questions/why.yaml", "id: s1", "id: m1", ":14: point m1 twice"),
        ("questions/why.yaml", "    facts: [F001]", "    facts: [F009]", ":13: no fact F009"),
        ("questions/why.yaml", "kind: explain", "kind: quiz", ":4: kind: Input should be"),
        ("questions/why.yaml", "[memory_per_gpu]", "[weight]", ":19: points.1.quantities.0: Input"),
        (
            "questions/why.yaml",
            "minutes: 5",
            "minutes: 5\nskills: [Fortran]",
            ":7: no skill Fortran",
        ),
        ("misconceptions/zero.yaml", "[F001]", "[F002]", ":4: no fact F002"),
        ("misconceptions/zero.yaml", "why/s1", "s9", ":6: no rubric point zero-stages/s9"),
        ("misconceptions/zero.yaml", "basic", "hard", ":5: level: Input should be"),
        ("skills/frameworks.yaml", "[DeepSpeed]", "[Megatron]", ":6: no skill Megatron"),
    ],
)
def test_a_fault_is_named_with_file_and_line(load, name, old, new, fault):
    assert any(line.startswith(f"{name}{fault}") for line in faults(load, name, old, new))


def test_faults_of_all_files_come_at_once(load):
    with pytest.raises(KnowledgeInvalid) as refused:
        load(
            {
                "facts/zero_stages.yaml": FACTS.replace("junior", "expert"),
                "skills/frameworks.yaml": SKILLS.replace("category: method", "kind: method"),
                "questions/why.yaml": QUESTION.replace("0.8", "0.5"),
            }
        )
    places = [fault.split(": ")[0] for fault in refused.value.faults]
    assert places == [
        "facts/zero_stages.yaml:2",
        "skills/frameworks.yaml:4",
        "skills/frameworks.yaml:5",
        "questions/why.yaml:8",
    ]


def test_a_tie_to_a_refused_entry_is_no_second_fault(load):
    found = faults(load, "facts/zero_stages.yaml", "verified: VP", "verified: sure")
    assert [fault.split(": ")[0] for fault in found] == ["facts/zero_stages.yaml:3"]


def test_a_file_that_is_not_utf8_is_refused_by_name(load, tmp_path):
    load()
    (tmp_path / "facts" / "bad.yaml").write_bytes(b"- id: \xff\xfe")
    with pytest.raises(KnowledgeInvalid) as refused:
        load_knowledge(tmp_path)
    assert refused.value.faults == (
        "facts/bad.yaml:1: cannot be read as UTF-8 text (UnicodeDecodeError)",
    )


def test_the_digest_names_the_content_and_not_the_place(tmp_path):
    here = load_knowledge(write(tmp_path / "here", FILES)).digest
    there = load_knowledge(write(tmp_path / "there", FILES)).digest
    changed = {**FILES, "facts/zero_stages.yaml": FACTS.replace("One thing", "A thing")}
    assert here == there
    assert load_knowledge(write(tmp_path / "changed", changed)).digest != here
