"""Stores on both databases, and small values to keep in them."""

import os
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from service.domain.alignment import (
    Match,
    MatchEvidence,
    RequirementMatch,
    Status,
    Strength,
)
from service.domain.applications import Card, CardDate, Column, DateKind
from service.domain.claims.model import ClaimVerdict, NumericClaim, Quantity
from service.domain.grading import (
    AssertedMisconception,
    Dimension,
    Evidence,
    Finding,
    Grade,
    GradeStatus,
    Level,
    Verdict,
)
from service.domain.interview import (
    Mode,
    Move,
    MoveKind,
    Plan,
    PlannedQuestion,
    Session,
    ask,
    record,
)
from service.domain.language import Lang, msg
from service.domain.learning.model import (
    Drill,
    DrillStatus,
    Learned,
    Origin,
    PointShown,
    Rating,
    Review,
    Rule,
    SkillNote,
    Standing,
)
from service.domain.posting import Posting, Requirement
from service.domain.resume import Bullet, Education, Notice, Project, Quality, Resume, Work
from service.domain.rewriting import Answered, Proposal, Rewriting, Source, Style, ToAsk
from service.domain.rewriting.model import Asks
from service.domain.tasks import (
    AskedMisconception,
    AskedPassage,
    AskedPoint,
    CheckedNumber,
    EngineNote,
    ReadAnswer,
)
from service.domain.text import Span
from service.domain.versions import Version
from service.store.open import open_store
from service.store.port import (
    Owner,
    Store,
    StoredMatch,
    StoredPosting,
    StoredResume,
)
from service.store.port_versions import StoredRewriting

TOKEN = "token-1"
NOW = datetime(2027, 3, 4, 5, 6, 7, 891234, tzinfo=UTC)
POSTGRES = "SHARDWISE_TEST_POSTGRES_URL"


@dataclass
class SetClock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def lease() -> datetime:
    return NOW + timedelta(minutes=2)


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "shardwise.sqlite"


@pytest.fixture
def sqlite_url(sqlite_path: Path) -> str:
    return f"sqlite+aiosqlite:///{sqlite_path}"


def _postgres_url() -> str:
    url = os.environ.get(POSTGRES)  # noqa: TID251 - the tests' own door
    if url:
        return url
    message = f"{POSTGRES} is not set; see tools/postgres_for_tests.sh"
    if os.environ.get("CI") == "true":  # noqa: TID251
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture
def postgres_url() -> Generator[str]:
    """A schema of its own for each test."""
    url = make_url(_postgres_url())
    schema = f"test_{uuid4().hex}"
    server = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with server.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    own = url.update_query_dict({"options": f"-c search_path={schema}", "application_name": schema})
    yield own.render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    server.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
async def store(url: str, clock: SetClock) -> AsyncGenerator[Store]:
    opened = await open_store(url, clock=clock)
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_store(sqlite_url: str, clock: SetClock) -> AsyncGenerator[Store]:
    opened = await open_store(sqlite_url, clock=clock)
    yield opened
    await opened.close()


@pytest.fixture
async def impatient_store(sqlite_url: str, clock: SetClock) -> AsyncGenerator[Store]:
    """Waits for others for half a second only."""
    opened = await open_store(sqlite_url, clock=clock, patience=0.5)
    yield opened
    await opened.close()


@pytest.fixture
async def owner(store: Store) -> Owner:
    return await store.create_owner("Ada")


@pytest.fixture
async def stranger(store: Store) -> Owner:
    return await store.create_owner("Eve")


def a_session(own_id: str = "s1", *, words: str = "What does ZeRO shard?") -> Session:
    """A new interview that awaits its first answer."""
    why = msg("It is asked for {what}.", what=msg("the {level} level", level="senior"))
    planned = (PlannedQuestion("zero", 8, why, "cut memory by 40%", "b1"),)
    plan = Plan(Lang.ZH, Level.SENIOR, Mode.COACHED, 30, planned, "r1", "p1")
    move = Move(MoveKind.ASK, "zero", quote="cut memory by 40%")
    note = EngineNote(engine="builtin", milliseconds=1.5)
    return ask(Session(own_id, plan, NOW, NOW), move, words, note, NOW)


def a_grade(quote: str = "optimizer states") -> Grade:
    span = Span(0, len(quote))
    number = NumericClaim(
        span, quote, Quantity.MEMORY_PER_GPU, ClaimVerdict.CONDITIONAL, "1.9 GB",
        msg("{b} bytes over {n} GPUs", b=16.5, n=64), ("F015",), "zero3_paper", "16ψ/N",
    )  # fmt: skip
    return Grade(
        GradeStatus.GRADED,
        62.5,
        {Dimension.MOTIVATION: 50.0, Dimension.TRADEOFFS: None},
        0.75,
        (Finding("m1", Verdict.MET, Evidence(quote, span), 0.9), Finding("m2", Verdict.UNJUDGED)),
        (AssertedMisconception("M07", Evidence(quote, span)),),
        (number,),
        5.0,
    )


def graded(session: Session, *, follow_up: str = "And the gradients?") -> Session:
    """The stored answer graded, and one more question after it."""
    turn = session.turns[-1]
    snapshot = ReadAnswer(
        lang=Lang.ZH, question_id="zero", question=turn.text, answer=turn.answer or "",
        points=(AskedPoint(id="m1", text="names the states"),),
        misconceptions=(AskedMisconception(id="M07", belief="b", correction="c"),),
        passages=(AskedPassage(fact_id="F015", text="t", source="s"),),
        numbers=(CheckedNumber(text="1", verdict="right", expected=None, why="w"),),
    )  # fmt: skip
    note = EngineNote(engine="llm", model="m", input_tokens=10, output_tokens=2)
    recorded = record(session, turn.seq, a_grade(), snapshot, note, NOW)
    return ask(recorded, Move(MoveKind.EXPAND, "zero", "m2"), follow_up, None, NOW)


def a_resume(own_id: str = "r1", *, words: str = "Cut memory by 40%") -> StoredResume:
    bullet = Bullet("b1", words, Span(0, len(words)))
    resume = Resume(
        text=words,
        name="李雷",
        email="li@example.org",
        urls=("https://example.org",),
        education=(Education("PKU", "MSc", "CS", "2018-09", "2021"),),
        work=(Work("Acme", "Engineer", "2021-07", "present", (bullet,)),),
        projects=(Project("Trainer", bullets=(bullet,)),),
        skills=("DeepSpeed",),
        warnings=(Notice("hidden_text", 2, "white"),),
    )
    return StoredResume(own_id, NOW, "résumé 李雷.pdf", Quality.OK, resume, "c0ffee")


def a_posting(own_id: str = "p1", *, words: str = "Must know ZeRO") -> StoredPosting:
    requirement = Requirement("q1", words, Span(0, len(words)), ("ZeRO",), years=3.5)
    return StoredPosting(own_id, NOW, Posting(words, "Engineer", requirements=(requirement,)))


def a_match(own_id: str = "m1", *, words: str = "Cut memory by 40%") -> StoredMatch:
    requirement = a_posting().posting.requirements[0]
    evidence = MatchEvidence("b1", words, Strength.WORK, "ZeRO", "implied")
    found = RequirementMatch(requirement, Status.PARTIAL, (evidence,), msg("Half of it."))
    return StoredMatch(own_id, NOW, "r1", "p1", Match(50.0, {"must": 50.0}, (found,)))


def a_version(
    own_id: str = "v1",
    *,
    title: str = "For Acme",
    note: str = "",
    resume_id: str = "r1",
    posting_id: str | None = "p1",
):
    return Version(own_id, NOW, NOW, resume_id, posting_id, title, note)


def a_card(own_id: str = "c1", *, title: str = "Engineer", version_id: str | None = "v1") -> Card:
    dates = (CardDate("d1", DateKind.INTERVIEW, date(2027, 4, 1), "10:00", "on site"),)
    return Card(own_id, NOW, NOW, title, Column.SAVED, "Acme", version_id=version_id, dates=dates)


def a_rewriting(revision: int = 0, *, words: str = "Cut memory by 40%") -> StoredRewriting:
    source = Source("b1", "Reduced memory by 40%", "Acme", ("about 40%",))
    asked = ToAsk("b1-result", "b1", Asks.RESULT, msg("“{bullet}”: how much?", bullet="b"), None)
    doubt = msg("{scheme} saves at most {most}.", scheme="ZeRO-1", most="75.0%")
    proposal = Proposal("w1", Style.STAR, source, words, "builtin", doubts=(doubt,))
    answered = Answered("b1-result", "b1", Asks.RESULT, "about 40%")
    return StoredRewriting(Rewriting((asked,), (answered,), (proposal,)), revision)


def a_learned(session_id: str = "s1", *, words: str = "optimizer states") -> Learned:
    shown = PointShown("m1", Verdict.MET, words, hinted=False, confirmed=True)
    review = Review(
        f"{session_id}/zero", NOW, "zero", "zero", Origin.INTERVIEW, session_id, Rating.GOOD,
        Rule.SOLID, 0.8, 0.75, (shown,), "a bullet", "b1",
    )  # fmt: skip
    marks = {Dimension.MOTIVATION: 50.0, Dimension.TRADEOFFS: None}
    return Learned(
        session_id, NOW, 1, NOW, Level.MID, Mode.EXAM, True, 62.5, marks, marks, (review,)
    )  # fmt: skip


def a_drill(own_id: str = "d1", *, words: str = "optimizer states", text: str = "Why?") -> Drill:
    return Drill(
        own_id, "zero", "zero", "m1", Lang.ZH, text, NOW, NOW, DrillStatus.ANSWERED, 1, words,
        a_grade(), EngineNote(engine="llm", model="m"), frozenset({"m1"}),
    )  # fmt: skip


def a_skill_note(topic: str = "zero", *, text: str = "I know this") -> SkillNote:
    return SkillNote(topic, NOW, Standing.GOOD, text)


@dataclass(frozen=True)
class Values:
    """The makers above, handed to tests (test modules do not import each other)."""

    session: Callable[..., Session] = a_session
    graded: Callable[..., Session] = graded
    grade: Callable[..., Grade] = a_grade
    resume: Callable[..., StoredResume] = a_resume
    posting: Callable[..., StoredPosting] = a_posting
    match: Callable[..., StoredMatch] = a_match
    version: Callable[..., Version] = a_version
    card: Callable[..., Card] = a_card
    rewriting: Callable[..., StoredRewriting] = a_rewriting
    learned: Callable[..., Learned] = a_learned
    drill: Callable[..., Drill] = a_drill
    skill_note: Callable[..., SkillNote] = a_skill_note

    def later(self, stored: StoredResume, minutes: int) -> StoredResume:
        return replace(stored, created_at=stored.created_at + timedelta(minutes=minutes))


@pytest.fixture
def a() -> Values:
    return Values()


class Desk:
    """One owner's answers to one interview, with the arguments that rarely matter filled in."""

    def __init__(self, store: Store, owner: Owner) -> None:
        self.store = store
        self.owner = owner

    async def reserve(
        self,
        answer: str | None = "optimizer states",
        *,
        key: str = "key-1",
        body: str | None = None,
        token: str = TOKEN,
        seq: int = 1,
        at: datetime = NOW,
        session_id: str = "s1",
        lease: timedelta = timedelta(minutes=2),
    ):
        return await self.store.reserve_turn(
            self.owner.id, session_id, seq, answer=answer, key=key,
            body_hash=body if body is not None else f"hash of {answer}",
            token=token, now=at, lease_until=at + lease,
        )  # fmt: skip

    async def finish(self, session: Session, *, token: str = TOKEN, response: str = '{"ok": 1}'):
        return await self.store.finish_turn(
            self.owner.id, session, token=token, response=response, now=NOW
        )


@pytest.fixture
async def desk(store: Store, owner: Owner) -> Desk:
    await store.add_session(owner.id, a_session())
    return Desk(store, owner)


@pytest.fixture
def desk_type() -> type[Desk]:
    return Desk
