"""English templates turned into the reader's sentence; the English text is the key.

Catalogues are read from their .po text at start, so there is no compiled file to forget.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, cast

from babel.messages.pofile import read_po

from service.domain.language import Bilingual, Lang, Message
from service.errors import SetupError, ShardwiseError

DOMAIN: Final = "shardwise"
LOCALE_DIR: Final = Path(__file__).resolve().parent / "locale"
# English needs no catalogue: its sentences are the keys.
TRANSLATED: Final = (Lang.ZH,)
TOO_LONG_TO_SPELL: Final = 1e15
LIST_MARK: Final[Mapping[Lang, str]] = {Lang.ZH: "、", Lang.EN: ", "}


def catalogue_path(lang: Lang) -> Path:
    return LOCALE_DIR / lang.value / "LC_MESSAGES" / f"{DOMAIN}.po"


class Figure(float):
    """A float that reads plainly where its template asks for no format of its own."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else number(self)

    def __str__(self) -> str:
        return number(self)


@dataclass(frozen=True, slots=True)
class Wording:
    """Translations by language and English template."""

    translations: Mapping[Lang, Mapping[str, str]]

    def text(self, template: str, lang: Lang, **params: object) -> str:
        """The sentence in `lang`; a sentence without translation stays English."""
        known = self.translations.get(lang, {}).get(template) or template
        if not params:
            return known
        return known.format(**{name: self.value(v, lang) for name, v in params.items()})

    def render(self, message: Message, lang: Lang) -> str:
        return self.text(message.template, lang, **dict(message.params))

    def error(self, error: ShardwiseError, lang: Lang) -> str:
        return self.text(error.template, lang, **error.params)

    def value(self, value: object, lang: Lang) -> object:
        """A value as it stands in a sentence: nested sentences speak `lang`, 75.0 reads 75."""
        if isinstance(value, Message):
            return self.render(value, lang)
        if isinstance(value, Bilingual):
            return value.in_(lang)
        if isinstance(value, float | Fraction):
            return Figure(value)
        if isinstance(value, tuple):
            items = cast("tuple[object, ...]", value)
            return LIST_MARK[lang].join(str(self.value(item, lang)) for item in items)
        return value


def number(value: float) -> str:
    """Up to two decimals, no trailing zeros, the same in every language."""
    if abs(value) >= TOO_LONG_TO_SPELL:
        return f"{value:g}"
    return f"{value:.2f}".rstrip("0").rstrip(".")


def load_wording() -> Wording:
    """Read every catalogue.

    Raises:
        SetupError: a catalogue is missing or is not gettext.
    """
    return Wording({lang: _read(lang) for lang in TRANSLATED})


def _read(lang: Lang) -> dict[str, str]:
    path = catalogue_path(lang)
    try:
        with path.open("rb") as file:
            catalogue = read_po(file, locale=lang.value, abort_invalid=True)
    except (OSError, ValueError) as error:
        raise SetupError(
            "A wording catalogue cannot be read:", [f"{path.name}: {error}"]
        ) from error
    return {str(entry.id): str(entry.string) for entry in catalogue if entry.id and entry.string}
