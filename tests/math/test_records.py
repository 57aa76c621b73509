"""Records: one declaration for NumPy and for kernels."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

from locomote.math._compile import inline, kernel
from locomote.math.records import Record, Records, dtype_of, zeros
from locomote.math.vector import Floats, Ints


class Ramp(Record):
    value: float
    left: float


class Walker(Record):
    flag: bool
    speed: Ramp
    leg: int
    phases: Annotated[Floats, 2, 3]
    counts: Annotated[Ints, 2]
    ramps: Annotated[Records, Ramp, 3]


@inline
def go_on(ramp: Ramp, dt: float) -> None:
    ramp.value += dt
    ramp.left -= dt


@kernel
def step(dt: float, rows: Records, scratch: Records) -> None:
    for n in range(rows.shape[0]):
        scratch[0] = rows[n]
        ahead: Walker = scratch[0]
        go_on(ahead.speed, 10.0 * dt)
        walker: Walker = rows[n]
        go_on(walker.speed, dt)
        walker.phases[1, 2] = ahead.speed.value
        walker.counts[1] += walker.leg
        walker.flag = walker.speed.left < 0.0
        ramps = walker.ramps
        for k in range(ramps.shape[0]):
            go_on(ramps[k], k * dt)


def test_fields_are_aligned_and_in_order() -> None:
    layout = dtype_of(Walker)
    assert layout.names == ("flag", "speed", "leg", "phases", "counts", "ramps")
    assert layout.isalignedstruct
    assert layout["speed"] == dtype_of(Ramp)
    assert layout["phases"].shape == (2, 3)
    assert layout["counts"].base == np.int64


class Flat(Record):
    flat: float


def test_a_field_must_not_hide_an_attribute_of_numpy() -> None:
    with pytest.raises(TypeError, match=r"Flat\.flat"):
        dtype_of(Flat)


def test_kernels_read_and_write_rows_by_name() -> None:
    rows = zeros(Walker, 2)
    rows["speed"]["left"] = 0.05, 1.0
    rows["leg"] = 3, 4
    step(0.1, rows, zeros(Walker, 1))
    assert np.allclose(rows["speed"]["value"], 0.1)
    assert np.allclose(rows["phases"][:, 1, 2], 1.0)  # the copy went on, the row did not
    assert rows["counts"].tolist() == [[0, 3], [0, 4]]
    assert rows["flag"].tolist() == [True, False]
    assert np.allclose(rows["ramps"]["value"], [[0.0, 0.1, 0.2]] * 2)
