"""Which sharding scheme for this model on these GPUs: what fits, what it costs, and why.

The lowest stage that fits is proposed; others that are defensible are named with what decides.
"""

from dataclasses import dataclass
from math import isclose
from typing import Final

from service.domain.language import Bilingual, Message, msg
from service.domain.memory.activations import Recompute
from service.domain.memory.capacity import fewest_gpus
from service.domain.memory.options import Option, Setting, options_for
from service.domain.memory.sharding import OFFLOAD_TITLES, Offload
from service.domain.memory.units import show_bytes


@dataclass(frozen=True, slots=True)
class Advice:
    """`proposed` is None when nothing fits; `why` says what decided, `instead` what could help."""

    setting: Setting
    options: tuple[Option, ...]
    proposed: Option | None
    defensible: tuple[Option, ...]
    why: tuple[Message, ...]
    instead: tuple[Message, ...]


# Beside the proposed option another is defensible when a step moves no more than this factor of
# time, or when it leaves clearly more room for longer sequences or larger batches.
_TIME_FACTOR: Final = 1.6
_ROOM_SHARE: Final = 0.15
# With this share of the memory left nothing needs deciding; below the other, offload is worth it.
_PLENTY: Final = 0.5
_TIGHT: Final = 0.1
_SAME: Final = 0.01


def advise(setting: Setting) -> Advice:
    """Weigh every scheme for the setting.

    Raises:
        InputInvalid: a size not above zero, or tp·pp that does not divide the GPUs.
    """
    options = options_for(setting)
    fitting = sorted((o for o in options if o.fits), key=lambda o: (o.candidate.rank, o.seconds))
    if not fitting:
        return Advice(setting, options, None, (), (_nothing_fits(options),), _ways_out(setting))
    proposed = fitting[0]
    others = tuple(o for o in fitting[1:] if _is_defensible(o, proposed))
    why = (
        _lowest(options, proposed),
        *_host_note(proposed),
        *(_comparison(other, proposed) for other in others),
        *_what_decides(setting, proposed, others),
    )
    return Advice(setting, options, proposed, others, why, _recompute_first(setting))


def _is_defensible(option: Option, proposed: Option) -> bool:
    if option.candidate.rank == proposed.candidate.rank:
        return True
    if proposed.headroom > _PLENTY * proposed.usable:
        return False
    roomy = option.headroom >= proposed.headroom + _ROOM_SHARE * option.usable
    if option.candidate.offload is not proposed.candidate.offload:
        return roomy and proposed.headroom < _TIGHT * proposed.usable
    return roomy or option.seconds <= proposed.seconds * _TIME_FACTOR


def _lowest(options: tuple[Option, ...], proposed: Option) -> Message:
    below = [o for o in options if o.candidate.rank < proposed.candidate.rank]
    if not below:
        return msg(
            "{scheme} fits with {room} to spare: nothing has to be split",
            scheme=_named(proposed),
            room=show_bytes(proposed.headroom),
        )
    closest = max(below, key=_room)
    return msg(
        "{scheme} is the lowest stage that fits, with {room} to spare; {closest} lacks {missing}",
        scheme=_named(proposed),
        room=show_bytes(proposed.headroom),
        closest=_named(closest),
        missing=show_bytes(-(closest.headroom if closest.headroom < 0 else closest.host_headroom)),
    )


def _named(option: Option) -> Bilingual | Message:
    moved, title = option.candidate.offload, option.scheme.title
    if moved is Offload.NONE:
        return title
    return msg("{scheme} + {offload}", scheme=title, offload=OFFLOAD_TITLES[moved])


def _host_note(option: Option) -> tuple[Message, ...]:
    if option.candidate.offload is Offload.NONE:
        return ()
    return (
        msg(
            "it fits only with states on the host: {size} of host memory a node, before buffers",
            size=show_bytes(option.host_needed),
        ),
    )


def _is_twin(other: Option, proposed: Option) -> bool:
    """The same split with the same sizes, under another framework's name."""
    same = other.candidate.rank == proposed.candidate.rank
    return same and isclose(other.total, proposed.total, rel_tol=_SAME)


def _comparison(other: Option, proposed: Option) -> Message:
    if _is_twin(other, proposed):
        return msg(
            "{scheme} takes the same memory and traffic: framework and checkpoint format decide",
            scheme=_named(other),
        )
    return msg(
        "{scheme} would leave {room}, for {seconds} s of transfers a step instead of {ours} s",
        scheme=_named(other),
        room=show_bytes(other.headroom),
        seconds=round(other.seconds, 2),
        ours=round(proposed.seconds, 2),
    )


def _what_decides(
    setting: Setting, proposed: Option, others: tuple[Option, ...]
) -> tuple[Message, ...]:
    said: list[Message] = []
    if setting.micro_batches > 1 and any(o.scheme.stage > 1 for o in (proposed, *others)):
        said.append(
            msg(
                "with {k} micro-batches stages 2 and 3 communicate {k} times, stage 1 once",
                k=setting.micro_batches,
            )
        )
    if others:
        said.append(msg("what decides: link speed against room for a longer or larger batch"))
    if proposed.activations is None:
        said.append(msg("activations are not counted: name a model to include them"))
    return tuple(said)


def _room(option: Option) -> float:
    """Room of the scarcer memory, GPU or host, as a share of it: they differ in size."""
    return min(option.headroom / option.usable, option.host_headroom / option.host_memory)


def _nothing_fits(options: tuple[Option, ...]) -> Message:
    closest = max(options, key=_room)
    if closest.headroom >= 0:
        return msg(
            "nothing fits; {scheme} comes closest and lacks {missing} of host memory a node",
            scheme=_named(closest),
            missing=show_bytes(-closest.host_headroom),
        )
    return msg(
        "nothing fits; {scheme} comes closest and lacks {missing}",
        scheme=_named(closest),
        missing=show_bytes(-closest.headroom),
    )


def _ways_out(setting: Setting) -> tuple[Message, ...]:
    needed = fewest_gpus(setting.local_psi, setting.usable, "zero3_paper", setting.recipe)
    return (
        *_recompute_first(setting),
        msg(
            "stage 3 needs at least {gpus} GPUs for the model states alone",
            gpus=(needed or 1) * setting.tp * setting.pp,
        ),
        msg("tensor or pipeline parallelism splits activations too"),
        msg("LoRA or QLoRA needs training states for the adapters only"),
    )


def _recompute_first(setting: Setting) -> tuple[Message, ...]:
    if setting.recompute is not Recompute.NONE:
        return ()
    return (msg("switch on activation recompute before going up a stage"),)
