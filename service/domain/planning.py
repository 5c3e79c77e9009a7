"""Which questions an interview asks, and why each was chosen.

Made from the posting's requirements and their gaps, the résumé's bullets, the level, the
background, the minutes and what earlier practice left weak. Deterministic: the same input gives
the same plan.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, TypeVar

from service.domain.alignment import Match, MatchEvidence, RequirementMatch, Status, Strength
from service.domain.drawing.fill import with_draws
from service.domain.grading import Level
from service.domain.interview import Basis, Mode, Plan, PlannedQuestion
from service.domain.knowledge import Background, Question
from service.domain.language import Lang, msg
from service.domain.plan_sources import (
    Sources,
    from_posting,
    from_practice,
    from_resume,
    is_strong,
    to_defend,
)
from service.domain.posting import Kind, Requirement
from service.errors import InputInvalid

# The question this product is built around opens every interview that has room for it.
FLAGSHIP: Final = "zero-stages"
LEAST_MINUTES: Final = 5
MOST_MINUTES: Final = 120
LEVELS: Final = tuple(Level)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlanWish:
    lang: Lang
    level: Level
    mode: Mode
    minutes: int
    question_ids: tuple[str, ...] = ()  # the person's own choice, in order; empty means choose
    resume_id: str | None = None
    posting_id: str | None = None
    seed: str = ""  # of the numbers that questions draw
    background: Background | None = None  # where the person comes from
    warm_up: bool = False


@dataclass(frozen=True, slots=True)
class _Choice:
    question: Question
    planned: PlannedQuestion


def make_plan(
    wish: PlanWish,
    questions: Mapping[str, Question],
    match: Match | None,
    sources: Sources | None = None,
) -> Plan:
    """Choose questions until the minutes are used.

    `sources` are what else the choice rests on. A list of the person's own keeps its order, and
    each question in it the reason it would have had.

    Raises:
        InputInvalid: the minutes are out of range or a wished question does not exist.
    """
    if not LEAST_MINUTES <= wish.minutes <= MOST_MINUTES:
        raise InputInvalid(
            "An interview takes {least} to {most} minutes.", least=LEAST_MINUTES, most=MOST_MINUTES
        )
    chosen = _choose(wish, questions, match, sources or Sources())
    return Plan(
        lang=wish.lang,
        level=wish.level,
        mode=wish.mode,
        minutes=wish.minutes,
        questions=with_draws(chosen, questions, wish.seed),
        resume_id=wish.resume_id,
        posting_id=wish.posting_id,
        seed=wish.seed,
        warm_up=wish.warm_up,
    )


def _choose(
    wish: PlanWish, questions: Mapping[str, Question], match: Match | None, sources: Sources
) -> tuple[PlannedQuestion, ...]:
    fitting = [q for q in questions.values() if LEVELS.index(q.level) <= LEVELS.index(wish.level)]
    usual = (*_flagship(fitting), *_by_topic(fitting, wish.background))
    reasoned = (
        *_in_turn(
            _from_match(match, fitting) if match else (),
            _choices(from_resume(sources, fitting)) if match is None else (),
            _choices(from_posting(sources, fitting)) if match is None else (),
            _choices(to_defend(sources, fitting)),
            _choices(from_practice(sources, fitting)),
        ),
    )
    opening = [c for c in usual[:1] if not is_strong(c.question.topic, sources)]
    fresh = [c for c in usual if not is_strong(c.question.topic, sources)]
    candidates = (*opening, *reasoned, *fresh, *usual)
    if wish.question_ids:
        return _wished(wish.question_ids, questions, candidates)
    return _fill(candidates, wish.minutes)


def _wished(
    ids: Sequence[str], questions: Mapping[str, Question], candidates: Sequence[_Choice]
) -> tuple[PlannedQuestion, ...]:
    unknown = [q for q in ids if q not in questions]
    if unknown:
        raise InputInvalid("There is no question {id}.", id=unknown[0])
    own = {c.question.id: c.planned for c in candidates if c.planned.basis not in UNREASONED}
    return tuple(
        own.get(q)
        or PlannedQuestion(q, questions[q].minutes, msg("You chose it."), basis=Basis.CHOSEN)
        for q in dict.fromkeys(ids)
    )


# Chosen by the person, such a question needs no other reason.
UNREASONED: Final = (Basis.USUAL, Basis.CHOSEN)


def _choices(planned: Iterable[tuple[Question, PlannedQuestion]]) -> list[_Choice]:
    return [_Choice(question, one) for question, one in planned]


def _fill(candidates: Iterable[_Choice], minutes: int) -> tuple[PlannedQuestion, ...]:
    """Take candidates in order, each question once, while they fit; at least one."""
    chosen: dict[str, PlannedQuestion] = {}
    left = minutes
    for choice in candidates:
        if choice.question.id in chosen or (chosen and choice.question.minutes > left):
            continue
        chosen[choice.question.id] = choice.planned
        left -= choice.question.minutes
    return tuple(chosen.values())


def _flagship(questions: Sequence[Question]) -> list[_Choice]:
    why = msg("Nearly every training interview asks what the ZeRO stages shard and cost.")
    return [
        _Choice(q, PlannedQuestion(q.id, q.minutes, why)) for q in questions if q.id == FLAGSHIP
    ]


def _from_match(match: Match, questions: Sequence[Question]) -> list[_Choice]:
    """What the résumé claims and what it lacks in turn; musts first, the closest reason first."""
    reasons = [r for q in questions if (r := _best_reason(match, q))]
    reasons.sort(key=lambda r: r.rank)
    claimed = [r for r in reasons if r.evidence]
    lacking = [r for r in reasons if not r.evidence]
    return [_Choice(r.question, r.planned()) for r in _in_turn(claimed, lacking)]


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a requirement calls for a question: a line that claims its skill, or the lack of one."""

    question: Question
    requirement: Requirement
    evidence: MatchEvidence | None

    @property
    def rank(self) -> tuple[bool, int]:
        """Musts before wishes; a requirement of one skill is closer than one that lists ten."""
        return (self.requirement.kind is not Kind.MUST, len(self.requirement.skills))

    def planned(self) -> PlannedQuestion:
        asked = self.requirement.text
        if self.evidence is None:
            why = msg(
                "The posting asks for this and your résumé does not show it yet: {requirement}",
                requirement=asked,
            )
            return PlannedQuestion(self.question.id, self.question.minutes, why, basis=Basis.GAP)
        return PlannedQuestion(
            self.question.id,
            self.question.minutes,
            msg(
                "The posting asks for it and your résumé claims it: {requirement}",
                requirement=asked,
            ),
            bullet=self.evidence.text,
            bullet_id=self.evidence.bullet_id,
            basis=Basis.REQUIREMENT,
        )


def _best_reason(match: Match, question: Question) -> _Reason | None:
    """A claimed skill of the question itself wins over a lack; then the closest requirement."""
    reasons = [r for m in match.requirements if (r := _reason(m, question))]
    return min(reasons, key=lambda r: (r.evidence is None, *r.rank), default=None)


def _reason(match: RequirementMatch, question: Question) -> _Reason | None:
    requirement = match.requirement
    shared = set(requirement.skills).intersection(question.skills)
    if not shared or requirement.negated:
        return None
    own = [e for e in match.evidence if e.skill in question.skills and e.strength in LINES]
    if own:
        return _Reason(question, requirement, own[0])
    proved = {e.skill for e in match.evidence}
    met_otherwise = match.status is Status.MET or shared <= proved
    return None if met_otherwise else _Reason(question, requirement, None)


# A line of work can be asked about; a word in a list of skills has no story behind it.
LINES: Final = (Strength.WORK, Strength.PROJECT)


def _in_turn(*rows: Sequence[T]) -> list[T]:
    return [one for column in zip_longest(*rows) for one in column if one is not None]


def _by_topic(questions: Sequence[Question], background: Background | None) -> list[_Choice]:
    """One question per topic before a second of any, what suits the person first."""
    ordered = sorted(questions, key=lambda q: background is not None and not suits(q, background))
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, Question]] = []
    for order, question in enumerate(ordered):
        seen[question.topic] = seen.get(question.topic, 0) + 1
        ranked.append((seen[question.topic], order, question))
    ranked.sort(key=lambda entry: entry[:2])
    why = msg("It belongs to what such interviews ask at this level.")
    return [_Choice(q, PlannedQuestion(q.id, q.minutes, why)) for _, _, q in ranked]


def suits(question: Question, background: Background) -> bool:
    return background in question.background


def edited(ids: Sequence[str], edit: str) -> tuple[str, ...]:
    """The list of questions after one change; one that does not fit changes nothing.

    `up:ID`, `down:ID`, `remove:ID`, `add:ID` or `swap:ID:OTHER`.
    """
    verb, _, rest = edit.partition(":")
    one, _, other = rest.partition(":")
    change = EDITS.get(verb)
    return tuple(dict.fromkeys(change(list(ids), one, other))) if change else tuple(ids)


def _moved(ids: list[str], one: str, step: int) -> list[str]:
    if one not in ids:
        return ids
    at = ids.index(one)
    to = at + step
    if 0 <= to < len(ids):
        ids[at], ids[to] = ids[to], ids[at]
    return ids


EDITS: Final[Mapping[str, Callable[[list[str], str, str], list[str]]]] = {
    "up": lambda ids, one, _: _moved(ids, one, -1),
    "down": lambda ids, one, _: _moved(ids, one, 1),
    # The last question stays: an interview asks something.
    "remove": lambda ids, one, _: [i for i in ids if i != one] or ids,
    "add": lambda ids, one, _: [*ids, one] if one else ids,
    "swap": lambda ids, one, other: [other if other and i == one else i for i in ids],
}
