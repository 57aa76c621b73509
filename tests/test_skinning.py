"""Linear blend skinning of the final skeleton against two references: matrices by hand, and the file's own law."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures import Crowd
from locomote.skeleton import Skeleton

pygltflib = pytest.importorskip("pygltflib")


def sleeve() -> tuple[Skeleton, Body]:
    """Three bones in a line that is bound bent and turned, and twelve vertices on up to four joints each."""
    offsets = np.array([[0.1, 0.9, -0.2], [0.0, 0.4, 0.0], [0.05, 0.35, 0.0], [0.0, 0.3, 0.1]])
    rest = rot.exp(np.array([[0.2, 0.5, 0.0], [0.4, 0.0, 0.1], [0.0, -0.3, 0.2], [0.1, 0.1, 0.1]]))
    skeleton = Skeleton(("root", "one", "two", "three"), np.arange(4) - 1, offsets, rest_rotations=rest)
    positions, turns = skeleton.rest_pose()
    random = np.random.default_rng(4)
    joints = np.tile(np.arange(4), (12, 1))
    weights = random.dirichlet(np.ones(4), 12)
    weights[0], weights[1] = [1.0, 0.0, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0]
    vertices = positions[random.integers(0, 4, 12)] + 0.1 * random.normal(size=(12, 3))
    triangles = np.array([[k, (k + 1) % 12, (k + 5) % 12] for k in range(12)])
    return skeleton, Body(vertices, triangles, joints, weights, positions, turns)


def matrix(position: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The matrix (4, 4) of a place and a quaternion (w, x, y, z), from the definition of the latter."""
    w, x, y, z = turn
    out = np.eye(4)
    out[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    out[:3, 3] = position
    return out


def by_matrices(body: Body, positions: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Every vertex by its sum of matrices: pose times inverse of bind."""
    moves = [
        matrix(p, q) @ np.linalg.inv(matrix(bp, bq))
        for p, q, bp, bq in zip(positions, turns, body.bind_positions, body.bind_rotations, strict=True)
    ]
    out = []
    for vertex, joints, weights in zip(body.vertices, body.joints, body.weights, strict=True):
        blend = sum(w * moves[j] for j, w in zip(joints, weights, strict=True))
        out.append((blend @ np.append(vertex, 1.0))[:3])
    return np.array(out)


def numbers(gltf: object, index: int) -> np.ndarray:
    """The numbers of an accessor, read from the bytes of a binary file."""
    accessor = gltf.accessors[index]  # type: ignore[attr-defined]
    view = gltf.bufferViews[accessor.bufferView]  # type: ignore[attr-defined]
    code = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor.componentType]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
    size = struct.calcsize(code) * width
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    blob = gltf.binary_blob()  # type: ignore[attr-defined]
    rows = [
        struct.unpack_from(f"<{width}{code}", blob, start + k * (view.byteStride or size))
        for k in range(accessor.count)
    ]
    return np.array(rows, dtype=np.float64)


def by_file(path: Path, frame: int) -> np.ndarray:
    """A frame of a binary glTF by the law of its standard: the sum of joint matrices times inverse bind matrices."""
    gltf = pygltflib.GLTF2().load(str(path))
    local: dict[int, dict[str, np.ndarray]] = {}
    for n, node in enumerate(gltf.nodes):
        local[n] = {
            "translation": np.array(node.translation or [0.0, 0.0, 0.0]),
            "rotation": np.array(node.rotation or [0.0, 0.0, 0.0, 1.0]),
        }
    animation = gltf.animations[0]
    for channel in animation.channels:
        values = numbers(gltf, animation.samplers[channel.sampler].output)
        local[channel.target.node][channel.target.path] = values[min(frame, len(values) - 1)]
    parents = {child: n for n, node in enumerate(gltf.nodes) for child in node.children or []}

    def world(n: int) -> np.ndarray:
        x, y, z, w = local[n]["rotation"]
        own = matrix(local[n]["translation"], np.array([w, x, y, z]))
        return world(parents[n]) @ own if n in parents else own

    skinned = next(node for node in gltf.nodes if node.skin is not None)
    skin, part = gltf.skins[skinned.skin], gltf.meshes[skinned.mesh].primitives[0]
    inverse = numbers(gltf, skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
    moves = [world(n) @ m for n, m in zip(skin.joints, inverse, strict=True)]
    vertices = numbers(gltf, part.attributes.POSITION)
    joints = numbers(gltf, part.attributes.JOINTS_0).astype(int)
    weights = numbers(gltf, part.attributes.WEIGHTS_0)
    out = []
    for vertex, js, ws in zip(vertices, joints, weights, strict=True):
        blend = sum(w * moves[j] for j, w in zip(js, ws, strict=True))
        out.append((blend @ np.append(vertex, 1.0))[:3])
    return np.array(out)


@pytest.mark.feature("LEG-61")
def test_a_small_mesh_moves_as_the_matrices_say() -> None:
    skeleton, body = sleeve()
    random = np.random.default_rng(9)
    turns = rot.exp(0.8 * random.normal(size=(20, 4, 3)))
    motion = lm.Motion(skeleton, 30.0, random.normal(size=(20, 3)), turns, body=body)
    positions, world = motion.world()
    for frame in range(20):
        ours = body.posed(positions[frame], world[frame])
        assert np.max(np.abs(ours - by_matrices(body, positions[frame], world[frame]))) < 1e-12


@pytest.mark.feature("LEG-61")
def test_a_small_mesh_moves_as_the_law_of_the_file_it_is_written_to(tmp_path: Path) -> None:
    skeleton, body = sleeve()
    random = np.random.default_rng(10)
    turns = rot.exp(0.6 * random.normal(size=(8, 4, 3)))
    motion = lm.Motion(skeleton, 30.0, random.normal(size=(8, 3)), turns, body=body)
    lm.save(motion, tmp_path / "sleeve.glb")
    positions, world = motion.world()
    for frame in range(8):
        ours = body.posed(positions[frame], world[frame])
        theirs = by_file(tmp_path / "sleeve.glb", frame)
        assert np.max(np.abs(np.sort(ours, axis=0) - np.sort(theirs, axis=0))) < 1e-5  # single precision


@pytest.mark.feature("LEG-61")
def test_the_skin_of_a_creature_follows_its_final_skeleton_with_all_that_swings() -> None:
    crowd = Crowd("wolf", speed=6.0)
    motion = crowd.record(0.5)
    body = motion.body
    assert body is not None
    positions, world = motion.world()
    ours = body.posed(positions[-1], world[-1])
    chosen = np.arange(0, len(body.vertices), 17)
    few = Body(
        body.vertices[chosen],
        body.triangles[:0],
        body.joints[chosen],
        body.weights[chosen],
        body.bind_positions,
        body.bind_rotations,
    )
    assert np.max(np.abs(ours[chosen] - by_matrices(few, positions[-1], world[-1]))) < 1e-12
    tail = np.isin(body.joints[:, 0], crowd.appendages.joints)
    stiff = motion.rotations[-1:].copy()
    stiff[0, list(crowd.appendages.joints)] = motion.skeleton.rest_rotations[list(crowd.appendages.joints)]
    other = lm.Motion(motion.skeleton, 60.0, motion.root_positions[-1:], stiff).world()
    assert np.max(np.abs((ours - body.posed(other[0][0], other[1][0]))[tail])) > 0.05
