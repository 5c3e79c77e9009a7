"""A question with drawn numbers from the plan to the report."""

import pytest

from service.domain.assertions import Lexicon
from service.domain.claims.model import ClaimVerdict
from service.domain.drawing.values import work_out
from service.domain.grading import Verdict
from service.domain.interview import MoveKind
from service.domain.knowledge import Knowledge
from service.domain.language import Lang
from service.engine.builtin import BuiltinEngine
from service.flows import interviews
from service.flows.answer import AnswerCall, answer
from service.flows.interviews import Level, Mode, PlanWish
from service.flows.parts import Parts
from tests.fakes import ScriptedEngine, reading
from tests.flows.conftest import MakeParts

QUESTION = "calc-zero-per-gpu"


def wish(seed: str = "", lang: Lang = Lang.EN) -> PlanWish:
    return PlanWish(lang, Level.MID, Mode.EXAM, 30, (QUESTION,), seed=seed)


async def begin(parts: Parts, seed: str, lang: Lang = Lang.EN) -> tuple[str, str, dict[str, str]]:
    """Owner, session, and the numbers as the candidate would write them."""
    owner = await parts.store.local_owner()
    session = await interviews.start(parts, owner.id, wish(seed, lang))
    drawing = parts.knowledge.questions[QUESTION].drawing
    assert drawing is not None
    shown = work_out(drawing, session.plan.questions[0].drawn).shown
    return owner.id, session.id, {name: pair.in_(lang) for name, pair in shown.items()}


@pytest.fixture(scope="module")
def builtin(knowledge: Knowledge, lexicon: Lexicon) -> BuiltinEngine:
    return BuiltinEngine(knowledge, lexicon)


@pytest.fixture
def parts(make_parts: MakeParts, builtin: BuiltinEngine) -> Parts:
    return make_parts(builtin)


async def test_the_plan_and_the_interview_that_follows_hold_the_same_numbers(parts: Parts):
    owner = await parts.store.local_owner()
    shown = await interviews.plan(parts, owner.id, wish())
    begun = await interviews.start(parts, owner.id, wish(shown.seed))
    assert shown.questions[0].drawn
    assert begun.plan.questions[0].drawn == shown.questions[0].drawn
    others = [await interviews.plan(parts, owner.id, wish(str(n))) for n in range(12)]
    assert len({plan.questions[0].drawn for plan in others}) > 1


@pytest.mark.parametrize("lang", list(Lang))
async def test_figures_right_for_this_draw_are_met_and_reported(parts: Parts, lang: Lang):
    owner, session_id, n = await begin(parts, "a seed", lang)
    session = await parts.store.get_session(owner, session_id)
    assert n["psi"] in session.turns[-1].text
    said = f"DDP {n['ddp']}. ZeRO-1 {n['z1']}, ZeRO-2 {n['z2']}. ZeRO-3 {n['z3']}."
    done = await answer(parts, AnswerCall(owner, session_id, 1, said, "k"))
    verdicts = {f.point_id: f.verdict for f in done.answered.grade.findings}
    assert [verdicts[p] for p in ("ddp", "early_stages", "stage3")] == [Verdict.MET] * 3
    report = await interviews.report(parts, owner, session_id)
    one = report.questions[0]
    assert n["z3"] in one.question.rubric.point("stage3").text.in_(lang)
    assert n["z3"] in one.versions["two_minutes"].in_(lang)


async def test_a_wrong_figure_is_challenged_and_earns_nothing(parts: Parts):
    owner, session_id, n = await begin(parts, "a seed")
    said = f"ZeRO-3 leaves 3.3 GB per GPU here, and DDP keeps {n['ddp']} on every GPU."
    done = await answer(parts, AnswerCall(owner, session_id, 1, said, "k"))
    verdicts = {f.point_id: f.verdict for f in done.answered.grade.findings}
    assert verdicts["stage3"] not in (Verdict.MET, Verdict.PARTIAL)
    wrong = [c for c in done.answered.grade.claims if c.verdict is ClaimVerdict.WRONG]
    assert [c.text for c in wrong] == ["3.3 GB"]
    assert done.answered.next is not None
    assert done.answered.next.kind is MoveKind.CHALLENGE_NUMBER


async def test_a_model_cannot_credit_a_figure_of_another_draw(make_parts: MakeParts):
    engine = ScriptedEngine(lambda t: reading(*((p.id, "met", "ZeRO-3") for p in t.points)))
    parts = make_parts(engine)
    owner, session_id, _ = await begin(parts, "a seed")
    said = "DDP 1 GB, ZeRO-1 2 GB, ZeRO-2 3 GB and ZeRO-3 needs 3.3 GB of memory per GPU."
    done = await answer(parts, AnswerCall(owner, session_id, 1, said, "k"))
    verdicts = {f.point_id: f.verdict for f in done.answered.grade.findings}
    assert [verdicts[p] for p in ("ddp", "early_stages", "stage3")] == [Verdict.MISSED] * 3
    assert verdicts["scaling"] is Verdict.MET
