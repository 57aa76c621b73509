from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import locomote as lm
from locomote.contacts import Floor, fit_floor
from locomote.errors import LocomoteError

slopes = st.floats(-0.03, 0.03)


def test_height_is_measured_along_y() -> None:
    floor = Floor(0.1, slope_x=0.02, slope_z=-0.01)
    assert floor.heights([1.0, 0.5, 2.0]) == pytest.approx(0.5 - (0.1 + 0.02 - 0.02))
    assert floor.heights(np.zeros((4, 2, 3))).shape == (4, 2)


@given(slopes, slopes, st.floats(-1.0, 1.0))
def test_finds_a_tilted_floor_under_feet_and_ignores_what_lies_higher(sx: float, sz: float, height: float) -> None:
    random = np.random.default_rng(1)
    xz = random.uniform(-2.0, 2.0, (400, 2))
    y = height + sx * xz[:, 0] + sz * xz[:, 1] + random.normal(0.0, 0.002, 400)
    y[:80] += random.uniform(0.03, 0.4, 80)  # feet that rest on something, or in the air
    found = fit_floor(np.column_stack([xz[:, 0], y, xz[:, 1]]))
    # The ridge (0.05) holds the tilt back a little beside the spread of the samples (1.33 square metres).
    assert abs(found.slope_x - sx) < 0.003
    assert abs(found.slope_z - sz) < 0.003
    assert abs(found.height - height) < 0.004


def test_feet_that_stay_in_place_say_nothing_about_the_tilt() -> None:
    points = np.array([[0.1, 0.01, 0.0], [-0.1, 0.0, 0.0]] * 20)
    assert fit_floor(points).tilt == 0.0


def test_stairs_are_not_a_tilted_floor() -> None:
    x = np.repeat(np.arange(8) * 0.3, 20)
    assert fit_floor(np.column_stack([x, np.repeat(np.arange(8) * 0.17, 20), 0.0 * x])).tilt == 0.0


def test_nothing_to_stand_on_is_the_floor_at_zero() -> None:
    assert fit_floor(np.zeros((0, 3))) == Floor(0.0)


@pytest.mark.data
def test_tilted_sessions_of_the_capture(data: Path) -> None:
    with (data / "index.csv").open() as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    clips = [f for f in rows if any(f"/cmu_{s}_" in f for s in ("02", "07", "47", "56")) and "/walk/" in f]
    assert len(clips) >= 10
    off = []
    for clip in clips:
        motion = lm.load(data / clip)
        floor = fit_floor(motion)
        way = motion.root_positions[-1] - motion.root_positions[0]
        climb = 100.0 * (floor.slope_x * way[0] + floor.slope_z * way[2]) / np.hypot(way[0], way[2])
        off.append(abs(climb) - float(rows[clip]["floor_tilt_cm_per_m"]))
    assert np.median(np.abs(off)) < 0.1
    assert np.max(np.abs(off)) < 0.6


def test_a_floor_without_a_height_is_refused() -> None:
    with pytest.raises(LocomoteError, match="must be finite"):
        Floor(float("nan"))
