"""The table of sharding schemes: what is split, which collectives a step runs, and who says so.

What the paper describes and what an implementation does by default have different ids.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

from service.domain.language import Bilingual, msg
from service.domain.memory.sharding import (
    Collective,
    CommTerm,
    Group,
    Offload,
    Per,
    Purpose,
    Scheme,
    State,
    Status,
)
from service.errors import InputInvalid

_P, _G, _O = State.PARAMETERS, State.GRADIENTS, State.OPTIMIZER
_NOTHING: Final[frozenset[State]] = frozenset()
_OPT: Final = frozenset({_O})
_OPT_GRAD: Final = frozenset({_O, _G})
_OPT_PARAM: Final = frozenset({_O, _P})
_ALL: Final = frozenset({_O, _G, _P})
_CPU: Final = frozenset({Offload.OPTIMIZER})
_CPU_NVME: Final = frozenset(Offload) - {Offload.NONE}
_CPU_ALL: Final = frozenset({Offload.ALL})

_K = Per.MICRO_BATCH
_AR_GRAD: Final = CommTerm(Collective.ALL_REDUCE, Purpose.GRADIENTS)
_AR_GRAD_K: Final = CommTerm(Collective.ALL_REDUCE, Purpose.GRADIENTS, _K)
_RS_GRAD: Final = CommTerm(Collective.REDUCE_SCATTER, Purpose.GRADIENTS)
_RS_GRAD_K: Final = CommTerm(Collective.REDUCE_SCATTER, Purpose.GRADIENTS, _K)
_REDUCE_K: Final = CommTerm(Collective.REDUCE, Purpose.GRADIENTS, _K)
_AG_UPDATED: Final = CommTerm(Collective.ALL_GATHER, Purpose.UPDATED)
_AG_FORWARD: Final = CommTerm(Collective.ALL_GATHER, Purpose.FORWARD)
_AG_FORWARD_K: Final = CommTerm(Collective.ALL_GATHER, Purpose.FORWARD, _K)
_AG_BACKWARD_K: Final = CommTerm(Collective.ALL_GATHER, Purpose.BACKWARD, _K)
_AG_RECOMPUTE_K: Final = CommTerm(Collective.ALL_GATHER, Purpose.RECOMPUTE, _K)
_AR_REPLICA: Final = CommTerm(Collective.ALL_REDUCE, Purpose.GRADIENTS, Per.STEP, Group.REPLICA)

_PAPER: Final = "arXiv:1910.02054v3"
_DS: Final = "deepspeed 0.19.8"
_TORCH: Final = "torch 2.13.0"

_IMPLEMENTED_AR: Final = msg(
    "DeepSpeed all-reduces gradients here by default; the paper's reduce-scatter would save ψ"
)

_ROWS: Final = (
    Scheme(
        "ddp", Bilingual("DDP（同步只在最后一个 micro-batch）", "DDP (reducing once a step)"),
        Status.PAPER, 0, _NOTHING, (_AR_GRAD,), f"{_PAPER} §7.1", ("F001", "F008", "F031"),
        aliases=("dp", "data_parallel", "zero0", "fsdp_no_shard", "no_shard", "ds_zero0",
                 "ddp_no_sync"),
    ),
    Scheme(
        "ddp_every_micro_batch",
        Bilingual("DDP（每个 micro-batch 都同步）", "DDP (reducing every micro-batch)"),
        Status.DERIVED, 0, _NOTHING, (_AR_GRAD_K,), "definition: DDP without no_sync",
        ("F008", "F031"),
        aliases=("ddp_without_no_sync", "ddp_no_nosync", "ddp_sync"),
    ),
    Scheme(
        "zero1_paper", Bilingual("ZeRO-1（论文）", "ZeRO-1 as in the paper"),
        Status.PAPER, 1, _OPT, (_RS_GRAD, _AG_UPDATED), f"{_PAPER} §5.1, §7.2.1",
        ("F014", "F019", "F032"), offloads=_CPU,
        aliases=("zero1", "zero1_ideal", "zero_1", "zero-1", "stage1", "p_os", "zero1_paper_k1"),
    ),
    Scheme(
        "zero2_paper", Bilingual("ZeRO-2（论文）", "ZeRO-2 as in the paper"),
        Status.PAPER, 2, _OPT_GRAD, (_RS_GRAD_K, _AG_UPDATED), f"{_PAPER} §5.2, §7.2.1",
        ("F015", "F021", "F032"), offloads=_CPU,
        notes=(msg("with k micro-batches the reduction runs k times; the paper counts k = 1"),),
        aliases=("zero2", "zero2_paper_k1", "zero2_ideal", "zero_2", "zero-2", "stage2", "p_os_g"),
    ),
    Scheme(
        "zero3_paper", Bilingual("ZeRO-3（论文）", "ZeRO-3 as in the paper"),
        Status.PAPER, 3, _ALL, (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD_K),
        f"{_PAPER} §5.3, §7.2.2",
        ("F016", "F022", "F033"), offloads=_CPU_NVME,
        aliases=("zero3", "zero_3", "zero-3", "stage3", "p_os_g_p", "zero3_paper_k1"),
    ),
    Scheme(
        "zero3_recompute_regather",
        Bilingual("ZeRO-3，重计算时再收集一次", "ZeRO-3 gathering again for recompute"),
        Status.IMPLEMENTATION, 3, _ALL,
        (_AG_FORWARD_K, _AG_RECOMPUTE_K, _AG_BACKWARD_K, _RS_GRAD_K),
        f"{_DS}, measured with reuse disabled and checkpointing", ("F016", "F039", "F040"),
        offloads=_CPU_NVME,
        notes=(
            msg("4kψ is the most it can be: only the checkpointed blocks are gathered again"),
        ),
        aliases=("ds_zero3_recompute", "zero3_recompute"),
    ),
    Scheme(
        "ds_zero1_default", Bilingual("DeepSpeed ZeRO-1（默认）", "DeepSpeed ZeRO-1 (defaults)"),
        Status.IMPLEMENTATION, 1, _OPT, (_AR_GRAD, _AG_UPDATED),
        f"{_DS} runtime/zero/config.py:119; measured", ("F014", "F020", "F034", "F036"),
        offloads=_CPU, notes=(_IMPLEMENTED_AR,), aliases=("ds_zero1", "deepspeed_zero1"),
    ),
    Scheme(
        "ds_zero2_default", Bilingual("DeepSpeed ZeRO-2（默认）", "DeepSpeed ZeRO-2 (defaults)"),
        Status.IMPLEMENTATION, 2, _OPT_GRAD, (_AR_GRAD_K, _AG_UPDATED),
        f"{_DS} runtime/zero/config.py:119; measured", ("F015", "F020", "F034", "F036"),
        offloads=_CPU, notes=(_IMPLEMENTED_AR,), aliases=("ds_zero2", "deepspeed_zero2"),
    ),
    Scheme(
        "ds_zero2_owner_reduce",
        Bilingual("DeepSpeed ZeRO-2（逐 owner 归约）", "DeepSpeed ZeRO-2 (one reduce per owner)"),
        Status.IMPLEMENTATION, 2, _OPT_GRAD, (_REDUCE_K, _AG_UPDATED),
        f"{_DS}, use_multi_rank_bucket_allreduce=false; measured", ("F015", "F035"),
        offloads=_CPU, aliases=("ds_zero2_nomulti", "ds_zero2_no_multi_rank"),
    ),
    Scheme(
        "ds_zero2_estimator",
        Bilingual("DeepSpeed ZeRO-2 估算器的口径", "ZeRO-2 as DeepSpeed's estimator counts it"),
        Status.IMPLEMENTATION, 2, _OPT_GRAD, (_AR_GRAD_K, _AG_UPDATED),
        f"{_DS} runtime/zero/stage_1_and_2.py:4017", ("F140",), recipe="adam_fp16_fp32gradcopy",
        offloads=_CPU,
        notes=(msg("the estimator counts an fp32 gradient copy and prints GiB as GB"),),
    ),
    Scheme(
        "ds_zero3_default", Bilingual("DeepSpeed ZeRO-3（默认）", "DeepSpeed ZeRO-3 (defaults)"),
        Status.IMPLEMENTATION, 3, _ALL, (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD_K),
        f"{_DS}, measured with reuse disabled", ("F016", "F030", "F037", "F038"),
        offloads=_CPU_NVME,
        notes=(
            msg("below one billion parameters DeepSpeed keeps the gathered layers and moves 2kψ"),
        ),
        aliases=("ds_zero3", "deepspeed_zero3"),
    ),
    Scheme(
        "ds_zero3_live",
        Bilingual("DeepSpeed ZeRO-3（参数一直驻留）", "DeepSpeed ZeRO-3 (parameters staying live)"),
        Status.IMPLEMENTATION, 3, _ALL, (_AG_FORWARD_K, _RS_GRAD_K),
        f"{_DS}, measured below stage3_max_live_parameters", ("F016", "F041"),
        offloads=_CPU_NVME, gathers_whole_model=True, aliases=("zero3_live", "ds_zero3_reuse"),
    ),
    Scheme(
        "ds_zero3_persistent",
        Bilingual("DeepSpeed ZeRO-3（参数都低于阈值）",
                  "DeepSpeed ZeRO-3 (all below the threshold)"),
        Status.IMPLEMENTATION, 3, _ALL, (_RS_GRAD_K, _AG_UPDATED),
        f"{_DS} runtime/zero/config.py:228; measured", ("F028", "F029"),
        offloads=_CPU_NVME, gathers_whole_model=True, aliases=("ds_zero3_persisted",),
    ),
    Scheme(
        "fsdp_full_shard", Bilingual("FSDP FULL_SHARD", "FSDP FULL_SHARD"),
        Status.IMPLEMENTATION, 3, _ALL, (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD_K),
        f"{_TORCH} distributed/fsdp/api.py:32-70; measured", ("F046", "F061", "F063"),
        recipe="fsdp_mp_fp32_sharded", offloads=_CPU_ALL,
        aliases=("fsdp", "fsdp_full", "fsdp2", "fsdp2_full", "fully_shard"),
    ),
    Scheme(
        "fsdp_full_shard_no_sync",
        Bilingual("FSDP FULL_SHARD + no_sync", "FSDP FULL_SHARD with no_sync"),
        Status.IMPLEMENTATION, 3, _OPT_PARAM, (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD),
        f"{_TORCH} fully_sharded_data_parallel.py:1034-1046; measured", ("F067", "F068"),
        recipe="fsdp_mp_fp32_sharded",
        aliases=("fsdp_full_nosync", "fsdp_full_no_sync", "fsdp_full_shard_nosync"),
    ),
    Scheme(
        "fsdp_shard_grad_op", Bilingual("FSDP SHARD_GRAD_OP", "FSDP SHARD_GRAD_OP"),
        Status.IMPLEMENTATION, 2, _ALL, (_AG_FORWARD_K, _RS_GRAD_K),
        f"{_TORCH} distributed/fsdp/api.py:43-50; measured", ("F047", "F048"),
        recipe="fsdp_mp_fp32_sharded", offloads=_CPU_ALL, gathers_whole_model=True,
        aliases=("fsdp_sgo", "fsdp2_zero2", "shard_grad_op", "fsdp_no_reshard"),
    ),
    Scheme(
        "fsdp_shard_grad_op_no_sync",
        Bilingual("FSDP SHARD_GRAD_OP + no_sync", "FSDP SHARD_GRAD_OP with no_sync"),
        Status.IMPLEMENTATION, 2, _OPT_PARAM, (_AG_FORWARD, _RS_GRAD),
        f"{_TORCH}, measured: no gather after the first micro-batch", ("F047", "F067", "F068"),
        recipe="fsdp_mp_fp32_sharded", gathers_whole_model=True,
        aliases=("fsdp_shard_grad_op_nosync", "fsdp_sgo_nosync", "fsdp_sgo_no_sync"),
    ),
    Scheme(
        "hsdp", Bilingual("FSDP HYBRID_SHARD（HSDP）", "FSDP HYBRID_SHARD (HSDP)"),
        Status.IMPLEMENTATION, 3, _ALL,
        (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD_K, _AR_REPLICA),
        f"{_TORCH} distributed/fsdp/api.py; measured", ("F050", "F051", "F052", "F076"),
        recipe="fsdp_mp_fp32_sharded", offloads=_CPU_ALL,
        aliases=("hybrid_shard", "fsdp_hybrid_shard", "fsdp2_hsdp"),
    ),
    Scheme(
        "mics", Bilingual("MiCS（子组切分）", "MiCS (sharding in sub-groups)"),
        Status.IMPLEMENTATION, 3, _ALL,
        (_AG_FORWARD_K, _AG_BACKWARD_K, _RS_GRAD_K, _AR_REPLICA),
        "deepspeed 0.19.6 runtime/zero/mics.py:400-436", ("F277",),
        aliases=("ds_mics",),
        notes=(
            msg("replicas all-reduce at the accumulation boundary only, and not from the CPU"),
        ),
    ),
    Scheme(
        "megatron_distopt",
        Bilingual("Megatron 分布式优化器", "Megatron distributed optimizer"),
        Status.IMPLEMENTATION, 1, _OPT, (_RS_GRAD, _AG_UPDATED),
        "Megatron-LM README, distributed optimizer table", ("F010", "F011"),
        recipe="adam_bf16_fp32grad",
        aliases=("megatron_distributed_optimizer", "distributed_optimizer", "megatron"),
    ),
    Scheme(
        "zero_redundancy_optimizer",
        Bilingual("DDP + ZeroRedundancyOptimizer", "DDP with ZeroRedundancyOptimizer"),
        Status.IMPLEMENTATION, 1, _OPT,
        (_AR_GRAD, CommTerm(Collective.BROADCAST, Purpose.UPDATED)),
        f"{_TORCH} distributed/optim/zero_redundancy_optimizer.py; measured", ("F027",),
        recipe="adam_fp32", aliases=("ddp_zro", "zro"),
        notes=(msg("it hands out whole parameters, so the ranks hold unequal shares"),),
    ),
    Scheme(
        "zeropp", Bilingual("ZeRO++（qwZ、hpZ、qgZ 全开）", "ZeRO++ with qwZ, hpZ and qgZ"),
        Status.PAPER, 3, _ALL,
        (
            CommTerm(Collective.ALL_GATHER, Purpose.FORWARD, _K, width=Fraction(1, 2)),
            CommTerm(Collective.ALL_TO_ALL, Purpose.GRADIENTS, _K, width=Fraction(1, 4)),
        ),
        f"DeepSpeed blogs/zeropp; {_DS} config.py:324-344",
        ("F091", "F092", "F093", "F094", "F095"),
        notes=(
            msg("volume between nodes in 16-bit elements; the backward gather stays in the node"),
            msg("hpZ keeps a second 16-bit copy: 2ψ / (GPUs of the group) more on each GPU"),
        ),
        aliases=("zero++", "zero_plus_plus", "ds_zeropp"),
    ),
)  # fmt: skip

SCHEMES: Final[Mapping[str, Scheme]] = {row.id: row for row in _ROWS}
_BY_NAME: Final[Mapping[str, Scheme]] = {n: row for row in _ROWS for n in (*row.aliases, row.id)}


def find_scheme(scheme: str | Scheme) -> Scheme:
    """The row of that id or alias.

    Raises:
        InputInvalid: no such scheme; names the nearest.
    """
    if isinstance(scheme, Scheme):
        return scheme
    row = _BY_NAME.get(scheme) or _BY_NAME.get(scheme.strip().lower())
    if row is None:
        near = get_close_matches(scheme.lower(), _BY_NAME, n=3, cutoff=0.4)
        nearest = dict.fromkeys(_BY_NAME[name].id for name in near) or SCHEMES
        raise InputInvalid(
            "no sharding scheme is called {name}; nearest: {near}",
            name=scheme[:60],
            near=", ".join(nearest),
        )
    return row
