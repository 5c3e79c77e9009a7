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
PARTICLES: Final = frozenset("的了着们")
HAN_JOINTS: Final = frozenset("和与及把被将")
BEFORE_A_SUM: Final = frozenset("总求之加缓平")  # 总和, 求和, 之和, 加和, 缓和, 平和
HAN_ADVERBS: Final = frozenset("也都仍就只很更最才还又再已每各这该")
STOPS: Final = frozenset({",", ".", "。", ";", "!", "?", ":", "、"})
ENDS: Final = STOPS | {""}

CANNOT_FOLLOW: Final = {
    **dict.fromkeys(ARTICLES, ENDS | ARTICLES | ENGLISH_JOINTS | PREPOSITIONS | AUXILIARIES),
    **dict.fromkeys(ENGLISH_JOINTS, (ENDS - {",", ":"}) | frozenset({"and", "or"})),
    **dict.fromkeys(PREPOSITIONS, ENDS | ENGLISH_JOINTS | (AUXILIARIES - {"do"})),
    **dict.fromkeys(HAN_JOINTS, ENDS | frozenset("的了着和与及也都")),
    **dict.fromkeys(HAN_ADVERBS, ENDS | frozenset("的和与及")),
    **dict.fromkeys(PARTICLES - {"们"}, frozenset("的了着和与及")),
    # A comma beside another stop, and a clause that begins with a particle.
    ",": STOPS | PARTICLES,
    **dict.fromkeys(STOPS - {","}, frozenset({",", "、", ";"}) | PARTICLES),
}
LEAST_TOKENS: Final = 8
# Running text has next to no breach (one in 15,000 tokens of the facts in both languages).
BREACH_SHARE: Final = 0.06
LEAST_OF_A_TEXT: Final = 3
BREACH_SHARE_OF_A_TEXT: Final = 0.012


def breaches(tokens: Sequence[Token]) -> tuple[int, int]:
    """How often a word stands where no sentence puts it, and how many words there are."""
    words = [
        t
        for before, t in zip([None, *tokens], tokens, strict=False)
        if t.form in ENDS or (t.shape is not Shape.SIGN and not _in_a_name(before))
    ]
    forms = [t.form for t in words]
    found = sum(
        after in CANNOT_FOLLOW.get(form, ())
        for form, after in zip(forms, [*forms[1:], ""], strict=False)
    )
    starts = bool(forms) and forms[0] in PARTICLES
    return found + starts + _particles_alone(tokens), len(forms)


def is_disordered(tokens: Sequence[Token]) -> bool:
    """True for a sentence of words thrown together."""
    found, words = breaches(tokens)
    return words >= LEAST_TOKENS and found > 0 and found >= BREACH_SHARE * words


def is_word_salad(tokens: Sequence[Token]) -> bool:
    """True for a whole text of such sentences, when each alone would be too short to tell."""
    found, words = breaches(tokens)
    return found >= LEAST_OF_A_TEXT and found >= BREACH_SHARE_OF_A_TEXT * words


def _in_a_name(before: Token | None) -> bool:
    """The a of P_a is no article, the 和 of 总和 no joint."""
    return before is not None and (before.form in GLUE or before.form in BEFORE_A_SUM)


def _particles_alone(tokens: Sequence[Token]) -> int:
    """的 after a blank, as words shuffled with blanks between them leave it."""
    return sum(
        token.form in PARTICLES and tokens[i].shape is Shape.HAN and tokens[i].end < token.start
        for i, token in enumerate(tokens[1:])
    )
