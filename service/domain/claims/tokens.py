"""What a reader of numbers sees in a text: numbers with units, formulas, and words around them."""

from dataclasses import dataclass
from enum import StrEnum

from service.domain.claims.expression import Expr
from service.domain.claims.numerals import Amount
from service.domain.text import Folded


class Unit(StrEnum):
    """What a number counts, as far as its own unit tells."""

    NONE = "none"
    BYTES = "bytes"  # GB, GiB, TB: an amount of memory
    WIDTH = "width"  # 字节, bytes: the size of one thing
    PARAMS = "params"
    GPUS = "gpus"
    NODES = "nodes"
    FACTOR = "factor"
    PERCENT = "percent"
    SHARE = "share"  # a quarter, 1/8
    FORMULA = "formula"
    SUM = "sum"  # 2+2+12
    TOKENS = "tokens"
    MICRO = "micro"  # micro-batches of one step
    SEQUENCES = "sequences"
    LETTER_B = "letter_b"  # billions or bytes
    LETTER_M = "letter_m"
    LETTER_T = "letter_t"
    LETTER_K = "letter_k"
    OTHER = "other"


class Limit(StrEnum):
    """How the number bounds the value."""

    VALUE = "value"
    LESS = "less"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Mark:
    """A cue of the lexicon at a place of the folded text."""

    kind: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the folded text; `start`..`end` hold its unit too."""

    start: int
    end: int
    amount: Amount
    unit: Unit = Unit.NONE
    scale: float = 1.0  # what the unit multiplied the figure by
    expr: Expr | None = None
    limit: Limit = Limit.VALUE
    is_hedged: bool = False
    is_exact: bool = False
    group: int = -1  # numbers of one list share it
    factors: tuple[float, ...] = ()  # what was multiplied before "=" to get it
    sums_to: float | None = None  # what the parts written before "=" come to
    worked: Expr | None = None  # the line of arithmetic before "="
    name: str = ""  # the symbol it was set for: N=64


@dataclass(frozen=True, slots=True)
class Model:
    """A model named in the text: parameters, and its shape where the table knows it."""

    start: int
    end: int
    params: float
    name: str = ""
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The folded text with everything found on it, in reading order."""

    folded: Folded
    low: str
    numbers: tuple[Number, ...]
    marks: tuple[Mark, ...]
    models: tuple[Model, ...]
    clauses: tuple[int, ...]  # index of the clause of each character
    sentences: tuple[int, ...]
