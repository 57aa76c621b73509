"""Bones that become one joint, and poses that others learn from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import markers
from locomote.skeleton import Skeleton


def chain(angles: list[float]) -> lm.Motion:
    """Bones of 1 cm in a row; bone k swings by ``angles[k]`` rad about X, to and fro."""
    count = len(angles)
    skeleton = Skeleton(
        tuple(f"bone {k}" for k in range(count)),
        np.arange(count) - 1,
        np.tile([0.0, 0.0, 0.01], (count, 1)),
        end_parents=np.array([count - 1]),
        end_offsets=np.array([[0.0, 0.0, 0.01]]),
    )
    wave = np.sqrt(2.0) * np.sin(np.linspace(0.0, 2.0 * np.pi, 81)[:-1])
    turns = rot.exp(wave[:, None, None] * np.array(angles)[:, None] * np.array([1.0, 0.0, 0.0]))
    return lm.Motion(skeleton, 60.0, np.zeros((80, 3)), turns)


@pytest.mark.feature("ROD-03")
def test_bones_that_hardly_move_become_one_joint() -> None:
    found = markers.reduce_bones(chain([0.0, 0.005, 0.3, 0.004, 0.003, 0.2]), tolerance=1e-4)
    assert found.kept == ("bone 0", "bone 2", "bone 5")
    assert found.merged == {"bone 1": "bone 0", "bone 3": "bone 2", "bone 4": "bone 2"}
    assert found.residual["bone 1"] == pytest.approx(0.01 * 0.005, rel=1e-3)
    # What a merged bone did is added to the one after it: 0.004 + 0.003 against the joint that carries both.
    assert found.residual["bone 4"] == pytest.approx(0.01 * 0.007, rel=1e-3)
    assert markers.reduce_bones(chain([0.0, 0.005, 0.3]), tolerance=0.0).merged == {}
    many = markers.reduce_bones(chain([0.0] + 6 * [0.004]), tolerance=1e-4)
    assert 1 < len(many.kept) < 6  # small turns add up until a joint is needed
    with pytest.raises(lm.LocomoteError, match="tolerance"):
        markers.reduce_bones(chain([0.0, 0.1]), tolerance=-1.0)


@pytest.mark.feature("ROD-09")
def test_poses_that_differ_are_written_with_their_skin(tmp_path: Path) -> None:
    walk = lm.creatures.Crowd("mouse", 1, speed=0.2).record(seconds=1.0, fps=120.0)
    found = markers.training_set(walk, 60)
    assert found.notes == ()
    assert len(found.frames) == 60
    assert found.vertices.shape[0] == 60
    assert np.abs(found.vertices).max() < 0.15  # about the root, whatever way it went
    few = markers.training_set(walk, 20)
    assert "fewer than 50" in few.notes[0]
    spread = [np.linalg.norm(f[:, None] - f, axis=2)[~np.eye(20, dtype=bool)].min() for f in (few.parameters,)]
    even = markers.training_set(walk, 121).parameters[::6][:20]
    assert spread[0] >= np.linalg.norm(even[:, None] - even, axis=2)[~np.eye(len(even), dtype=bool)].min()
    markers.write_training(found, tmp_path / "set.npz")
    with np.load(tmp_path / "set.npz") as again:
        np.testing.assert_array_equal(again["parameters"], found.parameters)
    with pytest.raises(lm.LocomoteError, match="fewer than 10"):
        markers.training_set(walk[:5])
