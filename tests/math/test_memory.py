from __future__ import annotations

import numpy as np

from locomote.math._compile import kernel, way_of
from locomote.math.memory import fetch_row
from locomote.math.vector import Floats


@kernel
def sum_of_rows(rows: Floats) -> float:
    total = 0.0
    for n in range(rows.shape[0]):
        fetch_row(rows, n + 1)  # behind the last one there is none
        for k in range(rows.shape[1]):
            total += rows[n, k]
    return total


def test_rows_that_are_asked_for_stay_as_they_are() -> None:
    rows = np.arange(60.0).reshape(3, 20)
    before = rows.copy()
    assert sum_of_rows(rows) == before.sum()
    assert np.array_equal(rows, before)
    assert sum_of_rows(rows[::2]) == before[::2].sum()


def test_compiled_loops_ask_for_them() -> None:
    if way_of(sum_of_rows) != "jit":
        return
    dispatcher = sum_of_rows.dispatcher  # type: ignore[attr-defined]
    dispatcher.recompile()
    dispatcher(np.ones((3, 20)))
    assert any("call void @llvm.prefetch" in text for text in dispatcher.inspect_llvm().values())
