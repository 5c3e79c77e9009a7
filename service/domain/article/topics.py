"""What a heading, a list item or a cell speaks of: the one scheme it names."""

from dataclasses import dataclass
from typing import Final

from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.mentions import find_mentions
from service.domain.assertions.model import Kind, Mention
from service.domain.assertions.tokens import tokenize
from service.domain.text import fold

# Names of the whole family say too little to be understood in every line below them.
FAMILY: Final = frozenset({"zero", "stages123", "stages12", "model_parallel"})


@dataclass(frozen=True, slots=True)
class Named:
    """`surface` is the name as written; `concept` is empty where none or several are named."""

    concept: str = ""
    surface: str = ""
    any_subject: bool = False


NOBODY: Final = Named()


def named_in(words: str, lexicon: Lexicon) -> Named:
    """The one scheme that `words` speak of, and whether they name any at all."""
    folded = fold(words)
    tokens = tokenize(folded, words, lexicon.characters)
    subjects = [m for m in find_mentions(tokens, lexicon) if m.kind is Kind.SUBJECT]
    own = [m for m in subjects if m.concepts[0] not in FAMILY]
    if len({m.concepts[0] for m in own}) != 1:
        return Named(any_subject=bool(subjects))
    first: Mention = own[0]
    span = folded.span(tokens[first.first].start, tokens[first.last - 1].end)
    return Named(first.concepts[0], span.of(words), any_subject=True)
