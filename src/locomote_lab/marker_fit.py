"""The motion of a person from markers on the skin, by nothing but the markers.

The body (where joints lie on their segments, and markers on theirs) and its poses are found together: least squares of
what markers, anatomy and the ways joints bend say, each by how far it is to be trusted. All frames at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import _opensim_model as model
from locomote.formats.opensim import Markers
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote_lab.marker_places import JOINT_DOUBT, NOISE, all_bends, plain, spot_of

_LOOKS = 1.0  # skin slides alike in all strides: about the body all frames together say no more than one
_CALIBRATION = 60  # frames, spread over the clip, that the body is found from
_LOOSE = 0.03  # m; a marker that is further off than this is loose or another, and counts for less
_ROUNDS = 25
_LARGEST = 0.3  # m and rad in one round; further than that slopes mean nothing
_SETTLED = 1e-4  # m and rad


@dataclass
class _State:
    """A body and its poses."""

    skeleton: Skeleton
    offsets: FloatArray  # (J, 3) m, of the joints: those of the skeleton, but being found
    segments: IntArray  # (M,) the joints that carry the markers
    beside: IntArray  # (M,) the joints at far ends that markers go with, or -1
    local: FloatArray  # (M, 3) m, of the markers on their segments
    roots: FloatArray  # (F, 3) m
    turns: FloatArray  # (F, J, 4)
    bends: list[tuple[int, FloatArray, float, float]]  # joint, axis in its frame, usual angle and its spread

    def __post_init__(self) -> None:
        parents = self.skeleton.parents
        carries = np.eye(len(parents), dtype=bool)  # [j, a]: a is j, or above it
        for j in range(1, len(parents)):
            carries[j] |= carries[parents[j]]
        self.carried = carries[self.segments]  # (M, J)

    def world(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Joints ``(F, J, 3)``, their matrices ``(F, J, 3, 3)`` and markers ``(F, M, 3)`` in the world."""
        matrices = rot.to_matrix(self.turns)
        at = np.empty((*self.turns.shape[:2], 3))
        at[:, 0] = self.roots
        for j, parent in enumerate(self.skeleton.parents[1:], start=1):
            at[:, j] = at[:, parent] + matrices[:, parent] @ self.offsets[j]
            matrices[:, j] = matrices[:, parent] @ matrices[:, j]
        points = at[:, self.segments] + np.einsum("fmab,mb->fma", matrices[:, self.segments], self.local)
        return at, matrices, points

    def slopes(self, joints: list[int] | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The markers ``(F, 3 M)`` and how they move with the pose ``(F, 3 M, D)`` and with the body ``(F, 3 M, P)``.

        A pose is the root's position and all bends; the body the offsets of these joints and of the markers.
        """
        at, matrices, points = self.world()
        frames, count = points.shape[:2]
        pose = np.zeros((*points.shape, 3 + len(self.bends)))
        pose[..., :3] = np.eye(3)
        for d, (joint, axis, _, _) in enumerate(self.bends, start=3):
            own = self.carried[:, joint]
            pose[..., d][:, own] = np.cross((matrices[:, joint] @ axis)[:, None], points[:, own] - at[:, None, joint])
        body = np.zeros((*points.shape, 0 if joints is None else len(joints) + count, 3))
        for k, joint in enumerate(joints or ()):
            body[:, :, :, k][:, self.carried[:, joint]] = matrices[:, None, self.skeleton.parents[joint]]
        for m in range(count if joints else 0):
            body[:, m, :, m - count] = matrices[:, self.segments[m]]
        rows = frames, 3 * count
        return points.reshape(rows), pose.reshape(*rows, -1), body.reshape(*rows, 3 * body.shape[3])

    def unusual(self) -> tuple[FloatArray, FloatArray]:
        """How far poses ``(F, D)`` are from the usual, and the weights ``(D,)`` of that; nothing for the root."""
        out, weights = np.zeros((len(self.roots), 3 + len(self.bends))), np.full(3 + len(self.bends), 1e-6)
        for d, (joint, axis, usual, spread) in enumerate(self.bends, start=3):
            out[:, d], weights[d] = rot.log(self.turns[:, joint]) @ axis - usual, spread**-2.0
        return out, weights

    def move(self, step: FloatArray) -> None:
        """Add ``(F, D)`` to the poses."""
        self.roots = self.roots + step[:, :3]
        turned = np.zeros((*self.turns.shape[:2], 3))
        for d, (joint, axis, _, _) in enumerate(self.bends, start=3):
            turned[:, joint] += step[:, d, None] * axis
        self.turns = rot.normalize(rot.multiply(self.turns, rot.exp(turned)))


def fit_markers(markers: Markers, height: float) -> Motion:
    """The motion of a person of OpenSim's kind from markers.

    Parameters
    ----------
    markers : in our axes, named as in the sets of OpenCap or of Hamner and Delp; others are left out
    height : m, of the person
    """
    known = {name: spot_of(name) for name in markers.names if np.isfinite(markers.position(name)).all(axis=1).any()}
    spots = {name: spot for name, spot in known.items() if spot is not None}
    segments = [spot.segment for spot in spots.values()]
    if segments.count("pelvis") < 4 or not {"torso", "tibia_l", "tibia_r", "calcn_l", "calcn_r"} <= set(segments):
        raise LocomoteError(f"four markers on the pelvis, some on chest, shanks and feet: only {', '.join(spots)}")
    seen = np.stack([markers.position(name) for name in spots], axis=1)
    scale = height / model.REFERENCE_HEIGHT
    skeleton = model.human_skeleton(scale, 1.0)
    noise = np.array([NOISE[plain(segment)] for segment in segments])
    doubt = scale * np.array([spot.doubt for spot in spots.values()])
    state = _State(
        skeleton=skeleton,
        offsets=np.array(skeleton.offsets),
        segments=np.array([skeleton.index(segment) for segment in segments]),
        beside=np.array([skeleton.index(spot.beside) if spot.beside else -1 for spot in spots.values()]),
        local=scale * np.array([spot.at for spot in spots.values()]),
        roots=np.zeros((len(seen), 3)),
        turns=rot.identity(len(seen), len(skeleton)),
        bends=all_bends(skeleton),
    )
    _begin(state, seen)
    _solve(state, seen, np.hypot(noise, doubt), near=False)
    some = np.unique(np.linspace(0, len(seen) - 1, _CALIBRATION).astype(int))
    part = replace(state, roots=state.roots[some], turns=state.turns[some])
    _solve(part, seen[some], noise, doubt, scale)
    state.offsets, state.local = part.offsets, part.local
    _solve(state, seen, noise)
    return _motion(state, markers.fps)


def _begin(state: _State, seen: FloatArray) -> None:
    """The pelvis where its markers are, its hips by the regression of Harrington (2007), all else as usual."""
    own = np.flatnonzero(state.segments == 0)
    known, frames = state.local[own], np.arange(len(seen))
    at = np.empty((len(seen), len(own), 3))
    for k, m in enumerate(own):
        good = np.isfinite(seen[:, m]).all(axis=1)
        at[:, k] = np.stack([np.interp(frames, frames[good], seen[good, m, a]) for a in range(3)], axis=1)
    middle = at.mean(axis=1)
    u, _, vt = np.linalg.svd(np.swapaxes(at - middle[:, None], 1, 2) @ (known - known.mean(axis=0)))
    u[:, :, 2] *= np.linalg.det(u @ vt)[:, None]  # a rotation, never a mirror
    state.turns[:, 0] = rot.from_matrix(u @ vt)
    state.roots = middle - u @ vt @ known.mean(axis=0)
    for joint, axis, usual, _ in state.bends:
        if usual:
            state.turns[:, joint] = rot.from_axis_angle(axis, np.full(len(seen), usual))
    front, left = known[:, 2] > known[:, 2].mean(), known[:, 0] > 0.0
    wide, deep = (
        float(np.median(np.linalg.norm(at[:, one].mean(axis=1) - at[:, other].mean(axis=1), axis=1)))
        for one, other in ((front & left, front & ~left), (front, ~front))
    )
    forward = known[front].mean(axis=0) - known[~front].mean(axis=0)
    forward /= np.linalg.norm(forward)
    hip = forward * (-0.24 * deep - 0.0099) + np.cross(forward, [1.0, 0.0, 0.0]) * (-0.30 * wide - 0.0109)
    outward = np.array([0.33 * wide + 0.0073, 0.0, 0.0])
    for side, sign in (("_l", 1.0), ("_r", -1.0)):
        state.offsets[state.skeleton.index("femur" + side)] = hip + sign * outward


def _solve(
    state: _State,
    seen: FloatArray,
    noise: FloatArray,
    doubt: FloatArray | None = None,
    scale: float = 1.0,
    near: bool = True,
) -> None:
    """The poses, and with the doubts ``(M,)`` m of the markers also the body, by Gauss and Newton.

    A pose depends on its own frame and the body alone, so poses are eliminated from the equations of the body. Once
    the body is ``near``, markers far from it are believed less.
    """
    joints: list[int] | None = None
    trust = np.zeros((0, 0))
    if doubt is not None:
        names = [plain(name) for name in state.skeleton.names]
        joints = [j for j, name in enumerate(names) if name in JOINT_DOUBT]
        doubts = [*(scale * np.array(JOINT_DOUBT[names[j]]) for j in joints), *np.repeat(doubt[:, None], 3, axis=1)]
        shared = np.eye(len(doubts))
        for m, joint in enumerate(state.beside):
            if joint >= 0:
                shared[len(joints) + m, joints.index(joint)] = -1.0
        apart = np.kron(shared, np.eye(3))  # what is doubted: places, of some markers beside a joint
        trust = len(seen) / _LOOKS * apart.T @ (apart * np.concatenate(doubts)[:, None] ** -2.0)
    free = 3 * len(joints or ())
    start = now = np.concatenate([state.offsets[joints].ravel(), state.local.ravel()]) if joints else np.zeros(0)
    target = np.nan_to_num(seen).reshape(len(seen), -1)
    trusted = np.where(np.isfinite(seen), noise[:, None] ** -2.0, 0.0)
    for _ in range(_ROUNDS):
        points, pose, body = state.slopes(joints)
        away = (target - points).reshape(seen.shape)
        loose = np.sum(away**2, axis=2, keepdims=True) / _LOOSE**2 if near else 0.0
        weights = (trusted / (1.0 + loose)).reshape(target.shape)
        off = weights * (target - points)
        unusual, stiff = state.unusual()
        across = np.swapaxes(pose * weights[..., None], 1, 2)
        mixed = across @ body  # (F, D, P)
        pull = (np.swapaxes(pose, 1, 2) @ off[..., None])[..., 0] - stiff * unusual
        solved = np.linalg.solve(across @ pose + np.diag(stiff), np.concatenate([mixed, pull[..., None]], axis=2))
        flat = body.reshape(off.size, body.shape[-1])
        left = flat.T @ (flat * weights.reshape(-1, 1)) + trust
        left -= np.tensordot(mixed, solved[..., :-1], ((0, 1), (0, 1)))
        right = flat.T @ off.ravel() - trust @ (now - start)
        right -= np.tensordot(mixed, solved[..., -1], ((0, 1), (0, 1)))
        change = np.linalg.solve(left, right)
        step = solved[..., -1] - solved[..., :-1] @ change
        state.move(np.clip(step, -_LARGEST, _LARGEST))
        if joints:
            now = now + change
            state.offsets = state.offsets.copy()
            state.offsets[joints], state.local = now[:free].reshape(-1, 3), now[free:].reshape(-1, 3)
        if max(np.abs(step).max(), np.abs(change).max(initial=0.0)) < _SETTLED:
            break


def _motion(state: _State, fps: float) -> Motion:
    """With the head held level: no marker is on it."""
    index, turns = state.skeleton.index, state.turns.copy()
    chest = rot.multiply(turns[:, 0], turns[:, index("lumbar1")])
    level = rot.exp(rot.log(rot.multiply(rot.inverse(chest), rot.from_yaw(rot.yaw(chest)))) / 2.0)
    turns[:, index("neck")] = turns[:, index("head")] = level
    return Motion(replace(state.skeleton, offsets=state.offsets), fps, state.roots, rot.canonical(turns))


def residuals(motion: Motion, markers: Markers) -> dict[str, float]:
    """How far every known marker moves about its place on its segment, root mean square in m."""
    at, turns = motion.world()
    out = {}
    for name in markers.names:
        if (spot := spot_of(name)) is not None:
            j = motion.skeleton.index(spot.segment)
            local = rot.rotate(rot.inverse(turns[:, j]), markers.position(name) - at[:, j])
            out[name] = float(np.sqrt(np.nanmean(np.sum((local - np.nanmean(local, axis=0)) ** 2, axis=1))))
    return out
