import json
from collections.abc import Iterator
from pathlib import Path

from eval.claims import CASES, evaluate, faults, judge_case, read_cases
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.domain.claims import ClaimVerdict, KnownModels, check
from service.domain.knowledge import Knowledge, Misconception
from service.settings import ROOT

TEXT = "Mixed precision: {} bytes per parameter."
SPAN = [17, 25]


def write_cases(folder: Path) -> Path:
    """One found as labelled, one with a verdict too many, one called wrong."""
    rows = [
        ("a", "f", TEXT.format(16), [{"span": SPAN, "verdict": "right"}]),
        ("b", "f", TEXT.format(16), []),
        ("c", "g", TEXT.format(17), [{"span": SPAN, "verdict": "right"}]),
    ]
    file = folder / "cases.jsonl"
    shared = {"split": "dev", "lang": "en", "context": None}
    lines = [
        json.dumps({**shared, "id": name, "family": family, "text": text, "claims": claims})
        for name, family, text, claims in rows
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_strict_accuracy_counts_texts_without_any_fault(tmp_path: Path) -> None:
    file = write_cases(tmp_path)
    report = evaluate(file)["dev"]
    assert [o.is_strict for o in report.outcomes] == [True, False, False]
    assert report.strict == 1 / 3
    assert report.right_called_wrong == 1 / 2
    assert report.verdicts_without_claim == 1
    assert report.by_family() == {"f": (1, 2), "g": (0, 1)}


def test_faults_are_named(tmp_path: Path) -> None:
    file = write_cases(tmp_path)
    lines = list(faults([judge_case(case) for case in read_cases(file)]))
    assert lines[0].startswith("b [f]")
    assert "extra '16 bytes'" in lines[1]
    assert "is right, called wrong" in lines[3]


def test_labels_stand_where_they_say_and_families_keep_to_one_split() -> None:
    cases = list(read_cases(CASES))
    assert len(cases) >= 300
    assert len({case.id for case in cases}) == len(cases)
    assert {case.lang for case in cases} == {"zh", "en"}
    splits = {(case.family, case.split) for case in cases}
    assert len(splits) == len({family for family, _ in splits})
    for case in cases:
        assert all(label.span.of(case.text) for label in case.claims)


def test_the_shipped_cases_are_judged_as_labelled() -> None:
    reports = evaluate()
    assert reports["dev"].strict >= 0.97
    assert reports["test"].strict >= 0.92
    assert all(report.right_called_wrong <= 0.05 for report in reports.values())
    assert reports["test"].verdicts_without_claim == 0


def test_no_fact_of_the_knowledge_base_is_called_wrong() -> None:
    facts = load_knowledge(ROOT / "knowledge").facts.values()
    assert len(facts) > 100
    for fact in facts:
        for text in (fact.text.zh, fact.text.en):
            wrong = [c for c in check(text) if c.verdict is ClaimVerdict.WRONG]
            assert not wrong, (fact.id, text, wrong)


def texts_held_true(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Every statement that the project itself holds to be true, in both languages, with its id."""
    for question in knowledge.questions.values():
        for point in question.rubric.points:
            spoken = [wording for listed in point.wordings.values() for wording in listed]
            for text in (point.text.zh, point.text.en, *spoken):
                yield f"{question.id}/{point.id}", text
        for name, version in question.versions.items():
            yield from ((f"{question.id}/{name}", text) for text in (version.zh, version.en))
    for row in (*knowledge.misconceptions.values(), *knowledge.facts.values()):
        said = row.correction if isinstance(row, Misconception) else row.text
        yield from ((row.id, text) for text in (said.zh, said.en))


def test_nothing_the_project_teaches_is_called_wrong() -> None:
    known = KnownModels(load_models(ROOT / "knowledge" / "models.yaml"))
    texts = list(texts_held_true(load_knowledge(ROOT / "knowledge")))
    assert len(texts) > 2_500
    accused = [
        (name, claim.text, str(claim.why))
        for name, text in texts
        for claim in check(text, models=known)
        if claim.verdict is ClaimVerdict.WRONG
    ]
    assert accused == []


def test_the_shipped_table_of_models_changes_no_verdict() -> None:
    known = KnownModels(load_models(ROOT / "knowledge" / "models.yaml"))
    for case in read_cases(CASES):
        with_table = [(c.span, c.verdict) for c in check(case.text, case.context, models=known)]
        alone = [(c.span, c.verdict) for c in check(case.text, case.context)]
        assert with_table == alone, case.text
    (claim,) = check("DeepSeek-V3 has 671B parameters.", models=known)
    assert claim.verdict is ClaimVerdict.RIGHT
