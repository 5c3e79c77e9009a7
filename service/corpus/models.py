"""Reads the table of known models; a published total that the configuration misses is a fault."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from service.corpus.entries import Entry, entries_of
from service.corpus.files import Faults, read_yaml
from service.domain.memory.parameters import (
    Experts,
    LatentAttention,
    ModelShape,
    QkNorm,
    count_parameters,
    model_key,
)
from service.errors import InputInvalid, KnowledgeInvalid

MODELS_FILE: Final = "models.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LatentForm(_Strict):
    kv_rank: int = Field(ge=1)
    rope_dim: int = Field(ge=1)
    nope_dim: int = Field(ge=1)
    v_dim: int = Field(ge=1)
    q_rank: int = Field(default=0, ge=0)


class ExpertsForm(_Strict):
    count: int = Field(ge=1)
    top_k: int = Field(ge=1)
    ffn: int = Field(ge=1)
    shared_ffn: int = Field(default=0, ge=0)
    dense_layers: int = Field(default=0, ge=0)
    router_bias: bool = False
    bias: bool = False
    shared_gate: bool = False


class ModelForm(_Strict):
    """One entry of models.yaml. `published` is the exact total that the makers' weights have."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")
    title: str = Field(min_length=1)
    source: str = Field(min_length=1)
    layers: int = Field(ge=1)
    hidden: int = Field(ge=1)
    vocab: int = Field(ge=1)
    heads: int = Field(ge=1)
    kv_heads: int | None = Field(default=None, ge=1)
    ffn: int = Field(ge=0)
    head_dim: int = Field(default=0, ge=0)
    context: int = Field(default=0, ge=0)
    gated: bool = True
    tied: bool = False
    positions: int = Field(default=0, ge=0)
    alibi: bool = False
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    norm_bias: bool = False
    norms_per_layer: int = Field(default=2, ge=0)
    final_norm: bool = True
    embedding_norm: bool = False
    qk_norm: QkNorm = QkNorm.NONE
    attention_sinks: bool = False
    latent: LatentForm | None = None
    experts: ExpertsForm | None = None
    aliases: tuple[str, ...] = ()
    published: int | None = Field(default=None, ge=1)

    def shape(self) -> ModelShape:
        plain = self.model_dump(exclude={"published", "latent", "experts", "kv_heads"})
        return ModelShape(
            **plain,
            kv_heads=self.kv_heads or self.heads,
            latent=LatentAttention(**self.latent.model_dump()) if self.latent else None,
            experts=Experts(**self.experts.model_dump()) if self.experts else None,
        )


def load_models(path: Path) -> Mapping[str, ModelShape]:
    """The known models by id, in the order of the file.

    Raises:
        KnowledgeInvalid: every fault with file and line.
    """
    faults = Faults()
    file = read_yaml(path, path.name, faults)
    entries = entries_of([file] if file else [], ModelForm, faults)
    models: dict[str, ModelShape] = {}
    names: dict[str, str] = {}
    for entry in entries:
        shape = entry.form.shape()
        _check_names(entry, shape, names, faults)
        _check_total(entry, shape, faults)
        models[shape.id] = shape
    if faults.lines:
        raise KnowledgeInvalid("the table of models is faulty", faults.lines)
    return models


def _check_names(
    entry: Entry[ModelForm], shape: ModelShape, names: dict[str, str], faults: Faults
) -> None:
    for name in {model_key(name): name for name in (shape.id, *shape.aliases)}:
        if name in names:
            faults.add(entry.place("id"), f"{shape.id}: the name {name} is {names[name]} already")
        names[name] = shape.id


def _check_total(entry: Entry[ModelForm], shape: ModelShape, faults: Faults) -> None:
    try:
        total = count_parameters(shape).total
    except InputInvalid as error:
        faults.add(entry.place(), f"{shape.id}: {error}")
        return
    published = entry.form.published
    if published not in (None, total):
        faults.add(
            entry.place("published"),
            f"{shape.id}: the configuration has {total} parameters, not {published}",
        )
