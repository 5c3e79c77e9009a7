"""A composed résumé as a tagged one-column PDF, its fonts embedded as subsets.

The text reaches the typesetter as data, so no character of it is markup; the typesetter is given
one folder, that of its own template, and one font.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

import manimgx_fonts_cjk
import typst

from service.domain.resume_writing.compose import Composed

_TEMPLATE: Final = Path(__file__).parent / "resume.typ"
_FONTS: Final = Path(next(iter(manimgx_fonts_cjk.__path__)))


def write_pdf(composed: Composed) -> bytes:
    data = json.dumps(asdict(composed), ensure_ascii=False)
    return typst.compile(
        _TEMPLATE,
        root=_TEMPLATE.parent,
        font_paths=[_FONTS],
        ignore_system_fonts=True,
        sys_inputs={"resume": data},
        pdf_standards=["1.7"],
    )
