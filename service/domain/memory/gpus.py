"""GPUs by name: memory, dense 16-bit peak and links, as the makers' data sheets give them."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from service.domain.memory.units import GB
from service.errors import InputInvalid

_TERA: Final = 10**12


@dataclass(frozen=True, slots=True)
class Gpu:
    """`memory` in bytes, `peak_flops` dense 16-bit, `link` bytes/s one way to its neighbours."""

    id: str
    memory: float
    peak_flops: float
    link: float
    source: str = "maker's data sheet, from memory"


_ROWS: Final = (
    Gpu("v100-16gb", 16 * GB, 125 * _TERA, 150 * GB),
    Gpu("v100-32gb", 32 * GB, 125 * _TERA, 150 * GB),
    Gpu("a100-40gb", 40 * GB, 312 * _TERA, 300 * GB),
    Gpu("a100-80gb", 80 * GB, 312 * _TERA, 300 * GB),
    Gpu("a800-80gb", 80 * GB, 312 * _TERA, 200 * GB),
    Gpu("h100-80gb", 80 * GB, 989 * _TERA, 450 * GB),
    Gpu("h800-80gb", 80 * GB, 989 * _TERA, 200 * GB),
    Gpu("h20-96gb", 96 * GB, 148 * _TERA, 450 * GB),
    Gpu("h200-141gb", 141 * GB, 989 * _TERA, 450 * GB),
    Gpu("b200-180gb", 180 * GB, 2250 * _TERA, 900 * GB),
    Gpu("l40s-48gb", 48 * GB, 362 * _TERA, 32 * GB),
    Gpu("a10-24gb", 24 * GB, 125 * _TERA, 32 * GB),
    Gpu("rtx-4090-24gb", 24 * GB, 165 * _TERA, 32 * GB),
    Gpu("rtx-3090-24gb", 24 * GB, 71 * _TERA, 32 * GB),
)

GPUS: Final[Mapping[str, Gpu]] = {row.id: row for row in _ROWS}
# A name without its memory means the larger card.
_SHORT: Final[Mapping[str, str]] = {row.id.rsplit("-", 1)[0]: row.id for row in _ROWS}


def find_gpu(name: str) -> Gpu:
    """The card of that name: `A100 80GB`, `h100`.

    Raises:
        InputInvalid: no such card; names the nearest.
    """
    key = "-".join(name.strip().lower().replace("-", " ").split())
    row = GPUS.get(key) or GPUS.get(_SHORT.get(key, ""))
    if row is None:
        near = get_close_matches(key, GPUS, n=3, cutoff=0.3) or list(GPUS)
        raise InputInvalid(
            "no GPU is called {name}; nearest: {near}", name=repr(name[:40]), near=", ".join(near)
        )
    return row
