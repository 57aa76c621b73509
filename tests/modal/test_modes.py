"""Natural vibrations: frequencies, symmetry, what holds a body."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

from locomote import rotations as rot
from locomote.creatures import Creature
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.masses import Masses
from locomote.modal import Hold, Linkage, Modes
from locomote.modal._holding import holding, sag
from locomote.modal._jointed import JointedBody
from locomote.modal._rows import rows_of, weighed
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


def standing(skeleton: Skeleton) -> FloatArray:
    """Arms at the sides, knees a little bent."""
    rest = skeleton.rest_rotations.copy()
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        rest[skeleton.index(side + "Arm")] = rot.exp([0.0, 0.0, sign * 1.4])
        for part, angle in (("UpLeg", -0.1), ("Leg", 0.2), ("Foot", -0.1)):
            rest[skeleton.index(side + part)] = rot.exp([angle, 0.0, 0.0])
    return rest


@pytest.fixture(scope="module")
def person() -> Modes:
    skeleton = human_skeleton(0.86)
    return Modes.of(skeleton, Masses.of(skeleton, 76.0), rest=standing(skeleton))


@pytest.fixture(scope="module")
def wolf() -> Modes:
    morphology = Creature.build("wolf").morphology
    return Modes.of(morphology.skeleton, Masses.of(morphology.skeleton, body=morphology.body))


@pytest.mark.feature("MOD-05")
def test_chain_and_ring_have_the_known_frequencies() -> None:
    chain = Modes.of_linkage(Linkage.chain())
    np.testing.assert_allclose(chain.frequencies[6:10], [0.622, 1.715, 3.361, 5.553], atol=6e-4)
    assert chain.frequencies[7] / chain.frequencies[6] == pytest.approx(2.76, abs=0.02)
    assert chain.rigid == 6
    assert not chain.frequencies[:6].any()
    ring = Modes.of_linkage(Linkage.ring())
    assert abs(ring.frequencies[6] - ring.frequencies[7]) < 1e-6
    np.testing.assert_allclose(ring.frequencies[[6, 8, 10]], [2.90, 8.17, 15.5], rtol=4e-3)
    np.testing.assert_allclose(ring.frequencies[[7, 9, 11]], ring.frequencies[[6, 8, 10]], rtol=1e-9)


def test_a_hinged_pair_of_rods_has_the_closed_form() -> None:
    """Two rods with a hinge between: they fold against the spring, each about its own centre."""
    k, length, mass = 3.0, 0.7, 0.2
    modes = Modes.of_linkage(Linkage.chain(2, k, length, mass))
    # Each rod turns by q about its centre, which stays: the hinge opens by 2 q.
    inertia = 2.0 * (mass * length**2 / 12.0)
    wanted = np.sqrt(4.0 * k / inertia) / (2.0 * np.pi)
    assert modes.frequencies[-1] == pytest.approx(wanted, rel=1e-9)


def test_frequencies_of_a_person_are_near_those_known(person: Modes) -> None:
    known = [0.99, 0.99, 1.41, 1.43, 1.66, 1.92, 1.96, 2.15]  # of another model of 76 kg, 100 N m/rad, spine x 10
    np.testing.assert_allclose(person.frequencies[6:14], known, rtol=0.08)


@pytest.mark.parametrize("name", ["chain", "ring", "person"])
def test_null_space_of_all_rows_gives_the_same(name: str, person: Modes) -> None:
    """The tree of joints, with loops closed, against the whole constraint matrix and an SVD."""
    linkage = {"chain": Linkage.chain(), "ring": Linkage.ring(), "person": person.linkage}[name]
    found = Modes.of_linkage(linkage)
    rows = rows_of(linkage)
    free = null_space(rows.closed, rcond=1e-9)
    turns = rows.turns @ free
    values = eigh((turns.T * linkage.stiffness) @ turns, free.T @ weighed(linkage, free), eigvals_only=True)
    wanted = np.sqrt(np.maximum(values[6:], 0.0)) / (2.0 * np.pi)
    np.testing.assert_allclose(found.frequencies[6:], wanted, rtol=1e-8)


@pytest.mark.feature("MOD-06")
def test_every_mode_of_a_symmetric_body_is_even_or_odd(person: Modes, wolf: Modes) -> None:
    for modes in (person, wolf):
        feet = modes.feet.reshape(len(modes), -1, 2, 3)  # rows of legs, left before right
        mirrored = feet[:, :, ::-1] * (-1.0, 1.0, 1.0)
        assert np.all(np.abs(np.abs(modes.parity) - 1.0) < 1e-6)
        size = np.abs(feet).max(axis=(1, 2, 3), keepdims=True)
        assert np.abs(mirrored - modes.parity[:, None, None, None] * feet).max() < 1e-6 * size.max() + 2e-3 * size.max()
    # Alternating leg swing and spread legs have nearly the same frequency, and are apart all the same.
    assert person.frequencies[7] - person.frequencies[6] < 0.05
    assert person.parity[6] * person.parity[7] == -1.0


def test_an_uneven_body_has_no_parity(person: Modes) -> None:
    assert np.all(np.abs(person.stiffened({"Left*": 10.0}).parity) < 1.0)


@pytest.mark.feature("MOD-07")
def test_what_is_held_stays(person: Modes) -> None:
    assert person.body is not None
    steady = Modes.of_body(person.body, [Hold("turn", ("Head",))])
    assert len(person) == 47
    assert len(steady) == 44
    cart = Modes.of_body(person.body, [Hold("rail", ("LeftHand", "RightHand"))])
    assert len(cart) == 42
    assert cart.rigid == 2
    feet = Modes.of_body(person.body, [Hold("place", ("LeftFoot", "RightFoot"))])
    assert len(feet) == 41
    assert feet.rigid == 1
    for modes in (steady, cart, feet):
        held = np.concatenate([hold.rows(person.body) for hold in modes.hold])
        assert np.abs(held @ modes.moves.T).max() < 1e-9


def test_holds_and_rigs_that_do_not_fit_are_told() -> None:
    with pytest.raises(LocomoteError, match="expected one of turn, place, fixed, rail"):
        Hold("glue", ("Head",))
    with pytest.raises(LocomoteError, match="no joint 'Nose'"):
        Modes.of(human_skeleton(), hold=[Hold("turn", ("Nose",))])
    with pytest.raises(LocomoteError, match="of a linkage, not of a skeleton"):
        _ = Modes.of_linkage(Linkage.chain()).shapes


def test_rigid_modes_are_those_of_the_whole(person: Modes) -> None:
    assert person.names[:6] == ("surge", "sway", "heave", "roll", "pitch", "yaw")
    assert not person.shapes[:6].any()
    momenta = weighed(person.linkage, person.moves.T)
    whole = momenta.reshape(len(person.linkage), 6, -1)[:, 3:].sum(axis=0)
    assert np.abs(whole[:, 6:]).max() < 1e-9  # what bends moves no centre of mass
    np.testing.assert_allclose(np.linalg.norm(person.shapes, axis=2).max(axis=1)[6:], 1.0)


@pytest.mark.feature("MOD-08")
@pytest.mark.parametrize("name", ["wolf", "spider", "horse", "person"])
def test_the_least_stiffness_that_holds_a_body_up(name: str) -> None:
    if name == "person":
        skeleton = human_skeleton()
        body = JointedBody.of(skeleton, rest=standing(skeleton))
    else:
        morphology = Creature.build(name).morphology
        body = JointedBody.of(morphology.skeleton, Masses.of(morphology.skeleton, body=morphology.body))
    held = body.with_linkage(body.linkage.stiffened(holding(body)))
    assert sag(held) <= 0.05 * body.leg_length * (1.0 + 1e-9)
    softer = held.with_linkage(held.linkage.stiffened(0.9))
    assert sag(softer) > 0.05 * body.leg_length
