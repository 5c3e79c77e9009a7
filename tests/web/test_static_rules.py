"""What the strict policy needs of every template and static file."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from service.web.assets import STATIC_DIR, load_assets
from service.web.page import TEMPLATES

VENDOR = STATIC_DIR / "vendor"


def templates() -> dict[str, str]:
    found = {p.name: p.read_text(encoding="utf-8") for p in TEMPLATES.rglob("*.html")}
    assert len(found) > 20
    return found


def offending(pattern: str) -> list[str]:
    return [name for name, text in templates().items() if re.search(pattern, text)]


def test_no_template_switches_escaping_off():
    assert offending(r"\|\s*safe|autoescape\s+false|Markup") == []


def test_no_template_has_inline_style_or_script():
    assert offending(r"\sstyle=|<style|\son[a-z]+=|hx-on|javascript:") == []
    assert offending(r"<script(?![^>]*\ssrc=)") == []


def test_no_page_file_asks_another_host():
    own = [p for p in STATIC_DIR.glob("*.*") if p.suffix in (".css", ".js")]
    texts = {p.name: p.read_text(encoding="utf-8") for p in own} | templates()
    assert len(own) >= 3
    elsewhere = re.compile(r"(?:src|href|url\(|import|fetch\()[=\s\"'(]*(?:https?:)?//")
    assert [name for name, text in texts.items() if elsewhere.search(text)] == []


def test_vendored_scripts_are_the_ones_whose_hashes_were_written_down():
    manifest = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    written = {f: h for entry in manifest.values() for f, h in entry["sha256"].items()}
    there = {p.name: _hash(p) for p in VENDOR.iterdir() if p.name != "manifest.json"}
    assert "htmx.min.js" in written
    assert written == there
    assert manifest["htmx.org"]["version"] == "4.0.1"


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def test_every_asset_that_templates_name_exists():
    assets = load_assets()
    named = {n for text in templates().values() for n in re.findall(r"asset\('([^']+)'\)", text)}
    assert "shardwise.css" in named
    assert named <= set(assets.files)


def test_every_class_that_templates_use_is_in_the_stylesheet():
    """A misspelt class is a component that silently looks like nothing."""
    sheet = (STATIC_DIR / "shardwise.css").read_text(encoding="utf-8")
    known = set(re.findall(r"\.([a-z][a-z-]*)", sheet))
    used = {
        word
        for text in templates().values()
        for group in re.findall(r'class="([^"{}]*)"', text)
        for word in group.split()
    }
    assert len(used) > 40
    assert used - known == set()


def test_the_stylesheet_minds_motion_print_dark_and_focus():
    sheet = (STATIC_DIR / "shardwise.css").read_text(encoding="utf-8")
    for rule in ("prefers-reduced-motion", "@media print", "color-scheme", ":focus-visible"):
        assert rule in sheet


PAIRS = [
    ("ink", "paper"), ("ink", "sheet"), ("ink", "sunk"), ("ink", "marker"), ("soft", "paper"),
    ("soft", "sheet"), ("soft", "sunk"), ("accent", "paper"), ("accent", "sheet"),
    ("on-accent", "accent"), ("on-accent", "accent-deep"), ("accent-deep", "accent-wash"),
    ("on-deep", "deep"), ("met", "met-wash"), ("partial", "partial-wash"), ("gap", "gap-wash"),
    ("gap", "sheet"), ("gap", "paper"), ("info", "info-wash"), ("partial", "paper"),
]  # fmt: skip
READABLE = 4.5  # WCAG 2.2, 1.4.3
VISIBLE = 3.0  # 1.4.11, edges of fields


def tokens() -> dict[str, tuple[str, str]]:
    sheet = (STATIC_DIR / "shardwise.css").read_text(encoding="utf-8")
    pattern = r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)"
    found = {name: (light, dark) for name, light, dark in re.findall(pattern, sheet)}
    assert len(found) > 20
    return found


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_wcag_says():
    assert round(contrast("#000000", "#ffffff"), 1) == 21.0
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize(("front", "back"), PAIRS)
def test_text_is_readable_in_light_and_dark(front: str, back: str):
    known = tokens()
    for light in (0, 1):
        assert contrast(known[front][light], known[back][light]) >= READABLE


@pytest.mark.parametrize("back", ["paper", "sheet"])
def test_the_edges_of_fields_can_be_seen(back: str):
    known = tokens()
    for light in (0, 1):
        assert contrast(known["edge"][light], known[back][light]) >= VISIBLE
