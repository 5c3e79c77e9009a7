"""Text as given and text as compared: folding keeps a way back to the original code points."""

import unicodedata
from dataclasses import dataclass
from typing import Final

QUOTE_MARKS: Final = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』", '"') | dict.fromkeys("‘’‚‛", "'")
)


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
