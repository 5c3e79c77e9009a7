"""The figures of the search, worked out by hand on four queries."""

import pytest

from eval.retrieval import CASES, Case, Scores, measure, meets_goals, rank_of, read_cases
from service.domain.knowledge import Fact, HowVerified, Passage
from service.domain.language import Bilingual
from service.retrieval.port import Found, IndexState


def found(*ids: str, confident: bool = True) -> Found:
    passages = (
        Passage(Fact(id_, Bilingual(zh="甲", en="a"), "s", HowVerified.VP, "t"), 1.0) for id_ in ids
    )
    return Found(tuple(passages), confident)


ANSWERS = {
    "first": found("F1", "F2"),
    "second": found("F3", "F2", confident=False),
    "never": found("F3"),
    "no answer": found("F1", confident=True),
    "no answer either": found("F1", confident=False),
}


class Scripted:
    def find(self, query: str, limit: int = 5) -> Found:
        found = ANSWERS[query]
        return Found(found.passages[:limit], found.confident)

    def nearest(self, query: str, limit: int = 5) -> tuple[Passage, ...]:
        return self.find(query, limit).passages

    def state(self) -> IndexState:
        return IndexState.READY


CASES_BY_HAND = (
    Case("1", "first", "a", frozenset({"F1"})),
    Case("2", "second", "a", frozenset({"F2", "F9"})),
    Case("3", "never", "a", frozenset({"F1"})),
    Case("4", "no answer", "none", frozenset()),
    Case("5", "no answer either", "none", frozenset()),
)


def test_scores_are_means_over_their_own_kind_of_query():
    scores = measure(Scripted(), CASES_BY_HAND)
    assert scores.answerable == 3
    assert scores.recall_1 == pytest.approx(1 / 3)
    assert scores.recall_5 == pytest.approx(2 / 3)
    assert scores.mrr == pytest.approx((1 + 1 / 2) / 3)
    assert scores.unanswerable == 2
    assert scores.wrong_confidence == pytest.approx(1 / 2)
    assert scores.hesitant == pytest.approx(1 / 3)


def test_the_rank_is_that_of_the_first_relevant_fact():
    assert rank_of(found("F5", "F2", "F1"), frozenset({"F1", "F2"})) == 2
    assert rank_of(found("F5"), frozenset({"F1"})) is None


@pytest.mark.parametrize(
    ("recall_5", "mrr", "wrong", "met"),
    [
        (0.93, 0.80, 0.10, True),
        (0.92, 0.80, 0.1, False),
        (0.93, 0.79, 0.1, False),
        (1, 1, 0.11, False),
    ],
)
def test_all_three_goals_must_be_met(recall_5, mrr, wrong, met):
    assert meets_goals(Scores(10, 0.5, recall_5, mrr, 10, wrong, 0.0)) is met


def test_the_queries_are_many_in_both_languages_and_the_halves_share_no_wording_family():
    halves = {name: read_cases(CASES / f"{name}.jsonl") for name in ("dev", "test")}
    families = {name: {c.family for c in cases if c.relevant} for name, cases in halves.items()}
    assert sum(map(len, halves.values())) >= 200
    assert families["dev"].isdisjoint(families["test"])
    for cases in halves.values():
        chinese = [case for case in cases if any("\u4e00" <= c <= "\u9fff" for c in case.query)]
        assert 0.25 < len(chinese) / len(cases) < 0.75
        assert sum(not case.relevant for case in cases) >= 40
        assert len({case.query for case in cases}) == len(cases)
