"""glTF skins: the pose in which a mesh was bound to its joints, and the mesh itself as a `Body`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.body import Body
from locomote.formats._gltf_document import Array, Document, Json
from locomote.formats._gltf_matrix import world_rotation
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_SAME_PLACE = 1e-3  # relative; joints that agree this well on where the mesh stands have not moved since binding
_SAME_SCALE = 0.02  # relative; a node that is scaled otherwise than the joints does not say where the mesh stood
_MOST_TILT = 0.7  # of a unit vector, some forty degrees; nor does one that half of the joints contradict so much
_TRIANGLES, _STRIP, _FAN = 4, 5, 6  # primitive modes that have a surface


@dataclass(frozen=True, eq=False)
class Skin:
    """The joints of one skin and, for each, the matrix from the mesh to the joint when it was bound."""

    joints: list[int]  # nodes
    inverse_bind: FloatArray | None  # (S, 4, 4)


def read_skins(document: Document) -> list[Skin]:
    """All skins of a file."""
    skins = []
    for s, item in enumerate(document.items("skins")):
        place = f"skins[{s}]"
        joints = document.indices(item, "joints", place, "nodes")
        if not joints:
            raise document.error(place, "it has no joints")
        matrices = None
        if "inverseBindMatrices" in item:
            a = document.index(item, "inverseBindMatrices", place, "accessors")
            matrices = document.accessor(a, ["MAT4"]).astype(np.float64)
            if len(matrices) < len(joints):
                raise document.error(place, f"{len(joints)} joints have {len(matrices)} inverseBindMatrices")
            matrices = matrices[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        skins.append(Skin(joints, matrices))
    return skins


def bind_worlds(document: Document, skins: list[Skin], nodes: list[int], rest: FloatArray) -> FloatArray:
    """World matrices ``(N, 4, 4)`` of all nodes in the pose in which the meshes were bound.

    The pose that a file gives its nodes is often a frame of some animation instead. Nodes outside the skins
    keep their place against their parent; ``nodes`` says which ones matter, parents first.
    """
    bound: dict[int, FloatArray] = {}
    for s, skin in enumerate(skins):
        if skin.inverse_bind is None:
            continue
        usable = np.abs(np.linalg.det(skin.inverse_bind)) > 1e-30
        mesh = _mesh_world(document, s, skin, rest, usable)
        for j, node in enumerate(skin.joints):
            if usable[j]:
                bound.setdefault(node, mesh @ np.linalg.inv(skin.inverse_bind[j]))
    worlds = rest.copy()
    for node in nodes:
        parent = document.parents[node]
        if node in bound:
            worlds[node] = bound[node]
        elif parent >= 0:
            worlds[node] = worlds[parent] @ document.node_matrices[node]
    return worlds


def _mesh_world(document: Document, s: int, skin: Skin, rest: FloatArray, usable: np.ndarray) -> FloatArray:
    """Where the mesh of a skin stood in the world when it was bound.

    The transform of the node that holds a skinned mesh means nothing (glTF 2.0, 3.7.3.3): often it is scaled or
    turned where the joints are not. So the joints decide, and nodes are only asked which of them say the same.
    """
    assert skin.inverse_bind is not None
    # In the bind pose every joint agrees on this. If they do so now, then the file's pose is the bind pose.
    said: FloatArray = (rest[skin.joints] @ skin.inverse_bind)[usable]
    if not len(said):
        return np.eye(4)
    first: FloatArray = said[0]
    if np.ptp(said, axis=0).max() <= _SAME_PLACE * np.abs(said).max():
        return first
    scale = float(np.median(np.cbrt(np.abs(np.linalg.det(said[:, :3, :3])))))
    above = document.parents[min(skin.joints, key=lambda n: len(document.ancestors(n)))]
    holders = [n for n, node in enumerate(document.items("nodes")) if "mesh" in node and node.get("skin") == s]
    near = [n for n in (above, *holders, *(document.parents[n] for n in holders)) if n >= 0]
    for choice, most in (([*rest[near], np.eye(4)], _MOST_TILT), (list(said), np.inf)):
        sizes = [abs(np.cbrt(abs(np.linalg.det(one[:3, :3]))) - scale) for one in choice]
        tilts = {
            i: float(np.median(np.linalg.norm(_up_inside(one) - _up_inside(said), axis=-1)))
            for i, (one, size) in enumerate(zip(choice, sizes, strict=True))
            if size <= _SAME_SCALE * scale
        }
        if tilts and min(tilts.values()) < most:
            best: FloatArray = choice[min(tilts, key=tilts.__getitem__)]
            return best
    return first


def _up_inside(worlds: FloatArray) -> FloatArray:
    """The direction ``(..., 3)`` in a mesh's space that points up in the world; heading and place do not matter."""
    rows = worlds[..., 1, :3]
    out: FloatArray = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-300)
    return out


def read_body(
    document: Document, skins: list[Skin], joint_of: dict[int, int], rest: FloatArray, bind: FloatArray
) -> Body | None:
    """All meshes that hang on the joints, skinned or rigid, as one body; `None` where there is no triangle.

    ``joint_of`` gives the joint index of a node; ``rest`` and ``bind`` are world matrices of all nodes.
    """
    parts = []
    for n, node in enumerate(document.items("nodes")):
        if "mesh" not in node:
            continue
        mesh = document.items("meshes")[document.index(node, "mesh", f"nodes[{n}]", "meshes")]
        place = f"meshes[{node['mesh']}]"
        for p, primitive in enumerate(document.list_of(mesh, "primitives", place)):
            spot = f"{place}.primitives[{p}]"
            triangles = _triangles(document, primitive, spot)
            if triangles is None:
                continue
            points = _attribute(document, primitive, "POSITION", "VEC3", spot)
            if triangles.size and triangles.max() >= len(points):
                raise document.error(spot, f"an index exceeds its {len(points)} vertices")
            if "skin" in node:
                skin = skins[document.index(node, "skin", f"nodes[{n}]", "skins")]
                parts.append((triangles, *_skinned(document, primitive, points, skin, joint_of, bind, spot)))
            else:
                holder = next((k for k in document.ancestors(n) if k in joint_of), None)
                if holder is not None:
                    parts.append((triangles, *_rigid(points, n, holder, joint_of, rest, bind)))
    if not sum(len(part[0]) for part in parts):
        return None
    starts = np.cumsum([0] + [len(part[1]) for part in parts[:-1]])
    at = sorted(joint_of, key=lambda node: joint_of[node])
    return Body(
        vertices=np.concatenate([part[1] for part in parts]),
        triangles=np.concatenate([part[0] + start for part, start in zip(parts, starts, strict=True)]),
        joints=np.concatenate([part[2] for part in parts]),
        weights=np.concatenate([part[3] for part in parts]),
        bind_positions=bind[at][:, :3, 3].copy(),
        bind_rotations=world_rotation(bind[at][:, :3, :3]),
    )


def _attribute(document: Document, primitive: Json, key: str, width: str, place: str) -> Array:
    attributes = document.dict_of(primitive, "attributes", place)
    # Exporters write weights that are no numbers for loose vertices: those are mended, not refused.
    return document.accessor(document.index(attributes, key, place, "accessors"), [width], finite=key != "WEIGHTS_0")


def _triangles(document: Document, primitive: Json, place: str) -> IntArray | None:
    """Triangles ``(T, 3)`` of a primitive; `None` for points and lines."""
    mode = document.integer(primitive, "mode", place, _TRIANGLES)
    if mode not in (_TRIANGLES, _STRIP, _FAN):
        return None
    if "indices" in primitive:
        a = document.index(primitive, "indices", place, "accessors")
        order = document.accessor(a, ["SCALAR"])[:, 0]
        if order.dtype.kind != "u":
            raise document.error(place, "its indices must be unsigned whole numbers")
        order = order.astype(np.int64)
    else:
        order = np.arange(len(_attribute(document, primitive, "POSITION", "VEC3", place)))
    if mode == _TRIANGLES:
        out: IntArray = order[: len(order) // 3 * 3].reshape(-1, 3)
        return out
    k = np.arange(max(len(order) - 2, 0))
    if mode == _FAN:
        return np.stack([order[k + 1], order[k + 2], order[0 * k]], axis=1)
    odd = k % 2  # every other triangle of a strip is wound the other way
    return np.stack([order[k], order[k + 1 + odd], order[k + 2 - odd]], axis=1)


def _skinned(
    document: Document,
    primitive: Json,
    points: FloatArray,
    skin: Skin,
    joint_of: dict[int, int],
    bind: FloatArray,
    place: str,
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Vertices in the bind pose, their joints and their weights."""
    local = _attribute(document, primitive, "JOINTS_0", "VEC4", place)
    weights = _attribute(document, primitive, "WEIGHTS_0", "VEC4", place).astype(np.float64)
    if not len(points) == len(local) == len(weights):
        raise document.error(place, "POSITION, JOINTS_0 and WEIGHTS_0 must be of one length")
    if local.dtype.kind != "u" or (local.size and local.max() >= len(skin.joints)):
        raise document.error(place, f"JOINTS_0 names a joint beyond the {len(skin.joints)} of its skin")
    weights = np.where(np.isfinite(weights), np.maximum(weights, 0.0), 0.0)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), np.array([1.0, 0.0, 0.0, 0.0]))
    to_world = bind[skin.joints]
    if skin.inverse_bind is not None:
        to_world = to_world @ skin.inverse_bind
    local = local.astype(np.int64)
    vertices = np.zeros((len(points), 3))
    for k in range(4):
        matrix = to_world[local[:, k]]
        vertices += weights[:, k : k + 1] * (np.einsum("vij,vj->vi", matrix[:, :3, :3], points) + matrix[:, :3, 3])
    return vertices, np.array([joint_of[node] for node in skin.joints])[local], weights


def _rigid(
    points: FloatArray, n: int, holder: int, joint_of: dict[int, int], rest: FloatArray, bind: FloatArray
) -> tuple[FloatArray, IntArray, FloatArray]:
    """A mesh without a skin follows the nearest joint at or above its node."""
    try:
        matrix = bind[holder] @ np.linalg.inv(rest[holder]) @ rest[n]
    except np.linalg.LinAlgError:
        matrix = rest[n]
    joints = np.zeros((len(points), 4), dtype=np.int64)
    joints[:] = joint_of[holder]
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(points), 1))
    return points @ matrix[:3, :3].T + matrix[:3, 3], joints, weights
