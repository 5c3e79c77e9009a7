"""Renders invented persons in several layouts, to measure the résumé reader on known truth.

PDFs are printed by Chromium; DOCX is written by python-docx. Nothing here is part of the service.
"""

# ruff: noqa: E501 - a template is read in one piece

import html
import io
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt

from service.domain.resume_reading.dates import MONTHS

Person = Mapping[str, Any]

HEADINGS: Final = {
    "zh": {
        "work": "工作经历",
        "projects": "项目经历",
        "education": "教育背景",
        "skills": "专业技能",
        "contact": "联系方式",
    },
    "en": {
        "work": "Work Experience",
        "projects": "Projects",
        "education": "Education",
        "skills": "Technical Skills",
        "contact": "Contact",
    },
}
CHROMIUM: Final = "chromium"


def date(value: str, lang: str, style: int) -> str:
    """A truth date in one of the ways people write it."""
    if value == "present":
        return "至今" if lang == "zh" else "Present"
    year, _, month = value.partition("-")
    if lang == "zh":
        return (f"{year}.{month}", f"{year}年{int(month)}月", f"{year}/{month}")[style % 3]
    return (f"{MONTHS[int(month) - 1].title()} {year}", f"{month}/{year}", f"{year}-{month}")[
        style % 3
    ]


def dates(entry: Mapping[str, Any], lang: str, style: int) -> str:
    dash = (" - ", " – ", "–")[style % 3]
    return f"{date(entry['start'], lang, style)}{dash}{date(entry['end'], lang, style)}"


def _contacts(person: Person) -> list[str]:
    return [person["email"], person["phone"], person["city"], *person["urls"]]


_DEGREES: Final = {"Master": "M.S.", "Bachelor": "B.Sc.", "PhD": "Ph.D."}


def markdown(person: Person) -> bytes:
    lang, words = person["lang"], HEADINGS[person["lang"]]
    out = [f"# {person['name']}", person["headline"], " | ".join(_contacts(person)), ""]
    out += [f"## {words['work']}"]
    for w in person["work"]:
        out += [f"### {w['title']} @ {w['employer']}", f"*{dates(w, lang, 0)}*", ""]
        out += [f"- {b}" for b in w["bullets"]] + [""]
    out += [f"## {words['projects']}"]
    for p in person["projects"]:
        out += [f"**{p['name']}** | {p['role']} | {dates(p, lang, 0)}"] + [
            f"- {b}" for b in p["bullets"]
        ]
    out += ["", f"## {words['education']}"]
    out += [
        f"- {e['school']}，{e['major']}，{e['degree']}，{dates(e, lang, 0)}"
        if lang == "zh"
        else f"- {e['degree']} in {e['major']}, {e['school']} ({dates(e, lang, 0)})"
        for e in person["education"]
    ]
    out += ["", f"## {words['skills']}", ("、" if lang == "zh" else ", ").join(person["skills"])]
    return "\n".join(out).encode()


def plain(person: Person) -> bytes:
    """Pasted text; Chinese in GB18030."""
    lang, words = person["lang"], HEADINGS[person["lang"]]
    label = {"zh": ("姓名", "邮箱", "电话", "现居"), "en": ("Name", "Email", "Phone", "Location")}[
        lang
    ]
    values = (person["name"], person["email"], person["phone"], person["city"])
    out = [f"{k}: {v}" for k, v in zip(label, values, strict=True)] + list(person["urls"]) + [""]
    out += [words["education"]]
    out += [
        f"{dates(e, lang, 2)}  {e['school']}  {e['major']}  {e['degree']}"
        for e in person["education"]
    ]
    out += ["", words["work"]]
    for w in person["work"]:
        out += [f"{w['employer']}  {w['title']}  {dates(w, lang, 1)}"] + [
            f"{i}. {b}" for i, b in enumerate(w["bullets"], 1)
        ]
    out += ["", words["projects"]]
    for p in person["projects"]:
        out += [
            f"{p['name']}（{p['role']}） {dates(p, lang, 1)}"
            if lang == "zh"
            else f"{p['name']} ({p['role']}), {dates(p, lang, 1)}"
        ]
        out += [f"* {b}" for b in p["bullets"]]
    out += ["", words["skills"]]
    out += [
        f"熟练掌握 {'、'.join(person['skills'])}"
        if lang == "zh"
        else f"Proficient in: {', '.join(person['skills'])}"
    ]
    return "\n".join(out).encode("gb18030" if lang == "zh" else "utf-8")


def _saved(document: Any) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def docx_plain(person: Person) -> bytes:
    lang, words = person["lang"], HEADINGS[person["lang"]]
    doc: Any = Document()
    doc.add_heading(person["name"], 0)
    doc.add_paragraph(" · ".join(_contacts(person)))
    doc.add_heading(words["education"], 1)
    for e in person["education"]:
        doc.add_paragraph(f"{e['school']}\t{e['degree']}\t{e['major']}\t{dates(e, lang, 0)}")
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        doc.add_heading(words[kind], 1)
        for entry in person[kind]:
            line = doc.add_paragraph()
            line.add_run(entry[first]).bold = True
            line.add_run(f"\t{entry[second]}\t{dates(entry, lang, 0)}")
            for b in entry["bullets"]:
                doc.add_paragraph(b, style="List Bullet")
    doc.add_heading(words["skills"], 1)
    doc.add_paragraph(" / ".join(person["skills"]))
    return _saved(doc)


def docx_table(person: Person) -> bytes:
    """A form: everything in one table, section names in merged rows."""
    lang, words = person["lang"], HEADINGS[person["lang"]]
    doc: Any = Document()
    table: Any = doc.add_table(rows=0, cols=2)

    def wide(text: str) -> Any:
        cells = table.add_row().cells
        merged = cells[0].merge(cells[1])
        merged.text = text
        return merged

    wide(person["name"])
    for left, right in (
        (("邮箱：", person["email"]), ("电话：", person["phone"]), ("现居：", person["city"]))
        if lang == "zh"
        else (
            ("Email:", person["email"]),
            ("Phone:", person["phone"]),
            ("Location:", person["city"]),
        )
    ):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = left, right
    for url in person["urls"]:
        wide(url)
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        wide(words[kind])
        for entry in person[kind]:
            cells = table.add_row().cells
            cells[0].text, cells[1].text = (
                f"{entry[first]} | {entry[second]}",
                dates(entry, lang, 1),
            )
            cell = wide("")
            for b in entry["bullets"]:
                cell.add_paragraph(b, style="List Bullet")
    wide(words["education"])
    for e in person["education"]:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = (
            f"{e['school']}，{e['major']}（{e['degree']}）"
            if lang == "zh"
            else f"{e['school']}, {e['degree']} in {e['major']}",
            dates(e, lang, 1),
        )
    wide(words["skills"])
    wide(", ".join(person["skills"]))
    return _saved(doc)


_BOX: Final = (
    '<w:r {ns} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml">'
    '<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>{body}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>'
    "<mc:Fallback><w:pict><v:textbox><w:txbxContent>{body}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


def docx_boxes(person: Person) -> bytes:
    """A designed template: every section is a text box, stored twice as Word does."""
    lang, words = person["lang"], HEADINGS[person["lang"]]
    doc: Any = Document()
    doc.sections[0].header.paragraphs[0].text = person["name"]

    def box(lines: Sequence[str]) -> None:
        body = "".join(
            f'<w:p><w:r><w:t xml:space="preserve">{html.escape(t)}</w:t></w:r></w:p>' for t in lines
        )
        doc.add_paragraph()._p.append(  # noqa: SLF001 - python-docx has no text boxes
            parse_xml(_BOX.format(ns=nsdecls("w"), body=body))
        )

    box(_contacts(person))
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        lines = [words[kind]]
        for entry in person[kind]:
            lines += [f"{dates(entry, lang, 2)}  {entry[first]}  {entry[second]}"] + [
                f"• {b}" for b in entry["bullets"]
            ]
        box(lines)
    box(
        [
            words["education"],
            *(
                f"{dates(e, lang, 2)}  {e['school']}  {e['degree']}  {e['major']}"
                for e in person["education"]
            ),
        ]
    )
    box([words["skills"], *person["skills"]])
    for style in doc.styles:
        if style.type == 1 and style.font.size is None:
            style.font.size = Pt(10)
    return _saved(doc)


_BASE: Final = "@page{size:A4;margin:14mm}*{box-sizing:border-box}body{font:10.5pt/1.45 'Noto Serif CJK SC','DejaVu Serif',serif;margin:0}h1{margin:0;font-size:22pt}h2{font-size:13pt;margin:10pt 0 4pt}ul{margin:2pt 0 6pt;padding-left:16pt}p{margin:2pt 0}"


def _page(css: str, body: str) -> str:
    return f"<!doctype html><meta charset=utf-8><style>{_BASE}{css}</style><body>{body}"


def _items(entry: Mapping[str, Any]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(b)}</li>" for b in entry["bullets"]) + "</ul>"


def html_right_dates(person: Person) -> str:
    lang, words = person["lang"], HEADINGS[person["lang"]]
    css = ".r{display:flex;justify-content:space-between}h2{border-bottom:1px solid #444}.c{color:#555}"
    body = f"<h1>{person['name']}</h1><p>{person['headline']}</p><p class=c>{' &nbsp;|&nbsp; '.join(map(html.escape, _contacts(person)))}</p>"
    body += f"<h2>{words['education']}</h2>"
    for e in person["education"]:
        body += f"<div class=r><b>{e['school']}</b><span>{dates(e, lang, 0)}</span></div><div>{e['major']}, {_DEGREES.get(e['degree'], e['degree'])}</div>"
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        body += f"<h2>{words[kind]}</h2>"
        for entry in person[kind]:
            body += f"<div class=r><b>{html.escape(entry[first])}</b><span>{dates(entry, lang, 0)}</span></div><i>{entry[second]}</i>{_items(entry)}"
    return _page(
        css,
        body + f"<h2>{words['skills']}</h2><p>{', '.join(map(html.escape, person['skills']))}</p>",
    )


def html_sidebar(person: Person) -> str:
    """A dark sidebar with contacts and skills, white on colour; text of the entries at the right."""
    lang, words = person["lang"], HEADINGS[person["lang"]]
    css = "@page{margin:0}body{display:flex;min-height:297mm}aside{width:62mm;background:#243b53;color:#fff;padding:12mm 6mm}main{flex:1;padding:12mm 10mm}.t{font-weight:700}"
    side = f"<h1>{person['name']}</h1><h2>{words['contact']}</h2>" + "".join(
        f"<p>{html.escape(c)}</p>" for c in _contacts(person)
    )
    side += f"<h2>{words['skills']}</h2>" + "".join(
        f"<p>{html.escape(s)}</p>" for s in person["skills"]
    )
    side += f"<h2>{words['education']}</h2>" + "".join(
        f"<p class=t>{e['school']}</p><p>{e['degree']}, {e['major']}</p><p>{dates(e, lang, 0)}</p>"
        for e in person["education"]
    )
    body = ""
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        body += f"<h2>{words[kind]}</h2>"
        for entry in person[kind]:
            body += f"<p class=t>{html.escape(entry[first])} · {entry[second]}</p><p>{dates(entry, lang, 0)}</p>{_items(entry)}"
    return _page(css, f"<aside>{side}</aside><main>{body}</main>")


def html_left_dates(person: Person) -> str:
    lang, words = person["lang"], HEADINGS[person["lang"]]
    css = (
        ".g{display:grid;grid-template-columns:34mm 1fr;gap:0 5mm}.g>span{color:#666}h2{color:#0b5}"
    )
    body = f"<h1>{person['name']}</h1><p>{' · '.join(map(html.escape, _contacts(person)))}</p>"
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        body += f"<h2>{words[kind]}</h2>"
        for entry in person[kind]:
            body += f"<div class=g><span>{dates(entry, lang, 2)}</span><div><b>{entry[second]}, {html.escape(entry[first])}</b>{_items(entry)}</div></div>"
    body += f"<h2>{words['education']}</h2>"
    for e in person["education"]:
        body += f"<div class=g><span>{dates(e, lang, 2)}</span><div><b>{e['school']}</b>, {e['degree']}, {e['major']}</div></div>"
    return _page(
        css,
        body + f"<h2>{words['skills']}</h2><p>{' | '.join(map(html.escape, person['skills']))}</p>",
    )


def html_spaced(person: Person) -> str:
    """Letter-spaced headings, tight type, running title on each page, dashes for list marks."""
    lang, words = person["lang"], HEADINGS[person["lang"]]
    css = "h2{letter-spacing:.35em;text-transform:uppercase;font-size:11pt}body{font-size:12.5pt}header{display:flex;justify-content:space-between}ul{list-style:'– '}"
    body = (
        f"<header><h1>{person['name']}</h1><div>"
        + "<br>".join(map(html.escape, _contacts(person)))
        + "</div></header>"
    )
    body += f"<h2>{words['skills']}</h2><p>{', '.join(map(html.escape, person['skills']))}</p>"
    for kind, first, second in (("work", "employer", "title"), ("projects", "name", "role")):
        body += f"<h2>{words[kind]}</h2>"
        for entry in person[kind]:
            body += f"<p><b>{html.escape(entry[first])}</b> — {entry[second]} ({dates(entry, lang, 1)})</p>{_items(entry)}"
    body += f"<h2>{words['education']}</h2>"
    for e in person["education"]:
        body += f"<p>{e['school']} — {e['degree']}, {e['major']} ({dates(e, lang, 1)})</p>"
    return _page(css, body)


def print_pdf(page: str, folder: Path, name: str) -> bytes:
    source, target = folder / f"{name}.html", folder / f"{name}.pdf"
    source.write_text(page, encoding="utf-8")
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={target}",
        source.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603 - our own page, our own browser
    return target.read_bytes()


BYTES: Final[Mapping[str, Callable[[Person], bytes]]] = {
    "markdown.md": markdown,
    "plain.txt": plain,
    "plain.docx": docx_plain,
    "table.docx": docx_table,
    "boxes.docx": docx_boxes,
}
PAGES: Final[Mapping[str, Callable[[Person], str]]] = {
    "right_dates.pdf": html_right_dates,
    "sidebar.pdf": html_sidebar,
    "left_dates.pdf": html_left_dates,
    "spaced.pdf": html_spaced,
}


def render(person: Person, folder: Path) -> Iterator[Path]:
    """All layouts of one person as files in `folder`; a file already there is kept."""
    for name, make in BYTES.items():
        path = folder / f"{person['id']}_{name}"
        if not path.exists():
            path.write_bytes(make(person))
        yield path
    for name, compose in PAGES.items():
        path = folder / f"{person['id']}_{name}"
        if not path.exists():
            path.write_bytes(print_pdf(compose(person), folder, path.stem))
        yield path
