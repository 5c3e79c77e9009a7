"""How texts ask, suppose, report, reject and take back: the patterns of a speaker's stance."""

import re
from typing import Final

from service.domain.claims.patterns import alternatives, words

ASKING: Final = words(
    """
    is it|is that|is this|isn't it|are they|does|do you|did|would|could|should|can it|can you
    can a|can we|how|why|what|which|whether|when is|where|is the|are the|is zero|is stage
    is adam|wonder|wondering|not sure|unsure|am i right|or is it|will it|is there
    has anyone|don't know|do not know|can't remember|cannot remember|no idea
    """,
    """
    是不是|是否|吗|么[?？]?$|多少|怎么|为什么|为何|哪|请问|请教|难道|会不会|能不能|有没有
    几个|还是说|不确定|不知道|不清楚|记不清|想问|对不对|呢[?？]?$|何以|凭什么|究竟|到底|忘了
    """,
)
ASKS_PLAINLY: Final = re.compile(r"是不是|是否|吗(?:[,。 \ue020]|$)|对不对|whether")
TAG: Final = re.compile(r"(?:对吧|是吧|没错吧|right|correct|ok|okay|嘛)[?？ ]*$")
UNSURE: Final = words(
    """
    whether|not sure|unsure|wonder|wondering|don't know|do not know|no idea|can't remember
    cannot remember
    """,
    "不确定|不知道|不清楚|记不清|忘了|还是说",
)
GUESSING: Final = words(
    """
    i guess|i think|i'd say|i would say|probably|my guess|but|i believe|i assume|presumably
    """,
    "我猜|猜|我觉得|应该|我认为|估计|但|不过|我记得|我想是",
)
SUPPOSING: Final = words(
    """
    if|suppose|supposing|assume|assuming|imagine|say we|let's say|what if|were it|unless
    provided|hypothetically|pretend|(?:were|had|should) (?:each|it|the|every|we|they|all)
    """,
    """
    如果|假如|假设|(?<![主只需重想还])要是|假定|倘若|设想|若(?!干)|万一|就算|即使|哪怕|除非|比方说|设(?=模型|有)
    """,
)
PREMISE: Final = words(
    """
    if|suppose|supposing|assume|assuming|imagine|what if|unless|pretend
    (?:were|had|should) (?:each|it|the|every|we|they|all)
    """,
    "如果|假如|假设|(?<![主只需重想还])要是|假定|倘若|若(?!干)|万一|除非|设想",
)
CONSEQUENCE: Final = words(
    "then|would|will|is|needs|takes|it's|that's|gives|comes", ":|那么|那就|那|则|就|的话"
)
WISH_ONLY: Final = re.compile(
    "if only|i wish|就好了|该多好|多好啊|才好|would be (?:fine|nice|great|enough)|we would be fine"
)
_SAYS: Final = alternatives(
    """
    said|says|say|claimed|claims|claim|wrote|writes|write|told|thought|thinks|think|believed
    believes|believe|insisted|insists|argued|argues|puts|quoted|quotes|quote|answered|stated
    noted|reads|repeats|repeat|cites|cite|will tell|often|mentions|mentioned
    """
)
_WHOSE: Final = "the|an?|my|our|his|her|your|their|this|that|one|another"
_ANSWERED_ZH: Final = "说|写|答|讲|认为|觉得|以为|给出"
_SAID_ZH: Final = "说|写|认为|以为|觉得|讲|声称|提到|称|算|记|答|给出"
REPORTING: Final = words(
    rf"""
    (?:some|many|most|other|lots of|plenty of) (?:people|folks|candidates|engineers|blogs|posts)
    (?:some|many|most|other|lots of) (?:articles|tutorials|sources|colleagues|notes|guides)
    (?:people|folks|everyone|everybody|slides|vendors|marketing|textbooks) (?:{_SAYS})
    (?:you|he|she|they|someone|somebody|chatgpt|reddit|zhihu|stack ?overflow) (?:{_SAYS}|had)
    (?:{_WHOSE}) [a-z]{{2,14}}(?: [a-z]{{2,12}})? (?:{_SAYS})
    (?:{_WHOSE}) (?:blog|post|article|tutorial|forum|thread)(?: post)?(?:'s)?
    myth|misconception|it is (?:often|sometimes) (?:said|claimed)|rumou?r|allegedly|supposedly
    folklore|commonly (?:said|claimed|believed)|i once thought|i thought|i had thought|i believed
    always (?:said|thought|assumed|told)|used to (?:say|think|believe|write|assume|answer)
    textbook error|the internet|the claim|one hears|is said to|wrongly|mistakenly|contrary to
    quoting|according to (?:some|a blog|the article)
    (?:section|table|slide|doc|document|draft|paragraph|page) ?[0-9.]* (?:says|reads|lists|has)
    """,
    rf"""
    有人|有些人|很多人|不少人|多数人|许多人|人们|大家都说|大家说|网上|据说|传言|谣传|号称|以为
    误认为|误以为|误区|常见错误|曾经|我原来以为|别人|有的人|坊间|有的资料|有资料|某些资料
    (?:以前|之前).{{0,6}}(?:{_SAID_ZH}|背)|流传|盛传|常说|都说|说法|有一种观点|听说
    (?:文章|博客|帖子|同事|同学|知乎|朋友|师兄|网友|群里|教程|公众号|答主).{{0,8}}(?:{_SAID_ZH})
    (?:他|她|他们|对方|候选人|学生|面试者|面试官|作者|你|您|楼主|题主).{{0,4}}(?:{_ANSWERED_ZH})
    错误地|被说成|被写成|写成|当成|老有人
    (?:节|表|图|页|行|段|稿|文档|幻灯片)(?:里|中|上)?(?:写|说|标|画|列)
    """,
)
AUTHORITY: Final = words("paper|documentation|docs|official", "论文|官方|文档|原文")
BACK_TO_SELF: Final = words(
    """
    but|actually|in fact|in reality|however|whereas|the truth|really|correct|correctly
    right answer|in truth|the right|later|turns out|learned|learnt|corrected|these days|nowadays
    i now|realised|realized|found out|now know|should be|truth is|the actual|yet|i say
    """,
    """
    [;:,] ?(?:it is|it's)
    但|其实|实际上|事实上|不过|然而|正确|应该|应为|真正|实则|而是|实际|真实|本来|应当|准确|后来
    不对|才知道|才明白|现在知道|查了|我说
    """,
)
_IS: Final = "is|are|was|were|'s|would be|be"
REFUSING_AFTER: Final = words(
    rf"""
    (?:{_IS}) (?:just |simply |plainly |also |both |all )?(?:wrong|false|incorrect)
    (?:{_IS}) (?:a mistake|not right|not true|not correct|nonsense|a myth|mistaken|off|untrue)
    (?:{_IS}) (?:a misconception|an error|rubbish|inaccurate|impossible|not what|the wrong)
    (?:{_IS}) (?:a common mistake|a common error|outdated)
    doesn't hold|does not hold|isn't right|isn't true|isn't correct|which is wrong|wrong[.!]
    that is wrong|that's wrong|not so
    """,
    """
    是错|错的|错了|错误|不对|不正确|不准确|有误|不成立|是误区|胡说|搞错|站不住|是假的|不靠谱
    只算了一半|少算了一半|漏了一半|谣言|并非如此|不是这样|不是这么|混淆|不可信|扯|瞎说|算错
    """,
)
_NOT: Final = words(
    """
    not|isn't|aren't|wasn't|doesn't (?:need|take|cost|use|move|require)|never|instead of
    does not (?:need|take|cost|use|move|require)|don't (?:need|take)|rather than|nor
    no longer|neither|isn't just|wrong to say|wrong that|unlike|forget
    """,
    """
    不是|并不是|并非|而不是|而非|不为|不需要|不用|别说|不应该是|不该是|绝不是|不等于|可不是
    决不是|哪有|没有|不会是|不再是|不可能是|误作|错写成|错记成|错当成|写错成|从来不是
    """,
)
REFUSING_BEFORE: Final = re.compile(
    rf"(?:{_NOT.pattern})"
    r"(?: ?(?:the|a|an|it is|at|even|just|simply|only|为|是|要|做|那个|所谓的|简单的|总共|什么"
    r"|quite|really|actually|have|be|take|needs?|cost|with|of|exactly|about|约|大概|正好|all|every|each|per"
    r"|gpu|卡|每卡|每张卡|写|等于|按|按照|用|多|出|到|的|\"|'|ddp|数据并行|通信|显存|memory|traffic"
    r"|平均|固定|每个参数|每参数|parameter|param|always|一直|永远|那样|plain))* ?$"
)
INCOMPLETE: Final = words(
    "ignores?|forgets?|forgot|overlooks?|leaves? out|omits?|misses|misse[sd]|left out|only counts?",
    "漏了|漏掉|忽略了?|没算|没有算|只算了?|少算了?|忘了",
)
BOUND: Final = re.compile(
    "(?:not|no) (?:more|less|fewer|over|under) than ?$"
    "|不(?:超过|到|足|少于|低于|大于|止|小于|高于) ?$|没有? ?超过 ?$"
    "|不仅仅?是?|not only|not just|不止|no more|不光"
)
_DO_NOT_ZH: Final = "(?:别|不要|不能|切勿|千万别|千万不要|不该|不应该|不应|不可)再?(?:把|将)?"
MISTAKING: Final = words(
    """
    (?:mistake|wrong|error|incorrect|misleading) to (?:say|think|claim|write|assume|believe|quote)
    (?:don't|do not|please don't|shouldn't|should not|must not) (?:say|think|claim|write|assume)
    (?:don't|do not|never) (?:believe|quote|answer|mix up|confuse|trust|buy)
    (?:don't|do not|wouldn't|would not) think|disagree with|do not agree|don't agree|doubt that
    dispute|refute|nobody|no one
    """,
    rf"""
    {_DO_NOT_ZH}.{{0,24}}(?:记成|当成|写成|说成|算成|认为是|理解成|说|写|答)
    错误地|不认为|不觉得|不同意|不认同|不赞成|反对|质疑|别信|不要信|别听|没人|没有人|谁也
    """,
)
TAKING_BACK: Final = words(
    """
    no,|no,? wait|wait|scratch that|correction|sorry|i mean|i meant|my mistake|my bad|let me correct
    let me fix|let me redo|i misspoke|strike that|oops|actually no|no no|no sorry|hold on|rather,
    i take that back|pardon|er no|uh no|um no|hmm no|not right,|that's not right|make that
    that is not right|let me rephrase|well no|no actually|no, it|no, that|apologies|excuse me
    correcting myself|on second thought|no it's|no it is|no that's|i said that wrong|or rather
    let me start over|let me recompute|hmm, no|(?:hmm|oh|well|um),? actually|actually,? no
    """,
    """
    哦不|噢不|喔不|啊不|呃不|不对|不不|说错|口误|更正|纠正一下|等一下|等等|等下|等会|记错|抱歉
    不好意思|应该说|我重新|重新算|算错|讲错|搞错了|搞混|我错了|改一下|刚才错|写错|修正|收回
    哎不|嗯不|诶不|错了错了|弄反|说反|讲反|写反|弄混|记反|不,
    不是[,\ue020]|啊不[,\ue020 ]|不[,\ue020]
    """,
)
NO_RETRACTION: Final = re.compile(
    "没说错|没有说错|没错|不会错|等等(?:的|方面|。|$)|不对称|不对齐|不对外"
)
SELF_SAID: Final = words(
    """
    i (?:said|wrote|mentioned|told you|claimed|gave)|earlier
    my (?:earlier|previous|first) (?:answer|figure|number|claim|value)
    """,
    """
    (?:刚才|刚刚|前面|之前|上面|方才|先前|刚)我?(?:说|讲|写|答|提|算)
    我(?:刚才|刚刚|前面|之前|上面|先前|刚)(?:说|讲|写|答|提|算)
    """,
)
POINTING_BACK: Final = re.compile(
    r" ?(?:but |但)?(?:that(?:'s| is| was)|this is|which is|it is|it's"
    r"|这(?:个|种|是|话|句|样|么|条)?|那(?:个|是)?|以上)?[^,。.]{0,12}"
    r"(?:wrong|false|incorrect|a mistake|not right|not true|nonsense|a myth|错|不对|不正确|有误"
    r"|误区|谣言|不准确)"
)
