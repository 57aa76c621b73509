"""The strides of an animal on four legs, measured: when its feet land, how they swing, how its trunk moves.

Every stride is brought to phases from 0 to 1, beginning with the landing of the left hind foot, or in gallops with
that of the hind foot that lands first; strides of one gait are averaged. Lengths are in heights h of the hips, times
in sqrt(h / g), angles in degrees: pitch with the nose up, yaw to the left, roll with the left side up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray
from locomote_lab.creatures.footfalls import (
    LEFT_FORE,
    LEFT_HIND,
    RIGHT_FORE,
    RIGHT_HIND,
    BoolArray,
    Footfalls,
    PawTrack,
    footfalls,
    standing,
)

PHASES = 101  # of a curve over a cycle
SWING = 21  # of a curve over a swing
STEADY = 0.35  # of its mean: the most that the speed may change within a stride
EVEN = 0.12  # turns by which the feet of a pair may be off opposite phases in a symmetric gait
HIND_LAG = 0.32  # turns between the hind feet of a gallop, at most
HIND, FORE = [LEFT_HIND, RIGHT_HIND], [LEFT_FORE, RIGHT_FORE]

CURVES = (
    "hip height",
    "shoulder height",
    "trunk pitch",
    "pelvis pitch",
    "flexion",
    "bend",
    "pelvis yaw",
    "shoulder yaw",
    "pelvis roll",
    "shoulder roll",
    "sway",
)
# Of tracks that know their heads and arms; wrists over the cycles of their own feet, above 0 where the hand is ahead.
PART_CURVES = ("neck pitch", "head pitch", "head height", "wrist")


@dataclass(frozen=True, eq=False)
class Stride:
    """One stride. Feet are left hind, left fore, right hind, right fore; in gallops H1, F1, H2, F2 as they land."""

    gait: str
    speed: float  # over sqrt(g h), backwards below 0
    period: float  # over sqrt(h / g)
    length: float  # hip heights
    lands: FloatArray  # (4,) turns
    duty: FloatArray  # (4,)
    placing: FloatArray  # (4, 2) ahead of its hip, where each foot lands and where it leaves
    clearance: FloatArray  # (4,) of the foot over where it stands
    progress: FloatArray  # (4, SWING) share of the swing's way that is gone
    rise: FloatArray  # (4, SWING) height in the swing over the clearance
    curves: FloatArray  # (CURVES, PHASES), with PART_CURVES behind them where they are known


def name_of(found: Footfalls, speed: float) -> str:
    """What a stride is called: walk, pace, trot, back, rotary gallop, transverse gallop, or nothing."""
    lands = found.lands
    pairs_even = abs(lands[RIGHT_HIND] - lands[LEFT_HIND]) % 1.0, (lands[RIGHT_FORE] - lands[LEFT_FORE]) % 1.0
    lag = lands[LEFT_FORE]
    other = RIGHT_HIND if found.leader == LEFT_HIND else LEFT_HIND
    if all(abs(off - 0.5) <= EVEN for off in pairs_even) and found.leader == LEFT_HIND:
        if speed < 0.0:
            return "back"
        if lag < 0.08 or lag > 0.92:
            return "pace"
        return "walk" if lag <= 0.3 else "trot" if 0.35 <= lag <= 0.62 else ""
    if 0.0 < lands[other] <= HIND_LAG and speed > 0.0:
        first = LEFT_FORE if _order(lands)[1] == LEFT_FORE else RIGHT_FORE
        if min(lands[FORE]) > lands[other] and abs(lands[LEFT_FORE] - lands[RIGHT_FORE]) > 0.05:
            same_side = (first == LEFT_FORE) == (found.leader == LEFT_HIND)
            return "transverse gallop" if same_side else "rotary gallop"
    return ""


def _order(lands: FloatArray) -> tuple[int, int, int, int]:
    """The feet as H1, F1, H2, F2."""
    hind, fore = sorted(HIND, key=lambda foot: lands[foot]), sorted(FORE, key=lambda foot: lands[foot])
    return hind[0], fore[0], hind[1], fore[1]


def find_strides(track: PawTrack, down: BoolArray | None = None, steady: float = STEADY) -> list[Stride]:
    """All strides of a track that have a name and a speed that hardly changes; ``down (T, 4)`` if it is known."""
    known = standing(track) if down is None else down
    if known.shape != (len(track), 4):
        raise LocomoteError(f"down: expected ({len(track)}, 4), got {known.shape}")
    speeds, floors = track.speeds(), _floors(track, known)
    out = []
    for leader in HIND:
        for found in footfalls(known, track.fps, leader):
            gone = track.middle[found.last] - track.middle[found.first]
            ahead = track.withers[found.first] - track.pelvis[found.first]
            forward = np.sign(gone[0] * ahead[0] + gone[2] * ahead[2])
            name = name_of(found, forward)
            change = abs(speeds[found.last - 1] - speeds[found.first])
            way = float(np.hypot(gone[0], gone[2]))
            mean = way * track.fps / (found.last - found.first)
            if name and change <= steady * mean:
                out.append(_measure(track, found, name, forward * way, floors))
    return out


def _floors(track: PawTrack, down: BoolArray) -> FloatArray:
    """The height at which each foot stands: the median while it does, ``(4,)``."""
    return np.array(
        [np.median(track.feet[down[:, foot], foot, 1]) if down[:, foot].any() else 0.0 for foot in range(4)]
    )


def _measure(track: PawTrack, found: Footfalls, name: str, way: float, floors: FloatArray) -> Stride:
    period = (found.last - found.first) / track.fps
    order = np.array(_order(found.lands)) if "gallop" in name else np.arange(4)
    placing, clearance = np.zeros((4, 2)), np.zeros(4)
    progress, rise = np.zeros((4, SWING)), np.zeros((4, SWING))
    gone = track.middle[found.last] - track.middle[found.first]
    ahead = np.array([gone[0], gone[2]]) * np.sign(way) / max(float(np.hypot(gone[0], gone[2])), 1e-9)
    for row, foot in enumerate(order):
        off = (track.feet[:, foot] - track.hips[:, foot])[:, [0, 2]] @ ahead / track.height
        placing[row] = off[found.landing[foot]], off[found.lifting[foot] - 1]
        clearance[row], progress[row], rise[row] = _swing(track, found, int(foot), ahead, float(floors[foot]))
    mirrored = "gallop" in name and found.leader == RIGHT_HIND
    return Stride(
        name,
        way / period / np.sqrt(GRAVITY * track.height),
        period / np.sqrt(track.height / GRAVITY),
        abs(way) / track.height,
        found.lands[order],
        found.duty[order],
        placing,
        clearance / track.height,
        progress,
        rise,
        np.concatenate([_curves(track, found, ahead, mirrored), _part_curves(track, found, ahead)]),
    )


def _swing(
    track: PawTrack, found: Footfalls, foot: int, ahead: FloatArray, floor: float
) -> tuple[float, FloatArray, FloatArray]:
    """The clearance (m), way and height of the swing that ends with a foot's landing in this stride, or follows it."""
    length = found.last - found.first
    swing = length - (found.lifting[foot] - found.landing[foot])
    begin = found.lifting[foot] - 1
    end = begin + swing + 1
    if end >= len(track):
        end = found.landing[foot]
        begin = max(end - swing - 1, 0)
    at = np.linspace(begin, end, SWING)
    frames = np.arange(len(track))
    along = np.interp(at, frames, track.feet[:, foot][:, [0, 2]] @ ahead)
    height = np.interp(at, frames, track.feet[:, foot, 1]) - floor
    clearance = float(track.feet[begin : end + 1, foot, 1].max() - floor)
    span = along[-1] - along[0]
    return clearance, (along - along[0]) / (span if abs(span) > 1e-6 else 1.0), height / max(clearance, 1e-6)


def _curves(track: PawTrack, found: Footfalls, ahead: FloatArray, mirrored: bool) -> FloatArray:
    """How the trunk moves over a stride, without what drifts from its beginning to its end."""
    some = slice(found.first, found.last + 1)
    across = np.array([ahead[1], -ahead[0]])  # to the left, as (x, z)
    rear, front = track.spine[some, 1] - track.spine[some, 0], track.spine[some, -1] - track.spine[some, -2]
    trunk = (track.withers - track.pelvis)[some]
    lines = [track.hips[some, pair[0]] - track.hips[some, pair[1]] for pair in (HIND, FORE)]
    yaws = [_angle(-(line[:, [0, 2]] @ ahead), line[:, [0, 2]] @ across) for line in lines]
    rolls = [_angle(line[:, 1], np.hypot(line[:, 0], line[:, 2])) for line in lines]
    pitches = [_angle(line[:, 1], np.hypot(line[:, 0], line[:, 2])) for line in (trunk, rear, front)]
    bends = [_angle(line[:, [0, 2]] @ across, line[:, [0, 2]] @ ahead) for line in (rear, front)]
    side = -1.0 if mirrored else 1.0
    rows = [
        track.pelvis[some, 1] / track.height,
        track.withers[some, 1] / track.height,
        pitches[0],
        pitches[1],
        pitches[2] - pitches[1],
        side * (bends[1] - bends[0]),
        *(side * yaw for yaw in yaws),
        *(side * roll for roll in rolls),
        side * (track.middle[some][:, [0, 2]] @ across) / track.height,
    ]
    return np.array([_over_cycle(row) for row in rows])


def _over_cycle(row: FloatArray) -> FloatArray:
    """A curve over PHASES phases, without its mean and what drifts from its beginning to its end."""
    share = np.linspace(0.0, 1.0, len(row))
    level = row - row.mean() - (share - 0.5) * (row[-1] - row[0])
    return np.asarray(np.interp(np.linspace(0.0, 1.0, PHASES), share, level), dtype=np.float64)


def _part_curves(track: PawTrack, found: Footfalls, ahead: FloatArray) -> FloatArray:
    """How head and wrists move; nothing of a track that does not know them."""
    if track.head is None or track.arms is None:
        return np.zeros((0, PHASES))
    some = slice(found.first, found.last + 1)
    base, head, nose = (track.head[some, k] for k in range(3))
    pitches = [_angle(line[:, 1], np.hypot(line[:, 0], line[:, 2])) for line in (head - base, nose - head)]
    rows = [*pitches, head[:, 1] / track.height]
    wrists = [_wrist(track, found, k, foot, ahead) for k, foot in enumerate(FORE)]
    return np.array([*(_over_cycle(row) for row in rows), np.mean(wrists, axis=0)])


def _wrist(track: PawTrack, found: Footfalls, arm: int, foot: int, ahead: FloatArray) -> FloatArray:
    """The angle between hand and forearm over a cycle from the landing of its foot on, or the one before it."""
    assert track.arms is not None
    first = int(found.landing[foot])
    length = found.last - found.first
    first -= length if first + length >= len(track) else 0
    elbow, wrist, knuckles = (track.arms[max(first, 0) : first + length + 1, arm, k] for k in range(3))
    fore, hand = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in (wrist - elbow, knuckles - wrist))
    apart = np.degrees(np.arccos(np.clip(np.sum(fore * hand, axis=1), -1.0, 1.0)))
    across = np.array([ahead[1], 0.0, -ahead[0]])
    return _over_cycle(-np.sign(np.cross(fore, hand) @ across) * apart)


def _angle(rise: FloatArray, run: FloatArray) -> FloatArray:
    return np.asarray(np.degrees(np.unwrap(np.arctan2(rise, run))), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class StrideCycle:
    """Several strides of one gait: the mean of each measure, and how much it varies (standard deviation)."""

    gait: str
    count: int
    mean: Stride
    deviation: Stride  # likewise; its curves and lands vary so much around the mean
    ranges: dict[str, float]  # from the lowest to the highest of each curve, the mean of all strides
    highest: dict[str, float]  # the phase at which the mean curve is highest

    def curve(self, name: str) -> FloatArray:
        """One of the mean curves over PHASES phases."""
        return np.asarray(self.mean.curves[(*CURVES, *PART_CURVES).index(name)], dtype=np.float64)


def average(strides: Sequence[Stride]) -> StrideCycle:
    """The mean of some strides of one gait."""
    if not strides:
        raise LocomoteError("an average needs at least one stride")
    lands = np.array([stride.lands for stride in strides])
    middle = np.angle(np.exp(2j * np.pi * lands).mean(axis=0)) / (2.0 * np.pi)
    off = (lands - middle + 0.5) % 1.0 - 0.5
    middle = (middle + off.mean(axis=0) + 1e-9) % 1.0
    fields = ("speed", "period", "length", "duty", "placing", "clearance", "progress", "rise", "curves")
    values = {name: np.array([getattr(stride, name) for stride in strides]) for name in fields}
    names = {stride.gait for stride in strides}
    gait = names.pop() if len(names) == 1 else "gallop"
    mean = Stride(gait=gait, lands=middle, **{name: value.mean(axis=0) for name, value in values.items()})
    spread = Stride(gait=gait, lands=off.std(axis=0), **{name: v.std(axis=0) for name, v in values.items()})
    ranges = np.ptp(values["curves"], axis=2).mean(axis=0)
    highest = np.argmax(mean.curves[:, :-1], axis=1) / (PHASES - 1)
    return StrideCycle(
        gait,
        len(strides),
        mean,
        spread,
        dict(zip((*CURVES, *PART_CURVES), ranges.tolist(), strict=False)),
        dict(zip((*CURVES, *PART_CURVES), highest.tolist(), strict=False)),
    )
