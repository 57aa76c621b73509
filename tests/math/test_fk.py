"""Forward kinematics against its twin and its laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.math.fk import forward_kinematics
from tests.math import twins


def random_tree(seed: int, joints: int, poses: int, per_pose: bool = False):
    r = np.random.default_rng(seed)
    parents = np.array([-1] + [int(r.integers(0, j)) for j in range(1, joints)])
    offsets = r.normal(size=(poses if per_pose else 1, joints, 3))
    return parents, offsets, r.normal(size=(poses, 3)), rot.normalize(r.normal(size=(poses, joints, 4)))


def run(parents, offsets, roots, rotations):
    positions, world = np.empty((*rotations.shape[:2], 3)), np.empty(rotations.shape)
    forward_kinematics(parents, offsets, roots, rotations, positions, world)
    return positions, world


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(0, 5), st.booleans())
def test_equals_its_twin(seed: int, joints: int, poses: int, per_pose: bool) -> None:
    tree = random_tree(seed, joints, poses, per_pose and poses > 0)
    for ours, theirs in zip(run(*tree), twins.forward_kinematics(*tree), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@given(st.integers(0, 10**6))
def test_bones_keep_their_length(seed: int) -> None:
    parents, offsets, roots, rotations = random_tree(seed, 31, 4)
    positions, world = run(parents, offsets, roots, rotations)
    bones = positions[:, 1:] - positions[:, parents[1:]]
    lengths = np.linalg.norm(offsets[:, 1:], axis=-1)
    np.testing.assert_allclose(np.linalg.norm(bones, axis=-1), np.broadcast_to(lengths, bones.shape[:2]))
    np.testing.assert_allclose(np.linalg.norm(world, axis=-1), 1.0)


@given(st.integers(0, 10**6))
def test_a_turned_and_shifted_root_turns_and_shifts_the_body(seed: int) -> None:
    parents, offsets, roots, rotations = random_tree(seed, 12, 3)
    turn, shift = rot.from_yaw(0.7), np.array([1.0, 2.0, 3.0])
    moved = rotations.copy()
    moved[:, 0] = rot.multiply(turn, moved[:, 0])
    positions, world = run(parents, offsets, roots, rotations)
    new_positions, new_world = run(parents, offsets, rot.rotate(turn, roots) + shift, moved)
    np.testing.assert_allclose(new_positions, rot.rotate(turn, positions) + shift, atol=1e-12)
    np.testing.assert_allclose(new_world, rot.multiply(turn, world), atol=1e-12)


@pytest.mark.parametrize("frozen", [False, True])
def test_read_only_arrays_and_views_are_taken_as_they_are(frozen: bool) -> None:
    tree = random_tree(1, 5, 6)
    for array in tree:
        array.setflags(write=not frozen)
    parents, offsets, roots, rotations = tree
    positions, _ = run(parents, offsets, roots[::2], rotations[::2])
    np.testing.assert_allclose(positions, run(*tree)[0][::2])
