"""What an answer is good for: a deed to word, a "nothing", a guess, or an order to the machine.

Only what is said outright becomes a source. Rules and words only; no engine is asked.
"""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from enum import StrEnum
from typing import Final

from service.domain.language import msg
from service.domain.rewriting.figures import find_figures
from service.domain.text import fold
from service.domain.whose import is_order, own_words


class Worth(StrEnum):
    """What may be done with an answer; only `said` is ever worded."""

    SAID = "said"
    NOTHING = "nothing"  # it denies that there is anything: nothing to add, not asked again
    GUESSED = "guessed"  # asked again with the reason
    ORDERED = "ordered"  # asked again with the reason
    OTHERS = "others"  # somebody else's deed


DOUBTS: Final = {
    Worth.GUESSED: msg(
        "Your answer leaves open whether it is so; say it as you would stand by it."
    ),
    Worth.ORDERED: msg("This is an instruction, not an answer; it is not used."),
    Worth.OTHERS: msg("This tells what others did; say what you did."),
}

_NOTHING: Final = re.compile(
    r"^\W*(?:none|nothing|no|nope|n/?a|nil|null|not (?:applicable|measured|known|tracked|recorded|relevant)|unknown|skip|pass|same|-+|无|没有?|没啥|不适用|暂无|未知|没测(?:过|量)?|未测|不清楚|不知道|跳过|略)\W*$"
    r"|^\W*(?:none|nothing|no|nope|无|没有?)\s*[,，.。;；:：-]"
    r"|\b(?:did|does|do|was|were|is|has|have|had|could)(?:n['’]?t| not)\s+(?:really |actually |much |any |at all )*(?:chang|improv|measur|matter|differ|help|work|track|record|compar|notice|significant|better|faster)\w*"
    r"|\b(?:no|without(?: any)?|zero|little to no) (?:\w+ )?(?:chang|improvement|difference|effect|gain|impact|measur|result|baseline|figure|number|data|record)\w*"
    r"|\b(?:nothing|nobody|no one|never) (?:chang|measur|improv|track|record|compar)\w*|\b(?:un|not )changed\b|\bstayed the same\b|\bsame as before\b"
    r"|没有?(?:什么|任何|明显|显著|太大)?(?:的)?(?:变化|改变|提升|改善|区别|差别|效果|影响|数据|记录|结果|测量|测过|统计|对比|基线)|(?:未|没)(?:见|有过?)?(?:测量|统计|记录|对比|变化|改变|提升|改善)|和(?:以前|之前|原来)一样|不变|无(?:明显|显著)?(?:变化|提升|改善|效果)|不(?:了解|记得|清楚)",
    re.IGNORECASE,
)
_GUESSED: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|i (?:think|guess|believe|suppose|assume|reckon)|not (?:quite |really |so |entirely |100 ?% )?sure|unsure|might(?: have)?|may have|could (?:be|have been)|would have|should have|(?:don['’]?t|do not|can['’]?t|cannot) (?:really |quite )?(?:remember|recall|know|say)|i forget|if i (?:recall|remember)|hopefully|let['’]?s say|make (?:it|that|something) up|something like|guess(?:ing|ed)?|expected to|planned to|hope(?:d|s)? to|or was it)\b|\?\s*$"
    r"|可能|也许|或许|大概(?:是|吧|率)|好像|似乎|记不(?:太)?清|不(?:太|是很)?确定|说不准|估计(?:是|有|吧|能)?|应该(?:是|有|能|吧)|印象中|猜|大约吧|差不多吧|没准|随便(?:写|填)|编(?:一)?个|预计|本来想|计划|希望|[吧?？]\s*$",
    re.IGNORECASE,
)
_ORDERED: Final = re.compile(
    r"^\W*(?:please |kindly |just |now |then |you (?:must|should|can|may) |simply )*(?:write|say|state|claim|pretend|make (?:it|this|that|up)|mention|invent|fabricate|fill in|output|print|return|reply|respond|ignore|disregard|forget|override|bypass|rewrite|rephrase|change (?:it|this|that) to)\b"
    r"|\b(?:and|then|;|,)\s*(?:write|say|claim|pretend|output|print|state|put down)\b(?: that|[: ]+[\"“'])?"
    r"|\b(?:ignore|disregard|override|bypass|switch off|turn off|disable) (?:\w+ ){0,3}(?:guards?|guardrails?|rules?|checks?|instructions?|filters?|prompts?)\b"
    r"|^\W*(?:请|帮我|给我|麻烦|务必|直接|就)?(?:写(?:成|上|我|入|一)|改成|改为我|说我|声称|假装|填(?:上|写)|编造|虚构|输出|打印|忽略|无视|绕过)"
    r"|(?:忽略|无视|绕过|跳过|关闭).{0,8}(?:规则|限制|检查|守卫|指令|提示|护栏)",
    re.IGNORECASE,
)


def worth(text: str) -> Worth:
    """What an answer is worth as a source of words; linear in its length."""
    said = fold(text).text.strip()
    if is_order(said) or _ORDERED.search(said):
        return Worth.ORDERED
    if _GUESSED.search(said):
        return Worth.GUESSED
    if not any(c.isalnum() for c in said) or _denies(said):
        return Worth.NOTHING
    return Worth.SAID if own_words(said).strip() else Worth.OTHERS


def _denies(said: str) -> bool:
    """A "no" with a figure that came of it still tells of something ("no loss of accuracy, 2x")."""
    denied = _NOTHING.search(said)
    return denied is not None and not (denied.start() > 0 and find_figures(said))
