"""How many estimates a second one core gives: `python -m eval.bench_memory`."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Final

from service.domain.memory import SCHEMES, communication, model_states

ESTIMATES: Final = 200_000
GOAL_PER_SECOND: Final = 100_000


@dataclass(frozen=True, slots=True)
class Timing:
    name: str
    count: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.count / self.seconds


def plain_estimates(count: int) -> float:
    """Model states of varying size and degree over all schemes; the sum keeps none idle."""
    names = tuple(SCHEMES)
    total = 0.0
    for index in range(count):
        scheme = names[index % len(names)]
        total += model_states(1e9 + index, scheme, 1 + index % 512).total
    return total


def with_traffic(count: int) -> float:
    """The same with the traffic of the step."""
    names = tuple(SCHEMES)
    total = 0.0
    for index in range(count):
        scheme = names[index % len(names)]
        shards = 1 + index % 512
        total += model_states(1e9 + index, scheme, shards).total
        total += communication(1e9 + index, scheme, shards, micro_batches=4).exact_bytes
    return total


def measure(name: str, work: Callable[[int], float], count: int) -> Timing:
    """One run after a short warm-up, in processor time: a core shared with others counts whole."""
    work(count // 20)
    start = process_time()
    work(count)
    return Timing(name, count, process_time() - start)


def main(count: int = ESTIMATES) -> int:
    """Print both figures; 1 when the plain estimate misses the goal."""
    timings = [
        measure("model states", plain_estimates, count),
        measure("model states and traffic", with_traffic, count // 4),
    ]
    for timing in timings:
        print(f"{timing.name}: {timing.per_second:,.0f} estimates/s ({timing.count:,} measured)")
    return 0 if timings[0].per_second >= GOAL_PER_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
