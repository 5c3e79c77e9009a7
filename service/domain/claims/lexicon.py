"""Words that say what a number is about, how it is meant, and who says it.

Cues are lower-case, `-` and `_` written as a space. Latin cues match whole words, plural s allowed.
"""

from collections.abc import Mapping
from typing import Final

from service.domain.claims.lexicon_settings import SETTINGS

# kind -> value -> cues
CUES: Final[Mapping[str, Mapping[str, str]]] = {
    "scheme": {
        "ddp": (
            "ddp|plain dp|pure dp|vanilla dp|ordinary dp|普通 dp|plain data parallelism"
            "|plain data parallel|pure data parallelism"
            "|pure data parallel|vanilla data parallel|vanilla data parallelism"
            "|ordinary data parallelism|ordinary data parallel|standard data parallelism"
            "|standard data parallel|data parallelism|data parallel training|data parallel"
            "|no sharding|without sharding|without zero|no zero|unsharded|not sharded"
            "|fully replicated|replicated everywhere|数据并行|纯 dp|不切分|不分片|不做切分"
            "|不做分片|不开 zero|没开 zero|不用 zero|没有 zero|全量复制|no shard|stage 0"
            "|zero 0|不切"
        ),
        "zero1": (
            "p os|zero one|zero 一|zero一|stage one|first stage|第一阶段|一阶段|阶段一"
            "|阶段 1|optimizer state partitioning|optimizer state sharding|只切优化器状态"
            "|只切优化器|只分片优化器状态|只对优化器状态做切分|只切了优化器"
            "|shards only the optimizer|sharding only the optimizer"
            "|only the optimizer states are sharded|zero 壹"
        ),
        "zero2": (
            "p os+g|zero two|zero 二|zero二|stage two|second stage|第二阶段|二阶段|阶段二"
            "|阶段 2|zero to|zero too|zero 两|zero两|gradient partitioning|优化器和梯度都切"
            "|切优化器和梯度|切梯度和优化器"
        ),
        "zero3": (
            "p os+g+p|zero three|zero 三|zero三|stage three|third stage|第三阶段|三阶段"
            "|阶段三|阶段 3|parameter partitioning|shards everything|sharding everything"
            "|shard everything|full sharding|fully sharded|全部切分|全切|全分片|完全切分"
            "|三样都切|三者都切|什么都切|参数也切|连参数一起切|everything sharded"
            "|everything is sharded|all three sharded|zero infinity"
        ),
        "fsdp_full_shard": "fsdp|fsdp2|full shard|fully shard|fully sharded data parallel",
        "fsdp_shard_grad_op": "shard grad op|fsdp shard grad op",
        "hsdp": ("hsdp|hybrid shard|hybrid sharding|fsdp hybrid shard|混合分片|混合切分|mics"),
        "megatron_distopt": "distributed optimizer|分布式优化器",
        "zero_redundancy_optimizer": "zeroredundancyoptimizer|zero redundancy optimizer",
        "zeropp": "zero++|zeropp|zero plus plus|zero 加加",
    },
    "stages": {
        "all": (
            "三个阶段|三阶段|three stages|all stages|all three stages|各阶段|三个 stage"
            "|三种阶段|三级|三个等级|three levels|three zero stages"
        ),
    },
    "impl": {
        "paper": (
            "paper|论文|ideal|ideally|理想|in theory|theoretical|theoretically|理论|原文"
            "|on paper|理论上|论文里"
        ),
        "deepspeed": "deepspeed|as shipped|out of the box|默认实现|实现里|in deepspeed",
        "estimator": (
            "estimator|估算器|估算工具|估算函数|estimate zero2 model states mem needs"
            "|estimate zero3 model states mem needs|memory estimator"
        ),
        "megatron": "megatron|megatron lm",
    },
    "dtype": {
        "fp32": (
            "fp32|float32|单精度|full precision|全精度|32 bit|32 位|float 32|single precision"
        ),
        "fp16": ("fp16|bf16|float16|bfloat16|半精度|half precision|16 bit|16 位|bf 16|fp 16"),
        "int8": "int8|eight bit|八个比特|8 bit|8 位|fp8|8比特|8 比特|8bit|八比特|八位",
        "int4": "int4|four bit|四个比特|4 bit|4 位|nf4|4bit|4比特|4 比特|四比特|fp4|四位",
    },
    "mix": {
        "mixed": "混合精度|mixed precision|amp|autocast",
        "pure": (
            "pure fp32|all fp32|all in fp32|纯 fp32|全 fp32|纯单精度|全程 fp32"
            "|entirely in fp32|everything in fp32|fp32 throughout|全用 fp32|都用 fp32"
            "|full fp32|fp32 全精度"
        ),
        "fp32grad": (
            "fp32 gradient|fp32 grad|gradients in fp32|gradients are kept in fp32"
            "|gradients stay in fp32|keep gradients in fp32|grads in fp32|fp32 梯度"
            "|fp32 的梯度|梯度用 fp32|梯度存 fp32|梯度是 fp32|梯度保留 fp32|梯度按 fp32"
            "|gradients are fp32|gradients accumulated in fp32|accumulate gradients in fp32"
            "|梯度累加用 fp32|梯度也用 fp32|梯度保持 fp32|梯度改成 fp32|梯度换成 fp32"
            "|fp32 gradient accumulation|梯度为 fp32|full precision gradient"
            "|gradients in full precision|32 bit gradients|单精度梯度|grad accum dtype"
        ),
        "fp16grad": (
            "bf16 gradient|fp16 gradient|bf16 梯度|fp16 梯度|gradients in bf16|梯度用 bf16"
            "|gradients in fp16|梯度用 fp16|16 bit gradients|half precision gradients"
            "|半精度梯度"
        ),
    },
    "opt": {
        "adam": "adam|adamw",
        "sgd": "sgd|plain sgd|朴素 sgd|vanilla sgd",
        "sgdm": (
            "sgd with momentum|sgd and momentum|sgd 和动量|sgd momentum"
            "|momentum sgd|动量 sgd|带动量的 sgd|sgd 加动量"
            "|sgd+momentum|带 momentum 的 sgd|sgd plus momentum|带动量 sgd|sgd + momentum"
            "|sgd 带动量|sgdm"
        ),
        "sgd0": (
            "sgd without momentum|without momentum|no momentum|无动量|不带动量|没有动量"
            "|不带 momentum|没有 momentum"
        ),
        "adam8": (
            "8 bit adam|8bit adam|8 bit adamw|adam 8bit|int8 adam|8 位 adam|8 位的 adam"
            "|八位 adam|8 bit optimizer|8 比特 adam|adam8bit|bitsandbytes adam|八比特 adam"
            "|8 bit 的 adam|eight bit adam"
        ),
    },
    "otheropt": {
        "other": (
            "adafactor|lion|muon|lamb|shampoo|galore|sophia|apollo|adam mini|rmsprop|adagrad|lars"
            "|came optimizer|soap|novograd"
        ),
    },
    "tune": {
        "lora": "lora|低秩|adapter|适配器|peft",
        "qlora": "qlora",
    },
    "part": {
        "parameters": (
            "parameter|params|param|weight|参数|权重|模型权重|底座|base model|frozen base"
            "|base weight|fp16 copy|bf16 copy|模型本身|模型参数|working copy|weight copy"
        ),
        "gradients": "gradient|grad|梯度",
        "optimizer": (
            "optimizer state|optimizer|optimiser state|optimiser|optimizer memory"
            "|优化器状态|优化器|adam state|adam states|adam 状态|adam 的状态|states of adam"
            "|优化状态|opt state|opt|adam + master|adam and master|adam plus master|master + adam"
            "|主权重加动量加方差|主权重、动量、方差|optimizer multiplier|优化器系数"
        ),
        "master": (
            "master weight|fp32 master weight|fp32 master copy|fp32 master parameter"
            "|fp32 master copy of the weights|master copy of the weights"
            "|master copy of the parameters|fp32 主参数|fp32 的主权重|master copy|master parameter"
            "|master|主权重|fp32 主权重|主参数"
            "|fp32 master|fp32 权重副本|fp32 副本|权重副本|fp32 参数副本"
            "|fp32 copy of the weights|fp32 weights|fp32 copy|主副本|fp32 权重|fp32 参数"
            "|参数副本|full precision copy|单精度副本|fp32 拷贝|主拷贝"
        ),
        "momentum": "momentum|first moment|动量|一阶矩|一阶动量|exp avg",
        "variance": "variance|second moment|方差|二阶矩|二阶动量|exp avg sq",
        "moments": (
            "both moments|two moments|moments|m and v|m 和 v|动量和方差|动量与方差|一二阶矩"
            "|momentum and variance|动量加方差|动量、方差|first and second moments|两个矩"
            "|m+v|m + v|一阶和二阶|一阶矩和二阶矩|一阶动量和二阶动量|动量跟方差"
            "|two adam moments|both adam moments"
            "|adam moments|adam 的两个|m、v|两份动量|两个动量|momentum plus variance"
            "|momentum + variance|adam's moments"
        ),
        "states": (
            "model state|模型状态|全部状态|全部模型状态|training state|训练状态|三样加起来"
            "|所有状态|state|参数梯度优化器|everything together|全部加起来"
            "|参数加梯度加优化器|with everything|模型态"
        ),
    },
    "topic": {
        "memory": "memory|显存|vram|内存占用|footprint|hbm|占用|gpu memory|存储",
        "comm": (
            "comm volume|comm:|no sync|move"
            "|communication|communicate|communicates|通信|通信量|traffic|volume"
            "|transfer|moves|moved|sends|send|传输|要传|传|网络流量|流量|bytes on the wire"
            "|wire|talks|通讯|通讯量|exchanges|exchange|collective|communicating"
            "|bandwidth cost|搬运|on the network|over the network|收发|交换|data moved"
            "|shuffles|shuffle"
        ),
        "kv": ("kv cache|kvcache|kv 缓存|key value cache|kv|键值缓存|kv缓存|kv 显存|cache"),
        "act": "activation|激活|激活值|activation memory|中间激活|激活显存",
        "speed": (
            "speedup|speed up|faster|slower|throughput|tokens per second|吞吐|加速|提速|快"
            "|慢|速度|latency|延迟|mfu|利用率|step time|耗时|时间|time|loss|accuracy"
            "|perplexity|准确率|bubble|气泡|价格|成本|utilization|utilisation|hfu|flops"
            "|算力|speed|quicker|效率"
        ),
    },
    "compute": {
        "flops": (
            "flops|flop|算力|计算量|运算量|浮点运算|浮点|floating point|operations"
            "|computation|compute cost|training compute|arithmetic|matmul|计算开销|计算代价"
        ),
    },
    "coll": {
        "ag": "all gather|allgather|all gathers|全收集",
        "rs": "reduce scatter|reducescatter|归约散射|规约散射",
        "ar": "all reduce|allreduce|全归约|全规约|all reduces",
    },
    "per": {
        "gpu": (
            "per gpu|per card|per device|per rank|each gpu|each card|each device|each rank"
            "|every gpu|every card|every device|every rank|a gpu|a card|a device|apiece"
            "|on each|每卡|每张卡|每块卡|每个 gpu|每个gpu|每 gpu|单卡|单张卡|每张 gpu"
            "|每张gpu|每块 gpu|每张显卡|每个 rank|每个rank|各卡|一张卡|一卡|每个设备"
            "|每台设备|单 gpu|每个卡|每张|单个 gpu|每块显卡|单块卡|each of them|each one"
            "|on every one|a piece|per worker|each worker|per process|单个 rank|每个进程"
            "|per accelerator|each accelerator|each"
        ),
        "param": (
            "per parameter|per param|per weight|each parameter|each weight|every parameter"
            "|for every parameter|a parameter|一个参数|每个参数|每参数|每个模型参数"
            "|每一个参数|单个参数|每一参数|单参数|/param|/parameter|/参数|bytes/param"
            "|one parameter|every weight|each param|every param|per model parameter"
            "|每个权重|a single parameter|a param|每 1 个参数|个参数要|per element|每个元素"
        ),
        "token": (
            "per token|each token|every token|a token|每个 token|每 token|每个token|每token"
            "|/token|一个 token|单个 token|单 token|for one token|每个词元|one token"
            "|per-token|一个词元|token 占|single token"
        ),
        "sequence": (
            "per sequence|一条序列|每条序列|per request|每个请求|一个请求|单条序列"
            "|a sequence|one sequence|each sequence|single sequence|one request"
            "|each request"
        ),
        "layer": (
            "per layer|each layer|every layer|每层|每一层|单层|一层|per transformer layer"
            "|a layer|one layer|per block|each block|every block|每个 block|一个 block"
        ),
        "total": (
            "in total|total|altogether|overall|in all|总共|一共|合计|总计|总的|共计|加起来"
            "|整体|all told|总量|共|全部|sum|combined|总和|加在一起|grand total|together"
            "|整个"
        ),
    },
    "measured": {
        "measured": (
            "measured|peaked|settled|dashboards read|水位"
            "|实测|峰值|nvidia smi|peak|observed|profiler|实际占用|实际显存|实际测"
            "|跑出来|测得|测出来|测到|actual usage|in practice it used|profiled"
            "|max memory allocated|memory summary|监控|we saw|showed|shows|measured total"
            "|真机|观测|看到|跑起来|measurement|in reality|actual use|actual peak|实际跑"
            "|实际用|real usage|reserved|monitoring|dashboard|snapshot|日志里|log 里|alloc"
        ),
    },
    "limit": {
        "limit": (
            "never get past|never past|cannot exceed|never exceed|超不过|不会超过"
            "|limit|approach|approaches|approaching|tends to|asymptotically|asymptotic"
            "|for large n|very large n|large n|n large|infinity|as n grows|极限|趋近|趋于"
            "|趋近于|逼近|n 很大|n很大|n 足够大|n足够大|卡数很多|卡数足够多|卡足够多|卡很多"
            "|足够多的卡|理论上限|最多|at most|up to|at best|upper bound|上限|ceiling|上界"
            "|no more than|many gpus|enough gpus|n 无穷|无穷|n goes to|n→∞|n -> ∞|∞|n grows"
            "|极限情况|n 越大|max out|tops out|converges"
            "|flattens|levels off|趋平|无穷多卡|无穷多张卡"
        ),
    },
    "always": {
        "always": (
            "always|永远|总是|一定是|任何情况|无论|不管|regardless|whatever|in every case"
            "|in all cases|under all circumstances|no matter|始终|恒为|必然|一律|永远是"
            "|any configuration|without exception|毫无例外|固定|恒定|卡数无关|n 无关|fixed"
            "|constant|independent of|irrespective|unconditionally"
        ),
    },
    "storage": {
        "disk": (
            "checkpoint|ckpt|dataset|数据集|磁盘|硬盘|disk|ssd|file|文件|下载|download|镜像"
            "|bucket|buffer|缓冲|带宽|bandwidth|host|主机|host memory|host ram|ram|cpu 内存"
            "|主机内存"
            "|机器内存|内存条|cpu memory|nvme|日志|gb 内存|g 内存|corpus|语料|检查点"
            "|bucket size|swap|机器配|服务器|node memory|shared memory|logits|page cache"
            "|live parameter|live params|预取|prefetch|fragmentation|碎片"
            "|cuda context|cuda 上下文|workspace|临时张量|临时|temporary"
            "|framework overhead|框架开销|nccl 缓冲|nccl buffer"
            "|共享内存|每台机器|per node|tokenizer|video|视频|系统内存"
        ),
    },
    "capacity": {
        "fit": (
            "fit|fits|fit in|fit into|fits in|fits into|fit on|fits on|fitting|放进|放不进"
            "|放得下|放不下|装不下|装得下|装进|塞|塞进|塞不进|塞得下|塞不下|exceed|exceeds"
            "|超过了|超出|撑爆|爆掉|爆显存|only has|只有|容量|capacity|available|剩下|剩余"
            "|剩|headroom|budget|预算|余量|留给|out of|squeeze|room|上限是|card with|free"
            "|beyond|larger than the|more than the|买|配|cap|空闲|可用|installed|equipped"
            "|规格|够用|leaves|leave"
        ),
    },
    "infer": {
        "infer": (
            "推理|inference|serving|serve|加载|load|loading|部署|deploy|只加载|权重文件"
            "|just the weights|weights alone|only the weights|光权重|仅权重|单是权重"
        ),
    },
    "train": {
        "train": (
            "训练|train|training|trained|fine tune|fine tuning|finetune|finetuning|微调"
            "|全参|全量|pretrain|pretraining|预训练|adam|adamw|优化器|full fine tune"
            "|optimizer"
        ),
    },
    "need": {
        "need": (
            "need|needs|needed|require|requires|take|takes|takes up|occupy|occupies|cost"
            "|costs|consume|consumes|hold|holds|keep|keeps|store|stores|use|uses|需要|要|占"
            "|占用|用掉|吃|吃掉|是|为|达到|is|are|was|at|left|leaves|leave|剩|只剩|只要"
            "|只需|就要|得|等于|equals|comes to|约合|amounts to|carries|carry|will be"
            "|would be|lands at|sits at|存|保存|花"
        ),
    },
    "less": {
        "less": (
            "省|节省|节约|降低|减少|减小|缩小|压缩|压到|下降|降|降了|降到|降为|减到|缩到"
            "|减为|less|save|saves|saving|reduce|reduces|reduced|reduction|cut|cuts|shrink"
            "|shrinks|shrunk|smaller|lower|lowers|decrease|decreases|divided|divides|drop"
            "|drops|fewer|除以|saved|savings|cutting|shrinking|reducing|down|brings down"
            "|slash|slashes|trims|少|变成原来的|缩减|reductions|factor|compresses|lighter"
        ),
    },
    "more": {
        "more": (
            "多|高|贵|heavier|pricier|增加|额外|多出|上升|增长|more|extra|additional"
            "|increase|increases|higher|greater|on top|over ddp|overhead|加了|高出|涨|涨了"
            "|larger|extra traffic|added|adds|add|again"
        ),
    },
    "ref": {
        "ref": (
            "比|相比|相对|相对于|相较|较|than|versus|vs|compared with|compared to"
            "|relative to|that of|against|over|对比|of what|beyond"
        ),
    },
    "offload": {
        "optimizer": (
            "offload|zero offload|offloading|offload optimizer|卸载|cpu offload"
            "|optimizer offload|优化器卸载|卸到 cpu|放到 cpu|放在 cpu|放 cpu|offloaded"
            "|offloads|卸载到 cpu"
        ),
        "all": "offload param|offload parameter|参数也卸载|参数卸载|param offload",
    },
    "condition": {
        "dropout": "dropout|有 dropout|with dropout",
        "nodropout": (
            "without dropout|no dropout|无 dropout|没有 dropout|不用 dropout|不带 dropout"
            "|dropout 关掉|dropout off|关掉 dropout|关闭 dropout"
        ),
        "flash": (
            "flash|flashattention|flash attention|selective|selective recompute"
            "|selective recomputation|选择性重计算|选择性重算|selective checkpointing"
            "|selective activation recomputation|flash attn|选择重计算|fused attention"
        ),
        "full": (
            "full recompute|full recomputation|full checkpointing|全量重计算|完全重计算"
            "|全部重计算|完整重计算|full activation recomputation"
            "|full activation checkpointing|recomputing everything|全重算|全量重算"
            "|activation checkpointing|激活检查点|全部重算|gradient checkpointing"
            "|激活重计算|重计算|recompute|recomputation|checkpointing"
        ),
        "parallel": (
            "no parallelism|without parallelism|无并行|不并行|单卡不切|no tensor parallel"
            "|without tensor parallel|不做并行|没有并行"
        ),
        "sp": "sequence parallel|sequence parallelism|序列并行",
        "live": "live|reuse|驻留|复用|threshold|阈值|persistence",
        "regather": (
            "regather|re gather|gathers again|again for recompute|重新收集|再收集一次|再 gather"
        ),
    },
    "name": {
        "has": (
            "has|have|having|with|counts|count|contains|contain|有|共有|包含|参数量|规模"
            "|parameter count|number of parameters|参数总量|参数规模|参数数量"
            "|total parameters|共"
        ),
    },
    "most": {
        "most": (
            "maximum|largest|biggest|最大|最多|极限|up to|at most|上限|最大模型|能训|可训"
            "|can train|fits|fit|放得下|装得下|撑得起|largest model|能放下"
            "|train models up to"
        ),
    },
    **SETTINGS,
}
