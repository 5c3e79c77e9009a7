"""Sets of others in their own forms, on tiny invented files."""

from pathlib import Path

import pytest

from eval.gate import value_at
from eval.public_floors import overlap, public_floors
from eval.public_sets import Marked, read_public
from service.errors import InputInvalid

XML = """<question id="q"><questionText>Why?</questionText>
<referenceAnswers><referenceAnswer>It is hot</referenceAnswer></referenceAnswers>
<studentAnswers><studentAnswer accuracy="correct">hot</studentAnswer>
<studentAnswer accuracy="contradictory">cold</studentAnswer></studentAnswers></question>"""
FILES = {
    "semeval.xml": XML,
    "mohler.csv": "question,desired_answer,student_answer,score_avg\nWhat?,a stack,a queue,2.5\n",
    "saf.jsonl": '{"question": "Q", "provided_answer": "x", "score": 0.5}\n',
    "own.tsv": "question\tanswer\tscore\tmax_score\nQ\t答\t2\t4\n",
}


@pytest.mark.parametrize(
    ("name", "scores"),
    [("semeval.xml", [100, 0]), ("mohler.csv", [50]), ("saf.jsonl", [50]), ("own.tsv", [50])],
)
def test_each_form_is_told_from_its_content(tmp_path: Path, name: str, scores: list[float]):
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    found = read_public(tmp_path)
    assert [m.score for m in found] == scores
    assert all(m.answer and m.question for m in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xml", "<question><studentAnswer accuracy='great'>x</studentAnswer></question>"),
        ("a.xml", "<question"),
        ("a.csv", "answer,score\nx,good\n"),
        ("a.jsonl", "{}\n"),
        ("a.txt", "nothing"),
    ],
)
def test_what_is_no_answer_with_a_score_is_refused(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputInvalid):
        read_public(tmp_path)


def test_the_overlap_floor_beats_the_mean_where_words_decide():
    words = ["alpha", "beta", "gamma", "delta"]
    marked = [
        Marked(f"{q}-{n}", f"q{q}", " ".join(words), " ".join(words[:n]) + " filler", 25.0 * n)
        for q in range(10)
        for n in range(5)
    ]
    assert overlap(marked[2]) == 0.5
    found = public_floors(marked)
    assert value_at(found, "floors.overlap.mae") == pytest.approx(0.0, abs=1e-6)
    mean = value_at(found, "floors.mean.mae")
    assert mean is not None
    assert mean > 25
