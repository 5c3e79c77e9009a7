"""Any text read sentence by sentence: what of it is right, wrong, conditional or misconceived."""

from service.domain.article.check import ArticleChecker
from service.domain.article.model import (
    CheckedArticle,
    Confirmed,
    HeldBelief,
    Mark,
    MarkedSentence,
)

__all__ = [
    "ArticleChecker",
    "CheckedArticle",
    "Confirmed",
    "HeldBelief",
    "Mark",
    "MarkedSentence",
]
