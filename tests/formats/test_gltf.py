from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import FormatError, LocomoteError
from locomote.formats import _gltf_sample, gltf, load, save
from locomote.motion import Motion
from locomote.skeleton import Skeleton
from tests.formats.gltf_files import Scene, arm, walker
from tests.formats.gltf_judge import Judge

TENTH_OF_A_MILLIMETRE = 1e-4
HALF = np.sqrt(0.5)


def same(a: Motion, b: Motion) -> None:
    """The same body in the same places."""
    assert a.skeleton.names == b.skeleton.names
    assert np.array_equal(a.skeleton.parents, b.skeleton.parents)
    assert np.array_equal(a.skeleton.offsets, b.skeleton.offsets)
    assert np.array_equal(a.skeleton.rest_rotations, b.skeleton.rest_rotations)
    assert np.array_equal(a.skeleton.end_parents, b.skeleton.end_parents)
    assert np.array_equal(a.skeleton.end_offsets, b.skeleton.end_offsets)
    assert (a.fps, len(a), a.name) == (b.fps, len(b), b.name)
    assert np.abs(a.joint_positions() - b.joint_positions()).max() < TENTH_OF_A_MILLIMETRE
    assert np.abs(a.end_positions() - b.end_positions()).max(initial=0.0) < TENTH_OF_A_MILLIMETRE


# --- there and back ---


@pytest.mark.parametrize("extension", [".glb", ".gltf", ".gltf.xz"])
@pytest.mark.parametrize("moving_joints", [False, True])
def test_a_motion_comes_back(tmp_path: Path, extension: str, moving_joints: bool) -> None:
    motion = walker(moving_joints=moving_joints)
    save(motion, tmp_path / f"walk{extension}")
    back = load(tmp_path / f"walk{extension}")
    same(motion, back)
    assert (back.translations is None) != moving_joints


@pytest.mark.parametrize("frames", [1, 2])
def test_very_short_motions_come_back(tmp_path: Path, frames: int) -> None:
    save(walker(frames=frames), tmp_path / "short.glb")
    same(walker(frames=frames), load(tmp_path / "short.glb"))


def test_an_odd_frame_rate_and_a_long_fast_way_come_back(tmp_path: Path) -> None:
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    count, fps = 9000, 59.94
    roots = np.zeros((count, 3))
    roots[:, 2] = np.linspace(-400.0, 400.0, count)
    motion = Motion(skeleton, fps, roots, rot.identity(count, 2), name="far")
    save(motion, tmp_path / "far.glb")
    same(motion, load(tmp_path / "far.glb"))


def test_other_programs_see_the_same_joints_and_a_skinned_body(tmp_path: Path) -> None:
    motion = walker(moving_joints=True)
    save(motion, tmp_path / "walk.glb")
    judge = Judge(tmp_path / "walk.glb")
    judge.check_structure()
    positions = motion.joint_positions()
    for frame in (0, 17, 39):
        seen = np.array([world[:3, 3] for world in judge.worlds(frame)[: len(motion.skeleton)]])
        assert np.abs(seen - positions[frame]).max() < TENTH_OF_A_MILLIMETRE
    rest = np.array([world[:3, 3] for world in judge.worlds()[: len(motion.skeleton)]])
    assert np.abs(rest - motion.skeleton.rest_pose()[0]).max() < TENTH_OF_A_MILLIMETRE
    assert [node.name for node in judge.file.nodes][:-1] == list(motion.skeleton.names)
    assert judge.file.asset.generator.startswith("locomote ")
    assert len(judge.file.skins[0].joints) == len(motion.skeleton)
    body = load(tmp_path / "walk.glb").body
    assert body is not None
    world = motion.world()
    for frame in (0, 39):
        posed = body.posed(world[0][frame], world[1][frame])
        assert np.abs(judge.skinned(frame) - posed).max() < TENTH_OF_A_MILLIMETRE


def test_trimesh_finds_the_body(tmp_path: Path) -> None:
    save(walker(), tmp_path / "walk.glb")
    scene = trimesh.load_scene(tmp_path / "walk.glb")
    (mesh,) = scene.geometry.values()
    assert len(mesh.faces) > 100
    assert mesh.is_watertight


def test_a_given_body_is_written_and_comes_back(tmp_path: Path) -> None:
    motion = walker()
    positions, turns = motion.skeleton.rest_pose()
    random = np.random.default_rng(0)
    body = Body(
        vertices=random.normal(size=(9, 3)),
        triangles=np.arange(9).reshape(3, 3),
        joints=np.array([[0, 1, 1, 2]] * 8 + [[3, 3, 3, 3]]),
        weights=np.array([[0.5, 0.2, 0.2, 0.1]] * 8 + [[0.25] * 4]),
        bind_positions=positions,
        bind_rotations=turns,
    )
    save(replace(motion, body=body), tmp_path / "body.glb")
    back = load(tmp_path / "body.glb").body
    assert back is not None
    frame = motion.world()[0][5], motion.world()[1][5]
    assert np.abs(back.posed(*frame) - body.posed(*frame)).max() < 1e-5
    assert np.array_equal(back.triangles, body.triangles)


def test_a_skeleton_of_many_joints_needs_wide_indices(tmp_path: Path) -> None:
    count = 300
    skeleton = Skeleton(
        tuple(f"j{j}" for j in range(count)), np.arange(count) - 1, np.tile([0.0, 0.1, 0.0], (count, 1))
    )
    motion = Motion(skeleton, 30, np.zeros((2, 3)), rot.identity(2, count), name="snake")
    save(motion, tmp_path / "snake.glb")
    same(motion, load(tmp_path / "snake.glb"))


# --- the original mesh ---


def pictured() -> Scene:
    scene = arm()
    scene.tree["materials"] = [{"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    scene.tree["textures"] = [{"source": 0}]
    scene.tree["images"] = [{"uri": "skin.png"}]
    scene.tree["meshes"][0]["primitives"][0]["material"] = 0
    return scene


def test_the_original_mesh_materials_and_pictures_are_kept(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "arm.gltf").write_bytes(pictured().text())
    (tmp_path / "in" / "skin.png").write_bytes(b"a picture")
    motion = load(tmp_path / "in" / "arm.gltf")
    swung = replace(motion, rotations=rot.multiply(motion.rotations, rot.from_yaw(0.4)), name="mine")
    save(swung, tmp_path / "out.glb")
    judge = Judge(tmp_path / "out.glb")
    judge.check_structure()
    assert [node.name for node in judge.file.nodes] == ["Armature", "upper", "lower", "lower_end", "mesh"]
    assert judge.file.materials[0].name == "skin"
    assert judge.file.animations[0].name == "mine"
    view = judge.file.bufferViews[judge.file.images[0].bufferView]
    assert judge.data[view.byteOffset : view.byteOffset + view.byteLength] == b"a picture"
    same(swung, load(tmp_path / "out.glb"))
    world = swung.world()
    assert swung.body is not None
    for frame in (0, 12, 24):
        posed = swung.body.posed(world[0][frame], world[1][frame])
        assert np.abs(judge.skinned(frame) - posed).max() < TENTH_OF_A_MILLIMETRE


def test_a_missing_picture_stays_a_reference(tmp_path: Path) -> None:
    (tmp_path / "arm.gltf").write_bytes(pictured().text())
    save(load(tmp_path / "arm.gltf"), tmp_path / "out.glb")
    assert Judge(tmp_path / "out.glb").file.images[0].uri == "skin.png"


def test_saving_again_and_again_does_not_grow_the_file(tmp_path: Path) -> None:
    (tmp_path / "0.gltf").write_bytes(arm().text())
    for i in range(3):
        save(load(tmp_path / (f"{i}.glb" if i else "0.gltf")), tmp_path / f"{i + 1}.glb")
    assert (tmp_path / "3.glb").stat().st_size == (tmp_path / "1.glb").stat().st_size


@pytest.mark.parametrize("scale", [[2, 2, 2], [-1, 1, 1], [1, -2, 1], [-3, -3, -3], [0, 0, 0], [1, 2, 3]], ids=str)
def test_scaled_and_mirrored_joints_keep_their_places(tmp_path: Path, scale: list[float]) -> None:
    scene = arm()
    scene.tree["nodes"][2]["scale"] = scale
    motion = scene.read()
    save(motion, tmp_path / "scaled.glb")
    back = load(tmp_path / "scaled.glb")
    assert np.abs(motion.joint_positions() - back.joint_positions()).max() < TENTH_OF_A_MILLIMETRE
    if 0 not in scale:
        assert rot.distance(motion.world()[1], back.world()[1]).max() < 1e-5


def test_a_changed_skeleton_is_written_without_the_original_file(tmp_path: Path) -> None:
    motion = arm().read()
    renamed = replace(motion, skeleton=replace(motion.skeleton, names=("a", "b", "c")))
    save(renamed, tmp_path / "new.glb")
    assert [node.name for node in Judge(tmp_path / "new.glb").file.nodes] == ["a", "b", "c", "body"]


def test_nodes_above_that_scale_to_nothing_cannot_be_written(tmp_path: Path) -> None:
    scene = arm()
    scene.tree["nodes"][0]["scale"] = [0, 0, 0]
    with pytest.raises(LocomoteError, match="scale the body to nothing"):
        save(scene.read(), tmp_path / "zero.glb")


# --- reading: skeleton ---


def test_scale_and_axes_above_the_body_are_folded_in() -> None:
    motion = arm().read()
    assert motion.skeleton.names == ("upper", "lower", "lower_end")
    rest = motion.skeleton.rest_pose()[0]
    assert np.allclose(rest, [[0, 1, 0], [0, 1.3, 0], [0, 1.5, 0]], atol=1e-6)
    # A quarter turn about the file's Y, which is the world's -Z, lays the last bone along X.
    assert np.allclose(motion.joint_positions()[-1, 2], [0.2, 1.3, 0], atol=1e-6)
    assert np.allclose(motion.joint_positions()[12, 2], [0.2 * HALF, 1.3 + 0.2 * HALF, 0], atol=1e-6)


def test_keys_of_evenly_scaled_nodes_are_taken_as_matrices_place_them(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(8)
    nodes: list[dict[str, object]] = [
        {
            "name": f"n{n}",
            "children": [n + 1] if n < 4 else [],
            "translation": random.normal(size=3).tolist(),
            "rotation": random.normal(size=4).tolist(),
            "scale": [scale] * 3,
        }
        for n, scale in enumerate((0.01, 3.0, 1.0, 0.5, 7.0))
    ]
    scene = Scene(nodes)
    times = [0.0, 0.5, 1.0]
    tracks = [(n, "rotation", times, random.normal(size=(3, 4))) for n in (0, 1, 2, 4)]
    tracks += [(n, "translation", times, random.normal(size=(3, 3))) for n in (0, 3)]
    scene.animate("all", *tracks, (3, "scale", times, [[4.0] * 3] * 3))
    scene.skin([2, 3, 4])
    scene.mesh([[0, 0, 0]], joints=[0])
    nodes[0]["mesh"] = nodes[0]["skin"] = 0
    taken = scene.read()
    monkeypatch.setattr(_gltf_sample, "_even_scale", lambda *_: None)  # every node by its matrices
    placed = scene.read()
    assert taken.translations is not None
    assert placed.translations is not None
    assert np.allclose(taken.translations, placed.translations, atol=1e-12)
    assert np.allclose(taken.rotations, placed.rotations, atol=1e-12)


def test_the_rest_pose_is_the_one_in_which_the_mesh_was_bound() -> None:
    bent, straight = arm(bind_is_rest=False).read(), arm().read()
    assert np.allclose(bent.skeleton.rest_pose()[0], straight.skeleton.rest_pose()[0], atol=1e-6)
    assert np.allclose(bent.joint_positions(), straight.joint_positions(), atol=1e-6)
    assert bent.body is not None
    assert np.allclose(bent.body.vertices, [[0, 1.0, 0], [0.1, 1.3, 0], [0, 1.5, 0]], atol=1e-6)


def test_a_matrix_is_read_like_its_parts() -> None:
    scene = arm()
    del scene.tree["nodes"][1]["translation"]
    scene.tree["nodes"][1]["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 100, 1]
    assert np.allclose(scene.read().joint_positions(), arm().read().joint_positions())


def test_names_are_made_where_they_lack_or_repeat() -> None:
    nodes = [{"children": [1, 2]}, {"name": "b", "children": [3]}, {"name": "b"}, {"name": "b"}]
    assert Scene(nodes).read().skeleton.names == ("node_0", "b", "b_2", "b_3")


def test_several_roots_get_one_above_them(tmp_path: Path) -> None:
    scene = Scene([{"name": "a", "translation": [1, 0, 0]}, {"name": "b", "translation": [2, 0, 0]}])
    scene.animate("go", (1, "translation", [0, 1], [[2, 0, 0], [2, 3, 0]]), (0, "scale", [0], [[1, 1, 1]]))
    motion = scene.read()
    assert motion.skeleton.names == ("root", "a", "b")
    assert np.allclose(motion.joint_positions()[-1], [[0, 0, 0], [1, 0, 0], [2, 3, 0]])


def test_without_a_skin_the_animated_tree_is_the_skeleton_and_meshes_follow_it(tmp_path: Path) -> None:
    scene = Scene(
        [
            {"name": "room", "children": [1, 3]},
            {"name": "body", "children": [2]},
            {"name": "leg", "mesh": 0, "translation": [0, 1, 0]},
            {"name": "lamp"},
        ]
    )
    scene.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    scene.animate("go", (1, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]]))
    motion = scene.read()
    assert motion.skeleton.names == ("body", "leg")
    assert motion.body is not None
    assert np.allclose(motion.body.vertices[0], [0, 1, 0])
    save(motion, tmp_path / "rigid.glb")
    assert len(Judge(tmp_path / "rigid.glb").file.nodes) == 4
    same(motion, load(tmp_path / "rigid.glb"))


def test_meshes_below_joints_are_no_joints() -> None:
    scene = arm()
    scene.tree["nodes"].append({"name": "sword", "mesh": 0})
    scene.tree["nodes"][2]["children"].append(5)
    motion = scene.read()
    assert "sword" not in motion.skeleton.names
    assert motion.body is not None
    assert len(motion.body.vertices) == 6


def test_a_file_without_animation_is_one_frame() -> None:
    scene = arm(bind_is_rest=False)
    del scene.tree["animations"]
    motion = scene.read()
    assert len(motion) == 1
    assert np.allclose(motion.joint_positions()[0, 2], [0.2, 1.3, 0], atol=1e-6)


def test_the_unit_makes_metres_of_other_files(tmp_path: Path) -> None:
    metres, centimetres = arm().read(), arm().read(unit="cm")
    assert np.allclose(0.01 * metres.joint_positions(), centimetres.joint_positions())
    assert metres.body is not None
    assert centimetres.body is not None
    assert np.allclose(0.01 * metres.body.vertices, centimetres.body.vertices)
    save(centimetres, tmp_path / "small.glb")
    same(centimetres, load(tmp_path / "small.glb"))


def test_a_huge_body_is_remarked_upon() -> None:
    assert any("unit='cm'" in note for note in arm().read(unit=100.0).notes)


# --- reading: animations ---


def test_animations_are_listed_and_chosen_by_name_or_index(tmp_path: Path) -> None:
    (tmp_path / "arm.gltf").write_bytes(arm().text())
    assert gltf.animations(tmp_path / "arm.gltf") == [("wave", 1.0), ("still", 0.5)]
    assert load(tmp_path / "arm.gltf").name == "wave"
    assert load(tmp_path / "arm.gltf").notes == ("other animations: still",)
    for choice in ("still", 1, "1"):
        assert load(tmp_path / "arm.gltf", animation=choice).name == "still"
    for wrong in ("run", 2, -1, "²"):
        with pytest.raises(LocomoteError, match="0 wave, 1 still"):
            load(tmp_path / "arm.gltf", animation=wrong)


def slide(times: list[float], values: object, mode: str = "LINEAR") -> Scene:
    scene = Scene([{"name": "a"}])
    scene.animate("slide", (0, "translation", times, values), mode=mode)
    return scene


@pytest.mark.parametrize(
    ("times", "fps"),
    [
        (np.arange(9) / 24, 24.0),
        (np.arange(9) / 120, 120.0),
        (0.5 + np.arange(9) / 30, 30.0),
        ([0.0, 0.5, 2.0], 24.0),
        ([0.0, 0.04, 0.2], 25.0),
        (np.arange(9) / 33.0, 33.0),
        ([0.0, 1 / 24, 2 / 24, 3 / 24, 0.13], 24.0),
        ([0.0, 7.1234], 30.0),
        ([1.0], 30.0),
    ],
)
def test_the_frame_rate_is_found_from_the_keys(times: list[float], fps: float) -> None:
    assert slide(times, np.zeros((len(times), 3))).read().fps == pytest.approx(fps, rel=1e-4)


def test_the_frame_rate_can_be_given() -> None:
    motion = slide([0, 1], [[0, 0, 0], [1, 0, 0]]).read(fps=10)
    assert np.allclose(motion.root_positions[:, 0], np.linspace(0, 1, 11))
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(LocomoteError, match="fps"):
            slide([0], [[0, 0, 0]]).read(fps=wrong)


def test_steps_hold_and_splines_follow_their_tangents() -> None:
    stepped = slide([0, 1], [[0, 0, 0], [1, 0, 0]], "STEP").read(fps=4)
    assert stepped.root_positions[:, 0].tolist() == [0, 0, 0, 0, 1]
    cubic = slide([0, 2], [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 0]], "CUBICSPLINE")
    assert np.allclose(cubic.read(fps=4).root_positions[:, 0], np.linspace(0, 2, 9))
    one = slide([0], [[9, 0, 0], [5, 0, 0], [9, 0, 0]], "CUBICSPLINE").read()
    assert one.root_positions.tolist() == [[5, 0, 0]]


def test_rotations_take_the_short_way() -> None:
    scene = Scene([{"name": "a"}])
    scene.animate("turn", (0, "rotation", [0, 1], [[0, 0, 0, 2], [0, -HALF, 0, -HALF]]))
    turned = rot.yaw(scene.read(fps=2).rotations[:, 0])
    assert np.allclose(turned, [0, np.pi / 4, np.pi / 2], atol=1e-6)


def test_whole_numbers_can_stand_for_fractions() -> None:
    scene = Scene([{"name": "a"}])
    values = scene.array([[0, 0, 0, 32767], [0, 32767, 0, -32768]], "int16", normalized=True)
    scene.animate("turn", (0, "rotation", [0, 1], values))
    assert np.allclose(rot.to_matrix(scene.read(fps=1).rotations[1, 0])[0, 2], -1.0, atol=1e-4)


def test_sparse_accessors_patch_their_base_or_zeros() -> None:
    for base in (True, False):
        scene = Scene([{"name": "a"}])
        values = scene.array(np.ones((3, 3)))
        indices, new = scene.array([2], "uint8"), scene.array([[7, 8, 9]])
        views = [scene.tree["accessors"][a]["bufferView"] for a in (indices, new)]
        scene.tree["accessors"][values]["sparse"] = {
            "count": 1,
            "indices": {"bufferView": views[0], "componentType": 5121},
            "values": {"bufferView": views[1]},
        }
        if not base:
            del scene.tree["accessors"][values]["bufferView"]
        scene.animate("go", (0, "translation", [0, 1, 2], values))
        first = [1, 1, 1] if base else [0, 0, 0]
        assert scene.read(fps=1).root_positions.tolist() == [first, first, [7, 8, 9]]


def test_interleaved_vertices_are_read_with_their_stride() -> None:
    scene = Scene([{"name": "a"}])
    values = scene.array([[1, 2, 3, 0], [4, 5, 6, 0]])
    scene.tree["accessors"][values].update(type="VEC3")
    scene.tree["bufferViews"][-1]["byteStride"] = 16
    scene.animate("go", (0, "translation", [0, 1], values))
    assert scene.read(fps=1).root_positions.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("mode", "triangles"),
    [(4, [[0, 1, 2]]), (5, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]), (6, [[1, 2, 0], [2, 3, 0], [3, 4, 0]])],
)
@pytest.mark.parametrize("indexed", [True, False])
def test_strips_and_fans_become_triangles(mode: int, triangles: list[list[int]], indexed: bool) -> None:
    scene = Scene([{"name": "a", "mesh": 0}])
    more = {"indices": scene.array(np.arange(5), "uint16")} if indexed else {}
    scene.mesh(np.arange(15.0).reshape(5, 3), mode=mode, **more)
    body = scene.read().body
    assert body is not None
    assert body.triangles.tolist() == triangles


def test_lines_and_points_are_no_body() -> None:
    scene = Scene([{"name": "a", "mesh": 0}])
    scene.mesh(np.zeros((4, 3)), mode=1)
    assert scene.read().body is None


# --- files beside the file ---


def test_a_buffer_beside_the_file_is_read(tmp_path: Path) -> None:
    scene = arm()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arm 1.bin").write_bytes(scene.data)
    (tmp_path / "arm.gltf").write_bytes(scene.text("data/arm%201.bin"))
    same(load(tmp_path / "arm.gltf"), arm().read())


@pytest.mark.parametrize(
    "uri",
    ["../secret.bin", "a/../../secret.bin", "/etc/hostname", "file:///etc/hostname", "http://host/x", "C:\\x",
     "%2e%2e/secret.bin", "..\\secret.bin", "", ".", "a\0b", "link/secret.bin", "n" * 3000],
)  # fmt: skip
def test_files_elsewhere_are_refused(tmp_path: Path, uri: str) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(10_000))
    (tmp_path / "in").mkdir()
    os.symlink(tmp_path, tmp_path / "in" / "link")
    scene = arm()
    scene.text()
    scene.tree["buffers"][0]["uri"] = uri
    (tmp_path / "in" / "arm.gltf").write_bytes(json.dumps(scene.tree).encode())
    with pytest.raises(FormatError, match=r"buffers\[0\]"):
        load(tmp_path / "in" / "arm.gltf")


# --- what is wrong, and where ---


def broken(change: str, value: object) -> Scene:
    """The arm with one member replaced, named like ``nodes.2.rotation``."""
    scene = arm()
    *path, last = [int(part) if part.isdigit() else part for part in change.split(".")]
    item = scene.tree
    for part in path:
        item = item[part]
    item[last] = value
    return scene


@pytest.mark.parametrize(
    ("change", "value", "place"),
    [
        ("asset.version", "1.0", "asset.version"),
        ("nodes.3.children", [1], r"nodes\[3\]"),
        ("nodes.0.children", [0], r"nodes\[0\]"),
        ("nodes.2.children", [99], r"nodes\[2\]"),
        ("nodes.2.rotation", [0, 0, 1], r"nodes\[2\]"),
        ("nodes.2.translation", [0, 0, float("inf")], r"nodes\[2\]"),
        ("nodes.2.scale", [1e38, "x", 1], r"nodes\[2\]"),
        ("nodes", {}, "nodes"),
        ("nodes", [], r"animations\[0\].channels\[0\]"),
        ("skins.0.joints", [], r"skins\[0\]"),
        ("skins.0.joints", [1, 2, 3], r"skins\[0\]"),
        ("accessors.0.count", -1, r"accessors\[0\]"),
        ("accessors.0.count", 10**12, r"accessors\[0\]"),
        ("accessors.0.componentType", 5124, r"accessors\[0\]"),
        ("accessors.1.type", "VEC2", r"accessors\[1\]"),
        ("accessors.1.byteOffset", 8, r"accessors\[1\]"),
        ("bufferViews.1.byteLength", 10**9, r"bufferViews\[1\]"),
        ("bufferViews.1.buffer", 1, r"bufferViews\[1\]"),
        ("bufferViews.1.byteStride", 4, r"bufferViews\[1\]"),
        ("meshes.0.primitives.0.attributes.POSITION", True, r"meshes\[0\].primitives\[0\]"),
        ("animations.0.samplers.0.interpolation", "MAGIC", r"animations\[0\].samplers\[0\]"),
        ("animations.0.samplers.0.output", 1, r"accessors\[1\]"),
        ("animations.0.channels.0.sampler", 7, r"animations\[0\].channels\[0\]"),
        ("extensionsRequired", ["KHR_draco_mesh_compression"], "extensionsRequired"),
    ],
)  # fmt: skip
def test_errors_name_the_place(change: str, value: object, place: str) -> None:
    with pytest.raises(FormatError, match=rf"^scene\.gltf, {place}"):
        broken(change, value).read()


def test_an_endless_accessor_without_data_is_refused() -> None:
    scene = broken("accessors.0.count", 10**9)
    del scene.tree["accessors"][0]["bufferView"]
    with pytest.raises(FormatError, match="too many"):
        scene.read()


def test_an_animation_of_a_thousand_years_is_refused() -> None:
    with pytest.raises(FormatError, match="too much to hold"):
        slide([0, 3e10], np.zeros((2, 3))).read()


def test_a_chain_of_thousands_of_nodes_is_read() -> None:
    count = 3000
    nodes = [{"children": [n + 1], "translation": [0, 0.001, 0]} for n in range(count - 1)] + [{}]
    assert len(Scene(nodes).read().skeleton) == count
