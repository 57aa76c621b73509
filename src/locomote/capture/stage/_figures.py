"""Bodies for skeletons that bring none: a mannequin for people, the rounded limbs of pictures for all others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from locomote.body import Body
from locomote.draw._figure import Figure
from locomote.draw._stage import StagedMotion, prepare
from locomote.mannequin import is_walker, mannequin
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_AROUND = 12  # vertices around a limb
_LATITUDES = np.radians([-65.0, -40.0, -15.0, 15.0, 40.0, 65.0])  # rings of a limb: of its first end, of its second one


def dressed(motion: Motion) -> Motion:
    """The motion with a body: its own; a mannequin for people; for all others rounded limbs along their bones.

    Parameters
    ----------
    motion
        Of any skeleton. Parts of a clip keep the same body if the whole clip is dressed before it is cut.
    """
    own = checked_motion(motion, "the stage").body
    if own is not None and len(own.triangles):
        return motion
    if is_walker(motion.skeleton):
        return replace(motion, body=mannequin(motion.skeleton))
    return replace(motion, body=_limbs(prepare(motion, contacts=False, skin=False)))


def _limbs(staged: StagedMotion) -> Body:
    """The capsules with which a skeleton is drawn, as a mesh whose limbs end where the joints at their ends go."""
    figure, feet = staged.figure, staged.feet
    middle = len(staged.motion) // 2
    none = np.zeros(feet.shape[1], dtype=bool)
    shapes = figure.posed(staged.positions[middle], staged.turns[middle], feet[middle], none, none)
    carried = _carriers(figure, staged)[figure.points]  # (C, 2)
    parts = [_capsule(*one) for one in zip(shapes.ends, shapes.radii, shapes.flat_axes, shapes.flats, strict=True)]
    vertices, each = np.concatenate(parts), len(parts[0])
    half = np.repeat([0, 1], [_AROUND * len(_LATITUDES) // 2 + 1, _AROUND * len(_LATITUDES) // 2 + 1])
    joints = np.zeros((len(vertices), 4), dtype=np.int64)
    joints[:, 0] = carried[:, half].ravel()
    triangles = _triangles()
    return Body(
        vertices=vertices,
        triangles=np.concatenate([triangles + each * k for k in range(len(parts))]),
        joints=joints,
        weights=np.tile([1.0, 0.0, 0.0, 0.0], (len(vertices), 1)),
        bind_positions=staged.positions[middle],
        bind_rotations=staged.turns[middle],
    )


def _carriers(figure: Figure, staged: StagedMotion) -> IntArray:
    """The joint that carries each point of a figure: its anchors, then heel, ball and toe of each leg."""
    legs = staged.motion.skeleton.roles.legs
    feet = [joint for leg in legs for joint in (leg.ankle, leg.ball, leg.toe)]
    return np.concatenate([figure.anchor_joints, np.array(feet, dtype=np.int64)])


def _capsule(ends: FloatArray, radii: FloatArray, flat_axis: FloatArray, flat: float) -> FloatArray:
    """The vertices of a limb: rings and pole of its first end, then of its second one."""
    along = ends[1] - ends[0]
    length = float(np.linalg.norm(along))
    axis = along / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    side = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    side /= np.linalg.norm(side)
    angles = np.arange(_AROUND) * (2.0 * np.pi / _AROUND)
    ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * np.cross(axis, side)
    out = []
    for k, sign in ((0, -1.0), (1, 1.0)):
        mine = _LATITUDES[_LATITUDES * sign > 0.0]
        off = np.cos(mine)[:, None, None] * ring + np.sin(mine)[:, None, None] * axis
        off = radii[k] * np.concatenate([off.reshape(-1, 3), sign * axis[None]])
        off -= (1.0 - flat) * (off @ flat_axis)[:, None] * flat_axis
        out.append(ends[k] + off)
    return np.concatenate(out)


def _triangles() -> IntArray:
    """Those of one limb, facing outwards."""
    rows = len(_LATITUDES)
    pole = _AROUND * rows // 2  # the index of the first pole; what comes after it is shifted by one
    k = np.arange(_AROUND)
    after = (k + 1) % _AROUND
    starts = [_AROUND * r + (1 if r >= rows // 2 else 0) for r in range(rows)]
    parts = [np.stack([after, k, np.full_like(k, pole)], axis=1)]
    for a, b in pairwise(starts):
        parts += [np.stack([a + k, a + after, b + after], axis=1), np.stack([a + k, b + after, b + k], axis=1)]
    last = starts[-1]
    parts.append(np.stack([last + k, last + after, np.full_like(k, _AROUND * rows + 1)], axis=1))
    return np.concatenate(parts)
