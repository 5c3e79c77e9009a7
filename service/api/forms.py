"""What the API takes in, each form with an example. Fields it does not know are refused."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from service.domain.grading import Level
from service.domain.interview import Mode
from service.domain.language import Lang

Text = Annotated[str, Field(description="Plain text.")]
# As the service makes them, and as the knowledge base names its questions.
Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]


class Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _with_example(**example: JsonValue) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [dict(example)]})


class ResumeTextIn(Body):
    model_config = _with_example(
        text="# Li Example\n\n## Work\n### Example Tech | Engineer | 2021.07 - present\n"
        "- Trained a 13B model with DeepSpeed ZeRO-3 on 64 A100."
    )

    text: Text


class PostingIn(Body):
    model_config = _with_example(
        text="Training engineer\nRequirements:\n1. Familiar with DeepSpeed or Megatron-LM.\n"
        "2. 3+ years with PyTorch."
    )

    text: Text


class MatchIn(Body):
    model_config = _with_example(
        resume_id="4f0c1e2d3b4a59687786a5b4", posting_id="9b8a7c6d5e4f30211203f4e5"
    )

    resume_id: Id = Field(description="From `POST /v1/resumes`.")
    posting_id: Id = Field(description="From `POST /v1/postings`.")


class PlanIn(Body):
    model_config = _with_example(lang="zh", level="senior", mode="coached", minutes=30)

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


class AnswerIn(Body):
    model_config = _with_example(
        answer="Under plain data parallelism every GPU keeps all 16 bytes per parameter; "
        "ZeRO-1 shards the optimizer states over the data-parallel group."
    )

    answer: Text


class CheckIn(Body):
    model_config = _with_example(
        text="A 7B model with ZeRO-3 on 8 GPUs needs 14 GB of model states per GPU.",
        context={"model_params": 7e9, "dp_degree": 8},
    )

    text: Text
    context: dict[str, float | str] = Field(
        default_factory=dict[str, float | str],
        description="model_params, dp_degree, scheme, gpus, micro_batches, ...",
    )
