"""Changes of a text that leave its meaning alone, or that no reader should be moved by."""

import re
from collections.abc import Mapping
from typing import Final

from eval.constructed.dice import Dice

ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060\ufeff"
BIDI: Final = (
    ("\u2067", "\u2069"),
    ("\u202b", "\u202c"),
    ("\u2066", "\u2069"),
    ("\u200f", "\u200e"),
)
FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")
PUNCTUATION: Final = re.compile(r"[，。；：、！？“”（）…]|[,;:!?()\"]|\.(?=\s|$)|(?<=\S)\n- |\n")
LETTERS: Final = re.compile(r"[a-z]{5,}")
HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def full_width(text: str) -> str:
    return text.translate(FULL_WIDTH)


def without_punctuation(text: str) -> str:
    """As a speech recogniser without punctuation would write it."""
    return re.sub(r" {2,}", " ", PUNCTUATION.sub(" ", text)).strip()


def swap_words(text: str, pairs: Mapping[str, str], most: int, dice: Dice) -> str:
    """At most `most` of the words that `pairs` knows, each at one place."""
    changed = text
    present = [w for w in pairs if w in text]
    for word in dice.shuffled(present, "words")[:most]:
        changed = changed.replace(word, pairs[word], 1)
    return changed


def mistype(text: str, per_hundred: int, dice: Dice) -> str:
    """Neighbouring letters swapped in long words, or a character doubled, at a rate of the text."""
    places = [m.start() + 1 for m in LETTERS.finditer(text)]
    places += [m.start() for m in HAN.finditer(text)]
    chars = list(text)
    for place in dice.shuffled(sorted(places), "places")[: len(text) * per_hundred // 100]:
        if HAN.match(chars[place]):
            chars[place] *= 2
            continue
        chars[place], chars[place + 1] = chars[place + 1], chars[place]
    return "".join(chars)


def invisible(text: str, dice: Dice) -> str:
    """Zero-width characters at every fifth place or so, or direction marks around stretches."""
    if dice.below(2, "kind"):
        before, after = dice.pick(BIDI, "bidi")
        return "".join(f"{before}{text[i : i + 40]}{after}" for i in range(0, len(text), 40))
    return "".join(
        char + (dice.pick(ZERO_WIDTH, f"which{i}") if not dice.below(5, f"at{i}") else "")
        for i, char in enumerate(text)
    )


def scramble_words(text: str, lang: str, dice: Dice) -> str:
    """The words of a text in no order: short runs of characters in Chinese."""
    words = (
        re.findall(r"[A-Za-z0-9+/.ψ-]+|[\u4e00-\u9fff]{1,2}", text)
        if lang == "zh"
        else text.split()
    )
    return ("" if lang == "zh" else " ").join(dice.shuffled(words, "scramble"))
