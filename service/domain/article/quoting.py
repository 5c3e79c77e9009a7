"""Which blocks repeat a wrong answer to correct it: by column, label, heading or lead-in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.domain.article.blocks import Block, BlockKind

WRONG: Final = re.compile(
    r"错误|误区|误解|误答|谬误|迷思|谣言|错答|答错|反例|坑|\b(?:wrong|mistakes?|mistaken|misconceptions?"
    r"|myths?|incorrect|false|bad answers?|errors?|fallac(?:y|ies)|pitfalls?|don'?ts?)\b",
    re.IGNORECASE,
)
# A column that says why something is wrong or what is right speaks for the author.
AUTHOR: Final = re.compile(
    r"正确|更正|纠正|修正|改正|为什么|原因|解析|解释|说明|事实|真相|应该|问题|点评"
    r"|\b(?:right|correct(?:ion|ed)?|why|because|reason|facts?|truth|reality|explanation|fix|instead"
    r"|better|comment|problem)\b",
    re.IGNORECASE,
)
_WRONG_LABEL: Final = (
    r"(?:❌|✗|✘|🚫|👎|"
    r"(?:常见|典型)?(?:错误|误区|误解|谬误|迷思|谣言)(?:的?(?:回答|说法|答案|理解|示范|观点|答法))?"
    r"|(?:common |typical )?(?:wrong|mistake|misconception|myth|incorrect|false|bad)"
    r"(?: (?:answers?|claims?|statements?|beliefs?))?)"
)
LABELLED: Final = re.compile(
    rf"\s*[\"“「『(（\[【]?{_WRONG_LABEL}\s*[#＃]?\d{{0,2}}\s*[\"”」』)）\]】]?\s*(?:[:：—–]|(?<=[❌✗✘🚫👎]))",
    re.IGNORECASE,
)
RIGHT_LABEL: Final = re.compile(
    r"✅|✓|✔|(?:正确|事实|真相|正解|更正|纠正|实际)(?:的?(?:回答|说法|答案|理解|情况))?\s*(?:是|为)?\s*[:：]"
    r"|\b(?:correct(?:ion)?|right|facts?|truth|reality|actually|better|in fact)"
    r"(?: answer)?\s*[:：]",
    re.IGNORECASE,
)
WHOLE_QUOTE: Final = re.compile(r"\s*[\"“「『‘'].{1,600}[\"”」』’']\s*[。.]?\s*", re.DOTALL)
LEADS_IN: Final = re.compile(r"[:：]\s*$")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands above a block: the words of its heading, lead-in and column header."""

    heading: str = ""
    lead_in: str = ""
    header: str = ""


def names_wrong_answers(words: str) -> bool:
    return bool(WRONG.search(words)) and not AUTHOR.search(words)


def quoted_part(block: Block, words: str, around: Surroundings) -> tuple[int, int] | None:
    """The half-open range of `words` that is somebody's wrong answer; None when all is meant."""
    if block.kind is BlockKind.HEADING or (block.kind is BlockKind.CELL and block.row == 0):
        return None
    label = LABELLED.match(words)
    if label or _is_told_wrong(block, words, around):
        right = RIGHT_LABEL.search(words, label.end() if label else 0)
        return (0, right.start() if right else len(words))
    return None


def _is_told_wrong(block: Block, words: str, around: Surroundings) -> bool:
    if block.kind is BlockKind.CELL:
        return names_wrong_answers(around.header)
    if names_wrong_answers(around.lead_in) and (block.quote or block.kind is BlockKind.ITEM):
        return True
    told = bool(WRONG.search(around.heading) or WRONG.search(around.lead_in))
    return told and bool(WHOLE_QUOTE.fullmatch(words))


def headers_of(blocks: Sequence[Block], words: Sequence[str]) -> Mapping[tuple[int, int], str]:
    """The words of each column's header by table and column."""
    return {
        (block.table, block.column): said
        for block, said in zip(blocks, words, strict=True)
        if block.kind is BlockKind.CELL and block.row == 0
    }
