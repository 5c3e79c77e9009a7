"""Reads the statements that deny a point, by question: what the trees set against its wordings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import yaml
from pydantic import TypeAdapter, ValidationError

from service.domain.language import Lang
from service.errors import KnowledgeInvalid

FOLDER: Final = "denials"
Denials = Mapping[str, Mapping[str, Mapping[Lang, tuple[str, ...]]]]
_FORM: Final = TypeAdapter(dict[str, dict[str, dict[Lang, tuple[str, ...]]]])


def load_denials(folder: Path) -> Denials:
    """Statements by question, point and language; none where `folder` has no such part.

    Raises:
        KnowledgeInvalid: a file is not of this form.
    """
    found: dict[str, dict[str, dict[Lang, tuple[str, ...]]]] = {}
    for path in sorted((folder / FOLDER).glob("*.yaml")):
        try:
            text = path.read_text(encoding="utf-8")
            found |= _FORM.validate_python(yaml.load(text, yaml.CSafeLoader))
        except (OSError, ValueError, yaml.YAMLError, ValidationError) as error:
            fault = f"{FOLDER}/{path.name}: {type(error).__name__}"
            raise KnowledgeInvalid("The knowledge base is not usable:", [fault]) from error
    return found
