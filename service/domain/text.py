"""Text as given and text as compared: folding keeps a way back to the original code points."""

import unicodedata
from dataclasses import dataclass
from typing import Final

QUOTE_MARKS: Final = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』", '"') | dict.fromkeys("‘’‚‛", "'")
)


SENTENCE_ENDS: Final = frozenset("。！？；!?;.\n")
CLAUSE_ENDS: Final = SENTENCE_ENDS | frozenset("，、：,:")
# Signs that also stand inside numbers and names: 1.5, 1,000, nn.utils, 10:30.
INNER_SIGNS: Final = frozenset(".,:")
OPENING: Final = "([{（［【"
CLOSING: Final = ")]}）］】"
LEAST_WHOLE: Final = 24  # characters; a first clause shorter than this says too little alone


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of Unicode code points in the original text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Folded:
    """NFKC text without invisible characters, white space collapsed, quote marks unified.

    `offsets[i]` is the original index of folded character i; one more entry closes the text.
    """

    text: str
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """The original range behind folded[start:end]."""
        if start == end:
            return Span(self.offsets[start], self.offsets[start])
        return Span(self.offsets[start], self.offsets[end - 1] + 1)


def is_invisible(char: str) -> bool:
    """Format characters: zero-width, bidi controls, soft hyphen, BOM, tags."""
    return unicodedata.category(char) == "Cf"


def fold(text: str) -> Folded:
    """Fold for comparison; linear in length. Case is kept."""
    out: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(text):
        for piece in "" if is_invisible(char) else unicodedata.normalize("NFKC", char):
            folded = " " if piece.isspace() else piece
            if folded == " " and out and out[-1] == " ":
                continue
            out.append(folded)
            offsets.append(index)
    return Folded("".join(out).translate(QUOTE_MARKS), (*offsets, len(text)))


@dataclass(frozen=True, slots=True)
class Haystack:
    """A text folded once, in which many quotes are looked for."""

    original: str
    folded: Folded

    @classmethod
    def of(cls, text: str) -> "Haystack":
        return cls(text, fold(text))

    def find(self, quote: str) -> Span | None:
        """Where `quote` stands, compared after folding; None when it does not."""
        needle = fold(quote).text.strip()
        at = self.folded.text.find(needle) if needle else -1
        return None if at < 0 else self.folded.span(at, at + len(needle))


def find_quote(text: str, quote: str) -> Span | None:
    """Where `quote` stands in `text`, compared after folding; None when it does not."""
    return Haystack.of(text).find(quote)


def clause_ends(text: str, signs: frozenset[str] = CLAUSE_ENDS) -> tuple[int, ...]:
    """Where clauses end: at `signs` outside brackets, numbers and names; linear in length.

    A bracket that is never closed shields nothing.
    """
    ends: list[int] = []
    shielded: list[int] = []  # how many ends there were when each open bracket began
    for at, char in enumerate(text):
        if char in OPENING:
            shielded.append(len(ends))
        elif char in CLOSING and shielded:
            del ends[shielded.pop() :]
        elif char in signs and not _is_inner(text, at):
            ends.append(at)
    return tuple(ends)


def _is_inner(text: str, at: int) -> bool:
    """A dot, comma or colon between two letters or digits without a blank."""
    if text[at] not in INNER_SIGNS or not 0 < at < len(text) - 1:
        return False
    left, right = text[at - 1], text[at + 1]
    return left.isascii() and left.isalnum() and right.isascii() and right.isalnum()


def first_clauses(text: str, longest: int) -> str:
    """The first whole clauses of `text`, verbatim, in at most `longest` characters.

    A clause too long by itself is cut between two words, outside brackets when there is a place.
    """
    text = text.strip()
    if len(text) <= longest:
        return text.rstrip("".join(CLAUSE_ENDS)) or text
    ends = [at for at in clause_ends(text) if LEAST_WHOLE <= at <= longest]
    if ends:
        return text[: ends[-1]].rstrip()
    blanks = [at for at in clause_ends(text, frozenset(" ")) if LEAST_WHOLE <= at <= longest]
    return text[: blanks[-1] if blanks else longest].rstrip()
