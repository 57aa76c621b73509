"""The visible body of a skeleton: a skinned mesh, and capsules along the bones where a file brings none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

# A bone carries all bones beyond it, and its cross-section grows with that load, as branches of a tree do.
_GIRTH = 0.036  # radius over sqrt(load of the bone * load of all); 7 cm at a person's hip
_STOUTEST, _SLIMMEST = 0.9, 0.12  # radius over length of a last bone, at most; of any bone, at least
_TIP = 0.7  # radius at the tip of a last bone over that at its start
_HEAD = 0.7  # radius of a head over the largest of the body
_HEAD_RANGE = (0.25, 0.8)  # the same over the length of the head's bone, at least and at most
_SPREAD = (1.4, 0.9)  # what a bone with branches gains towards them, and loses square to them
_FOOT = (1.3, 0.7)  # the same of a bone that lies on the ground: sideways, and upwards
_HEAD_LENGTH = 0.1  # of the body's height, for a head without a bone of its own
_STANDS = 0.4  # height over length; a flatter rest pose does not show where the feet are
_GROUND = 0.06  # of the body's height; a bone below it that lies flat is a foot
_SEGMENTS = 10  # vertices around a bone
_CAP_RINGS = 2  # rings of each rounded end


@dataclass(frozen=True, eq=False)
class Body:
    """A mesh that follows the joints: each vertex by up to four of them.

    ``vertices`` are in the bind pose and in the world, metres. ``source`` is what a format needs to write the
    original file again with its materials and textures; other formats ignore it.
    """

    vertices: FloatArray  # (V, 3)
    triangles: IntArray  # (T, 3)
    joints: IntArray  # (V, 4)
    weights: FloatArray  # (V, 4), each row sums to 1
    bind_positions: FloatArray  # (J, 3) world, the joints when the vertices were attached
    bind_rotations: FloatArray  # (J, 4)
    source: Any = None
    colours: FloatArray | None = None  # (V, 3) 0 to 1, of what has its own, as bark and leaves have

    def __repr__(self) -> str:
        return (
            f"<Body: {len(self.vertices)} vertices, {len(self.triangles)} triangles, {len(self.bind_positions)} joints>"
        )

    def scaled(self, factor: float) -> Body:
        """The same body, larger or smaller. The original file no longer fits it and is let go."""
        return replace(self, vertices=self.vertices * factor, bind_positions=self.bind_positions * factor, source=None)

    def posed(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """The vertices ``(V, 3)`` of a pose.

        Parameters
        ----------
        positions : (J, 3) m, of the joints in the world
        rotations : (J, 4), of the joints in the world
        """
        turn = rot.multiply(rotations, rot.inverse(self.bind_rotations))
        shift = positions - rot.rotate(turn, self.bind_positions)
        out = np.zeros_like(self.vertices)
        for k in range(self.joints.shape[1]):
            j = self.joints[:, k]
            out += self.weights[:, k : k + 1] * (rot.rotate(turn[j], self.vertices) + shift[j])
        return out


def vertex_normals(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Unit normals ``(V, 3)``: the mean of the triangles around each vertex, weighted by area."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for i in range(3):
        np.add.at(normals, triangles[:, i], across)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-12 * length.max(initial=0.0), normals / np.where(length > 0.0, length, 1.0), [0, 1, 0])


@dataclass(frozen=True)
class _Bone:
    """A straight piece of a body, from a joint to one of its children or end sites, in the rest pose."""

    joint: int
    child: int | None  # a joint, or none for an end site
    start: FloatArray
    end: FloatArray

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.start))


def capsule_body(skeleton: Skeleton) -> Body:
    """A plain body of rounded limbs, one along every bone, thicker the more of the body hangs on it."""
    positions, turns = skeleton.rest_pose()
    bones = _bones(skeleton, positions, turns)
    radii = _radii(skeleton, bones)
    tips = _tips_beyond(skeleton)
    next_radius: dict[int | None, float] = {}  # the largest of the bones that go on from a joint
    for bone, radius in zip(bones, radii, strict=True):
        next_radius[bone.joint] = max(radius, next_radius.get(bone.joint, 0.0))
    pieces = []
    for bone, radius in zip(bones, radii, strict=True):
        tip = min(next_radius.get(bone.child, _TIP * radius), radius)
        if bone.child not in next_radius and _is_head(skeleton, bone):
            tip = radius
        beyond_end = [] if bone.child is None else tips[bone.child]
        wide, flat = _cross_section(bone, positions, beyond_end)
        pieces.append((bone.joint, *_capsule(bone, radius, tip, wide, flat)))
    starts = np.cumsum([0] + [len(piece[1]) for piece in pieces[:-1]])
    vertices = np.concatenate([piece[1] for piece in pieces])
    joints = np.zeros((len(vertices), 4), dtype=np.int64)
    joints[:, 0] = np.concatenate([np.full(len(piece[1]), piece[0]) for piece in pieces])
    return Body(
        vertices=vertices,
        triangles=np.concatenate([piece[2] + start for piece, start in zip(pieces, starts, strict=True)]),
        joints=joints,
        weights=np.tile([1.0, 0.0, 0.0, 0.0], (len(vertices), 1)),
        bind_positions=positions,
        bind_rotations=turns,
    )


def _bones(skeleton: Skeleton, positions: FloatArray, turns: FloatArray) -> list[_Bone]:
    """All pieces that have a length and are part of the body; at least one."""
    bones = [
        _Bone(int(parent), j, positions[parent], positions[j])
        for j, parent in enumerate(skeleton.parents)
        if parent >= 0
    ]
    for parent, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        tip = positions[parent] + rot.rotate(turns[parent], offset)
        bones.append(_Bone(int(parent), None, positions[parent], tip))
    # A head without a bone of its own, as in most glTF rigs, goes on the way its neck points.
    ending = set(range(len(skeleton))) - set(skeleton.parents.tolist()) - set(skeleton.end_parents.tolist())
    for j in sorted(ending):
        neck = positions[j] - positions[skeleton.parents[j]]
        if "head" in skeleton.names[j].lower() and j > 0 and np.any(neck):
            further = _HEAD_LENGTH * np.ptp(positions[:, 1]) * neck / np.linalg.norm(neck)
            bones.append(_Bone(j, None, positions[j], positions[j] + further))
    longest = max((bone.length for bone in bones), default=0.0)
    bones = [bone for bone in bones if bone.length > 1e-3 * longest]
    # A root on the floor below the body, and controls that hang on it, are no limbs: from a true pelvis or
    # trunk two or more chains go out.
    limbs = {int(parent) for parent in skeleton.parents} | {int(parent) for parent in skeleton.end_parents}
    grown = [bone for bone in bones if bone.joint != 0 or bone.child is None or bone.child in limbs]
    from_root = [bone for bone in grown if bone.joint == 0]
    if len(from_root) < 2:
        grown = [bone for bone in grown if bone.joint != 0]
    lonely = positions[0], positions[0] + np.array([0.0, 0.1, 0.0])  # a mere point still shows
    return grown or bones or [_Bone(0, None, *lonely)]


def _is_head(skeleton: Skeleton, bone: _Bone) -> bool:
    return "head" in skeleton.names[bone.joint].lower()


def _radii(skeleton: Skeleton, bones: list[_Bone]) -> list[float]:
    """The radius at the start of each bone."""
    own, loads = _loads(skeleton, bones)
    radii = []
    for i, bone in enumerate(bones):
        most = np.inf if loads[i] > own[i] else _STOUTEST * bone.length
        radii.append(float(np.clip(_GIRTH * np.sqrt(loads[i] * sum(own)), _SLIMMEST * bone.length, most)))
    largest = max(radii)
    for i, bone in enumerate(bones):
        if loads[i] <= own[i] and _is_head(skeleton, bone):
            least, most = _HEAD_RANGE
            radii[i] = float(np.clip(_HEAD * largest, least * bone.length, most * bone.length))
    return radii


def _loads(skeleton: Skeleton, bones: list[_Bone]) -> tuple[list[float], list[float]]:
    """The load of each bone alone, and with all bones beyond it, in metres."""
    longest = max(bone.length for bone in bones)
    own = [bone.length * np.sqrt(bone.length / longest) for bone in bones]  # many small fingers weigh little
    beyond = np.zeros(len(skeleton))
    for bone, load in zip(bones, own, strict=True):
        beyond[bone.joint] += load
    for j in range(len(skeleton) - 1, 0, -1):
        beyond[skeleton.parents[j]] += beyond[j]
    carried = [0.0 if bone.child is None else float(beyond[bone.child]) for bone in bones]
    return own, [a + b for a, b in zip(own, carried, strict=True)]


def _cross_section(bone: _Bone, positions: FloatArray, tips: list[int]) -> tuple[FloatArray, FloatArray]:
    """Two vectors square to a bone and to each other, along which its radius is stretched and squeezed.

    ``tips`` are the last joints of the chains beyond it.
    """
    axis = (bone.end - bone.start) / bone.length
    size = np.ptp(positions, axis=0)
    ground = float(positions[:, 1].min()) + _GROUND * size[1]
    lies_low = max(bone.start[1], bone.end[1]) < ground + 0.5 * bone.length and abs(axis[1]) < 0.6
    if lies_low and size[1] > _STANDS * max(size[0], size[2]):
        side = np.cross([0.0, 1.0, 0.0], axis)
        side /= np.linalg.norm(side)
        return _FOOT[0] * side, _FOOT[1] * np.cross(side, axis)
    away = positions[tips] - bone.end
    away -= (away @ axis)[:, None] * axis
    strength, directions = np.linalg.eigh(away.T @ away)
    if len(tips) > 1 and strength[2] > 2.0 * strength[1]:
        return _SPREAD[0] * directions[:, 2], _SPREAD[1] * np.cross(directions[:, 2], axis)
    turn = rot.between([0.0, 1.0, 0.0], axis)
    return rot.rotate(turn, [1.0, 0.0, 0.0]), rot.rotate(turn, [0.0, 0.0, -1.0])


def _tips_beyond(skeleton: Skeleton) -> list[list[int]]:
    """For each joint, the last joints of all chains that go out from it."""
    tips: list[list[int]] = [[] for _ in skeleton.names]
    for j in range(len(skeleton) - 1, -1, -1):
        tips[j] = tips[j] or [j]
        if j > 0:
            tips[skeleton.parents[j]] += tips[j]
    return tips


def _capsule(
    bone: _Bone, radius: float, tip_radius: float, wide: FloatArray, flat: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Vertices and triangles of a closed tube with rounded ends."""
    axis = (bone.end - bone.start) / bone.length
    if np.dot(np.cross(wide, flat), axis) < 0.0:
        flat = -flat  # keeps the triangles facing outwards
    latitudes = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 2 * _CAP_RINGS + 2)[1:-1]
    at_tip = latitudes > 0.0
    size = np.where(at_tip, tip_radius, radius)
    height = np.where(at_tip, bone.length, 0.0) + size * np.sin(latitudes)
    around = np.arange(_SEGMENTS) * (2.0 * np.pi / _SEGMENTS)
    ring = np.cos(around)[:, None] * wide + np.sin(around)[:, None] * flat
    rings = (size * np.cos(latitudes))[:, None, None] * ring + height[:, None, None] * axis
    poles = np.array([-radius * axis, (bone.length + tip_radius) * axis])
    return bone.start + np.concatenate([rings.reshape(-1, 3), poles]), _tube_triangles(len(latitudes))


def _tube_triangles(rings: int) -> IntArray:
    k = np.arange(_SEGMENTS)
    after = (k + 1) % _SEGMENTS
    low, high = rings * _SEGMENTS, rings * _SEGMENTS + 1  # the poles
    parts = [np.stack([after, k, np.full_like(k, low)], axis=1)]
    for r in range(rings - 1):
        a, b = r * _SEGMENTS, (r + 1) * _SEGMENTS
        parts.append(np.stack([a + k, a + after, b + after], axis=1))
        parts.append(np.stack([a + k, b + after, b + k], axis=1))
    last = (rings - 1) * _SEGMENTS
    parts.append(np.stack([last + k, last + after, np.full_like(k, high)], axis=1))
    return np.concatenate(parts)
