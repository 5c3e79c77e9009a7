"""`shardwise memory`: model states per GPU, traffic per step, advice; formula and source."""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.cli.memory_view import View
    from service.domain.memory import (
        CommVolume,
        ModelShape,
        Offload,
        Recompute,
        Setting,
        StateBytes,
    )

SchemeOption = Annotated[
    str, typer.Option(help="Sharding scheme such as ds_zero2_default; `list` names them all.")
]
ParamsOption = Annotated[str, typer.Option(help="Parameters: 7.5e9, 7B, 70亿.")]
ModelOption = Annotated[str, typer.Option(help="A known model instead: llama-3-8b.")]
ShardsOption = Annotated[int, typer.Option(help="N, the sharding degree.")]
GpusOption = Annotated[int, typer.Option(help="All GPUs: N is GPUs / (tp x pp).")]
RecipeOption = Annotated[str, typer.Option(help="Precision recipe; the scheme's own if empty.")]
TensorOption = Annotated[int, typer.Option(help="Tensor-parallel degree.")]
PipelineOption = Annotated[int, typer.Option(help="Pipeline-parallel degree.")]
OffloadOption = Annotated[str, typer.Option(help="none, cpu_optimizer, nvme_optimizer, ...")]
MicroBatchesOption = Annotated[int, typer.Option(help="Micro-batches per optimizer step.")]
ReplicasOption = Annotated[
    int, typer.Option(help="Groups with the same shards (hybrid); 0: one a node.")
]
SequenceOption = Annotated[int, typer.Option(help="Tokens in a sequence.")]
BatchOption = Annotated[int, typer.Option(help="Sequences in a micro-batch.")]
RecomputeOption = Annotated[str, typer.Option(help="none or full: activations kept.")]
SequenceParallelOption = Annotated[
    bool, typer.Option("--sequence-parallel", help="Divides activations by all of tp.")
]
CardOption = Annotated[str, typer.Option(help="Memory of a GPU, 80GB, or its name, h100.")]
NodeOption = Annotated[int, typer.Option(help="GPUs in a node.")]
LinkOption = Annotated[str, typer.Option(help="Bytes/s of a GPU inside a node: 450GB.")]
NetOption = Annotated[str, typer.Option(help="Bytes/s of a GPU between nodes: 25GB.")]
HostOption = Annotated[str, typer.Option(help="Memory of a node's host: 2TB.")]
AdviseOption = Annotated[bool, typer.Option("--advise", help="Which scheme fits; needs --card.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document.")]
LangOption = Annotated[str, typer.Option(help="zh or en.")]


def memory(
    scheme: SchemeOption = "zero3_paper",
    params: ParamsOption = "",
    model: ModelOption = "",
    shards: ShardsOption = 0,
    gpus: GpusOption = 0,
    recipe: RecipeOption = "",
    tp: TensorOption = 1,
    pp: PipelineOption = 1,
    offload: OffloadOption = "none",
    micro_batches: MicroBatchesOption = 1,
    replicas: ReplicasOption = 0,
    seq: SequenceOption = 4096,
    batch: BatchOption = 1,
    recompute: RecomputeOption = "none",
    sequence_parallel: SequenceParallelOption = False,
    card: CardOption = "",
    node: NodeOption = 8,
    link: LinkOption = "",
    net: NetOption = "25GB",
    host: HostOption = "2TB",
    advise: AdviseOption = False,
    as_json: JsonOption = False,
    lang: LangOption = "",
) -> None:
    """GPU memory and traffic of a training setting. 训练设置的显存与通信量。"""
    from service.cli.language import reader_language
    from service.cli.memory_view import View
    from service.wording import load_wording

    view = View(reader_language(lang), load_wording())
    if scheme == "list":
        view.show_schemes()
        return
    psi, shape = _size(params, model)
    degree = _degree(shards, gpus, tp * pp)
    used = _Used(seq, batch, tp, pp, micro_batches, _recompute(recompute), sequence_parallel)
    if advise:
        setting = _setting(psi, shape, degree * tp * pp, card, recipe or None, link, net, host)
        _advise(view, replace(setting, gpus_per_node=node, **asdict(used)), as_json=as_json)
        return
    group, copies = _groups(scheme, degree, replicas, node, fixed=bool(shards))
    states = _states(psi, scheme, group, recipe, used, offload)
    volume = _volume(states, scheme, group, copies, recipe, used)
    activations = _activations(shape, used)
    if as_json:
        _print_json(view.document(states, volume, activations))
        return
    view.show_estimate(states, volume, activations, _card(card)[0] if card else None)


@dataclass(frozen=True, slots=True)
class _Used:
    """How the job runs: what the estimate and the advice both need."""

    seq: int
    batch: int
    tp: int
    pp: int
    micro_batches: int
    recompute: "Recompute"
    sequence_parallel: bool


def _print_json(document: object) -> None:
    from service.cli.output import print_json

    print_json(document)


def _advise(view: "View", setting: "Setting", *, as_json: bool) -> None:
    from service.domain.memory import advise

    advice = advise(setting)
    if as_json:
        _print_json(view.advice_document(advice))
        return
    view.show_advice(advice)


def _states(
    psi: float, scheme: str, group: int, recipe: str, used: _Used, offload: str
) -> "StateBytes":
    from service.domain.memory import model_states

    return model_states(
        psi, scheme, group, recipe or None, tp=used.tp, pp=used.pp, offload=_offload(offload)
    )


def _volume(
    states: "StateBytes", scheme: str, group: int, copies: int, recipe: str, used: _Used
) -> "CommVolume":
    from service.domain.memory import communication

    return communication(
        states.local_psi,
        scheme,
        group,
        micro_batches=used.micro_batches,
        replicas=copies,
        recipe=recipe or None,
    )


def _activations(shape: "ModelShape | None", used: _Used) -> float | None:
    """Bytes; None for a bare number of parameters, whose shape nobody knows."""
    from service.domain.memory import shape_activation_bytes

    if shape is None:
        return None
    return shape_activation_bytes(
        shape,
        used.seq,
        used.batch,
        used.recompute,
        tp=used.tp,
        sequence_parallel=used.sequence_parallel,
    )


def _groups(scheme: str, degree: int, replicas: int, node: int, *, fixed: bool) -> tuple[int, int]:
    """Shard group and replicas: hybrid schemes shard inside a node unless told otherwise.

    Raises:
        InputInvalid: the replicas do not divide the data-parallel degree.
    """
    from service.domain.memory import find_scheme, hybrid_groups
    from service.errors import InputInvalid

    if fixed or not find_scheme(scheme).has_replicas:
        return degree, max(1, replicas)
    if replicas and degree % replicas:
        raise InputInvalid(
            "{replicas} replicas do not divide {degree} data-parallel ranks.",
            replicas=replicas,
            degree=degree,
        )
    return (degree // replicas, replicas) if replicas else hybrid_groups(degree, node)


def _size(params: str, model: str) -> "tuple[float, ModelShape | None]":
    from service.corpus.models import MODELS_FILE, load_models
    from service.domain.memory import count_parameters, find_model, parse_count
    from service.errors import InputInvalid
    from service.settings import read_settings

    if bool(params) == bool(model):
        raise InputInvalid("Give either --params or --model.")
    if params:
        return parse_count(params), None
    shape = find_model(load_models(read_settings().knowledge_dir / MODELS_FILE), model)
    return float(count_parameters(shape).total), shape


def _degree(shards: int, gpus: int, model_parallel: int) -> int:
    """N from either option; one GPU when neither is given.

    Raises:
        InputInvalid: both disagree, or tp x pp does not divide the GPUs.
    """
    from service.errors import InputInvalid

    if shards < 0 or gpus < 0 or model_parallel < 1 or (gpus and gpus % model_parallel):
        raise InputInvalid(
            "{gpus} GPUs cannot be split into groups of tp x pp = {parallel}.",
            gpus=gpus,
            parallel=model_parallel,
        )
    from_gpus = gpus // model_parallel
    if shards and from_gpus and shards != from_gpus:
        raise InputInvalid(
            "--shards {shards} and --gpus {gpus} disagree: GPUs / (tp x pp) is {degree}.",
            shards=shards,
            gpus=gpus,
            degree=from_gpus,
        )
    return shards or from_gpus or 1


def _offload(name: str) -> "Offload":
    from service.domain.memory import Offload
    from service.errors import InputInvalid

    if name not in set(Offload):
        raise InputInvalid(
            "{name} is no offload; there are {known}.",
            name=repr(name[:40]),
            known=", ".join(Offload),
        )
    return Offload(name)


def _recompute(name: str) -> "Recompute":
    from service.domain.memory import Recompute
    from service.errors import InputInvalid

    known = {str(kind): kind for kind in (Recompute.NONE, Recompute.FULL)}
    if name not in known:
        raise InputInvalid("--recompute is none or full, not {name}.", name=repr(name[:40]))
    return known[name]


def _card(card: str) -> tuple[float, float]:
    """Memory and link of a GPU; a bare size gets the link of an A100.

    Raises:
        InputInvalid: neither a size nor a known GPU.
    """
    from service.domain.memory import GB, find_gpu, parse_bytes
    from service.errors import InputInvalid

    if not card:
        raise InputInvalid("Say how much memory a GPU has: --card 80GB or --card h100.")
    try:
        size = parse_bytes(card)
    except InputInvalid:
        gpu = find_gpu(card)
        return gpu.memory, gpu.link
    # A bare number such as 80 means gigabytes: nobody trains on 80 bytes.
    bare = card.replace(".", "", 1).isdigit()
    return (size * GB if bare else size), 300.0 * GB


def _setting(
    psi: float,
    shape: "ModelShape | None",
    gpus: int,
    card: str,
    recipe: str | None,
    link: str,
    net: str,
    host: str,
) -> "Setting":
    """The job as far as sizes and speeds go; a card's own link unless another is named."""
    from service.domain.memory import Setting, parse_bytes

    memory, own_link = _card(card)
    return Setting(
        psi,
        gpus,
        memory,
        intra_node=parse_bytes(link) if link else own_link,
        inter_node=parse_bytes(net),
        host_memory=parse_bytes(host),
        shape=shape,
        recipe=recipe,
    )
