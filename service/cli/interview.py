"""`shardwise interview`: the same interview in the terminal, kept in the same store."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from service.domain.interview import Session, Turn
    from service.domain.language import Lang, Message
    from service.domain.planning import PlanWish
    from service.domain.reporting import Report
    from service.flows.parts import Parts
    from service.wording.catalogue import Wording

# What may be typed instead of an answer.
COMMANDS: Final = {"/skip": "skip", "/pause": "pause", "/end": "end"}


def interview(
    resume: Annotated[Path | None, typer.Option(help="Your résumé.")] = None,
    posting: Annotated[Path | None, typer.Option(help="The job posting, as text.")] = None,
    level: Annotated[str, typer.Option(help="junior, mid, senior or architect.")] = "mid",
    mode: Annotated[str, typer.Option(help="exam or coached.")] = "exam",
    minutes: Annotated[int, typer.Option(help="5 to 120.")] = 30,
    question: Annotated[
        list[str] | None, typer.Option(help="Ask just this question. Repeatable.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Go on with this interview.")] = None,
    lang: Annotated[str, typer.Option(help="zh or en.")] = "",
) -> None:
    """A mock interview in the terminal. 在终端里进行一场模拟面试。"""
    from service.cli.language import reader_language
    from service.domain.grading import Level
    from service.domain.interview import Mode
    from service.domain.planning import PlanWish
    from service.errors import InputInvalid
    from service.observe.logs import configure_logs

    if level not in set(Level) or mode not in set(Mode):
        raise InputInvalid("The level or the mode is not known.")
    wish = PlanWish(
        lang=reader_language(lang),
        level=Level(level),
        mode=Mode(mode),
        minutes=minutes,
        question_ids=tuple(question or ()),
    )
    configure_logs("ERROR")  # a retry is the model's business, not a line in the conversation
    asyncio.run(_run(wish, resume, posting, session))


async def _run(
    wish: "PlanWish", resume: Path | None, posting: Path | None, session_id: str | None
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
        await room.hold(await _begin(parts, owner.id, wish, resume, posting))


async def _begin(
    parts: "Parts", owner_id: str, wish: "PlanWish", resume: Path | None, posting: Path | None
) -> "Session":
    from dataclasses import replace

    from service.cli.output import read_text_file
    from service.flows import interviews, materials

    if resume is not None:
        read = await materials.import_resume(
            parts, owner_id, await asyncio.to_thread(resume.read_bytes), resume.name
        )
        wish = replace(wish, resume_id=read.id)
    if posting is not None:
        text = await asyncio.to_thread(read_text_file, posting)
        wish = replace(wish, posting_id=(await materials.import_posting(parts, owner_id, text)).id)
    return await interviews.start(parts, owner_id, wish)


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

    async def hold(self, session: "Session") -> None:
        from service.cli.sentences import HOW_TO_ANSWER
        from service.domain.interview import SessionStatus, TurnStatus
        from service.domain.language import msg

        self._say(HOW_TO_ANSWER)
        self._say(msg("This interview: {id}", id=session.id))
        while session.status is SessionStatus.OPEN and session.current is not None:
            turn = session.current
            self._ask(turn)
            said = None if turn.status is TurnStatus.STORED else await self._listen()
            if said in COMMANDS:
                session = await self._obey(COMMANDS[said], session, turn.seq)
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

    async def _obey(self, command: str, session: "Session", seq: int) -> "Session":
        from service.flows import interviews

        if command == "skip":
            return await interviews.skip_turn(self._parts, self._owner_id, session.id, seq)
        if command == "pause":
            return await interviews.pause_session(self._parts, self._owner_id, session.id)
        return await interviews.end_session(self._parts, self._owner_id, session.id)

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
