"""What the tools beside the interview give out: checked configurations and advice."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from service.api.bodies import Body


class ConfigFindingBody(Body):
    severity: Literal["error", "warning", "note"]
    path: str
    message: str
    fact_ids: Sequence[str]
    source: str


class ConfigEstimateBody(Body):
    scheme: str
    recipe: str
    bytes_per_gpu: float
    host_bytes_per_gpu: float
    formula: str
    worked: str
    comm_elements_per_step: float
    deepspeed_estimator: dict[str, int] | None = Field(
        description="What DeepSpeed's own estimator prints, in bytes; host bytes are per node."
    )


class ProbeBody(Body):
    id: str
    text: str


class ConfigBody(Body):
    tool: Literal["deepspeed", "fsdp"]
    version: str
    schema_id: str = Field(description="Which documented schema it was compared with.")
    findings: Sequence[ConfigFindingBody]
    effects: Sequence[ConfigFindingBody] = Field(description="What stage and offload really do.")
    estimate: ConfigEstimateBody | None = Field(description="Null unless model and GPUs are known.")
    asked: Sequence[ProbeBody] = Field(description="What an interviewer would ask about it.")
    sources: dict[str, str]


class OptionBody(Body):
    """One way to run the job; bytes per GPU and seconds per step."""

    scheme: str
    offload: str
    fits: bool
    bytes_per_gpu: float
    headroom: float = Field(description="Bytes left of the usable memory; negative: too large.")
    host_bytes_per_node: float
    states: float
    activations: float | None
    buffers: float
    working_set: float
    seconds: float = Field(description="Transfers of a step at the links given, before overlap.")


class AdviceBody(Body):
    proposed: OptionBody | None = Field(description="Null when nothing fits.")
    defensible: Sequence[OptionBody]
    options: Sequence[OptionBody]
    why: Sequence[str]
    instead: Sequence[str]
