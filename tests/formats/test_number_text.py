from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.formats._number_text import FIXED, GENERAL, fixed, general, text_of

RANDOM = np.random.default_rng(5)
WIDE = RANDOM.normal(size=20_000) * 10.0 ** RANDOM.uniform(-12, 12, 20_000)
HALVES = (RANDOM.integers(0, 10**10, 20_000) + 0.5) / 1e7  # products end in a half, or only seem to
BINARY = RANDOM.integers(0, 2**20, 20_000) / 2.0**8  # their decimals end: true ties
EDGES = np.array([0.0, -0.0, 1e-4, 9.9999999949e-5, 9999.99999999, 99999999.96, 9.9e7, 1e9, 5e-324, 0.5, 1e3, -1e4])
DECADES = 10.0 ** RANDOM.integers(-5, 10, 5000) * (1.0 - RANDOM.integers(0, 2000, 5000) * 2.0**-53)


def lines(rows: np.ndarray, form: str) -> list[str]:
    cells = (fixed if form == FIXED else general)(rows)
    return text_of(cells.reshape(len(rows), -1)).decode().splitlines()


def percent(rows: np.ndarray, form: str) -> list[str]:
    return [" ".join(form % value for value in row) for row in rows.tolist()]


@pytest.mark.parametrize(
    "values", [WIDE, HALVES, BINARY, EDGES, DECADES], ids=["wide", "halves", "ties", "edges", "tens"]
)
@pytest.mark.parametrize("form", [FIXED, GENERAL])
def test_numbers_are_written_as_python_writes_them(values: np.ndarray, form: str) -> None:
    values = values if form == GENERAL else values[np.abs(values) < 9999.0]
    rows = np.concatenate([values, -values])[: 2 * len(values) // 4 * 4].reshape(-1, 4)
    assert lines(rows, form) == percent(rows, form)


@given(st.lists(st.floats(-9998.0, 9998.0), min_size=1))
def test_any_number_is(values: list[float]) -> None:
    rows = np.array(values)[:, None]
    assert lines(rows, FIXED) == percent(rows, FIXED)
    assert lines(rows, GENERAL) == percent(rows, GENERAL)
