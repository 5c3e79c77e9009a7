"""Every follow-up judged by rule: what it quotes, what it is about, what it gives away, repeats.

The rules are written from what an interviewer owes a candidate, not from the policy: they look at
the interview that was held and at the rubric alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Finding, RubricPoint, Verdict
from service.domain.interview import MoveKind, Session, Turn
from service.domain.knowledge import Misconception, Question
from service.domain.language import Lang
from service.domain.merging import merge_findings
from service.domain.policy import required_points
from service.domain.text import fold

RULES: Final = ("quotes", "fits", "heaviest", "keeps", "fresh")
# A run of a point's own text this long says the answer; a shorter one names its subject.
# Characters, and how many of them must be Chinese: a row of Latin terms says nothing.
LEAKED: Final[Mapping[Lang, tuple[int, int]]] = {Lang.ZH: (12, 8), Lang.EN: (40, 0)}
_QUOTED: Final = re.compile(r"“(.+?)”", re.DOTALL)
# A model's size and the number of a stage are what a question starts from, not its result.
_NUMBER: Final = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w.]*\d)(?!\s?b\b)")
_STAGE: Final = re.compile(r"(?:stages?|zero|阶段)\W{0,2}(?:设为 ?)?\d")
CHALLENGES: Final = frozenset(
    {MoveKind.CHALLENGE_MISCONCEPTION, MoveKind.CHALLENGE_NUMBER, MoveKind.CONTRADICTION}
)
# The most urgent first. What was said wrong comes before what was half said, that before the rest.
SAID_WRONG, DENIED, HALF, UNSAID, HOW_KNOWN = range(5)
CLASS: Final[Mapping[Verdict, int]] = {
    Verdict.CONTRADICTED: DENIED,
    Verdict.PARTIAL: HALF,
    Verdict.MISSED: UNSAID,
    Verdict.UNSUPPORTED: UNSAID,
    Verdict.UNJUDGED: UNSAID,
}


@dataclass(frozen=True, slots=True)
class Bound:
    """What an interview is judged against. `verdicts` are words that tell a mark, by language."""

    questions: Mapping[str, Question]
    atlas: Mapping[str, Misconception]
    verdicts: Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Judged:
    """One follow-up: the rules it keeps, by name, and its words."""

    text: str
    answer: str
    move: str
    kept: Mapping[str, bool]


def judge(session: Session, bound: Bound) -> Iterator[Judged]:
    """Every follow-up of an interview, in order."""
    for at, turn in enumerate(session.turns):
        if turn.depth == 0:
            continue
        before = replace(session, turns=session.turns[:at])
        open_classes = _open(before, bound)
        kept = {
            "quotes": _quotes(before, turn, bound),
            "fits": _fits(turn, open_classes),
            "heaviest": _is_heaviest(turn, open_classes, bound),
            "keeps": not list(leaks(before, turn, bound)),
            "fresh": _is_fresh(before, turn),
        }
        answered = before.turns[-1].answer or ""
        yield Judged(turn.text, answered, f"{turn.move.kind} {turn.move.about or ''}", kept)


def _said(before: Session, turn: Turn) -> str:
    """All that the candidate has said in this interview so far, this question's answers last."""
    others = [t.answer or "" for t in before.turns if t.question_id != turn.question_id]
    return "\n".join([*others, *(t.answer or "" for t in before.turns_of(turn.question_id))])


def _asking(turn: Turn, bound: Bound) -> str:
    """What the bank itself asks with this turn; quotation marks in there quote nobody."""
    question = bound.questions[turn.question_id]
    known = bound.atlas.get(turn.move.about or "")
    texts = [question.text, question.follow_ups.get(turn.move.about or ""), known and known.probe]
    return "\n".join(t.in_(lang) for t in texts if t for lang in Lang)


def _quotes(before: Session, turn: Turn, bound: Bound) -> bool:
    """It says words of the candidate back, and whatever it says back was said."""
    asking, said = _asking(turn, bound), _said(before, turn)
    spans = [s for s in _QUOTED.findall(turn.text) if f"“{s}”" not in asking]
    return bool(spans) and all(s.strip(" …") in said for s in spans)


def _open(before: Session, bound: Bound) -> Mapping[int, list[str]]:
    """What could be asked about now, by urgency: ids of points, beliefs, or a number's text."""
    last = before.turns[-1]
    question = bound.questions[last.question_id]
    attempt = before.attempt_of(last.question_id)
    asked = {t.move.about for t in attempt}
    found: dict[int, list[str]] = {}
    for name in _said_wrong(last):
        if name not in asked:
            found.setdefault(SAID_WRONG, []).append(name)
    merged = merge_findings(attempt)
    denied = _denied_by([bound.atlas[a] for a in asked if a and a in bound.atlas])
    for point in required_points(question, before.plan.level):
        urgency = CLASS.get(_verdict(merged, point))
        # A denial was dealt with when the belief behind it was.
        is_asked = point.id in asked or (urgency == DENIED and point.id in denied)
        if urgency is not None and not is_asked:
            found.setdefault(urgency, []).append(point.id)
    return found


def _denied_by(beliefs: Iterable[Misconception]) -> set[str]:
    """The points, without their question, that these beliefs go against."""
    return {named.rpartition("/")[2] for belief in beliefs for named in belief.contradicts}


def _said_wrong(turn: Turn) -> Iterator[str]:
    if turn.grade is None:
        return
    yield from (held.misconception_id for held in turn.grade.misconceptions)
    yield from (c.text for c in turn.grade.claims if c.verdict is ClaimVerdict.WRONG)


def _verdict(merged: Mapping[str, Finding], point: RubricPoint) -> Verdict:
    finding = merged.get(point.id)
    return finding.verdict if finding else Verdict.UNJUDGED


def _class_of(turn: Turn, open_classes: Mapping[int, list[str]]) -> int:
    if turn.move.kind is MoveKind.EVIDENCE:
        return HOW_KNOWN
    about = turn.move.about or ""
    if turn.move.kind in CHALLENGES:
        return SAID_WRONG
    return next((c for c, ids in open_classes.items() if about in ids), HOW_KNOWN + 1)


def _fits(turn: Turn, open_classes: Mapping[int, list[str]]) -> bool:
    """It is about something still open, and nothing more urgent is open."""
    return _class_of(turn, open_classes) == min(open_classes, default=HOW_KNOWN)


def _is_heaviest(turn: Turn, open_classes: Mapping[int, list[str]], bound: Bound) -> bool:
    """Of what is open and as urgent, nothing weighs more in the mark; wrong things weigh alike."""
    mine = _class_of(turn, open_classes)
    if mine in (SAID_WRONG, HOW_KNOWN):
        return True
    question = bound.questions[turn.question_id]
    weights = {p.id: _weight(question, p) for p in question.rubric.points}
    rivals = open_classes.get(mine, [])
    about = turn.move.about or ""
    return about in rivals and weights[about] >= max(weights[i] for i in rivals)


def _weight(question: Question, point: RubricPoint) -> float:
    whole = sum(p.weight for p in question.rubric.points if p.dimension is point.dimension)
    return float(question.rubric.dimensions[point.dimension] * point.weight / whole)


def leaks(before: Session, turn: Turn, bound: Bound) -> Iterator[str]:
    """What the turn gives away: text or numbers of the answer that nobody has said, or a mark."""
    question, lang = bound.questions[turn.question_id], before.plan.lang
    said = _said(before, turn)
    own = _QUOTED.sub(lambda m: " " if m[1].strip(" …") in said else m[0], turn.text)
    given = fold(f"{question.text.in_(lang)}\n{said}").text.casefold()
    words = fold(own).text.casefold()
    if found := re.search(bound.verdicts[lang], words, re.IGNORECASE):
        yield f"verdict: {found.group()}"
    for secret in _secrets(question, turn, bound, lang):
        hidden = fold(secret).text.casefold()
        yield from (f"text: {run}" for run in _runs(hidden, lang, words, given))
        yield from (f"number: {number}" for number in _told(hidden, words, given))
    for claim in before.turns[-1].grade.claims if before.turns[-1].grade else ():
        hidden = fold(claim.expected or "").text.casefold()
        yield from (f"expected: {number}" for number in _told(hidden, words, given))


def _told(hidden: str, words: str, given: str) -> set[str]:
    """Numbers of the hidden text that are said and were not given."""
    said = set(_NUMBER.findall(_STAGE.sub(" ", words)))
    return (said & set(_NUMBER.findall(hidden))) - _digits(given)


def _digits(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", text))


def _secrets(question: Question, turn: Turn, bound: Bound, lang: Lang) -> Iterator[str]:
    yield from (p.text.in_(lang) for p in question.rubric.points)
    known = bound.atlas.get(turn.move.about or "")
    if known:
        yield known.correction.in_(lang)


def _runs(hidden: str, lang: Lang, words: str, given: str) -> Iterator[str]:
    """The first run of the hidden text that is said and was not given."""
    length, least_han = LEAKED[lang]
    for at in range(len(hidden) - length + 1):
        run = hidden[at : at + length]
        is_told = run in words and run not in given
        if is_told and sum("\u4e00" <= c <= "\u9fff" for c in run) >= least_han:
            yield run
            return


def _is_fresh(before: Session, turn: Turn) -> bool:
    """Neither these words nor, within the question, this matter have come up before."""
    if turn.text in {t.text for t in before.turns}:
        return False
    about = {t.move.about for t in before.attempt_of(turn.question_id) if t.depth}
    # How one knows is asked about a point that may have been asked for before.
    return turn.move.kind is MoveKind.EVIDENCE or turn.move.about not in about
