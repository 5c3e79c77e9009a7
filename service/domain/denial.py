"""Mentions that deny: "have not used Megatron" names Megatron and claims nothing.

A cue reaches forward or backward inside its clause, and through a list of names.
"""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

# A cue denies what follows within this many characters of it (or a list begun there).
REACH: Final = 16

_CLAUSE_END: Final = re.compile(
    r"[。；;！!？?\n]|\.(?=\s|$)|[，,](?=\s*(?:但|而是|不过|却|but|however|although))"
)
_JOIN: Final = re.compile(
    r"[\s、，,/|&]*(?:和|与|及|或|以及|and|or|nor)?[\s、，,/|&]*", re.IGNORECASE
)

_BEFORE: Final = re.compile(
    r"(?:从未|尚未|还未|并未|未曾|未能|未(?!来)|没有|没(?!有?(?:问题|错))|并没有|不(?:太|大)?(?:熟悉|了解|会|懂|擅长|具备|涉及|使用|用|包括|含|依赖|是(?!很难))"
    r"|缺乏|缺少|无(?=.{0,24}(?:经验|基础|背景))|而非|而不是|并非|代替不了"
    r"|(?:计划|打算|准备|希望|想要?|有兴趣|期待|将要?)(?:去)?(?:学习|学|接触|了解|尝试|补)"
    r"|\b(?:have|has|had|did|do|does|is|are|was|am)(?:\s+not|n[o']?t|n’t)(?!\s+only)(?:\s+(?:yet|ever|actually))?"
    r"|\b(?:never|without|lack(?:s|ing|ed)?|unfamiliar\s+with|rather\s+than|instead\s+of|not\s+with"
    r"|no\s+(?:prior|previous|hands-on|direct|real|production|practical|professional|commercial)?\s*"
    r"(?:experience|exposure|knowledge|background|work)?(?:\s+(?:with|in|of|on|using))?|not\s+(?!only)"
    r"|(?:plan(?:ning|s)?|want|hop(?:e|ing)|would\s+like|eager|keen|interested\s+in|looking|like)\s+"
    r"(?:to\s+)?(?:learn(?:ing)?|explor(?:e|ing)|pick(?:ing)?\s+up|try(?:ing)?))\b"
    r")",
    re.IGNORECASE,
)
_BEFORE_TAIL: Final = re.compile(
    r"\s*(?:过|接触过|接触|使用过|使用|用过|用|做过|做|实际|真正|直接|深入|系统|亲手|上手|任何|的|到|对|"
    r"yet|ever|used|using|use|worked|work|working|with|touched|tried|trained|run|written|done|built|deployed|any|"
    r"on|in|of|an?|the|hands-on|familiar|experienced|learning|learn|about|more|than|over|beyond|actual|real|production|much|such|as|"
    r"相关|生产环境|实践|超过|，|\s)*",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\s*(?:等|相关|方面|的|也|则|这块|经验|这些|框架|库|工具)*\s*"
    r"(?:从未|尚未|还没|没有?(?:用过|接触|做过|实践|经验|使用|碰过|上手)|未(?:用过|接触|使用|涉及|实践)|不(?:太)?(?:熟悉|了解|会|懂|涉及)"
    r"|经验(?:较少|不足|为零|欠缺|缺乏|有限)|(?:is|are|was|were|has|have)(?:\s+not|n['’]t)|not\s+(?:yet|used|included)"
    r"|\(\s*(?:not\s+yet|none|no\s+experience|未实践|未使用|待学习|planned)|（\s*(?:未|待|计划)|:\s*(?:none|no experience|无|暂无))",
    re.IGNORECASE,
)
# Words that turn a cue around: "not only NCCL", "不仅熟悉 NCCL".
_TURNED: Final = re.compile(
    r"(?:不仅|不但|不只|不止|无不|not\s+only|not\s+just|without\s+(?:losing|changing|loss))",
    re.IGNORECASE,
)


def denied_ranges(text: str, mentions: Sequence[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Which of the (start, end) mentions the text denies; linear in the length of the text."""
    mentions = sorted(mentions)
    denied = {m for m in mentions if _denied_after(text, m)}
    clauses = _clauses(text)
    for cue in _BEFORE.finditer(text):
        if _TURNED.match(text, cue.start()) or _TURNED.match(text, max(0, cue.start() - 1)):
            continue
        limit = clauses[bisect_left(clauses, cue.end())]
        denied |= _chain(text, cue.end(), limit, mentions)
    denied |= _lists_before(text, denied, mentions)
    return frozenset(denied)


def _clauses(text: str) -> list[int]:
    return [*(m.start() for m in _CLAUSE_END.finditer(text)), len(text)]


def _chain(
    text: str, at: int, limit: int, mentions: Sequence[tuple[int, int]]
) -> set[tuple[int, int]]:
    """The first mention right behind the cue, and the list it heads."""
    chain: set[tuple[int, int]] = set()
    for index in range(bisect_left(mentions, (at, 0)), len(mentions)):
        start, end = mentions[index]
        if end > limit or start - at > REACH * 2:
            break
        between = text[at:start]
        joined = _JOIN.fullmatch(between) if chain else _reaches(between)
        if not joined:
            break
        chain.add((start, end))
        at = end
    return chain


def _reaches(between: str) -> bool:
    tail = _BEFORE_TAIL.match(between)
    return tail is not None and tail.end() == len(between)


def _denied_after(text: str, mention: tuple[int, int]) -> bool:
    return _AFTER.match(text, mention[1]) is not None


def _lists_before(
    text: str, denied: set[tuple[int, int]], mentions: Sequence[tuple[int, int]]
) -> set[tuple[int, int]]:
    """A list denied at its end ("Megatron 和 Slurm 没用过") is denied from its head."""
    more: set[tuple[int, int]] = set()
    whole = False  # whether the list that the following mention belongs to is denied at its end
    for mention, following in reversed(list(pairwise(mentions))):
        tied = _tie(text[mention[1] : following[0]])
        whole = tied and (whole or (following in denied and _denied_after(text, following)))
        more |= {mention} if whole else set()
    return more


def _tie(between: str) -> bool:
    return bool(between) and _JOIN.fullmatch(between) is not None
