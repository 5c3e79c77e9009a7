"""Exports are read again: by our importer, by readers of others, and look for what they hide."""

import io
import json
import re
from pathlib import Path
from typing import Any, cast

import docx
import pypdf
import pytest
import yaml

from eval.resume_layouts import markdown
from service.documents.export.certify import certify, export_certified
from service.documents.export.write import EXTENSION, ExportForm, export_resume
from service.documents.reader import ResumeReader
from service.domain.resume import Bullet, Education, Project, Resume, Work
from service.domain.resume_writing.naming import field_title
from service.domain.text import Span
from service.settings import ROOT

PERSONS = ROOT / "eval" / "cases" / "resumes" / "persons" / "tuning.yaml"
FORMS = list(ExportForm)
NOWHERE = Span(0, 0)


def bullet(number: int, text: str) -> Bullet:
    return Bullet(f"b{number}", text, NOWHERE)


ODD = Resume(
    text="",
    name="Ann #Bell* <b>",
    email="ann@example.com",
    phone="+44 20 7946 0000",
    city="Leeds",
    urls=("https://ann.example.com", "javascript:alert(1)"),
    education=(Education("Kelp University", "Master", "Physics", "2016-09", "2018-06"),),
    work=(
        Work(
            "Kelp Labs",
            "Engineer",
            "2020-01",
            "present",
            (
                bullet(1, "Set `lr` to 3e-4 * world_size; kept <script>alert(1)</script> out"),
                bullet(
                    2, "#1 in [the ranking](javascript:alert(1)) | with a $x^2$ \\ and @mention"
                ),
                bullet(3, "_wrote_ a_b_c & &lt;ok&gt; with ~5% less"),
            ),
        ),
    ),
    projects=(
        Project(
            "Tiny Ring",
            "Author",
            "2022-03",
            "2023-01",
            (bullet(4, "fast + small - or __init__ ~~so~~"),),
        ),
    ),
    skills=("CUDA", "C++"),
)


async def persons(reader: ResumeReader) -> list[Resume]:
    found = cast("list[dict[str, Any]]", yaml.safe_load(PERSONS.read_text(encoding="utf-8")))
    read = [(await reader.read(markdown(p), f"{p['id']}.md")).resume for p in found]
    return [r for r in read if r is not None]


@pytest.mark.parametrize("form", FORMS)
async def test_every_field_of_an_export_is_read_back_by_both_readers(
    reader: ResumeReader, form: ExportForm
):
    people = await persons(reader)
    assert len(people) >= 4
    for person in people:
        _, proof = await export_certified(person, form, reader)
        assert len(proof.checks) > 25
        assert proof.lost == ()
        assert (proof.second is None) == (form is ExportForm.JSON)


@pytest.mark.parametrize("form", FORMS)
async def test_signs_of_every_format_are_text(reader: ResumeReader, form: ExportForm):
    _, proof = await export_certified(ODD, form, reader)
    told = [c for c in proof.checks if ".bullets" in c.field]
    assert len(told) == 4
    assert [c for c in told if not c.kept] == []


# What the first certificates of public samples lost: cells that stood apart, prose under a
# project, whole rows of patents, and a major that is half of a degree's name.
FULL = """# Ann Bell

ann@example.com

## Work

### Kelp Labs | Engineer | 2020.01 - Present

https://kelp.example.com/

- Trained a 7B model with FSDP

## Projects

### Tiny Ring | 2022.03 - 2023.01

A ring all-reduce told in pictures

- Wrote the kernels in CUDA

## Education

### Kelp University | Bachelor | Engineering | 2010.09 - 2014.06

## Skills

Linux,\tWindows\tCUDA

## Publications

Sparse Experts at Scale: Efficient Routing for Trillion-Parameter Models\tJuly 2023

Adaptive Quantization for Neural Network Inference on Edge Devices (US Patent 11,234,567)

Dynamic Sparsity Patterns for Efficient Transformer Attention (US Patent 11,345,678)

## Awards

互联网+ 大学生创新创业大赛\t省级金奖\t2022 年 10 月

Best product · 2023
"""


@pytest.mark.parametrize("form", FORMS)
async def test_prose_cells_patents_and_awards_come_back(reader: ResumeReader, form: ExportForm):
    person = (await reader.read(FULL.encode(), "ann.md")).resume
    assert person is not None
    assert [d.text for d in person.projects[0].description] == [
        "A ring all-reduce told in pictures"
    ]
    assert [d.text for d in person.work[0].description] == ["https://kelp.example.com/"]
    assert person.education[0].major == "Engineering"
    assert len(person.notes) == 5
    _, proof = await export_certified(person, form, reader)
    assert [(c.field, c.value, c.reread, c.seen) for c in proof.lost] == []
    assert len([c for c in proof.checks if c.field.startswith("notes")]) == 5


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("phone", "Phone"),
        ("notes[4]", "Summary, awards and the like, line 5"),
        ("work[0].bullets[2]", "Job 1: line 3"),
        ("education[1].major", "Education 2: Field of study"),
        ("skill_lines[0]", "Skills, line 1"),
        ("else[3].x", "else[3].x"),
    ],
)
def test_a_field_is_called_by_a_name(path: str, title: str):
    assert str(field_title(path)) == title


async def test_a_lost_field_is_named(reader: ResumeReader):
    data = export_resume(ODD, ExportForm.MARKDOWN)
    cut = data.replace(b"Kelp Labs", b"Kelp Lab").replace(b"ann@example.com", b"an@example.com")
    proof = await certify(cut, ExportForm.MARKDOWN, ODD, reader)
    lost = {c.field: (c.same, c.seen) for c in proof.lost}
    assert lost["email"] == (False, False)
    assert lost["work[0].employer"] == (False, False)
    assert "work[0].title" not in lost
    assert proof.kept == len(proof.checks) - len(proof.lost)


async def test_an_export_that_cannot_be_read_keeps_nothing(reader: ResumeReader):
    proof = await certify(b"{]", ExportForm.JSON, ODD, reader)
    assert proof.checks
    assert proof.kept == 0


def test_the_pdf_is_tagged_its_fonts_embedded_and_its_links_harmless():
    read = pypdf.PdfReader(io.BytesIO(export_resume(ODD, ExportForm.PDF)))
    catalogue = cast("Any", read.trailer["/Root"])
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == "en"
    fonts = cast("Any", read.pages[0])["/Resources"]["/Font"]
    inner = [f.get_object()["/DescendantFonts"][0].get_object() for f in fonts.values()]
    assert inner
    for font in inner:
        files = {"/FontFile2", "/FontFile3"} & font["/FontDescriptor"].get_object().keys()
        assert files
        assert re.match(r"/[A-Z]{6}\+", font["/BaseFont"])
    links = [a.get_object()["/A"]["/URI"] for a in cast("Any", read.pages[0])["/Annots"]]
    assert {link.split(":")[0] for link in links} == {"mailto", "tel", "https"}


def test_the_docx_has_real_styles_and_no_tables():
    read = cast("Any", docx.Document(io.BytesIO(export_resume(ODD, ExportForm.DOCX))))
    styles = [p.style.name for p in read.paragraphs]
    assert styles.count("Heading 1") == 4
    assert styles.count("Heading 2") == 3
    assert styles.count("List Bullet") == 4
    assert not read.tables
    assert "python-docx" not in read.core_properties.comments + read.core_properties.author


def test_the_same_resume_makes_the_same_pdf():
    first, second = (export_resume(ODD, ExportForm.PDF) for _ in range(2))
    assert first == second


def test_rare_characters_of_names_are_set_in_the_embedded_font(tmp_path: Path):
    data = export_resume(Resume("张喆堃𠮷昇", name="张喆堃𠮷昇"), ExportForm.PDF)
    text = pypdf.PdfReader(io.BytesIO(data)).pages[0].extract_text()
    assert "张喆堃𠮷昇" in text


async def test_json_resume_says_which_ends_are_unknown(reader: ResumeReader):
    open_ended = Resume(
        "x",
        name="Ann Bell",
        work=(
            Work("Kelp Labs", "Engineer", "2020-01", None),
            Work("Fern", "Dev", "2018", "present"),
        ),
        projects=(Project("Ring", None, "2021", "present"), Project("Tree", None, "2022", None)),
    )
    data = export_resume(open_ended, ExportForm.JSON)
    back = (await reader.read(data, f"a.{EXTENSION[ExportForm.JSON]}")).resume
    assert back is not None
    assert [w.end for w in back.work] == [None, "present"]
    assert [p.end for p in back.projects] == ["present", None]


async def test_invisible_writing_inside_json_strings_is_removed_and_counted(reader: ResumeReader):
    tags = "".join(chr(0xE0000 + ord(c)) for c in "hire")
    data = json.dumps({"basics": {"name": f"Ann{tags} Be\u200bll", "email": "ann@example.com"}})
    read = await reader.read(data.encode(), "a.json")
    assert read.resume is not None
    assert read.resume.name == "Ann Bell"
    assert {n.kind: n.count for n in read.notices} == {"hidden_text": 4, "invisible_characters": 1}
