"""What closed words of the domain are called on the page, and how they look."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain import naming
from service.domain.alignment import Status, Strength
from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Verdict
from service.domain.interview import Basis, Mode, MoveKind, SessionStatus
from service.domain.knowledge import Background, HowVerified, QuestionKind
from service.domain.language import Message, msg
from service.domain.naming import DIMENSION, LEVEL, MODE, TOPIC, topic_name
from service.domain.posting import Kind
from service.domain.reporting import QuestionState


@dataclass(frozen=True, slots=True)
class Badge:
    """`look` is a class of the stylesheet."""

    name: Message
    look: str


MODE_HINT: Final[Mapping[Mode, Message]] = {
    Mode.COACHED: msg("After each answer you see what was covered and what would lift it."),
    Mode.EXAM: msg("Like the real thing: no comment until the report."),
}
VERDICT: Final[Mapping[Verdict, Badge]] = {
    Verdict.MET: Badge(naming.VERDICT[Verdict.MET], "met"),
    Verdict.PARTIAL: Badge(naming.VERDICT[Verdict.PARTIAL], "partial"),
    Verdict.MISSED: Badge(naming.VERDICT[Verdict.MISSED], "gap"),
    Verdict.CONTRADICTED: Badge(naming.VERDICT[Verdict.CONTRADICTED], "wrong"),
    Verdict.UNSUPPORTED: Badge(naming.VERDICT[Verdict.UNSUPPORTED], "gap"),
    Verdict.UNJUDGED: Badge(naming.VERDICT[Verdict.UNJUDGED], "unjudged"),
}
CLAIM: Final[Mapping[ClaimVerdict, Badge]] = {
    ClaimVerdict.RIGHT: Badge(naming.CLAIM[ClaimVerdict.RIGHT], "met"),
    ClaimVerdict.WRONG: Badge(naming.CLAIM[ClaimVerdict.WRONG], "wrong"),
    ClaimVerdict.CONDITIONAL: Badge(naming.CLAIM[ClaimVerdict.CONDITIONAL], "partial"),
    ClaimVerdict.UNCHECKABLE: Badge(naming.CLAIM[ClaimVerdict.UNCHECKABLE], "unjudged"),
}
STATUS: Final[Mapping[Status, Badge]] = {
    Status.MET: Badge(msg("Met"), "met"),
    Status.PARTIAL: Badge(msg("Partly met"), "partial"),
    Status.GAP: Badge(msg("Gap"), "gap"),
}
STRENGTH: Final[Mapping[Strength, Message]] = {
    Strength.WORK: msg("Work"),
    Strength.PROJECT: msg("Project"),
    Strength.SKILLS_LINE: msg("Skills line"),
    Strength.EDUCATION: msg("Education"),
}
KIND: Final[Mapping[Kind, Message]] = {Kind.MUST: msg("Must"), Kind.NICE: msg("Nice to have")}
SESSION: Final[Mapping[SessionStatus, Badge]] = {
    SessionStatus.OPEN: Badge(msg("Running"), "info"),
    SessionStatus.PAUSED: Badge(msg("Paused"), "partial"),
    SessionStatus.CLOSED: Badge(msg("Finished"), "met"),
}
QUESTION_STATE: Final[Mapping[QuestionState, Badge]] = {
    QuestionState.GRADED: Badge(naming.QUESTION_STATE[QuestionState.GRADED], "met"),
    QuestionState.NOT_ENOUGH_EVIDENCE: Badge(
        naming.QUESTION_STATE[QuestionState.NOT_ENOUGH_EVIDENCE], "unjudged"
    ),
    QuestionState.SKIPPED: Badge(naming.QUESTION_STATE[QuestionState.SKIPPED], "unjudged"),
    QuestionState.NOT_ANSWERED: Badge(
        naming.QUESTION_STATE[QuestionState.NOT_ANSWERED], "unjudged"
    ),
    QuestionState.NOT_REACHED: Badge(naming.QUESTION_STATE[QuestionState.NOT_REACHED], "unjudged"),
}
QUESTION_KIND: Final[Mapping[QuestionKind, Message]] = {
    QuestionKind.EXPLAIN: msg("Explain"),
    QuestionKind.COMPARE: msg("Compare"),
    QuestionKind.DERIVE: msg("Derive"),
    QuestionKind.DECIDE: msg("Decide"),
    QuestionKind.DIAGNOSE: msg("Diagnose"),
    QuestionKind.CALCULATE: msg("Calculate"),
    QuestionKind.COUNTERFACTUAL: msg("What if"),
    QuestionKind.EXPERIENCE: msg("Experience"),
}
MOVE: Final[Mapping[MoveKind, Message]] = {
    MoveKind.WARM_UP: msg("Warm-up"),
    MoveKind.ASK: msg("Question"),
    MoveKind.RETRY: msg("Once more"),
    MoveKind.EXPAND: msg("Follow-up"),
    MoveKind.CLARIFY: msg("Follow-up"),
    MoveKind.QUANTIFY: msg("Follow-up"),
    MoveKind.CHALLENGE_MISCONCEPTION: msg("Follow-up"),
    MoveKind.CHALLENGE_NUMBER: msg("Follow-up"),
    MoveKind.CONTRADICTION: msg("Follow-up"),
    MoveKind.COUNTERFACTUAL: msg("What if"),
    MoveKind.EVIDENCE: msg("Follow-up"),
    MoveKind.MOVE_ON: msg("Question"),
    MoveKind.CLOSE: msg("Close"),
}
BACKGROUND: Final[Mapping[Background, Message]] = {
    Background.ACADEMIC: msg("Research"),
    Background.INDUSTRY: msg("Industry"),
    Background.CAREER_CHANGER: msg("Changing careers"),
    Background.MATHS_PHYSICS: msg("Mathematics or physics"),
}
BASIS: Final[Mapping[Basis, Message]] = {
    Basis.USUAL: msg("Usual"),
    Basis.REQUIREMENT: msg("Requirement"),
    Basis.BULLET: msg("Line of the résumé"),
    Basis.NUMBER: msg("Figure of the résumé"),
    Basis.GAP: msg("Gap"),
    Basis.WEAK_POINT: msg("Weak point"),
    Basis.CHOSEN: msg("Your choice"),
}
VERIFIED: Final[Mapping[HowVerified, Message]] = {
    HowVerified.VP: msg("checked in the paper"),
    HowVerified.VS: msg("checked in the source code"),
    HowVerified.VD: msg("checked in the official documentation"),
    HowVerified.VR: msg("run and measured"),
    HowVerified.VI: msg("checked in the issue thread"),
    HowVerified.S2: msg("secondary summary only"),
    HowVerified.M: msg("own derivation, not checked elsewhere"),
}
# Notices of the file reader, by their stable word.
NOTICE: Final[Mapping[str, Message]] = {
    "hidden_text": msg("Text nobody can see was left out; it earns nothing."),
    "invisible_characters": msg("Characters that cannot be seen were left out."),
    "active_content": msg("The file holds active content; it was not run."),
}
FILE_QUALITY: Final[Mapping[str, Message]] = {
    "scan": msg("The file is a picture of a page. Export it as text PDF, or paste the text below."),
    "garbled": msg("The file's letters cannot be decoded. Save it again as PDF or DOCX, or paste."),
    "protected": msg("The file is protected. Remove its password, or paste the text below."),
    "empty": msg("The file holds no text. Choose another file, or paste the text below."),
    "unsupported": msg("Use PDF, DOCX, Markdown, plain text or JSON Resume, or paste the text."),
}
TABLES: Final[Mapping[str, object]] = {
    "dimension": DIMENSION,
    "level": LEVEL,
    "mode": MODE,
    "mode_hint": MODE_HINT,
    "verdict": VERDICT,
    "claim": CLAIM,
    "status": STATUS,
    "strength": STRENGTH,
    "kind": KIND,
    "session": SESSION,
    "question_state": QUESTION_STATE,
    "question_kind": QUESTION_KIND,
    "move": MOVE,
    "verified": VERIFIED,
}

__all__ = ["FILE_QUALITY", "NOTICE", "TABLES", "TOPIC", "Badge", "topic_name"]
