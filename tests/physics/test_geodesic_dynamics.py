"""Dynamics in a pose space against MuJoCo, against differences, and against the laws of momentum."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.physics._kernels.momentum_steps import Free, free_steps
from locomote.physics._reduced import ReducedBody
from locomote.spaces import PoseSpace
from tests.physics.bodies import (
    Twin,
    impulse,
    momentum_drift,
    moving,
    person,
    random_tree,
    shifted,
    space,
    swept,
)

BODIES = [person, lambda: random_tree(3)]
WHO = ["person", "random"]


@pytest.mark.feature("PGD-05")
@pytest.mark.parametrize("make", BODIES, ids=WHO)
def test_the_mass_matrix_is_that_of_mujoco_projected_and_that_of_all_bodies_summed(make) -> None:
    pytest.importorskip("mujoco")
    body = make()
    twin = Twin(body)
    for seed in range(4):
        state = moving(body, seed)
        work = swept(body, state)
        judged, _ = twin.matrix_and_force(state)
        assert np.abs(work.matrix - judged).max() <= 1e-8 * np.abs(judged).max()
        np.testing.assert_array_equal(work.matrix, work.matrix.T)
        assert np.linalg.eigvalsh(work.matrix)[0] > 0.0
        # The energy and momentum of the bodies, each by its own velocity.
        tree, total, pushed = body.tree, 0.0, np.zeros(3)
        for b in range(len(tree.mass)):
            speed = work.speed[b] + np.cross(work.spin[b], rot.rotate(work.rotations[b], tree.centre[b]))
            own = rot.rotate(rot.inverse(work.rotations[b]), work.spin[b])
            total += 0.5 * tree.mass[b] * speed @ speed + 0.5 * own @ tree.inertia[b] @ own
            pushed += tree.mass[b] * speed
        assert 0.5 * state.v @ work.matrix @ state.v == pytest.approx(total, rel=1e-12)
        np.testing.assert_allclose((work.matrix @ state.v)[3:6], pushed, atol=1e-10)


@pytest.mark.feature("PGD-04")
@pytest.mark.parametrize("make", BODIES, ids=WHO)
def test_every_body_moves_and_turns_as_differences_say(make) -> None:
    body, e = make(), 1e-6
    state = moving(body, 5)
    work = swept(body, state)
    for j in range(len(state.v)):
        change = np.zeros(len(state.v))
        change[j] = e
        ahead, back = swept(body, shifted(state, change)), swept(body, shifted(state, -change))
        unit = shifted(state, np.zeros(len(state.v)))
        unit.v[:] = change / e
        rates = swept(body, unit)
        np.testing.assert_allclose((ahead.places - back.places) / (2.0 * e), rates.speed, atol=1e-6)
        turned = rot.log(rot.multiply(ahead.rotations, rot.inverse(back.rotations))) / (2.0 * e)
        np.testing.assert_allclose(turned, rates.spin, atol=1e-6)
    assert work.places.shape == (len(body.joints), 3)


@pytest.mark.feature("PGD-08")
@pytest.mark.parametrize("make", BODIES, ids=WHO)
def test_the_forces_of_motion_are_the_slope_of_the_energy(make) -> None:
    body, e = make(), 1e-5
    for seed in range(3):
        state = moving(body, seed)
        work = swept(body, state)

        def energy(change, state=state):
            return 0.5 * state.v @ swept(body, shifted(state, change)).matrix @ state.v

        slope = [(energy(e * row) - energy(-e * row)) / (2.0 * e) for row in np.eye(len(state.v))]
        assert np.abs(work.force - slope).max() <= 1e-6 * np.abs(slope).max()


def test_forces_of_small_turns_are_continuous_with_those_of_large_ones() -> None:
    body = person()
    state = moving(body, 1)
    size = np.linalg.norm(body.tree.directions @ state.x, axis=1)
    for angle in (0.0, 1e-6, 0.0499, 0.0501):
        near = shifted(state, np.zeros(len(state.v)))
        near.x[:] = state.x * angle / size.max()
        e = 1e-5
        slope = [
            (
                near.v
                @ (swept(body, shifted(near, e * row)).matrix - swept(body, shifted(near, -e * row)).matrix)
                @ near.v
            )
            / (4.0 * e)
            for row in np.eye(len(near.v))
        ]
        np.testing.assert_allclose(swept(body, near).force, slope, atol=1e-6 * np.abs(slope).max())


def test_gravity_pulls_at_the_centre_of_mass() -> None:
    body, e = person(), 1e-6
    state = moving(body, 2, speed=0.0)
    work = swept(body, state, (0.0, -9.81, 0.0))
    for j, row in enumerate(np.eye(len(state.v))):
        rise = swept(body, shifted(state, e * row)).centre[1] - swept(body, shifted(state, -e * row)).centre[1]
        assert work.weight[j] == pytest.approx(-9.81 * body.total * rise / (2.0 * e), abs=1e-4)
    positions = body.space.pose(state.x).joint_positions()  # by another way, the root unturned at the origin
    assert positions.shape[1] == len(body.space.skeleton)


@pytest.mark.feature("PGD-06")
@pytest.mark.parametrize("h", [0.001, 0.01, 0.1])
def test_the_angular_momentum_of_one_rigid_body_stays_to_the_last_digit(h: float) -> None:
    body = random_tree(7)
    tree = body.tree._replace(
        **{name: np.ascontiguousarray(getattr(body.tree, name)[:1]) for name in body.tree._fields}
    )
    state, work = moving(body, 3, speed=3.0), body.work()
    state.v[3:] = 0.0
    alone = state._replace(x=np.zeros(0), v=state.v[:6].copy(), p=np.zeros(6))
    short = work._replace(
        turns=np.zeros((1, 3, 0)), moves=np.zeros((1, 3, 0)), memory=np.zeros((6, 0)),
        matrix=np.zeros((6, 6)), factor=np.zeros((6, 6)),
        **{name: np.zeros(6) for name in ("force", "weight", "right", "guess")},
    )  # fmt: skip
    lone = tree._replace(directions=np.zeros((1, 3, 0)), centre=np.zeros((1, 3)))
    alone.p[:] = np.concatenate([lone.inertia[0] @ alone.v[:3], lone.mass[0] * alone.v[3:6]])
    first = None
    for _ in range(1000):
        turn = alone.turn.copy()
        free_steps(1, Free(h, 0.0, 1, True), lone, alone, np.zeros(3), np.zeros(6), short)
        momentum = rot.rotate(turn, alone.p[:3])
        first = momentum if first is None else first
        np.testing.assert_allclose(momentum, first, rtol=0.0, atol=1e-12 * np.linalg.norm(first))


@pytest.mark.feature("PGD-07")
def test_angular_momentum_stays_where_frames_turn_and_drifts_where_they_do_not() -> None:
    for k, seed in ((10, 0), (15, 1), (20, 2)):
        body = person(k)
        start = moving(body, seed, speed=0.0)
        pushed = impulse(body, start, "RightHand", (0.0, 0.0, 2.0))
        lie = momentum_drift(body, start, pushed, Free(0.01, 2.0, 1, True))
        better = momentum_drift(body, start, pushed, Free(0.01, 2.0, 2, True))
        naive = momentum_drift(body, start, pushed, Free(0.01, 2.0, 1, False))
        assert lie[0] <= 0.005
        assert better[1] <= 1e-3
        assert naive[0] >= 100.0 * better[1]
        assert naive[0] >= 20.0 * lie[0]
        finer = momentum_drift(body, start, pushed, Free(0.0025, 2.0, 1, False))
        assert finer[0] > 0.7 * naive[0]  # it is not the step: the naive form lacks a force


def test_halving_the_step_halves_the_error_against_mujoco() -> None:
    pytest.importorskip("mujoco")
    body = person()
    start = moving(body, 4, speed=0.0)
    start.p[:] = impulse(body, start, "RightHand", (1.0, 1.0, 2.0))
    start.v[:] = np.linalg.solve(swept(body, start).matrix, start.p)
    truth = Twin(body).flow(start, 0.24, 60)
    errors = []
    for h in (0.01, 0.005, 0.0025):
        state, work = shifted(start, np.zeros(len(start.v))), body.work()
        free_steps(round(0.24 / h), Free(h, 0.0, 1, True), body.tree, state, np.zeros(3), np.zeros(len(state.v)), work)
        errors.append(float(np.linalg.norm(state.x - truth.x) + rot.distance(state.turn, truth.turn)))
    assert 0.4 < errors[1] / errors[0] < 0.6
    assert 0.4 < errors[2] / errors[1] < 0.6


def test_a_space_in_the_kinetic_metric_has_a_mass_matrix_that_can_be_inverted() -> None:
    for k in (10, 15, 20):
        assert person(k).condition <= 1e4
    fitted = space(15)
    still = [name for j, name in enumerate(fitted.skeleton.names) if not np.any(fitted.directions[:, j])]
    assert {"Hips", "LeftToeBase", "RightToeBase"} <= set(still)


def test_joints_that_keep_their_mean_are_parts_of_the_body_above() -> None:
    body = person()
    state = moving(body, 8)
    work = swept(body, state)
    turns = body.space.rotations(state.x)
    turns[0] = state.turn
    for name in ("LeftToeBase", "RightToeBase"):  # end without mass: as at rest
        turns[body.space.skeleton.index(name)] = rot.IDENTITY
    motion = lm.Motion(body.space.skeleton, 30.0, state.place[None], turns[None])
    places, world = motion.world()
    for j in range(len(body.space.skeleton)):
        b, point = body.point(j)
        np.testing.assert_allclose(work.places[b] + rot.rotate(work.rotations[b], point), places[0, j], atol=1e-12)
    np.testing.assert_allclose(work.centre, body.masses.centre_of_mass(places, world)[0], atol=1e-12)


def test_directions_that_move_no_mass_are_refused() -> None:
    fitted = PoseSpace.fit([lm.samples.performer(speed=1.4).motion], 1, joints=["LeftHand"], metric="angle")
    body = ReducedBody.of(fitted, Masses.of(fitted.skeleton, 70.0))
    assert body.condition > 1e3
    broken = ReducedBody.of(fitted, Masses.of(fitted.skeleton, 70.0))
    object.__setattr__(broken, "condition", 1e5)
    with pytest.raises(LocomoteError, match="kinetic"):
        broken.check()
