"""Every fault of a data set with its line, before anything is graded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from eval.answers import VERDICTS, AnswerLine, Label, read_sheet
from eval.meta import Document
from service.cli.language import reader_language
from service.corpus.load import load_knowledge
from service.domain.knowledge import Knowledge
from service.domain.language import Message, msg
from service.settings import read_settings
from service.wording import load_wording

FLAGSHIP: Final = "zero-stages"


def validate_file(path: Path, question: str | None) -> tuple[Document, list[str]]:
    """The findings as a document and as lines for people.

    Raises:
        InputInvalid: the file cannot be read at all.
    """
    knowledge = load_knowledge(read_settings().knowledge_dir)
    sheet = read_sheet(path)
    faults = [(f.line, f.what) for f in sheet.faults] + [
        (sheet.lines[a.id], what)
        for a in sheet.answers
        for what in faults_of(a, knowledge, question or a.question_id or FLAGSHIP)
    ]
    if not sheet.answers and not faults:
        faults.append((1, msg("there is no answer in the file.")))
    wording, lang = load_wording(), reader_language("")
    told = [(line, wording.render(what, lang)) for line, what in sorted(faults, key=lambda f: f[0])]
    document: Document = {
        "answers": len(sheet.answers),
        "labelled": sum(a.is_labelled for a in sheet.answers),
        "blank": sum(a.is_blank for a in sheet.answers),
        "bases": len({a.cluster for a in sheet.answers}),
        "faults": [{"line": line, "fault": what} for line, what in told],
    }
    counts = ", ".join(f"{n} {document[n]}" for n in ("answers", "labelled", "blank", "bases"))
    return document, [f"{path}:{line}: {what}" for line, what in told] + [counts]


def faults_of(line: AnswerLine, knowledge: Knowledge, question: str) -> Iterator[Message]:
    if question not in knowledge.questions:
        yield msg("there is no question {id}.", id=question)
        return
    points = {p.id for p in knowledge.questions[question].rubric.points}
    settled = Label(points=line.points, misconceptions=line.misconceptions, score=line.score)
    for label in (settled, *line.raters):
        for name, verdict in label.points.items():
            if name not in points:
                yield msg("{question} has no point {id}.", question=question, id=name)
            elif verdict not in VERDICTS:
                yield msg("{id}: {verdict} is no verdict.", id=name, verdict=verdict)
        for name in label.misconceptions or ():
            if name not in knowledge.misconceptions:
                yield msg("there is no misconception {id}.", id=name)
