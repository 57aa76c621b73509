"""A fitted body followed through meshes of a moving one (ANA-11)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.capture._meshes import Mesh, checked_mesh
from locomote.capture.bodies._articulated import Bones
from locomote.capture.bodies._fit import WORST, Fit, Progress, _closed, _round
from locomote.capture.bodies._pairing import Target
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

ROUNDS = 8  # a frame


class Track(NamedTuple):
    """What a body did, and how well that is known."""

    motion: Motion
    off: FloatArray  # (F,) m, how far surface and mesh are apart: nine tenths are nearer
    lost: npt.NDArray[np.bool_]  # (F,) frames without a mesh, or with one that does not fit


def track(
    fitted: Fit,
    meshes: Sequence[Mesh | tuple[npt.ArrayLike, npt.ArrayLike] | None],
    fps: float,
    progress: Progress | None = None,
) -> Track:
    """The motion of a fitted body through meshes that have nothing to do with one another: its pose alone.

    Parameters
    ----------
    fitted : the body, in a pose near that of the first mesh
    meshes : one a frame, as `fit` takes them; None where there is none: the pose goes on as it went
    fps : meshes a second
    progress : called with meshes done, and of how many
    """
    if not 0.0 < fps < np.inf:
        raise LocomoteError(f"fps: expected a number above 0, got {fps}")
    if len(meshes) == 0 or all(mesh is None for mesh in meshes):
        raise LocomoteError("track: expected at least one mesh")
    bones = copy.copy(fitted.bones)
    bones.turns, bones.places = bones.turns.copy(), bones.places.copy()
    parents = np.array(fitted.template.skeleton.parents)
    random = np.random.default_rng(0)
    places, locals_, off = [], [], np.full(len(meshes), np.inf)
    spin, shift = np.zeros((len(parents), 3)), np.zeros((len(parents), 3))
    for k, mesh in enumerate(meshes):
        before = bones.turns.copy(), bones.places.copy()
        bones.turns = rot.multiply(rot.exp(spin), bones.turns)
        bones.places = bones.places + shift
        if mesh is not None:
            target = Target(mesh if isinstance(mesh, Mesh) else checked_mesh(*mesh, f"mesh {k}"))
            for r in range(ROUNDS):
                _round(bones, target, None, random, 0.5 + 0.5 * r / (ROUNDS - 1), grows=False)
        _closed(bones)
        if mesh is not None:
            off[k] = float(np.quantile(target.tree.query(_some(bones))[0], 0.9))
        turned = rot.multiply(bones.turns, fitted.template.body.bind_rotations)
        local = turned.copy()
        local[1:] = rot.multiply(rot.inverse(turned[parents[1:]]), turned[1:])
        places.append(bones.places[0].copy())
        locals_.append(local)
        if k > 0:
            spin = 0.8 * rot.log(rot.multiply(bones.turns, rot.inverse(before[0])))
            shift = 0.8 * (bones.places - before[1])
        if progress is not None:
            progress(k + 1, len(meshes))
    still = fitted.motion()
    motion = Motion(still.skeleton, fps, np.array(places), np.array(locals_), body=still.body)
    return Track(motion, off, ~(off < 2.0 * WORST * bones.size))


def _some(bones: Bones) -> FloatArray:
    vertices = bones.posed()
    return np.asarray(vertices[:: max(1, len(vertices) // 2000)])
