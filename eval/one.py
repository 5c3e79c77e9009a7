"""One answer, its mark and why: each point with the words it was read from."""

import time
from collections.abc import Iterator
from typing import cast

from eval.answers import AnswerLine
from eval.grader import open_grader
from eval.row import graded_row
from eval.run import read_line
from service.cli.language import reader_language
from service.domain.knowledge import Question
from service.domain.language import Lang, msg
from service.domain.naming import CLAIM, VERDICT
from service.flows.reading import Read
from service.wording import load_wording

MARKS = {"met": "+", "partial": "~", "contradicted": "!", "unjudged": "?"}


async def grade_one(
    answer: str, question_id: str, engine: str, lang: str
) -> tuple[dict[str, object], list[str]]:
    """The result row, and lines for people.

    Raises:
        EngineError: nothing was read.
    """
    line = AnswerLine(id="answer", lang=lang or None, answer=answer)
    begun = time.monotonic()
    async with open_grader(question_id, engine) as grader:
        read, question = await read_line(grader, line)
        believed = {m.id: m for m in grader.reader.knowledge.misconceptions.values()}
    row = graded_row(line, question.id, read)
    row["milliseconds"] = round((time.monotonic() - begun) * 1_000, 1)
    reader = reader_language(lang, answer)
    lines = list(_lines(read, question, reader))
    for held in read.grade.misconceptions:
        said = believed[held.misconception_id].correction.in_(reader)
        lines.append(f"! {held.misconception_id} “{held.evidence.quote}” -> {said}")
    return row, lines


def _lines(read: Read, question: Question, lang: Lang) -> Iterator[str]:
    wording, grade = load_wording(), read.grade
    if grade.score is None:
        yield wording.render(msg("No mark: there was not enough that could be judged."), lang)
    else:
        yield wording.render(msg("{score} of 100", score=grade.score), lang)
    for finding in grade.findings:
        point = question.rubric.point(finding.point_id)
        quote = f" “{finding.evidence.quote}”" if finding.evidence else ""
        mark = MARKS.get(finding.verdict.value, "-")
        why = f" ({wording.render(finding.note, lang)})" if finding.note else ""
        verdict = wording.render(VERDICT[finding.verdict], lang)
        yield f"{mark} {point.id} [{verdict}] {point.text.in_(lang)}{quote}{why}"
    for claim in grade.claims:
        told = wording.render(cast("object", claim.why), lang)  # pyright: ignore[reportArgumentType]
        yield f"# {claim.text}: {wording.render(CLAIM[claim.verdict], lang)}. {told}"
