"""The field's synonyms in both languages: different words for one thing become one search term.

A row is data, not a rule about any one fact. `*` lets an English stem take any ending.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

CONCEPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "memory": ("memory", "vram", "footprint", "显存", "内存", "占用"),
    "host": ("cpu", "host*", "ram", "主机", "内存", "宿主机", "processor*"),
    "oom": (
        "oom",
        "out of memory",
        "blows up",
        "blew up",
        "run out",
        "ran out",
        "killed",
        "爆显存",
        "显存不足",
        "放不下",
        "装不下",
        "爆",
        "does not fit",
        "doesn't fit",
        "not fit",
    ),
    "fit": ("fit", "fits", "fitting", "放得下", "装得下", "能放", "放不下", "装不下"),
    "gpu": ("gpu*", "card*", "device*", "rank*", "卡", "显卡", "进程", "worker*"),
    "few": ("few", "two", "single", "one", "单卡", "两张", "卡少", "only"),
    "parameter": ("parameter*", "param", "params", "weight*", "参数", "权重"),
    "gradient": ("gradient*", "grad", "grads", "梯度"),
    "optimizer": ("optimizer*", "optimiser*", "adam", "adamw", "优化器"),
    "state": ("state*", "状态"),
    "moment": ("momentum", "variance", "moment*", "动量", "方差"),
    "master": ("master", "主权重", "fp32 copy", "主参数"),
    "activation": ("activation*", "激活"),
    "recompute": (
        "recompute*",
        "recomputation",
        "rematerial*",
        "activation checkpoint*",
        "gradient checkpoint*",
        "checkpointing",
        "重计算",
        "重算",
        "梯度检查点",
        "激活检查点",
    ),
    "checkpoint": ("checkpoint*", "检查点", "断点"),
    "save": ("save*", "saving", "dump*", "写出", "保存", "存盘", "导出"),
    "load": ("load*", "restore*", "resume*", "加载", "载入", "恢复", "接着训", "续训"),
    "shard": (
        "shard*",
        "partition*",
        "split*",
        "slice*",
        "cut",
        "divide*",
        "切分",
        "分片",
        "切",
        "划分",
        "拆",
    ),
    "replicate": ("replica*", "full copy", "copies", "复制", "副本", "全量", "一份"),
    "gather": (
        "gather*",
        "all-gather*",
        "allgather*",
        "fetch*",
        "unshard*",
        "materiali*",
        "collect",
        "收集",
        "聚集",
        "全收集",
        "汇集",
    ),
    "reduce": ("reduc*", "all-reduce*", "allreduce*", "归约", "规约"),
    "scatter": ("scatter*", "reduce-scatter*", "归约散射", "规约散射"),
    "broadcast": ("broadcast*", "广播"),
    "alltoall": ("all-to-all", "alltoall", "all to all", "全交换", "全互换"),
    "communication": (
        "communicat*",
        "traffic",
        "volume",
        "transfer*",
        "bandwidth",
        "通信",
        "流量",
        "传输",
        "搬",
        "带宽",
    ),
    "collective": ("collective*", "集合通信", "集体通信"),
    "release": (
        "release*",
        "free",
        "frees",
        "freed",
        "discard*",
        "drop*",
        "throw*",
        "reshard*",
        "释放",
        "丢弃",
    ),
    "keep": (
        "keep*",
        "kept",
        "persist*",
        "resident",
        "stay*",
        "retain*",
        "live",
        "常驻",
        "保留",
        "驻留",
    ),
    "forward": ("forward", "前向"),
    "backward": ("backward", "backprop*", "反向", "后向"),
    "step": ("step", "steps", "iteration*", "每步", "一步", "步"),
    "update": ("update*", "更新"),
    "accumulate": (
        "accumulat*",
        "micro-batch*",
        "microbatch*",
        "micro batch*",
        "累积",
        "累加",
        "微批",
    ),
    "batch": ("batch*", "批"),
    "hang": (
        "hang*",
        "hung",
        "stuck",
        "freez*",
        "froze*",
        "deadlock*",
        "stall*",
        "挂起",
        "卡住",
        "卡死",
        "卡着",
        "不动",
        "没反应",
        "死锁",
    ),
    "timeout": ("timeout*", "time out", "timed out", "watchdog", "超时"),
    "error": (
        "error*",
        "exception*",
        "assert*",
        "refuse*",
        "raise*",
        "fail*",
        "incompatible",
        "not supported",
        "报错",
        "异常",
        "断言",
        "拒绝",
        "失败",
        "不支持",
        "不能",
    ),
    "default": ("default*", "默认", "缺省"),
    "offload": ("offload*", "卸载"),
    "nvme": ("nvme", "ssd", "disk", "硬盘", "磁盘"),
    "pinned": ("pin*", "memlock", "locked memory", "锁页", "页锁定"),
    "slow": ("slow*", "ethernet", "低速", "慢", "以太网"),
    "fast": ("fast*", "quick*", "speed*", "throughput", "快", "加速", "吞吐"),
    "latency": ("latency", "延迟", "时延"),
    "node": ("node", "nodes", "machine*", "节点", "机器", "单机"),
    "intra": ("intra-node", "inside a node", "inside the node", "within a node", "节点内", "机内"),
    "inter": (
        "inter-node",
        "cross-node",
        "across nodes",
        "between nodes",
        "跨节点",
        "节点间",
        "跨机",
    ),
    "quantize": ("quanti*", "int8", "int4", "量化", "低比特"),
    "precision": ("precision", "dtype*", "half", "精度", "半精度", "数据类型"),
    "overflow": ("overflow*", "loss scal*", "溢出", "损失缩放"),
    "formula": ("formula*", "equation*", "公式"),
    "estimate": ("estimat*", "估算", "预估", "估计"),
    "theory": ("theor*", "ideal*", "理论", "理想"),
    "measured": ("measur*", "实测", "测得", "counted", "practice", "实际"),
    "large": ("large*", "max*", "biggest", "huge", "最大", "上限", "超大"),
    "small": ("small*", "tiny", "little", "小"),
    "threshold": ("threshold*", "阈值"),
    "bucket": ("bucket*", "fused buffer*", "桶", "分桶"),
    "buffer": ("buffer*", "缓冲"),
    "fragment": ("fragment*", "contiguous", "碎片", "连续内存"),
    "prefetch": ("prefetch*", "预取"),
    "overlap": ("overlap*", "hide*", "重叠", "掩盖"),
    "dataparallel": ("data parallel*", "data-parallel*", "ddp", "数据并行"),
    "modelparallel": ("model parallel*", "model-parallel*", "模型并行"),
    "tensorparallel": ("tensor parallel*", "tensor-parallel*", "autotp", "张量并行"),
    "pipeline": ("pipeline*", "1f1b", "流水线", "流水"),
    "sequence": ("sequence parallel*", "context parallel*", "序列并行", "上下文并行"),
    "expert": ("moe", "expert*", "mixtral", "专家", "混合专家"),
    "hybrid": ("hybrid*", "hsdp", "混合分片", "2-d mesh", "二维"),
    "wrap": ("wrap*", "包装", "包裹", "包", "nest*", "嵌套"),
    "root": ("root", "outermost", "根"),
    "unit": ("unit*", "module*", "layer*", "单元", "模块", "层"),
    "inference": ("inference", "serving", "generat*", "推理", "部署"),
    "stage": ("stage*", "阶段"),
    "choose": (
        "choos*",
        "select*",
        "prefer*",
        "which",
        "order",
        "recommend*",
        "选择",
        "优先",
        "哪个",
        "顺序",
        "先",
        "怎么选",
    ),
    "cost": ("cost*", "overhead", "expens*", "代价", "开销", "额外", "extra", "多花"),
    "convergence": ("converg*", "mathemati*", "result*", "收敛", "数学", "结果"),
    "redundant": ("redundan*", "冗余"),
    "shape": ("shape*", "size mismatch", "torch.size", "形状", "维度"),
    "twice": ("twice", "more than once", "两次", "重复"),
    "resize": (
        "different number",
        "another size",
        "reshard*",
        "elastic*",
        "换",
        "规模",
        "卡数",
        "universal",
    ),
    "consolidate": (
        "consolidat*",
        "full state",
        "one file",
        "合并",
        "组装",
        "完整权重",
        "ordinary",
    ),
    "frozen": ("frozen", "freeze*", "冻结"),
    "clip": ("clip*", "裁剪"),
    "simulate": ("simulat*", "pretend*", "模拟"),
    "ring": ("ring", "环"),
    "dropout": ("dropout", "随机失活"),
    "attention": ("attention", "注意力"),
    "kvcache": ("kv cache", "kv-cache", "key-value", "键值缓存", "kv 缓存"),
    "rl": ("rlhf", "ppo", "grpo", "reinforcement", "rollout*", "强化学习"),
    "adapter": ("lora", "qlora", "peft", "adapter*", "微调", "finetun*", "fine-tun*"),
    "flops": ("flops", "mfu", "算力", "计算量", "利用率"),
    "topology": ("topolog*", "nvlink", "infiniband", "roce", "拓扑", "互联"),
}


# What the files of facts are about, in words a question may use.
TOPICS: Final[Mapping[str, str]] = {
    "memory_breakdown": "memory breakdown of training, model states 训练显存组成 模型状态",
    "zero_stages": "ZeRO stages 各阶段",
    "zero_communication": "communication volume traffic 通信量",
    "fsdp": "PyTorch FSDP fully_shard 全分片数据并行",
    "offload": "ZeRO-Offload CPU offload 卸载",
    "zero_infinity": "ZeRO-Infinity NVMe",
    "zero_plus_plus": "ZeRO++ quantized communication 量化通信",
    "zero_inference": "ZeRO-Inference 推理",
    "zero_r": "ZeRO-R residual memory 残余显存",
    "deepspeed_usage": "DeepSpeed configuration setting 配置",
    "pipeline_parallel": "pipeline parallelism 流水线并行",
    "tensor_parallel": "tensor parallelism 张量并行",
    "expert_parallel_moe": "mixture of experts MoE expert parallelism 专家并行",
    "activation_checkpointing": "activation memory recomputation 激活显存 重计算",
    "debugging": "error failure diagnosis 故障 排查",
    "strategy_choice": "choosing a stage 选型 怎么选",
    "collectives": "collective communication NCCL 集合通信",
    "network_topology": "network topology bandwidth links 网络拓扑 带宽",
    "sequence_context_parallel": "sequence and context parallelism long context 序列并行 长上下文",
    "mixed_precision_fp8": "mixed precision bf16 fp16 FP8 混合精度",
    "flash_attention": "FlashAttention attention kernel 注意力",
    "kv_inference_memory": "KV cache inference memory 推理显存 KV 缓存",
    "checkpoint_fault_tolerance": "checkpoint saving resharding fault tolerance 检查点 容错",
    "rlhf_systems": "RLHF PPO GRPO training systems 强化学习训练系统",
    "finetune_memory": "fine-tuning LoRA QLoRA memory 微调显存",
    "throughput_mfu": "throughput MFU FLOPs 吞吐 利用率 算力",
    "megatron": "Megatron-LM",
}


WORD: Final = re.compile(r"[a-z0-9]+(?:[-.'][a-z0-9]+)*")
SPLIT: Final = re.compile(r"[-.']")


def _table(wanted: Callable[[str], bool]) -> Mapping[str, tuple[str, ...]]:
    """Concepts by surface, of the surfaces that are `wanted`."""
    found: dict[str, tuple[str, ...]] = {}
    for concept, surfaces in CONCEPTS.items():
        for surface in filter(wanted, surfaces):
            found[surface] = (*found.get(surface, ()), concept)
    return found


def _is_phrase(surface: str) -> bool:
    return not surface.isascii() or " " in surface


PHRASES: Final = _table(_is_phrase)
WORDS: Final = _table(lambda surface: not _is_phrase(surface))
LONGEST_WORD: Final = max(map(len, WORDS))


def concepts_in(text: str) -> list[str]:
    """The concepts that lower-case `text` names, each once, in alphabetical order."""
    whole = set(WORD.findall(text))
    words = whole | {part for word in whole for part in SPLIT.split(word)}
    found = {concept for word in words for concept in _of_word(word)}
    found.update(c for phrase, concepts in PHRASES.items() if phrase in text for c in concepts)
    return sorted(found)


@lru_cache(maxsize=20_000)
def _of_word(word: str) -> tuple[str, ...]:
    stems = (f"{word[:end]}*" for end in range(2, min(len(word), LONGEST_WORD) + 1))
    return tuple(concept for key in (word, *stems) for concept in WORDS.get(key, ()))
