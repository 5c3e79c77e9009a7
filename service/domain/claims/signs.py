"""Short connecting texts around numbers: what they are compared with, drawn from or capped by."""

import re
from typing import Final

from service.domain.claims.patterns import alternatives as _any

CARD_AFTER: Final = re.compile(
    r" ?(?:\)|的)? ?(?:显存|vram|memory|hbm\d?e?)?(?:的)? ?"
    r"(?:单卡|卡|显卡|v100|a100|h100|版|机器|显存卡|nvlink|pcie|sxm"
    r"|(?:gpus?|cards?|devices?|accelerators?|boards?|nodes?|servers?|machines?)(?![a-z]))"
)
_BEFORE_CAPACITY: Final = _any(
    """
    放进|放不进|塞进|塞不进|装进|装不进|放到|挤进|fits? (?:in|into|on|inside|within)|fit|into
    squeezed? into|exceeds?|超过了|超出|out of|limit of|limit is|capacity of|budget of|budget is
    beyond|larger than|过了|上限|上限是|容量|容量是|of its|of the|with just|both|留给|free
    headroom of|room of|预算|预算是|余量|多达|stay under|keep under|at most|每卡只有
    cards of|gpus of|devices of|on|every card has|each has
    each with|gpus with|cards with|配|配备|配了
    """
)
CARDS_OF: Final = re.compile("(?<![a-z])(?:gpus?|cards?|devices?|accelerators?) of ?$")
_DETERMINERS: Final = (
    "一张|单张|an?|the|single|one|about|around|约|大约|我们的|your|our|my|its|only|just"
)
CAPACITY_BEFORE: Final = re.compile(rf"(?:{_BEFORE_CAPACITY}) ?(?:{_DETERMINERS})? ?$")
OWNED_BEFORE: Final = re.compile(
    "(?:只有|only has|only have|has|have|offers?|provides?|提供|有"
    "|单卡|leaves|leaving|剩下|剩|还剩|余下|来自)"
    rf" ?(?:{_DETERMINERS})? ?$"
)
_AFTER_CAPACITY: Final = _any(
    """
    放得下|放不下|装得下|装不下|塞得下|塞不下|够用|够了|不够|肯定不够|能放下|里放|里装|就不够|都放不下
    也放不下|上限|容量|空闲|余量|可用|留给|给激活|is not enough|is enough|isn't enough|won't
    will not|can't hold|cannot hold|can hold|of headroom|headroom|free|spare|left for|left over
    of room|to spare|limit|budget|ceiling|each available|available|for activations
    for everything else|is plenty|suffices
    """
)
CAPACITY_AFTER: Final = re.compile(rf" ?(?:的)?(?:显存|内存)?(?:的)? ?(?:{_AFTER_CAPACITY})")
OF_CARD: Final = re.compile(r"[ (,/-]*(?:each |with |has |的)?(?:显存|memory|with)?[ :是为]*")
OF_COUNT: Final = re.compile(
    " ?(?:the |的 ?)?(?:number of |data.parallel )?(?:gpus?|cards?|ranks?|nodes?|batch|tokens?"
    "|devices?|machines?|world|context|sequence|卡|显卡|机器|节点|序列|上下文)(?![a-z])"
    "| ?(?:a|per|each|every|in one|over the) ?(?:step|iteration|pass|batch)(?![a-z])"
)
AGAIN: Final = re.compile(
    "(?:卡数|gpu 数|机器|节点|序列|长度|批|翻了?|再翻|再加|加了?|多加|扩了?) ?$"
)
CHANGES_COUNT: Final = re.compile(
    "翻|一倍|减半|一半|(?<![a-z])(?:double|doubling|doubled|twice|halve|half|quadruple)"
)
WHOLE_COPY: Final = re.compile(
    "一份|整份|完整|全量|(?<![a-z])(?:full|whole|entire|complete)(?: [a-z0-9]+)? cop"
)
REACHES: Final = re.compile(r" ?(?:to|or|and|-+>|→|到|增加到|加到|涨到|扩到|变成|换成|和|或) ?")
ON_AGAIN: Final = re.compile("(?<![a-z])(?:on|across|over|with) $")
COUNT_ENDS: Final = re.compile(" ?(?:[,.;:)。]|and|it|is|$)")
COUNTED_CARDS: Final = re.compile(r"[\d二两三四五六七八九十百] ?(?:张|块|[x×*]|个) ?$")
RATE_AFTER: Final = re.compile(
    r" ?(?:/ ?(?:s|sec|秒)|ps(?![a-z])|每秒|per second|a second|的?带宽)"
)
MULTIPLE_OF: Final = re.compile(
    r" ?的? ?(?:参数量|模型参数|参数数量|参数大小|权重|模型大小|the weights|the model size"
    r"|the (?:number of )?parameters|the parameter count|parameters)"
)
RATIO: Final = re.compile(r"(?:ratio(?: of| is)?|比值|比例|倍数)(?:是|为|:)? ?$")
FIGURE: Final = re.compile("[0-9]")
FITS_NOT: Final = re.compile(
    "放不|装不|塞不|不够|(?<![a-z])(?:not|never|cannot|no longer)(?![a-z])|n't(?![a-z])"
)
COUNTS_IN: Final = re.compile("(?:连|连同|算上|including|with) ?(?:the |fp32 )*$")
ATTRIBUTE: Final = re.compile(r"\S+-(?:bytes?|bits?) (?:fp16 |bf16 |fp32 )?|\S+ ?字节的")
OF_INPUT: Final = re.compile(
    "输入|重算|重新计算|降到|降为|只剩|只存|只需|只留|只要"
    "|(?<![a-z])(?:inputs?|recomput|checkpoint|only|just|falls?|drops?|down|to)(?![a-z])"
)
REPEATED: Final = re.compile(
    "重复|复制|各卡|序列并行|(?<![a-z])sp(?![a-z])"
    "|(?<![a-z])(?:replicat|repeat|duplicat|every rank|each rank|sequence par)"
)
FITS_NOT_AFTER: Final = re.compile(" ?(?:,|\ue020)? ?(?:都|也|还是|还|就)?(?:放|装|塞)不")
DELTA_BEFORE: Final = re.compile(
    "(?:多|少|降|省|涨|增加|减少|高|低)(?:了|出|占|用)(?:约|大约)? ?$"
    "|(?<![a-z])(?:by|saved|saves|freed|frees|extra|another|more|adds?|added)(?: about| some)? ?$"
)
IN_GIGABYTES: Final = re.compile(
    "单位(?:都|均|全)?(?:是|为|用)? ?gi?b?(?![a-z])|(?<![a-z])(?:all |everything )?in gb(?![a-z])"
    "|(?<![a-z0-9 ]) ?gb per (?:gpu|card)"
)
SUMS_UP: Final = re.compile(
    "就|是|才|一共|总共|合计|共|变成|凑成|得|makes?|gives?|totals?|comes? to|is|are|takes?|needs?|="
)
ADDED: Final = re.compile(
    "(?:加上|再加上|再加|加|连|plus|adding|add|including|together with|连同|算上|with) ?"
    "(?:the |fp16 |bf16 |its )*$"
)
ASIDE: Final = re.compile(
    "(?:that is|that's|that was|which is|that would be|that one is|那是|那个是|这是|那就是|那是对"
    "|那说的是) ?(?:for |the )?(?:zero|stage)?[ -]?$"
)
THAN: Final = re.compile(
    "(?<![a-z])(?:of|that|than|as|compared|relative|versus|vs|against|over|what)(?![a-z])|比|相对"
)
JOINS: Final = re.compile(r"for|with|under|in|of|from|on|by|at|是|的|\(")
DENIES: Final = re.compile(
    "不开|不用|不做|没开|没有|关掉|不重|之前|以前|开前"
    "|(?<![a-z])(?:without|before|no|not|off|if you keep)(?![a-z])"
)
OUT_OF: Final = re.compile(
    "(?:out of|(?<![a-z])of)(?: the| those| these| its| all)? ?$|占(?:了)? ?$"
)
TAKEN_OFF: Final = re.compile(
    "少|多|差|省|剩|余|腾|(?<![a-z])(?:less|more|fewer|sav(?:e|es|ed|ing|ings)|differ|difference|gap"
    "|drops?|off(?![a-z])|left|freed|frees|remain|remains|minus|reduc|cut|below|above|over|spare|headroom)"
)
PUT_TOGETHER: Final = re.compile(
    r"加|合|一共|总共|共|凑|[+＋]|(?<![a-z])(?:plus|sum|sums|totals?|together|altogether|in all"
    "|all told|add|adds|adding|makes?|combined|with|so|hence|thus)(?![a-z])|所以|于是|就是|总"
)
SHARDED: Final = re.compile(
    r"(?:partition|shard|split|spread|adding|add)\w*(?: only)?(?: the| its| also)? ?$"
    "|(?:切分?|分片|切了|摊|拆|再切|只切|切掉|分摊|切分了)(?:了|掉)? ?$"
)
SPLITS: Final = re.compile(
    "切|分片|分摊|摊|拆|分走|(?<![a-z])(?:partition|shard|split|spread|divid)"
)
OMITTED: Final = re.compile(
    r"(?:less|without|leaves? out|left out|omit\w*|forg[eo]t\w*|ignor\w*|exclud\w*|minus|missing"
    "|没算|漏了|漏掉|漏|没有算|不算|没包括|不含|忘了|没计|没有|去掉)(?: the| an?| any)? ?$"
)
RESTATES: Final = re.compile(
    r"(?<![a-z])but(?: rather)? ?$|而是|也就是|即|i\.e|that is|相当于|折合|换算|不对|不是|哦不"
    "|sorry|i mean|wait|scratch|correction|更正|说错|=|in other words|等于|or ?$"
    "|应该是|(?:降|掉|减|缩|压|落)(?:低|少|小)?(?:到|至|为|成)"
    "|(?<![a-z])(?:down )?to ?$|->|→|变成|变为"
)
REFERENCE: Final = re.compile(
    "(?:比|相比|相比于|相对|相对于|较|相较于|对比|(?<![a-z])than|(?<![a-z])versus"
    r"|(?<![a-z])what|(?<![a-z])vs\.?|compared (?:with|to)|relative to|that of|as much as|as"
    "|against|over"
    "|on top of|beyond|和|与|跟|equal to|identical to|like|matches|equals)"
    " ?(?:the|a|with|plain|ordinary|纯|普通|传统|的|vanilla|pure|标准)? ?"
    "(?:zero|stage|zero stage)? ?-?$"
)
COMPARED: Final = re.compile(
    "比|than|versus|vs|compared|relative|same as|as much as"
    "|(?<![a-z])what(?![a-z])|equals?(?: to)?|like|identical to"
)
ALIKE: Final = re.compile(
    " ?的?(?:通信量|通信|显存)?(?:完全|都|也|基本|几乎|大致|是)*"
    "(?:相同|一样|一致|持平|差不多|相当|相等|没区别|没有区别|一个量|同样)"
)
OF_IT: Final = re.compile(
    " ?(?:的|通信量的|通信的|显存的|流量的|通信|大概|约|大约|通信量|'s|training)*"
    " ?(?:约|大概|大约|差不多|近)? ?"
)
_LIKE_THAT: Final = _any(
    """
    of|that|than|the|as|much|traffic|volume|bytes|communication|more|less|compared|with|to
    relative|over|versus|vs|against|plain|what|smaller|lower|reduction|saving|savings|memory
    ordinary|vanilla|pure|wire|data|zero|-|stage|higher|larger|量|的|from
    """
)
OF_THAT: Final = re.compile(rf"(?: ?(?:{_LIKE_THAT}))* ?-?")
TRAINS: Final = re.compile("训练|微调|全参|(?<![a-z])(?:train|tun|fine)")
STARTS_FROM: Final = re.compile(
    "(?:从|由|原来的|原先的|原本的|原来|(?<![a-z])from)"
    "(?: ?(?:about|around|约|大约|原来的|每卡的|每卡|单卡|ddp 的))* ?$"
)
CUTS: Final = re.compile(
    "(?:把|将|让|(?<![a-z])(?:cut|bring|reduce|lower|shrink|trim|take|turn|slim|squeeze|halve)s?"
    "(?: the| its| about| around)?) ?$"
)
CUT_TO: Final = re.compile(
    " ?(?:of [a-z]+ )?(?:down )?(?:to|into)(?![a-z])| ?(?:降|减|压|缩|变|砍)"
)
DOWN_TO: Final = re.compile(
    "(?:到|为|成|至|只剩|只有|只需|只要|剩|剩下|仅|是"
    "|(?<![a-z])(?:to|only|is|just|at|of|becomes|leaves|as|holds|keeps|uses|needs|stores))"
    "(?: ?(?:原来的|ddp 的|ddp|的|about|约|a|the|roughly|大约|只|原先的|数据并行的))* ?$"
)
STANDS_FOR: Final = (
    "=", "≈", "就是", "等于", "equals", ", or", ",or", "i.e.", "that is", "也就是", "即", "so",
    "所以是", "所以", ":",
)  # fmt: skip
HAS_COUNT: Final = re.compile("有|has|have|是|为|contains|参数|counts|parameter|with|is|共")
NEVER_BELOW: Final = re.compile(
    "(?:never|cannot|can't|won't|not)(?: (?:go|goes|drop|drops|fall|falls|get|gets))?"
    " (?:below|under) ?$"
    "|(?:不会低于|不低于|少不了|低不过|降不到|压不到|到不了|下不去|不下"
    "|下限是|底线是|floor of|floor is) ?$"
)
BARE_BEFORE: Final = re.compile(
    "(?:每卡|每张卡|每块卡|每个 ?gpu|单卡|per gpu|per card|each gpu|each card|显存|memory|模型状态"
    "|states)"
    "(?: ?(?:的|显存|模型状态|大概|大约|差不多|约|就|也就|只要|只需|需要|要|是|为|占"
    "|about|around|is|takes|needs|holds|roughly|memory|states|of|at|of memory|只有|降到|到))* ?$"
)
PER_GPU_AFTER: Final = re.compile(" ?(?:per gpu|per card|a card|per device|each|apiece)(?![a-z])")
BARE_AFTER: Final = re.compile(
    r" ?(?:$|[,.。;、\ue020)!]|左右|上下|吧|的样子|per gpu|per card|a card"
    "|per device|each|apiece|and |with |for |on )"
)
SHARE_OF_PSI: Final = re.compile(r"(?:\\?psi|\\?phi|[ψφϕ]) ?(?:/|除以|over)")
ELEMENTS: Final = re.compile(r" ?(?:[a-z/]+ ){0,4}elements?(?![a-z])|个?元素")
EACH_BEFORE: Final = re.compile("各|each|both|均|分别|都")
EACH_AFTER: Final = re.compile("each|apiece")
