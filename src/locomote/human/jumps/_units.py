"""One recorded jump in the common form, and its mirror image."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from locomote import rotations as rot
from locomote.human.jumps import _timeline as timeline
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

KINDS = ("standing", "moving", "walking", "running")  # walking and running are the run-ups of the source
OTHER_SIDE = {"left": "right", "right": "left", "both": "both"}

_SWAP = {"Left": "Right", "Right": "Left"}
BALLS = [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]


def _other(name: str) -> str:
    for side, opposite in _SWAP.items():
        if name.startswith(side):
            return opposite + name.removeprefix(side)
    return name


_MIRROR = [COMMON.index(_other(name)) for name in COMMON.names]


@dataclass(frozen=True, eq=False)
class JumpUnit:
    """A jump on the common skeleton and timeline, heading +Z, relative to its reference on the floor.

    Lengths are in hip heights, times in ``sqrt(hip height / g)``.
    """

    subject: str
    clip: str
    kind: str
    side: str  # the foot that takes off: left, right or both
    hip_height: float  # m, of the performer
    length: float  # from where the ball(s) took off to where they land
    support: float  # start to the last toe-off
    flight: float
    landing: float  # first touch-down to the end
    speed: float  # of the reference in flight
    root: FloatArray  # (SAMPLES, 3)
    rotations: FloatArray  # (SAMPLES, J, 4)
    pace: FloatArray  # (SAMPLES,) time since the start at which the poses were recorded
    events: dict[str, float] = field(default_factory=dict)  # places on the timeline
    weight: float = 1.0  # in the fit
    trust: FloatArray = field(default_factory=lambda: np.ones(timeline.SAMPLES))  # (SAMPLES,) of every pose

    def travel(self) -> FloatArray:
        """How far the reference has come at every sample."""
        if self.kind == "standing":
            return timeline.standing_travel(self.pace, self.length, self.support, self.flight)
        return self.speed * self.pace


def played(
    root: FloatArray,
    rotations: FloatArray,
    way: FloatArray,
    support: float,
    flight: float,
    landing: float,
    fps: float,
) -> Motion:
    """Samples of a unit and the way of its reference as a motion of a body with hips 1 m high."""
    at = timeline.times(timeline.nodes(), support, flight, landing) * timeline.time_unit(1.0)
    frames = np.arange(int(at[-1] * fps) + 1) / fps
    path = root + way[:, None] * [0.0, 0.0, 1.0]
    where = np.interp(frames, at, np.arange(len(at)))
    return Motion(COMMON, fps, sampled(path, where), sampled_rotations(rotations, where), name="jump")


def mirrored(unit: JumpUnit) -> JumpUnit:
    """The same jump with left and right exchanged."""
    root, turns = mirrored_pose(unit.root, unit.rotations)
    return replace(unit, side=OTHER_SIDE[unit.side], root=root, rotations=turns)


def mirrored_pose(root: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Poses ``(..., 3)`` and ``(..., J, 4)`` with left and right exchanged."""
    return root * [-1.0, 1.0, 1.0], rotations[..., _MIRROR, :] * [1.0, 1.0, -1.0, -1.0]


def sampled(values: FloatArray, at: FloatArray) -> FloatArray:
    """Rows of ``values (F, n)`` at fractional frames."""
    before = np.clip(np.floor(at).astype(int), 0, len(values) - 2)
    mix = (at - before)[:, None]
    out: FloatArray = (1.0 - mix) * values[before] + mix * values[before + 1]
    return out


def sampled_rotations(turns: FloatArray, at: FloatArray) -> FloatArray:
    """Rotations ``(F, J, 4)`` at fractional frames."""
    before = np.clip(np.floor(at).astype(int), 0, len(turns) - 2)
    mix = np.broadcast_to((at - before)[:, None], (len(at), turns.shape[1]))
    return rot.slerp(turns[before], turns[before + 1], mix)
