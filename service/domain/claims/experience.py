"""Whether a figure is told of a run that the speaker made: "we trained", "我们当时跑过"."""

import re
from typing import Final

from service.domain.claims.tokens import Number
from service.domain.claims.view import View

_REACH: Final = 200  # characters of the sentence looked at on each side
_DONE: Final = (
    "trained|ran|used|set|saw|measured|observed|dropped|fell|went|hit|peaked|turned|switched|moved"
    "|got|brought|enabled|cut|reduced|had|tried|ended|started|launched|pretrained|finetuned|tuned"
    "|deployed|squeezed|managed|needed|took|reached|built|migrated|reported|noticed|found|came|was"
    "|were|sat|hovered|landed|stayed|climbed|grew|stood|brought|shrank|applied|chose|did|fit"
)
_OURS: Final = re.compile(
    rf"(?<![a-z])(?:i|we)(?: [a-z]+ly| once| also| then| first| later| just)? (?:{_DONE})(?![a-z])"
    rf"|(?<![a-z])(?:my|our) (?:[a-z0-9.-]+ ){{1,4}}?(?:{_DONE})(?![a-z])"
    r"|(?<![a-z])(?:in|on|at|during|for) (?:my|our) (?:[a-z0-9.-]+ ){0,3}?"
    "(?:project|work|team|cluster|job|company|internship|runs?|training|setup|experiments?)"
    r"|(?<![a-z])(?:last (?:year|month|time|week|quarter)|back then|at my (?:last|previous))"
    r"(?![a-z])"
    "|(?:我们?|咱们?|项目|团队|组里|线上|实习|当时|上次|之前|那次|去年|上个月|前司|公司)[^。]{0,40}?"
    "(?:过(?!程|去|高|低|大|小|多|了解)|了(?!解)|当时|上次|下来|实习期间|出来)"
    "|(?:当时|上次|那次|去年|上个月|实习时)"
)


def is_told_from_experience(view: View, number: Number) -> bool:
    """Of the number's own sentence only."""
    home = view.sentence(number.start)
    start = max(0, number.start - _REACH)
    while view.sentence(start) != home:
        start += 1
    stop = min(len(view.low) - 1, number.end + _REACH // 2)
    while view.sentence(stop) != home:
        stop -= 1
    return _OURS.search(view.low, start, stop + 1) is not None
