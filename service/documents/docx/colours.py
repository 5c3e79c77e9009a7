"""The colours a DOCX means: themes resolved, highlights by name, to one grey."""

import re
from collections.abc import Mapping
from typing import Final

from docx.document import Document

from service.documents.docx.tree import VALUE, Node, W, theme

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SCHEME: Final[Mapping[str, str]] = {
    "background1": "lt1", "text1": "dk1", "background2": "lt2", "text2": "dk2",
    "bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2",
    "light1": "lt1", "dark1": "dk1", "light2": "lt2", "dark2": "dk2",
    "hyperlink": "hlink", "followedHyperlink": "folHlink",
}  # fmt: skip
# What Word takes for a file without a theme.
_OFFICE: Final[Mapping[str, str]] = {
    "lt1": "FFFFFF", "dk1": "000000", "lt2": "EEECE1", "dk2": "1F497D"
}  # fmt: skip
_HIGHLIGHTS: Final[Mapping[str, str]] = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00",
    "magenta": "FF00FF", "red": "FF0000", "yellow": "FFFF00", "white": "FFFFFF",
    "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000",
    "darkGray": "808080", "lightGray": "C0C0C0",
}  # fmt: skip


def grey(colour: str | None) -> int | None:
    """0..255; None for automatic."""
    if colour is None or not re.fullmatch(r"[0-9A-Fa-f]{6}", colour):
        return None
    red, green, blue = (int(colour[i : i + 2], 16) for i in (0, 2, 4))
    return (red * 299 + green * 587 + blue * 114) // 1000


class Colours:
    """The theme of one document, read once."""

    def __init__(self, document: Document) -> None:
        self._theme: Mapping[str, str] = {**_OFFICE, **_of_theme(theme(document))}

    def of(self, element: Node | None, inherited: str | None) -> str | None:
        """Of a w:color: a theme's colour wins over the written one, as in Word."""
        if element is None:
            return inherited
        named = self._named(element, "theme", "Color")
        return named or element.get(VALUE)

    def shade(self, element: Node | None, inherited: str | None) -> str | None:
        """Of a w:shd."""
        if element is None:
            return inherited
        return self._named(element, "theme", "Fill") or element.get(f"{W}fill")

    def highlight(self, element: Node | None, inherited: str | None) -> str | None:
        name = element.get(VALUE) if element is not None else None
        return _HIGHLIGHTS.get(name or "", inherited)

    def _named(self, element: Node, prefix: str, kind: str) -> str | None:
        name = element.get(f"{W}{prefix}{kind}")
        colour = self._theme.get(_SCHEME.get(name, name)) if name else None
        if colour is None:
            return None
        suffix = "Fill" if kind == "Fill" else ""
        tint = _share(element.get(f"{W}theme{suffix}Tint"))
        shade = _share(element.get(f"{W}theme{suffix}Shade"))
        return _mixed(colour, tint, shade)


def _of_theme(root: Node | None) -> Mapping[str, str]:
    scheme = root.find(f"{_A}themeElements/{_A}clrScheme") if root is not None else None
    found: dict[str, str] = {}
    for slot in scheme if scheme is not None else ():
        for colour in slot:
            value = colour.get("lastClr") or colour.get("val") or ""
            if isinstance(slot.tag, str) and grey(value) is not None:
                found[slot.tag.removeprefix(_A)] = value
    return found


def _share(written: str | None) -> float:
    """Two hexadecimal digits of 255; 1 leaves the colour as it is."""
    return int(written, 16) / 255 if written and re.fullmatch(r"[0-9A-Fa-f]{2}", written) else 1.0


def _mixed(colour: str, tint: float, shade: float) -> str:
    """A tint goes towards white, a shade towards black."""
    parts = (int(colour[i : i + 2], 16) * shade for i in (0, 2, 4))
    return "".join(f"{round(p * tint + 255 * (1 - tint)):02X}" for p in parts)
