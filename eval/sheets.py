"""Files as people save them: any usual encoding, any separator, headings in Chinese or English."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from service.errors import InputInvalid

# A spreadsheet saves in one of these; GB18030 reads GBK and GB2312, and comes last: it reads much.
ENCODINGS: Final = ("utf-8-sig", "gb18030")
MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
COLUMNS: Final[Mapping[str, str]] = {
    "编号": "id", "序号": "id", "学号": "id", "考生": "id",
    "回答": "answer", "答案": "answer", "作答": "answer", "内容": "answer", "text": "answer",
    "response": "answer", "语言": "lang", "language": "lang",
    "题目编号": "question_id", "题号": "question_id",
    "分数": "score", "得分": "score", "总分": "score", "评分": "score", "mark": "score",
    "误解": "misconceptions", "评分人": "rater", "评分员": "rater", "打分人": "rater",
    "分组": "group", "作者": "author", "划分": "split",
}  # fmt: skip
LANGUAGES: Final[Mapping[str, str]] = {
    "中文": "zh", "汉语": "zh", "chinese": "zh", "zh-cn": "zh", "英文": "en", "英语": "en",
    "english": "en", "en-us": "en",
}  # fmt: skip


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, UTF-16 with its mark, or GB18030.

    Raises:
        InputInvalid: it is not there, or in none of these.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputInvalid("{path} cannot be read.", path=str(path)) from error
    encodings = ("utf-16",) if raw.startswith(MARKS) else ENCODINGS
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise InputInvalid("{path} is not text in UTF-8, UTF-16 or GBK.", path=str(path))


def csv_rows(text: str) -> Iterator[tuple[int, object]]:
    """Line and row, as the JSON form has it; None for a row with more cells than headings.

    A column `m1` or `points.m1` is the label of a point.
    """
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t，；", key=first.count)
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    for number, cells in enumerate(table, start=1):
        row = {column_of(k): v.strip() for k, v in cells.items() if k and isinstance(v, str)}
        if None in cells or not any(row.values()):
            if any(row.values()):
                yield table.line_num, None
            continue
        yield table.line_num, _row(number, row)


def _row(number: int, row: Mapping[str, str]) -> Mapping[str, object]:
    points = {p: v for k, v in row.items() if (p := _point_of(k)) and v}
    plain = {k: v for k, v in row.items() if v and not _point_of(k)}
    if "lang" in plain:
        plain["lang"] = LANGUAGES.get(plain["lang"].casefold(), plain["lang"].casefold())
    blank = {"answer": row["answer"]} if "answer" in row else {}
    numbered = {"id": str(number)} if "id" not in row else {}
    return numbered | blank | plain | ({"points": points} if points else {})


def column_of(heading: str) -> str:
    """The field a heading names: `Answer`, ` 回答 ` and `answer` are one."""
    bare = heading.strip().strip("\ufeff\"'").strip()
    known = COLUMNS.get(bare.casefold())
    if known:
        return known
    return bare.casefold() if bare.isascii() else bare


def _point_of(column: str) -> str:
    if column.startswith("points."):
        return column.removeprefix("points.")
    short = column[:1].isalpha() and column[1:].isdigit() and column.isascii()
    return column if short else ""
