"""Bodies for the tests of `locomote.ik`, and a judge of their poses that shares no code with the solvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

import locomote as lm
from locomote import rotations as rot
from locomote.ik import JointLimit
from locomote.rotations import FloatArray


def tree(seed: int, joints: int = 9, rest: bool = True) -> lm.Skeleton:
    """A spine of joints, each a little off the line of the last, with a twig on every third."""
    r = np.random.default_rng(seed)
    parents = [-1, *range(joints - 1), *range(0, joints, 3)]
    offsets = r.normal(size=(len(parents), 3)) * [0.1, 0.1, 0.1] + [0.0, 0.2, 0.0]
    turns = rot.exp(0.4 * r.normal(size=(len(parents), 3))) if rest else rot.identity(len(parents))
    return lm.Skeleton(tuple(f"j{k}" for k in range(len(parents))), np.array(parents), offsets, turns)


def poses(skeleton: lm.Skeleton, seed: int, count: int = 5, scales: bool = False) -> lm.Poses:
    r = np.random.default_rng(seed)
    turns = rot.multiply(skeleton.rest_rotations, rot.exp(0.4 * r.normal(size=(count, len(skeleton), 3))))
    sizes = r.uniform(0.3, 3.0, size=count) if scales else None
    return lm.Poses(skeleton, r.normal(size=(count, 3)), turns, sizes)


def motion(skeleton: lm.Skeleton, seed: int, count: int = 30, translations: bool = False) -> lm.Motion:
    """Every joint turns to and fro; with translations every joint also slides against its parent."""
    r = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, count)[:, None, None]
    wave = np.sin(2.0 * np.pi * time + r.uniform(0.0, 6.0, size=(len(skeleton), 3)))
    turns = rot.multiply(skeleton.rest_rotations, rot.exp(0.3 * wave))
    roots = np.cumsum(0.01 * r.normal(size=(count, 3)), axis=0)
    moved = skeleton.offsets * (1.0 + 0.2 * wave) if translations else None
    return lm.Motion(skeleton, 30.0, roots, turns, moved)


def turn_of(q: FloatArray) -> Rotation:
    """Quaternions ``(w, x, y, z)`` for SciPy, which writes w last."""
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def judge(body: lm.Motion | lm.Poses) -> tuple[FloatArray, list[Rotation]]:
    """World positions ``(N, J, 3)`` and, for each joint, the world rotations of all poses: by SciPy."""
    skeleton, count = body.skeleton, len(body)
    local = np.tile(skeleton.offsets, (count, 1, 1))
    if isinstance(body, lm.Motion):
        local = local if body.translations is None else body.translations
    elif body.scales is not None:
        local = local * body.scales[:, None, None]
    places, turns = np.empty((count, len(skeleton), 3)), []
    for j, parent in enumerate(skeleton.parents):
        own = turn_of(body.rotations[:, j])
        turns.append(own if parent < 0 else turns[parent] * own)
        places[:, j] = body.root_positions if parent < 0 else places[:, parent] + turns[parent].apply(local[:, j])
    return places, turns


def bone_lengths(body: lm.Motion | lm.Poses) -> FloatArray:
    places = judge(body)[0]
    return np.linalg.norm(places[:, 1:] - places[:, body.skeleton.parents[1:]], axis=-1)


def random_limits(skeleton: lm.Skeleton, seed: int, joints: Sequence[int]) -> dict[str, JointLimit]:
    """Every second joint has a limit: balls, and every fourth a hinge."""
    r = np.random.default_rng(seed)
    limits = {}
    for k, j in enumerate(joints):
        low, high = -r.uniform(0.1, 1.0), r.uniform(0.1, 1.0)
        if k % 4 == 1:
            limits[skeleton.names[j]] = JointLimit.hinge(tuple(r.normal(size=3)), low, high)
        elif k % 2 == 0:
            rest = tuple(r.normal(size=4)) if k % 3 == 0 else None
            limits[skeleton.names[j]] = JointLimit(tuple(r.normal(size=3)), r.uniform(0.1, 1.5), (low, high), rest)
    return limits


def assert_within(body: lm.Motion | lm.Poses, limits: Mapping[str, JointLimit]) -> None:
    """The axis leans, and the joint turns about it, no further than the limits say."""
    for name, limit in limits.items():
        j = body.skeleton.index(name)
        rest = body.skeleton.rest_rotations[j] if limit.rest is None else limit.rest
        turn = turn_of(np.array(rest)).inv() * turn_of(body.rotations[:, j])
        axis = np.array(limit.axis)
        leant = turn.apply(axis)
        swing = np.arctan2(np.linalg.norm(np.cross(axis, leant), axis=1), leant @ axis)
        q = turn.as_quat()  # (x, y, z, w)
        twist = 2.0 * np.arctan2(q[:, :3] @ axis, q[:, 3])
        twist = (twist + np.pi) % (2.0 * np.pi) - np.pi
        assert np.all(swing <= limit.swing + 1e-6)
        assert np.all((twist >= limit.twist[0] - 1e-6) & (twist <= limit.twist[1] + 1e-6))
