from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builtin import CREATURES, build
from locomote.creatures.catalogue._gait_presets import gaits_of
from locomote.errors import LocomoteError

LEGS = {
    "spider": 8,
    "ant": 6,
    "crab": 8,
    "centipede": 30,
    "wolf": 4,
    "dog": 4,
    "horse": 4,
    "lizard": 4,
    "frog": 4,
    "rat": 4,
    "mouse": 4,
    "bird": 2,
    "robot": 5,
}


@pytest.fixture(scope="module", params=list(CREATURES))
def creature(request: pytest.FixtureRequest) -> Morphology:
    return build(request.param)


def places(creature: Morphology, *names: str) -> list[np.ndarray]:
    positions = creature.rest_pose[0]
    return [positions[creature.skeleton.index(name)] for name in names]


def test_all_are_there() -> None:
    assert {name: len(build(name)) for name in CREATURES} == LEGS
    with pytest.raises(LocomoteError, match="no creature 'snake'; the built-in ones are: spider, ant"):
        build("snake")


def test_they_stand_with_all_feet_and_their_legs_are_not_stretched(creature: Morphology) -> None:
    assert np.allclose(creature.rest_feet[:, 1], 0.0, atol=1e-9)
    away = np.linalg.norm(creature.rest_feet - creature.hips, axis=1)
    assert np.all(away < 0.95 * creature.reaches)
    assert creature.head is not None
    assert creature.thickness == pytest.approx(creature.hip_height, rel=0.05)


def test_left_and_right_are_mirror_images(creature: Morphology) -> None:
    names = creature.skeleton.names
    positions = creature.rest_pose[0]
    across = 2 if creature.name == "crab" else 0  # its left side is ahead
    mirror = np.where(np.arange(3) == across, -1.0, 1.0)
    for j, name in enumerate(names):
        if name.endswith(".L"):
            other = creature.skeleton.index(f"{name[:-2]}.R")
            assert np.allclose(positions[j] * mirror, positions[other])
    body = creature.body
    assert body is not None
    assert np.allclose(body.vertices.mean(axis=0)[across], 0.0, atol=2e-3 * np.ptp(body.vertices))


def test_skins_are_closed_bound_and_above_the_ground(creature: Morphology) -> None:
    body = creature.body
    assert body is not None
    assert np.allclose(body.weights.sum(axis=1), 1.0)
    assert np.all(body.weights >= 0.0)
    assert np.allclose(body.posed(*creature.rest_pose), body.vertices)
    assert body.vertices[:, 1].min() > -0.012 * np.ptp(body.vertices)
    edges = body.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    there, back = ({tuple(e) for e in edges}, {tuple(e[::-1]) for e in edges})
    assert len(there) == len(edges)  # each edge once in each direction: closed, and all of one orientation
    assert there == back
    a, b, c = (body.vertices[body.triangles[:, i]] for i in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0
    assert len(body.vertices) < 6000


def test_joints_bend_on_the_way_they_are_bent(creature: Morphology) -> None:
    """Half of the range of every hinge towards more bend brings the tip nearer to the joint before it."""
    positions, turns = creature.rest_pose
    for leg, foot in zip(creature.legs, creature.rest_feet, strict=True):
        points = np.concatenate([positions[list(leg.joints)], foot[None]])
        for k in range(1, len(leg.joints)):
            axis = rot.rotate(turns[leg.joints[k]], leg.limits.axes[k])
            assert leg.limits.swing[k] == 0.0
            assert leg.limits.twist[k, 0] < 0.0 < leg.limits.twist[k, 1]
            far = []
            for angle in (0.0, 0.5 * leg.limits.twist[k, 1]):
                bent = points[k] + rot.rotate(rot.from_axis_angle(axis, angle), points[k + 1] - points[k])
                far.append(np.linalg.norm(bent - points[k - 1]))
            assert far[1] < far[0]


def test_wolf_and_horse_have_elbows_and_hocks_behind_and_knees_before() -> None:
    for name in ("wolf", "horse"):
        made = build(name)
        shoulder, elbow, wrist = places(made, "upper_arm.L", "forearm.L", "hand.L")
        hip, knee, hock = places(made, "thigh.L", "shank.L", "foot.L")
        toe = places(made, "toes.L" if name == "wolf" else "hind_pastern.L")[0]
        assert elbow[2] < 0.5 * (shoulder[2] + wrist[2]) - 0.03
        assert knee[2] > 0.5 * (hip[2] + hock[2]) + 0.1
        assert hock[2] < 0.5 * (knee[2] + toe[2]) - 0.05


def test_others_stand_like_their_animals() -> None:
    for name, knees in (("spider", "tibia"), ("ant", "tibia"), ("crab", "carpus")):
        made = build(name)
        for k in range(1, len(made) // 2 + 1):
            assert places(made, f"{knees}_{k}.L")[0][1] > 1.3 * made.centre[1]
    bird = build("bird")
    knee, hock, toes = places(bird, "shank.L", "foot.L", "toes.L")
    assert hock[2] < min(knee[2], toes[2]) - 0.1
    lizard = build("lizard")
    for upper, lower in (("upper_arm.L", "forearm.L"), ("thigh.L", "shank.L")):
        hip, elbow = places(lizard, upper, lower)
        assert elbow[0] - hip[0] > 2.0 * abs(elbow[1] - hip[1])  # sprawled: out, not down
    robot = build("robot")
    assert sorted(robot.sides) == [-1, -1, 0, 1, 1]


def test_gaits_fit_their_legs() -> None:
    first = {name: gaits_of(build(name)).gaits for name in CREATURES}
    assert {name: gaits[0].name for name, gaits in first.items()} == {
        "spider": "alternating",
        "ant": "tripod",
        "crab": "alternating",
        "centipede": "centipede",
        "wolf": "back",
        "dog": "back",
        "horse": "back",
        "rat": "back",
        "mouse": "back",
        "lizard": "lizard trot",
        "frog": "lizard trot",
        "bird": "walk",
        "robot": "star",
    }
    assert all(len(gaits[0].feet) == LEGS[name] for name, gaits in first.items())


def test_they_are_kept_in_files(tmp_path: Path, creature: Morphology) -> None:
    creature.save(tmp_path / "creature.npz")
    again = Morphology.load(tmp_path / "creature.npz")
    assert again.skeleton.names == creature.skeleton.names
    assert np.array_equal(again.rest_feet, creature.rest_feet)
