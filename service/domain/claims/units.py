"""Units behind numbers: the words that say what is counted, and what the figure is times."""

from collections.abc import Mapping
from typing import Final

from service.domain.claims.tokens import Unit
from service.domain.memory import GIB, KIB, MIB

_ROWS: Final[tuple[tuple[Unit, float, str], ...]] = (
    (
        Unit.BYTES,
        10**9,
        "gb|g|gig|gigs|gigabyte|gigabytes|个g|个gb|吉字节|gbs",
    ),
    (
        Unit.BYTES,
        GIB,
        "gib|gibibytes|个gib|gibs",
    ),
    (
        Unit.BYTES,
        10**12,
        "tb|terabyte|terabytes|个t|个tb|tbs",
    ),
    (
        Unit.BYTES,
        2**40,
        "tib|tebibytes",
    ),
    (
        Unit.BYTES,
        10**6,
        "mb|megabyte|megabytes|兆|兆字节|个mb|mbs",
    ),
    (
        Unit.BYTES,
        MIB,
        "mib",
    ),
    (
        Unit.BYTES,
        10**3,
        "kb|kilobyte|kilobytes|千字节|个kb|kbs",
    ),
    (
        Unit.BYTES,
        KIB,
        "kib",
    ),
    (
        Unit.WIDTH,
        1,
        (
            "字节|个字节|byte|bytes|byte(s)|个byte|个bytes|b/param|b per param"
            "|b per parameter|b/参数|b/parameter"
        ),
    ),
    (
        Unit.LETTER_B,
        10**9,
        "b",
    ),
    (
        Unit.LETTER_M,
        10**6,
        "m",
    ),
    (
        Unit.LETTER_T,
        10**12,
        "t",
    ),
    (
        Unit.LETTER_K,
        10**3,
        "k",
    ),
    (
        Unit.GPUS,
        1,
        (
            "张卡|块卡|卡|张gpu|块gpu|个gpu|gpu|gpus|card|cards|个rank|rank|ranks"
            "|个卡|张显卡|块显卡|路|个进程|processes|devices|device|workers"
            "|accelerators|张|块|way|个设备|片|way data parallel|data parallel ranks|dp ranks"
            "|data parallel replicas|way data parallelism"
            "|way sharding|boards"
        ),
    ),
    (
        Unit.NODES,
        1,
        "台|台机器|机|节点|个节点|node|nodes|machine|machines|servers|台服务器|hosts|个机器|server",
    ),
    (
        Unit.FACTOR,
        1,
        "倍|个倍|x|×|times|fold|倍多|倍左右",
    ),
    (
        Unit.PERCENT,
        1,
        "%|percent|per cent|个百分点%",
    ),
    (
        Unit.TOKENS,
        10**3,
        "k tokens|k token|k 上下文|k上下文|k context",
    ),
    (
        Unit.TOKENS,
        1,
        "token|tokens|个token|个tokens",
    ),
    (
        Unit.MICRO,
        1,
        (
            "micro batches|micro batch|microbatches|microbatch|个micro batch"
            "|个microbatch|micro steps|个micro step|步累积|accumulation steps"
            "|gradient accumulation steps|steps of accumulation|个 micro batch"
            "|个 microbatch|次累积|步梯度累积|accumulated steps|次梯度累积|个微批"
            "|个微批次|次累加"
        ),
    ),
    (
        Unit.SEQUENCES,
        1,
        (
            "sequences|条序列|requests|个请求|条请求|路并发|concurrent requests"
            "|concurrent sequences|个并发"
        ),
    ),
    (
        Unit.OTHER,
        1,
        (
            "gb/s|gib/s|mb/s|tb/s|gbps|gb/sec|tbps|mbps|gbit/s|gbit|tflops|tflop/s"
            "|pflops|s|ms|us|秒|毫秒|微秒|分钟|小时|天|周|年|月|日|号|岁|人|个人|次"
            "|轮|步|层|章|节|页|条|元|万元|美元|hz|ghz|mhz|nm|w|kw|度|bit|bits|位"
            "|比特|个阶段|阶段|级|行|列|个月|seconds|second|sec|secs|minutes|minute"
            "|min|hours|hour|days|day|weeks|week|months|month|years|year|layers|layer"
            "|heads|head|steps|step|epochs|epoch|samples|people|engineers|iterations"
            "|stages|experts|个专家|头|个头|行代码|qps|gbit per second|gigabits|rows"
            "|columns|points|problems|questions|papers|人月|个点|gb per second"
            "|gigabytes per second|gb a second|gb每秒|g/s|g每秒|次方|代|期|版|届|折"
            "|分|百分点|个百分点|percentage points|collectives|次通信|passes|shards"
            "|个分片"
        ),
    ),
)
# unit text -> unit and scale; the longest match counts
UNITS: Final[Mapping[str, tuple[Unit, float]]] = {
    word: (unit, scale) for unit, scale, words in _ROWS for word in words.split("|")
}
MULTIPLIERS: Final[Mapping[str, float]] = {
    "万亿": 10**12,
    "千亿": 10**11,
    "百亿": 10**10,
    "亿": 10**8,
    "万": 10**4,
    "billion": 10**9,
    "billions": 10**9,
    "bn": 10**9,
    "million": 10**6,
    "millions": 10**6,
    "trillion": 10**12,
    "trillions": 10**12,
    "thousand": 10**3,
    "十亿": 10**9,
    "百万": 10**6,
    "千万": 10**7,
}
# Sizes said without a numeral, by first character, longest first.
PHRASES: Final[Mapping[str, tuple[tuple[str, Unit, float], ...]]] = {
    "h": (
        ("half a billion", Unit.PARAMS, 500000000.0),
        ("half as much again", Unit.FACTOR, 1.5),
        ("half again as much", Unit.FACTOR, 1.5),
        ("half as large again", Unit.FACTOR, 1.5),
        ("half again", Unit.FACTOR, 1.5),
        ("half more", Unit.FACTOR, 1.5),
        ("half of", Unit.SHARE, 0.5),
        ("half", Unit.SHARE, 0.5),
    ),
    "a": (
        ("a half more", Unit.FACTOR, 1.5),
        ("a half", Unit.SHARE, 0.5),
        ("a quarter", Unit.SHARE, 0.25),
        ("an eighth", Unit.SHARE, 0.125),
        ("a third", Unit.SHARE, 1 / 3),
        ("a sixteenth", Unit.SHARE, 0.0625),
    ),
    "t": (
        ("twice the", Unit.FACTOR, 2),
        ("twice as", Unit.FACTOR, 2),
        ("twice that", Unit.FACTOR, 2),
        ("twice what", Unit.FACTOR, 2),
        ("triple the", Unit.FACTOR, 3),
        ("triples the", Unit.FACTOR, 3),
        ("three times the", Unit.FACTOR, 3),
        ("thrice the", Unit.FACTOR, 3),
    ),
    "d": (
        ("double the", Unit.FACTOR, 2),
        ("doubles the", Unit.FACTOR, 2),
        ("double that", Unit.FACTOR, 2),
    ),
    "q": (("quadruple the", Unit.FACTOR, 4),),
    "o": (
        ("one and a half times", Unit.FACTOR, 1.5),
        ("one and a half", Unit.FACTOR, 1.5),
    ),
    "一": (
        ("一倍半", Unit.FACTOR, 1.5),
        ("一半", Unit.SHARE, 0.5),
    ),
    "翻": (
        ("翻倍", Unit.FACTOR, 2),
        ("翻一番", Unit.FACTOR, 2),
    ),
}
_NOUNS: Final = (
    "参数|个参数|param|模型|model|weights|的模型|规模|级|-param|-model|的参数|个 参数"
    "|elements|of parameters|model parameters|trainable param"
)
PARAM_NOUNS: Final = tuple(_NOUNS.split("|"))
