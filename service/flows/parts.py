"""What every use case works with. Put together once in `service.app`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from service.documents.reader import ResumeReader
from service.domain.article import ArticleChecker
from service.domain.assertions import Lexicon
from service.domain.claims import KnownModels
from service.domain.config_check import Schema, Tool
from service.domain.knowledge import Knowledge
from service.domain.memory import ModelShape
from service.engine.port import Engine
from service.prompting.prompt import Prompts
from service.retrieval.port import Retriever
from service.store.port import Store


@dataclass(frozen=True, slots=True)
class Limits:
    """Characters are Unicode code points; seconds are wall-clock."""

    answer_chars: int
    posting_chars: int
    upload_bytes: int
    # How long one reading may hold its turn; after that a retry may take over.
    lease_seconds: float


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The model that answers are sent to: its name, its host as people may see it, the prompts."""

    model: str
    address: str
    prompts: Prompts


@dataclass(frozen=True, slots=True)
class Parts:
    store: Store
    engine: Engine
    retriever: Retriever
    knowledge: Knowledge
    lexicon: Lexicon
    models: Mapping[str, ModelShape]
    known_models: KnownModels  # the same, as the number check looks them up
    articles: ArticleChecker
    schemas: Mapping[Tool, Schema]  # of training configurations
    resumes: ResumeReader
    limits: Limits
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    engine_name: str  # as shown to people: builtin, or the model's name
    model_use: ModelUse | None = None  # None where nothing is sent to any model
    # The built-in reader: what a model read is compared with it before it counts as mastery.
    rules: Engine | None = None
