"""What the API takes in, each form with an example. Fields it does not know are refused."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from service.domain.grading import Level
from service.domain.interview import Mode
from service.domain.knowledge import Background
from service.domain.language import Lang
from service.domain.memory import Recompute

Text = Annotated[str, Field(description="Plain text.")]
# As the service makes them, and as the knowledge base names its questions.
Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]


class Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def with_example(**example: JsonValue) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [dict(example)]})


class ResumeTextIn(Body):
    model_config = with_example(
        text="# Li Example\n\n## Work\n### Example Tech | Engineer | 2021.07 - present\n"
        "- Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100."
    )

    text: Text


class PostingIn(Body):
    model_config = with_example(
        text="Training engineer\nRequirements:\n1. Familiar with DeepSpeed or Megatron-LM.\n"
        "2. 3+ years with PyTorch."
    )

    text: Text


class MatchIn(Body):
    model_config = with_example(
        resume_id="4f0c1e2d3b4a59687786a5b4", posting_id="9b8a7c6d5e4f30211203f4e5"
    )

    resume_id: Id = Field(description="From `POST /v1/resumes`.")
    posting_id: Id = Field(description="From `POST /v1/postings`.")


class PlanIn(Body):
    model_config = with_example(lang="zh", level="senior", mode="coached", minutes=30)

    lang: Lang = Field(default=Lang.EN, description="The language of the interview.")
    level: Level = Field(default=Level.MID, description="How deep the questions go.")
    mode: Mode = Field(
        default=Mode.EXAM,
        description="coached shows the grade after each answer, exam at the end.",
    )
    minutes: int = Field(default=30, description="5 to 120.")
    question_ids: Sequence[Id] = Field(default=(), description="Your own choice, in order.")
    resume_id: Id | None = Field(default=None, description="Questions refer to this résumé.")
    posting_id: Id | None = Field(
        default=None, description="Questions follow what this posting asks for."
    )
    seed: str = Field(
        default="", max_length=64, description="From a plan: the same drawn numbers again."
    )
    background: Background | None = Field(
        default=None, description="Where you come from: what suits you is asked first."
    )
    warm_up: bool = Field(default=False, description="Begin with an unscored warm-up.")


class AnswerIn(Body):
    model_config = with_example(
        answer="Under plain data parallelism every GPU keeps all 16 bytes per parameter; "
        "ZeRO-1 shards the optimizer states over the data-parallel group."
    )

    answer: Text


class CheckIn(Body):
    model_config = with_example(
        text="A 7B model with ZeRO-3 on 8 GPUs needs 14 GB of model states per GPU.",
        context={"model_params": 7e9, "dp_degree": 8},
    )

    text: Text
    context: dict[str, float | str] = Field(
        default_factory=dict[str, float | str],
        description="model_params, dp_degree, scheme, gpus, micro_batches, ...",
    )


class CheckConfigIn(Body):
    model_config = with_example(
        text='{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}',
        model="llama-3-8b",
        gpus=64,
    )

    text: Text
    params: str = Field(default="", max_length=60, description="Of its model: 7e9, 7B.")
    model: str = Field(default="", max_length=60, description="A known model instead.")
    gpus: int = Field(default=0, ge=0, le=10_000_000, description="0 when not known.")


class AdviceQuery(Body):
    """A job: sizes in bytes, speeds in bytes per second and GPU."""

    gpus: int
    memory: float = Field(description="Of one GPU, in bytes: 80e9.")
    params: float | None = Field(default=None, description="Number of parameters.")
    model: str | None = Field(default=None, max_length=60, description="A known model instead.")
    gpus_per_node: int = 8
    intra_node: float = Field(default=300e9, description="Link inside a node.")
    inter_node: float = Field(default=25e9, description="A GPU's share of the network.")
    pcie: float = 25e9
    host_memory: float = Field(default=2e12, description="Of a node, in bytes.")
    seq: int = 4096
    batch: int = 1
    micro_batches: int = 1
    tp: int = 1
    pp: int = 1
    sequence_parallel: bool = False
    recompute: Recompute = Recompute.NONE
    recipe: str | None = Field(default=None, max_length=60)
    reserve: float = Field(default=0.1, description="Share of a GPU's memory kept free.")
