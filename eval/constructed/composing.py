"""Statements into an answer, by a discourse template."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.constructed.bank import Template
from eval.constructed.dice import Dice
from eval.constructed.labels import Said

STOP: Final = {"zh": "。", "en": ". "}
# Sentences may begin with these in the middle of another one without losing the capital.
NAMES: Final = frozenset({"I", "Adam", "Llama", "Python", "Git", "Kubernetes", "Linux"})


def inner(sentence: str, lang: str) -> str:
    """The sentence as it stands inside another: no capital unless a name has it."""
    if lang == "zh":
        return sentence
    word = sentence.split(maxsplit=1)[0].strip(",.")
    kept = word in NAMES or any(c.isupper() or c.isdigit() for c in word[1:])
    return sentence if kept else sentence[:1].lower() + sentence[1:]


def compose(said: Sequence[Said], template: Template, lang: str, dice: Dice) -> str:
    """One text; `lang` is that of the frame, each statement has its own."""
    parts = template.parts(lang)
    pieces = [dice.pick(parts["start"], "start")]
    for number, one in enumerate(said):
        link = (
            ""
            if number == 0 and not _is_list(parts["links"])
            else dice.pick(parts["links"], f"link{number}")
        )
        pieces.append(_linked(link, one))
    return ("".join(pieces).rstrip() + dice.pick(parts["end"], "end")).strip()


def _is_list(links: Sequence[str]) -> bool:
    return links[0].startswith("\n")


def _linked(link: str, one: Said) -> str:
    is_word = bool(link) and not link.startswith("\n")
    text = inner(one.text, one.lang) if is_word else one.text
    ended = text.endswith(("。", ".", "”", '"'))
    return f"{link}{text}" + (
        " " if ended and one.lang == "en" else "" if ended else STOP[one.lang]
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """A text with what it is made of."""

    text: str
    said: tuple[Said, ...]
