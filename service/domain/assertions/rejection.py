"""Sentences that name a belief in order to reject it: nobody is accused on their words.

Stance inside a clause is read in `stance`; here the signs stand around it: "a common myth: ...",
"my colleague claimed that ..., and I disagreed", "……这种说法是错误的". Accusing an honest speaker
costs more than missing one belief, so one sign is enough.
"""

import re
from collections.abc import Sequence
from typing import Final

from service.domain.text import Span

# A sentence runs to its stop; a full stop between digits ends none.
SENTENCE: Final = re.compile(r"[^。！？!?\n.]+(?:\.(?!\s|$)[^。！？!?\n.]*)*[。！？!?\n.]?")
# What rejects the sentence it stands in, wherever it stands.
NAMED: Final = re.compile(
    r"\bmyths?\b|\bmisconceptions?\b|\bmisunderstanding\b|\bit(?: is|'s) (?:not true|untrue|false|"
    r"wrong|incorrect|a mistake)\b|\bnot true that\b|\bwrong to (?:say|think|claim|believe)\b|"
    r"(?:不是|并非|不)像[^，。]{0,14}(?:说|讲|想|写|传|以为|认为)的(?:那样|那么|一样)|"
    r"误区|误解|谣言|谬误|(?:说法|观点|看法|理解|结论).{0,8}(?:是错|错误|不对|不成立|不准确|有误)|"
    r"并非如此|不是这样|不是真的|≠|!=|说法.{0,12}(?:不符|过头)|说.{0,40}(?:就|是|太|也)?过头了|"
    r"\bi(?:'ve| have)? used to (?:say|think|believe)\b|\bmy first (?:guess|thought)\b|"
    r"\bis it (?:true|right|correct) that\b|"
    r"\b(?:rule|claim|idea|belief|notion) that\b.{0,120}\bis too\b|"
    # A correction in mid-sentence: "..., well no, ...".
    r"[,，]\s*(?:well,? )?no,|"
    # A quotation and a short no behind it.
    r"[\"”」』]\s{0,2}(?:(?:这句|这话)\s{0,2})?(?:[-–—,，:：]\s{0,2})?"
    r"(?:no\b|nope\b|not\b|is wrong|wrong\b|不对|错)|"
    # Somebody's claim, which the speaker does not take over.
    r"\b(?:somebody|someone|people|some|colleague|teammate) "
    r"(?:claim|insist|argue|assert)(?:ed|s)?\b|"
    r"\b(?:saying|claiming|thinking|believing|assuming)\b.{0,160}\bis (?:wrong|false|incorrect)\b",
    re.IGNORECASE,
)
# Somebody else says it ...
REPORTED: Final = re.compile(
    r"\b(?:colleague|teammate|reviewer|friend|manager|interviewer|somebody|someone|people|many|"
    r"some|others|he|she|they|blogs?|articles?|posts?|one)\b.{0,40}?\b(?:claim|insist|believe|"
    r"think|thought|say|said|argue|assume|ask|tell|told|worr|might)|\bheadlines? says?\b|"
    r"\b(?:is|are) often (?:called|said|described)|"
    r"\bso-called\b|"
    r"(?:同事|同学|朋友|老板|面试官|有人|别人|网上|博客|文章|很多人|有些人|他|她|他们).{0,20}?"
    r"(?:说|认为|觉得|坚持|以为|声称|问)|都说|资料称|据称|号称|有说法|(?:常被|经常被|被)(?:称为|叫做|说成|当成)",
    re.IGNORECASE,
)
# ... and the speaker turns it down, there or in the next sentence.
TURNED_DOWN: Final = re.compile(
    r"\bdisagree|\bwrong\b|\bmistaken\b|\bmistake\b|\bfalse\b|\bnot (?:the case|true|so|correct)\b|"
    r"\bshowed (?:him|her|them)\b|\bcorrected\b|\b(?:really|actually|in fact|in reality)\b|"
    r"\bbut (?:it|that|this) (?:is|does|do) ?n[o']t\b|\bi said no\b|"
    r"\b(?:but|yet|however)\b|\bit (?:does|is|was|did) ?n[o']t\b|\bask (?:them|him|her)\b|"
    r"不一定|未必|不见得|差远|不符|不同意|不赞同|反驳|不对|错了|错误|说不是|说不对|纠正|其实|实际上|事实上|并不|我给.{0,4}看了",
    re.IGNORECASE,
)
# A sentence that turns down the one before it.
ANSWERS_NO: Final = re.compile(
    r"\s*(?:that|this|which) (?:is|'s|was) (?:wrong|false|not true|incorrect|a mistake|a myth)|"
    r"\s*(?:not true|wrong|no)\b[,.!]|"
    r"\s*(?:这|那|这句|这话|以上)?(?:是)?(?:不对|错的|错了|不是真的)",
    re.IGNORECASE,
)


def rejected_spans(text: str) -> tuple[Span, ...]:
    """The sentences whose beliefs the speaker turns down, in order; linear in length."""
    sentences = [Span(m.start(), m.end()) for m in SENTENCE.finditer(text)]
    pieces = [span.of(text) for span in sentences]
    return tuple(span for i, span in enumerate(sentences) if _is_rejected(pieces, i))


def _is_rejected(pieces: Sequence[str], at: int) -> bool:
    here = pieces[at]
    following = pieces[at + 1] if at + 1 < len(pieces) else ""
    if NAMED.search(here) or ANSWERS_NO.match(following):
        return True
    if not REPORTED.search(here):
        return False
    return bool(TURNED_DOWN.search(here) or TURNED_DOWN.search(following))


def stands_outside(text: str, quote: str, rejected: Sequence[Span]) -> bool:
    """Whether `quote` stands somewhere outside of the rejected sentences."""
    at = text.find(quote)
    if at < 0 or not rejected:
        return True
    while at >= 0:
        span = Span(at, at + max(1, len(quote)))
        if not any(span.overlaps(r) for r in rejected):
            return True
        at = text.find(quote, at + 1)
    return False
