"""The static files, read once; each is served under a path that names its content."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import Response

from service.errors import NotFound

STATIC_DIR: Final = Path(__file__).resolve().parent / "static"
MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
# A changed file has another path, so a browser may keep what it has.
FOREVER: Final = "public, max-age=31536000, immutable"
DIGEST_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class Asset:
    data: bytes
    media_type: str
    digest: str


@dataclass(frozen=True, slots=True)
class Assets:
    files: Mapping[str, Asset]

    def url(self, name: str) -> str:
        return f"/static/{self.files[name].digest}/{name}"


def load_assets(folder: Path = STATIC_DIR) -> Assets:
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix in MEDIA_TYPES]
    return Assets({p.relative_to(folder).as_posix(): _read(p) for p in paths})


def _read(path: Path) -> Asset:
    data = path.read_bytes()
    return Asset(data, MEDIA_TYPES[path.suffix], sha256(data).hexdigest()[:DIGEST_LENGTH])


def serve(assets: Assets, digest: str, name: str) -> Response:
    """A file of the page; an old digest still gets the present file, which is then not kept.

    Raises:
        NotFound: no such file.
    """
    asset = assets.files.get(name)
    if asset is None:
        raise NotFound("There is no such file.")
    kept = FOREVER if digest == asset.digest else "no-cache"
    return Response(asset.data, media_type=asset.media_type, headers={"Cache-Control": kept})
