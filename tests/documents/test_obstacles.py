"""What applicant systems stumble over is found, with its place."""

# ruff: noqa: E501 - a file is drawn in one piece

import pytest

from service.documents.docx.read import read_docx
from service.documents.export.write import EXTENSION, ExportForm, export_resume
from service.documents.pdf.read import read_pdf
from service.documents.reader import ResumeReader
from service.domain.ats import FINDINGS
from service.domain.resume import Obstacle
from tests.documents.making import docx, paragraph, pdf, show
from tests.documents.test_export import ODD
from tests.documents.test_layouts import BOX, column


def kinds(obstacles: tuple[Obstacle, ...]) -> set[str]:
    return {o.kind for o in obstacles}


def test_columns_are_told_with_their_page_and_box():
    left = ["Contact", "ann@example.com", "Skills", "CUDA", "NCCL", "Slurm"]
    right = ["Experience", "Kelp Labs, Engineer", "Jan 2020 - Present", "Sharded it", "Wrote it"]
    page = show("Ann Bell", 40, 780, size=22) + column(40, 700, left) + column(240, 700, right)
    found = [o for o in read_pdf(pdf([page])).obstacles if o.kind == "columns"]
    assert [o.page for o in found] == [1]
    box = found[0].box
    assert box is not None
    assert box[0] < 45
    assert box[2] > 240


def test_a_table_a_running_title_and_hidden_text_are_told():
    rows = "".join(
        show(cell, x, 600 - 20 * i)
        for i in range(2)
        for x, cell in ((40, "Kelp"), (200, "Engineer"), (400, "Leeds"))
    )
    pages = [
        show("Ann Bell, private", 40, 820)
        + show(f"Text of page {n}", 40, 700)
        + rows
        + f"q {show('hire me', 40, 300, before='3 Tr')} Q "
        + show(f"Page {n}", 280, 20)
        for n in (1, 2)
    ]
    sheet = read_pdf(pdf(pages))
    found = sheet.obstacles
    assert {"table", "running_title", "hidden_text"} <= kinds(found)
    assert {o.page for o in found if o.kind == "running_title"} == {1, 2}
    assert [o.quote for o in found if o.kind == "hidden_text"] == ["hire me"] * 2
    assert sheet.notices[0].detail == "hire me hire me"


def test_pictures_are_told_unless_they_are_ornaments():
    image = b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>\nstream\n\x80\nendstream"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>/XObject<</I 20 0 R>>>>/Contents 11 0 R>>"
    drawn = "q 80 0 0 90 400 700 cm /I Do Q q 8 0 0 8 40 700 cm /I Do Q "
    data = pdf([show("Ann Bell", 40, 600) + drawn], objects={20: image, 10: page})
    found = [o for o in read_pdf(data).obstacles if o.kind == "image"]
    assert [(o.page, o.box) for o in found] == [(1, (400.0, 700.0, 480.0, 790.0))]


def test_tables_boxes_and_hidden_text_of_a_docx_are_told():
    cell = f"<w:tc>{paragraph('Kelp Labs')}</w:tc>"
    body = (
        paragraph("Ann Bell")
        + f"<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>"
        + BOX.format(paragraph("inside"))
        + paragraph("hire me", "<w:vanish/>")
    )
    found = {o.kind: o.quote for o in read_docx(docx(body)).obstacles}
    assert found == {"table": "Kelp Labs Kelp Labs", "text_box": "inside", "hidden_text": "hire me"}


async def test_own_headings_and_lacking_dates_are_told(reader: ResumeReader):
    lines = (
        ("Ann Bell", 22),
        ("Experience", 16),
        ("Kelp Labs | Engineer", 11),
        ("- Sharded the optimizer", 11),
        ("Things I love", 16),
        ("Tea and long walks by the sea", 11),
        ("Skills", 16),
        ("CUDA, NCCL", 11),
    )
    page = "".join(show(t, 40, 780 - 30 * i, size=s) for i, (t, s) in enumerate(lines))
    resume = (await reader.read(pdf([page]), "a.pdf")).resume
    assert resume is not None
    told = {o.kind: (o.quote, o.page) for o in resume.obstacles}
    assert told["odd_heading"] == ("Things I love", 1)
    assert told["odd_dates"] == ("Kelp Labs | Engineer", 1)


@pytest.mark.parametrize("form", [ExportForm.PDF, ExportForm.DOCX])
async def test_our_own_exports_have_no_obstacle(reader: ResumeReader, form: ExportForm):
    data = export_resume(ODD, form)
    resume = (await reader.read(data, f"a.{EXTENSION[form]}")).resume
    assert resume is not None
    assert resume.obstacles == ()


def test_every_kind_has_its_words():
    assert len(FINDINGS) >= 11
    assert all(str(f.what) and str(f.remedy) for f in FINDINGS.values())
