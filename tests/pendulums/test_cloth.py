"""A cloth of pendulums keeps its dimensions and comes to rest."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.pendulums import Cloth, Spring


def edges(cloth: Cloth) -> tuple[np.ndarray, np.ndarray]:
    """The lengths between neighbours along rows and columns, beside the spacing."""
    line = cloth.rest[:1] + np.array([0.0, cloth.spacing, 0.0])
    across = np.linalg.norm(np.diff(cloth.vertices, axis=1), axis=-1)
    down = np.linalg.norm(np.diff(np.concatenate([line, cloth.vertices]), axis=0), axis=-1)
    return across / cloth.spacing, down / cloth.spacing


def test_a_cloth_that_nobody_pulls_hangs_still_and_costs_nothing() -> None:
    cloth = Cloth(4, 5)
    assert np.array_equal(cloth.step(1 / 60), cloth.rest)
    assert cloth.pendulums == 0


@pytest.mark.feature("LEG-58")
@pytest.mark.parametrize("frames", [1, 12])  # a jerk of four spacings, or a pull of a fifth of a second
def test_fifteen_hundred_pendulums_keep_their_dimensions_and_do_not_tear(frames: int) -> None:
    cloth = Cloth(20, 25, 0.05)
    moved = 0.0
    for frame in range(240):
        if frame < frames:
            for column in (9, 12, 15):
                cloth.pull(10, column, (0.0, 0.0, 0.2 / frames))
        cloth.step(1 / 60)
        if frame == 0:
            assert cloth.pendulums == 1500
        across, down = edges(cloth)
        assert max(across.max(), down.max()) < 1.03
        assert min(across.min(), down.min()) > 0.85
        assert np.all(np.abs(across.mean(axis=1) - 1.0) < 0.03)  # the width of every row
        assert np.all(np.abs(down.mean(axis=0) - 1.0) < 0.05)  # the height of every column
        moved = max(moved, float(np.max(np.abs(cloth.vertices - cloth.rest))))
    assert moved > 0.07
    assert np.max(np.abs(cloth.vertices - cloth.rest)) < 1e-3


def test_a_pulled_cloth_comes_to_rest_and_sleeps() -> None:
    cloth = Cloth(6, 7, 0.1, top=(1.0, 2.0, 3.0), spring=Spring.settling(0.4, 0.8))
    cloth.pull(3, 2, (0.02, 0.0, 0.1))
    cloth.step(1 / 60)
    assert cloth.swinging == [2]
    assert cloth.vertices[3, 2, 2] - 3.0 > 0.05
    for _ in range(600):
        before = cloth.vertices.copy()
        cloth.step(1 / 60)
        assert np.max(np.abs(cloth.vertices - before)) < 0.02  # no jerk, not even when the column falls asleep
    assert cloth.swinging == []
    assert np.array_equal(cloth.vertices, cloth.rest)


def test_no_cloth_and_no_vertex_are_refused() -> None:
    with pytest.raises(LocomoteError, match="spacing"):
        Cloth(3, 3, 0.0)
    with pytest.raises(LocomoteError, match="waves"):
        Cloth(3, 3, spring=Spring.settling(0.5, 0.3))
    with pytest.raises(LocomoteError, match="no vertex"):
        Cloth(3, 3).pull(3, 0, (0.0, 0.0, 0.1))
