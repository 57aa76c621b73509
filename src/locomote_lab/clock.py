"""How long a call takes."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 0.5  # spent on each figure


def best_seconds(call: Callable[[], object], seconds: float = SECONDS) -> float:
    """The best time of one call, over as many calls as fit into the given seconds."""
    call()
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
