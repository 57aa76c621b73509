"""How well feet hold to the ground in a drive: sliding, sinking in, steps missed, knees, and jerks against the source.

The source is the same drive played without holding the feet (`Crowd(..., feet=False)`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from locomote.human._crowd import Crowd
from locomote.human_skeleton import BALL_AHEAD_OF_ANKLE, COMMON, HEEL_BEHIND_ANKLE, TOE_LENGTH
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote_lab.human.foot_record import POINTS, BoolArray, Drive, FootRecord, record_feet

MOST_SLIDE = 0.002  # m, of a planted point from where it came down
MOST_PENETRATION = 0.002  # m, of any point of a foot below the ground
MOST_ACCELERATION = 1.5  # times the largest of the source, of every joint
MOST_KNEE_ACCELERATION = 1.5  # times the largest angular acceleration of the source's knees
MOST_BACKWARDS = 1e-3  # rad that a knee may bend backwards by rounding
LONGEST_SWING = 2.0  # s
LANDING_HEIGHT = 0.005  # m over the ground at which a foot that begins to stand has found no ground
SAME_STEP = 0.5  # cycles; two landings closer together are one step taken twice
STEP_LEFT_OUT = 1.6  # cycles from one landing to the next; a body that stops may be half a cycle off
RARE = 99.9  # percentile of accelerations beside the largest
SIDES = ("left", "right")
FROM_BALL = np.array([HEEL_BEHIND_ANKLE + BALL_AHEAD_OF_ANKLE, 0.0, TOE_LENGTH])  # hip heights, of heel, ball, tip


class Worst(NamedTuple):
    """The worst value of a measure, and where to look for it."""

    value: float
    part: str  # joint, or side and point of a foot
    who: int  # character
    second: float  # of the drive


class Miss(NamedTuple):
    """A step that went wrong."""

    kind: str  # one of the kinds below
    side: str
    who: int  # character
    second: float  # of the drive


LONG_SWING = "long swing"  # a foot off the ground for longer than 2 s or a whole cycle
LEFT_OUT = "left out"  # a foot that stood while its cycle asked for a step
DOUBLED = "doubled"  # two landings in one step
IN_THE_AIR = "in the air"  # a foot that began to stand where no ground was


@dataclass(frozen=True)
class FootReport:
    """What was measured; lengths in metres, angles in radians, accelerations as ratios to the source."""

    characters: int
    seconds: float  # of each character
    landings: int
    planted_share: float  # of the time of a foot
    slide: Worst
    penetration: Worst
    missed: tuple[Miss, ...]
    straightest_knee: Worst
    backwards_knee: Worst  # how far beyond straight, 0 if never
    acceleration: Worst | None  # the largest of a joint over the largest of the same joint in the source
    rare_acceleration: Worst | None  # the same for the 99.9th percentiles
    knee_acceleration: Worst | None

    def failures(self) -> list[str]:
        """What is beyond its limit, a line each."""
        limits: list[tuple[str, Worst | None, float]] = [
            ("slide, m", self.slide, MOST_SLIDE),
            ("penetration, m", self.penetration, MOST_PENETRATION),
            ("knee backwards, rad", self.backwards_knee, MOST_BACKWARDS),
            ("acceleration, of the source", self.acceleration, MOST_ACCELERATION),
            ("knee acceleration, of the source", self.knee_acceleration, MOST_KNEE_ACCELERATION),
        ]
        out = [
            f"{name}: {worst.value:.4g} ({worst.part}, character {worst.who}, {worst.second:.2f} s), at most {most:g}"
            for name, worst, most in limits
            if worst is not None and not worst.value <= most
        ]
        out += [
            f"missed footplant: {miss.kind} ({miss.side}, character {miss.who}, {miss.second:.2f} s)"
            for miss in self.missed
        ]
        return out

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers and texts, by name."""
        out = asdict(self)
        for name, value in vars(self).items():
            if isinstance(value, Worst):
                out[name] = value._asdict()
        out["missed"] = [miss._asdict() for miss in self.missed]
        return out


def compare_feet(
    build: Callable[[bool], Crowd], seconds: float, drive: Callable[[], Drive], fps: float = 60.0
) -> tuple[FootReport, FootReport]:
    """Drive a crowd with its feet held and the same one without; gives back the reports of both.

    ``build`` makes the crowd, with or without holding, each on a ground of its own; ``drive`` makes the driver anew.
    The source is measured over the contacts of the held feet, of which it knows nothing itself.
    """
    held, source = (record_feet(build(hold), seconds, drive(), fps) for hold in (True, False))
    return foot_report(held, source), foot_report(replace(source, planted=held.planted), source)


def foot_report(held: FootRecord, source: FootRecord | None = None) -> FootReport:
    """Measure a record; accelerations only beside that of its source."""
    frames, count = held.cycles.shape
    bends = held.knee_bends
    straightest, backwards = bends.clip(min=0.0), (-bends).clip(min=0.0)
    ratios: list[Worst | None] = [None, None, None]
    if source is not None:
        ratios = [*_joint_ratios(held, source), _knee_ratio(held, source)]
    landings = held.standing[1:] & ~held.standing[:-1]
    return FootReport(
        characters=count,
        seconds=(frames - 1) / held.fps,
        landings=int(landings.sum()),
        planted_share=float(held.standing.mean()),
        slide=_worst(_slides(held), _foot_points(), held.fps),
        penetration=_worst((-held.heights).clip(min=0.0), _foot_points(), held.fps),
        missed=_missed(held),
        straightest_knee=_worst(straightest, SIDES, held.fps, least=True),
        backwards_knee=_worst(backwards, SIDES, held.fps),
        acceleration=ratios[0],
        rare_acceleration=ratios[1],
        knee_acceleration=ratios[2],
    )


def _foot_points() -> tuple[str, ...]:
    return tuple(f"{side} {point}" for side in SIDES for point in POINTS)


def _worst(values: FloatArray, parts: tuple[str, ...], fps: float, least: bool = False) -> Worst:
    """The largest of values ``(F, N, ...)`` whose last axes are the parts, and where it is; or the least."""
    flat = values.reshape(*values.shape[:2], -1)
    at = int(np.argmin(flat) if least else np.argmax(flat))
    frame, who, part = np.unravel_index(at, flat.shape)
    return Worst(float(flat[frame, who, part]), parts[int(part)], int(who), float(frame / fps))


def _slides(held: FootRecord) -> FloatArray:
    """How far each planted point is from where its contact began, ``(F, N, 2, 3)``; 0 where it is not planted.

    A foot that grows stays with its ball: what heel and tip move by that is no slide.
    """
    began = _run_starts(held.planted)
    first = np.take_along_axis(held.on_ground, began[..., None], axis=0)
    away = np.linalg.norm(held.on_ground - first, axis=-1)
    sizes = np.broadcast_to(held.sizes[..., None, None], away.shape)
    grown = np.abs(sizes - np.take_along_axis(sizes, began, axis=0)) * FROM_BALL
    out: FloatArray = np.where(held.planted, away - grown, 0.0).clip(min=0.0)
    return out


def _run_starts(flags: BoolArray) -> IntArray:
    """For every frame the one at which its run of equal flags began, along the first axis."""
    frames = np.arange(len(flags)).reshape(-1, *[1] * (flags.ndim - 1))
    changes = np.concatenate([np.ones_like(flags[:1]), flags[1:] != flags[:-1]])
    out: IntArray = np.maximum.accumulate(np.where(changes, frames, 0), axis=0)
    return out


def _missed(held: FootRecord) -> tuple[Miss, ...]:
    found: list[Miss] = []
    for who in range(held.cycles.shape[1]):
        for leg in range(2):
            found += _missed_by(held, who, leg)
    return tuple(sorted(found, key=lambda miss: miss.second))


def _missed_by(held: FootRecord, who: int, leg: int) -> list[Miss]:
    """The steps of one foot that went wrong."""
    stands, cycles = held.standing[:, who, leg], held.cycles[:, who]
    landed = np.flatnonzero(stands[1:] & ~stands[:-1]) + 1
    lifted = np.flatnonzero(~stands[1:] & stands[:-1]) + 1
    # From each lift to the landing after it, or to the end.
    ends = np.append(landed, len(stands) - 1)[np.searchsorted(landed, lifted, side="right")]
    long = (ends - lifted > LONGEST_SWING * held.fps) | (cycles[ends] - cycles[lifted] > 1.0)
    steps = np.diff(cycles[landed])
    # Who stands may settle a foot, which is no step of a cycle.
    left = np.append(0, lifted)[np.searchsorted(lifted, landed)]
    walked = np.array(
        [np.all(np.diff(cycles[a:b]) > 0.0) for a, b in zip(left[:-1], landed[1:], strict=True)],
        dtype=np.bool_,
    )
    off_ground = np.where(held.planted, np.abs(held.heights), np.inf).min(axis=-1)[landed, who, leg]
    kinds = {
        LONG_SWING: lifted[long],
        LEFT_OUT: landed[1:][steps > STEP_LEFT_OUT],
        DOUBLED: landed[1:][(steps < SAME_STEP) & walked],
        IN_THE_AIR: landed[off_ground > LANDING_HEIGHT],
    }
    return [Miss(kind, SIDES[leg], who, float(at / held.fps)) for kind, frames in kinds.items() for at in frames]


def acceleration_ratios(held: FootRecord, source: FootRecord) -> FloatArray:
    """The largest acceleration of every joint of every character over that of its own source, ``(N, J)``."""
    ours, theirs = _accelerations(held.joints, held.fps), _accelerations(source.joints, source.fps)
    out: FloatArray = ours.max(axis=0) / theirs.max(axis=0)
    return out


def _joint_ratios(held: FootRecord, source: FootRecord) -> tuple[Worst, Worst]:
    """The largest ratio of peak accelerations over all joints, and that of their 99.9th percentiles."""
    ours, theirs = _accelerations(held.joints, held.fps), _accelerations(source.joints, source.fps)
    peaks = ours.max(axis=(0, 1)) / theirs.max(axis=(0, 1))
    rare = np.percentile(ours, RARE, axis=(0, 1))
    rare_ratios = rare / np.percentile(theirs, RARE, axis=(0, 1))
    return _ratio(peaks, ours, held.fps), _ratio(rare_ratios, ours, held.fps)


def _ratio(ratios: FloatArray, values: FloatArray, fps: float) -> Worst:
    """The largest ratio of a joint, and where its value is largest."""
    joint = int(np.argmax(ratios))
    peak = _worst(values[:, :, joint], (COMMON.names[joint],), fps)
    return peak._replace(value=float(ratios[joint]), second=peak.second + 1.0 / fps)


def _accelerations(points: FloatArray, fps: float) -> FloatArray:
    out: FloatArray = np.linalg.norm(np.diff(points, n=2, axis=0), axis=-1) * fps**2
    return out


def _knee_ratio(held: FootRecord, source: FootRecord) -> Worst:
    """The largest angular acceleration of a knee over the largest of the source."""
    ours, theirs = (np.abs(np.diff(each.knee_bends, n=2, axis=0)) for each in (held, source))
    worst = _worst(ours, SIDES, held.fps)
    return worst._replace(value=worst.value / float(theirs.max()), second=worst.second + 1.0 / held.fps)
