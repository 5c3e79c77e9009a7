"""Whether a figure is told of a run that the speaker made: "we trained", "我们当时跑过"."""

import re
from typing import Final

from service.domain.claims.tokens import Number
from service.domain.claims.view import View

_SHORTEST: Final = 2
_REACH: Final = 200  # characters of the sentence looked at on each side
_DONE: Final = (
    "trained|ran|used|set|saw|measured|observed|dropped|fell|went|hit|peaked|turned|switched|moved"
    "|got|brought|enabled|cut|reduced|had|tried|ended|started|launched|pretrained|finetuned|tuned"
    "|deployed|squeezed|managed|needed|took|reached|built|migrated|reported|noticed|found|came|was"
    "|were|sat|settled|hovered|landed|stayed|climbed|grew|stood|brought|shrank|applied|chose|did|fit"
)
_OURS: Final = re.compile(
    rf"(?<![a-z])(?:i|we)(?: [a-z]+ly| once| also| then| first| later| just)? (?:{_DONE})(?![a-z])"
    rf"|(?<![a-z])(?:my|our) (?:[a-z0-9.-]+ ){{1,6}}?(?:{_DONE}|[a-z]{{2,}}ed)(?![a-z])"
    r"|(?<![a-z])(?:in|on|at|during|for) (?:my|our) (?:[a-z0-9.-]+ ){0,3}?"
    "(?:project|work|team|cluster|job|company|internship|runs?|training|setup|experiments?)"
    r"|(?<![a-z])(?:last (?:year|month|time|week|quarter)|back then|at my (?:last|previous))"
    r"(?![a-z])"
    "|(?:我们?|咱们?|项目|团队|组里|线上|实习|当时|上次|之前|那次|去年|上个月|前司|公司)[^。]{0,40}?"
    "(?:过(?!程|去|高|低|大|小|多|了解)|了(?!解)|当时|上次|下来|实习期间|出来)"
    "|(?:当时|上次|那次|去年|上个月|实习时)"
)


_GOES_ON: Final = re.compile(
    "了|后来|降到|之后|稳定|冲到|跑到|掉到|涨到|最后|结果"
    rf"|(?<![a-z])(?:{_DONE})(?![a-z])"
)
_IN_THEORY: Final = re.compile(
    "理论|按公式|公式|算下来|应该|按理|论文|(?<![a-z])(?:theor|formula|paper|should|in principle)"
)


def is_told_from_experience(view: View, number: Number) -> bool:
    """Said in the number's own sentence, or in the two before when the tale goes on."""
    start, stop = _sentence(view, number.start, number.end)
    if _IN_THEORY.search(view.low, start, number.start):
        return False
    if _OURS.search(view.low, start, stop):
        return True
    if start < _SHORTEST or not _GOES_ON.search(view.low, start, stop):
        return False
    first, _ = _sentence(view, start - 2, start - 2)
    if first >= _SHORTEST:
        first, _ = _sentence(view, first - 2, first - 2)
    return _OURS.search(view.low, first, start) is not None


def _sentence(view: View, start: int, end: int) -> tuple[int, int]:
    """From where to where its sentence reaches, looked at so far."""
    home = view.sentence(start)
    first = start
    while first and start - first < _REACH and view.sentence(first - 1) == home:
        first -= 1
    stop = end
    while stop < len(view.low) and stop - end < _REACH // 2 and view.sentence(stop) == home:
        stop += 1
    return first, stop
