"""Creatures from real rigs: all legs found, none too many, standing, and facing +Z."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.creatures import Morphology
from locomote.errors import LocomoteError, SkeletonError
from locomote.formats import load
from locomote.roles import names as say

pytestmark = pytest.mark.data

# For each rig the hip and the last joint of every leg, front to back, left before right; * stands for the side.
QUATERNIUS = [("FrontShoulder.*", "FF.*"), ("BackShoulder.*", "FFB.*")]
LEGS: dict[str, list[tuple[str, str]]] = {
    "khronos_CesiumMan.glb": [("leg_joint_*_1", "leg_joint_*_5")],
    "khronos_RiggedFigure.glb": [("leg_joint_*_1", "leg_joint_*_5")],
    "khronos_Fox.glb": [
        ("b_LeftUpperArm_09", "b_LeftHand_011"),
        ("b_RightUpperArm_06", "b_RightHand_08"),
        ("b_LeftLeg01_015", "b_LeftFoot02_018"),
        ("b_RightLeg01_019", "b_RightFoot02_022"),
    ],
    "luanti_spider_animated.gltf": [(f"Leg{row}Upper.*", f"Leg{row}Fore.*") for row in (1, 2, 3, 4)],
    "mesh2motion_human_skeleton.glb": [("DEF-thigh.*", "DEF-foot.*")],
    "mesh2motion_quadruped.glb": [
        ("Front_Leg_Upper.*", "Front_Toes_Tip.*"),
        ("Back_Leg_Upper.*", "Back_Toes_Tip.*"),
    ],
    "quaternius_Cow.glb": QUATERNIUS,
    "quaternius_Horse.glb": QUATERNIUS,
    "quaternius_Wolf.glb": QUATERNIUS,
    "quaternius_Frog.glb": [
        ("FrontLeg.L", "FrontFoot.L"),
        ("FrontLeg.L.001", "FrontFoot.R"),
        ("BackHip.L", "BackFoot.L"),
        ("BackHip.R", "BackFoot.R"),
    ],
    "quaternius_Spider.glb": [
        ("FrontLeg.L", "FrontFoot.L"),
        ("FrontLeg.R", "FrontFoot2.R"),
        *[(f"{row}Leg.{side}", f"{row}Foot.{side}") for row in ("MidFront", "MidBack", "Back") for side in "LR"],
    ],
    "quaternius_Velociraptor.glb": [("BackLeg.*", "BackFoot.*")],
    "max_robot.urdf": [("link_F*1", "link_F*3"), ("link_H*1", "link_H*3")],
    "mjcf/a1.xml": [("F*_hip", "F*_calf"), ("R*_hip", "R*_calf")],
    "mjcf/go2.xml": [("F*_hip", "F*_calf"), ("R*_hip", "R*_calf")],
    "mjcf/spot.xml": [
        ("fl_hip", "fl_lleg"),
        ("fr_hip", "fr_lleg"),
        ("hl_hip", "hl_lleg"),
        ("hr_hip", "hr_lleg"),
    ],
    "mjcf/anymal_c.xml": [("*F_HIP", "*F_SHANK"), ("*H_HIP", "*H_SHANK")],
    "mjcf/dm_ant.xml": [
        (f"{row}_{side}_aux", f"{row}_{side}_foot") for row in ("front", "back") for side in ("left", "right")
    ],
    "mjcf/dm_quadruped.xml": [
        (f"hip_{row}_{side}", f"ankle_{row}_{side}") for row in ("front", "back") for side in ("left", "right")
    ],
    "mjcf/dm_dog.xml": [("scapula_*", "finger_*"), ("upper_leg_*", "toe_*")],
    "mjcf/dm_rodent.xml": [("scapula_*", "finger_*"), ("upper_leg_*", "toe_*")],
    "mjcf/dm_fruitfly.xml": [
        (f"coxa_T{row}_{side}", f"claw_T{row}_{side}") for row in (1, 2, 3) for side in ("left", "right")
    ],
    "mjcf/dm_humanoid_CMU.xml": [("lfemur", "ltoes"), ("rfemur", "rtoes")],
}
WITHOUT_LEGS = ("khronos_RiggedSimple.glb", "khronos_SimpleSkin.gltf", "quaternius_Crab.glb")
HEADS = {
    "khronos_Fox.glb": "b_Head_05",
    "luanti_spider_animated.gltf": "Head",
    "mesh2motion_human_skeleton.glb": "DEF-head",
    "mjcf/dm_dog.xml": "skull",
    "mjcf/dm_fruitfly.xml": "head",
    "quaternius_Velociraptor.glb": "Head",
    "quaternius_Wolf.glb": "Head",
    "mjcf/spot.xml": None,
}
TAILS = {
    "khronos_Fox.glb": ("b_Tail01_012", "b_Tail03_014"),
    "mesh2motion_quadruped.glb": ("Tail_Base", "Tail_Tip_End"),
    "mjcf/dm_dog.xml": ("Ca_1", "Ca_21"),
    "quaternius_Horse.glb": ("Tail1", "Tail7"),
    "quaternius_Velociraptor.glb": ("Tail1", "Tail5"),
    "mjcf/a1.xml": (),
}
LOADED: dict[str, Morphology] = {}


def creature(data: Path, name: str) -> Morphology:
    """The creature of a rig, read once for all tests."""
    if name not in LOADED:
        LOADED[name] = Morphology.from_rig(data / "rigs" / name)
    return LOADED[name]


def expected(name: str) -> list[tuple[str, str]]:
    out = []
    for hip, last in LEGS[name]:
        sides = "LR" if "*" in hip else "-"
        out += [(hip.replace("*", side), last.replace("*", side)) for side in sides]
    return out


def test_no_rig_is_left_out(data: Path) -> None:
    rigs = data / "rigs"
    files = {p.relative_to(rigs).as_posix() for p in rigs.rglob("*") if p.suffix in (".glb", ".gltf", ".xml", ".urdf")}
    assert files == {*LEGS, *WITHOUT_LEGS}


@pytest.mark.parametrize("name", LEGS)
def test_all_legs_are_found_and_no_other(data: Path, name: str) -> None:
    found = creature(data, name)
    names = found.skeleton.names
    ends = [(names[leg.joints[0]], names[leg.joints[-1]]) for leg in found.legs]
    assert ends == expected(name)
    assert found.sides == (1, -1) * (len(found) // 2)
    assert found.ranks == tuple(f // 2 for f in range(len(found)))


@pytest.mark.parametrize("name", WITHOUT_LEGS)
def test_a_rig_without_legs_says_so(data: Path, name: str) -> None:
    with pytest.raises(SkeletonError, match=r"no legs were found .* name them with legs=.* the joints are: "):
        Morphology.from_rig(data / "rigs" / name)


@pytest.mark.parametrize("name", LEGS)
def test_a_creature_stands_on_its_feet_and_faces_forward(data: Path, name: str) -> None:
    found = creature(data, name)
    size = float(np.linalg.norm(np.ptp(found.rest_pose[0], axis=0)))
    feet, hips = found.rest_feet, found.hips
    assert feet[:, 1].min() == pytest.approx(0.0, abs=1e-9)
    assert feet[:, 1].max() < 0.035 * size
    assert np.abs(hips[:, [0, 2]].mean(axis=0)).max() < 1e-9
    # Left and right are mirror images.
    assert np.abs(feet[::2] * [-1.0, 1.0, 1.0] - feet[1::2]).max() < 0.02 * size
    assert found.hip_height > 0.05 * found.reaches.min()
    assert np.all(np.linalg.norm(hips - feet, axis=1) < found.reaches * (1.0 - 1e-4))
    # What is called left is at +X, as on a body that faces +Z.
    for leg, foot in zip(found.legs, feet, strict=True):
        said = [say.side(found.skeleton.names[j]) for j in leg.joints]
        assert (said.count("left") - said.count("right")) * foot[0] >= 0.0
    if found.head is not None and len(found) > 2:
        at = found.skeleton.end_parents == found.head
        nose = found.skeleton.end_offsets[at].sum(axis=0)
        tip = found.rest_pose[0][found.head] + rot.rotate(found.rest_pose[1][found.head], nose)
        assert tip[2] > 0.0
    if found.tail:
        assert found.rest_pose[0][found.tail[-1], 2] < 0.0


@pytest.mark.parametrize("name", HEADS)
def test_the_head_is_found(data: Path, name: str) -> None:
    found = creature(data, name)
    assert (None if found.head is None else found.skeleton.names[found.head]) == HEADS[name]
    assert found.head is None or found.spine[0] == found.head


@pytest.mark.parametrize("name", TAILS)
def test_the_tail_is_found(data: Path, name: str) -> None:
    found = creature(data, name)
    ends = (found.tail[0], found.tail[-1]) if found.tail else ()
    assert tuple(found.skeleton.names[j] for j in ends) == TAILS[name]


def test_a_spine_goes_through_all_girdles(data: Path) -> None:
    for name in ("quaternius_Wolf.glb", "khronos_Fox.glb", "mjcf/dm_dog.xml"):
        found = creature(data, name)
        assert len(set(found.girdles)) == 2
        assert set(found.girdles) <= set(found.spine)
        at = [found.spine.index(girdle) for girdle in found.girdles]
        assert at[0] == at[1] < at[2] == at[3]


@pytest.mark.parametrize("name", ["quaternius_Wolf.glb", "quaternius_Spider.glb", "quaternius_Velociraptor.glb"])
def test_detached_feet_follow_their_legs(data: Path, name: str) -> None:
    """One skeleton poses everything: turning a hip carries the foot's skin along as a rigid piece of the leg."""
    found = creature(data, name)
    body = found.body
    assert body is not None
    skeleton = found.skeleton
    positions, turns = (part.copy() for part in found.rest_pose)
    leg = found.legs[0]
    turn = rot.from_axis_angle([1.0, 0.0, 0.0], 0.4)
    for j in range(len(skeleton)):
        if leg.hip in skeleton.ancestors(j):
            positions[j] = positions[leg.hip] + rot.rotate(turn, positions[j] - positions[leg.hip])
            turns[j] = rot.multiply(turn, turns[j])
    skin = body.posed(positions, turns)
    rows = (body.joints == leg.joints[-1]) & (body.weights > 0.999)
    mine = np.flatnonzero(rows.any(axis=1))
    assert len(mine) > 5
    moved = found.hips[0] + rot.rotate(turn, body.vertices[mine] - found.hips[0])
    assert np.abs(skin[mine] - moved).max() < 1e-2 * np.ptp(body.vertices[:, 1])


@pytest.mark.parametrize("name", [name for name in LEGS if name.endswith(("glb", "gltf"))])
def test_the_skin_is_that_of_the_file(data: Path, name: str) -> None:
    found = creature(data, name)
    original = load(data / "rigs" / name).body
    if original is None:
        assert found.body is None
        return
    assert found.body is not None
    scale = np.ptp(found.body.vertices, axis=0).max() / np.ptp(original.vertices, axis=0).max()
    assert scale == pytest.approx(0.01 if "Fox" in name else 1.0, rel=0.2)
    # In the pose in which it was bound, the skin has the shape of the file.
    skin = found.body.posed(found.body.bind_positions, found.body.bind_rotations)
    sizes = [np.sort(np.ptp(points, axis=0)) for points in (skin, original.vertices)]
    assert np.allclose(sizes[0], sizes[1] * scale, rtol=1e-3)
    assert np.allclose(found.body.weights.sum(axis=1), 1.0, atol=1e-3)
    # At rest the feet are on the ground, not in it.
    assert found.body.posed(*found.rest_pose)[:, 1].min() > -0.02 * np.ptp(skin[:, 1])


@pytest.mark.parametrize("name", [name for name in LEGS if not name.endswith(("glb", "gltf"))])
def test_robots_keep_their_limits_and_stand_within_them(data: Path, name: str) -> None:
    found = creature(data, name)
    for leg in found.legs:
        turn = rot.multiply(rot.inverse(leg.limits.rest), found.skeleton.rest_rotations[list(leg.joints)])
        assert leg.limits.swing.max() > 0.0 or np.ptp(leg.limits.twist, axis=1).max() > 0.1
        for q, axis, swing, (low, high) in zip(turn, leg.limits.axes, leg.limits.swing, leg.limits.twist, strict=True):
            sweep, twist = rot.swing_twist(q, axis)
            angle = float(rot.log(twist) @ axis)
            assert rot.angle(sweep) <= swing + 1e-6
            assert low - 1e-6 <= angle <= high + 1e-6


def test_a_height_scales_the_body(data: Path) -> None:
    wolf = Morphology.from_rig(data / "rigs" / "quaternius_Wolf.glb", height=0.9)
    assert wolf.body is not None
    assert np.ptp(wolf.body.vertices[:, 1]) == pytest.approx(0.9, rel=0.02)
    fox = creature(data, "khronos_Fox.glb")  # in centimetres
    assert fox.hip_height == pytest.approx(0.49, abs=0.02)
    with pytest.raises(LocomoteError, match="height must be a positive number"):
        Morphology.from_rig(data / "rigs" / "quaternius_Wolf.glb", height=-1.0)


def test_legs_and_direction_may_be_given(data: Path) -> None:
    path = data / "rigs" / "mjcf" / "dm_ant.xml"
    legs = [(f"{row}_{side}_aux", f"{row}_{side}_foot") for row in ("back", "front") for side in ("left", "right")]
    ant = Morphology.from_rig(path, legs=legs, forward="-z")
    assert ant.ranks == (0, 0, 1, 1)
    assert ant.sides == (-1, 1, -1, 1)
    with pytest.raises(SkeletonError, match="no joint 'leg'; the joints are: torso"):
        Morphology.from_rig(path, legs=[("leg", "foot")])
    with pytest.raises(LocomoteError, match=r"no such file|does not exist|cannot be read"):
        Morphology.from_rig(data / "rigs" / "none.glb")


def test_a_rest_pose_that_does_not_stand_has_no_legs(data: Path) -> None:
    """A recorded dog whose file lays every bone along one axis."""
    with pytest.raises(SkeletonError, match="no legs were found"):
        Morphology.from_rig(data / "animal" / "labrador_dog_idle_002.bvh.xz")


def test_a_recorded_person_has_two_legs(data: Path) -> None:
    person = Morphology.from_rig(data / "human" / "walk" / "cmu_07_01.bvh.xz")
    names = person.skeleton.names
    assert [(names[leg.hip], names[leg.joints[-1]]) for leg in person.legs] == [
        ("LeftUpLeg", "LeftToeBase"),
        ("RightUpLeg", "RightToeBase"),
    ]
