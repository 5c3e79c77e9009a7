"""Numbers in a text: found, resolved and verified with the memory module. No I/O, no model."""

from service.domain.claims.check import check
from service.domain.claims.known import KnownModels
from service.domain.claims.model import ClaimContext, ClaimVerdict, NumericClaim, Quantity

__all__ = ["ClaimContext", "ClaimVerdict", "KnownModels", "NumericClaim", "Quantity", "check"]
