"""Contacts, friction and ranges of joints: balls and people who fall, slide, and stay within what bodies can do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.physics import Balanced
from locomote.physics._kernels.balance_step import Body, How, finish, make_pushes, make_system, prepare
from locomote.physics._kernels.contact_rows import Ranges, Touch, make_bounds
from locomote.physics._kernels.reduced_dynamics import Tree, make_state, make_work
from locomote.physics._kernels.wishes import make_wishes
from locomote.physics._qp import Programme
from locomote.physics._standing import soles_of
from tests.physics.bodies import everyday

pytest.importorskip("proxsuite")
RADIUS, MASS, H = 0.1, 2.0, 0.005


class Thing:
    """One rigid body with points that touch a slope, by the kernels of people; a ball without any points given."""

    def __init__(self, slope: float, friction: float, height: float, points: np.ndarray | None = None) -> None:
        normal = np.array([0.0, math.cos(slope), -math.sin(slope)])
        radius = RADIUS if points is None else 0.0
        points = np.zeros((1, 3)) if points is None else points
        count, self.normal = len(points), normal
        tree = Tree(
            np.array([-1]), np.zeros((1, 3)), rot.identity(1), np.zeros((1, 3, 0)), np.array([MASS]), np.zeros((1, 3)),
            np.eye(3)[None] * 0.4 * MASS * RADIUS**2,
        )  # fmt: skip
        self.body = Body(tree, make_state(0), make_work(1, 0))
        self.body.state.place[:] = normal * (radius + height)
        self.body.state.turn[:] = rot.between(np.array([0.0, 1.0, 0.0]), normal)
        ground = np.tile(np.concatenate([radius * normal, normal]), (count, 1))
        none = np.zeros(0, dtype=np.int64)
        self.touch = Touch(
            np.zeros(count, dtype=np.int64), points, ground, np.ones(count, dtype=np.int64), np.array([friction]),
            np.zeros(count), np.zeros((count, 3)), none, np.zeros((0, 3)), np.zeros((0, 3)), none,
        )  # fmt: skip
        self.bounds, self.system, self.pushes = make_bounds(count, 0, 0, 6, 0), make_system(6), make_pushes(1, 6)
        self.pushes.gravity[1] = -9.81
        self.ranges = Ranges(none, np.zeros((0, 3)), np.zeros((0, 3, 3)))
        self.wishes, self.programme = make_wishes(1, 0), Programme(6)

    def step(self) -> np.ndarray:
        """The impulses of the ground, N s."""
        how = How(H, 0.0, 0.0, 0.0, 0, 0)
        prepare(how, self.body, self.pushes, self.wishes, self.touch, self.ranges, self.bounds, self.system)
        rows = int(self.system.counts[1])
        found = self.programme.solve(
            self.system.matrix, self.system.gradient, np.zeros((0, 6)), np.zeros(0),
            self.bounds.above[:rows], self.bounds.least[:rows],
        )  # fmt: skip
        finish(H, self.body, found, self.system)
        return -self.programme.multipliers[:rows]


@pytest.mark.feature("PGD-09")
def test_a_ball_falls_on_a_plane_and_stays_there() -> None:
    ball = Thing(0.0, 0.0, 0.5)
    gaps, last = [], np.zeros(0)
    for _ in range(300):
        last = ball.step()
        assert np.all(last >= -1e-6)  # the ground never pulls
        gaps.append(ball.body.state.place[1] - RADIUS)
    assert min(gaps) > -1e-5
    assert abs(gaps[-1]) < 1e-4
    assert last.sum() == pytest.approx(MASS * 9.81 * H, rel=1e-3)
    fallen = 0.5 - 0.5 * 9.81 * (50 * H) ** 2
    assert gaps[49] == pytest.approx(fallen, abs=0.01)  # nothing holds it before


def test_a_ball_slides_down_a_slope_without_friction_as_gravity_says() -> None:
    slope = math.radians(20.0)
    ball = Thing(slope, 0.0, 0.0)
    for _ in range(200):
        ball.step()
    normal = np.array([0.0, math.cos(slope), -math.sin(slope)])
    assert ball.body.state.place @ normal - RADIUS > -1e-5
    speed = np.linalg.norm(ball.body.state.v[3:])
    assert speed == pytest.approx(9.81 * math.sin(slope) * 200 * H, rel=0.01)


@pytest.mark.feature("PGD-10")
def test_a_foot_sticks_on_a_slope_with_friction_and_slides_without_enough() -> None:
    slope = math.radians(20.0)
    corners = soles_of(everyday().skeleton).corners[0]
    low = corners - corners.mean(axis=0) - (0.0, 0.02, 0.0)  # its weight a little above the sole
    low[:, 1] = -0.02
    moved, speeds = {}, {}
    for friction in (0.8, 0.2):
        foot = Thing(slope, friction, 0.02, low)
        for _ in range(200):
            foot.step()
        moved[friction] = float(np.linalg.norm(foot.body.state.place - 0.02 * foot.normal))
        speeds[friction] = float(np.linalg.norm(foot.body.state.v[3:]))
        assert foot.touch.gaps.min() > -1e-4
    assert moved[0.8] < 1e-4
    expected = 9.81 * (math.sin(slope) - 0.2 * math.cos(slope)) * 200 * H
    assert speeds[0.2] == pytest.approx(expected, rel=0.1)
    assert moved[0.2] > 0.5


@pytest.mark.feature("PGD-22")
def test_who_falls_limp_on_a_slope_neither_sinks_nor_leaves_the_ranges_of_the_joints() -> None:
    person = Balanced(everyday(), slope=math.radians(20.0), friction=0.6)
    person.record(2.0)
    standing = person.centre_of_mass[1]
    person.limp()
    deepest, beyond = [], 0.0
    ranges, directions = person._engine.ranges, person._engine.body.tree.directions[1:]
    for _ in range(400):
        person.step(0.01)
        off = directions @ person._engine.body.state.x - ranges.centres
        sizes = np.sqrt(np.einsum("ja,jab,jb->j", off, ranges.matrices, off))
        beyond = max(beyond, float(sizes.max()) - 1.0)
        deepest.append(float(person._engine.touch.gaps.min()))
    assert person.centre_of_mass[1] < 0.5 * standing  # it fell
    assert beyond <= 1e-3
    assert min(deepest) >= min(deepest[0], -0.003)
    assert min(deepest[200:]) > -0.002  # no deeper with time


def test_without_ranges_joints_would_leave_them() -> None:
    person = Balanced(everyday())
    person.limp()
    engine = person._engine
    ranges, directions = engine.ranges, engine.body.tree.directions[1:]
    engine.ranges = ranges._replace(matrices=np.zeros_like(ranges.matrices))
    for _ in range(60):
        person.step(0.01)
        off = directions @ engine.body.state.x - ranges.centres
        if np.sqrt(np.einsum("ja,jab,jb->j", off, ranges.matrices, off)).max() > 1.02:
            return
    pytest.fail("no joint left its range in a fall without ranges")


def test_programmes_tell_what_is_wrong() -> None:
    programme = Programme(2)
    with pytest.raises(LocomoteError, match="no velocities"):
        programme.solve(
            np.full((2, 2), np.nan), np.zeros(2), np.zeros((0, 2)), np.zeros(0), np.zeros((0, 2)), np.zeros(0)
        )


def test_programmes_find_what_the_conditions_of_the_optimum_say() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        root = rng.normal(size=(6, 6))
        matrix, gradient = root @ root.T + 0.1 * np.eye(6), rng.normal(size=6)
        equal, level = rng.normal(size=(1, 6)), rng.normal(size=1)
        above, least = rng.normal(size=(5, 6)), -np.abs(rng.normal(size=5))
        programme = Programme(6)
        found = programme.solve(matrix, gradient, equal, level, above, least)
        force = -programme.multipliers[:5]
        np.testing.assert_allclose(equal @ found, level, atol=1e-6)
        assert np.all(above @ found - least > -1e-6)
        assert np.all(force >= -1e-6)
        np.testing.assert_allclose(force * (above @ found - least), 0.0, atol=1e-5)
        slope = matrix @ found + gradient - above.T @ force
        np.testing.assert_allclose(slope - equal[0] * (slope @ equal[0]) / (equal[0] @ equal[0]), 0.0, atol=1e-5)
