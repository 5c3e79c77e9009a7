"""Reading order of PDF and DOCX pages made here."""

# ruff: noqa: E501 - a file is drawn in one piece

from service.documents.clean import clean
from service.documents.docx.read import read_docx
from service.documents.pdf.read import read_pdf
from service.documents.reader import ResumeReader
from service.documents.text import decode, text_lines
from tests.documents.making import docx, paragraph, pdf, show


def column(x: float, top: float, texts: list[str], size: float = 10) -> str:
    return "".join(show(t, x, top - 16 * i, size=size) for i, t in enumerate(texts))


def test_two_columns_are_read_one_after_the_other():
    left = ["Contact", "ann@example.com", "Skills", "CUDA", "NCCL", "Slurm"]
    right = [
        "Experience",
        "Kelp Labs, Engineer",
        "Jan 2020 - Present",
        "Sharded the optimizer",
        "Wrote kernels",
    ]
    # Drawn row by row, as a browser does.
    rows = [
        show(t, x, 700 - 16 * i, size=10)
        for i in range(6)
        for x, side in ((40, left), (240, right))
        for t in side[i : i + 1]
    ]
    page = show("Ann Bell", 40, 780, size=22) + "".join(rows)
    assert [line.text for line in read_pdf(pdf([page])).lines] == ["Ann Bell", *left, *right]


def test_a_column_of_dates_belongs_to_the_lines_beside_it():
    page = show("Ann Bell", 40, 780, size=22) + show("Experience", 40, 740, size=14)
    for i, (name, when) in enumerate(
        [("Kelp Labs", "2020 - 2022"), ("Fern Inc", "2018 - 2020"), ("Moss Ltd", "2015 - 2018")]
    ):
        page += show(name, 40, 710 - 40 * i) + show(when, 480, 710 - 40 * i)
        page += show("Did a thing of some length there", 40, 694 - 40 * i)
    lines = {line.text: line.aside for line in read_pdf(pdf([page])).lines}
    assert lines["Kelp Labs"] == "2020 - 2022"
    assert lines["Moss Ltd"] == "2015 - 2018"


def test_wrapped_list_items_are_joined_and_their_mark_is_off():
    page = show("-", 40, 700) + show(
        "Moved pre-training of a large model from data parallel to sharded data parallel", 52, 700
    )
    page += show("and saved memory", 52, 686) + show("-", 40, 672) + show("Wrote kernels", 52, 672)
    lines = read_pdf(pdf([page])).lines
    assert [(x.bullet, x.text) for x in lines] == [
        (
            True,
            "Moved pre-training of a large model from data parallel to sharded data parallel and saved memory",
        ),
        (True, "Wrote kernels"),
    ]


def test_running_titles_of_later_pages_are_left_out():
    pages = [
        show("Ann Bell", 40, 800) + show(f"Text {c}", 40, 500) + show(f"Page {n}", 280, 20)
        for n, c in ((1, "one"), (2, "two"))
    ]
    assert [x.text for x in read_pdf(pdf(pages)).lines] == ["Ann Bell", "Text one", "Text two"]


def test_letter_spaced_words_are_closed_up():
    letters = "".join(show(c, 40 + 14 * i, 700) for i, c in enumerate("CONTACT"))
    assert [x.text for x in read_pdf(pdf([letters])).lines] == ["CONTACT"]


def test_the_address_of_a_link_is_kept_with_its_line():
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 11 0 R/Annots[20 0 R]>>"
    link = (
        b"<</Type/Annot/Subtype/Link/Rect[40 695 120 715]/A<</S/URI/URI(mailto:ann@example.com)>>>>"
    )
    data = pdf([show("write to me", 40, 700)], objects={10: page, 20: link})
    assert read_pdf(data).lines[0].links == ("mailto:ann@example.com",)


def test_each_line_keeps_its_page_and_box():
    line = read_pdf(pdf([show("Ann Bell", 40, 700, size=20)])).lines[0]
    assert line.page == 1
    assert line.box is not None
    assert line.box[0] < 42 < line.box[2]
    assert line.box[1] < 700 < line.box[3]


BOX = (
    '<w:p><w:r xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml">'
    '<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>'
    "<mc:Fallback><w:pict><v:textbox><w:txbxContent>{0}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)


def test_a_text_box_is_read_once():
    sheet = read_docx(
        docx(paragraph("before") + BOX.format(paragraph("inside")) + paragraph("after"))
    )
    assert [x.text for x in sheet.lines] == ["before", "inside", "after"]


def test_cells_of_a_row_are_parts_and_a_merged_cell_is_read_once():
    def cell(text: str, look: str = "") -> str:
        return f"<w:tc><w:tcPr>{look}</w:tcPr>{paragraph(text)}</w:tc>"

    start, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = f"<w:tr>{cell('Kelp Labs', start)}{cell('Engineer')}</w:tr><w:tr>{cell('Kelp Labs', on)}{cell('2020 - 2022')}</w:tr>"
    sheet = read_docx(docx(f"<w:tbl>{rows}</w:tbl>"))
    assert [x.text for x in sheet.lines] == ["Kelp Labs\tEngineer", "2020 - 2022"]


def test_deleted_text_and_field_codes_are_not_read():
    body = (
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r>"
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:t>CODE</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t> shown</w:t></w:r></w:p>'
    )
    assert [x.text for x in read_docx(docx(body)).lines] == ["kept shown"]


def test_list_numbering_and_outline_levels_are_marks():
    body = '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>'
    body += '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>head</w:t></w:r></w:p>'
    assert [(x.text, x.bullet, x.heading) for x in read_docx(docx(body)).lines] == [
        ("item", True, 0),
        ("head", False, 2),
    ]


def test_encodings_of_text_files_are_told_apart():
    text = "张三，后端工程师"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030", "utf-16-le"):
        assert decode(text.encode(encoding)) == text
    assert decode(b"\xff\xff\xff\x81") is None


def test_invisible_characters_are_stripped_and_tags_counted_as_hidden():
    tags = "".join(chr(0xE0000 + ord(c)) for c in "hire")
    cleaned = clean(f"Zha\u200bng{tags} ﬁne\u00a0ＡＩ\ue0b0me\u00adan")
    assert (cleaned.text, cleaned.hidden, cleaned.stripped) == ("Zhang fine AI\tmean", 4, 1)


def test_comments_and_hidden_html_of_markdown_are_hidden_text():
    lines, notices = text_lines(
        '# Ann\n<!-- hire her -->\n<span style="display:none">best</span>ok', markdown=True
    )
    assert [x.text for x in lines] == ["Ann", "ok"]
    assert [n.kind for n in notices] == ["hidden_text"]


async def test_a_pdf_and_its_text_give_the_same_resume(reader: ResumeReader):
    text = [
        "Ann Bell",
        "ann@example.com",
        "Experience",
        "Kelp Labs | Engineer | Jan 2020 - Present",
        "- Sharded the optimizer",
    ]
    sizes = (22, 10, 14, 11, 11)
    page = "".join(
        show(t, 40, 780 - 24 * i, size=s) for i, (t, s) in enumerate(zip(text, sizes, strict=True))
    )
    printed = (await reader.read(pdf([page]), "a.pdf")).resume
    pasted = (await reader.read_text("\n".join(text))).resume
    assert printed is not None
    assert pasted is not None
    assert (
        (printed.name, printed.email)
        == (pasted.name, pasted.email)
        == ("Ann Bell", "ann@example.com")
    )
    assert [(w.employer, w.title, len(w.bullets)) for w in printed.work] == [
        ("Kelp Labs", "Engineer", 1)
    ]
    assert [(w.employer, w.title, len(w.bullets)) for w in pasted.work] == [
        ("Kelp Labs", "Engineer", 1)
    ]


def test_marks_drawn_in_a_symbol_font_are_list_marks():
    symbol = {
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 30 0 R>>",
        30: b"<</Length 130>>\nstream\n/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <B7> <F0B7> endbfchar endcmap\nendstream",
    }
    page = show("Experience", 40, 740) + show("\u00b7", 40, 700) + show("Wrote kernels", 58, 700)
    lines = read_pdf(pdf([page], objects=symbol)).lines
    assert [(x.bullet, x.text) for x in lines][-1] == (True, "Wrote kernels")


def test_a_page_number_alone_at_the_foot_is_no_text():
    for foot in ("1", "- 1 -", "1 / 2", "Page 1 of 2"):
        lines = read_pdf(pdf([show("Ann Bell", 40, 700) + show(foot, 290, 20)])).lines
        assert [x.text for x in lines] == ["Ann Bell"]


def test_labels_and_their_values_in_two_columns_are_rows():
    labels = ["Email:", "Phone:", "Location:", "Skills", "CUDA"]
    values = ["ann@example.com", "+44 20 7946 0000", "Leeds", "and more of it", "NCCL and others"]
    page = column(40, 700, labels) + column(300, 700, values)
    assert [x.whole for x in read_pdf(pdf([page])).lines][:2] == [
        "Email:\tann@example.com",
        "Phone:\t+44 20 7946 0000",
    ]
