"""Bark and leaves: they follow their branches here, in glTF and in USD."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygltflib
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.modal.trees import Forest, Species
from locomote.modal.trees._skin import skeleton_of, skin_of

BIRCH = Species.grow("birch", 70, modes=12)


def swayed() -> tuple[lm.Motion, np.ndarray]:
    """A tree of another size, turned, on a hill, in a gale; and its nodes in the last frame."""
    forest = Forest(BIRCH, [(3.0, 2.0, -1.0)], sizes=1.3, headings=0.8)
    (motion,) = forest.record(1.5, 20.0, (14.0, 0.0, 3.0))
    return motion, forest.nodes()[0]


def test_a_recorded_tree_has_its_nodes_where_the_forest_has_them() -> None:
    motion, nodes = swayed()
    starts = motion.joint_positions()[-1]
    np.testing.assert_allclose(starts[1:], nodes[BIRCH.parents[1:]], atol=2e-5)
    np.testing.assert_allclose(motion.end_positions()[-1], nodes[BIRCH.tips], atol=2e-5)
    assert np.abs(nodes[BIRCH.top] - motion.end_positions()[0][np.searchsorted(BIRCH.tips, BIRCH.top)]).max() > 0.3


@pytest.mark.feature("WND-11")
def test_leaves_follow_their_branch_rigidly() -> None:
    motion, nodes = swayed()
    body = motion.body
    assert body is not None
    assert body.colours is not None
    vertices = body.posed(*(each[-1] for each in motion.world()))
    leaves = np.flatnonzero(body.colours[:, 1] > 1.15 * body.colours[:, 0])
    assert len(leaves) > 200
    assert np.all(body.weights[leaves, 0] == 1.0)
    corners, rest = vertices[leaves].reshape(-1, 4, 3), body.vertices[leaves].reshape(-1, 4, 3)
    for one in range(4):
        for other in range(one):
            now, then = (np.linalg.norm(each[:, one] - each[:, other], axis=1) for each in (corners, rest))
            np.testing.assert_allclose(now, then, rtol=1e-9)
    # The reference: a leaf is turned as the branch under it, which goes from one node of the forest to the next.
    branch = body.joints[leaves[::4], 0]
    old = 1.3 * (BIRCH.nodes[branch] - BIRCH.nodes[BIRCH.parents[branch]])
    new = nodes[branch] - nodes[BIRCH.parents[branch]]
    start_then, start_now = 1.3 * BIRCH.nodes[BIRCH.parents[branch]], nodes[BIRCH.parents[branch]]
    # It is the branch that the leaf grows on: its foot lies on it.
    foot = rest[:, 0] - start_then
    assert np.linalg.norm(np.cross(foot, old), axis=1).max() < 1e-9
    assert np.all(np.sum(foot * old, axis=1) > 0.0)
    for corner in range(4):
        then, now = rest[:, corner] - start_then, corners[:, corner] - start_now
        along_then = np.sum(then * old, axis=1) / np.linalg.norm(old, axis=1)
        along_now = np.sum(now * new, axis=1) / np.linalg.norm(new, axis=1)
        np.testing.assert_allclose(along_now, along_then, atol=1e-4)
        np.testing.assert_allclose(np.linalg.norm(now, axis=1), np.linalg.norm(then, axis=1), atol=1e-4)


def skinned_by_hand(path: Path) -> np.ndarray:
    """The vertices of the last key of a .glb, from its raw arrays by matrices, without any of our readers."""
    file = pygltflib.GLTF2().load(str(path))
    blob = file.binary_blob()
    kinds, widths = {5126: "<f4", 5121: "u1", 5123: "<u2"}, {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def values(index: int) -> np.ndarray:
        accessor = file.accessors[index]
        view = file.bufferViews[accessor.bufferView]
        width, kind = widths[accessor.type], np.dtype(kinds[accessor.componentType])
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        flat = np.frombuffer(blob, kind, accessor.count * width, start)
        return flat.reshape(accessor.count, width).astype(float)

    nodes = file.nodes
    translations = {n: node.translation for n, node in enumerate(nodes) if node.translation}
    turns = {n: node.rotation for n, node in enumerate(nodes) if node.rotation}
    for channel in file.animations[0].channels:
        last = values(file.animations[0].samplers[channel.sampler].output)[-1].tolist()
        (translations if channel.target.path == "translation" else turns)[channel.target.node] = last
    world: dict[int, np.ndarray] = {}

    def place(n: int, above: np.ndarray) -> None:
        matrix = np.eye(4)
        x, y, z, w = turns.get(n, (0.0, 0.0, 0.0, 1.0))
        matrix[:3, :3] = rot.to_matrix([w, x, y, z])
        matrix[:3, 3] = translations.get(n, (0.0, 0.0, 0.0))
        world[n] = above @ matrix
        for child in nodes[n].children or []:
            place(child, world[n])

    for n in file.scenes[0].nodes:
        place(n, np.eye(4))
    skin, primitive = file.skins[0], file.meshes[0].primitives[0]
    inverse = values(skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    joints = np.array([world[n] @ inverse[j] for j, n in enumerate(skin.joints)])
    places = values(primitive.attributes.POSITION)
    vertices = np.column_stack([places, np.ones(len(places))])
    which, weights = values(primitive.attributes.JOINTS_0).astype(int), values(primitive.attributes.WEIGHTS_0)
    return np.einsum("vk,vkij,vj->vi", weights, joints[which], vertices)[:, :3]


@pytest.mark.feature("WND-11")
def test_a_glb_shows_the_same_vertices(tmp_path: Path) -> None:
    motion, _ = swayed()
    lm.save(motion, tmp_path / "birch.glb")
    assert motion.body is not None
    here = motion.body.posed(*(each[-1] for each in motion.world()))
    np.testing.assert_allclose(skinned_by_hand(tmp_path / "birch.glb"), here, atol=1e-4)
    file = pygltflib.GLTF2().load(str(tmp_path / "birch.glb"))
    assert file.meshes[0].primitives[0].attributes.COLOR_0 is not None
    assert file.materials[0].doubleSided


def test_usd_and_native_files_keep_colours(tmp_path: Path) -> None:
    motion, _ = swayed()
    lm.save(motion, tmp_path / "birch.npz")
    back = lm.load(tmp_path / "birch.npz")
    assert back.body is not None
    assert motion.body is not None
    np.testing.assert_array_equal(back.body.colours, motion.body.colours)
    usd = pytest.importorskip("pxr.Usd")
    from pxr import UsdGeom

    lm.save(motion, tmp_path / "birch.usda")
    stage = usd.Stage.Open(str(tmp_path / "birch.usda"))
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    colours = np.array(meshes[0].GetDisplayColorPrimvar().Get())
    np.testing.assert_allclose(colours, motion.body.colours, atol=1e-6)
    np.testing.assert_allclose(lm.load(tmp_path / "birch.usda").joint_positions(), motion.joint_positions(), atol=1e-4)


def test_bark_closes_without_gaps_where_a_branch_goes_on() -> None:
    body = skin_of(BIRCH)
    assert len(skeleton_of(BIRCH)) == len(BIRCH)
    assert np.all(body.triangles < len(body.vertices))
    np.testing.assert_allclose(body.weights.sum(axis=1), 1.0)
    plain = skin_of(Species.from_skeleton([[0, 0, 0], [0, 1, 0], [0, 2, 0]], [-1, 0, 1], [0.1, 0.1, 0.05], modes=2))
    ends = plain.vertices[np.isclose(plain.vertices[:, 1], 1.0)]
    assert len(ends) == 12  # both rings between two branches, at the same six places
    assert len(np.unique(np.round(ends, 9), axis=0)) == 6


def test_a_picture_of_a_tree_is_green_and_brown() -> None:
    motion, _ = swayed()
    picture = np.asarray(lm.draw.frame(motion, -1, size=(200, 200))).astype(int)
    green = (picture[..., 1] > picture[..., 0] + 15) & (picture[..., 1] > picture[..., 2] + 15)
    assert green.sum() > 200


def test_a_recording_that_makes_no_sense_is_refused() -> None:
    for seconds, fps in ((0.0, 30.0), (1.0, 0.0), (float("nan"), 30.0)):
        with pytest.raises(LocomoteError, match="record"):
            Forest(BIRCH).record(seconds, fps)
