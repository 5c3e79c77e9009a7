"""What every retriever promises, whichever way it searches."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.retrieval.lexical import LexicalIndex, LexicalRetriever
from service.retrieval.port import IndexState, Retriever

STATES = {"words": IndexState.DEGRADED, "fused": IndexState.READY}


@pytest.fixture(params=sorted(STATES))
def named(request, facts) -> tuple[str, Retriever]:
    if request.param == "fused":
        return request.param, request.getfixturevalue("fused")
    return request.param, LexicalRetriever(facts, LexicalIndex(facts))


@pytest.fixture
def retriever(named) -> Retriever:
    return named[1]


def test_the_state_says_how_it_searches(named):
    name, retriever = named
    assert retriever.state() is STATES[name]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("Why is my job stuck?", "F002"),
        ("程序卡住不动了", "F002"),
        ("how many elements does an allreduce move", "F001"),
        ("zero3 切分参数吗", "F003"),
        ("ZeRO 3 partitions parameters", "F003"),
        ("ssd offloading", "F004"),
    ],
)
def test_the_right_fact_comes_first_in_either_language(retriever, query, best):
    assert retriever.find(query).passages[0].fact.id == best


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "？！…", "\u200b", "\x00", "🙂"])
def test_a_query_without_words_is_not_answered(retriever, query):
    assert not retriever.find(query).confident


@pytest.mark.parametrize(
    "query", ['"', "a OR b NOT (c", "terms:*", "\ud800 stage 3", "x" * 200_000]
)
def test_no_query_is_a_fault(retriever, query):
    found = retriever.find(query)
    assert len(found.passages) <= 5


def test_scores_run_from_one_to_zero_and_fall(retriever):
    scores = [passage.score for passage in retriever.find("stage 3 offload to nvme", 4).passages]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_than_asked_for_and_none_twice(retriever, limit):
    ids = [passage.fact.id for passage in retriever.find("stage 3 partition", limit).passages]
    assert len(ids) == len(set(ids)) <= limit


def test_the_same_query_gets_the_same_answer_from_many_threads(retriever):
    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(lambda _: retriever.find("stuck ranks"), range(40)))
    assert len(answers) == 1
