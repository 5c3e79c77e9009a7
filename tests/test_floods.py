"""No flood of blanks, signs or numbers keeps a reader busy: what a person pastes is read in time.

A pattern that can match one blank in two ways takes longer than anybody waits for some dozens of
them, and holds everybody else up meanwhile.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.resume_words import load_resume_words
from service.documents.limits import ReadLimits
from service.documents.reader import ResumeReader
from service.domain import claims
from service.domain.assertions import own_words_excluded, read_frames
from service.domain.assertions.rejection import rejected_spans
from service.domain.posting_reading import read_posting
from service.domain.scale import accelerators, parameters
from service.errors import UserError
from service.retrieval.concepts import concepts_in
from service.retrieval.terms import stages_in, terms
from service.settings import ROOT

KNOWLEDGE = load_knowledge(ROOT / "knowledge")
LEXICON = load_lexicon(ROOT / "knowledge" / "lexicon")
WORDS = load_resume_words(ROOT / "knowledge" / "resume_words.yaml")
LENGTH = 4_000  # characters; the exponential ones never end at fifty
SECONDS = 3.0  # of processor time, for what takes some hundredths

STARTS = ("", "万", "8", "3 ", "ZeRO 1 ", '"', "| a", "512 张", "hundred ", "it is ", "熟悉")
FILLS = (" ", "\t", "\n", "1 ", "1, ", "一、", "1 and ", "- ", "( ", ", ", "of ", "3-", "张", "a|")

RESUMES = ResumeReader(ReadLimits(), WORDS, KNOWLEDGE.skills)


async def _resume(text: str) -> None:
    with suppress(UserError):  # a flood is no résumé; it is told so in time
        await RESUMES.read_text(text)


READERS: dict[str, Callable[[str], object]] = {
    "terms": terms,
    "stages": stages_in,
    "concepts": concepts_in,
    "accelerators": accelerators,
    "parameters": parameters,
    "claims": claims.check,
    "frames": lambda text: read_frames(text, LEXICON),
    "rejected": rejected_spans,
    "own words": lambda text: own_words_excluded(text, "What is ZeRO?", LEXICON),
    "posting": lambda text: read_posting(text, KNOWLEDGE.skills),
    "résumé": lambda text: asyncio.run(_resume(text)),
}


@pytest.mark.parametrize("name", READERS)
def test_a_flood_is_read_in_time(name: str):
    slow: list[tuple[str, str, float]] = []
    for start, fill in product(STARTS, FILLS):
        text = (start + fill * LENGTH)[:LENGTH] + "z"
        begun = time.process_time()
        READERS[name](text)
        took = time.process_time() - begun
        if took > SECONDS:
            slow.append((start, fill, took))
    assert slow == []
