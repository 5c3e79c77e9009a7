"""Fetch the page's scripts once, at exact versions, and write down their hashes.

Run by hand when a version changes: `python tools/vendor_js.py`. Needs npm; the service does not.
The files are committed, so installing and serving ask nobody for anything.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "service" / "web" / "static" / "vendor"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Wanted:
    package: str
    version: str
    files: tuple[str, ...]  # inside the package; kept under their own names


WANTED = (Wanted("htmx.org", "4.0.1", ("dist/htmx.min.js", "dist/ext/hx-sse.min.js", "LICENSE")),)


def pack(wanted: Wanted, folder: Path) -> Path:
    """Download one package; the path of its archive."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed to fetch the scripts; it is not on the PATH.")
    done = subprocess.run(
        [npm, "pack", f"{wanted.package}@{wanted.version}", "--json"],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return folder / json.loads(done.stdout)[0]["filename"]


def unpack(archive: Path, wanted: Wanted) -> dict[str, str]:
    """Write the wanted files; their names and sha256."""
    hashes: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for inside in wanted.files:
            member = tar.extractfile(f"package/{inside}")
            if member is None:
                raise SystemExit(f"{wanted.package} {wanted.version} has no {inside}")
            # The maps stay away: a browser would ask for them and get nothing.
            data = b"\n".join(
                line for line in member.read().split(b"\n") if b"sourceMappingURL" not in line
            )
            name = _name(wanted, inside)
            (TARGET / name).write_bytes(data)
            hashes[name] = hashlib.sha256(data).hexdigest()
    return hashes


def _name(wanted: Wanted, inside: str) -> str:
    plain = Path(inside).name
    return f"{wanted.package}-LICENSE.txt" if plain == "LICENSE" else plain


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, object] = {}
    for wanted in WANTED:
        with tempfile.TemporaryDirectory() as folder:
            hashes = unpack(pack(wanted, Path(folder)), wanted)
        manifest[wanted.package] = {"version": wanted.version, "sha256": hashes}
        sys.stdout.write(f"{wanted.package} {wanted.version}: {', '.join(hashes)}\n")
    text = json.dumps(manifest, indent=2, sort_keys=True)
    (TARGET / MANIFEST).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
