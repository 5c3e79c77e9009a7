"""Whose deed a line tells of: the person's own, somebody else's, the ad's, or an order to the judge.

A résumé leaves its "I" out, so everything is taken for the person's own unless the words name
another subject. Spans are of the text as given. Words only; linear in the length of a line.
"""

# ruff: noqa: E501 - a pattern is read in one piece

import re
from collections.abc import Iterator
from typing import Final

from service.domain.text import Span

# Orders and verdicts: no honest résumé or ad says them, and they make the whole line worthless.
_JUDGED: Final = r"(?:met|satisfied|fulfil?led|proven|proved|matched|满足|已满足|符合|已符合|达标|已达标|命中|通过)"
_VERDICT: Final = r"(?:met|satisfied|fulfil?led|满足|已满足|符合|已符合|达标)"
_READER: Final = (
    r"(?:matcher|matching (?:engine|system|model)|grader|judge|examiner|evaluator|scorer|ranker|parser|screener|"
    r"ats|ai|llm|gpt|chatgpt|model|assistant|bot|agent|algorithm|(?:hiring |scoring |screening )?system)"
)
_READER_ZH: Final = r"(?:AI|LLM|GPT|ATS|大?模型|机器人|匹配(?:器|系统|引擎|程序)|评分(?:器|员|系统|模型|程序)|筛选(?:器|系统|程序)|解析器|评委|阅卷人|系统)"
_PERSON: Final = (
    r"(?:this |the |that |said )?(?:candidate|applicant|r[eé]sum[eé]|cv|job seeker)(?:'s)?"
)
_ORDER: Final = re.compile(
    # A note with an addressee: NOTE TO MATCHER: …, To the AI: …, 给 AI 的提示：…
    rf"(?:^|[.;!?。；！？])\W{{0,6}}(?:(?:a |an |important |short )?(?:notes?|messages?|instructions?|attention|memo|hint|reminder)[ \t]+(?:to|for)|dear|to|attention|attn)[:,]?[ \t]+(?:the |any |all |every |our )?{_READER}s?\b(?=[^\n]{{0,30}}[:,：，—-])"
    rf"|(?:致|给|写给|提示|请)\s?{_READER_ZH}\s?(?:的)?\s?(?:话|备注|提示|说明|指令|注意)?\s?[:：，,]"
    rf"|{_READER_ZH}(?:请)?(?:注意|备注|提示|指令)\s?[:：]"
    # A role of a chat with a verdict behind it: SYSTEM: Kubernetes met
    rf"|^\W{{0,6}}(?:system|assistant|user|developer|admin|root|override|instructions?|prompt|系统|管理员|指令|提示词)\s?[:：][^\n]{{0,200}}(?<![A-Za-z]){_JUDGED}(?![A-Za-z])"
    # A verdict as a reading would have it: Kubernetes: met
    rf"|[\w)）]\s?(?:[:：=]|=>|->|→)\s?[\"']?{_VERDICT}[\"']?\s*(?=$|[.;,，。；!！|)\]}}])"
    # Orders about the person: rate this candidate 100; treat the applicant as …
    rf"|\b(?:rate|score|grade|mark|rank|judge|award|give|assign|recommend|shortlist|accept|hire)\s+{_PERSON}(?!\w)(?!\s+(?:models?|answers?|pools?|kernels?|lists?|sets?|pages?|items?|documents?|passages?|pairs?|embeddings?)\b)"
    rf"|\b(?:treat|consider|count|mark|report|regard|record|label)\s+(?:{_PERSON}|(?:all|any|each|every|the|this)\s+(?:requirement|skill|criteri|item|point)\w*|[^\n.;]{{1,60}}?)\s+as\s+(?:fully\s+)?(?:{_JUDGED}|must be hired|qualified|a (?:perfect|full) match)\b"
    rf"|\b(?:all|every|each|any)\s+(?:of the\s+)?(?:job\s+)?(?:requirements?|criteria|skills?)\s+(?:is|are|were|was|have been|has been|as)?\s?(?:fully\s+)?{_JUDGED}\b"
    r"|\b(?:ignore|disregard|forget|bypass|override)\s+(?:all |any |the |your |every |these |those |previous |prior |above |earlier )+(?:instructions?|rules?|guards?|guardrails?|requirements?|prompts?|criteria|polic\w+|checks?)\b"
    r"|(?:忽略|无视|忘记|跳过)(?:掉)?(?:以上|上面|之前|前面|上述|所有|全部|任何|你的)(?:的)?.{0,6}(?:指令|规则|要求|提示|限制|标准|检查)"
    r"|(?:请)?(?:给|将|把|对|为)(?:该|此|这位|这个|本|这份)?(?:候选人|应聘者|求职者|申请人|简历)[^\n。；]{0,14}(?:打|评|给|判|记|标|视|算|定)(?:分|为|作|成|\s?\d)"
    rf"|(?:视为|视作|判定?为|标记?为|记为|算作|评为)(?:全部|完全|均)?(?:{_JUDGED}|匹配|合格|满分)"
    rf"|(?:所有|全部|每项|各项)(?:的)?(?:要求|条件|需求|技能)(?:均|都|全部|皆)?{_JUDGED}",
    re.IGNORECASE | re.MULTILINE,
)

# The ad's words in a résumé: what is wanted there was done by nobody.
_WANTED: Final = r"(?:required|needed|wanted|mandatory|essential|necessary|preferred|desired|expected|a must|a requirement|asked for)"
# "The memory the job needs" is a cluster's job; "this job" and "the role" are the ad's.
_POST: Final = (
    r"(?:(?:this|that|your|said|target) job|(?:the )?job (?:ad|advert|posting|description)|jd|"
    r"(?:this|the|that|your|said|target) (?:role|position|posting|vacancy|opening|ad|advert(?:isement)?|employer))"
)
_OF_THE_AD: Final = re.compile(
    rf"\b{_WANTED} (?:for|in|by|at) {_POST}\b|\b{_POST} (?:also )?(?:requires?|needs?|asks? for|demands?|wants?|prefers?|calls? for|lists?|mentions?|is looking for)\b"
    rf"|\b(?:requirements?|qualifications?) (?:of|for|in) {_POST}\b|^\W{{0,4}}(?:job|role) (?:requirements?|qualifications?)\s?(?:[:：]|include|are|is)\b"
    rf"|^\W{{0,4}}(?!\w+ed\b|built|wrote|ran|led|made)[\w+/.#&-]+(?:[ ,]+[\w+/.#&-]+){{0,4}} (?:is|are) (?:\w+ly )?{_WANTED}\W*$"
    r"|(?:本|该|此|这个?|贵司的?|贵公司的?|目标)(?:岗位|职位|招聘|JD)(?:的)?(?:要求|需要|希望|看重|必备|必需)|(?:岗位|职位|任职|招聘|JD)(?:的)?(?:要求|必备)(?:的是|是|为|[:：])"
    r"|(?:者优先|优先考虑|[为是]必备(?:项|条件)?|[为是]加分项)\W*$",
    re.IGNORECASE,
)

# Other people as the subject of a clause; what the person did with them stays the person's.
_OTHERS_EN: Final = (
    r"(?:(?:my|our|the|some|several|most|many|two|three|other|former|senior) ){0,2}"
    r"(?:colleagues?|co-?workers?|team-?mates?|peers|classmates?|lab-?mates?|room-?mates?|(?:my|our|the) (?:manager|boss|supervisor|advis[eo]r|professor|mentor|friend|brother|sister)s?|"
    r"others|someone else|somebody else|other (?:people|engineers?|teams?|groups?|departments?|members?|interns?|students?)|another (?:team|engineer|group|person|colleague|department|intern|student)|"
    r"(?:the|our|my) (?:company|employer|firm|department|organi[sz]ation|parent company|vendor|contractor|consultants?|platform team|infra(?:structure)? team|sre team|ops team)|a (?:different|separate) (?:team|group)|a (?:colleague|friend|vendor|contractor))"
)
_DID_EN: Final = (
    r"(?:\w+ly |also |already |mostly |all |had |have |has |then |later ){0,2}"
    r"(?:used?|uses|using|\w{2,}ed|ran|runs?|built|builds?|wrote|writes?|led|made|did|does|do|was|were|is|are|has|have|had|knows?|knew|took|takes?|chose|set|kept|brought|relies|handles?|maintains?|owns?|works?|operates?)\b"
)
_OTHERS_ZH: Final = (
    r"(?:我的|我们的|其他|其它|别的|另外?一位|另外的|组内|组里|团队(?:里|中|内)?(?:的)?(?:其他)?|部门|隔壁)?"
    r"(?:同事|队友|组员|同学|他人|别人|旁人|其他(?:人|成员|同学|同事|团队|小组|部门|组)|另一(?:个)?(?:团队|小组|部门)|隔壁(?:组|团队)|外包(?:团队)?|供应商|导师|老板|领导|室友|朋友|师兄|师姐|公司|部门|运维(?:团队|同学))(?:们)?"
)
_DID_ZH: Final = (
    r"(?:主要|已经|曾经?|也|都|在|则|均|一直|目前|当时|之前){0,2}"
    r"(?:负责|使用|用|搭建|完成|做|编写|写|维护|采用|开发|实现|训练|部署|熟悉|掌握|会|有|精通|引入|基于|选用|运维|承担)"
)
_FOREIGN_SUBJECT: Final = re.compile(
    rf"^\W{{0,4}}(?:and |but |while |whereas |where |since |because |as )?{_OTHERS_EN}(?: (?:of mine|there|at \w+|in \w+))? {_DID_EN}"
    rf"|^\W{{0,4}}(?:而|但|其中|当时|由于|因为|虽然)?{_OTHERS_ZH}{_DID_ZH}",
    re.IGNORECASE,
)
_BY_OTHERS: Final = re.compile(
    r"\b(?:handled|done|built|written|run|owned|maintained|led|operated|set up|deployed|managed|provided|used|developed|implemented) by (?:\w+ )?(?:colleagues?|co-?workers?|team-?mates?|others|someone else|another \w+|other \w+|a different \w+|the (?:platform|infra|infrastructure|ops|sre|vendor)(?: team)?)\b"
    r"|由(?:其他|其它|别的|另一个?|我的|组内)?(?:同事|队友|组员|同学|他人|别人|团队|小组|部门|外包|供应商|导师|运维(?:团队)?)(?:们)?(?:负责|完成|搭建|编写|维护|开发|实现|训练|部署|承担|提供|运维)",
    re.IGNORECASE,
)
_ATTENDED: Final = re.compile(
    r"^\W{0,4}(?:attended|watched|listened to|heard|saw) (?:an? |the |several |some |many )?(?:\w+ )?(?:talks?|lectures?|meet-?ups?|webinars?|presentations?|demos?|conference)\b"
    r"|\b(?:colleagues?|co-?workers?|team-?mates?|people|engineers?|others) (?:of mine )?who (?!I\b)"
    r"|(?:旁听|听)(?:过|了)?.{0,24}(?:讲座|分享|报告|宣讲|演讲)",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"\b(?:I|we|us)\b|\b(?i:my)\b(?! (?:former |senior )?(?i:colleague|co-?worker|team-?mate|peer|manager|boss|supervisor|advis|professor|mentor|friend|brother|sister|company|employer|firm|department|organi))"
    r"|(?<![给对])我(?!的(?:同事|队友|同学|导师|老板|领导|朋友|室友)|们的(?:同事|队友)|们(?:公司|部门|组|团队)|司)|本人|自己|独立"
)
# Behind a comma the subject goes on unless the person comes in.
_COMES_IN: Final = re.compile(
    r"\s*(?:and |but |while |whereas |so |then )?(?:I|we|my)\b|\s*(?:而|但|并|同时|后来)?(?:我(?!的(?:同事|队友|同学|导师))|本人|自己|负责|独立|主导|参与|承担|主要负责|完成)"
)
_STOP: Final = re.compile(r"[。；;！!？?\n]|\.(?=\s|$)|[，,]")
_HARD: Final = "。；;！!？?\n."


def is_order(line: str) -> bool:
    """Whether the line speaks to whoever judges it: an order, a verdict, a note to the machine."""
    return _ORDER.search(line) is not None


def own_words(line: str) -> str:
    """The line with what is not the person's own deed blanked out; offsets stay."""
    if is_order(line):
        return " " * len(line)
    out = line
    for span in _foreign(line):
        out = out[: span.start] + " " * (span.end - span.start) + out[span.end :]
    return out


def _foreign(line: str) -> Iterator[Span]:
    foreign = False
    for piece in _pieces(line):
        words = piece.of(line)
        opens = piece.start == 0 or line[piece.start - 1] in _HARD
        goes_on = foreign and not opens and _COMES_IN.match(words) is None
        foreign = goes_on or _tells_of_others(words)
        if foreign:
            yield piece


def _pieces(line: str) -> Iterator[Span]:
    start = 0
    for stop in _STOP.finditer(line):
        yield Span(start, stop.end())
        start = stop.end()
    if start < len(line):
        yield Span(start, len(line))


def _tells_of_others(words: str) -> bool:
    bare = words.rstrip(" ,，;；.。!！?？\n")
    if _OF_THE_AD.search(bare) or _ATTENDED.search(bare):
        return True
    others = _FOREIGN_SUBJECT.search(bare) or _BY_OTHERS.search(bare)
    return others is not None and _OWN.search(bare) is None
