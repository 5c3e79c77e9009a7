"""Values of the domain as JSON text and back, each with the version of its form."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from service.domain.alignment import Match
from service.domain.applications import Card
from service.domain.interview import Session, Turn
from service.domain.posting import Posting
from service.domain.resume import Resume
from service.domain.rewriting import Rewriting
from service.errors import StoreInvalid, TextInvalid

T = TypeVar("T")
Json = dict[str, object]


@dataclass(frozen=True)
class Codec(Generic[T]):
    """`upgrades[n]` turns a payload of version n into one of version n + 1."""

    type: type[T]
    version: int = 1
    upgrades: Mapping[int, Callable[[Json], Json]] = field(
        default_factory=dict[int, Callable[[Json], Json]]
    )

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self.type)

    def encode(self, value: T) -> str:
        """The value as text; read back at once, so that nothing unreadable is ever stored.

        Raises:
            TextInvalid: it holds characters that are no text (lone surrogates).
        """
        try:
            text = self._adapter.dump_json(value, fallback=str).decode()
        except (PydanticSerializationError, UnicodeEncodeError) as error:
            raise TextInvalid("The text holds characters that are no text.") from error
        self._adapter.validate_json(text)
        return text

    def decode(self, text: str, version: int) -> T:
        """Raises StoreInvalid for a payload that is newer than this code, or unreadable."""
        if version > self.version:
            raise StoreInvalid(
                "A stored {what} was written by a newer Shardwise; update this one.",
                what=self.type.__name__,
            )
        try:
            if version == self.version:
                return self._adapter.validate_json(text)
            return self._adapter.validate_python(self._upgraded(text, version))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, e['loc']))}: {e['type']}" for e in error.errors()]
            raise StoreInvalid(
                "A stored {what} cannot be read; restore a backup.", faults, what=self.type.__name__
            ) from None

    def _upgraded(self, text: str, version: int) -> Json:
        payload: Json = json.loads(text)
        for step in range(version, self.version):
            payload = self.upgrades[step](payload)
        return payload


RESUME: Final = Codec(Resume)
POSTING: Final = Codec(Posting)
MATCH: Final = Codec(Match)
SESSION: Final = Codec(Session)
TURN: Final = Codec(Turn)
REWRITING: Final = Codec(Rewriting)
CARD: Final = Codec(Card)
