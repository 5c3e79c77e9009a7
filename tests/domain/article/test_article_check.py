"""The article check: errors found where they stand, what is right or quoted left in peace."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service.domain.article import ArticleChecker, CheckedArticle, Mark, MarkedSentence

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "article.md"
BAD = {Mark.WRONG, Mark.MISCONCEPTION}

# One of each kind of error that a popular text on the subject makes, and the words that make it.
ERRORS = [
    ("M63", "redundant gradients"),
    ("M10", "the model stays replicated"),
    ("M05", "eight times the parameters"),
    ("M02", "4ψ + 12ψ/N per GPU"),
    ("M08", "slightly more than DDP"),
    ("M03", "optimizer states take 16ψ"),
    ("M64", "no all-gather is needed"),
    ("M65", "gathers the complete gradients"),
    ("M07", "all-gather in the forward pass and a reduce-scatter"),
    ("M62", "Why is the traffic of stage 3"),
    ("M19", "就能模拟两张卡"),
]
RIGHT = [
    "every GPU holds a full copy",
    "Adam costs 16ψ bytes on each GPU",
    "Stage 1 divides the optimizer states",
    "Stage 3 also shards the parameters",
]
QUOTED = [
    "stage 1 shards the weights",
    "ZeRO needs no communication",
    "ZeRO-3 一定最好",
    "bf16 也需要",
]


@pytest.fixture(scope="session")
def text() -> str:
    return SAMPLE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def article(checker: ArticleChecker, text: str) -> CheckedArticle:
    return checker.check(text)


Sentence = Callable[[str], MarkedSentence]


@pytest.fixture(scope="session")
def sentence(article: CheckedArticle, text: str) -> Sentence:
    """The marked sentence that holds the words."""

    def find(words: str) -> MarkedSentence:
        at = text.index(words)
        return next(s for s in article.sentences if s.span.start <= at < s.span.end)

    return find


@pytest.mark.parametrize(("belief", "words"), ERRORS, ids=[b for b, _ in ERRORS])
def test_each_error_is_found_in_its_own_sentence(article, text, belief, words):
    places = [b.span for b in article.beliefs if b.misconception_id == belief]
    at = text.rindex(words)
    sentence = next(s for s in article.sentences if s.span.start <= at < s.span.end)
    assert any(span.overlaps(sentence.span) for span in places)
    assert sentence.mark in BAD


def test_the_wrong_formula_of_stage_2_is_told_from_the_right_one_of_stage_1(article):
    formulas = [c for c in article.claims if c.text.replace(" ", "") == "4ψ+12ψ/N"]
    assert [c.verdict.value for c in formulas] == ["right", "wrong"]
    assert formulas[1].expected == "2ψ+14ψ/N"


@pytest.mark.parametrize("words", RIGHT)
def test_what_is_right_is_confirmed_with_its_source(article, sentence, words):
    found = sentence(words)
    assert found.mark is Mark.RIGHT
    facts = [i for place in found.confirmed for i in article.confirmed[place].fact_ids]
    facts += [i for place in found.claims for i in article.claims[place].fact_ids]
    assert facts


@pytest.mark.parametrize("words", QUOTED)
def test_a_wrong_answer_quoted_to_be_corrected_is_nobody_s_belief(sentence, words):
    found = sentence(words)
    assert found.quoted
    assert found.mark is None


def test_sentences_that_say_nothing_checkable_stay_unmarked(sentence):
    for words in ("Our group of four met", "mistakes are mine", "What is left when N = 1"):
        assert sentence(words).mark is None


def test_no_other_sentence_is_accused(article, text):
    accused = [s.span.of(text) for s in article.sentences if s.mark in BAD]
    assert len(accused) == len(ERRORS)


def test_spans_point_into_the_text_as_given(article, text):
    assert all(c.span.of(text) == c.text for c in article.claims)
    assert all(b.span.of(text).strip() for b in article.beliefs)


def test_a_wrong_correction_in_a_table_is_accused(checker):
    table = "| 错误回答 | 正确方向 |\n|---|---|\n| 不用管 | ZeRO-1 还会切分梯度 |\n"
    held = [b.span.of(table).strip() for b in checker.check(table).beliefs]
    assert held == ["ZeRO-1 还会切分梯度"]


def test_cells_are_read_with_their_row_and_column(checker):
    table = "| 阶段 | 通信量 |\n|---|---|\n| ZeRO-1 | 与 DDP 相同 |\n| ZeRO-2 | 略有增加 |\n"
    held = [(b.misconception_id, b.span.of(table)) for b in checker.check(table).beliefs]
    assert held == [("M08", "略有增加")]


def test_a_stage_named_by_the_column_is_understood_too(checker):
    table = "| | ZeRO-1 | ZeRO-2 |\n|---|---|---|\n| 每卡显存 | 4ψ+12ψ/N | 4ψ+12ψ/N |\n"
    verdicts = [c.verdict.value for c in checker.check(table).claims]
    assert verdicts == ["right", "wrong"]


def test_numbers_of_other_sections_do_not_borrow_its_stage(checker):
    text = (
        "## ZeRO-3\n\nParameters are sharded.\n\n"
        "## Grading\n\n- trade-offs (30%)\n- practice (10%)\n"
    )
    assert not [c for c in checker.check(text).claims if c.verdict.value == "wrong"]


def test_a_size_may_rest_on_the_model_and_gpus_of_an_earlier_section(checker):
    text = "# Setting\n\nA 7B model on 64 GPUs.\n\n# Stage 2\n\nZeRO-2 takes 28 GB per GPU.\n"
    verdicts = [c.verdict.value for c in checker.check(text).claims if c.text == "28 GB"]
    assert verdicts == ["wrong"]


def test_plain_text_without_any_notation_is_read_as_it_stands(checker):
    text = "ZeRO-1 shards both optimizer states and gradients."
    article = checker.check(text)
    assert [b.misconception_id for b in article.beliefs] == ["M01"]
    assert [s.span.of(text) for s in article.sentences] == [text]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "|---|\n", "***", "“。”\n", "# \n", "- \n", "| | |\n|-|-|\n"]
)
def test_signs_alone_say_nothing(checker, text):
    article = checker.check(text)
    assert not article.claims
    assert not article.beliefs


def test_the_work_grows_with_the_length_only(checker, text):
    checker.check(text)
    started = time.process_time()
    checker.check(text * 2)
    short = time.process_time() - started
    started = time.process_time()
    checker.check(text * 20)
    assert time.process_time() - started < 25 * short


@pytest.mark.parametrize("sign", ["-- ", "# ", "|--", "**", "[a](", "<!--", "> ", "`", "误区："])
def test_hostile_runs_of_signs_take_no_time(checker, sign):
    started = time.process_time()
    checker.check(sign * 3_000 + "x")
    assert time.process_time() - started < 10
