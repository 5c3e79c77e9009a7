"""`shardwise memory`: model states per GPU, traffic per step, advice; formula and source."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from service.domain.memory import ModelShape, Offload, Recompute, Setting


def memory(
    scheme: Annotated[
        str, typer.Option(help="Sharding scheme such as ds_zero2_default; `list` names them all.")
    ] = "zero3_paper",
    params: Annotated[str, typer.Option(help="Parameters: 7.5e9, 7B, 70亿.")] = "",
    model: Annotated[str, typer.Option(help="A known model instead: llama-3-8b.")] = "",
    shards: Annotated[int, typer.Option(help="N, the sharding degree.")] = 0,
    gpus: Annotated[int, typer.Option(help="All GPUs: N is GPUs / (tp x pp).")] = 0,
    recipe: Annotated[str, typer.Option(help="Precision recipe; the scheme's own if empty.")] = "",
    tp: Annotated[int, typer.Option(help="Tensor-parallel degree.")] = 1,
    pp: Annotated[int, typer.Option(help="Pipeline-parallel degree.")] = 1,
    offload: Annotated[str, typer.Option(help="none, cpu_optimizer, nvme_optimizer, ...")] = "none",
    micro_batches: Annotated[int, typer.Option(help="Micro-batches per optimizer step.")] = 1,
    replicas: Annotated[
        int, typer.Option(help="Groups with the same shards (hybrid); 0: one a node.")
    ] = 0,
    seq: Annotated[int, typer.Option(help="Tokens in a sequence.")] = 4096,
    batch: Annotated[int, typer.Option(help="Sequences in a micro-batch.")] = 1,
    recompute: Annotated[str, typer.Option(help="none or full: activations kept.")] = "none",
    sequence_parallel: Annotated[
        bool, typer.Option("--sequence-parallel", help="Divides activations by all of tp.")
    ] = False,
    card: Annotated[str, typer.Option(help="Memory of a GPU, 80GB, or its name, h100.")] = "",
    node: Annotated[int, typer.Option(help="GPUs in a node.")] = 8,
    link: Annotated[str, typer.Option(help="Bytes/s of a GPU inside a node: 450GB.")] = "",
    net: Annotated[str, typer.Option(help="Bytes/s of a GPU between nodes: 25GB.")] = "25GB",
    host: Annotated[str, typer.Option(help="Memory of a node's host: 2TB.")] = "2TB",
    advise: Annotated[
        bool, typer.Option("--advise", help="Which scheme fits; needs --card.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """GPU memory and traffic of a training setting. 训练设置的显存与通信量。"""
    from service.cli.language import reader_language
    from service.cli.memory_view import View
    from service.cli.output import print_json
    from service.domain.memory import advise as weigh
    from service.domain.memory import communication, model_states, shape_activation_bytes
    from service.wording import load_wording

    view = View(reader_language(lang), load_wording())
    if scheme == "list":
        view.show_schemes()
        return
    psi, shape = _size(params, model)
    degree = _degree(shards, gpus, tp * pp)
    kept = _recompute(recompute)
    if advise:
        setting = _setting(psi, shape, degree * tp * pp, card, recipe or None, link, net, host)
        advice = weigh(
            replace(
                setting,
                seq=seq,
                batch=batch,
                tp=tp,
                pp=pp,
                micro_batches=micro_batches,
                recompute=kept,
                sequence_parallel=sequence_parallel,
                gpus_per_node=node,
            )
        )
        if as_json:
            print_json(view.advice_document(advice))
            return
        view.show_advice(advice)
        return
    group, copies = _groups(scheme, degree, replicas, node, fixed=bool(shards))
    states = model_states(
        psi, scheme, group, recipe or None, tp=tp, pp=pp, offload=_offload(offload)
    )
    volume = communication(
        states.local_psi, scheme, group,
        micro_batches=micro_batches, replicas=copies, recipe=recipe or None,
    )  # fmt: skip
    activations = (
        shape_activation_bytes(shape, seq, batch, kept, tp=tp, sequence_parallel=sequence_parallel)
        if shape
        else None
    )
    if as_json:
        print_json(view.document(states, volume, activations))
        return
    view.show_estimate(states, volume, activations, _card(card)[0] if card else None)


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
