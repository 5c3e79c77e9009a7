"""A run that takes from the cache what is there and gives it what is new.

A model's results are used again only once the server has named its model in this run: behind the
same address and name another one may stand by now. So a run of which some results are kept asks the
model for one of them anew.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from eval.answers import AnswerLine
from eval.cache import HITS, MISSES, Entry, ResultCache, key_of
from eval.row import Outcome
from eval.run import Attempt, Grader, Spread, identity_of

Done = Callable[[Attempt], None]
# Raise it when the form of a row changes, lest an old form come back.
FORM: Final = 1
BUILTIN: Final = "builtin"


@dataclass(frozen=True, slots=True)
class Memory:
    """The cache as one grader sees it; `here` grades in this process."""

    cache: ResultCache
    grader: Grader
    here: Spread
    told: Callable[[int], None]

    def key(self, line: AnswerLine) -> str:
        return key_of(
            {
                **identity_of(self.grader),
                "form": FORM,
                "python": sys.version_info[:2],
                "question": self.grader.question_of(line).id,
                "lang": line.reader_lang.value,
                "answer": line.answer,
            }
        )

    def keep(self, line: AnswerLine, attempt: Attempt) -> None:
        """Only what was read: failures are to be tried again."""
        if attempt.row.get("outcome") != Outcome.OK.value:
            return
        row = {name: value for name, value in attempt.row.items() if name != "id"}
        self.cache.put(self.key(line), served_of(attempt.row), {"row": row})

    def recall(self, line: AnswerLine, served: str | None) -> Attempt | None:
        key = self.key(line)
        found = self.cache.get(key, served) or (self.cache.get(key, None) if served else None)
        return _remembered(line, found) if found else None


def with_memory(spread: Spread, memory: Memory) -> Spread:
    """`spread` for the answers that are not kept yet."""

    async def through(lines: Sequence[AnswerLine], done: Done) -> None:
        left = {line.id: line for line in lines}

        def take(attempt: Attempt) -> None:
            memory.keep(left.pop(str(attempt.row["id"])), attempt)
            memory.cache.counted[MISSES] += 1
            done(attempt)

        try:
            may_recall, served = await _introduce(lines, memory, take)
            wanted = list(left.values()) if may_recall else []
            hits = _recalled(wanted, memory, served)
            for name, attempt in hits.items():
                del left[name]
                done(attempt)
            if hits:
                memory.told(len(hits))
            await spread(list(left.values()), take)
        finally:
            memory.cache.close()

    return through


async def _introduce(
    lines: Sequence[AnswerLine], memory: Memory, take: Done
) -> tuple[bool, str | None]:
    """May kept results be used, and those of which model?"""
    if memory.cache.kind == BUILTIN:
        return True, None
    first = next((line for line in lines if memory.cache.knows(memory.key(line))), None)
    if first is None:
        return False, None
    heard: list[Attempt] = []
    await memory.here([first], heard.append)
    for attempt in heard:
        take(attempt)
    served = served_of(heard[0].row) if heard else None
    return served is not None, served


def _recalled(
    lines: Sequence[AnswerLine], memory: Memory, served: str | None
) -> Mapping[str, Attempt]:
    found = {line.id: memory.recall(line, served) for line in lines}
    hits = {name: attempt for name, attempt in found.items() if attempt}
    memory.cache.counted[HITS] += len(hits)
    return hits


def served_of(row: Mapping[str, object]) -> str | None:
    """The model as the server named it; None for the built-in engine and where none was asked."""
    model = row.get("model")
    return str(model) if model else None


def _remembered(line: AnswerLine, entry: Entry) -> Attempt:
    row = cast("dict[str, object]", entry["row"])
    spent = {"id": line.id, "outcome": Outcome.OK.value, "milliseconds": 0.0, "cached": True}
    return Attempt({"id": line.id, **row}, spent)
