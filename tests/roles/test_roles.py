"""Legs, arms, trunk and facing are found under every naming habit, and by shape alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import SkeletonError
from locomote.formats import load
from locomote.roles import find_roles, roles_from_names
from locomote.roles import names as say
from locomote.skeleton import Roles, Skeleton
from tests.roles.bodies import HUMANS, human, many_legs


def names_of(skeleton: Skeleton, joints: tuple[int, ...]) -> list[str]:
    return [skeleton.names[j] for j in joints]


@pytest.mark.parametrize("arms", ["t", "a", "hanging"])
@pytest.mark.parametrize("style", sorted(HUMANS))
def test_a_human_is_found_under_any_names(style: str, arms: str) -> None:
    skeleton, at = human(style, arms, empty_roots=2)
    roles = find_roles(skeleton)
    assert roles.root == at["pelvis"]
    assert roles.spine == (at["spine"], at["chest"])
    assert roles.neck == (at["neck"],)
    assert roles.head == at["head"]
    assert roles.tail == ()
    np.testing.assert_allclose(roles.forward, (0.0, 0.0, 1.0), atol=1e-9)
    assert [(leg.side, leg.row) for leg in roles.legs] == [("left", 0), ("right", 0)]
    for leg in roles.legs:
        found = leg.hip, leg.knee, leg.ankle, leg.ball, leg.toe
        assert found == tuple(at[f"{part}.{leg.side}"] for part in ("thigh", "shin", "foot", "toe", "toe"))
        assert leg.chain == found[:4]
        np.testing.assert_allclose(leg.toe_offset, (0.0, 0.0, 0.06))
        assert leg.detached_foot is None
    for arm in roles.arms:
        found = arm.clavicle, arm.shoulder, arm.elbow, arm.wrist
        assert found == tuple(at[f"{part}.{arm.side}"] for part in ("clavicle", "arm", "forearm", "hand"))
    assert [arm.side for arm in roles.arms] == ["left", "right"]


@given(st.sampled_from(sorted(HUMANS)), st.floats(-np.pi, np.pi))
def test_a_turned_human_faces_where_it_is_turned(style: str, turn: float) -> None:
    if style == "silent":
        turn = round(turn / (0.5 * np.pi)) * 0.5 * np.pi  # by shape alone the mirror plane must lie along an axis
    skeleton, _ = human(style, turn=turn)
    forward = find_roles(skeleton).forward
    # Directions within two degrees of an axis are taken for the axis.
    assert np.dot(forward, (np.sin(turn), 0.0, np.cos(turn))) > np.cos(np.radians(2.0)) - 1e-9


@pytest.mark.parametrize("pairs", [2, 3, 4, 5])
def test_any_number_of_legs_is_found_by_shape(pairs: int) -> None:
    roles = find_roles(many_legs(pairs))
    assert [(leg.side, leg.row) for leg in roles.legs] == [
        (side, row) for row in range(pairs) for side in ("left", "right")
    ]
    assert all(len(leg.chain) == 4 for leg in roles.legs)
    assert roles.forward == (0.0, 0.0, 1.0)
    skeleton = many_legs(pairs)
    front, back = (skeleton.rest_pose()[0][roles.leg("left", row).hip] for row in (0, pairs - 1))
    assert front[2] > back[2]
    assert front[0] > 0.0


def test_odd_trees_have_no_legs_and_raise_nothing() -> None:
    for skeleton in (
        Skeleton(("a",), [-1], np.zeros((1, 3))),
        Skeleton(("Bone", "Bone.001"), [-1, 0], [[0, 0, 0], [0, 1, 0]]),
        Skeleton(("a", "left", "right"), [-1, 0, 0], np.zeros((3, 3))),
        Skeleton(tuple("abcdefgh"), np.arange(8) - 1, np.ones((8, 3))),
    ):
        assert find_roles(skeleton).legs == ()


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_no_tree_is_an_error(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(0, j)) for j in range(1, count))]
    words = [
        "LeftLeg",
        "RightLeg",
        "foot_l",
        "foot_r",
        "Head",
        "Spine",
        "tail",
        "x",
        "LeftArm",
        "hand.R",
        "IK",
        "toe_end",
    ]
    names = [f"{rng.choice(words)}_{j}" for j in range(count)]
    roles = find_roles(Skeleton(tuple(names), parents, rng.normal(size=(count, 3))))
    assert 0 <= roles.root < count


@pytest.mark.parametrize(
    ("name", "side", "bare"),
    [
        ("mixamorig:LeftUpLeg", "left", "upleg"),
        ("LHipJoint", "left", "hipjoint"),
        ("thigh_r", "right", "thigh"),
        ("DEF-shin.L.001", "left", "defshin"),
        ("rfemur", "right", "femur"),
        ("lowerback", "", "lowerback"),
        ("leg_joint_R_5", "right", "legjoint"),
        ("rear", "", "rear"),
        ("J_Bip_L_UpperLeg", "left", "jbipupperleg"),
    ],
)
def test_names_are_read(name: str, side: str, bare: str) -> None:
    assert say.side(name) == side
    assert say.bare(name) == bare


def test_roles_may_be_given_as_a_table() -> None:
    skeleton, at = human("silent")
    name = {part: skeleton.names[j] for part, j in at.items()}
    table = {
        "root": name["pelvis"],
        "spine": [name["spine"]],
        "forward": [0, 0, 2],
        "left_leg": [name[f"{part}.left"] for part in ("thigh", "shin", "foot", "toe")],
        "right_leg": [name[f"{part}.right"] for part in ("thigh", "shin", "foot")],
        "left_arm": [name[f"{part}.left"] for part in ("clavicle", "arm", "forearm", "hand")],
        "right_arm": [name[f"{part}.right"] for part in ("arm", "forearm", "hand")],
    }
    roles = roles_from_names(skeleton, table)
    assert roles.forward == (0.0, 0.0, 1.0)
    assert roles.spine == (at["spine"],)
    assert roles.neck == find_roles(skeleton).neck
    assert roles.leg("left").toe == at["toe.left"]
    assert roles.leg("right").toe == roles.leg("right").ball == at["foot.right"]
    assert [arm.clavicle for arm in roles.arms] == [at["clavicle.left"], None]
    assert skeleton.with_roles(roles).roles is roles


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"root": "Hipps"}, "role 'root': no joint 'Hipps'; the joints are: pelvis, spine_01"),
        ({"left_leg": ["thigh_l"]}, "role 'left_leg': expected 3 to 5 joint names, got 1"),
        ({"left_leg": ["foot_l", "calf_l", "thigh_l"]}, "calf_l does not hang below foot_l"),
        ({"middle_leg": []}, "role 'middle_leg' is not known; the roles are root"),
        ({"forward": "north"}, "role 'forward': expected three numbers"),
        ({"spine": "spine_01"}, "role 'spine': expected joint names"),
        ({"left_leg_0": []}, "is not known"),
    ],
)
def test_a_wrong_table_says_what_would_be_right(table: dict[str, object], says: str) -> None:
    with pytest.raises(SkeletonError, match=says):
        roles_from_names(human("unreal")[0], table)


@pytest.mark.data
def test_recorded_skeletons_whose_zero_pose_means_nothing(data: Path) -> None:
    dog = load(data / "animal" / "labrador_dog_quad_walkrun_001.bvh.xz").skeleton
    roles = dog.roles
    assert dog.names[roles.root] == "b_Hips"
    paws = [dog.names[roles.leg(side, row).ball] for row in (0, 1) for side in ("left", "right")]
    assert paws == ["b__LeftFinger", "b_RightFinger", "b_LeftToe", "b_RightToe"]
    assert names_of(dog, roles.tail)[0] == "b_Tail001"
    assert roles.forward[0] > 0.99
    for clip in ("walk/bandai_nc_ds1_walk_normal_001", "run/bandai_nc_ds1_run_normal_001"):
        skeleton = load(data / "human" / f"{clip}.bvh.xz").skeleton
        assert skeleton.names[skeleton.roles.root] == "Hips"
        assert [skeleton.names[leg.ankle] for leg in skeleton.roles.legs] == ["Foot_L", "Foot_R"]


RIGS = {
    "khronos_CesiumMan.glb": (2, 2, "Skeleton_torso_joint_1"),
    "khronos_RiggedFigure.glb": (2, 2, "torso_joint_1"),
    "mesh2motion_human_skeleton.glb": (2, 2, "DEF-hips"),
    "quaternius_Velociraptor.glb": (2, 2, "Body"),
    "khronos_Fox.glb": (4, 0, "b_Hip_01"),
    "mesh2motion_quadruped.glb": (4, 0, "Hips"),
    "quaternius_Wolf.glb": (4, 0, "Back"),
    "quaternius_Horse.glb": (4, 0, "Back"),
    "quaternius_Cow.glb": (4, 0, "Back"),
    "quaternius_Frog.glb": (4, 0, "Body"),
    "quaternius_Spider.glb": (8, 0, "Body"),
    "luanti_spider_animated.gltf": (8, 0, "Body"),
    "quaternius_Crab.glb": (0, 0, None),
    "khronos_RiggedSimple.glb": (0, 0, None),
    "khronos_SimpleSkin.gltf": (0, 0, None),
}


def roles_of(data: Path, rig: str) -> tuple[Skeleton, Roles]:
    skeleton = load(data / "rigs" / rig).skeleton
    return skeleton, skeleton.roles


@pytest.mark.data
@pytest.mark.parametrize("rig", RIGS)
def test_rigs(data: Path, rig: str) -> None:
    legs, arms, root = RIGS[rig]
    skeleton, roles = roles_of(data, rig)
    assert (len(roles.legs), len(roles.arms)) == (legs, arms)
    if not legs:
        return
    assert skeleton.names[roles.root] == root
    assert roles.forward == (0.0, 0.0, 1.0)
    positions = skeleton.rest_pose()[0]
    for leg in roles.legs:
        assert (positions[leg.hip, 0] > 0.0) == (leg.side == "left")
        assert leg.chain[0] == leg.hip
        assert leg.chain[-1] == leg.toe
        assert positions[list(leg.chain), 1].max() > positions[leg.toe, 1]
    rows = [positions[roles.leg("left", row).hip, 2] for row in range(legs // 2)]
    assert rows == sorted(rows, reverse=True)


@pytest.mark.data
def test_feet_that_hang_elsewhere_in_the_tree(data: Path) -> None:
    skeleton, roles = roles_of(data, "quaternius_Horse.glb")
    assert [skeleton.names[leg.detached_foot or 0] for leg in roles.legs] == [
        "IKFrontLeg.L", "IKFrontLeg.R", "IKBackLeg.L", "IKBackLeg.R",
    ]  # fmt: skip
    skeleton, roles = roles_of(data, "quaternius_Spider.glb")
    assert skeleton.names[roles.leg("right", 0).detached_foot or 0] == "FrontFoot2.R"


@pytest.mark.data
def test_cmu(data: Path) -> None:
    skeleton = load(data / "human" / "walk" / "cmu_07_01.bvh.xz").skeleton
    roles = skeleton.roles
    assert skeleton.names[roles.root] == "Hips"
    assert names_of(skeleton, roles.spine) == ["LowerBack", "Spine", "Spine1"]
    assert names_of(skeleton, roles.neck) == ["Neck", "Neck1"]
    left = roles.leg("left")
    assert names_of(skeleton, left.chain) == ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]
    assert roles.forward == (0.0, 0.0, 1.0)
