"""How memory estimates look: JSON documents, and stacked bars in a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from service.domain.language import Lang, Message, msg
from service.domain.memory import (
    SCHEMES,
    Advice,
    CommVolume,
    Offload,
    Option,
    StateBytes,
    gb,
    gib,
    model_states,
    show_bytes,
    volume_formula,
)
from service.wording import Wording

# The four stages of the paper stand beside whatever was asked for.
COMPARED: Final = ("ddp", "zero1_paper", "zero2_paper", "zero3_paper")
BAR: Final = 26
SYMBOLS: Final[Mapping[str, Message]] = {
    "ψ": msg("parameters of the model"),
    "N": msg("GPUs that share the states (sharding degree)"),
    "k": msg("micro-batches in an optimizer step"),
    "S": msg("GPUs that hold one whole copy in shards"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar: its glyph tells it apart where there is no colour."""

    name: Message
    glyph: str
    style: str


ACTIVATIONS: Final = msg("activations")
PARTS: Final = (
    Part(msg("parameters"), "█", "blue"),
    Part(msg("gradients"), "▓", "green"),
    Part(msg("optimizer states"), "▒", "magenta"),
    Part(ACTIVATIONS, "░", "yellow"),
)


@dataclass(frozen=True, slots=True)
class View:
    """Everything is said in `lang`."""

    lang: Lang
    wording: Wording

    def document(
        self, states: StateBytes, volume: CommVolume, activations: float | None
    ) -> dict[str, object]:
        """The fields other tools rely on, and what explains them; bytes and elements."""
        return {
            "bytes_per_gpu": _whole(states.total),
            "gb": round(gb(states.total), 4),
            "gib": round(gib(states.total), 4),
            "breakdown": {
                "parameters": _whole(states.parameters),
                "gradients": _whole(states.gradients),
                "optimizer": _whole(states.optimizer),
            },
            "host_bytes_per_gpu": _whole(states.host_total),
            "activations_bytes": None if activations is None else _whole(activations),
            "formula": states.formula,
            "worked": states.worked,
            "scheme": states.scheme.id,
            "status": str(states.scheme.status),
            "recipe": states.recipe.id,
            "params": _whole(states.psi),
            "shards": states.shards,
            "comm_elements_per_step": _whole(volume.elements),
            "comm_elements_per_step_exact": _whole(volume.exact_elements),
            "comm_bytes_per_step": _whole(volume.bytes),
            "comm_formula": volume.formula,
            "comm_parts": [
                {
                    "collective": str(part.term.collective),
                    "purpose": str(part.term.purpose),
                    "times": part.times,
                    "elements": _whole(part.elements),
                }
                for part in volume.parts
            ],
            "sources": list(states.sources),
            "fact_ids": list(states.fact_ids),
            "notes": [self._said(note) for note in states.notes],
            "left_out": [self._said(note) for note in states.left_out],
        }

    def advice_document(self, advice: Advice) -> dict[str, object]:
        """Every option with its parts; `proposed` is null when nothing fits."""
        return {
            "proposed": _option_document(advice.proposed) if advice.proposed else None,
            "defensible": [_option_document(option) for option in advice.defensible],
            "options": [_option_document(option) for option in advice.options],
            "why": [self._said(message) for message in advice.why],
            "instead": [self._said(message) for message in advice.instead],
        }

    def show_estimate(
        self,
        states: StateBytes,
        volume: CommVolume,
        activations: float | None,
        limit: float | None,
    ) -> None:
        """Bars of the paper's stages and of the chosen scheme, then the reasoning."""
        self._print(self.estimate_lines(states, volume, activations, limit))

    def estimate_lines(
        self,
        states: StateBytes,
        volume: CommVolume,
        activations: float | None,
        limit: float | None,
    ) -> list[Text]:
        """`limit` is the card's memory in bytes; a bar that ends in ! passes it."""
        rows = [(states.scheme.id, states), *self._compared(states)]
        kept = activations or 0.0
        longest = max(*(row.total + kept for _, row in rows), limit or 0.0)
        lines = [self._legend(), *(_bar(n, row, kept, longest, limit) for n, row in rows)]
        facts = (
            (msg("Memory"), f"{states.formula}:  {states.worked}"),
            (msg("On the host"), show_bytes(states.host_total) if states.host_total else ""),
            (msg("Activations"), show_bytes(kept) if kept else ""),
            (msg("Traffic per step"), volume.worked),
            (msg("Symbols"), self._symbols(states, volume)),
            (msg("Left out"), "; ".join(self._left_out(states, counted=bool(kept)))),
            (msg("Note"), "; ".join(map(self._said, states.notes))),
            (msg("Source"), "; ".join(states.sources)),
        )
        return [*lines, Text(), *self._facts(facts)]

    def show_advice(self, advice: Advice) -> None:
        """What fits, what is proposed, and why."""
        self._print(self.advice_lines(advice))

    def advice_lines(self, advice: Advice) -> list[Text]:
        lines = [self._option_line(option, advice) for option in advice.options]
        why = [Text("· " + self._said(message)) for message in (*advice.why, *advice.instead)]
        return [*lines, Text(), *why]

    def show_schemes(self) -> None:
        """Every scheme by id, with its formulas."""
        self._print(self.scheme_lines())

    def scheme_lines(self) -> list[Text]:
        return [
            Text(f"{row.id:28}", style="bold")
            + Text(f"{model_states(1.0, row).formula:14}{volume_formula(row):12}")
            + Text(row.title.in_(self.lang), style="dim")
            for row in SCHEMES.values()
        ]

    def _compared(self, states: StateBytes) -> Sequence[tuple[str, StateBytes]]:
        others = [name for name in COMPARED if name != states.scheme.id]
        mix, tp, pp = states.recipe, states.tp, states.pp
        return [
            (name, model_states(states.psi, name, states.shards, mix, tp=tp, pp=pp))
            for name in others
        ]

    def _left_out(self, states: StateBytes, *, counted: bool) -> list[str]:
        """Activations are left out of the states, not of a bar that shows them."""
        shown = {ACTIVATIONS} if counted else set[Message]()
        return [self._said(message) for message in states.left_out if message not in shown]

    def _symbols(self, states: StateBytes, volume: CommVolume) -> str:
        """What the letters of the two formulas stand for."""
        formulas = states.formula + volume.formula
        used = ((sign, name) for sign, name in SYMBOLS.items() if sign in formulas)
        return "; ".join(f"{sign} = {self._said(name)}" for sign, name in used)

    def _legend(self) -> Text:
        pieces = (f"{part.glyph} {self._said(part.name)}" for part in PARTS)
        return Text("   ".join(pieces), style="dim")

    def _option_line(self, option: Option, advice: Advice) -> Text:
        mark = "→" if option is advice.proposed else "·" if option in advice.defensible else " "
        moved = option.candidate.offload
        name = option.scheme.id if moved is Offload.NONE else f"{option.scheme.id} + {moved}"
        fits = self._said(msg("fits") if option.fits else msg("too large"))
        verdict = Text(set_cell_size(fits, 10), style="green" if option.fits else "red")
        line = Text(f"{mark} {name:48}{gb(option.total):>8.1f} GB  ") + verdict
        room = self._said(msg("room {size}", size=f"{gb(option.headroom):+.1f} GB"))
        return line + Text(f"{set_cell_size(room, 20)}{option.seconds:.2f} s")

    def _facts(self, facts: Iterable[tuple[Message, str]]) -> list[Text]:
        return [Text(f"{self._said(name)}: ", style="bold") + Text(t) for name, t in facts if t]

    def _said(self, message: Message) -> str:
        return self.wording.render(message, self.lang)

    def _print(self, lines: Iterable[Text]) -> None:
        console = Console(highlight=False)
        for line in lines:
            console.print(line, soft_wrap=True)


def _bar(
    name: str, states: StateBytes, activations: float, longest: float, limit: float | None
) -> Text:
    """One stacked bar; every part that is not zero shows at least one cell."""
    sizes = (states.parameters, states.gradients, states.optimizer, activations)
    line = Text(f"{name:26}", style="bold")
    for part, size in zip(PARTS, sizes, strict=True):
        line.append(part.glyph * ceil(BAR * size / longest if longest else 0), style=part.style)
    total = states.total + activations
    line.append(f" {show_bytes(total)}")
    if limit is not None and total > limit:
        line.append(" !", style="bold red")
    return line


def _option_document(option: Option) -> dict[str, object]:
    return {
        "scheme": option.scheme.id,
        "offload": str(option.candidate.offload),
        "fits": option.fits,
        "bytes_per_gpu": _whole(option.total),
        "headroom": _whole(option.headroom),
        "host_bytes_per_node": _whole(option.host_needed),
        "states": _whole(option.states.total),
        "activations": None if option.activations is None else _whole(option.activations),
        "buffers": _whole(option.buffers),
        "working_set": _whole(option.working_set),
        "seconds": round(option.seconds, 4),
    }


def _whole(value: float) -> int:
    """A shard of uneven size is rounded up, as padding does."""
    return ceil(round(value, 3))
