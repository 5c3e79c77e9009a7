"""Names of what a claim may lack, and facts that several checks share."""

from typing import Final

from service.domain.language import msg

SIZE: Final = msg("the model size")
DEGREE: Final = msg("the number of GPUs that share the states (N)")
SCHEME: Final = msg("the sharding scheme")
STATES: Final = ("F001", "F002")
FREE: Final = 1e12  # N of "very large N"
