"""Step one: every number of a text with its unit, formulas included, and the words around it."""

import re
from collections.abc import Iterator
from typing import Final

from service.domain.claims.figures import GPU, find_numbers
from service.domain.claims.formulas import find_formulas
from service.domain.claims.known import KnownModels
from service.domain.claims.lexer import find_marks
from service.domain.claims.shape import shape_numbers
from service.domain.claims.tokens import Mark, Number, Sheet, Unit
from service.domain.text import fold

# NFKC would glue an exponent to its base and make the Chinese comma a thousands separator.
_KEPT: Final = str.maketrans(
    dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", (chr(0xE000 + d) for d in range(10)), strict=True)) | {"，": "\ue020"}
)
_SKIPPED: Final = re.compile(
    r"(?<!\d)\d+\.\d+\.\d+[\w.]*"  # versions
    r"|(?<!\d)\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?!\d)"  # dates
    r"|(?<!\d)(?:19|20)\d\d ?年(?: ?\d{1,2} ?月)?(?: ?\d{1,2} ?日)?"
    r"|(?<!\d)\d{3}-\d{3,4}-\d{4}|(?<!\d)\d{11}(?!\d)"  # telephones
    r"|--?[a-z_]+[= ]\d+"  # options
    r"|(?<![a-z0-9])(?:pytorch|torch|cuda|python|nccl|deepspeed|transformers|ubuntu|v|version|版本)"
    r" ?v?\d+(?:\.\d+)*"
    r"|(?<![a-z0-9])(?:rank|alpha|port|epoch|figure|fig|table|section|sec|eq|chapter|q|步骤|图|表|第)"
    r"[ .]?\d+(?:\.\d+)*(?! ?(?:gb|张|卡))"
)
_STAGE_DIGIT: Final = (
    r"(?:[123](?!\d|\.\d| ?[%ψφ倍个张卡块字亿万×*]| ?(?:gi?b|psi|bytes|times)\b)"
    r"|[一二三](?![十百千点个张倍])|one\b|two\b|three\b)"
)
_STAGES: Final = re.compile(
    r"(?<![a-z0-9])(?:zero(?: ?dp)?(?: ?stages?)?|stages?|z(?=[123]))[ -]?第?"
    rf"{_STAGE_DIGIT}(?: ?(?:/|、|,|\ue020|和|与|跟|及|以及|and|or|&|, and) ?(?:zero ?-?|stage ?)?"
    rf"{_STAGE_DIGIT})*"
    r"|第 ?[一二三123] ?个?(?:阶段|级)|(?<![一二三123])阶段 ?[一二三123](?![\d.十个])"
)
_FIRST: Final = re.compile(
    "(?<![a-z])first (?:two|stage)|three stages|前两(?:个|级|种|者|档)|第一(?:阶段|档)"
)
_ORDINALS: Final = re.compile(
    "(?<![a-z])(?P<one>first )(?P<two>two)(?![a-z])|(?P<zh1>前)(?P<zh2>两)(?:个|级|种|者|档)"
    "|(?<=the )(?P<only>first)(?= to | one |[,;:.])"
    "|(?<=the )(?P<second>second)(?= to | one | and |[,;:.])|第(?:三|3)(?:个|级|种|档)"
    "|(?<=the )third(?= (?:one|is|was|needs|costs|takes|sends|moves|adds|level|has|to|communicates"
    "|brings) |[,;:.])"
)
_ORDER: Final = ("zero1", "zero2")
_DDP_AND_STAGES: Final = re.compile(r"(?<![a-z])ddp(?: ?/ ?[123](?![\d.])){2,3}")
_DIGIT: Final = re.compile(r"[123一二三]|one|two|three")
_STAGE_OF: Final = {
    digit: f"zero{stage}"
    for stage, digits in enumerate(("1 一 one", "2 二 two", "3 三 three"), 1)
    for digit in digits.split()
}
_SENTENCE_END: Final = frozenset("。!?;\n；！？")
_CLAUSE_END: Final = frozenset(",\ue020：")
_ABBREVIATIONS: Final = (" vs", " e.g", " i.e", " approx", " ca")
_OUTRANK: Final = frozenset({"per", "name", "opt", "scheme"})
_REACH: Final = 16
_LEFT_OUT: Final = re.compile(
    "(?:before|without|excluding|not counting|aside from|apart from|besides|plus|no|except|ignoring"
    "|leaving out|on top of)(?: (?:a|any|the|single|all|your|our))* $"
    "|(?:不算|不含|不包括|没算|还没算|除了|除去|抛开|再加|加上|再加上|不计|没有算|不考虑|另算|忽略)"
    " ?$"
)
_COUNT_NOUNS: Final = (
    "个参数", "的参数", "参数量", "参数", "parameters", "parameter", "params", "param",
)  # fmt: skip


def find(text: str, known: KnownModels) -> Sheet:
    """Read a text once, left to right. Linear in its length."""
    # ends of lines become full stops, which folding would lose
    folded = fold(text.replace("\n", "。").translate(_KEPT))
    low = _lower(folded.text)
    taken = bytearray(len(low))
    models = known.find(low, taken)
    marks = [*_scheme_marks(low, taken), *_gpu_marks(low, taken)]
    _take(_SKIPPED, low, taken)
    numbers = list(find_numbers(low, taken))
    numbers = find_formulas(low, folded.text, numbers, taken)
    for number in numbers:
        if number.name or number.unit not in {Unit.NONE, Unit.OTHER}:
            end = number.end + _noun_length(low, number)
            taken[number.start : end] = b"\1" * (end - number.start)
    marks = sorted((*marks, *_apart(low, find_marks(low, taken))), key=lambda m: (m.start, -m.end))
    clauses, sentences = _boundaries(low)
    numbers = shape_numbers(low, numbers)
    return Sheet(folded, low, tuple(numbers), tuple(marks), tuple(models), clauses, sentences)


def _noun_length(low: str, number: Number) -> int:
    """7B 参数: the noun belongs to the count and names no model state."""
    if number.unit not in {Unit.PARAMS, Unit.LETTER_B}:
        return 0
    at = number.end + (low[number.end : number.end + 1] in {" ", "-"})
    for noun in _COUNT_NOUNS:
        if low.startswith(noun, at):
            return at + len(noun) - number.end
    return 0


def _apart(low: str, marks: list[Mark]) -> Iterator[Mark]:
    """Without the states that are only part of a longer cue: the 参数 of 每个参数."""
    longer: dict[int, int] = {}
    for mark in marks:
        if mark.kind in _OUTRANK:
            longer.update(dict.fromkeys(range(mark.start, mark.end), mark.end - mark.start))
    for mark in marks:
        if (
            mark.kind == "topic"
            and mark.value in {"act", "kv"}
            and _LEFT_OUT.search(low, max(0, mark.start - _REACH), mark.start)
        ):
            continue
        if mark.kind != "part" or longer.get(mark.start, 0) <= mark.end - mark.start:
            yield mark


def _lower(text: str) -> str:
    """Lower case, one character for one: İ stays as it is."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _take(pattern: re.Pattern[str], low: str, taken: bytearray) -> None:
    for match in pattern.finditer(low):
        if not taken[match.start()]:
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())


def _scheme_marks(low: str, taken: bytearray) -> Iterator[Mark]:
    for match in _DDP_AND_STAGES.finditer(low):
        for digit in _DIGIT.finditer(low, match.start() + len("ddp"), match.end()):
            yield Mark("scheme", _STAGE_OF[digit.group()], digit.start(), digit.end())
        start = match.start() + len("ddp")
        taken[start : match.end()] = b"\1" * (match.end() - start)
    yield from _ordinal_marks(low, taken)
    for match in _STAGES.finditer(low):
        if taken[match.start()]:
            continue
        for digit in _DIGIT.finditer(low, match.start(), match.end()):
            yield Mark("scheme", _STAGE_OF[digit.group()], digit.start(), digit.end())
        taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())


def _ordinal_marks(low: str, taken: bytearray) -> Iterator[Mark]:
    """The first two ... the third: the stages of ZeRO by their order."""
    if not _FIRST.search(low):
        return
    for match in _ORDINALS.finditer(low):
        if taken[match.start()]:
            continue
        taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
        names = [name for name in match.groupdict() if match[name]]
        order = _ORDER[1:] if names == ["second"] else _ORDER
        for scheme, name in zip(order, names, strict=False):
            yield Mark("scheme", scheme, match.start(name), match.end(name))
        if not names:
            yield Mark("scheme", "zero3", match.start(), match.end())


def _gpu_marks(low: str, taken: bytearray) -> Iterator[Mark]:
    for match in GPU.finditer(low):
        if not taken[match.start()]:
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            yield Mark("gpu", match.group(), match.start(), match.end())


def _boundaries(low: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    clauses: list[int] = []
    sentences: list[int] = []
    clause = sentence = 0
    for index, char in enumerate(low):
        clauses.append(clause)
        sentences.append(sentence)
        if char in _SENTENCE_END or (char == "." and _ends_sentence(low, index)):
            sentence += 1
            clause += 1
        elif low.startswith("..", index) or (
            char in _CLAUSE_END and not _inside_number(low, index)
        ):
            clause += 1
    return (*clauses, clause), (*sentences, sentence)


def _ends_sentence(low: str, index: int) -> bool:
    after = low[index + 1 : index + 2]
    if "." in {after, low[index - 1 : index]}:
        return False  # an ellipsis is a pause
    if after.isdigit() or (after.isascii() and after.isalpha()):
        return False
    return not low.endswith(_ABBREVIATIONS, 0, index)


def _inside_number(low: str, index: int) -> bool:
    after = index + 1 + (low[index + 1 : index + 2] == " ")
    return (
        low[index] == "," and low[index - 1 : index].isdigit() and low[after : after + 1].isdigit()
    )
