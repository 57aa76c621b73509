"""The skinned meshes of a USD skeleton as one body."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.body import Body
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

INFLUENCES = 4  # joints that move one vertex of a body


def read_body(
    meshes: list[Any],
    order: dict[str, int],
    bind_positions: FloatArray,
    bind_rotations: FloatArray,
    world_turn: FloatArray,
    size: float,
) -> Body | None:
    """All meshes in one, in the world; those that are damaged or follow no joint are left out."""
    parts = [part for part in (_part(mesh, order, world_turn, size) for mesh in meshes) if part is not None]
    if not parts:
        return None
    starts = np.cumsum([0] + [len(vertices) for vertices, _, _, _ in parts[:-1]])
    return Body(
        vertices=np.concatenate([part[0] for part in parts]),
        triangles=np.concatenate([part[1] + start for part, start in zip(parts, starts, strict=True)]),
        joints=np.concatenate([part[2] for part in parts]),
        weights=np.concatenate([part[3] for part in parts]),
        bind_positions=bind_positions,
        bind_rotations=bind_rotations,
    )


def _part(
    query: Any, order: dict[str, int], world_turn: FloatArray, size: float
) -> tuple[FloatArray, IntArray, IntArray, FloatArray] | None:
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(query.GetPrim())
    if not mesh or not query.HasJointInfluences():
        return None
    points = _array(mesh.GetPointsAttr(), np.float64, 3)
    triangles = _triangles(mesh, len(points))
    influences = query.ComputeVaryingJointInfluences(len(points)) if len(points) else None
    if triangles is None or not influences or not len(influences[0]) or not np.all(np.isfinite(points)):
        return None
    indices = np.array(influences[0], dtype=np.int64).reshape(len(points), -1)
    weights = np.array(influences[1], dtype=np.float64).reshape(len(points), -1)
    joints = list(order.values())
    if query.GetJointOrder():  # the mesh numbers the joints in its own way
        names = [str(token) for token in query.GetJointOrder()]
        if any(name not in order for name in names):
            return None
        joints = [order[name] for name in names]
    if np.any(indices < 0) or np.any(indices >= len(joints)) or not np.all(np.isfinite(weights)):
        return None
    joint_numbers, weights = _strongest(np.array(joints)[indices], np.maximum(weights, 0.0))
    bind = np.array(query.GetGeomBindTransform())
    vertices = (points @ bind[:3, :3] + bind[3, :3]) @ world_turn.T * size
    return vertices, triangles, joint_numbers, weights


def _strongest(joints: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """The four largest influences of each vertex, adding up to 1."""
    short = INFLUENCES - joints.shape[1]
    if short > 0:
        joints = np.pad(joints, ((0, 0), (0, short)))
        weights = np.pad(weights, ((0, 0), (0, short)))
    best = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    joints = np.take_along_axis(joints, best, axis=1)
    weights = np.take_along_axis(weights, best, axis=1)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), np.eye(INFLUENCES)[0])
    return joints, weights


def _triangles(mesh: Any, points: int) -> IntArray | None:
    """The faces cut into triangles, or None where they do not fit the points."""
    from pxr import UsdGeom

    counts = _array(mesh.GetFaceVertexCountsAttr(), np.int64)
    corners = _array(mesh.GetFaceVertexIndicesAttr(), np.int64)
    fits = np.all(counts >= 0) and counts.sum() == len(corners)
    if not fits or np.any(corners < 0) or np.any(corners >= points):
        return None
    starts = np.cumsum(counts) - counts
    fans = [
        np.stack([starts[counts > k + 1], starts[counts > k + 1] + k, starts[counts > k + 1] + k + 1], axis=-1)
        for k in range(1, int(counts.max(initial=0)) - 1)
    ]
    out = corners[np.concatenate(fans)] if fans else np.zeros((0, 3), dtype=np.int64)
    left_handed = mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
    return out[:, ::-1].copy() if left_handed else out


def _array(attribute: Any, dtype: type, *width: int) -> Any:
    """The value of an attribute ``(N, *width)``; none where it has another type than the schema says."""
    nothing: Any = np.zeros((0, *width), dtype=dtype)
    try:
        values: Any = np.array(attribute.Get(), dtype=dtype)
    except (TypeError, ValueError):
        return nothing
    return values if values.shape[1:] == width and values.ndim == 1 + len(width) else nothing
