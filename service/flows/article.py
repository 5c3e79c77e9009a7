"""The article check: any text marked sentence by sentence, with and without a service around it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.corpus.lexicon import load_lexicon
from service.corpus.load import load_knowledge
from service.corpus.models import MODELS_FILE, load_models
from service.domain.article import ArticleChecker, CheckedArticle
from service.domain.claims.model import ClaimContext
from service.domain.knowledge import Fact, Knowledge
from service.domain.language import Lang, Message
from service.domain.memory import ModelShape
from service.flows.parts import Parts
from service.flows.scales import open_scales
from service.flows.texts import require_text
from service.wording.catalogue import Wording, load_wording

LONGEST_ARTICLE: Final = 200_000  # code points, a book chapter


async def check_article(parts: Parts, text: str, context: ClaimContext) -> CheckedArticle:
    """Every sentence marked: right, wrong, conditional, misconceived, or nothing to check.

    Raises:
        TextEmpty, TextTooLong, TextInvalid.
    """
    require_text(text, LONGEST_ARTICLE)
    return await asyncio.to_thread(parts.articles.check, text, context)


def cited_facts(knowledge: Knowledge, article: CheckedArticle) -> Mapping[str, Fact]:
    """The facts behind the marks, in the order of the text."""
    beliefs = knowledge.misconceptions
    ids = [i for claim in article.claims for i in claim.fact_ids]
    ids += [i for held in article.beliefs for i in beliefs[held.misconception_id].fact_ids]
    ids += [i for said in article.confirmed for i in said.fact_ids]
    return {i: knowledge.facts[i] for i in dict.fromkeys(ids) if i in knowledge.facts}


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command needs to check texts and configurations, with reasons in one language."""

    knowledge: Knowledge
    models: Mapping[str, ModelShape]
    articles: ArticleChecker
    wording: Wording
    lang: Lang

    def say(self, message: Message) -> str:
        return self.wording.render(message, self.lang)


def desk_of(parts: Parts, wording: Wording, lang: Lang) -> Desk:
    """The same over the parts of a running service."""
    return Desk(parts.knowledge, parts.models, parts.articles, wording, lang)


def open_desk(knowledge_dir: Path, lang: Lang) -> Desk:
    """Raises KnowledgeInvalid when the knowledge base has faults."""
    knowledge = load_knowledge(knowledge_dir)
    models = load_models(knowledge_dir / MODELS_FILE)
    lexicon = load_lexicon(knowledge_dir / "lexicon")
    scale = open_scales(knowledge_dir, knowledge, lexicon).beliefs
    checker = ArticleChecker(knowledge, lexicon, models, scale)
    return Desk(knowledge, models, checker, load_wording(), lang)
