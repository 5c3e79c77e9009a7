"""The passport of the grader as it was measured and shipped; nothing is computed here."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from service.domain.language import Lang

SHIPPED: Final = Path(__file__).with_name("passport.json")


@dataclass(frozen=True, slots=True)
class Block:
    """`kind` is h2, p, list or table; `text` of a table is its caption."""

    kind: str
    text: str = ""
    items: Sequence[str] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Passport:
    date: str
    title: str
    lede: str
    blocks: tuple[Block, ...]


@cache
def read_passport(lang: Lang, path: Path = SHIPPED) -> Passport:
    """The file is part of the program: without it, or in another form, it is a bug."""
    whole: Any = json.loads(path.read_text(encoding="utf-8"))
    title, lede, *rest = [Block(**block) for block in whole["pages"][lang.value]]
    return Passport(whole["made"]["date"], title.text, lede.text, tuple(rest))
