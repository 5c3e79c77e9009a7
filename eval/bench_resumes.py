"""Time and field accuracy of our reader, of a plain extractor and of a peer, on the same files.

Usage: python -m eval.bench_resumes [tuning|held_back|all]
The peer (leverparser, an MIT package on PyPI) is measured where it is installed; times are
processor seconds of one process, so that other work on the machine does not count.
"""

import asyncio
import importlib
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import pypdfium2 as pdfium
import yaml

from eval.resume_layouts import render
from eval.resume_run import CASES, as_truth, read_document
from eval.resume_typeset import typeset
from eval.resumes import Json, Tally, compare, table
from service.cli.resume import open_reader
from service.documents.docx.read import read_docx
from service.documents.export.write import ExportForm, export_resume
from service.documents.pdf.read import read_pdf
from service.documents.reader import ResumeReader

ROUNDS: Final = 5
MOST_PAGE_SECONDS: Final = 0.6
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE: Final = re.compile(r"\+?\d[\d\s()-]{7,16}\d")
_URL: Final = re.compile(r"(?:https?://)?(?:[\w-]+\.)+(?:com|org|io|net|cn|dev)(?:/\S*)?")


def main(split: str) -> None:
    names = ("tuning", "held_back") if split == "all" else (split,)
    texts = [(CASES / f"{name}.yaml").read_text(encoding="utf-8") for name in names]
    persons = [p for t in texts for p in cast("Sequence[Json]", yaml.safe_load(t))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [(p, f) for p in persons for f in (*render(p, folder), *typeset(p, folder))]
        print(f"{len(files)} files of {len(persons)} invented persons")
        asyncio.run(_accuracy(files))
        _times([f for _, f in files])
        _export_times([f for _, f in files if f.suffix == ".md"])


async def _accuracy(files: Sequence[tuple[Json, Path]]) -> None:
    reader = open_reader()
    ours, plain, peer = Tally(), Tally(), Tally()
    peer_reads = _peer()
    for person, path in files:
        truth = {**as_truth(person), "id": path.name}
        compare(await read_document(reader, path), truth, ours)
        if path.suffix == ".pdf":
            compare(_plainly(path), truth, plain)
        if peer_reads is not None:
            compare(peer_reads(path), truth, peer)
    _print("ours", ours)
    _print("plain extractor, first line and patterns (PDF)", plain)
    _print("leverparser" if peer_reads else "leverparser (not installed)", peer)


def _print(name: str, tally: Tally) -> None:
    print(f"-- {name}")
    print("\n".join(table(tally)))


def _plainly(path: Path) -> Json:
    """What anybody gets in ten lines: the text, its first line, and three patterns."""
    text = _pdf_text(path.read_bytes())
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    email, phone = _EMAIL.search(text), _PHONE.search(text)
    return {
        "name": lines[0] if lines else None,
        "email": email[0] if email else None,
        "phone": phone[0] if phone else None,
        "urls": [m[0] for m in _URL.finditer(_EMAIL.sub(" ", text))],
    }


def _pdf_text(data: bytes) -> str:
    with pdfium.PdfDocument(data) as opened:
        document = cast("Sequence[Any]", opened)  # the library has no types for texts
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def _peer() -> Callable[[Path], Json] | None:
    try:
        library = cast("Any", importlib.import_module("pyresume"))
    except ImportError:
        return None
    parser = library.ResumeParser()

    def read(path: Path) -> Json:
        try:
            found = parser.parse(str(path))
        except Exception:  # noqa: BLE001 - whatever a peer raises, it read nothing
            return {}
        return _peer_document(found)

    return read


def _peer_document(found: Any) -> Json:
    about = found.contact_info
    addresses = (about.linkedin, about.github, about.website)
    return {
        "name": about.name,
        "email": about.email,
        "phone": about.phone,
        "urls": [u for u in addresses if u],
        "education": [
            {"school": e.institution, "degree": e.degree, "major": e.major}
            | {"end": _month(e.graduation_date)}
            for e in found.education
        ],
        "work": [
            {"employer": w.company, "title": w.title, "start": _month(w.start_date)}
            | {"end": "present" if w.current else _month(w.end_date)}
            | {"bullets": [{"text": t} for t in w.responsibilities]}
            for w in found.experience
        ],
        "projects": [{"name": p.name, "bullets": []} for p in found.projects],
        "skills": [s.name for s in found.skills],
    }


def _month(value: Any) -> str | None:
    return f"{value:%Y-%m}" if value is not None else None


def _times(files: Sequence[Path]) -> None:
    """Best of some rounds each; the reading of the file alone, before it is understood."""
    pdfs = [f.read_bytes() for f in files if f.suffix == ".pdf"]
    plain = sum(_best(_pdf_text, d) for d in pdfs)
    ours = sum(_best(read_pdf, d) for d in pdfs)
    words = [f.read_bytes() for f in files if f.suffix == ".docx"]
    docx = sum(_best(read_docx, d) for d in words)
    print("-- time (ms a file, processor)")
    print(f"pypdfium2 text    {1000 * plain / len(pdfs):7.2f}")
    print(f"ours, PDF         {1000 * ours / len(pdfs):7.2f}  {ours / plain:.2f} times")
    print(f"ours, DOCX        {1000 * docx / len(words):7.2f}")


def _best(work: Callable[[bytes], object], data: bytes) -> float:
    took: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work(data)
        took.append(time.process_time() - start)
    return min(took)


def _export_times(files: Sequence[Path]) -> None:
    reader = open_reader()
    took: Mapping[ExportForm, list[float]] = {form: [] for form in ExportForm}
    for path in files:
        _export_once(reader, path, took)
    print("-- export (ms a page, wall clock; the first includes loading the library)")
    for form, seconds in took.items():
        rest = sorted(seconds[1:])
        middle = rest[len(rest) // 2]
        worst = max(seconds)
        kept = "ok" if max(rest) <= MOST_PAGE_SECONDS else "too slow"
        print(
            f"{form.value:9} first {1000 * seconds[0]:6.1f}  median {1000 * middle:6.1f}  "
            f"worst {1000 * worst:6.1f}  {kept}"
        )


def _export_once(reader: ResumeReader, path: Path, took: Mapping[ExportForm, list[float]]) -> None:
    resume = asyncio.run(reader.read(path.read_bytes(), path.name)).resume
    if resume is None:
        return
    for form, seconds in took.items():
        start = time.perf_counter()
        export_resume(resume, form)
        seconds.append(time.perf_counter() - start)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "all")
