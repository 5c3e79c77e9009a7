"""What closed words of the domain are called on the page, and how they look."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.alignment import Status, Strength
from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Dimension, Level, Verdict
from service.domain.interview import Mode, MoveKind, SessionStatus
from service.domain.knowledge import HowVerified, QuestionKind
from service.domain.language import Message, msg
from service.domain.posting import Kind
from service.domain.reporting import QuestionState


@dataclass(frozen=True, slots=True)
class Badge:
    """`look` is a class of the stylesheet."""

    name: Message
    look: str


DIMENSION: Final[Mapping[Dimension, Message]] = {
    Dimension.MOTIVATION: msg("Motivation"),
    Dimension.STAGES: msg("Mechanism"),
    Dimension.TRADEOFFS: msg("Trade-offs"),
    Dimension.EXPERIENCE: msg("Own experience"),
}
LEVEL: Final[Mapping[Level, Message]] = {
    Level.JUNIOR: msg("Junior"),
    Level.MID: msg("Mid-level"),
    Level.SENIOR: msg("Senior"),
    Level.ARCHITECT: msg("Architect"),
}
MODE: Final[Mapping[Mode, Message]] = {Mode.COACHED: msg("Coached"), Mode.EXAM: msg("Exam")}
MODE_HINT: Final[Mapping[Mode, Message]] = {
    Mode.COACHED: msg("After each answer you see what was covered and what would lift it."),
    Mode.EXAM: msg("Like the real thing: no comment until the report."),
}
VERDICT: Final[Mapping[Verdict, Badge]] = {
    Verdict.MET: Badge(msg("Covered"), "met"),
    Verdict.PARTIAL: Badge(msg("Half covered"), "partial"),
    Verdict.MISSED: Badge(msg("Not covered"), "gap"),
    Verdict.CONTRADICTED: Badge(msg("Contradicted"), "wrong"),
    Verdict.UNSUPPORTED: Badge(msg("Not your own words"), "gap"),
    Verdict.UNJUDGED: Badge(msg("Not judged"), "unjudged"),
}
CLAIM: Final[Mapping[ClaimVerdict, Badge]] = {
    ClaimVerdict.RIGHT: Badge(msg("Right"), "met"),
    ClaimVerdict.WRONG: Badge(msg("Wrong"), "wrong"),
    ClaimVerdict.CONDITIONAL: Badge(msg("Depends"), "partial"),
    ClaimVerdict.UNCHECKABLE: Badge(msg("Cannot be checked"), "unjudged"),
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
    QuestionState.GRADED: Badge(msg("Graded"), "met"),
    QuestionState.NOT_ENOUGH_EVIDENCE: Badge(msg("Not enough evidence to score"), "unjudged"),
    QuestionState.SKIPPED: Badge(msg("Skipped"), "unjudged"),
    QuestionState.NOT_REACHED: Badge(msg("Not reached"), "unjudged"),
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
    MoveKind.ASK: msg("Question"),
    MoveKind.EXPAND: msg("Follow-up"),
    MoveKind.CLARIFY: msg("Follow-up"),
    MoveKind.QUANTIFY: msg("Follow-up"),
    MoveKind.CHALLENGE_MISCONCEPTION: msg("Follow-up"),
    MoveKind.CHALLENGE_NUMBER: msg("Follow-up"),
    MoveKind.CONTRADICTION: msg("Follow-up"),
    MoveKind.COUNTERFACTUAL: msg("What if"),
    MoveKind.MOVE_ON: msg("Question"),
    MoveKind.CLOSE: msg("Close"),
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
# Topics of facts and questions, by the word in the knowledge base.
TOPIC: Final[Mapping[str, Message]] = {
    "activation_checkpointing": msg("Activation checkpointing"),
    "checkpoint_fault_tolerance": msg("Checkpoints and fault tolerance"),
    "collectives": msg("Collective communication"),
    "data_parallel": msg("Data parallelism"),
    "debugging": msg("Debugging"),
    "deepspeed_usage": msg("Using DeepSpeed"),
    "expert_parallel_moe": msg("Experts and expert parallelism"),
    "finetune_memory": msg("Memory of fine-tuning"),
    "flash_attention": msg("FlashAttention"),
    "follow_up_chain": msg("Chains of follow-ups"),
    "fsdp": msg("FSDP"),
    "kv_inference_memory": msg("KV cache and inference memory"),
    "megatron": msg("Megatron"),
    "memory_breakdown": msg("Where memory goes"),
    "mixed_precision_fp8": msg("Mixed precision and FP8"),
    "network_topology": msg("Network topology"),
    "offload": msg("Offloading"),
    "pipeline_parallel": msg("Pipeline parallelism"),
    "resume_project": msg("Projects of your résumé"),
    "rlhf_systems": msg("RLHF systems"),
    "sequence_context_parallel": msg("Sequence and context parallelism"),
    "strategy_choice": msg("Choosing a strategy"),
    "tensor_parallel": msg("Tensor parallelism"),
    "throughput_mfu": msg("Throughput and MFU"),
    "zero": msg("ZeRO"),
    "zero_communication": msg("Communication of ZeRO"),
    "zero_inference": msg("ZeRO-Inference"),
    "zero_infinity": msg("ZeRO-Infinity"),
    "zero_plus_plus": msg("ZeRO++"),
    "zero_r": msg("ZeRO-R"),
    "zero_stages": msg("The stages of ZeRO"),
}


def topic_name(topic: str) -> Message | str:
    """A topic that has no name yet is shown as the knowledge base writes it."""
    return TOPIC.get(topic) or topic.replace("_", " ")


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
