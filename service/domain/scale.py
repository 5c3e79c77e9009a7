"""How big: accelerators in a cluster and parameters in a model, as ads and résumés write them."""

import re
from typing import Final

_CHIP: Final = (
    r"(?:(?:NVIDIA|英伟达|华为|昇腾|Ascend)\s*)?(?:[AHVB]\d{2,3}0?|GB200|L40S?|MI\d{3}X?|910[A-C]?|TPU(?:\s*v\d\w?)?|"
    r"GPUs?|NPUs?|卡|显卡|加速卡|昇腾|Ascend|DCU|accelerators?|chips?)"
)
_COUNT: Final = r"(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*([kK千万]?)\+?"
_CARDS: Final = re.compile(rf"{_COUNT}\s*(?:张|块|枚|片|个|x|×|\*|余|多)*\s*{_CHIP}", re.IGNORECASE)
_NODES: Final = re.compile(
    r"(\d{1,5})\s*(?:台|个节点|节点|nodes?|machines?|机)\s*(?:[x×*,，]|of|with|each)?\s*(\d{1,2})\s*(?:卡|张|GPUs?|x|×)",
    re.IGNORECASE,
)
_NAMED: Final = (
    (re.compile(r"数万卡|tens of thousands of (?:GPUs|accelerators)"), 20_000.0),
    (re.compile(r"万卡|(?:ten[\s-]thousand)[\s-](?:GPU|card)", re.IGNORECASE), 10_000.0),
    (re.compile(r"数千卡|thousands of (?:GPUs|accelerators|cards)", re.IGNORECASE), 2_000.0),
    (
        re.compile(r"千卡|(?<!ten[\s-])thousand[\s-](?:GPU|card|accelerator)", re.IGNORECASE),
        1_000.0,
    ),
    (re.compile(r"数百卡|hundreds of (?:GPUs|accelerators)", re.IGNORECASE), 200.0),
    (re.compile(r"百卡"), 100.0),
)
_PARAMETERS: Final = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s*(B|T|billion|trillion|亿|万亿)(?![\w])[\s-]*", re.IGNORECASE
)
_NAMED_PARAMETERS: Final = (
    (re.compile(r"万亿"), 1e12),
    (re.compile(r"千亿|hundreds? of billions?|hundred[\s-]billion", re.IGNORECASE), 1e11),
    (re.compile(r"百亿|tens of billions?|ten[\s-]billion", re.IGNORECASE), 1e10),
    (re.compile(r"十亿|billion[\s-](?:scale|parameter)|billions of", re.IGNORECASE), 1e9),
)
_FACTOR: Final = {"": 1.0, "k": 1e3, "千": 1e3, "万": 1e4}
_UNIT: Final = {"b": 1e9, "billion": 1e9, "t": 1e12, "trillion": 1e12, "亿": 1e8, "万亿": 1e12}


def accelerators(text: str) -> float | None:
    """The largest number of accelerators named in `text`; None when none is."""
    found = [float(m[1].replace(",", "")) * _FACTOR[m[2].lower()] for m in _CARDS.finditer(text)]
    found += [float(m[1]) * float(m[2]) for m in _NODES.finditer(text)]
    found += [size for pattern, size in _NAMED if pattern.search(text)]
    return max(found, default=None)


def parameters(text: str) -> float | None:
    """The largest model size named in `text`, in parameters; None when none is."""
    found = [float(m[1]) * _UNIT[m[2].lower()] for m in _PARAMETERS.finditer(text)]
    found += [size for pattern, size in _NAMED_PARAMETERS if pattern.search(text)]
    return max(found, default=None)
