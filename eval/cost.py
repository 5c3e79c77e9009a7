"""What a run took: attempts, seconds, tokens, and money where prices were given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from eval.row import Row

MILLION: Final = 1_000_000
MEDIAN: Final = 0.5
SLOW: Final = 0.95


@dataclass(frozen=True, slots=True)
class Prices:
    """Per million tokens, in any one currency; None where not told. Nothing is assumed."""

    input: float | None = None
    output: float | None = None


def cost_of(attempts: Iterable[Row], prices: Prices) -> dict[str, object]:
    """Totals over all attempts, those before a kill included; cached readings are not billed."""
    rows = list(attempts)
    billed = [r for r in rows if not r.get("cached")]
    tokens = {k: _tokens(billed, k) for k in ("input_tokens", "output_tokens")}
    times = sorted(float(cast("float", r["milliseconds"])) for r in billed)
    return {
        "attempts": len(rows),
        "cached": len(rows) - len(billed),
        # Attempts that ended without a reading report no tokens: what they cost is not known.
        "unmetered": sum(r.get("outcome") != "ok" for r in billed),
        **tokens,
        "price_per_million": {"input": prices.input, "output": prices.output},
        "money": _money(tokens, prices),
        "milliseconds": {"p50": _quantile(times, MEDIAN), "p95": _quantile(times, SLOW)},
    }


def _tokens(rows: Sequence[Row], key: str) -> int:
    return sum(int(cast("int", r.get(key) or 0)) for r in rows)


def _money(tokens: Mapping[str, int], prices: Prices) -> float | None:
    if prices.input is None or prices.output is None:
        return None
    spent = tokens["input_tokens"] * prices.input + tokens["output_tokens"] * prices.output
    return round(spent / MILLION, 6)


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    """Nearest rank."""
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 3) if ordered else None
