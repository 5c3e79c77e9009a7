"""Facts, questions, memory and checking; health and readiness."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from service.api import bodies, forms, tool_bodies
from service.api.context import Asking, parts_of
from service.api.description import EVERYWHERE, READING, Responses, problems
from service.api.strict import StrictRoute
from service.api.tool_present import advice_body, config_body
from service.domain.memory import Offload, count_parameters
from service.flows import status, tools
from service.flows.article import check_article
from service.flows.check_any import Brought, check_only_config
from service.flows.checking import read_context

router = APIRouter(route_class=StrictRoute, prefix="/v1", tags=["tools"], responses=EVERYWHERE)


@router.get("/facts", responses=problems(413), summary="Ask the knowledge base")
async def ask_facts(
    ask: Asking,
    q: Annotated[str, Query(description="A question, in Chinese or English.")],
    k: Annotated[int, Query(ge=1, le=50)] = 5,
) -> bodies.AskBody:
    found = await tools.find_facts(ask.parts, q, k)
    return bodies.AskBody(
        hits=[
            bodies.HitBody(
                fact_id=p.fact.id,
                score=p.score,
                text_en=p.fact.text.en,
                text_zh=p.fact.text.zh,
                source=p.fact.source,
            )
            for p in found.passages
        ],
        confident=found.confident,
    )


@router.get("/facts/{fact_id}", responses=READING, summary="One fact with its source")
async def get_fact(ask: Asking, fact_id: str) -> bodies.FactBody:
    return ask.show.fact(tools.get_fact(ask.parts, fact_id))


@router.get("/questions", summary="The question bank")
async def list_questions(ask: Asking) -> Sequence[bodies.QuestionBody]:
    return [ask.show.question(q) for q in ask.parts.knowledge.questions.values()]


@router.get("/models", summary="Known models with their parameter counts")
async def list_models(ask: Asking) -> dict[str, int]:
    return {name: count_parameters(shape).total for name, shape in ask.parts.models.items()}


@router.get("/memory", summary="Model states per GPU and traffic per step")
async def estimate_memory(
    ask: Asking,
    scheme: Annotated[str, Query(description="ddp, zero1_paper, ds_zero2_default, hsdp, ...")],
    shards: Annotated[int, Query(description="N: GPUs / (tp x pp), or the shard group.")],
    params: Annotated[float | None, Query(description="Number of parameters.")] = None,
    model: Annotated[str | None, Query(description="A known model instead.")] = None,
    recipe: str | None = None,
    tp: int = 1,
    pp: int = 1,
    offload: Offload = Offload.NONE,
    micro_batches: int = 1,
    replicas: int = 1,
) -> bodies.MemoryBody:
    wish = tools.MemoryWish(
        scheme, shards, params, model, recipe, tp, pp, offload, micro_batches, replicas
    )
    return ask.show.memory(tools.estimate(ask.parts, wish))


@router.post(
    "/check", responses=problems(400, 403, 413), summary="Check the numbers and beliefs in any text"
)
async def check_text(ask: Asking, body: forms.CheckIn) -> bodies.CheckBody:
    context = read_context(body.context)
    checked = await check_article(ask.parts, body.text, context)
    return ask.show.checked(body.text, checked)


@router.post(
    "/check/config",
    responses=problems(400, 403, 413),
    summary="Check a DeepSpeed or FSDP configuration",
)
async def check_configuration(ask: Asking, body: forms.CheckConfigIn) -> tool_bodies.ConfigBody:
    brought = Brought(body.text, "", body.params, body.model, body.gpus)
    return config_body(ask.show, await check_only_config(ask.parts, brought))


@router.get("/advice", summary="Which scheme fits a job, what it costs, and what decides")
async def advise_scheme(
    ask: Asking, job: Annotated[forms.AdviceQuery, Query()]
) -> tool_bodies.AdviceBody:
    return advice_body(ask.show, tools.advice(ask.parts, tools.Job(**job.model_dump())))


open_router = APIRouter(tags=["operation"])
NOT_READY: Responses = {503: {"model": bodies.ReadyBody, "description": "Not ready: see why."}}


@open_router.get("/health", summary="The process is alive")
async def health() -> bodies.HealthBody:
    return bodies.HealthBody()


@open_router.get(
    "/ready",
    responses=NOT_READY,
    summary="What works right now; 503 when requests cannot be served",
)
async def ready(request: Request, response: Response) -> bodies.ReadyBody:
    """Asks nobody who they are: load balancers and health checks call it."""
    now = await status.readiness(parts_of(request))
    response.status_code = 200 if now.ready else 503
    return bodies.ReadyBody(
        ready=now.ready,
        degraded=now.degraded,
        store=now.store,
        index=now.index,
        engine=now.engine,
        facts=now.facts,
        questions=now.questions,
    )
