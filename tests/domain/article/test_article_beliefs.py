"""Beliefs of articles: said in words their patterns were not written from, and their denials."""

import pytest

from service.domain.assertions import find_misconceptions

FIRST = 62  # the atlas entries of knowledge/misconceptions/articles.yaml start here
# Written after the patterns and left as they were: 48 of 54 were recognised at first sight.
SAID = [
    ("M62", "ZeRO-3 的网络流量是普通数据并行的好几倍"),
    ("M62", "跟第一阶段比，第三阶段传的数据多得多"),
    ("M62", "Compared with plain DDP, the traffic of stage 3 is vastly more"),
    ("M62", "ZeRO-3 needs many times the communication of ZeRO-1"),
    ("M63", "一阶段就把梯度的重复副本消掉了"),
    ("M63", "第二阶段会把权重拆到各张卡上"),
    ("M63", "In ZeRO-2 the weights are spread across the GPUs"),
    ("M63", "Stage 1 does away with duplicate gradients"),
    ("M64", "二阶段权重每卡都全，更新完不用再收集"),
    ("M64", "Since weights are replicated in ZeRO-1, no gather is required after the step"),
    ("M65", "ZeRO-2 在优化器步之前把所有梯度聚齐到每张卡"),
    ("M65", "With stage 2 every rank assembles the entire gradient"),
    ("M66", "ZeRO-2 就是把梯度卸载到 CPU 上"),
    ("M66", "ZeRO-1 offloads the optimizer states to the CPU"),
    ("M67", "训练比推理大概多吃三到四倍显存"),
    ("M67", "You need roughly four times the memory of inference for training"),
    ("M68", "8 张 80G 合计 640G，跑 DDP 足够放下"),
    ("M68", "Eight cards give 640 GB in total, enough for plain data parallelism"),
    ("M69", "分组查询注意力下，KV cache 仍要乘以全部注意力头"),
    ("M69", "Even with GQA, KV cache size is computed with the hidden size"),
    ("M70", "气泡比例 (p-1)/m 指的是占总时间的比例"),
    ("M70", "the bubble is (p-1)/m of total time"),
    ("M71", "nvidia-smi 一直 100%，说明训练效率很高"),
    ("M71", "nvidia-smi reads 100% so the hardware is fully used"),
    ("M72", "无论消息大小，环形 all-reduce 都是最快的"),
    ("M72", "ring all-reduce is always optimal"),
    ("M73", "FlashAttention 牺牲了精度，是近似计算"),
    ("M73", "FlashAttention computes an approximation of attention"),
    ("M74", "FlashAttention 之所以快，是因为运算量变少了"),
    ("M74", "FlashAttention speeds things up with less computation"),
    ("M75", "LoRA 微调只需加载 adapter，不占基座显存"),
    ("M75", "LoRA loads only adapter weights"),
    ("M76", "卡越多，all-reduce 每卡要传的数据就成正比地增长"),
    ("M76", "In all-reduce the bytes per rank grow linearly with the number of ranks"),
    ("M77", "GRPO 同样需要 critic 网络"),
    ("M77", "GRPO still needs a critic"),
    ("M78", "梯度检查点会让每步耗时翻倍"),
    ("M78", "gradient checkpointing makes training take twice as long"),
    ("M79", "上下文并行和序列并行其实没有区别"),
    ("M79", "context parallelism is just another name for sequence parallelism"),
    ("M80", "打开 overlap 后通信量就减少了"),
    ("M80", "prefetching cuts the number of bytes sent"),
    ("M81", "bf16 比 fp16 更精确"),
    ("M81", "bfloat16 offers better precision than half precision"),
    ("M82", "张量并行放到机器之间也行"),
    ("M82", "tensor parallel across hosts works well"),
    ("M83", "DDP 要等反向传播完成后才 all-reduce"),
    ("M83", "DDP launches all-reduce once the backward is over"),
    ("M84", "train_batch_size 就是每卡 batch 大小"),
    ("M84", "train_batch_size is the per GPU batch"),
    ("M85", "用了 ZeRO 会改变收敛结果"),
    ("M85", "ZeRO changes the training result"),
    ("M86", "ZeRO-3 的峰值显存等于 16ψ/N"),
    ("M86", "peak memory of stage 3 equals 16ψ/N"),
]
NOT_SAID = [
    "ZeRO-3 的流量至多是 DDP 的 1.5 倍，不是好几倍。",
    "ZeRO-2 doesn't shard the parameters.",
    "ZeRO-2 每步都要 all-gather 更新后的参数。",
    "没有任何卡会收集完整梯度。",
    "ZeRO-2 可以把优化器状态卸载到 CPU。",
    "FlashAttention 不是近似算法，它是精确的。",
    "FlashAttention does not reduce FLOPs.",
    "GRPO needs no critic.",
    "重计算不会让时间翻倍。",
    "Sequence parallelism is not the same as context parallelism.",
    "Overlap hides communication, it does not reduce the volume.",
    "bf16 精度低于 fp16。",
    "fp16 的精度比 bf16 高。",
    "fp16 is more precise than bf16.",
    "张量并行不要跨机。",
    "DDP 的 all-reduce 与反向重叠，不等反向结束。",
    "train_batch_size 是全局批大小，等于每卡 micro-batch 乘累积乘卡数。",
    "ZeRO 不会改变收敛。",
    "ZeRO-3 的模型状态是 16ψ/N，峰值还要加激活。",
    "环形算法在大消息时最优。",
    "Does LoRA only load adapters?",
    "用 LoRA 时只有适配器有梯度和优化器状态。",
    "The KV cache of a GQA model counts KV heads, not all attention heads.",
    "8 张卡加起来 640 GB，但 DDP 每卡都要一整份，放不下。",
    "ZeRO-2 shards gradients; parameters stay whole.",
    "在 ZeRO-2 的基础上 ZeRO-3 再把参数切开。",
    "ZeRO-1 的通信量与 DDP 相同。",
    "Stage 1 removes the redundancy of optimizer states.",
]


def held(text, knowledge, lexicon):
    found = find_misconceptions(text, knowledge.misconceptions.values(), lexicon)
    return {claim.misconception_id for claim in found}


def new_beliefs(knowledge):
    return [m for m in knowledge.misconceptions.values() if int(m.id[1:]) >= FIRST]


def test_the_atlas_holds_at_least_eighty_beliefs(knowledge):
    assert len(knowledge.misconceptions) >= 80


def test_most_far_wordings_are_recognised(knowledge, lexicon):
    found = sum(belief in held(text, knowledge, lexicon) for belief, text in SAID)
    assert found >= 0.85 * len(SAID)


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_is_right_or_denied_is_no_belief(text, knowledge, lexicon):
    own = {m.id for m in new_beliefs(knowledge)}
    assert not held(text, knowledge, lexicon) & own


def test_each_belief_has_a_probe_and_wordings_in_both_languages(knowledge):
    for belief in new_beliefs(knowledge):
        assert belief.probe is not None
        assert set(belief.wordings) == {"zh", "en"}


def test_each_belief_rests_on_a_verified_fact(knowledge):
    for belief in new_beliefs(knowledge):
        assert any(knowledge.facts[i].verified.is_firm for i in belief.fact_ids)
