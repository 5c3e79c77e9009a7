"""Every question of the bank works with the built-in reader, in both languages."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, cast

import pytest
import yaml

from service.corpus.lexicon import COMPOSITIONS, load_lexicon
from service.corpus.load import load_knowledge
from service.domain.assertions.model import Kind
from service.domain.claims.known import BUILT_IN, KnownModels
from service.domain.claims.model import NumericClaim
from service.domain.drawing import values
from service.domain.drawing.fill import put_in
from service.domain.drawing.reading import check_figures, hold_to_figures, slots_of
from service.domain.grading import PointClaim, Verdict, grade, ground
from service.domain.knowledge import Question, QuestionKind
from service.domain.language import Bilingual, Lang
from service.domain.tasks import AskedPoint, CheckedNumber, ReadAnswer
from service.engine.builtin import BuiltinEngine

ROOT: Final = Path(__file__).resolve().parents[2]
KNOWLEDGE: Final = load_knowledge(ROOT / "knowledge")
LEXICON: Final = load_lexicon(ROOT / "knowledge" / "lexicon")
ENGINE: Final = BuiltinEngine(KNOWLEDGE, LEXICON)
MODELS: Final = KnownModels(BUILT_IN)
FLAGSHIP: Final = "zero-stages"  # has tests of its own
BANK: Final = tuple(q for q in KNOWLEDGE.questions.values() if q.id != FLAGSHIP)
LANGUAGES: Final = (Lang.ZH, Lang.EN)
LEAST_WORDINGS: Final = 4
LEAST_SCORE: Final = 70.0
CREDITED: Final = (Verdict.MET, Verdict.PARTIAL)

each_question = pytest.mark.parametrize("question", BANK, ids=lambda q: q.id)


def _read_cases() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    found: dict[str, Mapping[str, Mapping[str, list[str]]]] = {}
    for path in sorted((ROOT / "knowledge" / "denials").glob("*.yaml")):
        found |= yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    return found


NEGATIONS: Final = _read_cases()


def _claims(question: Question, answer: str, lang: Lang) -> dict[str, PointClaim]:
    numbers = _figures(question, answer)
    task = ReadAnswer(
        lang=lang,
        question_id=question.id,
        question=question.text.in_(lang),
        points=tuple(AskedPoint(id=p.id, text=p.text.in_(lang)) for p in question.rubric.points),
        misconceptions=(),
        passages=(),
        numbers=tuple(_as_read(n, question) for n in numbers),
        answer=answer,
    )
    points = ENGINE.read(task).points
    return {p.id: PointClaim(p.id, Verdict(p.verdict), p.quote) for p in points}


def _figures(question: Question, answer: str) -> tuple[NumericClaim, ...]:
    """Of the draw that the bank shows; others are tried in test_drawn_questions."""
    usual = values.usual(question.drawing) if question.drawing else ()
    return check_figures(answer, question, usual, MODELS)


def _as_read(claim: NumericClaim, question: Question) -> CheckedNumber:
    return CheckedNumber(
        text=claim.text,
        verdict=claim.verdict.value,
        expected=claim.expected,
        why=str(claim.why),
        quantity=claim.quantity.value,
        scheme=slots_of(question)[claim.scheme or ""],
    )


def _score(question: Question, answer: str, lang: Lang) -> float:
    claims = tuple(_claims(question, answer, lang).values())
    findings = ground(claims, question.rubric, answer, ())
    held = hold_to_figures(findings, question.rubric, _figures(question, answer))
    return grade(question.rubric, held).score or 0.0


@each_question
def test_every_point_is_met_by_each_of_its_wordings(question: Question) -> None:
    for point in question.rubric.points:
        for lang in LANGUAGES:
            wordings = point.wordings[lang.value]
            assert len(wordings) >= LEAST_WORDINGS
            missed = [
                w
                for w in (*wordings, *_as_said(question, point.text.in_(lang)))
                if _claims(question, w, lang)[point.id].verdict is not Verdict.MET
            ]
            assert not missed


@each_question
def test_no_point_is_met_by_its_negation(question: Question) -> None:
    for point in question.rubric.points:
        for lang in LANGUAGES:
            denials = _filled(question, NEGATIONS[question.id][point.id][lang.value], lang)
            assert denials
            # A point that the reader leaves open earns nothing either.
            credited = [
                d
                for d in denials
                if (claim := _claims(question, d, lang).get(point.id)) and claim.verdict in CREDITED
            ]
            assert not credited


@each_question
def test_the_two_minute_version_earns_a_good_mark(question: Question) -> None:
    for lang in LANGUAGES:
        assert _score(question, question.versions["two_minutes"].in_(lang), lang) >= LEAST_SCORE


@each_question
def test_the_question_itself_earns_nothing(question: Question) -> None:
    for lang in LANGUAGES:
        assert _score(question, question.text.in_(lang), lang) == 0.0


@each_question
def test_terms_thrown_together_earn_nothing(question: Question) -> None:
    for lang, separator in ((Lang.ZH, "、"), (Lang.ZH, " "), (Lang.EN, ", "), (Lang.EN, " ")):
        soup = separator.join(_terms(question, lang))
        assert _score(question, soup, lang) == 0


@each_question
def test_the_answer_to_another_question_earns_little(question: Question) -> None:
    other = next(q for q in BANK if not set(q.fact_ids) & set(question.fact_ids))
    for lang in LANGUAGES:
        answer = other.versions["two_minutes"].in_(lang)
        assert _score(question, answer, lang) <= LEAST_SCORE / 2


@each_question
def test_every_point_can_be_asked_about_without_its_answer(question: Question) -> None:
    for point in question.rubric.points:
        for lang in LANGUAGES:
            asked = question.follow_ups[point.id].in_(lang)
            assert asked.endswith(("？", "?", "。", "."))
            claim = _claims(question, asked, lang).get(point.id)  # left open earns nothing
            assert claim is None or claim.verdict not in CREDITED


@each_question
def test_a_question_has_all_that_planning_and_reporting_use(question: Question) -> None:
    assert len(question.rubric.dimensions) > 1
    assert 4 <= len(question.rubric.points) <= 9
    assert question.fact_ids
    assert set(question.skills) <= KNOWLEDGE.skills.keys()
    assert question.versions.keys() == {"thirty_seconds", "two_minutes", "whiteboard"}


def _filled(question: Question, texts: list[str], lang: Lang) -> list[str]:
    if question.drawing is None:
        return texts
    shown = values.work_out(question.drawing, values.usual(question.drawing)).shown
    return [put_in(Bilingual(text, text), shown).in_(lang) for text in texts]


def _as_said(question: Question, text: str) -> tuple[str, ...]:
    """A point's own text is an answer too, but nobody can tell another's experience."""
    return () if question.kind is QuestionKind.EXPERIENCE else (text,)


def _terms(question: Question, lang: Lang) -> Iterator[str]:
    """The first form of each concept the patterns name; units and figures are no terms."""
    for concept in _named_concepts(question):
        if LEXICON.kind_of(concept) is Kind.QUANTITY:
            continue
        forms = [f for f in FORMS.get((concept, lang.value), ()) if not any(map(str.isdigit, f))]
        yield from forms[:1]


def _named_concepts(question: Question) -> list[str]:
    says = (
        item
        for point in question.rubric.points
        for pattern in point.patterns
        for item in cast("list[str]", pattern["says"])
    )
    named = (part.lstrip("+-~").partition("=")[0] for item in says for part in item.split("|"))
    return list(dict.fromkeys(named))


def _forms() -> Mapping[tuple[str, str], list[str]]:
    forms: dict[tuple[str, str], list[str]] = {}
    for path in sorted((ROOT / "knowledge" / "lexicon").glob("*.yaml")):
        if path.name == COMPOSITIONS:
            continue
        for entry in yaml.load(path.read_text("utf-8"), yaml.CSafeLoader):
            for lang in LANGUAGES:
                found = forms.setdefault((str(entry.get("id")), lang.value), [])
                found.extend(map(str, entry.get(lang.value, ())))
    return forms


FORMS: Final = _forms()
