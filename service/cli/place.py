"""What the doctor finds on this machine: knowledge, prompts, database and search index."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.patterns import require_patterns
from service.domain.knowledge import Knowledge
from service.domain.language import Message, msg
from service.engine.step import State, Step
from service.errors import KnowledgeInvalid, SetupError, ShardwiseError
from service.prompting.load import load_prompts
from service.retrieval.index import MANIFEST, index_path
from service.settings import Settings
from service.store.database import Database, is_sqlite, make_engine, read_url
from service.store.file import inspect_file
from service.store.sql import SqlStore

PATIENCE: Final = 5.0  # seconds for a database that is busy or far away
MOST_FAULTS: Final = 5
_OWN_FILES: Final = msg("These files come with Shardwise; undo your change or install it again.")


def examine_place(settings: Settings, clock: Callable[[], datetime]) -> tuple[Step, ...]:
    """Look at all that a start needs; change nothing, make nothing."""
    knowledge = _examine_knowledge(settings.knowledge_dir)
    steps = [
        knowledge if isinstance(knowledge, Step) else _knowledge_found(knowledge),
        _examine_prompts(settings.prompts_dir),
        _examine_store(settings.store_url, clock),
    ]
    if isinstance(knowledge, Knowledge):
        steps.append(_examine_index(knowledge.digest, settings.data_dir))
    return tuple(steps)


def _examine_knowledge(folder: Path) -> Knowledge | Step:
    try:
        knowledge = load_knowledge(folder)
        require_patterns(knowledge, load_lexicon(folder / "lexicon"))
    except KnowledgeInvalid as error:
        return _failed("knowledge", error, _OWN_FILES)
    return knowledge


def _knowledge_found(knowledge: Knowledge) -> Step:
    found = msg(
        "{facts} facts, {misconceptions} misconceptions and {questions} questions are sound.",
        facts=len(knowledge.facts),
        misconceptions=len(knowledge.misconceptions),
        questions=len(knowledge.questions),
    )
    return Step("knowledge", State.OK, found)


def _examine_prompts(folder: Path) -> Step:
    try:
        load_prompts(folder)
    except SetupError as error:
        return _failed("prompts", error, _OWN_FILES)
    return Step("prompts", State.OK, msg("The prompts are sound."))


def _examine_store(address: str, clock: Callable[[], datetime]) -> Step:
    try:
        url = read_url(address)
        path = Path(url.database or "")
        if is_sqlite(url) and not path.exists():
            return _no_file_yet(path)
        if is_sqlite(url):
            inspect_file(path)
        return asyncio.run(_ask_database(url, clock))
    except SetupError as error:
        return _failed("database", error, None)


def _no_file_yet(path: Path) -> Step:
    found = msg("There is no database yet; the first start makes it: {path}.", path=str(path))
    return Step("database", State.OK, found)


async def _ask_database(url: URL, clock: Callable[[], datetime]) -> Step:
    store = SqlStore(Database(make_engine(url, PATIENCE), PATIENCE), clock)
    try:
        health = await store.health()
    finally:
        await store.close()
    where = url.render_as_string(hide_password=True)
    if health.ok:
        return Step("database", State.OK, msg("The database answers: {url}.", url=where))
    found = msg("The database does not answer: {url}.", url=where)
    advice = msg("Start it, or set SHARDWISE_DATABASE_URL right. It said: {why}", why=health.why)
    return Step("database", State.FAILED, found, advice)


def _examine_index(digest: str, data_dir: Path) -> Step:
    if (index_path(digest, data_dir) / MANIFEST).is_file():
        return Step("index", State.OK, msg("The search index of this knowledge is built."))
    found = msg("The search index is not built yet; the next start builds it in seconds.")
    return Step("index", State.SKIPPED, found)


def _failed(name: str, error: ShardwiseError, advice: Message | None) -> Step:
    """The error's own words, with its first faults and their places."""
    found = Message(error.template, tuple(error.params.items()))
    faults = error.faults[:MOST_FAULTS] if isinstance(error, SetupError) else ()
    if faults:
        found = msg("{what} {faults}", what=found, faults="; ".join(faults))
    return Step(name, State.FAILED, found, advice)
