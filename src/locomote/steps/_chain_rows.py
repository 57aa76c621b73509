"""What stays of a chain under way when its plan changes: plants still needed, and rows of steps already chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locomote.skeleton import IntArray
from locomote.steps._plan import LEFT, RIGHT, FootPlan

if TYPE_CHECKING:
    from locomote.steps._kernels.layout import ChosenSteps

STOP = 0.12  # s before the end of all plants at which a walker begins to come to rest, and after it until it does


class Stays(NamedTuple):
    """What a changed plan leaves of its chain."""

    dropped: list[int]  # plants to forget
    steps: int  # how many are chosen already
    begin: float  # s, at which the new chain begins


def what_stays(sides: IntArray, chosen: ChosenSteps, time: float, began: float, changed: int | None) -> Stays:
    """What stays at a time of a chain that ``began`` earlier, if a plant is ``changed`` or one more comes in."""
    now = time - began
    count = len(chosen.lands)
    if now >= chosen.lands[count - 1] + chosen.finals[count - 1] + STOP:
        # It stands and waits: a new chain from the two last plants.
        keep = {int(np.flatnonzero(sides[:count] == side)[-1]) for side in (LEFT, RIGHT)}
        return Stays([i for i in range(count) if i not in keep], 0, time)
    begun = 2
    while begun < count and chosen.lands[begun - 1] <= now and begun != changed:
        begun += 1
    # The step before the one that plays is needed for the double stance that they share.
    oldest = max(begun - 2, 2)
    if oldest == 2:
        return Stays([], begun - 2, began)
    keep = {int(chosen.supports[oldest]), int(chosen.starts[oldest])}
    dropped = [i for i in range(oldest) if i not in keep]
    return Stays(dropped, begun - oldest, began + float(chosen.lands[oldest - 1]))


def without(dropped: list[int], plan: FootPlan, chosen: ChosenSteps) -> tuple[FootPlan, ChosenSteps]:
    """A plan and the steps chosen for its first plants without some of them."""
    if not dropped:
        return plan, chosen
    mask = np.ones(len(plan), dtype=bool)
    mask[dropped] = False
    short = mask[: len(chosen.lands)]
    renumber = np.cumsum(mask) - 1
    cut: list[Any] = [column[short] for column in chosen]
    out = type(chosen)(*cut)
    for column in (out.supports, out.starts):
        column[:] = np.where(column >= 0, renumber[column], -1)
    return FootPlan(plan.sides[mask], plan.places[mask], plan.yaws[mask], plan.times[mask]), out


def grown(chosen: ChosenSteps, fixed: int, count: int, shift: float) -> ChosenSteps:
    """Room for ``count`` plants with the first ``fixed`` rows as they were, in a chain that begins ``shift`` later."""
    columns: list[Any] = []
    for column in chosen:
        longer = np.zeros((count, *column.shape[1:]), dtype=column.dtype)
        longer[:fixed] = column[:fixed]
        columns.append(longer)
    out = type(chosen)(*columns)
    out.lifts[:fixed] -= shift
    out.lands[:fixed] -= shift
    return out
