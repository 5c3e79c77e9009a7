"""Chinese bullets taken apart and put together again, without a word that was not there."""

import re
from collections.abc import Sequence
from typing import Final

from service.domain.rewriting.parts import Parts

_TRIMS: Final = (
    (re.compile(r"成功地?(?=[\u3400-\u9fffA-Za-z])"), ""),
    (re.compile(r"^(?:本人|我)?主要(?=负责)"), ""),
    (re.compile(r"^(?:本人|我们|我)(?=[\u3400-\u9fff])"), ""),
    (re.compile(r"(?:等)?(?:相关|有关)(?:的)?(?:工作|事宜|事项)(?=[，,；;。]|$)"), ""),
    (re.compile(r"(?<=[\u3400-\u9fff])的?(?:等)?工作(?=[，,；;。]|$)"), ""),
    (re.compile(r"等(?=[，,；;。]|$)"), ""),
    (re.compile(r"进行了(?=[\u3400-\u9fff])"), "进行"),
)
_VERBS: Final = (
    "优化|改进|改造|重构|分析|测试|评估|部署|训练|微调|适配|迁移|验证|调优|清洗|封装|压测"
)
_NOUNS: Final = (
    "预训练|设计|实现|开发|搭建|训练|优化|维护|调优|部署|评估|测试|迁移|分析|清洗|微调|适配|研发"
)
# 对 X 进行优化 says 优化 X with more words.
_PERFORMED: Final = re.compile(
    rf"对(?P<what>[^，,；;。]{{2,40}}?)进行(?:了)?(?:了)?(?P<verb>{_VERBS})"
)
# 负责 X 的设计和实现 says 设计和实现 X.
_DUTY: Final = re.compile(
    rf"^负责(?:了)?(?P<what>[^，,；;。]{{2,60}}?)的?(?P<verbs>(?:{_NOUNS})(?:[、和与及](?:{_NOUNS})){{0,3}})(?=[，,；;。]|$)"
)
_CUT: Final = re.compile(r"[，,；;。]\s*")
_LEADS: Final = re.compile(r"^(?:最终|从而|进而|使得|使|让|并|且|结果|因此)*(?:将|把)?")
_CHANGE: Final = re.compile(
    r"下降|降低|降至|降到|降|减少|减半|缩短|节省|提升|提高|提至|提速|增加|加速|翻倍|达到|达|从.{1,24}[到至]|→"
)
_DIGIT: Final = re.compile(r"\d|[一二两三四五六七八九十百]成|一半|减半|翻倍|百分之")
_SITUATION: Final = re.compile(r"^(?:针对|面对|由于|因为|鉴于|为解决|为了|为(?=[^，,]{2,30}$)|因)")
_BY: Final = re.compile(r"^通过")


def tidy(text: str) -> str:
    """Fillers out, duties turned into deeds; claims no more than was said."""
    text = text.strip().rstrip("。.；; ")
    for pattern, plain in _TRIMS:
        text = pattern.sub(plain, text)
    text = _PERFORMED.sub(lambda m: _joined(m["verb"], m["what"]), text)
    return _DUTY.sub(lambda m: _joined(m["verbs"], m["what"]), text).strip()


def _joined(verb: str, what: str) -> str:
    """A blank between Chinese and Latin where the text has it so."""
    what = what.strip()
    return f"{verb} {what}" if what[:1].isascii() else f"{verb}{what}"


def take_apart(text: str) -> Parts:
    """Situation, action and results; a result is a clause with a change and a figure."""
    clauses = [c for c in _CUT.split(text) if c]
    situation = clauses[0] if len(clauses) > 1 and _SITUATION.match(clauses[0]) else ""
    rest = clauses[1:] if situation else clauses
    results: list[str] = []
    while len(rest) > 1 and _CHANGE.search(rest[-1]) and _DIGIT.search(rest[-1]):
        results.insert(0, _LEADS.sub("", rest.pop()))
    return Parts(situation, "，".join(rest), tuple(results))


def result_first(parts: Parts) -> str:
    """The result, a colon, and how."""
    action = _BY.sub("", parts.action)
    ahead = f"{parts.situation}，" if parts.situation else ""
    return f"{'，'.join(parts.results)}：{ahead}{action}"


def in_order(parts: Parts, situation: str, results: Sequence[str]) -> str:
    pieces = [situation, parts.action, "，".join(results)]
    return "；".join(p.strip().rstrip("。；;，, ") for p in pieces if p.strip())


def with_figure(text: str, figure: str) -> str:
    return f"{text}（{figure.strip().rstrip('。；; ')}）"
