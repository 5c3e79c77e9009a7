"""A composed résumé as Markdown; signs of the text are never marks of the format."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.domain.resume_writing.compose import Composed, Contact, Entry

# Signs that could start a mark anywhere, and those that do at the start of a line.
_ANYWHERE: Final = re.compile(r"[\\`*\[\]<>#|~&]|(?<![^\W_])_|_(?![^\W_])")
_AT_START: Final = re.compile(r"^(?:([+\-=])|(\d{1,9})([.)]))")


def write_markdown(composed: Composed) -> bytes:
    return ("\n".join(_lines(composed)).strip() + "\n").encode()


def _lines(composed: Composed) -> Iterator[str]:
    if composed.name:
        yield from (f"# {escaped(composed.name)}", "")
    for row in (composed.contacts, composed.urls):
        if row:
            yield from (" | ".join(_linked(c) for c in row), "")
    for part in composed.parts:
        yield from (f"## {escaped(part.title)}", "")
        for entry in part.entries:
            yield from _entry(entry)
        for line in part.lines:
            yield from (escaped(line), "")
        yield from _items(part.items)


def _entry(entry: Entry) -> Iterator[str]:
    head = (*entry.head, *((entry.when,) if entry.when else ()))
    if head:
        yield from (f"### {' | '.join(escaped(h) for h in head)}", "")
    for line in entry.prose:
        yield from (escaped(line), "")
    yield from _items(entry.bullets)


def _items(items: Sequence[str]) -> Iterator[str]:
    if items:
        yield from (f"- {escaped(item)}" for item in items)
        yield ""


def _linked(contact: Contact) -> str:
    """A web address is written as it is; an angle link would hide a label."""
    return contact.text if contact.link.startswith("http") else escaped(contact.text)


def escaped(text: str) -> str:
    safe = _ANYWHERE.sub(lambda m: f"\\{m[0]}", text)
    return _AT_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", safe)
