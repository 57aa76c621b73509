"""The motion of a person from markers on the skin, by nothing but the markers.

The body (where joints lie on their segments, and markers on theirs) and its poses are found together: least squares of
what markers, anatomy and the ways joints bend say, each by how far it is to be trusted. All frames at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import _opensim_model as model
from locomote.formats.opensim import Markers, read_markers
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote_lab.force_trials import DATA, ForceTrial, read_trial

Vector = tuple[float, float, float]


class Spot(NamedTuple):
    """Where a marker is stuck: for the left side of a body of 1.75 m, metres to the left, up and forward."""

    segment: str
    at: Vector
    doubt: float  # m, how far from there it may well be


_THIGH, _SHANK = Spot("femur", (0.08, -0.22, 0.0), 0.08), Spot("tibia", (0.03, -0.2, 0.0), 0.08)
_UPPER_ARM, _FOREARM = Spot("humerus", (0.04, -0.17, 0.0), 0.05), Spot("radius", (0.02, -0.12, 0.0), 0.06)
_ASIS, _PSIS = Spot("pelvis", (0.128, 0.0, 0.0), 0.01), Spot("pelvis", (0.045, 0.02, -0.15), 0.01)
_ACROMION, _COLLAR = Spot("torso", (0.165, 0.21, -0.005), 0.02), Spot("torso", (0.03, 0.155, 0.06), 0.02)
_ELBOW_OUT, _ELBOW_IN = Spot("humerus", (0.04, -0.3, 0.0), 0.012), Spot("humerus", (-0.04, -0.3, 0.0), 0.012)
_THUMB_SIDE, _ULNAR_SIDE = Spot("radius", (0.0, -0.24, 0.03), 0.015), Spot("radius", (0.0, -0.24, -0.03), 0.015)
_KNEE = Spot("femur", (0.055, -0.41, 0.0), 0.012)
_MALLEOLUS, _INNER_MALLEOLUS = Spot("tibia", (0.042, -0.425, -0.012), 0.01), Spot("tibia", (-0.04, -0.41, 0.0), 0.012)
_HEEL, _SMALL_TOE = Spot("calcn", (0.0, 0.02, -0.02), 0.012), Spot("calcn", (0.055, 0.0, 0.135), 0.012)
_BIG_TOE = Spot("calcn", (-0.02, 0.02, 0.18), 0.015)
# Names of the markers of either side without the letter of the side, in small letters.
SIDED: dict[str, Spot] = {
    **{"asis": _ASIS, "asi": _ASIS, "psis": _PSIS, "psi": _PSIS, "hjc": Spot("femur", (0.0, 0.0, 0.0), 0.001)},
    **{"shoulder": _ACROMION, "acr": _ACROMION, "sternum": _COLLAR},
    **{"humerus": _UPPER_ARM, "ua1": _UPPER_ARM, "ua2": _UPPER_ARM, "ua3": _UPPER_ARM},
    **{"elbow_lat": _ELBOW_OUT, "lel": _ELBOW_OUT, "elbow_med": _ELBOW_IN, "mel": _ELBOW_IN},
    **{"forearm": _FOREARM, "fasuperior": _FOREARM, "wrist_radius": _THUMB_SIDE, "faradius": _THUMB_SIDE},
    **{"wrist_ulna": _ULNAR_SIDE, "faulna": _ULNAR_SIDE, "knee": _KNEE, "ankle": _MALLEOLUS, "lmal": _MALLEOLUS},
    **{f"thigh{i}": _THIGH for i in range(1, 6)},
    **{f"th{i}": _THIGH for i in range(1, 4)},
    **{f"sh{i}": _SHANK for i in range(2, 5)},
    **{f"tb{i}": _SHANK for i in range(1, 4)},
    **{"shank_antsup": Spot("tibia", (0.0, -0.13, 0.045), 0.03), "mmal": _INNER_MALLEOLUS},
    **{"calc": _HEEL, "cal": _HEEL, "5meta": _SMALL_TOE, "mt5": _SMALL_TOE, "toe": _BIG_TOE},
}
MIDDLE: dict[str, Spot] = {
    "C7": Spot("torso", (0.0, 0.235, -0.06), 0.02),
    "CLAV": Spot("torso", (0.0, 0.165, 0.055), 0.02),
}
# m; how much markers move against the bones, skin and camera together.
NOISE = {"pelvis": 0.008, "torso": 0.008, "femur": 0.012, "tibia": 0.007, "calcn": 0.004, "humerus": 0.01, "radius": 0.01}


class Bend(NamedTuple):
    """One way in which a joint bends: its axis on the left side, and the usual angle and its spread, rad."""

    joint: str
    axis: Vector
    usual: float
    spread: float


_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TRUNK_BENDS = (*(Bend("pelvis", axis, 0.0, 1e3) for axis in (_X, _Y, _Z)), *(Bend("lumbar1", axis, 0.0, 0.5) for axis in (_X, _Y, _Z)))
LIMB_BENDS = (
    *(Bend("femur", _X, -0.2, 1.0), Bend("femur", _Y, 0.0, 0.4), Bend("femur", _Z, 0.0, 0.4)),
    Bend("tibia", _X, 0.4, 1.0),
    Bend("talus", (0.979, -0.174, -0.105), 0.0, 0.6),
    Bend("calcn", (0.121, -0.605, -0.787), 0.0, 0.2),
    *(Bend("humerus", _X, 0.0, 1.0), Bend("humerus", _Y, 0.0, 0.7), Bend("humerus", _Z, 0.0, 0.5)),
    *(Bend("ulna", _X, -1.0, 1.0), Bend("radius", _Y, 0.0, 0.7)),
)
# m to the left, up and forward; how far a joint may well lie from where it is on the scaled body.
JOINT_DOUBT: dict[str, Vector] = {
    "lumbar1": (1e-4, 0.01, 0.01),
    "femur": (0.008, 0.008, 0.008),
    "tibia": (0.004, 0.03, 0.004),
    "talus": (0.004, 0.03, 0.004),
    "calcn": (0.004, 0.005, 0.005),
    "humerus": (0.015, 0.02, 0.015),
    "ulna": (0.004, 0.03, 0.004),
}
_LOOKS = 10.0  # frames are not independent: skin slides in the same way in all strides. All together count as so many
_CALIBRATION = 60  # frames, spread over the clip, that the body is found from
_ROUNDS, _POSE_ROUNDS = 25, 12
_SETTLED = 1e-5  # m and rad


@dataclass
class _State:
    """A body and its poses, and what is known of them beforehand."""

    skeleton: Skeleton
    offsets: FloatArray  # (J, 3) m, of the joints; the part of the skeleton that is being found
    segments: IntArray  # (M,) the joints that carry the markers
    local: FloatArray  # (M, 3) m, of the markers on their segments
    roots: FloatArray  # (F, 3) m
    turns: FloatArray  # (F, J, 4)
    bends: list[tuple[int, FloatArray, float, float]]  # joint, axis in its frame, usual angle, spread

    def __post_init__(self) -> None:
        parents = self.skeleton.parents
        self.above = np.eye(len(parents), dtype=bool)  # [j, a]: a is j or carries it
        for j in range(1, len(parents)):
            self.above[j] |= self.above[parents[j]]

    def world(self) -> tuple[FloatArray, FloatArray]:
        """Joints ``(F, J, 3)`` m and matrices ``(F, J, 3, 3)`` in the world."""
        matrices = rot.to_matrix(self.turns)
        at = np.empty((*self.turns.shape[:2], 3))
        at[:, 0] = self.roots
        for j, parent in enumerate(self.skeleton.parents[1:], start=1):
            at[:, j] = at[:, parent] + matrices[:, parent] @ self.offsets[j]
            matrices[:, j] = matrices[:, parent] @ matrices[:, j]
        return at, matrices

    def markers(self) -> FloatArray:
        """The markers ``(F, M, 3)`` m where this body has them."""
        at, matrices = self.world()
        return at[:, self.segments] + np.einsum("fmab,mb->fma", matrices[:, self.segments], self.local)

    def pose_slopes(self) -> FloatArray:
        """How markers move ``(F, M, 3, D)`` with the root's position and every bend."""
        at, matrices = self.world()
        points = self.markers()
        out = np.zeros((*points.shape, 3 + len(self.bends)))
        out[..., :3] = np.eye(3)
        for d, (joint, axis, _, _) in enumerate(self.bends, start=3):
            mine = self.above[self.segments, joint]
            arms = points[:, mine] - at[:, None, joint]
            out[..., d][:, mine] = np.cross((matrices[:, joint] @ axis)[:, None], arms)
        return out

    def body_slopes(self, joints: list[int]) -> FloatArray:
        """How markers move ``(F, M, 3, 3 J + 3 M)`` with the offsets of these joints and their own."""
        _, matrices = self.world()
        count = len(self.segments)
        out = np.zeros((len(self.roots), count, 3, len(joints) + count, 3))
        for k, joint in enumerate(joints):
            out[:, :, :, k][:, self.above[self.segments, joint]] = matrices[:, None, self.skeleton.parents[joint]]
        for m, segment in enumerate(self.segments):
            out[:, m, :, len(joints) + m] = matrices[:, segment]
        return out.reshape(len(self.roots), count, 3, -1)

    def unusual(self) -> tuple[FloatArray, FloatArray]:
        """How far bends ``(F, D)`` are from the usual, and the weights ``(D,)`` of that; nothing for the root."""
        out, weights = np.zeros((len(self.roots), 3 + len(self.bends))), np.zeros(3 + len(self.bends))
        for d, (joint, axis, usual, spread) in enumerate(self.bends, start=3):
            out[:, d] = rot.log(self.turns[:, joint]) @ axis - usual
            weights[d] = spread**-2.0
        return out, weights

    def move(self, step: FloatArray) -> None:
        """Add ``(F, D)`` to the poses."""
        self.roots = self.roots + step[:, :3]
        turned = np.zeros((*self.turns.shape[:2], 3))
        for d, (joint, axis, _, _) in enumerate(self.bends, start=3):
            turned[:, joint] += step[:, d, None] * axis
        self.turns = rot.normalize(rot.multiply(self.turns, rot.exp(turned)))


def spot_of(name: str) -> Spot | None:
    """Where a marker of this name is stuck, on the side that it names; None for names not known."""
    if name in MIDDLE:
        return MIDDLE[name]
    named = re.fullmatch(r"([rl])[_.]?(.+)", name.lower())
    if named is None or named[2] not in SIDED:
        return None
    spot, side = SIDED[named[2]], 1.0 if named[1] == "l" else -1.0
    segment = spot.segment if spot.segment in ("pelvis", "torso") else f"{spot.segment}_{named[1]}"
    return Spot(segment, (side * spot.at[0], spot.at[1], spot.at[2]), spot.doubt)


def fit_markers(markers: Markers, height: float) -> Motion:
    """The motion of a person of OpenSim's kind from markers.

    Parameters
    ----------
    markers : in our axes; names of the sets of OpenCap or of Hamner and Delp, others are left out
    height : m, of the person
    """
    spots = {name: spot for name in markers.names if (spot := spot_of(name)) is not None}
    if not {"pelvis", "torso", "tibia_l", "tibia_r", "calcn_l", "calcn_r"} <= {spot.segment for spot in spots.values()}:
        raise LocomoteError(f"too few markers of a person: {', '.join(markers.names)}")
    seen = np.stack([markers.position(name) for name in spots], axis=1)
    scale = height / model.REFERENCE_HEIGHT
    skeleton = model.human_skeleton(scale, 1.0)
    local = scale * np.array([spot.at for spot in spots.values()])
    doubt = scale * np.repeat([[spot.doubt] for spot in spots.values()], 3, axis=1)
    noise = np.array([NOISE[re.sub("_[lr]$", "", spot.segment)] for spot in spots.values()])
    offsets = _with_hips(skeleton, dict(zip(spots, np.moveaxis(seen, 1, 0), strict=True)), local, list(spots))
    state = _State(
        skeleton=skeleton,
        offsets=offsets,
        segments=np.array([skeleton.index(spot.segment) for spot in spots.values()]),
        local=local,
        roots=np.zeros((len(seen), 3)),
        turns=rot.identity(len(seen), len(skeleton)),
        bends=_bends(skeleton),
    )
    _begin(state, seen)
    _pose(state, seen, np.hypot(noise, doubt[:, 0]))
    some = np.unique(np.linspace(0, len(seen) - 1, _CALIBRATION).astype(int))
    part = replace(state, roots=state.roots[some], turns=state.turns[some])
    _calibrate(part, seen[some], noise, doubt, scale)
    state.offsets, state.local = part.offsets, part.local
    _pose(state, seen, noise)
    return _motion(state, markers.fps)


def _bends(skeleton: Skeleton) -> list[tuple[int, FloatArray, float, float]]:
    out = [(skeleton.index(bend.joint), np.array(bend.axis), bend.usual, bend.spread) for bend in TRUNK_BENDS]
    for side, mirror in (("_l", (1.0, 1.0, 1.0)), ("_r", (1.0, -1.0, -1.0))):  # an axis mirrors with its sense
        for bend in LIMB_BENDS:
            axis = np.array(bend.axis) * mirror
            out.append((skeleton.index(bend.joint + side), axis / np.linalg.norm(axis), bend.usual, bend.spread))
    return out


def _with_hips(skeleton: Skeleton, seen: dict[str, FloatArray], local: FloatArray, names: list[str]) -> FloatArray:
    """Offsets of the joints, the hips by Harrington's regression (2007) from the four markers of the pelvis."""
    corner = {}
    for kind in ("as", "ps"):
        for side in "lr":
            name = next(n for n in names if re.fullmatch(rf"{side}[.]?{kind}is?", n.lower()))
            corner[kind + side] = seen[name], local[names.index(name)]
    wide = float(np.nanmedian(np.linalg.norm(corner["asl"][0] - corner["asr"][0], axis=1)))
    across = (corner["asl"][0] + corner["asr"][0] - corner["psl"][0] - corner["psr"][0]) / 2.0
    deep = float(np.nanmedian(np.linalg.norm(across, axis=1)))
    forward = corner["asl"][1] - corner["psl"][1]
    forward = forward * (0.0, 1.0, 1.0) / np.linalg.norm(forward[1:])
    up = np.cross(forward, _X)
    offsets = np.array(skeleton.offsets)
    for side, sign in (("_l", 1.0), ("_r", -1.0)):
        hip = forward * (-0.24 * deep - 0.0099) + up * (-0.30 * wide - 0.0109)
        offsets[skeleton.index("femur" + side)] = hip + np.array(_X) * sign * (0.33 * wide + 0.0073)
    for name in corner:  # the pelvis is as wide as it was measured
        pass
    return offsets


def _begin(state: _State, seen: FloatArray) -> None:
    """The pelvis where its markers are; all else at rest."""
    own = state.segments == 0
    known = state.local[own]
    middle = np.nanmean(seen[:, own], axis=1)
    spread = np.nan_to_num(seen[:, own] - middle[:, None])
    u, _, vt = np.linalg.svd(np.einsum("fma,mb->fab", spread, known - known.mean(axis=0)))
    flip = np.ones((len(seen), 1, 3))
    flip[:, 0, 2] = np.linalg.det(u @ vt)
    matrix = (u * flip) @ vt
    state.turns[:, 0] = rot.from_matrix(matrix)
    state.roots = middle - matrix @ known.mean(axis=0)
    for joint, axis, usual, _ in state.bends:
        if usual:
            state.turns[:, joint] = rot.from_axis_angle(axis, np.full(len(seen), usual))


def _off(state: _State, seen: FloatArray, noise: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far markers are from where they were seen ``(F, 3 M)`` and the weights of that; nothing where not seen."""
    off = seen - state.markers()
    weights = np.where(np.isfinite(off), noise[:, None] ** -2.0, 0.0)
    return np.nan_to_num(off).reshape(len(off), -1), weights.reshape(len(off), -1)


def _pose(state: _State, seen: FloatArray, noise: FloatArray) -> None:
    """The poses of a known body, by Gauss and Newton."""
    for _ in range(_POSE_ROUNDS):
        off, weights = _off(state, seen, noise)
        slopes = state.pose_slopes().reshape(*off.shape, -1)
        unusual, stiff = state.unusual()
        weighed = np.swapaxes(slopes * weights[..., None], 1, 2)
        pull = weighed @ off[..., None] - (stiff * unusual)[..., None]
        step = np.linalg.solve(weighed @ slopes + np.diag(stiff + 1e-6), pull)[..., 0]
        state.move(np.clip(step, -0.5, 0.5))
        if np.abs(step).max() < _SETTLED:
            break


def _calibrate(state: _State, seen: FloatArray, noise: FloatArray, doubt: FloatArray, scale: float) -> None:
    """The body and the poses together: each pose depends on the body alone, and is eliminated from its equations."""
    names = state.skeleton.names
    joints = [j for j, name in enumerate(names) if re.sub("_[lr]$", "", name) in JOINT_DOUBT]
    doubts = [scale * np.array(JOINT_DOUBT[re.sub("_[lr]$", "", names[j])]) for j in joints]
    trust = len(seen) / _LOOKS * np.concatenate([*doubts, doubt.ravel()]) ** -2.0
    before = np.concatenate([state.offsets[joints].ravel(), state.local.ravel()])
    for _ in range(_ROUNDS):
        off, weights = _off(state, seen, noise)
        slopes = state.pose_slopes().reshape(*off.shape, -1)
        shape = state.body_slopes(joints).reshape(*off.shape, -1)
        unusual, stiff = state.unusual()
        weighed = np.swapaxes(slopes * weights[..., None], 1, 2)
        pose = weighed @ slopes + np.diag(stiff + 1e-6)
        mixed = weighed @ shape  # (F, D, P)
        pull = (weighed @ off[..., None])[..., 0] - stiff * unusual
        now = np.concatenate([state.offsets[joints].ravel(), state.local.ravel()])
        flat = shape.reshape(-1, shape.shape[-1])
        body = flat.T @ (flat * weights.reshape(-1, 1)) + np.diag(trust)
        push = flat.T @ (weights * off).ravel() - trust * (now - before)
        solved = np.linalg.solve(pose, np.concatenate([mixed, pull[..., None]], axis=2))
        body -= np.tensordot(mixed, solved[..., :-1], ((0, 1), (0, 1)))
        push -= np.tensordot(mixed, solved[..., -1], ((0, 1), (0, 1)))
        change = np.linalg.solve(body, push)
        step = solved[..., -1] - solved[..., :-1] @ change
        state.move(np.clip(step, -0.5, 0.5))
        now += np.clip(change, -0.05, 0.05)
        state.offsets = state.offsets.copy()
        state.offsets[joints] = now[: 3 * len(joints)].reshape(-1, 3)
        state.local = now[3 * len(joints) :].reshape(-1, 3)
        if np.abs(change).max() < 1e-4:
            break


def _motion(state: _State, fps: float) -> Motion:
    """With the head held level: no marker is on it."""
    index = state.skeleton.index
    turns = state.turns.copy()
    chest = rot.multiply(turns[:, 0], turns[:, index("lumbar1")])
    level = rot.exp(rot.log(rot.multiply(rot.inverse(chest), rot.from_yaw(rot.yaw(chest)))) / 2.0)
    turns[:, index("neck")] = turns[:, index("head")] = level
    return Motion(replace(state.skeleton, offsets=state.offsets), fps, state.roots, rot.canonical(turns))


def marker_trial(name: str) -> ForceTrial:
    """A trial by its name, with the motion of its markers in place of that of its joint coordinates."""
    trial = read_trial(name)
    markers = read_markers(DATA / "human" / trial.gait / f"{name}.trc.xz")
    return replace(trial, motion=fit_markers(markers, trial.height), start=float(markers.times[0]))
