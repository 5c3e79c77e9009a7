"""Checking whatever was brought: a configuration against its schema, any other text as prose."""

import asyncio
from dataclasses import dataclass

from service.domain.article import CheckedArticle
from service.domain.claims.model import ClaimContext
from service.errors import InputInvalid
from service.flows.article import LONGEST_ARTICLE, Desk, check_article
from service.flows.check_documents import article_document, config_document
from service.flows.config_check import CheckedConfig, check_config_text, is_config, read_setting
from service.flows.parts import Parts
from service.flows.texts import require_text


@dataclass(frozen=True, slots=True)
class Brought:
    """A text and what is known beside it: a file's name, and the model and GPUs of a job."""

    text: str
    name: str = ""
    params: str = ""
    model: str = ""
    gpus: int = 0


async def check_any(parts: Parts, brought: Brought) -> CheckedArticle | CheckedConfig:
    """The report of a configuration, or every sentence of a text marked.

    Raises:
        TextEmpty, TextTooLong, TextInvalid.
        FileTooLarge, FileUnreadable: a configuration that cannot be read, with line and column.
        InputInvalid: a JSON file that is no known configuration, or a size that is none.
        ModelUnknown: no model of that name.
    """
    require_text(brought.text, LONGEST_ARTICLE)
    if is_config(brought.name, brought.text):
        found = await asyncio.to_thread(check_config, parts, brought)
        if found is not None:
            return found
    if brought.name.lower().endswith(".json"):
        raise InputInvalid("{name} is no DeepSpeed or FSDP configuration.", name=brought.name[:60])
    return await check_article(parts, brought.text, ClaimContext())


async def check_only_config(parts: Parts, brought: Brought) -> CheckedConfig:
    """As `check_any`, where nothing but a configuration is expected.

    Raises:
        InputInvalid: the text is none.
    """
    require_text(brought.text, LONGEST_ARTICLE)
    found = await asyncio.to_thread(check_config, parts, brought)
    if found is None:
        raise InputInvalid(
            "{name} is no DeepSpeed or FSDP configuration.", name=brought.name or "-"
        )
    return found


def check_config(parts: Parts, brought: Brought) -> CheckedConfig | None:
    """None when the text is no configuration; raises as `check_any` does."""
    setting = read_setting(parts.models, brought.params, brought.model, brought.gpus)
    return check_config_text(brought.text, parts.schemas, parts.knowledge, setting)


def as_document(
    desk: Desk, brought: Brought, checked: CheckedArticle | CheckedConfig
) -> dict[str, object]:
    """The document that `shardwise check --json` prints."""
    named: dict[str, object] = {"id": brought.name or None}
    if isinstance(checked, CheckedConfig):
        return named | config_document(desk, checked)
    return named | article_document(desk, brought.text, checked)
