"""Checking a DeepSpeed or FSDP configuration: from its text to a report with probes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from service.corpus.configs import CONFIGS_FOLDER, load_schemas, looks_like_config, read_config
from service.domain.config_check import ConfigReport, Schema, Setting, Tool, check_config
from service.domain.knowledge import Fact, Knowledge
from service.domain.language import Bilingual
from service.domain.memory import (
    ModelShape,
    count_parameters,
    find_model,
    largest_module_parameters,
    parse_count,
)
from service.errors import InputInvalid


@dataclass(frozen=True, slots=True)
class Probe:
    """What an interviewer would ask about the configuration; `id` is a question's or belief's."""

    id: str
    text: Bilingual


@dataclass(frozen=True, slots=True)
class CheckedConfig:
    report: ConfigReport
    probes: tuple[Probe, ...]
    facts: tuple[Fact, ...]


def open_schemas(knowledge_dir: Path) -> Mapping[Tool, Schema]:
    """Raises KnowledgeInvalid with every fault."""
    return load_schemas(knowledge_dir / CONFIGS_FOLDER)


def is_config(name: str, text: str) -> bool:
    """Whether a file of that name and text wants to be a configuration."""
    return looks_like_config(name, text)


def read_setting(
    models: Mapping[str, ModelShape], params: str = "", model: str = "", gpus: int = 0
) -> Setting:
    """What is known beside the file; empty values are left out.

    Raises:
        InputInvalid: both a size and a model, a size that is none, or fewer than no GPUs.
        ModelUnknown: no model of that name.
    """
    if params and model:
        raise InputInvalid("Give either --params or --model.")
    if gpus < 0:
        raise InputInvalid("{name} must be at least 1.", name="gpus")
    shape = find_model(models, model) if model else None
    size = (
        float(count_parameters(shape).total) if shape else parse_count(params) if params else None
    )
    largest = largest_module_parameters(shape) if shape else None
    return Setting(size, gpus or None, largest)


def check_config_text(
    text: str, schemas: Mapping[Tool, Schema], knowledge: Knowledge, setting: Setting
) -> CheckedConfig | None:
    """The report of a configuration; None when the text is none.

    Raises:
        FileTooLarge, FileUnreadable: no file that can be read, with line and column.
        InputInvalid: a key twice, or a size that no formula allows.
    """
    found = read_config(text, schemas)
    if found is None:
        return None
    report = check_config(found.given, found.schema, setting)
    ids = [i for f in (*report.findings, *report.effects) for i in f.fact_ids]
    facts = tuple(knowledge.facts[i] for i in dict.fromkeys(ids) if i in knowledge.facts)
    return CheckedConfig(report, _probes(report, knowledge), facts)


def _probes(report: ConfigReport, knowledge: Knowledge) -> tuple[Probe, ...]:
    probes: list[Probe] = []
    for name in report.asks:
        question = knowledge.questions.get(name)
        belief = knowledge.misconceptions.get(name)
        text = question.text if question else belief.probe if belief else None
        if text:
            probes.append(Probe(name, text))
    return tuple(probes)
