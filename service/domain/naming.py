"""What closed words of the domain are called, for pages, files and the terminal alike."""

from collections.abc import Mapping
from typing import Final

from service.domain.claims.model import ClaimVerdict
from service.domain.grading import Dimension, Level, Verdict
from service.domain.interview import Mode
from service.domain.language import Message, msg
from service.domain.learning.model import Rating, Rule, Standing
from service.domain.reporting import QuestionState

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
VERDICT: Final[Mapping[Verdict, Message]] = {
    Verdict.MET: msg("Covered"),
    Verdict.PARTIAL: msg("Half covered"),
    Verdict.MISSED: msg("Not covered"),
    Verdict.CONTRADICTED: msg("Contradicted"),
    Verdict.UNSUPPORTED: msg("Not your own words"),
    Verdict.UNJUDGED: msg("Not judged"),
}
CLAIM: Final[Mapping[ClaimVerdict, Message]] = {
    ClaimVerdict.RIGHT: msg("Right"),
    ClaimVerdict.WRONG: msg("Wrong"),
    ClaimVerdict.CONDITIONAL: msg("Depends"),
    ClaimVerdict.UNCHECKABLE: msg("Cannot be checked"),
}
QUESTION_STATE: Final[Mapping[QuestionState, Message]] = {
    QuestionState.GRADED: msg("Graded"),
    QuestionState.NOT_ENOUGH_EVIDENCE: msg("Not enough evidence to score"),
    QuestionState.SKIPPED: msg("Skipped"),
    QuestionState.NOT_ANSWERED: msg("Asked, not answered"),
    QuestionState.NOT_REACHED: msg("Not reached"),
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


STANDING: Final[Mapping[Standing, Message]] = {
    Standing.NEW: msg("New"),
    Standing.SHAKY: msg("Shaky"),
    Standing.GOOD: msg("Holding"),
    Standing.STABLE: msg("Stable"),
}
RATING: Final[Mapping[Rating, Message]] = {
    Rating.AGAIN: msg("Again"),
    Rating.HARD: msg("Hard"),
    Rating.GOOD: msg("Good"),
    Rating.EASY: msg("Easy"),
}
RULE: Final[Mapping[Rule, Message]] = {
    Rule.DONT_KNOW: msg(
        "You said that you do not know it yet. That is honest; it comes back soon."
    ),
    Rule.WRONG: msg("A wrong belief, a wrong number or a point said the wrong way round stood."),
    Rule.LITTLE: msg("Less than 40 % of what the level asks for was said."),
    Rule.HALF: msg("Less than 70 % of what the level asks for was said."),
    Rule.HINTED: msg("Enough was said, but with hints. Hinted answers make nothing stable."),
    Rule.UNCONFIRMED: msg(
        "A model says that enough was said; no fixed rule and no recomputed number confirms it."
    ),
    Rule.SOLID: msg("Enough was said in your own words, and confirmed."),
    Rule.FLUENT: msg("Everything was said in the first answer, and confirmed."),
}
