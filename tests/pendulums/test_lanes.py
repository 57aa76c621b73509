"""The geometry that is done for several pendulums at a time: series against sines, and no pendulum visited twice."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.math import fused
from locomote.math._compile import kernel
from locomote.pendulums import Pendulums, Spring, Tree
from locomote.pendulums._kernels.swing import fraction, half_lean, lean


@kernel
def halves(x: np.ndarray, z: np.ndarray, out: np.ndarray) -> None:
    for k in range(len(x)):
        out[k] = half_lean(x[k], z[k])


@kernel
def leans(directions: np.ndarray, out: np.ndarray) -> None:
    for k in range(len(directions)):
        out[k] = lean((directions[k, 0], directions[k, 1], directions[k, 2]), (7.0, 8.0))


@kernel
def products(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for k in range(len(a)):
        q = fused.multiply((a[k, 0], a[k, 1], a[k, 2], a[k, 3]), (b[k, 0], b[k, 1], b[k, 2], b[k, 3]))
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = q
        v = fused.rotate((a[k, 0], a[k, 1], a[k, 2], a[k, 3]), (b[k, 1], b[k, 2], b[k, 3]))
        out[k, 4], out[k, 5], out[k, 6] = v


@kernel
def shares(q: np.ndarray, share: float, out: np.ndarray) -> None:
    for k in range(len(q)):
        out[k] = fraction((q[k, 0], q[k, 1], q[k, 2], q[k, 3]), share)


def test_half_a_lean_is_exact_up_to_half_a_turn() -> None:
    angles = np.concatenate([[0.0, 1e-9, 1e-5], np.linspace(0.01, np.pi, 500)])
    turn = np.linspace(0.0, 20.0, len(angles))
    out = np.empty((len(angles), 2))
    halves(angles * np.cos(turn), angles * np.sin(turn), out)
    assert np.max(np.abs(out[:, 0] - np.cos(angles / 2))) < 1e-15
    whole = np.where(angles > 1e-7, np.sin(angles / 2) / np.maximum(angles, 1e-7), 0.5)
    assert np.max(np.abs(out[:, 1] - whole)) < 1e-15


def test_a_direction_leans_by_its_angle() -> None:
    random = np.random.default_rng(0)
    directions = random.normal(size=(2000, 3)) * 10.0 ** random.uniform(-6, 6, (2000, 1))
    directions[:500, [0, 2]] *= 1e-7
    out = np.empty((2000, 2))
    leans(directions, out)
    across = np.hypot(directions[:, 0], directions[:, 2])
    angle = np.arctan2(across, directions[:, 1])
    assert np.max(np.abs(out - (angle / across)[:, None] * directions[:, [0, 2]])) < 2e-15
    special = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, -2.0, 0.0]])
    out = np.empty((3, 2))
    leans(special, out)
    assert out.tolist() == [[7.0, 8.0], [0.0, 0.0], [np.pi, 0.0]]


def test_fused_products_are_those_of_rotations() -> None:
    random = np.random.default_rng(1)
    a, b = rot.normalize(random.normal(size=(2, 300, 4)))
    out = np.empty((300, 7))
    products(a, b, out)
    assert np.max(np.abs(out[:, :4] - rot.multiply(a, b))) < 1e-15
    assert np.max(np.abs(out[:, 4:] - rot.rotate(a, b[:, 1:]))) < 2e-15
    part = np.empty((300, 4))
    shares(a, 0.5, part)
    assert np.allclose(np.abs(np.sum(part * rot.slerp(rot.identity(300), a, np.full(300, 0.5)), axis=1)), 1.0)


@pytest.mark.feature("LEG-55")
@pytest.mark.parametrize("shape", ["chain", "star", "random"])
def test_a_step_works_on_every_pendulum_once_in_an_order_in_which_fathers_come_first(shape: str) -> None:
    """The order that the passes go through, and how many pendulums they can work on: as many as there are."""
    count = 400
    random = np.random.default_rng(2)
    parents = {
        "chain": np.arange(count) - 1,
        "star": np.where(np.arange(count) > 0, 0, -1),
        "random": np.array([-1] + [int(random.integers(-1, b)) for b in range(1, count)]),
    }[shape]
    tree = Tree.build(parents, 0.1, Spring.settling())
    order, fathers = tree.links
    assert sorted(order.tolist()) == list(range(count))  # one visit each, up and down
    assert tree.levels[0] == 0
    assert tree.levels[-1] == count
    place = np.empty(count, dtype=int)
    place[order] = np.arange(count)
    for b in range(count):
        assert fathers[b] < 0 or place[fathers[b]] < place[b]
    # No cyclic influence: a tree cut below its first half moves its first half as the whole one does.
    half = Tree.build(parents[: count // 2], 0.1, Spring.settling())
    whole_anchors = random.normal(size=(1, count, 3))
    frames = rot.normalize(random.normal(size=(1, count, 4)))
    a = Pendulums(tree, whole_anchors, frames)
    b = Pendulums(half, whole_anchors[:, : count // 2], frames[:, : count // 2])
    for _ in range(5):
        whole_anchors = whole_anchors + 0.01 * random.normal(size=(1, count, 3))
        a.step(1 / 60, whole_anchors, frames)
        b.step(1 / 60, whole_anchors[:, : count // 2], frames[:, : count // 2])
    assert np.array_equal(a.tips[:, : count // 2], b.tips)
