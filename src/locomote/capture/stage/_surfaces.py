"""The skinned surface of a body, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture.stage._figures import dressed
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


class Surface(NamedTuple):
    """A mesh that moves: where its vertices are in every frame, and its triangles."""

    vertices: FloatArray  # (F, V, 3) m, world
    faces: IntArray  # (T, 3)


def meshes(motion: Motion, body: Body | None = None) -> Surface:
    """The skinned surface of a body in every frame.

    Parameters
    ----------
    motion
        What it does, F frames.
    body
        Its skin. Unless given, the one that the motion brings (creatures and rigs do); people get the mannequin, all
        others rounded limbs along their bones.
    """
    from locomote.capture._kernels.skinning import skin_frames

    skin = dressed(motion).body if body is None else body
    assert skin is not None  # what is dressed has one
    positions, turns = motion.world()
    if len(skin.bind_positions) != positions.shape[1]:
        raise LocomoteError(f"a body for {len(skin.bind_positions)} joints on a motion of {positions.shape[1]}")
    along = rot.to_matrix(rot.multiply(turns, rot.inverse(skin.bind_rotations)))
    shifts = positions - np.einsum("fjab,jb->fja", along, skin.bind_positions)
    out = np.empty((len(motion), len(skin.vertices), 3))
    joints = np.array(skin.joints, dtype=np.int64)
    weights = np.array(skin.weights, dtype=np.float64)
    skin_frames(np.array(skin.vertices, dtype=np.float64), joints, weights, np.ascontiguousarray(along), shifts, out)
    return Surface(out, np.array(skin.triangles, dtype=np.int64))


def surface_of(subject: Motion | Surface | tuple[FloatArray, IntArray]) -> Surface:
    """A motion's surface, or the one that is given, as arrays that kernels take."""
    if isinstance(subject, Motion):
        return meshes(subject)
    if not (isinstance(subject, tuple) and len(subject) == 2):
        raise LocomoteError(f"expected a Motion, or vertices and faces; got {type(subject).__name__}")
    vertices = np.array(subject[0], dtype=np.float64)
    faces = np.array(subject[1], dtype=np.int64).reshape(-1, 3)
    if vertices.ndim != 3 or vertices.shape[2] != 3 or not np.all(np.isfinite(vertices)):
        raise LocomoteError(f"vertices: expected finite (frames, vertices, 3), got {vertices.shape}")
    if len(faces) and not (faces.min() >= 0 and faces.max() < vertices.shape[1]):
        raise LocomoteError(f"faces: expected numbers of {vertices.shape[1]} vertices")
    return Surface(vertices, faces)
