"""Which questions an interview asks, and why each was chosen.

Made from the posting's requirements and their gaps, the résumé's bullets, the level and the
minutes. Deterministic: the same input gives the same plan.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from service.domain.alignment import Match, MatchEvidence, RequirementMatch, Status, Strength
from service.domain.drawing.fill import with_draws
from service.domain.grading import Level
from service.domain.interview import Mode, Plan, PlannedQuestion
from service.domain.knowledge import Question
from service.domain.language import Lang, msg
from service.domain.posting import Kind, Requirement
from service.errors import InputInvalid

# The question this product is built around opens every interview that has room for it.
FLAGSHIP: Final = "zero-stages"
LEAST_MINUTES: Final = 5
MOST_MINUTES: Final = 120
LEVELS: Final = tuple(Level)


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


@dataclass(frozen=True, slots=True)
class _Choice:
    question: Question
    planned: PlannedQuestion


def make_plan(wish: PlanWish, questions: Mapping[str, Question], match: Match | None) -> Plan:
    """Choose questions until the minutes are used.

    Raises:
        InputInvalid: the minutes are out of range or a wished question does not exist.
    """
    if not LEAST_MINUTES <= wish.minutes <= MOST_MINUTES:
        raise InputInvalid(
            "An interview takes {least} to {most} minutes.", least=LEAST_MINUTES, most=MOST_MINUTES
        )
    chosen = _wished(wish, questions) if wish.question_ids else _choose(wish, questions, match)
    return Plan(
        lang=wish.lang,
        level=wish.level,
        mode=wish.mode,
        minutes=wish.minutes,
        questions=with_draws(chosen, questions, wish.seed),
        resume_id=wish.resume_id,
        posting_id=wish.posting_id,
        seed=wish.seed,
    )


def _wished(wish: PlanWish, questions: Mapping[str, Question]) -> tuple[PlannedQuestion, ...]:
    unknown = [q for q in wish.question_ids if q not in questions]
    if unknown:
        raise InputInvalid("There is no question {id}.", id=unknown[0])
    return tuple(
        PlannedQuestion(q, questions[q].minutes, msg("You chose it."))
        for q in dict.fromkeys(wish.question_ids)
    )


def _choose(
    wish: PlanWish, questions: Mapping[str, Question], match: Match | None
) -> tuple[PlannedQuestion, ...]:
    fitting = [q for q in questions.values() if LEVELS.index(q.level) <= LEVELS.index(wish.level)]
    candidates = [
        *_flagship(fitting),
        *(_from_match(match, fitting) if match else ()),
        *_by_topic(fitting),
    ]
    return _fill(candidates, wish.minutes)


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
            return PlannedQuestion(self.question.id, self.question.minutes, why)
        return PlannedQuestion(
            self.question.id,
            self.question.minutes,
            msg(
                "The posting asks for it and your résumé claims it: {requirement}",
                requirement=asked,
            ),
            bullet=self.evidence.text,
            bullet_id=self.evidence.bullet_id,
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


def _in_turn(first: Sequence[_Reason], second: Sequence[_Reason]) -> list[_Reason]:
    pairs = zip_longest(first, second)
    return [reason for pair in pairs for reason in pair if reason is not None]


def _by_topic(questions: Sequence[Question]) -> list[_Choice]:
    """One question per topic before a second of any, in the bank's order."""
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, Question]] = []
    for order, question in enumerate(questions):
        seen[question.topic] = seen.get(question.topic, 0) + 1
        ranked.append((seen[question.topic], order, question))
    ranked.sort(key=lambda entry: entry[:2])
    why = msg("It belongs to what such interviews ask at this level.")
    return [_Choice(q, PlannedQuestion(q.id, q.minutes, why)) for _, _, q in ranked]
