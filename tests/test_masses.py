"""Masses: the table of people, volumes of other bodies, and laws that both keep."""

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.body import Body
from locomote.human_skeleton import COMMON
from locomote.masses import Masses, is_person

MAN = COMMON.scaled(0.93)


def box(size, offset) -> Body:
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size + offset
    return Body(
        vertices=corners,
        triangles=np.zeros((0, 3), dtype=np.int64),
        joints=np.zeros((8, 4), dtype=np.int64),
        weights=np.tile([1.0, 0, 0, 0], (8, 1)),
        bind_positions=np.zeros((1, 3)),
        bind_rotations=rot.identity(1),
    )


def test_a_box_has_the_inertia_of_a_box():
    size, offset = np.array([0.2, 0.5, 1.1]), np.array([0.3, -0.1, 0.2])
    found = Masses.of(lm.Skeleton(("box",), [-1], [[0, 0, 0]]), body=box(size, offset))
    mass = 1000.0 * size.prod()
    assert found.total == pytest.approx(mass)
    np.testing.assert_allclose(found.centre[0], offset, atol=1e-12)
    x, y, z = size**2
    np.testing.assert_allclose(found.inertia[0], mass / 12.0 * np.diag([y + z, x + z, x + y]), atol=1e-9)


def test_a_person_weighs_what_is_told_and_is_the_same_left_and_right():
    person = Masses.of(MAN, mass=83.0)
    assert person.total == pytest.approx(83.0)
    for name in MAN.names:
        if name.startswith("Left"):
            left, right = MAN.index(name), MAN.index(name.replace("Left", "Right"))
            assert person.mass[left] == pytest.approx(person.mass[right])
            np.testing.assert_allclose(person.centre[left] * (-1, 1, 1), person.centre[right], atol=1e-12)


def test_the_centre_of_a_standing_person_is_where_people_have_it():
    # Reported for the anatomical pose: 0.55 (women) to 0.57 (men) of the stature.
    arms_down = rot.identity(len(MAN))
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        arms_down[MAN.index(side + "Arm")] = rot.exp([0.0, 0.0, sign * 0.5 * np.pi])
    pose = lm.Motion(MAN, 30.0, MAN.offsets[None, 0], arms_down[None])
    positions, turns = pose.world()
    height = Masses.of(MAN).centre_of_mass(positions, turns)[0, 1] / (MAN.leg_length() / 0.49)
    assert 0.54 < height < 0.58


@pytest.mark.parametrize("name", ["wolf", "spider", "person"])
def test_every_segment_could_be_a_solid_body(name):
    skeleton = MAN if name == "person" else lm.creatures.Crowd(name, 1).creature.morphology.skeleton
    assert is_person(skeleton) == (name == "person")
    found = Masses.of(skeleton)
    for mass, inertia in zip(found.mass, found.inertia, strict=True):
        moments = np.linalg.eigvalsh(inertia)
        if mass > 0.0:
            assert moments[0] > 0.0
            assert moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9)


def test_a_body_twice_as_large_is_eight_times_as_heavy_and_thirty_two_times_as_hard_to_turn():
    wolf = lm.creatures.Crowd("wolf", 1).creature.morphology.skeleton
    small, large = Masses.of(wolf), Masses.of(wolf.scaled(2.0))
    assert large.total == pytest.approx(8.0 * small.total)
    np.testing.assert_allclose(large.inertia, 32.0 * small.inertia, rtol=1e-6, atol=1e-9)


def test_shares_at_the_joints_have_nearly_the_same_centre():
    rng = np.random.default_rng(3)
    person = Masses.of(MAN)
    shares = person.joint_shares(MAN)
    assert shares.sum() == pytest.approx(1.0)
    turns = rot.exp(rng.normal(size=(20, len(MAN), 3)) * 0.3)
    positions, world = lm.Motion(MAN, 30.0, np.zeros((20, 3)), turns).world()
    off = shares @ positions - person.centre_of_mass(positions, world)
    assert np.abs(off).max() < 0.03


@pytest.mark.parametrize("mass", [0.0, -3.0, np.inf, np.nan])
def test_a_mass_that_cannot_be_is_refused(mass):
    with pytest.raises(lm.LocomoteError, match="kilograms above 0"):
        Masses.of(MAN, mass=mass)


def test_a_body_without_volume_is_refused():
    flat = box(np.array([1.0, 0.0, 1.0]), np.zeros(3))
    with pytest.raises(lm.LocomoteError, match="no volume"):
        Masses.of(lm.Skeleton(("box",), [-1], [[0, 0, 0]]), body=flat)
