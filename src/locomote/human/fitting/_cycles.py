"""Gait cycles out of a clip: strikes found, every candidate judged, the good ones closed and brought to one form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._denoising import smoothed
from locomote.human.fitting._importing import Capture
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

SAMPLES = 50  # poses in a unit; finer than the 25 of the source, which blurs short contacts
HARMONICS = 12  # of the closed cycle: 11 Hz in walking, 17 Hz in running, above what the filter leaves

CUTOFF = {"walk": 8.0, "run": 12.0}  # Hz
RUN_STRIKE_DELAY = 0.027  # s; the foremost ankle comes this much before the force in running
STRIKE_PROMINENCE = 0.08  # m
STRIKE_SPACING = 0.35  # s between strikes of one foot
SLOWEST = 0.2  # m/s
DURATION = {"walk": (0.75, 3.2), "run": (0.5, 0.95)}  # s
OTHER_FOOT = (0.42, 0.58)  # phase of the other foot's strike
PELVIS_TURN = np.radians(15.0)
PATH_TURN = np.radians(20.0)
FACING = np.radians(15.0)  # between facing and travel
SPEED_CHANGE = 0.15  # between the two halves
GAP = np.radians(9.0)  # rms over the limb joints between first and last pose; 11 degrees for slow walks
GAP_SLOW = np.radians(11.0)

LIMBS = tuple(
    COMMON.index(f"{side}{part}") for side in ("Left", "Right") for part in ("Arm", "ForeArm", "UpLeg", "Leg", "Foot")
)
_HIPS = [COMMON.index(name) for name in ("LeftUpLeg", "RightUpLeg")]
_ANKLES = tuple(COMMON.index(f"{side}Foot") for side in ("Left", "Right"))


@dataclass(frozen=True, eq=False)
class Unit:
    """One closed gait cycle on the common skeleton; phase 0 is the right heel strike, travel is +Z and taken out."""

    subject: str
    clip: str
    gait: str
    speed: float  # m/s of the performer
    hip_height: float  # m
    duration: float  # s
    root: FloatArray  # (SAMPLES, 3) hip heights
    rotations: FloatArray  # (SAMPLES, J, 4)

    @property
    def normal_speed(self) -> float:
        """Speed in hip heights a second."""
        return self.speed / self.hip_height


@dataclass(frozen=True)
class Rejection:
    """A candidate that was not taken, and why."""

    clip: str
    start: float  # s
    stop: float
    reason: str


def find_units(
    capture: Capture, subject: str, clip: str, gait: str, belt_speed: float = 0.0
) -> tuple[list[Unit], list[Rejection]]:
    """The cycles of one clip that are straight, steady and closed. ``belt_speed`` is that of a treadmill, m/s."""
    capture = smoothed(capture, CUTOFF[gait])
    fps, height = capture.fps, capture.hip_height
    root = capture.root * height
    if belt_speed:
        root = root + np.outer(np.arange(len(root)) / fps, [0.0, 0.0, belt_speed])
    ankles = Motion(COMMON, fps, capture.root, capture.rotations).joint_positions()[:, _ANKLES] * height
    ankles = ankles - capture.root[:, None] * height  # relative to the pelvis
    strikes = _strikes(root, ankles, fps, gait)
    units: list[Unit] = []
    rejected: list[Rejection] = []
    for foot in (0, 1):
        for start, stop in zip(strikes[foot], strikes[foot][1:], strict=False):
            reason, other = _judge(root, capture, start, stop, strikes[1 - foot], gait)
            if reason:
                rejected.append(Rejection(clip, start / fps, stop / fps, reason))
                continue
            begin = 0.0 if foot == 1 else (other - start) / (stop - start)
            units.append(_closed(root, capture, start, stop, begin, subject, clip, gait))
    return units, rejected


def _strikes(root: FloatArray, ankles: FloatArray, fps: float, gait: str) -> list[list[float]]:
    """Frames at which each ankle is foremost along the travel, left then right."""
    from scipy.ndimage import uniform_filter1d  # slow to import, needed offline only
    from scipy.signal import find_peaks

    if len(root) < 2:
        return [[], []]
    velocity = np.gradient(uniform_filter1d(root[:, [0, 2]], max(1, round(0.5 * fps)), axis=0, mode="nearest"), axis=0)
    direction = velocity / np.maximum(np.linalg.norm(velocity, axis=1, keepdims=True), 1e-9)
    delay = RUN_STRIKE_DELAY * fps if gait == "run" else 0.0
    out = []
    for foot in (0, 1):
        ahead = np.sum(ankles[:, foot][:, [0, 2]] * direction, axis=1)
        peaks, _ = find_peaks(ahead, prominence=STRIKE_PROMINENCE, distance=max(1, round(STRIKE_SPACING * fps)))
        out.append([float(p) + _vertex(ahead, int(p)) + delay for p in peaks if p + delay < len(root) - 1])
    return out


def _vertex(values: FloatArray, peak: int) -> float:
    """Sub-frame place of a maximum, from the parabola through its neighbours."""
    if not 0 < peak < len(values) - 1:
        return 0.0
    a, b, c = values[peak - 1 : peak + 2]
    curve = a - 2 * b + c
    return float(np.clip(0.5 * (a - c) / curve, -0.5, 0.5)) if curve < 0 else 0.0


def _judge(
    root: FloatArray, capture: Capture, start: float, stop: float, others: list[float], gait: str
) -> tuple[str, float]:
    """Why a candidate is no clean cycle ("" if it is), and the strike of the other foot inside it."""
    fps = capture.fps
    first, last = round(start), round(stop)
    middle = (first + last) // 2
    duration = (stop - start) / fps
    shortest, longest = DURATION[gait]
    if not shortest <= duration <= longest:
        return f"lasts {duration:.2f} s", 0.0
    way = root[last, [0, 2]] - root[first, [0, 2]]
    speed = float(np.linalg.norm(way)) / duration
    if speed < SLOWEST:
        return "standing", 0.0
    inside = [s for s in others if start < s < stop]
    if len(inside) != 1:
        return f"{len(inside)} strikes of the other foot", 0.0
    phase = (inside[0] - start) / (stop - start)
    if not OTHER_FOOT[0] <= phase <= OTHER_FOOT[1]:
        return f"other foot at phase {phase:.2f}", 0.0
    facing = rot.yaw(capture.rotations[first : last + 1, 0])
    if np.ptp(np.unwrap(facing)[[0, -1]]) > PELVIS_TURN:
        return "turning", 0.0
    halves = [root[middle, [0, 2]] - root[first, [0, 2]], root[last, [0, 2]] - root[middle, [0, 2]]]
    angles = [np.arctan2(h[0], h[1]) for h in halves]
    if abs(_wrapped(angles[1] - angles[0])) > PATH_TURN:
        return "path turns", 0.0
    mean_facing = np.arctan2(np.mean(np.sin(facing)), np.mean(np.cos(facing)))
    if abs(_wrapped(float(np.arctan2(way[0], way[1])) - mean_facing)) > FACING:
        return "not facing the travel", 0.0
    lengths = [np.linalg.norm(h) for h in halves]
    times = [middle - first, last - middle]
    if abs(lengths[0] / times[0] - lengths[1] / times[1]) * fps > SPEED_CHANGE * speed:
        return "speed changes", 0.0
    ends = capture.rotations[[first, last]][:, LIMBS]
    gap = float(np.sqrt(np.mean(rot.distance(ends[0], ends[1]) ** 2)))
    if gap > (GAP_SLOW if speed < 0.6 else GAP):
        return f"not cyclic, {np.degrees(gap):.0f} degrees between its ends", 0.0
    return "", inside[0]


def _closed(
    root: FloatArray,
    capture: Capture,
    start: float,
    stop: float,
    begin: float,
    subject: str,
    clip: str,
    gait: str,
) -> Unit:
    """One cycle from phase ``begin`` on, with ends that meet smoothly and travel along +Z taken out."""
    fps, height = capture.fps, capture.hip_height
    duration = (stop - start) / fps
    ramp = np.arange(2 * SAMPLES + 1) / (2 * SAMPLES)
    at = start + (stop - start) * ramp
    turns = _sampled_rotations(capture.rotations, at)
    path = np.stack([np.interp(at, np.arange(len(root)), root[:, k]) for k in range(3)], axis=1)
    way = path[-1, [0, 2]] - path[0, [0, 2]]
    speed = float(np.linalg.norm(way)) / duration
    straighten = rot.from_yaw(-float(np.arctan2(way[0], way[1])))
    path = rot.rotate(straighten, path)
    turns[:, 0] = rot.multiply(straighten, turns[:, 0])
    centre = rot.mean(turns[:-1], rounds=2)  # any rotation near the mean serves here
    path = closed_curve(path, begin)
    path[:, [0, 2]] -= path[:, [0, 2]].mean(axis=0)
    turns = rot.multiply(centre, rot.exp(closed_curve(rot.log(rot.multiply(rot.inverse(centre), turns)), begin)))
    face_ahead(turns)
    return Unit(subject, clip, gait, speed, height, duration, path / height, turns)


def face_ahead(turns: FloatArray) -> None:
    """Turn pelvis and trunk to face the travel on average, in place; the legs keep their direction."""
    aside = rot.from_yaw(-float(np.mean(np.unwrap(rot.yaw(turns[:, 0])))))
    before = turns[:, 0].copy()
    turns[:, 0] = rot.multiply(aside, before)
    back = rot.multiply(rot.inverse(turns[:, 0]), before)
    turns[:, _HIPS] = rot.multiply(back[:, None], turns[:, _HIPS])


def closed_curve(values: FloatArray, begin: float = 0.0, samples: int = SAMPLES) -> FloatArray:
    """Values ``(n + 1, ...)`` over a cycle, both ends included, as samples of a smooth periodic curve from ``begin``.

    A ramp brings the ends together; leaving out high harmonics rounds the corner that remains there.
    """
    count = len(values) - 1
    ramp = (np.arange(count) / count - 0.5).reshape(-1, *(1,) * (values.ndim - 1))
    level = values[:-1] - ramp * (values[-1] - values[0])
    spectrum = np.fft.rfft(level, axis=0)[: HARMONICS + 1] / count
    phase = (np.arange(samples) / samples + begin)[:, None] * np.arange(HARMONICS + 1)
    turn = np.exp(2j * np.pi * phase) * np.where(np.arange(HARMONICS + 1) > 0, 2.0, 1.0)
    out: FloatArray = np.tensordot(turn, spectrum, axes=1).real
    return out


def _sampled_rotations(turns: FloatArray, at: FloatArray) -> FloatArray:
    before = np.minimum(at.astype(int), len(turns) - 2)
    mix = np.broadcast_to((at - before)[:, None], (len(at), turns.shape[1]))
    return rot.slerp(turns[before], turns[before + 1], mix)


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
