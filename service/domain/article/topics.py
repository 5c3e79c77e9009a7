"""What a heading, a list item or a cell speaks of: the one scheme it names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.assertions.frames import read_frames
from service.domain.assertions.lexicon import Lexicon
from service.domain.assertions.model import Frame

# Names of the whole family say too little to be understood in every line below them; what names
# several stages at once leaves open which is meant.
FAMILY: Final = frozenset({"zero", "model_parallel", "data_parallel", "remedy"})
SEVERAL: Final = frozenset({"stages12", "stages123"})
# How the reading calls a scheme, whatever the text calls it.
CALLED: Final[Mapping[str, str]] = {
    "stage1": "ZeRO-1",
    "stage2": "ZeRO-2",
    "stage3": "ZeRO-3",
    "ddp": "DDP",
    "fsdp": "FSDP",
    "fsdp2": "FSDP2",
    "hybrid_shard": "HSDP",
    "shard_grad_op": "SHARD_GRAD_OP",
    "tensor_parallel": "tensor parallelism",
    "pipeline_parallel": "pipeline parallelism",
    "zero_offload": "ZeRO-Offload",
    "zero_infinity": "ZeRO-Infinity",
    "zero_inference": "ZeRO-Inference",
    "zeropp": "ZeRO++",
}


@dataclass(frozen=True, slots=True)
class Named:
    """`concept` is empty where none or several are named."""

    concept: str = ""
    name: str = ""


NOBODY: Final = Named()


def named_in(words: str, lexicon: Lexicon) -> Named:
    """The one scheme that `words` are about; one they only compare with is none."""
    subjects = set(_subjects(read_frames(words, lexicon)))
    own = sorted(subjects - FAMILY - SEVERAL)
    if len(own) != 1 or subjects & SEVERAL or own[0] not in CALLED:
        return NOBODY
    return Named(own[0], CALLED[own[0]])


def says_whom(words: str, lexicon: Lexicon) -> bool:
    """Whether the words name their own subject."""
    return any(_subjects(read_frames(words, lexicon)))


def _subjects(frames: Iterable[Frame]) -> Iterable[str]:
    return (subject for frame in frames if frame.explicit for subject in frame.subjects)
