"""The two languages, and sentences that exist in both.

A sentence made by a rule is a `Message`: an English template and its values; `service.wording`
turns it into the reader's language. A sentence of the knowledge base is a `Bilingual`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, cast

from pydantic import BeforeValidator


class Lang(StrEnum):
    ZH = "zh"
    EN = "en"


# Share of CJK among letters from which a text counts as Chinese: mixed answers carry many
# Latin terms (all-gather, ZeRO-3) inside Chinese sentences.
CJK_SHARE: Final = 0.15


@dataclass(frozen=True, slots=True)
class Bilingual:
    zh: str
    en: str

    def in_(self, lang: Lang) -> str:
        return self.zh if lang is Lang.ZH else self.en

    def __str__(self) -> str:
        return self.en


def _restored(value: object) -> object:
    """A value as it was before it was written as JSON: sentences, bilingual names, tuples."""
    if isinstance(value, list):
        return tuple(_restored(v) for v in cast("list[object]", value))
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, object]", value)
    if fields.keys() == {"zh", "en"}:
        return Bilingual(zh=str(fields["zh"]), en=str(fields["en"]))
    if fields.keys() != {"template", "params"}:
        return fields
    pairs = cast("list[tuple[str, object]]", fields["params"])
    return Message(str(fields["template"]), tuple((k, _restored(v)) for k, v in pairs))


@dataclass(frozen=True, slots=True)
class Message:
    """`template` is an English format string and the key of its translation."""

    template: str
    params: tuple[tuple[str, Annotated[object, BeforeValidator(_restored)]], ...] = ()

    def __str__(self) -> str:
        values = {name: _plain(value) for name, value in self.params}
        return self.template.format(**values) if values else self.template


def _plain(value: object) -> object:
    """Several values in English are listed with commas."""
    if not isinstance(value, tuple):
        return value
    return ", ".join(str(_plain(v)) for v in cast("tuple[object, ...]", value))


def msg(template: str, **params: object) -> Message:
    """Make a Message; Babel extracts the first argument of every `msg(` call."""
    return Message(template, tuple(sorted(params.items())))


def detect_language(text: str) -> Lang:
    letters = [c for c in text if c.isalpha()]
    cjk = sum("\u3400" <= c <= "\u9fff" for c in letters)
    return Lang.ZH if letters and cjk >= CJK_SHARE * len(letters) else Lang.EN
