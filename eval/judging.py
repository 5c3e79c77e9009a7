"""A run's folder and the labels in it -> agreement.json."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.folder import read_header, read_run, write_json
from eval.meta import Document, agreement
from service.corpus.load import load_knowledge
from service.domain.grading import Rubric
from service.settings import read_settings

AGREEMENT = "agreement.json"


def agreement_of(folder: Path, by: Sequence[str] = ()) -> Document:
    """Computed and written beside the run.

    Raises:
        InputInvalid: no run stands there.
    """
    answers, rows = read_run(folder)
    found = agreement(answers, rows, questions_rubrics(), by)
    document: Document = {"run": dict(read_header(folder)), **found}
    write_json(folder / AGREEMENT, document)
    return document


def questions_rubrics() -> Mapping[str, Rubric]:
    """The rubric of every question of the knowledge base."""
    questions = load_knowledge(read_settings().knowledge_dir).questions
    return {name: question.rubric for name, question in questions.items()}
