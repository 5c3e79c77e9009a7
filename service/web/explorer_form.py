"""The form of the memory explorer: what its address may say, and what is told otherwise."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from service.domain.language import Message, msg
from service.domain.memory import Offload, Recompute
from service.web.explorer import Choice


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A field for a count; `usual` stands where the address says nothing."""

    label: Message
    least: int
    most: int
    usual: int


NUMBERS: Final[Mapping[str, WholeNumber]] = {
    "gpus": WholeNumber(msg("GPUs"), 1, 100_000, 64),
    "tp": WholeNumber(msg("Tensor parallel"), 1, 1024, 1),
    "pp": WholeNumber(msg("Pipeline stages"), 1, 1024, 1),
    "micro": WholeNumber(msg("Micro-batches per step"), 1, 100_000, 1),
    "seq": WholeNumber(msg("Sequence length"), 1, 10_000_000, 4096),
    "batch": WholeNumber(msg("Micro-batch size"), 1, 100_000, 1),
    "card": WholeNumber(msg("Memory of one GPU"), 1, 10_000, 80),
    "node": WholeNumber(msg("GPUs in a node"), 1, 1024, 8),
    "link": WholeNumber(msg("GB/s of a GPU inside a node"), 1, 100_000, 300),
    "net": WholeNumber(msg("GB/s of a GPU between nodes"), 1, 100_000, 25),
    "host": WholeNumber(msg("Host memory of a node, GB"), 1, 1_000_000, 2000),
}
WORDS: Final[Mapping[str, str]] = {
    "model": "",
    "params": "7.5B",
    "scheme": "zero3_paper",
    "recipe": "",
    "offload": Offload.NONE.value,
    "keep": "",
}
# Words that are one of a few; what the others may be is for the formulas to say.
CLOSED: Final[Mapping[str, tuple[Message, frozenset[str]]]] = {
    "offload": (msg("Offload"), frozenset(Offload)),
    "keep": (
        msg("Activations kept"),
        frozenset({"", Recompute.NONE.value, Recompute.FULL.value}),
    ),
}
LONGEST_NUMBER: Final = 12
LONGEST_WORD: Final = 60


@dataclass(frozen=True, slots=True)
class Typed:
    """`values` as they were typed, `faults` by field; a choice only where there is no fault."""

    values: Mapping[str, str]
    faults: Mapping[str, Message]
    choice: Choice | None


def read_choice(query: Mapping[str, str]) -> Typed:
    """Whatever an address says becomes a form again, with each fault at its field."""
    usual = {name: str(field.usual) for name, field in NUMBERS.items()} | dict(WORDS)
    values = {name: query.get(name, value).strip() for name, value in usual.items()}
    numbers = {name: _whole(values[name], field) for name, field in NUMBERS.items()}
    faults = dict(_faults(values, numbers))
    return Typed(values, faults, None if faults else _choice(values, numbers))


def _whole(text: str, field: WholeNumber) -> int | None:
    """The number, where it is one and within the bounds of its field."""
    if len(text) > LONGEST_NUMBER or not text.isdecimal():
        return None
    value = int(text)
    return value if field.least <= value <= field.most else None


def _faults(
    values: Mapping[str, str], numbers: Mapping[str, int | None]
) -> Iterator[tuple[str, Message]]:
    for name in _absent(numbers):
        field = NUMBERS[name]
        yield (
            name,
            msg(
                "{field}: a whole number from {least} to {most}.",
                field=field.label,
                least=field.least,
                most=field.most,
            ),
        )
    for name, (label, words) in CLOSED.items():
        if values[name] not in words:
            yield name, msg("{field}: pick one from the list.", field=label)
    if any(len(values[name]) > LONGEST_WORD for name in ("model", "params", "scheme", "recipe")):
        yield "params", msg("A size is written like 7.5B, a model as it stands in the list.")


def _absent(numbers: Mapping[str, int | None]) -> Iterable[str]:
    return (name for name, value in numbers.items() if value is None)


def _choice(values: Mapping[str, str], numbers: Mapping[str, int | None]) -> Choice:
    known = {name: value for name, value in numbers.items() if value is not None}
    return Choice(
        model=values["model"],
        params=values["params"],
        scheme=values["scheme"],
        recipe=values["recipe"],
        offload=Offload(values["offload"]),
        keep=values["keep"],
        **known,
    )
