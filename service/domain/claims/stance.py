"""Who says a number, and whether they stand by it: quoted, rejected, asked, supposed, taken back."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from service.domain.claims.tokens import Number, Unit
from service.domain.claims.view import View


class Stance(StrEnum):
    """Only `asserted` is a claim."""

    ASSERTED = "asserted"
    ASKED = "asked"
    REJECTED = "rejected"
    REPORTED = "reported"
    SUPPOSED = "supposed"
    TAKEN_BACK = "taken_back"


def _words(latin: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z])|{chinese}")


_ASKING: Final = _words(
    r"is it|is that|is this|isn't it|are they|does|do you|did|would|could|should|can it|can you|can a|can we|"
    r"how|why|what|which|whether|when is|where|is the|are the|is zero|is stage|is adam|wonder|wondering|"
    r"not sure|unsure|am i right|or is it|will it|is there|has anyone|don't know|do not know|"
    r"can't remember|cannot remember|no idea",
    r"是不是|是否|吗|么[?？]?$|多少|怎么|为什么|为何|哪|请问|请教|难道|会不会|能不能|有没有|几个|还是说|不确定|不知道|不清楚|"
    r"记不清|想问|对不对|呢[?？]?$|何以|凭什么|究竟|到底|忘了",
)
_TAG: Final = re.compile(r"(?:对吧|是吧|没错吧|right|correct|ok|okay|嘛)[?？ ]*$")
_UNSURE: Final = _words(
    r"whether|not sure|unsure|wonder|wondering|don't know|do not know|no idea|can't remember|cannot remember",
    r"不确定|不知道|不清楚|记不清|忘了|还是说",
)
_SUPPOSING: Final = _words(
    r"if|suppose|supposing|assume|assuming|imagine|say we|let's say|what if|were it|unless|provided|had it|"
    r"hypothetically|pretend",
    r"如果|假如|假设|要是|假定|倘若|设想|若(?!干)|万一|就算|即使|哪怕|除非|比方说|设(?=模型|有)",
)
_WISH: Final = _words(
    r"would be|would have|would need|would take|would only|would cost|we would|it would|if only|i wish|were|could have",
    r"就好了|该多好|多好|才行|就可以了|就能",
)
_REPORTING: Final = _words(
    r"(?:some|many|most|other|lots of|plenty of) (?:people|folks|candidates|engineers|blogs|posts|articles|tutorials|"
    r"sources|colleagues|notes|guides)|people (?:say|think|believe|claim|often|tend|like)|blogs?|a blogger|"
    r"(?:blog )?posts?|articles?|tutorials?|someone|somebody|colleagues?|forums?|reddit|zhihu|stack ?overflow|myth|"
    r"misconception|it is (?:often|sometimes) (?:said|claimed)|rumou?r|allegedly|supposedly|folklore|commonly (?:said|claimed|"
    r"believed)|i used to think|i once thought|i thought|i had thought|i believed|chatgpt|textbook error|the internet|"
    r"the claim|you (?:said|say|claim|told|mentioned)|he (?:said|says|claims|claimed)|she (?:said|says|claims|claimed)|"
    r"they (?:say|said|claim|claimed)|(?:you|he|she|they) (?:wrote|write|put|said|answered|claim|stated|noted|had)|"
    r"(?:your|his|her|their|this|that) [a-z]{2,14} (?:says|said|claims|states|reads|wrote|has|shows)|everyone says|one hears|is said to|wrongly|mistakenly|contrary to|a friend|"
    r"(?:the|an?|my|our|his|her|one|another) [a-z]{2,14}(?: [a-z]{2,12})? (?:said|says|claimed|claims|wrote|writes|told|thought|thinks|"
    r"believed|insisted|insists|argued|argues|put|quoted|had)|always (?:said|thought|assumed|told)|used to (?:say|think|believe|write|assume|answer)|"
    r"my (?:friend|teammate|coworker|senior)|quoting|according to (?:some|a blog|the article)",
    r"有人|有些人|很多人|不少人|多数人|许多人|人们|大家都说|大家说|网上|文章|博客|帖子|同事|同学|知乎|据说|传言|谣传|号称|以为|误认为|误以为|"
    r"误区|常见错误|以前.{0,6}(?:说|以为|觉得|写|记|背|答)|之前.{0,6}(?:说|以为|觉得|写|记|背|答)|曾经|我原来以为|我之前以为|我一开始以为|以前以为|别人|网友|有的人|群里|坊间|有的资料|有资料|某些资料|教程|你刚才说|你说|您说|面试官说|"
    r"(?:他|她|他们|对方|候选人|学生|同学|面试者|作者|你|您|原文作者|楼主|题主).{0,4}(?:说|写|答|讲|认为|觉得|以为|给出)(?:的|出|成|了)?|公众号|流传|盛传|常说|朋友|师兄|都说|说法|有一种观点|听说|错误地|老被说成|被说成|被写成|误写成|写成|当成|老有人",
)
_AUTHORITY: Final = _words(r"paper|documentation|docs|official", r"论文|官方|文档|原文")
_BACK_TO_SELF: Final = _words(
    r"but|actually|in fact|in reality|however|whereas|the truth|really|correct(?:ly)?|right answer|"
    r"in truth|the right|later|turns out|learned|learnt|corrected|these days|nowadays|i now|realised|realized|found out|now know|it is|it's|should be|truth is|the actual|yet",
    r"但|其实|实际上|事实上|不过|然而|正确|应该|应为|真正|实则|而是|实际|真实|本来|应当|准确|后来|不对|才知道|才明白|现在知道|查了",
)
_REFUSING_AFTER: Final = _words(
    r"(?:is|are|was|were|'s|would be|be) (?:just |simply |plainly |also |both |all |flat |flatly )?(?:wrong|false|incorrect|"
    r"a mistake|not right|not true|not correct|nonsense|a myth|mistaken|a misconception|an error|untrue|rubbish|off|inaccurate|"
    r"impossible|not what|the wrong|a common mistake|a common error|outdated)|doesn't hold|does not hold|isn't right|isn't true|"
    r"isn't correct|which is wrong|wrong[.!]|that is wrong|that's wrong|not so",
    r"是错|错的|错了|错误|不对|不正确|不准确|有误|不成立|是误区|胡说|搞错|站不住|是假的|不靠谱|谣言|并非如此|不是这样|不是这么|混淆|不可信|"
    r"扯|瞎说|算错",
)
_REFUSING_BEFORE: Final = re.compile(
    r"(?:(?<![a-z])(?:not|isn't|aren't|wasn't|doesn't (?:need|take|cost|use|move|require)|does not (?:need|take|cost|use|move|require)|"
    r"don't (?:need|take)|never|instead of|rather than|nor|no longer|neither|isn't just|wrong to say|wrong that|unlike|"
    r"don't say|do not say|avoid saying|mistake to say|forget)(?![a-z])|不是|并不是|并非|不是什么|而不是|而非|不为|不需要|不用|"
    r"别说|不能说|不要写|不要说|不应该是|不该是|绝不是|不等于|可不是|决不是|哪有|没有|不会是|不要记成|别记成|别写成|不要写成|不能写成|不再是|不可能是|误作|错写成|"
    r"错记成|错当成|写错成|不能算成|别算成|不要算成|从来不是)"
    r"(?: ?(?:the|a|an|it is|at|even|just|simply|only|为|是|要|做|那个|所谓的|简单的|单纯的|总共|什么|quite|really|actually|have|be|take|need|needs?|cost|take|"
    r"with|of|exactly|about|约|大概|正好|all|every|each|per|gpu|卡|每卡|每张卡|写|等于|按|按照|用|多|出|到|的|\"|'|"
    r"ddp|数据并行|通信|显存|memory|traffic|平均|固定|always|一直|永远|那样|plain))* ?$"
)
_BOUND: Final = re.compile(
    r"(?:not|no) (?:more|less|fewer|over|under) than ?$|不(?:超过|到|足|少于|低于|大于|止|小于|高于) ?$|没有? ?超过 ?$|不仅仅?是?|not only|not just|不止|no more|不光"
)
_TAKING_BACK: Final = _words(
    r"no,? wait|wait|scratch that|correction|sorry|i mean|i meant|my mistake|my bad|let me correct|let me fix|"
    r"let me redo|i misspoke|strike that|oops|actually no|no no|no sorry|hold on|rather,|i take that back|"
    r"pardon|er no|uh no|um no|hmm no|not right,|that's not right|that is not right|let me rephrase|make that|"
    r"well no|no actually|no, it|no, that|apologies|excuse me|correcting myself|on second thought|no it's|no it is|no that's|i said that wrong|or rather|"
    r"let me start over|let me recompute",
    r"哦不|噢不|喔不|啊不|呃不|不对|不不|说错|口误|更正|纠正一下|等一下|等等|等下|等会|我记错|记错了|抱歉|不好意思|应该说|我重新|重新算|算错|讲错|"
    r"搞错了|搞混|我错了|改一下|刚才错|写错|sorry|修正|准确地说应该|哎不|嗯不|诶不|错了错了|弄反|弄混|记反|收回|不,|不是[,\ue020]|啊不[,\ue020 ]|不[,\ue020]",
)
_NEGATES_RETRACTION: Final = re.compile(
    r"没说错|没有说错|没错|不会错|等等(?:的|方面|。|$)|不对称|不对齐|不对外"
)
_QUOTED: Final = re.compile(r'"[^"]{0,200}"')
_SENTENCE_REACH: Final = 240


class Stances:
    """Judges each number of a view once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._sentences = _spans(view)

    def of(self, number: Number, later: Number | None) -> Stance:
        """`later` is the next number of the same sort, if one follows."""
        start, end = self._sentence(number)
        if self._is_asked(number, start, end):
            return Stance.ASKED
        if self._is_taken_back(number, later, end):
            return Stance.TAKEN_BACK
        if self._is_refused(number, start, end, later):
            return Stance.REJECTED
        if self._is_reported(number, start):
            return Stance.REPORTED
        if self._is_supposed(number, start, end):
            return Stance.SUPPOSED
        return Stance.ASSERTED

    def _sentence(self, number: Number) -> tuple[int, int]:
        index = self._view.sentence(number.start)
        return self._sentences[index]

    def _clause_start(self, number: Number, floor: int) -> int:
        clause = self._view.clause(number.start)
        at = bisect_left(self._view.sheet.clauses, clause)
        return max(at, floor)

    def _clause_end(self, number: Number) -> int:
        clause = self._view.clause(max(number.start, number.end - 1))
        return bisect_left(self._view.sheet.clauses, clause + 1)

    def _is_asked(self, number: Number, start: int, end: int) -> bool:
        low = self._view.low
        sentence = low[start : min(end + 1, start + 2 * _SENTENCE_REACH)]
        first = max(self._clause_start(number, start), number.start - _SENTENCE_REACH)
        last = min(self._clause_end(number) + 1, number.end + _SENTENCE_REACH)
        clause = low[first:last]
        if not sentence.rstrip(" ").endswith(("?", "？")):
            said = low[max(start, number.start - _SENTENCE_REACH) : number.start]
            return bool(_ASKS_PLAINLY.search(clause)) or self._is_unsure(said)
        if _TAG.search(sentence):
            return False
        asking = _ASKING.search(sentence)
        scope = (
            self._last_clause(start, end)
            if asking is None
            else self._clause_from(start + asking.start(), start)
        )
        return number.end > scope

    def _is_unsure(self, said: str) -> bool:
        """Not sure whether 2ψ or 3ψ, until a guess follows."""
        unsure = _UNSURE.search(said)
        return unsure is not None and not _GUESSING.search(said, unsure.end())

    def _last_clause(self, start: int, end: int) -> int:
        last = self._view.clause(max(start, end - 1))
        return max(start, bisect_left(self._view.sheet.clauses, last))

    def _clause_from(self, at: int, start: int) -> int:
        return max(start, bisect_left(self._view.sheet.clauses, self._view.clause(at)))

    def _is_taken_back(self, number: Number, later: Number | None, end: int) -> bool:
        limit = later.start if later else min(end, number.end + _SENTENCE_REACH)
        stop = min(limit, number.end + _SENTENCE_REACH)
        between = self._view.low[number.end : stop]
        found = _TAKING_BACK.search(between)
        if found is None or _NEGATES_RETRACTION.search(between):
            return False
        if later is None:
            return False
        return not _REFUSING_BEFORE.search(
            self._view.low[max(0, later.start - _SHORT) : later.start]
        )

    def _is_refused(self, number: Number, start: int, end: int, later: Number | None) -> bool:
        low = self._view.low
        before = low[max(self._clause_start(number, start), number.start - _SHORT) : number.start]
        if _REFUSING_BEFORE.search(before) and not _BOUND.search(before):
            return True
        clause = low[
            max(self._clause_start(number, start), number.start - _SENTENCE_REACH) : number.start
        ]
        if _MISTAKING.search(clause):
            return True
        stop = min(end + 1, number.end + _SENTENCE_REACH, later.start if later else end + 1)
        if _REFUSING_AFTER.search(low[number.end : stop]):
            return True
        following = low[end + 1 : end + 1 + _SHORT]
        return later_is_far(later, end) and bool(_POINTING_BACK.match(following))

    def _is_reported(self, number: Number, start: int) -> bool:
        low = self._view.low
        said = low[max(start, number.start - _SENTENCE_REACH) : number.start]
        reports = list(_REPORTING.finditer(said))
        if not reports:
            return False
        if _AUTHORITY.search(reports[-1].group()):
            return False
        rest = said[reports[-1].end() :]
        return not _BACK_TO_SELF.search(rest)

    def _is_supposed(self, number: Number, start: int, end: int) -> bool:
        """The premise of a supposition, or a wish."""
        low = self._view.low
        sentence = low[start : min(end + 1, start + 2 * _SENTENCE_REACH)]
        if not _SUPPOSING.search(sentence):
            return False
        if _WISH_ONLY.search(sentence):
            return True
        clause = low[
            max(self._clause_start(number, start), number.start - _SENTENCE_REACH) : number.start
        ]
        premise = _PREMISE.search(clause)
        return premise is not None and not _CONSEQUENCE.search(clause, premise.end())


_SHORT: Final = 40
_CONSEQUENCE: Final = re.compile(
    r":|那么|那就|那|则|就|(?<![a-z])(?:then|would|will|is|needs|takes|it's|that's|gives|comes)(?![a-z])|的话"
)
_GUESSING: Final = _words(
    r"i guess|i think|i'd say|i would say|probably|my guess|but|i believe|i assume|presumably",
    r"我猜|猜|我觉得|应该|我认为|估计|但|不过|我记得|我想是",
)
_MISTAKING: Final = _words(
    r"disagree with|do not agree|don't agree|doubt that|dispute|refute|"
    r"(?:mistake|wrong|error|incorrect|misleading|nonsense) to (?:say|think|claim|write|assume|believe|call|quote|state)|"
    r"(?:don't|do not|never|please don't|shouldn't|should not|must not|cannot|can't) (?:say|think|claim|write|assume|believe|quote|call|answer|mix up|confuse)",
    r"(?:别|不要|不能|切勿|千万别|千万不要|不该|不应该|不应|不可)(?:再)?(?:把|将)?.{0,24}(?:记成|当成|写成|说成|算成|认为是|搞成|理解成|答成|背成|说|写|当作|看成|混成|答)|错误地|不同意|不认同|不赞成|反对|质疑",
)
_ASKS_PLAINLY: Final = re.compile(r"是不是|是否|吗(?:[,。 \ue020]|$)|对不对|whether")
_POINTING_BACK: Final = re.compile(
    r" ?(?:but |但)?(?:that(?:'s| is| was)|this is|which is|it is|it's|这(?:个|种|是|话|句|样|么|条)?|那(?:个|是)?|以上)?[^,。.]{0,12}"
    r"(?:wrong|false|incorrect|a mistake|not right|not true|nonsense|a myth|错|不对|不正确|有误|误区|谣言|不准确)"
)
_WISH_ONLY: Final = re.compile(
    r"if only|i wish|就好了|该多好|多好啊|才好|would be (?:fine|nice|great|enough)|we would be fine"
)
_PREMISE: Final = re.compile(
    r"(?<![a-z])(?:if|suppose|supposing|assume|assuming|imagine|what if|unless|pretend)(?![a-z])|如果|假如|假设|要是|假定|倘若|若(?!干)|万一|除非|设想"
)


def later_is_far(later: Number | None, end: int) -> bool:
    return later is None or later.start > end


def _spans(view: View) -> Sequence[tuple[int, int]]:
    """Start and end of each sentence; the end is where its closing mark stands."""
    sentences = view.sheet.sentences
    spans: list[tuple[int, int]] = []
    start = 0
    for index in range(sentences[-1] + 1):
        end = bisect_left(sentences, index + 1)
        spans.append((start, max(start, end - 1)))
        start = end
    return spans


SAME_SORT: Final = {
    Unit.BYTES: "size", Unit.WIDTH: "width", Unit.FORMULA: "formula", Unit.FACTOR: "factor",
    Unit.SHARE: "factor", Unit.PERCENT: "factor", Unit.SUM: "width", Unit.NONE: "none",
    Unit.PARAMS: "params", Unit.LETTER_B: "params", Unit.LETTER_K: "size", Unit.LETTER_M: "size",
    Unit.LETTER_T: "size",
}  # fmt: skip
