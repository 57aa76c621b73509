"""Real files: every rig with every animation, and every recorded clip, through glTF and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.body import Body, capsule_body
from locomote.formats import gltf, load, save
from tests.formats.gltf_judge import Judge

pytestmark = pytest.mark.data

TENTH_OF_A_MILLIMETRE = 1e-4
# Joints of the skin, animations, and the height of the body in the units of the file.
RIGS = {
    "khronos_CesiumMan.glb": (19, 1, 1.5),
    "khronos_Fox.glb": (24, 3, 79.0),
    "khronos_RiggedFigure.glb": (19, 1, 1.45),
    "khronos_RiggedSimple.glb": (2, 1, 9.15),
    "khronos_SimpleSkin.gltf": (2, 1, 2.0),
    "luanti_spider_animated.gltf": (57, 1, 2.05),
    "mesh2motion_human_skeleton.glb": (53, 1, None),
    "mesh2motion_quadruped.glb": (29, 4, 1.7),
    "quaternius_Cow.glb": (42, 8, 4.6),
    "quaternius_Crab.glb": (7, 3, 1.5),
    "quaternius_Frog.glb": (28, 2, 1.5),
    "quaternius_Horse.glb": (50, 9, 4.8),
    "quaternius_Spider.glb": (39, 3, 1.95),
    "quaternius_Velociraptor.glb": (29, 4, 5.5),
    "quaternius_Wolf.glb": (51, 9, 2.7),
}


def largest(body: Body) -> float:
    return float(np.ptp(body.vertices, axis=0).max())


def test_no_rig_is_left_out(data: Path) -> None:
    assert {path.name for path in (data / "rigs").glob("*.gl*")} == set(RIGS)


@pytest.mark.parametrize("name", RIGS)
def test_a_rig_is_what_its_maker_says(data: Path, name: str) -> None:
    joints, animations, height = RIGS[name]
    motion = load(data / "rigs" / name)
    assert len(motion.skeleton) >= joints
    assert len(gltf.animations(data / "rigs" / name)) >= animations
    if height is None:
        assert motion.body is None
        return
    assert motion.body is not None
    assert np.ptp(motion.body.vertices[:, 1]) == pytest.approx(height, rel=0.03)
    # The joints lie inside the mesh, in the same units and axes.
    rest = motion.skeleton.rest_pose()[0]
    weighted = np.unique(motion.body.joints[motion.body.weights > 0.1])
    low, high = motion.body.vertices.min(axis=0), motion.body.vertices.max(axis=0)
    margin = 0.02 * largest(motion.body)
    assert np.all(rest[weighted] > low - margin)
    assert np.all(rest[weighted] < high + margin)


@pytest.mark.parametrize("name", RIGS)
def test_every_animation_of_a_rig_comes_back(data: Path, tmp_path: Path, name: str) -> None:
    path = data / "rigs" / name
    for title, _ in gltf.animations(path):
        motion = load(path, animation=title)
        save(motion, tmp_path / "again.glb")
        back = load(tmp_path / "again.glb")
        assert back.skeleton.names == motion.skeleton.names
        assert (back.name, back.fps, len(back)) == (motion.name, motion.fps, len(motion))
        assert np.array_equal(back.skeleton.rest_rotations, motion.skeleton.rest_rotations)
        ours, theirs = motion.world(), back.world()
        assert np.abs(ours[0] - theirs[0]).max() < TENTH_OF_A_MILLIMETRE, title
        if motion.body is not None and back.body is not None:
            f = len(motion) // 2
            skin = motion.body.posed(ours[0][f], ours[1][f])
            again = back.body.posed(theirs[0][f], theirs[1][f])
            assert np.abs(skin - again).max() < TENTH_OF_A_MILLIMETRE, title


@pytest.mark.parametrize("name", RIGS)
def test_other_programs_see_the_same_skin(data: Path, tmp_path: Path, name: str) -> None:
    motion = load(data / "rigs" / name)
    save(motion, tmp_path / "again.glb")
    judge = Judge(tmp_path / "again.glb")
    judge.check_structure()
    positions, turns = motion.world()
    body = motion.body or capsule_body(motion.skeleton)
    for f in (0, len(motion) // 2):
        nodes = {node.name: world[:3, 3] for node, world in zip(judge.file.nodes, judge.worlds(f), strict=True)}
        for joint, position in zip(motion.skeleton.names, positions[f], strict=True):
            if joint in nodes:
                assert np.abs(nodes[joint] - position).max() < TENTH_OF_A_MILLIMETRE * max(1.0, largest(body) / 10)
        # The abdomen of the spider is smaller in its nodes than where it was bound, and a body has no scales.
        # The crab has vertices without weights.
        if name not in ("quaternius_Spider.glb", "quaternius_Crab.glb"):
            error = np.abs(judge.skinned(f) - body.posed(positions[f], turns[f])).max()
            assert error < 1e-4 * largest(body)


def test_a_rig_in_centimetres_is_brought_to_metres(data: Path, tmp_path: Path) -> None:
    fox = load(data / "rigs" / "khronos_Fox.glb", unit="cm")
    assert fox.body is not None
    assert np.ptp(fox.body.vertices[:, 1]) == pytest.approx(0.79, abs=0.01)
    save(fox, tmp_path / "fox.glb")
    back = load(tmp_path / "fox.glb")
    assert np.abs(back.joint_positions() - fox.joint_positions()).max() < TENTH_OF_A_MILLIMETRE
    raw = load(data / "rigs" / "khronos_Fox.glb")
    assert any("unit='cm'" in note for note in raw.notes)


def test_bound_poses_are_symmetric_where_node_poses_are_not(data: Path) -> None:
    for name in ("quaternius_Velociraptor.glb", "quaternius_Wolf.glb"):
        skeleton = load(data / "rigs" / name).skeleton
        rest = skeleton.rest_pose()[0]
        pairs = [(j, skeleton.names.index(n[:-2] + ".R")) for j, n in enumerate(skeleton.names)
                 if n.endswith(".L") and n[:-2] + ".R" in skeleton.names]  # fmt: skip
        left, right = rest[[a for a, _ in pairs]], rest[[b for _, b in pairs]]
        error = np.abs(left - right * [-1.0, 1.0, 1.0]).max()
        assert len(pairs) > 5
        assert error < 0.02 * np.ptp(rest, axis=0).max()
