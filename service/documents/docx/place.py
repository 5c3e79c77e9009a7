"""Where a paragraph or a text box of a DOCX lands: text off the paper is read by nobody."""

from dataclasses import dataclass
from typing import Final

from docx.document import Document

from service.documents.docx.tree import Node, W

_TWIPS: Final = 20.0  # of a point
_EMU: Final = 12_700.0  # of a point
_WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
ANCHOR: Final = f"{_WP}anchor"
INLINE: Final = f"{_WP}inline"
LEAST_LINE: Final = 3.0  # points of an exact height, below which letters are cut away
LEAST_BOX: Final = 3.0  # points


@dataclass(frozen=True, slots=True)
class Paper:
    """Points; `left` is the margin from which indents count."""

    width: float = 595.0
    height: float = 842.0
    left: float = 72.0

    def hides(self, properties: Node | None) -> bool:
        """Whether a paragraph's own settings put it off the paper or cut it away."""
        if properties is None:
            return False
        return (
            self._is_set_off(properties.find(f"{W}ind"))
            or _is_cut(properties.find(f"{W}spacing"))
            or self._is_framed_off(properties.find(f"{W}framePr"))
        )

    def _is_set_off(self, indent: Node | None) -> bool:
        if indent is None:
            return False
        left = _points(indent, "left") or _points(indent, "start")
        first = _points(indent, "firstLine") - _points(indent, "hanging")
        start = self.left + left + min(first, 0.0)
        right = self.width - self.left - (_points(indent, "right") or _points(indent, "end"))
        return (
            start + self.left < 0 or start >= self.width or right <= 0 or right - start < LEAST_BOX
        )

    def _is_framed_off(self, frame: Node | None) -> bool:
        if frame is None:
            return False
        x, y = _points(frame, "x"), _points(frame, "y")
        cut = frame.get(f"{W}hRule") == "exact" and 0 < _points(frame, "h") < LEAST_LINE
        narrow = 0 < _points(frame, "w") < LEAST_BOX
        return (
            cut or narrow or not (-self.width < x < self.width and -self.height < y < self.height)
        )

    def hides_box(self, anchor: Node) -> bool:
        """A drawing marked hidden, far off the paper, or too small for any letter."""
        about = anchor.find(f"{_WP}docPr")
        if about is not None and (about.get("hidden") or "0").lower() in {"1", "true"}:
            return True
        extent = anchor.find(f"{_WP}extent")
        sides = [_emu(extent.get(s)) for s in ("cx", "cy")] if extent is not None else []
        offsets = [_emu(o.text) for o in anchor.iter(f"{_WP}posOffset")]
        far = any(not -self.height < o < self.height for o in offsets)
        return far or any(0 < s < LEAST_BOX for s in sides)


def paper_of(document: Document) -> Paper:
    """The first section's; A4 where the file says nothing."""
    sections = list(document.sections)
    if not sections:
        return Paper()
    found = sections[0]
    width, height, left = found.page_width, found.page_height, found.left_margin
    usual = Paper()
    return Paper(
        width.pt if width else usual.width,
        height.pt if height else usual.height,
        left.pt if left is not None else usual.left,
    )


def _is_cut(spacing: Node | None) -> bool:
    """An exact line height far below any letter's."""
    if spacing is None or spacing.get(f"{W}lineRule") != "exact":
        return False
    return 0 < _points(spacing, "line") < LEAST_LINE


def _points(element: Node, name: str) -> float:
    written = element.get(f"{W}{name}") or "0"
    try:
        return float(written) / _TWIPS
    except ValueError:
        return 0.0


def _emu(written: str | None) -> float:
    text = (written or "0").strip()
    return int(text) / _EMU if text.lstrip("-").isdigit() else 0.0
