"""Puts a grader together from the settings, without store or pages."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from eval.run import Grader
from service.assembly import Seams, open_engine
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.domain.claims import KnownModels
from service.errors import InputInvalid
from service.flows.reading import Reader
from service.retrieval.open import open_retriever
from service.settings import read_settings

ENGINES = ("builtin", "llm")


@asynccontextmanager
async def open_grader(question_id: str, engine: str) -> AsyncGenerator[Grader]:
    """Everything a run grades with.

    Raises:
        InputInvalid: an unknown question or engine.
        SetupError: settings or knowledge are not usable.
    """
    if engine not in ENGINES:
        raise InputInvalid("The engine is builtin or llm, not {engine}.", engine=engine)
    settings = read_settings().model_copy(update={"engine": engine})
    knowledge = load_knowledge(settings.knowledge_dir)
    if question_id not in knowledge.questions:
        raise InputInvalid("There is no question {id}.", id=question_id)
    lexicon = load_lexicon(settings.knowledge_dir / "lexicon")
    async with open_engine(settings, Seams(), knowledge, lexicon) as (chosen, name):
        retriever = open_retriever(knowledge.facts, knowledge.digest, settings.data_dir)
        models = KnownModels(load_models(settings.knowledge_dir / "models.yaml"))
        reader = Reader(chosen, retriever, knowledge, lexicon, models)
        yield Grader(reader, name, knowledge.questions[question_id])
