"""From settings to parts: the one place where implementations are chosen."""

import secrets
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING

from service.corpus.configs import CONFIGS_FOLDER, load_schemas
from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import load_models
from service.corpus.patterns import require_patterns
from service.corpus.resume_words import load_resume_words
from service.documents.limits import ReadLimits
from service.documents.reader import ResumeReader
from service.domain.article import ArticleChecker
from service.domain.assertions import Lexicon
from service.domain.assertions.weighing import Scales
from service.domain.claims import KnownModels
from service.domain.knowledge import Knowledge
from service.engine.builtin import BuiltinEngine
from service.engine.fallback import FallbackEngine
from service.engine.model import open_model, shown_address
from service.engine.port import Engine
from service.engine.second import SecondReader
from service.engine.votes import VotingEngine
from service.errors import SettingsInvalid
from service.flows.accounts import KEY_PREFIX
from service.flows.parts import Limits, ModelUse, Parts
from service.flows.scales import open_scales
from service.prompting.load import load_prompts
from service.retrieval.open import open_retriever
from service.retrieval.port import Retriever
from service.settings import Settings
from service.store.open import open_store
from service.store.port import Store

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

ID_BYTES = 12
SECRET_BYTES = 32


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return secrets.token_hex(ID_BYTES)


def new_secret() -> str:
    """A new API key: long and random, so that there is nothing to guess."""
    return KEY_PREFIX + secrets.token_urlsafe(SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class Seams:
    """What tests and other programs may put in place of the chosen parts.

    `spans` see what the OpenTelemetry hook makes, when the settings turn it on.
    """

    engine: Engine | None = None
    store: Store | None = None
    retriever: Retriever | None = None
    spans: "tuple[SpanProcessor, ...]" = ()
    clock: Callable[[], datetime] = utc_now
    new_id: Callable[[], str] = new_id


UNSAFE = (
    "SHARDWISE_HOST={host}: set SHARDWISE_ACCESS=key and make a key with "
    "`shardwise key create NAME`, or listen on 127.0.0.1."
)


def require_safe_address(settings: Settings) -> None:
    """A service that others can reach must ask who they are.

    Raises:
        SettingsInvalid: a public address without access by key.
    """
    if settings.access == "key" or _is_loopback(settings.host):
        return
    raise SettingsInvalid(
        "The service would be reachable by others without any key:",
        [UNSAFE.format(host=settings.host)],
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@asynccontextmanager
async def open_parts(settings: Settings, seams: Seams) -> AsyncGenerator[Parts]:
    """All parts, opened; closed again at the end.

    Raises:
        SetupError: settings, knowledge, prompts or store are not usable.
    """
    knowledge = load_knowledge(settings.knowledge_dir)
    lexicon = load_lexicon(settings.knowledge_dir / "lexicon")
    models = load_models(settings.knowledge_dir / "models.yaml")
    schemas = load_schemas(settings.knowledge_dir / CONFIGS_FOLDER)
    scales = open_scales(settings.knowledge_dir, knowledge, lexicon)
    rules = _open_builtin(knowledge, lexicon, scales)
    store = seams.store or await open_store(settings.store_url, clock=seams.clock)
    try:
        async with _open_reader(settings, seams, rules) as (engine, name):
            yield Parts(
                store=store,
                engine=engine,
                retriever=seams.retriever
                or open_retriever(knowledge.facts, knowledge.digest, settings.data_dir),
                knowledge=knowledge,
                lexicon=lexicon,
                models=models,
                known_models=KnownModels(models),
                articles=ArticleChecker(knowledge, lexicon, models, scales.beliefs),
                schemas=schemas,
                resumes=_resume_reader(settings, knowledge),
                limits=_limits(settings),
                clock=seams.clock,
                new_id=seams.new_id,
                engine_name=name,
                model_use=_model_use(settings),
                rules=rules,
            )
    finally:
        if seams.store is None:
            await store.close()


def _limits(settings: Settings) -> Limits:
    return Limits(
        answer_chars=settings.max_answer_chars,
        posting_chars=settings.max_posting_chars,
        upload_bytes=settings.max_upload_bytes,
        lease_seconds=settings.lease_seconds,
    )


def _resume_reader(settings: Settings, knowledge: Knowledge) -> ResumeReader:
    limits = ReadLimits(
        file_bytes=settings.max_upload_bytes,
        wall_seconds=settings.parse_seconds,
        memory_bytes=settings.parse_memory_bytes,
    )
    words = load_resume_words(settings.knowledge_dir / "resume_words.yaml")
    return ResumeReader(limits, words, knowledge.skills)


@asynccontextmanager
async def open_engine(
    settings: Settings,
    seams: Seams,
    knowledge: Knowledge,
    lexicon: Lexicon,
    scales: Scales | None = None,
) -> AsyncGenerator[tuple[Engine, str]]:
    scales = scales or open_scales(settings.knowledge_dir, knowledge, lexicon)
    builtin = _open_builtin(knowledge, lexicon, scales)
    async with _open_reader(settings, seams, builtin) as opened:
        yield opened


@asynccontextmanager
async def _open_reader(
    settings: Settings, seams: Seams, builtin: BuiltinEngine
) -> AsyncGenerator[tuple[Engine, str]]:
    if seams.engine is not None:
        yield seams.engine, "given"
    elif not _uses_model(settings):
        yield builtin, "builtin"
    else:
        async with _open_model(settings) as model:
            reader: Engine = VotingEngine(model, settings.model_votes)
            if settings.model_second_reader:
                reader = SecondReader(reader, builtin)
            both = FallbackEngine(reader, builtin) if settings.engine == "auto" else reader
            yield both, settings.model or "llm"


def _open_builtin(knowledge: Knowledge, lexicon: Lexicon, scales: Scales) -> BuiltinEngine:
    """Raises KnowledgeInvalid with every pattern that does not fit the lexicon."""
    try:
        return BuiltinEngine(knowledge, lexicon, scales)
    except ValueError:
        require_patterns(knowledge, lexicon)
        raise


def _uses_model(settings: Settings) -> bool:
    return settings.engine == "llm" or (settings.engine == "auto" and bool(settings.model))


def _model_use(settings: Settings) -> ModelUse | None:
    """What a person may know of where their answers go."""
    if not _uses_model(settings):
        return None
    address = shown_address(settings.openai_base_url)
    return ModelUse(_require_model(settings), address, load_prompts(settings.prompts_dir))


@asynccontextmanager
async def _open_model(settings: Settings) -> AsyncGenerator[Engine]:
    model = open_model(
        settings.openai_base_url,
        settings.openai_api_key,
        _require_model(settings),
        load_prompts(settings.prompts_dir),
        seconds=settings.model_seconds,
        calls_per_session=settings.model_calls_per_session,
        tokens_per_day=settings.model_tokens_per_day,
        clock=time.monotonic,
        today=lambda: utc_now().date(),
        nonce_source=new_id,
    )
    try:
        yield model.engine
    finally:
        await model.close()


def _require_model(settings: Settings) -> str:
    if settings.model:
        return settings.model
    raise SettingsInvalid(
        "The model engine needs a model's name:", ["SHARDWISE_MODEL: for example gpt-4o-mini"]
    )
