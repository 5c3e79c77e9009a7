"""Rewriting a résumé: proposals that say nothing that is not there, and questions for the rest."""

from service.domain.rewriting.guard import violations
from service.domain.rewriting.model import (
    Answered,
    Proposal,
    Refused,
    Rewriting,
    Source,
    State,
    Style,
    ToAsk,
)

__all__ = [
    "Answered",
    "Proposal",
    "Refused",
    "Rewriting",
    "Source",
    "State",
    "Style",
    "ToAsk",
    "violations",
]
