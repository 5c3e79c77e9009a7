"""Whether the words of a sentence stand in an order a speaker would use."""

from collections.abc import Sequence
from typing import Final

from service.domain.assertions.tokens import GLUE, Shape, Token

# Function words and what cannot follow them in running text; "" stands for the end of a clause.
ARTICLES: Final = frozenset({"the", "a", "an"})
ENGLISH_JOINTS: Final = frozenset({"and", "or", "but", "nor"})
PREPOSITIONS: Final = frozenset({"of", "from", "into", "than", "between", "because"})
AUXILIARIES: Final = frozenset(
    {"is", "are", "was", "were", "be", "ha", "have", "doe", "do", "will"}
)
PARTICLES: Final = frozenset("的地得了着")
HAN_JOINTS: Final = frozenset("和与及把被")
HAN_ADVERBS: Final = frozenset("也都仍就只")
ENDS: Final = frozenset({"", ",", ".", "。", ";", "!", "?", ":", "、"})

CANNOT_FOLLOW: Final = {
    **dict.fromkeys(ARTICLES, ENDS | ARTICLES | ENGLISH_JOINTS | PREPOSITIONS | AUXILIARIES),
    **dict.fromkeys(ENGLISH_JOINTS, (ENDS - {",", ":"}) | frozenset({"and", "or"})),
    **dict.fromkeys(PREPOSITIONS, ENDS | ENGLISH_JOINTS | (AUXILIARIES - {"do"})),
    **dict.fromkeys(HAN_JOINTS, ENDS | PARTICLES | HAN_ADVERBS | frozenset("和与及")),
    **dict.fromkeys(HAN_ADVERBS, ENDS | frozenset("的和与及")),
}
CANNOT_START: Final = PARTICLES
LEAST_TOKENS: Final = 8
# Running text has next to no breach; a shuffled sentence has one in about every ten words.
BREACH_SHARE: Final = 0.06


def is_disordered(tokens: Sequence[Token]) -> bool:
    """True for words thrown together: function words stand where no sentence puts them."""
    words = [
        t
        for before, t in zip([None, *tokens], tokens, strict=False)
        if t.form in ENDS or (t.shape is not Shape.SIGN and not _in_a_name(before))
    ]
    if len(words) < LEAST_TOKENS:
        return False
    forms = [t.form for t in words]
    breaches = sum(
        after in CANNOT_FOLLOW.get(form, ())
        for form, after in zip(forms, [*forms[1:], ""], strict=True)
    )
    breaches += forms[0] in CANNOT_START
    breaches += _particles_alone(tokens)
    return breaches > 0 and breaches >= BREACH_SHARE * len(forms)


def _in_a_name(before: Token | None) -> bool:
    """The a of P_a is no article."""
    return before is not None and before.form in GLUE


def _particles_alone(tokens: Sequence[Token]) -> int:
    """的 after a blank, as words shuffled with blanks between them leave it."""
    return sum(
        token.form in PARTICLES and tokens[i].shape is Shape.HAN and tokens[i].end < token.start
        for i, token in enumerate(tokens[1:])
    )
