"""How big: accelerators in a cluster and parameters in a model, as ads and résumés write them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from service.domain.denial import denied_ranges

_BLANKS: Final = re.compile(r"\s+")
_CHIP: Final = (
    r"(?:(?:NVIDIA|英伟达|华为|昇腾|Ascend)\s*)?(?:[AHVB]\d{2,3}0?|GB200|L40S?|MI\d{3}X?|910[A-C]?|TPU(?:\s*v\d\w?)?|"
    r"GPUs?|NPUs?|卡|显卡|加速卡|昇腾|Ascend|DCU|accelerators?|chips?|cards?)"
)
_COUNT: Final = r"(?<![\d.,vV])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*([kK百千万]?)"
_MORE: Final = r"(?:\+|余|多|以上|及以上|\s+or\s+more|\s+plus)?"
# What may stand between a number and the thing counted: 512 张以上的 A100, 256-GPU, 64 x H100.
_BETWEEN: Final = rf"{_MORE}\s*(?:张|块|枚|片|个|x|×|\*|-|of\b)?\s*{_MORE}的?\s*"
_CARDS: Final = re.compile(rf"{_COUNT}{_BETWEEN}{_CHIP}", re.IGNORECASE)
# 256 high-end GPUs; GPU 集群（512 张以上）.
_DESCRIBED: Final = re.compile(
    rf"{_COUNT}{_MORE}\s+[a-z][a-z-]{{2,14}}\s+(?:GPUs|NPUs|accelerators|chips)\b", re.IGNORECASE
)
_BEHIND: Final = re.compile(rf"{_CHIP}[^\d，。；,.;]{{0,8}}{_COUNT}\s*(?:张|块|枚)", re.IGNORECASE)
_GRID: Final = re.compile(
    rf"(?<![\d.])(\d{{1,4}})\s*[x×*]\s*(\d{{1,2}})\s*[x×*]?\s*{_CHIP}", re.IGNORECASE
)
_NODES: Final = re.compile(
    r"(\d{1,5})\s*(?:台|个节点|节点|nodes?|machines?|servers?|机)\s*(?:[x×*,，]|of|with|each)?\s*(\d{1,2})\s*-?\s*(?:卡|张|GPUs?|x|×)",
    re.IGNORECASE,
)
# Numbers written out. "Some" of a unit (数千, thousands of) is read as two of it: the least that
# the words can mean.
_ZH_DIGITS: Final = dict(zip("一二三四五六七八九", range(1, 10), strict=True)) | {
    **dict.fromkeys("两数几", 2),
    **dict.fromkeys("上近", 1),
    "": 1,
}
_ZH_UNITS: Final = {"百": 1e2, "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6}
_ZH_CARDS: Final = re.compile(
    rf"(?<![\d.])([一二两三四五六七八九数几上近]?)(十万|百万|百|千|万){_BETWEEN}(?:级|规模)?(?:的)?\s*{_CHIP}",
    re.IGNORECASE,
)
_EN_NUMBERS: Final = {
    **{w: n for n, w in enumerate(("one", "two", "three", "four", "five"), 1)},
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    **dict.fromkeys(("several", "multiple", "multi", "few", "couple", "many"), 2),
    "a": 1,
    "": 1,
}
_EN_UNITS: Final = {"hundred": 1e2, "thousand": 1e3}
_EN_CARDS: Final = re.compile(
    rf"\b(?:(tens|hundreds)\s+of\s+)?(?:(a|{'|'.join(w for w in _EN_NUMBERS if len(w) > 1)})"
    r"(?:[\s-]+(?:of))?[\s-]+)?(hundred|thousand)(s?)(?:\s+of)?(?:\s+or\s+more|-plus|\+)?"
    rf"(?:[\s-]+(?:\w+[\s-]+)?){_CHIP}",
    re.IGNORECASE,
)
_SPELLED: Final = re.compile(
    rf"\b(eight|ten|sixteen|thirty-two|sixty-four)[\s-]+{_CHIP}", re.IGNORECASE
)
_SMALL: Final = {"eight": 8.0, "ten": 10.0, "sixteen": 16.0, "thirty-two": 32.0, "sixty-four": 64.0}
_MANY: Final = {None: 1, "": 1, "tens": 20, "hundreds": 200}
_PARAMETERS: Final = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)\s*(B|T|billion|trillion|亿|万亿)(?![\w])[\s-]*", re.IGNORECASE
)
_NAMED_PARAMETERS: Final = (
    (re.compile(r"万亿"), 1e12),
    (re.compile(r"千亿|hundreds? of billions?|hundred[\s-]billion", re.IGNORECASE), 1e11),
    (re.compile(r"百亿|tens of billions?|ten[\s-]billion", re.IGNORECASE), 1e10),
    (re.compile(r"十亿|billion[\s-](?:scale|parameter)|billions of", re.IGNORECASE), 1e9),
)
_FACTOR: Final = {"": 1.0, "k": 1e3, "百": 1e2, "千": 1e3, "万": 1e4}
_UNIT: Final = {"b": 1e9, "billion": 1e9, "t": 1e12, "trillion": 1e12, "亿": 1e8, "万亿": 1e12}


def accelerators(text: str) -> float | None:
    """The largest number of accelerators named in `text`; None when none is."""
    single = _single_blanks(text)
    return _largest(single, _clusters(single))


def _single_blanks(text: str) -> str:
    """The patterns allow blanks in many places; a long run of them would be tried in every way."""
    return _BLANKS.sub(" ", text)


_Sized = tuple[float, re.Match[str]]


def _largest(text: str, found: Iterable[_Sized]) -> float | None:
    """A size that the words deny ("never used more than 8 GPUs") was not reached."""
    sizes = {m.span(): size for size, m in found}
    denied = denied_ranges(text, list(sizes))
    return max((size for span, size in sizes.items() if span not in denied), default=None)


def _clusters(text: str) -> Iterator[_Sized]:
    for pattern in (_CARDS, _DESCRIBED, _BEHIND):
        for m in pattern.finditer(text):
            yield float(m[1].replace(",", "")) * _FACTOR[m[2].lower()], m
    for pattern in (_GRID, _NODES):
        yield from ((float(m[1]) * float(m[2]), m) for m in pattern.finditer(text))
    yield from ((_ZH_DIGITS[m[1]] * _ZH_UNITS[m[2]], m) for m in _ZH_CARDS.finditer(text))
    yield from ((_in_english(m), m) for m in _EN_CARDS.finditer(text))
    yield from ((_SMALL[m[1].lower()], m) for m in _SPELLED.finditer(text))


def _in_english(match: re.Match[str]) -> float:
    """Tens of thousands, two hundred, a thousand, thousands (two at least)."""
    many = _MANY[(match[1] or "").lower()]
    number = _EN_NUMBERS[(match[2] or "").lower()]
    plural = 2 if match[4] and many == number == 1 else 1
    return many * number * plural * _EN_UNITS[match[3].lower()]


def parameters(text: str) -> float | None:
    """The largest model size named in `text`, in parameters; None when none is."""
    single = _single_blanks(text)
    written = ((float(m[1]) * _UNIT[m[2].lower()], m) for m in _PARAMETERS.finditer(single))
    named = ((size, m) for pattern, size in _NAMED_PARAMETERS for m in pattern.finditer(single))
    return _largest(single, (*written, *named))
