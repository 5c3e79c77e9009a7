"""`python -m service.wording.update`: bring the catalogues up to date with the sources."""

import sys
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from service.domain.language import Lang
from service.wording.catalogue import TRANSLATED, catalogue_path
from service.wording.extraction import extract, untranslated

# No dates and no line numbers: a catalogue changes only when a sentence does.
HEADER: Final = """# Shardwise: the English sentence is the key.
msgid ""
msgstr ""
"Language: {lang}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def read_catalogue(path: Path, lang: Lang) -> Catalog:
    if not path.exists():
        return Catalog(locale=lang.value)
    with path.open("rb") as file:
        return read_po(file, locale=lang.value)


def merged(lang: Lang) -> Catalog:
    """The catalogue on disk with new sentences added and gone ones set aside."""
    catalogue = read_catalogue(catalogue_path(lang), lang)
    catalogue.update(extract(), no_fuzzy_matching=True, update_creation_date=False)
    return catalogue


def as_text(catalogue: Catalog, lang: Lang) -> str:
    buffer = BytesIO()
    write_po(buffer, catalogue, width=100, omit_header=True, sort_output=True, include_lineno=False)
    return HEADER.format(lang=lang.value) + buffer.getvalue().decode()


def main() -> None:
    """Write each catalogue and name on standard error what still lacks words."""
    for lang in TRANSLATED:
        catalogue = merged(lang)
        path = catalogue_path(lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_text(catalogue, lang), encoding="utf-8")
        for text in untranslated(catalogue, catalogue):
            sys.stderr.write(f"{lang.value}: no words for: {text}\n")


if __name__ == "__main__":
    main()
