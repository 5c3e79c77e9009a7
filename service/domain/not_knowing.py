"""Whether an answer says "I do not know": of all that was asked, of its number, or not at all.

Clauses are looked at one by one: not knowing one thing while explaining another is an answer.
"""

import re
from enum import StrEnum
from typing import Final

from service.domain.text import fold


class NotKnowing(StrEnum):
    """`ALL`: nothing else was said. `NUMBER`: something was, but its figure is not known."""

    ALL = "all"
    NUMBER = "number"
    NO = "no"


# ruff: noqa: E501 - patterns are read in one piece
_ZH: Final = (
    r"(?:不|没|没有)(?:太|大|是很|是太|怎么|很|敢)?(?:知道|清楚|了解|懂|熟悉|熟(?!练)|确定|记得|明白|肯定|好说|有把握)"
    r"|(?:不|不太|真不|真的不|还不)会(?=$|[做答算讲说推了啊呀吧的])"
    r"|没(?:有)?(?:了解|接触|用|做|听说|听|研究|看|学|遇到|碰到|想|试|深究|关注|注意|测|量|统计|记)过"
    r"|没(?:有)?(?:什么)?(?:概念|印象|思路|头绪|研究|把握|经验|统计|数据)"
    r"|忘(?:了|记)|记不(?:太)?(?:清|得|住|准)|想不(?:起|出)|说不(?:太)?(?:上|出|准|清|好)|答不(?:上|出)|回答不(?:了|上|出)|算不(?:出|来)"
    r"|一无所知|毫无(?:头绪|概念)|超出(?:了)?我的|不在我的(?:知识|了解)范围"
    r"|^(?:跳过|下一题|过吧?|不会|pass)$"
)
_EN: Final = (
    r"\b(?:do(?:es)? not|don'?t|did not|didn'?t|never) (?:really |actually |honestly |quite |fully )*"
    r"(?:know|remember|recall|understand|learn\w*|use[d]?|hear[d]?|come across|have (?:the|that|an?|any) (?:exact |precise )?(?:number|figure|answer|idea|clue|experience))"
    r"|\b(?:no|not a|haven'?t a) (?:idea|clue)\b|\bnot (?:\w+ )?(?:sure|certain|familiar|aware|confident)\b|\bunsure\b|\buncertain\b"
    r"|\b(?:can'?t|can ?not|couldn'?t|could not) (?:really |quite |honestly )*(?:say|tell|answer|recall|remember|think of|give you)\b"
    r"|\bha(?:ve not|ven'?t) (?:really |ever |actually )*(?:used|seen|learn\w*|worked|heard|done|looked|studied|measured|thought|come across|touched)\b"
    r"|\bi(?:'ve)? (?:\w+ )?forg[oe]t(?:ten)?\b|\bhave no (?:idea|clue|experience|number)\b|\bno experience\b"
    r"|\b(?:beats me|you got me|drawing a blank|out of my depth|over my head|idk|dunno)\b|\b(?:would|'d) be guessing\b|\bonly be guessing\b"
    r"|^(?:pass|skip|next(?: question| one)?(?: please)?|i give up)$"
)
_UNKNOWN: Final = re.compile(f"{_ZH}|{_EN}", re.IGNORECASE)
_NUMBER: Final = re.compile(
    r"数字|数值|数据|具体(?:的)?(?:数|值|多少|大小)|多少|几倍|比例|带宽|精确|准确|倍数|字节"
    r"|\b(?:numbers?|figures?|exact(?:ly)?|precise(?:ly)?|values?|how (?:much|many)|factor|percent\w*|bandwidth|bytes|gb)\b",
    re.IGNORECASE,
)
_FILLER: Final = re.compile(
    r"^(?:嗯+|呃+|额+|啊|那个|这个|抱歉|对不起|不好意思|坦白说|说实话|老实说|实话实说|我想想|让我想想|谢谢|好吧|(?:我们|咱们)?(?:先)?(?:看|来|换|说|问|去)?下一(?:题|个|道)(?:吧|好了)?|这题|这一?点|这块|这方面|这个问题"
    r"|u[mh]+|er+m?|well|hmm+|sorry|i'?m sorry|apologies|honestly|to be honest|frankly|thanks?|thank you|let me think|good question|ok(?:ay)?|oh|i'?m afraid|we can move on|let'?s move on|please)$",
    re.IGNORECASE,
)
_CLAUSES: Final = re.compile(
    r"[。！？!?；;，,、…\n]+|\.(?!\d)|--+|—+|\b(?:but|however|though|although)\b|但是|但|不过|只是|然而",
    re.IGNORECASE,
)
# How far into a clause the words may stand: later they belong to what the clause explains.
_EARLY: Final = 30
# A clause of fewer letters and digits than this explains nothing.
_LEAST_HAN: Final = 5
_LEAST_LATIN: Final = 12


def not_knowing(answer: str) -> NotKnowing:
    """How much of what was asked the answer says it does not know."""
    clauses = [c.strip(" \"'()（）“”：:") for c in _CLAUSES.split(fold(answer).text.lower())]
    said = [c for c in clauses if c and not _FILLER.match(c)]
    unknown = [c for c in said if (m := _UNKNOWN.search(c)) and m.start() <= _EARLY]
    if not unknown:
        return NotKnowing.NO
    if not any(_explains(c) for c in said if c not in unknown):
        return NotKnowing.ALL
    return NotKnowing.NUMBER if any(_NUMBER.search(c) for c in unknown) else NotKnowing.NO


def _explains(clause: str) -> bool:
    letters = sum(c.isalnum() for c in clause)
    is_han = any("\u4e00" <= c <= "\u9fff" for c in clause)
    return letters >= (_LEAST_HAN if is_han else _LEAST_LATIN)
