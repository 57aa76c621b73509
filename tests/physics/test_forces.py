"""Contact forces: statics, laws, an independent solver, and what plates and gravity say."""

import json

import numpy as np
import pytest
from scipy.optimize import nnls
from typer.testing import CliRunner

import locomote as lm
from locomote import rotations as rot
from locomote.cli import app
from locomote.human_skeleton import COMMON
from locomote.physics import forces
from locomote.physics._kernels.force_split import SplitWork, least_squares
from locomote.physics._strengths import SETS

MAN = COMMON.scaled(0.93)
FPS = 60.0
WEIGHT = 70.0 * 9.81


def standing(seconds: float = 1.0, shift: float = 0.0) -> lm.Motion:
    """Someone who stands on both feet, the body moved sideways over them by ``shift`` metres."""
    frames = int(seconds * FPS)
    turns = rot.identity(frames, len(MAN))
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        turns[:, MAN.index(side + "Arm")] = rot.exp([0.0, 0.0, sign * 1.4])
        lean = -shift / MAN.leg_length()
        turns[:, MAN.index(side + "UpLeg")] = rot.exp([0.0, 0.0, lean])
        turns[:, MAN.index(side + "Foot")] = rot.exp([0.0, 0.0, -lean])
    return lm.Motion(MAN, FPS, np.tile(MAN.offsets[0] + [shift, 0.0, 0.0], (frames, 1)), turns)


@pytest.mark.feature("FRC-02", "FRC-03")
@pytest.mark.parametrize("prior", ["gait", "effort"])
def test_a_standing_person_puts_half_of_its_weight_on_each_foot(prior):
    found = forces(standing(), 70.0, prior=prior)
    np.testing.assert_allclose(found.force.sum(axis=1), np.tile([0.0, WEIGHT, 0.0], (60, 1)), atol=1e-3 * WEIGHT)
    np.testing.assert_allclose(found.force[..., 1], 0.5 * WEIGHT, rtol=0.01)
    assert np.all(found.force[..., 1] >= 0.0)
    assert np.abs(found.residual[:, :3]).max() < 1e-3 * WEIGHT


@pytest.mark.feature("FRC-03")
def test_legs_that_are_strong_bear_more_of_the_torque():
    found = {}
    for strong in (1.0, 5.0):
        strengths = np.full(len(MAN), 70.0)
        strengths[[j for j, name in enumerate(MAN.names) if name in ("LeftUpLeg", "LeftLeg", "LeftFoot")]] *= strong
        torques = np.linalg.norm(
            forces(standing(), 70.0, prior="effort", strengths=strengths).torques.mean(axis=0), axis=1
        )
        found[strong] = torques[MAN.index("LeftUpLeg")] - torques[MAN.index("RightUpLeg")]
    assert found[1.0] == pytest.approx(0.0, abs=0.1)
    assert found[5.0] > 1.0


def test_who_leans_over_one_foot_stands_on_it():
    left = forces(standing(shift=0.05), 70.0).force[:, 0, 1]
    # Both centres of pressure are under the ankles, 0.177 m apart, where the least effort lets them be.
    assert np.all(left > 0.6 * WEIGHT)


@pytest.mark.feature("FRC-02")
def test_forces_of_a_walk_push_within_their_friction_and_only_while_feet_stand():
    walk = lm.samples.performer(speed=1.4).motion
    contacts = lm.contacts.detect(walk)
    for friction in (0.8, 0.15):
        found = forces(walk, 70.0, contacts, friction=friction)
        assert np.all(found.force[~contacts.foot] == 0.0)
        assert found.force[..., 1].min() >= 0.0
        assert found.friction.max() <= friction * (1.0 + 1e-6)
    assert found.plausibility().slipping > 0.2  # on ice
    assert any("slip" in line for line in found.plausibility().warnings)


def test_six_legs_share_the_weight_alike_left_and_right():
    crowd = lm.creatures.Crowd("ant", 1)
    crowd.command(speed=0.0)
    found = forces(crowd.record(seconds=2.0, fps=60)[60:], 1.0)
    share = found.force[..., 1].mean(axis=0) / 9.81
    assert share.sum() == pytest.approx(1.0, abs=0.002)
    assert np.all(share > 0.02)
    sides = [leg.side for leg in found.skeleton.roles.legs]
    left = sum(part for part, side in zip(share, sides, strict=True) if side == "left")
    assert left == pytest.approx(0.5, abs=0.01)


def test_a_spider_that_walks_always_stands_on_some_of_its_feet():
    crowd = lm.creatures.Crowd("spider", 1, seed=3)
    crowd.command(speed=0.5)
    found = forces(crowd.record(seconds=3.0, fps=60)[60:], 1.0)
    assert np.all(found.stands.sum(axis=1) >= 2)
    assert found.plausibility().residual_peak < 0.15


@pytest.mark.parametrize("seed", range(20))
def test_least_squares_of_at_least_0_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 33))
    rows = rng.normal(size=(count + 20, count))
    wanted = rng.normal(size=count + 20)
    work = SplitWork(
        rows=rows,
        wanted=wanted,
        square=rows.T @ rows,
        slope=rows.T @ wanted,
        factor=np.zeros((count, count)),
        trial=np.zeros(count),
        share=np.zeros(count),
        which=np.zeros(count, dtype=np.int64),
        chosen=np.zeros(count, dtype=np.int64),
        before=np.zeros((1, 3)),
    )
    least_squares(count, work)
    truth, _ = nnls(rows, wanted)
    np.testing.assert_allclose(work.share, truth, atol=1e-8)


def jump(gravity: float) -> lm.Motion:
    """A body that flies up and down along a parabola, and turns as it flies."""
    t = np.arange(48) / FPS
    height = MAN.offsets[0, 1] + 0.5 + 0.5 * gravity * t * (t[-1] - t)
    turns = rot.identity(48, len(MAN))
    turns[:, MAN.index("LeftUpLeg")] = rot.exp(np.outer(0.2 * np.sin(3.0 * t), [1.0, 0.0, 0.0]))
    turns[:, MAN.index("RightUpLeg")] = rot.exp(np.outer(-0.2 * np.sin(3.0 * t), [1.0, 0.0, 0.0]))
    return lm.Motion(MAN, FPS, np.stack([0 * t, height, 1.5 * t], axis=1), turns)


@pytest.mark.feature("FRC-05")
@pytest.mark.parametrize(("gravity", "possible"), [(9.81, True), (6.0, False), (14.0, False)])
def test_flight_needs_nothing_only_if_it_falls_as_things_fall(gravity, possible):
    motion = jump(gravity)
    nothing = lm.contacts.detect_points(
        np.zeros((48, 2, 3, 3)) + np.linspace(0, 9, 48)[:, None, None, None], FPS, legs=MAN.roles.legs
    )
    found = forces(motion, 70.0, nothing).plausibility()
    assert (found.flight_residual < 0.05) == possible
    assert any("ballistic" in line for line in found.warnings) != possible


def swinging_flight(masses: lm.Masses) -> lm.Motion:
    """Flights of one second of a person who swings arms and legs, whose centre of mass falls as things fall."""
    t = np.arange(120) / FPS
    turns = rot.identity(120, len(MAN))
    swings = {"UpLeg": 0.9, "Leg": 0.7, "Arm": 0.8, "Foot": 0.5}
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for k, (name, wide) in enumerate(swings.items()):
            way = wide * np.sin((7.0 + k + 0.2 * sign) * t + k)
            turns[:, MAN.index(side + name)] = rot.exp(np.outer(way, [1.0, 0.0, 0.0]))
    still = lm.Motion(MAN, FPS, np.zeros((120, 3)), turns)
    fallen = np.stack([0.0 * t, 2.0 + 0.5 * 9.81 * t * (t[-1] - t), 2.0 * t], axis=1)
    return lm.Motion(MAN, FPS, fallen - masses.centre_of_mass(*still.world()), turns)


def test_flight_tells_what_the_parts_of_a_person_weigh():
    table = lm.Masses.of(MAN, 70.0)
    lighter = np.array([0.85 if name.endswith("UpLeg") else 1.0 for name in MAN.names])
    truth = lighter * table.mass
    truth[MAN.index("Hips")] += 70.0 - truth.sum()
    motion = swinging_flight(lm.Masses(truth, table.centre, table.inertia))
    feet = np.zeros((120, 2, 3, 3)) + np.linspace(0, 90, 120)[:, None, None, None]
    nothing = lm.contacts.detect_points(feet, FPS, legs=MAN.roles.legs)
    told, by_table = (forces(motion, mass, nothing, cutoff=30.0) for mass in (70.0, table))
    assert told.masses.total == pytest.approx(70.0, rel=1e-4)
    thigh = MAN.index("LeftUpLeg")
    assert abs(told.masses.mass[thigh] - truth[thigh]) < 0.6 * abs(table.mass[thigh] - truth[thigh])
    assert told.plausibility().flight_residual < 0.5 * by_table.plausibility().flight_residual
    np.testing.assert_array_equal(by_table.masses.mass, table.mass)
    # A slip of the recording says nothing of masses.
    turns, hip = motion.rotations.copy(), MAN.index("LeftUpLeg")
    turns[60, hip] = rot.multiply(turns[60, hip], rot.exp([0.08, 0.0, 0.0]))
    slipped = forces(lm.Motion(MAN, FPS, motion.root_positions, turns), 70.0, nothing, cutoff=30.0)
    np.testing.assert_allclose(slipped.masses.mass, told.masses.mass, rtol=0.02)


def test_a_flight_that_no_body_could_do_does_not_change_what_it_weighs():
    motion = jump(6.0)
    feet = np.zeros((48, 2, 3, 3)) + np.linspace(0, 9, 48)[:, None, None, None]
    nothing = lm.contacts.detect_points(feet, FPS, legs=MAN.roles.legs)
    np.testing.assert_array_equal(forces(motion, 70.0, nothing).masses.mass, lm.Masses.of(MAN, 70.0).mass)


def test_forces_scale_with_the_mass_and_torques_with_them():
    walk = lm.samples.performer(speed=1.4).motion
    light, heavy = forces(walk, 50.0), forces(walk, 100.0)
    np.testing.assert_allclose(heavy.force, 2.0 * light.force, atol=1e-6 * WEIGHT)
    np.testing.assert_allclose(heavy.effort, 4.0 * light.effort, rtol=1e-6)


def test_effort_is_told_and_too_much_of_it_warned_of(tmp_path):
    walk = lm.samples.performer(speed=1.4).motion
    found = forces(walk, 70.0)
    squares = np.sum(found.torques[10:-10] ** 2, axis=(1, 2))
    told = found.plausibility()
    assert told.effort == pytest.approx(np.sqrt(squares.mean()) / 70.0, rel=0.05)
    assert 1.0 < told.effort < 4.0
    assert not any("keeps up" in line for line in told.warnings)
    hasty = lm.Motion(walk.skeleton, 4.0 * walk.fps, walk.root_positions, walk.rotations)
    lm.save(hasty, tmp_path / "hasty.bvh")
    ran = CliRunner().invoke(app, ["forces", str(tmp_path / "hasty.bvh"), "--json"])
    report = json.loads(ran.stdout)
    assert report["effort"] > 9.0
    assert any("keeps up" in line for line in report["warnings"])
    shown = CliRunner().invoke(app, ["forces", str(tmp_path / "hasty.bvh")])
    assert f"{report['effort']:.3f}" in next(line for line in shown.stdout.splitlines() if line.startswith("effort"))


def test_a_turned_walk_has_turned_forces():
    walk = lm.samples.performer(speed=1.4).motion
    turn = rot.from_yaw(0.5 * np.pi)  # by a quarter, for which the cone of four edges is the same
    moved = forces(walk.moved(turn, (3.0, 0.0, -2.0)), 70.0)
    np.testing.assert_allclose(moved.force, rot.rotate(turn, forces(walk, 70.0).force), atol=1e-3 * WEIGHT)


def test_moments_of_the_forces_are_those_that_the_motion_needs():
    walk = lm.samples.performer(speed=1.4).motion
    found = forces(walk, 70.0)
    # What is left over is told, and small beside a walker's weight.
    assert np.linalg.norm(found.residual[10:-10, :3], axis=1).mean() < 0.05 * WEIGHT


@pytest.mark.parametrize("name", SETS)
def test_every_set_of_strengths_gives_the_whole_force(name):
    found = forces(standing(), 70.0, prior="effort", strengths=name)
    np.testing.assert_allclose(found.force.sum(axis=1)[:, 1], WEIGHT, rtol=1e-3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prior": "magic"}, "expected one of gait, effort"),
        ({"friction": 0.0}, "coefficient above 0"),
        ({"mass": -1.0}, "kilograms above 0"),
        ({"strengths": "huge"}, "expected one of uniform"),
        ({"strengths": [1.0, 2.0]}, "expected 22 torques"),
    ],
)
def test_bad_input_is_one_clear_line(given, message):
    with pytest.raises(lm.LocomoteError, match=message):
        forces(standing(), **given)


def test_contacts_of_another_motion_are_refused():
    with pytest.raises(lm.LocomoteError, match="contacts of 30 frames for a motion of 60"):
        forces(standing(), 70.0, lm.contacts.detect(standing(0.5)))


def test_a_body_without_legs_is_refused():
    box = lm.Skeleton(("box",), [-1], [[0, 0, 0]])
    motion = lm.Motion(box, FPS, np.zeros((20, 3)), rot.identity(20, 1))
    with pytest.raises(lm.LocomoteError, match="no legs"):
        forces(motion)
