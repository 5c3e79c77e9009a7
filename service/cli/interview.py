"""`shardwise interview`: the same interview in the terminal, kept in the same store."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from service.domain.interview import Plan, Session, Turn
    from service.domain.language import Lang, Message
    from service.domain.planning import PlanWish
    from service.domain.reporting import Report
    from service.flows.parts import Parts
    from service.wording.catalogue import Wording

# What may be typed instead of an answer.
COMMANDS: Final = {
    "/skip": "skip",
    "/pause": "pause",
    "/end": "end",
    "/hint": "hint",
    "/retry": "retry",
    "/time": "time",
}
SECONDS: Final = 60


def interview(
    resume: Annotated[Path | None, typer.Option(help="Your résumé.")] = None,
    posting: Annotated[Path | None, typer.Option(help="The job posting, as text.")] = None,
    level: Annotated[str, typer.Option(help="junior, mid, senior or architect.")] = "mid",
    mode: Annotated[str, typer.Option(help="exam or coached.")] = "exam",
    minutes: Annotated[int, typer.Option(help="5 to 120.")] = 30,
    question: Annotated[
        list[str] | None, typer.Option(help="Ask just this question. Repeatable.")
    ] = None,
    background: Annotated[
        str, typer.Option(help="academic, industry, career_changer or maths_physics.")
    ] = "",
    warm_up: Annotated[bool, typer.Option("--warm-up", help="Begin unscored.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show the plan; start nothing.")] = False,
    session: Annotated[str | None, typer.Option(help="Go on with this interview.")] = None,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """A mock interview in the terminal. 在终端里进行一场模拟面试。"""
    from service.cli.language import reader_language
    from service.domain.grading import Level
    from service.domain.interview import Mode
    from service.domain.knowledge import Background
    from service.domain.planning import PlanWish
    from service.errors import InputInvalid
    from service.observe.logs import configure_logs

    if level not in set(Level) or mode not in set(Mode):
        raise InputInvalid("The level or the mode is not known.")
    if background and background not in set(Background):
        raise InputInvalid("The background is not known.")
    wish = PlanWish(
        lang=reader_language(lang),
        level=Level(level),
        mode=Mode(mode),
        minutes=minutes,
        question_ids=tuple(question or ()),
        background=Background(background) if background else None,
        warm_up=warm_up,
    )
    configure_logs("ERROR")  # a retry is the model's business, not a line in the conversation
    asyncio.run(_run(wish, resume, posting, session, plan))


async def _run(
    wish: "PlanWish",
    resume: Path | None,
    posting: Path | None,
    session_id: str | None,
    plan_only: bool,
) -> None:
    from rich.console import Console

    from service.assembly import Seams, open_parts
    from service.settings import read_settings
    from service.wording.catalogue import load_wording

    async with open_parts(read_settings(), Seams()) as parts:
        owner = await parts.store.local_owner()
        room = _Room(parts, owner.id, load_wording(), wish.lang, Console(highlight=False))
        if session_id is not None:
            from service.flows.interviews import resume_session

            await room.hold(await resume_session(parts, owner.id, session_id))
            return
        from service.flows import interviews

        wish = await _with_materials(parts, owner.id, wish, resume, posting)
        chosen = await interviews.plan(parts, owner.id, wish)
        room.show_plan(chosen)
        if not plan_only:
            wish = replace(wish, seed=chosen.seed)
            await room.hold(await interviews.start(parts, owner.id, wish))


async def _with_materials(
    parts: "Parts", owner_id: str, wish: "PlanWish", resume: Path | None, posting: Path | None
) -> "PlanWish":
    from service.cli.output import read_text_file
    from service.flows import materials

    if resume is not None:
        read = await materials.import_resume(
            parts, owner_id, await asyncio.to_thread(resume.read_bytes), resume.name
        )
        wish = replace(wish, resume_id=read.id)
    if posting is not None:
        text = await asyncio.to_thread(read_text_file, posting)
        wish = replace(wish, posting_id=(await materials.import_posting(parts, owner_id, text)).id)
    return wish


def _last_answered(session: "Session") -> str | None:
    """The question that was answered last."""
    from service.domain.interview import may_retry

    ids = (t.question_id for t in reversed(session.turns) if t.answer is not None)
    return next((i for i in ids if may_retry(session, i)), None)


class _Room:
    """Asks, waits for a blank line, and goes on until the interview is over."""

    def __init__(
        self,
        parts: "Parts",
        owner_id: str,
        wording: "Wording",
        lang: "Lang",
        console: "Console",
        read_line: Callable[[], str] = input,
    ) -> None:
        self._parts = parts
        self._owner_id = owner_id
        self._wording = wording
        self._lang = lang
        self._console = console
        self._read_line = read_line

    def _say(self, message: "Message") -> None:
        self._console.print(self._wording.render(message, self._lang), markup=False)

    def show_plan(self, plan: "Plan") -> None:
        """Every question with the reason it was chosen for."""
        from service.domain.drawing.fill import question_text
        from service.domain.language import msg

        self._say(msg("The plan"))
        for number, one in enumerate(plan.questions, 1):
            text = question_text(self._parts.knowledge.questions, plan, one)
            self._console.print(f"{number}. {text} ({one.question_id})", markup=False)
            self._say(one.why)
            if one.bullet:
                self._console.print(f"   “{one.bullet}”", markup=False)

    async def hold(self, session: "Session") -> None:
        from service.cli.sentences import HOW_TO_ANSWER, HOW_TO_ASK
        from service.domain.interview import SessionStatus, TurnStatus
        from service.domain.language import msg

        self._say(HOW_TO_ANSWER)
        self._say(HOW_TO_ASK)
        self._say(msg("This interview: {id}", id=session.id))
        while session.status is SessionStatus.OPEN and session.current is not None:
            turn = session.current
            self._ask(turn)
            said = None if turn.status is TurnStatus.STORED else await self._listen()
            if said in COMMANDS:
                session = await self._obey(COMMANDS[said], session, turn)
                continue
            await self._answer(session.id, turn.seq, said)
            session = await self._parts.store.get_session(self._owner_id, session.id)
        await self._close(session)

    def _ask(self, turn: "Turn") -> None:
        self._console.print(f"\n[{turn.seq}] {turn.text}\n", style="bold", markup=False)

    async def _listen(self) -> str:
        """Lines up to a blank one; the end of input pauses the interview."""
        lines: list[str] = []
        while True:
            try:
                line = await asyncio.to_thread(self._read_line)
            except EOFError:
                return "\n".join(lines) if lines else "/pause"
            if line.strip() in COMMANDS and not lines:
                return line.strip()
            if not line.strip() and lines:
                return "\n".join(lines)
            if line.strip():
                lines.append(line)

    async def _obey(self, command: str, session: "Session", turn: "Turn") -> "Session":
        """What cannot be done now is said, and the question stays."""
        from service.errors import InputInvalid

        try:
            return await self._do(command, session, turn)
        except InputInvalid as error:
            self._console.print(self._wording.error(error, self._lang), markup=False)
            return session

    async def _do(self, command: str, session: "Session", turn: "Turn") -> "Session":
        from service.flows import interviews

        seq = turn.seq
        if command == "time":
            self._tell_time(session)
            return session
        if command == "hint":
            hinted = await interviews.hint_turn(self._parts, self._owner_id, session.id, seq)
            self._tell_hint(hinted)
            return hinted
        if command == "retry":
            wanted = _last_answered(session) or turn.question_id
            return await interviews.retry_question(self._parts, self._owner_id, session.id, wanted)
        if command == "skip":
            return await interviews.skip_turn(self._parts, self._owner_id, session.id, seq)
        if command == "pause":
            return await interviews.pause_session(self._parts, self._owner_id, session.id)
        return await interviews.end_session(self._parts, self._owner_id, session.id)

    def _tell_time(self, session: "Session") -> None:
        from service.domain.language import msg
        from service.domain.timing import timing

        time = timing(session, self._parts.clock())
        if time is not None:
            self._say(
                msg(
                    "Minutes left: {question} for this question, {whole} in all.",
                    question=f"{time.question_left / SECONDS:.1f}",
                    whole=f"{time.session_left / SECONDS:.1f}",
                )
            )

    def _tell_hint(self, session: "Session") -> None:
        from service.domain.drawing.fill import as_planned
        from service.domain.hinting import CEILING, hint_text
        from service.domain.language import msg

        turn = session.turns[-1]
        bank = as_planned(self._parts.knowledge.questions, session.plan.questions)
        hint = turn.hints[-1]
        self._say(hint_text(bank[turn.question_id], hint))
        percent = round(CEILING[hint.level] * 100)
        self._say(msg("Its point can now earn {percent} % at most.", percent=percent))

    async def _answer(self, session_id: str, seq: int, said: str | None) -> None:
        from service.flows.answer import AnswerCall, Stage, answer_steps

        call = AnswerCall(self._owner_id, session_id, seq, said, self._parts.new_id())
        async for step in answer_steps(self._parts, call):
            if isinstance(step, Stage):
                self._console.print("…", end="", style="dim")
                continue
            error = getattr(step, "error", None)
            if error is not None:
                raise error
        self._console.print()

    async def _close(self, session: "Session") -> None:
        from service.domain.interview import SessionStatus
        from service.domain.language import msg
        from service.flows.interviews import report

        if session.status is SessionStatus.PAUSED:
            self._say(msg("Paused. Go on with: shardwise interview --session {id}", id=session.id))
            return
        self._report(await report(self._parts, self._owner_id, session.id))

    def _report(self, report: "Report") -> None:
        from service.cli.report import show_report

        show_report(report, self._wording, self._lang, self._console)
