"""A file of answers as people's programs save it."""

from pathlib import Path

import pytest

from eval.answers import read_sheet
from service.errors import InputInvalid

CHINESE = "编号,回答,语言,分数,m1\n甲,每张卡都有完整副本。,中文,80,满足\n"
ENGLISH = 'ID;Answer;Score\nx;"a; b";20\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_chinese_headings_are_read_in_every_usual_encoding(tmp_path: Path, encoding: str):
    path = tmp_path / "答卷.csv"
    path.write_bytes(CHINESE.encode(encoding))
    (answer,) = read_sheet(path).answers
    assert (answer.id, answer.lang, answer.score) == ("甲", "zh", 80)
    assert answer.answer == "每张卡都有完整副本。"
    assert dict(answer.points) == {"m1": "met"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_separator_is_told_from_the_headings(tmp_path: Path, delimiter: str):
    path = tmp_path / "a.txt"
    path.write_text(f"id{delimiter}answer\n1{delimiter}words\n", encoding="utf-8")
    assert read_sheet(path).answers[0].answer == "words"


def test_a_separator_inside_quotes_and_headings_in_capitals(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text(ENGLISH, encoding="utf-8")
    (answer,) = read_sheet(path).answers
    assert (answer.id, answer.answer, answer.score) == ("x", "a; b", 20)


def test_what_is_no_text_is_refused(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"PK\x03\x04\x00\x00\xff\xff\x00")
    with pytest.raises(InputInvalid, match="not text"):
        read_sheet(path)
