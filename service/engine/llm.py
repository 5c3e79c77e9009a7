"""Performs tasks with a chat model: render, ask, read strictly, once more with the complaint."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from service.domain.tasks import EngineNote, Task
from service.engine.ask import FINISHED, Ask, Line, Reply, Role
from service.engine.checks import faults_of
from service.engine.extract import Complaint, extract
from service.engine.port import Performed, ReadingT
from service.engine.reasons import Reason, unavailable
from service.errors import EngineUnavailable, ReadingInvalid
from service.prompting.prompt import Prompts, Rendered

# Of a faulty reply the model is shown this much again, in characters.
SHOWN_AGAIN: Final = 4_000


@dataclass(frozen=True, slots=True)
class _Heard(Generic[ReadingT]):
    """A reply, the reading in it if there is one, and what to complain about."""

    reply: Reply
    reading: ReadingT | None
    complaint: str = ""


class LLMEngine:
    """An engine over any `Ask`.

    `seconds` bounds one act, repair included. `nonce_source` gives a new unguessable word for each
    act; `clock` gives seconds that never run backwards.
    """

    def __init__(
        self,
        ask: Ask,
        prompts: Prompts,
        *,
        seconds: float,
        nonce_source: Callable[[], str],
        clock: Callable[[], float],
    ) -> None:
        self._ask = ask
        self._prompts = prompts
        self._seconds = seconds
        self._nonce_source = nonce_source
        self._clock = clock

    async def perform(self, task: Task[ReadingT]) -> Performed[ReadingT]:
        """Read or phrase with the model; two exchanges at most, never a loop.

        Raises:
            EngineUnavailable: no answer in time, or none at all.
            ReadingInvalid: answered twice, but not in the agreed form.
        """
        begun = self._clock()
        rendered = self._prompts.render(task, self._nonce_source())
        heard = await self._in_time(task, rendered)
        reading = next((h.reading for h in reversed(heard) if h.reading is not None), None)
        if reading is None:
            raise ReadingInvalid("The model answered, but not in the agreed form.")
        return Performed(reading, _note(rendered, heard, (self._clock() - begun) * 1_000))

    async def _in_time(self, task: Task[ReadingT], rendered: Rendered) -> list[_Heard[ReadingT]]:
        heard: list[_Heard[ReadingT]] = []
        try:
            async with asyncio.timeout(self._seconds):
                await self._talk(task, rendered, heard)
        except (TimeoutError, EngineUnavailable) as error:
            # A reading with a doubtful quote stands, even when its repair could not be had.
            if heard and heard[0].reading is not None:
                return heard
            failure = error if isinstance(error, EngineUnavailable) else None
        else:
            return heard
        raise failure or unavailable(Reason.TIMEOUT)

    async def _talk(
        self, task: Task[ReadingT], rendered: Rendered, heard: list[_Heard[ReadingT]]
    ) -> None:
        lines = [Line(Role.SYSTEM, rendered.system), Line(Role.USER, rendered.user)]
        heard.append(_hear(task, await self._ask(lines, rendered.form)))
        if heard[0].complaint:
            repair = [*lines, *_repair(heard[0])]
            heard.append(_hear(task, await self._ask(repair, rendered.form)))


def _hear(task: Task[ReadingT], reply: Reply) -> _Heard[ReadingT]:
    try:
        reading = _read(task, reply)
    except Complaint as complaint:
        return _Heard(reply, None, str(complaint))
    faults = faults_of(task, reading)
    if faults.fatal:
        return _Heard(reply, None, " ".join(faults.fatal))
    return _Heard(reply, reading, " ".join(faults.minor))


def _read(task: Task[ReadingT], reply: Reply) -> ReadingT:
    if reply.finish != FINISHED:
        raise Complaint("The reply was cut off before its end; make it shorter.")
    return extract(reply.text, _reading_type(task))


def _reading_type(task: Task[ReadingT]) -> type[ReadingT]:
    # A class variable cannot carry the task's type parameter; each task pairs the two itself.
    return task.reading_type  # pyright: ignore[reportReturnType]


def _repair(heard: _Heard[ReadingT]) -> Sequence[Line]:
    shown = heard.reply.text[:SHOWN_AGAIN].encode("utf-8", "replace").decode("utf-8")
    return (
        Line(Role.ASSISTANT, shown or "{}"),
        Line(
            Role.USER,
            f"This reply cannot be used. {heard.complaint} Give the whole JSON object again, "
            "in the form stated before, and nothing else.",
        ),
    )


def _note(rendered: Rendered, heard: Sequence[_Heard[ReadingT]], milliseconds: float) -> EngineNote:
    replies = [h.reply for h in heard]
    return EngineNote(
        engine="llm",
        model=replies[-1].model,
        prompt=rendered.name,
        prompt_version=rendered.version,
        fingerprint=rendered.fingerprint,
        input_tokens=_total([r.input_tokens for r in replies]),
        output_tokens=_total([r.output_tokens for r in replies]),
        milliseconds=milliseconds,
    )


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
