"""Résumés written out again, and what other readers make of the file as uploaded."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field, StringConstraints

from service.api.context import Asking
from service.api.description import CHANGING, EVERYWHERE, READING
from service.api.forms import Body, with_example
from service.api.strict import StrictRoute
from service.domain.ats import FINDINGS
from service.flows import exports, repairs
from service.flows.exports import Certificate, ExportForm
from service.flows.materials import StoredResume

router = APIRouter(
    route_class=StrictRoute, prefix="/v1/resumes", tags=["résumés"], responses=EVERYWHERE
)
A_FILE: Final = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
Form = Annotated[ExportForm, Query(description="pdf, docx, markdown or json (JSON Resume).")]


class ReadBackBody(Body):
    """One value, as our importer read it back and whether a second reader saw it."""

    field: str
    value: str
    reread: str | None
    same: bool
    seen: bool | None


class CertificateBody(Body):
    """What comes back when the export is read again."""

    form: ExportForm
    second_reader: str | None
    kept: int
    total: int
    checks: Sequence[ReadBackBody]
    left_out: Sequence[str]


@router.get(
    "/{resume_id}/export",
    response_class=Response,
    responses=READING | {200: {"content": A_FILE}},
    summary="The résumé as a file: PDF, DOCX, Markdown or JSON Resume",
)
async def export_resume(ask: Asking, resume_id: str, form: Form = ExportForm.PDF) -> Response:
    """One column, standard headings, real list items; the PDF is tagged, its fonts embedded."""
    made = await exports.export(ask.parts, ask.owner_id, resume_id, form)
    return Response(made.data, media_type=made.media, headers=made.headers)


@router.get(
    "/{resume_id}/export/certificate",
    responses=READING,
    summary="What of the résumé two readers find again in its export",
)
async def certify_export(
    ask: Asking, resume_id: str, form: Form = ExportForm.PDF
) -> CertificateBody:
    (proof,) = await exports.certified(ask.parts, ask.owner_id, resume_id, [form])
    return certificate_body(proof)


class ObstacleBody(Body):
    """One thing in the uploaded file; page counts from 1, box is left, bottom, right, top."""

    kind: str
    harm: Literal["lost", "risky"]
    what: str
    remedy: str
    count: int
    quote: str
    page: int | None
    box: tuple[float, float, float, float] | None


@router.get(
    "/{resume_id}/ats",
    responses=READING,
    summary="What applicant systems will and will not read in the uploaded file",
)
async def check_resume_file(ask: Asking, resume_id: str) -> Sequence[ObstacleBody]:
    stored = await ask.parts.store.get_resume(ask.owner_id, resume_id)
    say = ask.show.wording.render
    return [
        ObstacleBody(
            harm=finding.harm.value,
            what=say(finding.what, ask.show.lang),
            remedy=say(finding.remedy, ask.show.lang),
            **asdict(one),
        )
        for one in stored.resume.obstacles
        if (finding := FINDINGS.get(one.kind))
    ]


class RepairBody(Body):
    """A difference to accept or refuse; `why` is normalised, from_link or glyphs."""

    field: str
    before: str
    after: str
    why: str


class RepairsBody(Body):
    """What is proposed, and what the file lacks and the person is asked for."""

    repairs: Sequence[RepairBody]
    missing: Sequence[str]


class DecisionIn(Body):
    model_config = with_example(field="phone", accept=True)

    field: Literal["email", "phone"] = Field(description="Which proposed repair is decided.")
    accept: bool = Field(description="True takes the proposed value, false keeps the one read.")


class FillIn(Body):
    model_config = with_example(field="email", value="li@example.com")

    field: Literal["name", "email", "phone"] = Field(description="Which missing value is given.")
    value: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="The value, as it is to stand in the résumé."
    )


@router.get(
    "/{resume_id}/repairs",
    responses=READING,
    summary="Values that could be put right, and fields the file lacks",
)
async def list_repairs(ask: Asking, resume_id: str) -> RepairsBody:
    return _repairs(await ask.parts.store.get_resume(ask.owner_id, resume_id))


@router.post(
    "/{resume_id}/repairs", responses=CHANGING, summary="Accept or refuse one proposed value"
)
async def decide_repair(ask: Asking, resume_id: str, body: DecisionIn) -> RepairsBody:
    decided = repairs.decide_repair(
        ask.parts, ask.owner_id, resume_id, body.field, accept=body.accept
    )
    return _repairs(await decided)


@router.post("/{resume_id}/missing", responses=CHANGING, summary="Say what the file lacks")
async def fill_missing(ask: Asking, resume_id: str, body: FillIn) -> RepairsBody:
    filled = repairs.fill_missing(ask.parts, ask.owner_id, resume_id, body.field, body.value)
    return _repairs(await filled)


def _repairs(stored: StoredResume) -> RepairsBody:
    found = stored.resume
    return RepairsBody(
        repairs=[RepairBody(**asdict(r)) for r in found.repairs], missing=found.missing
    )


def certificate_body(proof: Certificate) -> CertificateBody:
    return CertificateBody(
        form=ExportForm(proof.form),
        second_reader=proof.second,
        kept=proof.kept,
        total=len(proof.checks),
        checks=[
            ReadBackBody(field=c.field, value=c.value, reread=c.reread, same=c.same, seen=c.seen)
            for c in proof.checks
        ],
        left_out=proof.left_out,
    )
