"""Motions as a USD stage: for each a SkelRoot with Skeleton, SkelAnimation and skinned Mesh."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.mannequin import default_body
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

SKIN_COLOUR = (0.62, 0.64, 0.68)


def stage_of(motions: Sequence[Motion]) -> Any:
    """The motions as a stage in memory: one alone is its default prim, several are in a group, /World."""
    from pxr import Kind, Sdf, Usd, UsdGeom

    rate = motions[0].fps
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(max((len(motion) - 1) * (rate / motion.fps) for motion in motions))
    above = Sdf.Path.absoluteRootPath
    if len(motions) > 1:
        above = above.AppendChild("World")
        Usd.ModelAPI(UsdGeom.Xform.Define(stage, above)).SetKind(Kind.Tokens.group)
    names = _different([_identifier(motion.name or "Motion") for motion in motions])
    for name, motion in zip(names, motions, strict=True):
        _write_character(stage, above.AppendChild(name), motion, rate / motion.fps)
    first = above if len(motions) > 1 else above.AppendChild(names[0])
    stage.SetDefaultPrim(stage.GetPrimAtPath(first))
    return stage


def _write_character(stage: Any, path: Any, motion: Motion, step: float) -> None:
    """One motion with its body; ``step`` is the time codes from frame to frame."""
    from pxr import Kind, Usd, UsdSkel

    root = UsdSkel.Root.Define(stage, path)
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    body = motion.body or default_body(motion.skeleton)
    joints = joint_tokens(motion.skeleton)
    skeleton = _write_skeleton(stage, root.GetPath().AppendChild("Skeleton"), motion, body, joints)
    animation = _write_animation(stage, root.GetPath().AppendChild("Animation"), motion, joints, step)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    mesh = _write_mesh(stage, root.GetPath().AppendChild("Body"), body)
    mesh.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    root.CreateExtentAttr(_extent(motion, body))


def joint_tokens(skeleton: Skeleton) -> list[str]:
    """The joints' paths, ``hips/spine/neck``: valid identifiers, different from their siblings'."""
    tokens: list[str] = []
    taken: set[str] = set()
    for name, parent in zip(skeleton.names, skeleton.parents, strict=True):
        above = "" if parent < 0 else tokens[parent] + "/"
        tokens.append(_new(above + _identifier(name), taken))
    return tokens


def _different(names: list[str]) -> list[str]:
    """The names, those that came before with a number behind them."""
    taken: set[str] = set()
    return [_new(name, taken) for name in names]


def _new(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken already; from now on it is."""
    new, number = name, 1
    while new in taken:
        new = f"{name}_{number}"
        number += 1
    taken.add(new)
    return new


def row_matrices(positions: FloatArray, turns: FloatArray) -> FloatArray:
    """Transforms ``(N, 4, 4)`` in the library's form: a point is a row on the left of the matrix."""
    out = np.zeros((len(positions), 4, 4))
    out[:, :3, :3] = np.swapaxes(rot.to_matrix(turns), -1, -2)
    out[:, 3, :3] = positions
    out[:, 3, 3] = 1.0
    return out


def _write_skeleton(stage: Any, path: Any, motion: Motion, body: Body, joints: list[str]) -> Any:
    from pxr import UsdSkel, Vt

    skeleton = motion.skeleton
    prim = UsdSkel.Skeleton.Define(stage, path)
    prim.CreateJointsAttr(joints)
    prim.CreateJointNamesAttr(list(skeleton.names))
    rest = row_matrices(skeleton.offsets, skeleton.rest_rotations)
    bind = row_matrices(body.bind_positions, body.bind_rotations)
    prim.CreateRestTransformsAttr(Vt.Matrix4dArray.FromNumpy(rest))
    prim.CreateBindTransformsAttr(Vt.Matrix4dArray.FromNumpy(bind))
    prim.CreateExtentAttr(_extent(motion, body))
    # What UsdSkel has no place for.
    keep = prim.GetPrim().SetCustomDataByKey
    keep("locomote:name", motion.name)
    if len(skeleton.end_parents):
        keep("locomote:endParents", Vt.IntArray.FromNumpy(skeleton.end_parents.astype(np.int32)))
        keep("locomote:endOffsets", Vt.Vec3dArray.FromNumpy(np.ascontiguousarray(skeleton.end_offsets)))
    return prim


def _write_animation(stage: Any, path: Any, motion: Motion, joints: list[str], step: float) -> Any:
    from pxr import UsdSkel, Vt

    animation = UsdSkel.Animation.Define(stage, path)
    animation.CreateJointsAttr(joints)
    places = [attribute.GetPath() for attribute in (
        animation.CreateTranslationsAttr(), animation.CreateRotationsAttr(), animation.CreateScalesAttr()
    )]  # fmt: skip
    moved = motion.translations
    if moved is None:
        moved = np.broadcast_to(motion.skeleton.offsets, (len(motion), len(joints), 3)).copy()
    else:
        moved = moved.copy()
    moved[:, 0] = motion.root_positions
    translations = np.ascontiguousarray(moved, dtype=np.float32)
    # The library's quaternion arrays hold x, y, z, w.
    turns = np.ascontiguousarray(rot.continuous(motion.rotations)[..., [1, 2, 3, 0]], dtype=np.float32)
    # Several programs drop an animation that has no scales, so they are there although they are all 1.
    scales = Vt.Vec3hArray.FromNumpy(np.ones((len(joints), 3), dtype=np.float16))
    layer = stage.GetRootLayer()
    for frame in range(len(motion)):
        layer.SetTimeSample(places[0], frame * step, Vt.Vec3fArray.FromNumpy(translations[frame]))
        layer.SetTimeSample(places[1], frame * step, Vt.QuatfArray.FromNumpy(turns[frame]))
    animation.GetScalesAttr().Set(scales)
    return animation


def _write_mesh(stage: Any, path: Any, body: Body) -> Any:
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    mesh = UsdGeom.Mesh.Define(stage, path)
    points = np.ascontiguousarray(body.vertices, dtype=np.float32)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(body.triangles), 3, dtype=np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(body.triangles.astype(np.int32).ravel()))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(_normals(body).astype(np.float32)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(np.stack([points.min(axis=0), points.max(axis=0)])))
    if body.colours is None:
        mesh.CreateDisplayColorAttr([Gf.Vec3f(*SKIN_COLOUR)])
    else:
        mesh.CreateDisplayColorAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(body.colours, dtype=np.float32)))
        mesh.GetDisplayColorPrimvar().SetInterpolation(UsdGeom.Tokens.vertex)
        mesh.CreateDoubleSidedAttr(True)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    each = body.joints.shape[1]
    indices = Vt.IntArray.FromNumpy(body.joints.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(body.weights.astype(np.float32).ravel())
    binding.CreateJointIndicesPrimvar(False, each).Set(indices)
    binding.CreateJointWeightsPrimvar(False, each).Set(weights)
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    return binding


def _normals(body: Body) -> FloatArray:
    """Unit normals of the vertices ``(V, 3)``: the mean of their triangles', weighted by area."""
    corners = body.vertices[body.triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out = np.zeros_like(body.vertices)
    for corner in range(3):
        np.add.at(out, body.triangles[:, corner], faces)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    return np.where(length > 0.0, out / np.where(length > 0.0, length, 1.0), [0.0, 1.0, 0.0])


def _extent(motion: Motion, body: Body) -> Any:
    """A box that holds the body in every frame: that of the joints, wider by the farthest vertex."""
    from pxr import Vt

    arms = body.vertices[:, None] - body.bind_positions[body.joints]
    reach = np.max(np.linalg.norm(arms, axis=-1) * (body.weights > 0.0), initial=0.0)
    positions = motion.joint_positions().reshape(-1, 3)
    box = np.stack([positions.min(axis=0) - reach, positions.max(axis=0) + reach])
    return Vt.Vec3fArray.FromNumpy(box.astype(np.float32))


def _identifier(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain
