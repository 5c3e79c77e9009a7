"""What a configuration checker knows and says: schemas as data, findings, effects, estimates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from service.domain.language import Bilingual, Message
from service.domain.memory import DeepSpeedEstimate, StateBytes

Value = object  # what JSON or YAML holds: a mapping, a list, a text, a number, true, false or null


class Tool(StrEnum):
    DEEPSPEED = "deepspeed"
    FSDP = "fsdp"


class Severity(StrEnum):
    ERROR = "error"  # refused at start, or impossible
    WARNING = "warning"  # ignored without a word, or not what its writer expects
    NOTE = "note"  # worth knowing; nothing to mend


@dataclass(frozen=True, slots=True)
class Key:
    """One documented key. `types` are those of JSON: int, float, bool, str, list, dict."""

    name: str
    types: tuple[str, ...]
    default: Value = None
    has_default: bool = False
    aliases: tuple[str, ...] = ()
    allowed: tuple[Value, ...] = ()
    least: float | None = None
    most: float | None = None
    unit: str = ""
    stages: tuple[int, ...] = ()  # ZeRO stages or FSDP generations under which it has an effect
    instead: str = ""  # the key that replaces a deprecated one
    says: Bilingual | None = None
    differs: Bilingual | None = None  # where documentation and code disagree
    fact_ids: tuple[str, ...] = ()
    asks: tuple[
        str, ...
    ] = ()  # ids of questions and misconceptions an interviewer would start from


@dataclass(frozen=True, slots=True)
class Section:
    """`strict` sections refuse unknown keys; the others ignore them without a word."""

    path: str
    strict: bool
    at: str  # the file of the tool that reads it
    keys: Mapping[str, Key]
    gone: Mapping[str, Bilingual] = field(default_factory=dict[str, Bilingual])

    def find(self, name: str) -> Key | None:
        found = self.keys.get(name)
        return found or next((k for k in self.keys.values() if name in k.aliases), None)


@dataclass(frozen=True, slots=True)
class Schema:
    id: str
    tool: Tool
    version: str
    title: str
    url: str
    sections: Mapping[str, Section]
    open: frozenset[str]

    def key(self, path: str) -> Key | None:
        section, _, name = path.rpartition(".")
        known = self.sections.get(section)
        return known.find(name) if known else None


@dataclass(frozen=True, slots=True)
class Finding:
    """`path` is the dotted key; empty for what concerns the file as a whole."""

    severity: Severity
    path: str
    message: Message
    fact_ids: tuple[str, ...] = ()
    source: str = ""  # the file of the tool or its documentation


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known beside the file. `params` counts parameters."""

    params: float | None = None
    gpus: int | None = None
    largest_layer: int | None = None  # parameters of the largest single module


@dataclass(frozen=True, slots=True)
class Estimate:
    """Model states per GPU, and what DeepSpeed's own estimator prints for the same setting."""

    states: StateBytes
    elements_per_step: float
    own: DeepSpeedEstimate | None = None


@dataclass(frozen=True, slots=True)
class ConfigReport:
    """`effects` say what the stage and the offload really do; `asks` are ids of probes."""

    schema: Schema
    findings: tuple[Finding, ...]
    effects: tuple[Finding, ...]
    asks: tuple[str, ...]
    estimate: Estimate | None = None

    @property
    def is_refused(self) -> bool:
        return any(f.severity is Severity.ERROR for f in self.findings)
