"""Checked configurations and advice turned into bodies, in the reader's language."""

from service.api import tool_bodies as bodies
from service.api.present import Presenter
from service.domain.config_check import Estimate, Finding
from service.domain.memory import Advice, Option
from service.flows.config_check import CheckedConfig


def advice_body(show: Presenter, advice: Advice) -> bodies.AdviceBody:
    return bodies.AdviceBody(
        proposed=_option(advice.proposed) if advice.proposed else None,
        defensible=[_option(o) for o in advice.defensible],
        options=[_option(o) for o in advice.options],
        why=[show.wording.render(m, show.lang) for m in advice.why],
        instead=[show.wording.render(m, show.lang) for m in advice.instead],
    )


def config_body(show: Presenter, checked: CheckedConfig) -> bodies.ConfigBody:
    report = checked.report
    return bodies.ConfigBody(
        tool=report.schema.tool.value,
        version=report.schema.version,
        schema_id=report.schema.id,
        findings=[_finding(show, f) for f in report.findings],
        effects=[_finding(show, f) for f in report.effects],
        estimate=_estimate(report.estimate) if report.estimate else None,
        asked=[bodies.ProbeBody(id=p.id, text=p.text.in_(show.lang)) for p in checked.probes],
        sources={fact.id: fact.source for fact in checked.facts},
    )


def _finding(show: Presenter, finding: Finding) -> bodies.ConfigFindingBody:
    return bodies.ConfigFindingBody(
        severity=finding.severity.value,
        path=finding.path,
        message=show.wording.render(finding.message, show.lang),
        fact_ids=finding.fact_ids,
        source=finding.source,
    )


def _option(option: Option) -> bodies.OptionBody:
    return bodies.OptionBody(
        scheme=option.scheme.id,
        offload=option.candidate.offload.value,
        fits=option.fits,
        bytes_per_gpu=option.total,
        headroom=option.headroom,
        host_bytes_per_node=option.host_needed,
        states=option.states.total,
        activations=option.activations,
        buffers=option.buffers,
        working_set=option.working_set,
        seconds=option.seconds,
    )


def _estimate(estimate: Estimate) -> bodies.ConfigEstimateBody:
    states, own = estimate.states, estimate.own
    return bodies.ConfigEstimateBody(
        scheme=states.scheme.id,
        recipe=states.recipe.id,
        bytes_per_gpu=states.total,
        host_bytes_per_gpu=states.host_total,
        formula=states.formula,
        worked=states.worked,
        comm_elements_per_step=estimate.elements_per_step,
        deepspeed_estimator={"gpu": own.gpu, "cpu": own.cpu} if own else None,
    )
