"""Puts the model engine together: budget around breaker around the server's ask."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr

from service.engine.breaker import BreakerAsk
from service.engine.budget import BudgetAsk
from service.engine.llm import LLMEngine
from service.errors import SettingsInvalid
from service.prompting.prompt import Prompts

# Where a key and a model are set and no address is.
DEFAULT_BASE_URL: Final = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Model:
    """An engine over one model of one server; `close` gives its connections back."""

    engine: LLMEngine
    close: Callable[[], Awaitable[None]]


def open_model(
    base_url: str | None,
    api_key: SecretStr | None,
    model: str,
    prompts: Prompts,
    *,
    seconds: float,
    calls_per_session: int,
    tokens_per_day: int,
    clock: Callable[[], float],
    today: Callable[[], date],
    nonce_source: Callable[[], str],
) -> Model:
    """Make the engine without talking to the server.

    `clock` gives seconds that never run backwards, `nonce_source` an unguessable word.

    Raises:
        SettingsInvalid: the address is no http or https address.
    """
    # Loading LangChain takes seconds that a built-in engine need not pay.
    from service.engine.langchain_ask import LangchainAsk

    url = base_url or DEFAULT_BASE_URL
    if not is_http_url(url):
        raise SettingsInvalid("OPENAI_BASE_URL must look like http://127.0.0.1:8000/v1.")
    server = LangchainAsk(url, api_key, model, seconds=seconds)
    ask = BudgetAsk(
        BreakerAsk(server, clock),
        calls_per_session=calls_per_session,
        tokens_per_day=tokens_per_day,
        today=today,
    )
    engine = LLMEngine(ask, prompts, seconds=seconds, nonce_source=nonce_source, clock=clock)
    return Model(engine, server.aclose)


def shown_address(base_url: str | None) -> str:
    """Host and port of the model server, without anything secret an address may hold."""
    return urlsplit(base_url or DEFAULT_BASE_URL).netloc.rpartition("@")[2]


def is_http_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
