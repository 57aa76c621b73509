"""Bodies joined by springs: rows, columns and what cannot vibrate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import null_space

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.masses import Masses
from locomote.modal._jointed import JointedBody
from locomote.modal._linkage import Link, Linkage
from locomote.modal._rows import rows_of, tree_columns
from locomote.skeleton import Skeleton

STEP = 1e-6  # rad or m


def velocities(body: JointedBody, turns: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Velocities of all bodies by finite differences of forward kinematics; ``turns (J, 3)`` in the joints' frames."""
    ends = []
    for sign in (1.0, -1.0):
        rest = rot.multiply(body.rest, rot.exp(sign * STEP * turns))
        offsets = body.skeleton.offsets.copy()
        offsets[0] += sign * STEP * shift
        posed = replace(body.skeleton, offsets=offsets, rest_rotations=rest)
        places, world = posed.rest_pose()
        own = rot.rotate(rot.inverse(body.world[1]), centres(body) - body.world[0])
        ends.append((places + rot.rotate(world, own), world))
    going = (ends[0][0] - ends[1][0]) / (2.0 * STEP)
    turning = rot.log(rot.multiply(ends[0][1], rot.inverse(ends[1][1]))) / (2.0 * STEP)
    return np.concatenate([turning, going], axis=1)[body.joints].reshape(-1)


def centres(body: JointedBody) -> np.ndarray:
    out = body.world[0].copy()
    out[body.joints] = body.linkage.centre
    return out


def random_rates(body: JointedBody, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rates of every joint about its own axes."""
    random = np.random.default_rng(seed)
    turns = np.zeros((len(body.skeleton), 3))
    turns[0] = random.normal(size=3)
    for joint, link in zip(body.joints[1:], body.linkage.links, strict=True):
        turned = random.normal(size=len(link.axes)) @ link.axes
        turns[joint] = rot.rotate(rot.inverse(body.world[1][joint]), turned)
    return turns, random.normal(size=3)


@pytest.mark.feature("MOD-02")
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_velocities_of_forward_kinematics_break_no_link(seed: int) -> None:
    body = JointedBody.of(human_skeleton())
    columns, rows = tree_columns(body.linkage), rows_of(body.linkage)
    random = np.random.default_rng(seed)
    found = columns @ random.normal(size=columns.shape[1])
    assert np.abs(rows.closed @ found).max() < 1e-10 * max(1.0, np.abs(found).max())
    turns, shift = random_rates(body, seed)
    moved = velocities(body, turns, shift)
    assert np.abs(rows.closed @ moved).max() < 1e-7  # of finite differences
    assert np.abs(moved - columns @ np.linalg.lstsq(columns, moved, rcond=None)[0]).max() < 1e-7


@pytest.mark.feature("MOD-03")
def test_joint_rates_are_those_of_finite_differences() -> None:
    body = JointedBody.of(human_skeleton())
    for seed in range(3):
        turns, shift = random_rates(body, seed)
        found = rows_of(body.linkage).turns @ velocities(body, turns, shift)
        wanted = [
            link.axes @ rot.rotate(body.world[1][joint], turns[joint])
            for joint, link in zip(body.joints[1:], body.linkage.links, strict=True)
        ]
        np.testing.assert_allclose(found, np.concatenate(wanted), atol=1e-6)


@pytest.mark.feature("MOD-04")
def test_freedom_of_chain_ring_and_person() -> None:
    chain, ring = Linkage.chain(), Linkage.ring()
    assert null_space(rows_of(chain).closed, rcond=1e-9).shape[1] == 21
    closed = rows_of(ring).closed
    assert closed.shape[0] == 80
    assert np.linalg.matrix_rank(closed) == 77
    assert null_space(closed, rcond=1e-9).shape[1] == 19
    from locomote.modal import Modes

    assert len(Modes.of_linkage(chain)) == 21
    assert len(Modes.of_linkage(ring)) == 19
    assert len(Modes.of(human_skeleton())) == 47


def rod(mass: float = 1.0, **changed: object) -> dict[str, object]:
    told: dict[str, object] = {
        "names": ("a", "b"),
        "mass": np.array([1.0, mass]),
        "centre": np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        "inertia": np.tile(np.eye(3), (2, 1, 1)),
        "links": (Link(0, 1, np.array([0.0, 0.5, 0.0]), np.eye(3), 1.0, "knee"),),
        "root": np.zeros(3),
    }
    return told | changed


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (rod(mass=0.0), "mass is 0 kg"),
        (rod(mass=np.nan), "finite"),
        (rod(links=()), "not joined"),
        (rod(links=(Link(0, 2, np.zeros(3), np.eye(3), 1.0, "knee"),)), "'knee': there is no body 2"),
        (rod(links=(Link(0, 1, np.zeros(3), np.eye(3), -1.0, "knee"),)), "stiffness must be above 0"),
        (rod(links=(Link(0, 1, np.zeros(3), np.ones((1, 3)), 1.0, "knee"),)), "one axis of a hinge"),
        (rod(inertia=np.zeros((2, 3, 3))), "some extent"),
    ],
)
def test_broken_bodies_are_told_in_one_line(told: dict[str, object], said: str) -> None:
    with pytest.raises(LocomoteError, match=said) as error:
        Linkage(**told)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_broken_skeletons_are_told_in_one_line() -> None:
    skeleton = human_skeleton()
    with pytest.raises(LocomoteError, match="factor above 0"):
        JointedBody.of(skeleton, factors={"legs": -1.0})
    with pytest.raises(LocomoteError, match="no joint or group 'wing'"):
        JointedBody.of(skeleton, factors={"wing": 2.0})
    with pytest.raises(LocomoteError, match="stiffness must be above 0"):
        JointedBody.of(skeleton, stiffness=-3.0)
    with pytest.raises(LocomoteError, match="masses of 1 joints"):
        JointedBody.of(skeleton, Masses(np.ones(1), np.zeros((1, 3)), np.eye(3)[None]))


def test_empty_nodes_above_the_pelvis_belong_to_it() -> None:
    chain = Skeleton(
        ("top", "pelvis", "tail"), np.array([-1, 0, 1]), np.array([[0, 1.0, 0], [0, 0, 0.1], [0, 0, -0.4]])
    )
    masses = Masses(np.array([0.0, 2.0, 1.0]), np.zeros((3, 3)), np.tile(0.01 * np.eye(3), (3, 1, 1)))
    body = JointedBody.of(chain, masses)
    assert list(body.joints) == [1, 2]
    assert list(body.bodies) == [0, 0, 1]


@pytest.mark.feature("MOD-01")
def test_inertia_of_capsules_is_that_of_the_closed_form() -> None:
    """A capsule of the house's skins is a round body: mass and inertia of its polyhedron, against the closed form."""
    radius, length, density = 0.05, 0.4, 1000.0
    around = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    down = np.linspace(0.0, 0.5 * np.pi, 48)
    rings = [(radius * np.cos(a), 0.5 * length + radius * np.sin(a)) for a in down]
    rings += [(r, -y) for r, y in rings]
    points = np.array([(r * np.cos(a), y, r * np.sin(a)) for r, y in rings for a in around])
    from locomote.body import Body

    body = Body(
        points,
        np.zeros((0, 3), dtype=np.int64),
        np.zeros((len(points), 1), dtype=np.int64),
        np.ones((len(points), 1)),
        np.zeros((1, 3)),
        rot.identity(1),
    )
    found = Masses.of(Skeleton(("bone",), np.array([-1]), np.zeros((1, 3))), body=body)
    tube, ball = density * np.pi * radius**2 * length, density * 4.0 / 3.0 * np.pi * radius**3
    along = 0.5 * tube * radius**2 + 0.4 * ball * radius**2
    across = tube * (radius**2 / 4.0 + length**2 / 12.0)
    across += ball * (0.4 * radius**2 + length**2 / 4.0 + 3.0 / 8.0 * length * radius)
    np.testing.assert_allclose(found.total, tube + ball, rtol=0.01)
    np.testing.assert_allclose(np.diag(found.inertia[0]), [across, along, across], rtol=0.01)
