"""Plots as inline SVG: no script, no font, no request; the reader's browser draws the words."""

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean, stdev
from typing import Final

SIZE: Final = 260
EDGE: Final = 40
INK: Final = "#1f4e79"
BANDS: Final = ("0-", "20-", "40-", "60-", "80-")
TWICE: Final = 1.96


def _svg(title: str, width: float, height: float, body: str) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )


def _text(x: float, y: float, words: object, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, dash: str = "") -> str:
    place = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {place} stroke="#888" stroke-dasharray="{dash}"/>'


def _dot(x: float, y: float, radius: float = 3) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{INK}" fill-opacity="0.5"/>'


def confusion(table: Sequence[Sequence[int]], title: str) -> str:
    """Rows are the labels' bands, columns those said; darker is more of its row."""
    cell = SIZE / len(BANDS)
    parts: list[str] = []
    for row, counts in enumerate(table):
        parts.append(_text(EDGE - 6, EDGE + cell * (row + 0.6), BANDS[row], "end"))
        parts.append(_text(EDGE + cell * (row + 0.5), EDGE - 8, BANDS[row]))
        for column, count in enumerate(counts):
            x, y, share = EDGE + cell * column, EDGE + cell * row, count / max(1, sum(counts))
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" height="{cell:.1f}" '
                f'fill="{INK}" fill-opacity="{0.75 * share:.2f}" stroke="#ccc"/>'
            )
            parts.append(_text(x + cell / 2, y + cell * 0.6, count))
    return _svg(title, SIZE + 2 * EDGE, SIZE + 2 * EDGE, "".join(parts))


def bland_altman(pairs: Sequence[tuple[float, float]], title: str) -> str:
    """(true, said): the difference over the mean of both; mean and 1.96 standard deviations."""
    differences = [said - true for true, said in pairs]
    middle = fmean(differences) if pairs else 0.0
    spread = TWICE * stdev(differences) if len(pairs) > 1 else 0.0

    def at(value: float) -> float:
        return EDGE + SIZE * (0.5 - value / 200)

    parts = [_line(EDGE, at(0), EDGE + SIZE, at(0))]
    for value in sorted({middle - spread, middle, middle + spread}):
        parts.append(_line(EDGE, at(value), EDGE + SIZE, at(value), "4 3"))
        parts.append(_text(EDGE + SIZE + 4, at(value) + 4, f"{value:.0f}", "start"))
    parts += [_dot(EDGE + SIZE * (true + said) / 200, at(said - true)) for true, said in pairs]
    return _svg(title, SIZE + 2 * EDGE, SIZE + 2 * EDGE, "".join(parts))


def calibration(rows: Sequence[tuple[float, float, int]], title: str) -> str:
    """(said, true, n) by band: on the line, what was said is true on average."""

    def at(said: float, true: float) -> tuple[float, float]:
        return EDGE + SIZE * said / 100, EDGE + SIZE * (1 - true / 100)

    parts = [_line(*at(0, 0), *at(100, 100), "4 3"), _line(*at(0, 0), *at(100, 0))]
    parts.append(_line(*at(0, 0), *at(0, 100)))
    for said, true, n in rows:
        x, y = at(said, true)
        parts.append(_dot(x, y, 6) + _text(x, y - 9, f"n={n}"))
    return _svg(title, SIZE + 2 * EDGE, SIZE + 2 * EDGE, "".join(parts))


def bars(shares: Mapping[str, float], title: str) -> str:
    """One bar of 0..1 for each name."""
    parts: list[str] = []
    for place, (name, share) in enumerate(shares.items()):
        y = 8 + 20 * place
        parts.append(_text(126, y + 12, name, "end"))
        parts.append(f'<rect x="132" y="{y}" width="{SIZE * share:.1f}" height="14" fill="{INK}"/>')
        parts.append(_text(138 + SIZE * share, y + 12, f"{share:.2f}", "start"))
    return _svg(title, 132 + SIZE + 50, 20 * len(shares) + 16, "".join(parts))
