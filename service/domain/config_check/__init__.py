"""Checks a DeepSpeed or FSDP configuration: keys, contradictions, what it does, what it costs."""

from collections.abc import Iterator, Mapping

from service.domain.config_check import deepspeed, fsdp
from service.domain.config_check.effects import Plan, estimate_of, plan_of
from service.domain.config_check.keys import check_keys
from service.domain.config_check.model import (
    ConfigReport,
    Estimate,
    Finding,
    Key,
    Schema,
    Section,
    Setting,
    Severity,
    Tool,
    Value,
)
from service.domain.config_check.values import Config, walk

RULES = {Tool.DEEPSPEED: deepspeed.RULES, Tool.FSDP: fsdp.RULES}
ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def check_config(
    given: Mapping[str, Value], schema: Schema, setting: Setting | None = None
) -> ConfigReport:
    """Everything that can be said of the configuration, errors first.

    Raises:
        InputInvalid: a size or number of GPUs that no formula allows.
    """
    known = setting or Setting()
    config = Config(schema, given)
    found = [*check_keys(config)]
    for rule in RULES[schema.tool]:
        found += rule(config, known)
    plan = plan_of(config)
    return ConfigReport(
        schema=schema,
        findings=tuple(sorted(dict.fromkeys(found), key=lambda f: ORDER[f.severity])),
        effects=plan.effects,
        asks=tuple(dict.fromkeys(_asks(config))),
        estimate=estimate_of(config, plan, known),
    )


def _asks(config: Config) -> Iterator[str]:
    """What the keys given would be asked about, in the order of the file."""
    for path, name, _ in walk(config.given, config.schema):
        key = config.schema.sections[path].find(name)
        yield from key.asks if key else ()


__all__ = [
    "ConfigReport",
    "Estimate",
    "Finding",
    "Key",
    "Plan",
    "Schema",
    "Section",
    "Setting",
    "Severity",
    "Tool",
    "check_config",
]
