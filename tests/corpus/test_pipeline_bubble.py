"""The fact on the pipeline bubble (F219) was found by this simulation of the 1F1B schedule."""

import pytest

FORWARD, BACKWARD = 1.0, 2.0


def steps(stage: int, stages: int, batches: int) -> list[tuple[str, int]]:
    """What one stage does, in order: warm-up forwards, then one forward and one backward."""
    warm_up = min(stages - stage - 1, batches)
    order = [("forward", batch) for batch in range(warm_up)]
    for batch in range(batches):
        if warm_up + batch < batches:
            order.append(("forward", warm_up + batch))
        order.append(("backward", batch))
    return order


def idle_share(stages: int, batches: int) -> float:
    """Share of the step in which a stage waits; stages take equally long, sending takes no time."""
    waiting = [steps(stage, stages, batches) for stage in range(stages)]
    ready: dict[tuple[str, int, int], float] = {}
    clock = [0.0] * stages
    while any(waiting):
        for stage, order in enumerate(waiting):
            if not order:
                continue
            kind, batch = order[0]
            if kind == "forward":
                needs = ("forward", stage - 1, batch) if stage else None
            elif stage < stages - 1:
                needs = ("backward", stage + 1, batch)
            else:
                needs = ("forward", stage, batch)
            if needs is not None and needs not in ready:
                continue
            begin = max(clock[stage], ready[needs] if needs else 0.0)
            clock[stage] = begin + (FORWARD if kind == "forward" else BACKWARD)
            ready[kind, stage, batch] = clock[stage]
            order.pop(0)
    return 1 - batches * (FORWARD + BACKWARD) / max(clock)


@pytest.mark.parametrize(
    ("stages", "batches"), [(2, 4), (4, 8), (8, 1), (8, 16), (8, 32), (8, 134), (16, 64)]
)
def test_the_bubble_is_as_the_fact_says(stages, batches):
    assert idle_share(stages, batches) == pytest.approx((stages - 1) / (batches + stages - 1))
