"""More layouts of the invented persons: typeset by typst (as LaTeX does it) and printed by LibreOffice.

Nothing here is part of the service. LibreOffice is used where it is installed.
"""

# ruff: noqa: E501 - a template is read in one piece

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import manimgx_fonts_cjk
import typst

from eval.resume_layouts import HEADINGS, dates, docx_plain, docx_table

Person = Mapping[str, Any]

_HEAD: Final = """#let it = json(bytes(sys.inputs.person))
#set page(paper: "a4", margin: 1.8cm, footer: align(center, context text(size: 8pt, counter(page).display())))
#set text(font: "Noto Sans CJK SC", size: 10pt, lang: it.lang)
#set list(marker: [•])
#let section(title) = block(above: 1.2em, below: 0.6em, width: 100%, stroke: (bottom: 0.5pt), inset: (bottom: 3pt), text(size: 13pt, weight: "bold", title))
#let bullets(one) = list(..one.bullets.map(b => text(b)))
"""
# The moderncv look: dates at the right margin, justified and hyphenated text, ligatures.
RIGHT: Final = (
    _HEAD
    + """#set par(justify: true)
#set text(hyphenate: true)
#align(center, text(size: 20pt, weight: "bold", it.name))
#align(center, it.contacts.join(" · "))
#for kind in ("education", "work", "projects") {
  section(it.headings.at(kind))
  for one in it.at(kind) [*#one.first* #h(1fr) #one.when \\
    #emph(one.second)
    #if one.bullets.len() > 0 { bullets(one) }
    #parbreak()
  ]
}
#section(it.headings.skills)
#it.skills.join(", ")
"""
)
# Two columns of a grid: contacts, skills and education at the left.
COLUMNS: Final = (
    _HEAD
    + """#grid(columns: (5.2cm, 1fr), column-gutter: 0.9cm,
  [#text(size: 18pt, weight: "bold", it.name) #v(4pt)
   #for c in it.contacts [#text(size: 9pt, c) \\ ]
   #section(it.headings.skills)
   #for s in it.skills [#text(s) \\ ]
   #section(it.headings.education)
   #for e in it.education [*#e.first* \\ #e.second \\ #e.when #v(4pt)]
  ],
  [#for kind in ("work", "projects") { section(it.headings.at(kind)); for one in it.at(kind) [*#one.first* | #one.second \\ #one.when #bullets(one)] }])
"""
)
# Entries in ruled table rows, the date in the first cell.
TABLE: Final = (
    _HEAD
    + """#text(size: 20pt, weight: "bold", it.name) \\
#it.contacts.join("  |  ")
#for kind in ("work", "projects", "education") {
  section(it.headings.at(kind))
  table(columns: (3.6cm, 1fr), stroke: 0.4pt, ..it.at(kind).map(one => (one.when, [*#one.first*, #one.second #if one.bullets.len() > 0 { bullets(one) }])).flatten())
}
#section(it.headings.skills)
#it.skills.join(" | ")
"""
)
_FONTS: Final = Path(next(iter(manimgx_fonts_cjk.__path__)))
TEMPLATES: Final = {"set_right.pdf": RIGHT, "set_columns.pdf": COLUMNS, "set_table.pdf": TABLE}
PRINTED: Final[Mapping[str, Callable[[Person], bytes]]] = {
    "office_plain.pdf": docx_plain,
    "office_table.pdf": docx_table,
}


def typeset(person: Person, folder: Path) -> Iterator[Path]:
    """All layouts of one person as files in `folder`."""
    for name, template in TEMPLATES.items():
        path = folder / f"{person['id']}_{name}"
        path.write_bytes(_set(person, template, folder))
        yield path
    office = shutil.which("soffice")
    if office is None:
        return
    for name, make in PRINTED.items():
        path = folder / f"{person['id']}_{name}"
        path.write_bytes(_printed(office, make(person)))
        yield path


def _set(person: Person, template: str, folder: Path) -> bytes:
    source = folder / "page.typ"
    source.write_text(template, encoding="utf-8")
    return typst.compile(
        source,
        font_paths=[_FONTS],
        ignore_system_fonts=True,
        sys_inputs={"person": json.dumps(_laid(person), ensure_ascii=False)},
    )


def _laid(person: Person) -> Mapping[str, Any]:
    lang = person["lang"]

    def entry(one: Mapping[str, Any], first: str, second: str) -> Mapping[str, Any]:
        told = {"first": one[first], "second": second, "when": dates(one, lang, 0)}
        return {**told, "bullets": one.get("bullets", [])}

    return {
        "lang": lang,
        "name": person["name"],
        "headings": HEADINGS[lang],
        "contacts": [person["email"], person["phone"], person["city"], *person["urls"]],
        "skills": person["skills"],
        "work": [entry(w, "employer", w["title"]) for w in person["work"]],
        "projects": [entry(p, "name", p["role"]) for p in person["projects"]],
        "education": [
            entry(e, "school", f"{e['degree']}, {e['major']}") for e in person["education"]
        ],
    }


def _printed(office: str, document: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.docx").write_bytes(document)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = [office, profile, "--headless", "--convert-to", "pdf", "--outdir", name]
        subprocess.run(  # noqa: S603 - our own document, the office found on the path
            [*command, str(folder / "a.docx")], check=True, capture_output=True, timeout=120
        )
        return (folder / "a.pdf").read_bytes()
