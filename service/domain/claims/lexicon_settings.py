"""Words that set a degree, a count or a length: what a plain number behind them is taken for."""

from collections.abc import Mapping
from typing import Final

# kind -> value -> cues, as in the lexicon
SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "tp": {
        "tp": (
            "tp|tensor parallel|tensor parallelism|tensor parallel degree|张量并行"
            "|张量并行度|model parallel degree|tensor parallel size"
        ),
    },
    "pp": {
        "pp": (
            "pp|pipeline parallel|pipeline parallelism|pipeline|流水线并行|流水线|流水并行"
            "|pipeline stage"
        ),
    },
    "n": {
        "n": (
            "n|dp|dp degree|data parallel degree|sharding degree|shard degree|dp size"
            "|degree of data parallelism|数据并行度|切分度|分片度|分片数|并行度|nd"
            "|world size|卡数|gpu 数|number of gpus|gpu count|shard group|shard group size"
            "|分片组|n d|data parallel size|sharded over|sharded across|shards"
        ),
    },
    "gpulabel": {
        "gpus": "gpu|卡|card|显卡|gpu count|总卡数|devices|ranks|卡数|gpu 数量|gpu 数",
    },
    "k": {
        "k": (
            "gradient accumulation|accumulation|梯度累积|累积|grad accum|accumulation steps"
            "|gradient accumulation steps|累积步数|gas|micro batch|micro batches|microbatch"
            "|microbatches|accumulate|accumulating|累加|梯度累加|micro steps|micro step|k"
        ),
    },
    "seq": {
        "seq": (
            "context|上下文|sequence length|seq len|seq|序列长度|序列长|context length"
            "|上下文长度|seqlen|tokens|token|长度|context window|s"
        ),
    },
    "batch": {
        "batch": ("batch|batch size|并发|concurrency|concurrent|b|sequences|requests|条序列|批"),
    },
}
