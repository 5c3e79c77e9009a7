"""Small PDF and DOCX files written byte by byte, hostile ones among them."""

# ruff: noqa: E501 - a file is drawn in one piece

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="word/document.xml"/></Relationships>'
)


def paragraph(text: str, look: str = "") -> str:
    shape = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:p><w:r>{shape}<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def docx(body: str, prologue: str = "", extra: Mapping[str, bytes] | None = None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELS)
        document = (
            f'<?xml version="1.0"?>{prologue}<w:document {W}><w:body>{body}</w:body></w:document>'
        )
        archive.writestr("word/document.xml", document)
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    return stream.getvalue()


def show(text: str, x: float, y: float, *, size: float = 11, before: str = "") -> str:
    """One piece of text at a place, in points from the lower left corner."""
    return f"BT {before} /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n"


def pdf(
    pages: Sequence[str], *, catalogue: str = "", objects: Mapping[int, bytes] | None = None
) -> bytes:
    """A PDF of Helvetica pages, A4; content streams are packed."""
    kids = " ".join(f"{10 + 2 * i} 0 R" for i in range(len(pages)))
    parts: dict[int, bytes] = {
        1: f"<</Type/Catalog/Pages 2 0 R{catalogue}>>".encode(),
        2: f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    }
    for index, content in enumerate(pages):
        packed = zlib.compress(content.encode("latin-1"))
        head = f"<</Length {len(packed)}/Filter/FlateDecode>>\nstream\n".encode()
        parts[11 + 2 * index] = head + packed + b"\nendstream"
        parts[10 + 2 * index] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {11 + 2 * index} 0 R>>"
        ).encode()
    return assembled({**parts, **(objects or {})})


def assembled(parts: Mapping[int, bytes]) -> bytes:
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.7\n")
    offsets: dict[int, int] = {}
    for number in sorted(parts):
        offsets[number] = out.tell()
        out.write(b"%d 0 obj\n" % number + parts[number] + b"\nendobj\n")
    start, count = out.tell(), max(parts) + 1
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % count)
    for number in range(1, count):
        used = number in offsets
        out.write(b"%010d 00000 %s \n" % (offsets.get(number, 0), b"n" if used else b"f"))
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (count, start))
    return out.getvalue()
