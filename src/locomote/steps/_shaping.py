"""Frames of walks shaped to the ground they are on, and arms that swing more or less."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._blending import UPPER, WalkerBody
from locomote.world import Ground

if TYPE_CHECKING:
    from locomote.steps._kernels.layout import ChainPlants, ChosenSteps

ARMS = ("Shoulder", "Arm", "ForeArm", "Hand")
CLEARANCE = 0.03  # m that heel, ball and tips keep from the ground in mid-swing
STEEPEST = 0.7  # rise a metre, of ground on which a foot lies flat
STEP = 0.02  # m by which ground under a foot may leave a plane and still be a slope
TILT_SHARE = 0.5  # of a swing, in which the tilt of the ground behind is left, and that of the ground ahead is taken
LIFT_WIDTH = 0.35  # of a swing, before and after a moment at which a foot must be lifted
FASTEST_LIFT = 4.0  # m over the square of the share of the swing: a foot comes free of the face of a step no faster
ALONG = 25  # places along a swing at which one looks for unevenness
ROUND = 0.1  # hip heights of a lift, from which on a foot would rather go round, past the other foot
GRAZE = 0.05  # m between a foot and the face of a step, from which on it does not come down along it
PAST = 0.12  # hip heights between the two then
_POWER = 8  # of the sum that stands for the largest: smooth, and never below it


class _Under(NamedTuple):
    """The ground under the feet on plants."""

    tilts: FloatArray  # (P, 3) rotation vectors from level ground
    depths: FloatArray  # (P, 3) m that heel, ball and tip are in it


def swing_arms(frames: FloatArray, gain: float) -> None:
    """Make the arms of a walk swing ``gain`` times as far about their mean."""
    if gain == 1.0:
        return
    names = [COMMON.names[j] for j in UPPER]
    for row in (4 * k for k, name in enumerate(names) if name.endswith(ARMS)):
        turns = rot.continuous(frames[row : row + 4].T)
        mean = rot.mean(turns)
        off = rot.log(rot.multiply(rot.inverse(mean), turns))
        frames[row : row + 4] = rot.continuous(rot.multiply(mean, rot.exp(gain * off))).T


def is_level(chain: int, plants: ChainPlants, chosen: ChosenSteps, ground: Ground) -> bool:
    """Whether there is nothing but level ground between the plants of a chain."""
    places = chosen.places[int(plants.firsts[chain]) : int(plants.firsts[chain + 1])]
    ways = places[:-2, None] + np.linspace(0.0, 1.0, ALONG)[:, None] * (places[2:] - places[:-2])[:, None]
    heights = ground.heights(ways.reshape(-1, 3))
    return bool(np.ptp(heights) < STEP and np.ptp(places[:, 1]) < STEP)


def follow_ground(
    frames: FloatArray,
    stands: IntArray,
    chain: int,
    plants: ChainPlants,
    chosen: ChosenSteps,
    person: WalkerBody,
    fps: float,
    ground: Ground,
) -> None:
    """Lay the standing feet of a chain flat on the ground, and lift swinging ones over what is under them."""
    from locomote.steps._kernels import blend as at

    mine = slice(int(plants.firsts[chain]), int(plants.firsts[chain + 1]))
    under = _Under(np.zeros_like(chosen.places), np.zeros_like(chosen.places))
    for kept, found in zip(under, (_tilts, _depths), strict=True):
        kept[mine] = found(chosen.places[mine], chosen.foot_yaws[mine], person, ground)
    for side in range(2):
        rows = frames[at.FEET + at.FOOT_ROWS * side : at.FEET + at.FOOT_ROWS * (side + 1)]
        for p in np.unique(stands[side][stands[side] >= 0]):
            now = stands[side] == p
            _tilt(rows, now, chosen.places[p], np.broadcast_to(under.tilts[p], (int(now.sum()), 3)))
        for p in range(mine.start + 2, mine.stop):
            if plants.sides[p] == side:
                _swing(rows, p, chosen, under, person, fps, ground)


def _tilts(places: FloatArray, yaws: FloatArray, person: WalkerBody, ground: Ground) -> FloatArray:
    """Rotation vectors ``(P, 3)`` from level ground to that under the feet; none where there is an edge."""
    ahead = np.stack([np.sin(yaws), np.zeros_like(yaws), np.cos(yaws)], axis=1)
    left = np.stack([np.cos(yaws), np.zeros_like(yaws), -np.sin(yaws)], axis=1)
    out = np.zeros_like(places)
    wide = 0.25 * person.measures.sole.heel
    rises = []
    for direction, before, behind in (
        (ahead, person.measures.sole.toes, -person.measures.sole.heel),
        (left, wide, -wide),
    ):
        heights = [ground.heights(places + far * direction) for far in (before, behind)]
        rise = (heights[0] - heights[1]) / (before - behind)
        middle = heights[1] - behind * rise
        rises.append(np.where((np.abs(middle - places[:, 1]) < STEP) & (np.abs(rise) < STEEPEST), rise, 0.0))
    up = np.cross(ahead + rises[0][:, None] * [0.0, 1.0, 0.0], left + rises[1][:, None] * [0.0, 1.0, 0.0])
    for p in range(len(places)):
        out[p] = rot.log(rot.between(np.array([0.0, 1.0, 0.0]), up[p]))
    return out


def _tilt(rows: FloatArray, now: np.ndarray, place: FloatArray, tilts: FloatArray) -> None:
    """Turn the feet of some frames by rotation vectors about a place."""
    from locomote.steps._kernels import blend as at

    if not np.any(tilts):
        return
    turn = rot.exp(tilts)
    rows[:3, now] = (place + rot.rotate(turn, rows[:3, now].T - place)).T
    yaw, pitch, roll = rows[at.YAW, now], rows[at.PITCH, now], rows[at.ROLL, now]
    axes = (rot.from_axis_angle([0.0, 0.0, 1.0], roll), rot.from_axis_angle([1.0, 0.0, 0.0], pitch))
    foot = rot.multiply(turn, rot.multiply(rot.from_yaw(yaw), rot.multiply(*axes)))
    lateral = rot.rotate(foot, [1.0, 0.0, 0.0])
    new_yaw, new_roll = (
        np.arctan2(-lateral[:, 2], lateral[:, 0]),
        np.arcsin(np.clip(lateral[:, 1], -1.0, 1.0)),
    )
    flat = rot.multiply(rot.from_yaw(new_yaw), rot.from_axis_angle([0.0, 0.0, 1.0], new_roll))
    forward = rot.rotate(rot.multiply(rot.inverse(flat), foot), [0.0, 0.0, 1.0])
    rows[at.YAW, now] = yaw + (new_yaw - yaw + np.pi) % (2.0 * np.pi) - np.pi
    rows[at.ROLL, now] = new_roll
    rows[at.PITCH, now] = np.arctan2(-forward[:, 1], forward[:, 2])


def _swing(
    rows: FloatArray,
    p: int,
    chosen: ChosenSteps,
    under: _Under,
    person: WalkerBody,
    fps: float,
    ground: Ground,
) -> None:
    """The swing to plant ``p``: from one tilt to the next, over the ground between."""
    lift, land = float(chosen.lifts[p]), float(chosen.lands[p])
    first, last = int(np.ceil(lift * fps - 1e-9)), int(np.ceil(land * fps - 1e-9))
    frames = np.arange(max(first, 0), min(last, rows.shape[1]))
    if len(frames) == 0:
        return
    now = np.zeros(rows.shape[1], dtype=bool)
    now[frames] = True
    u = (frames / fps - lift) / (land - lift)
    for plant, share in (
        (int(chosen.starts[p]), _step(1.0 - u / TILT_SHARE)),
        (p, _step(1.0 - (1.0 - u) / TILT_SHARE)),
    ):
        # The ball goes with the ground only as far as it is near to it.
        held = rows[:3, now].copy()
        _tilt(rows, now, chosen.places[plant], share[:, None] * under.tilts[plant])
        rows[:3, now] = held + share * (rows[:3, now] - held)
    arch = 16.0 * (u * (1.0 - u)) ** 2
    # On treads shorter than a foot there is no other way: held over the edge, it would drop at the very end.
    start = int(chosen.starts[p])
    inside = np.maximum(np.outer(under.depths[start], _step(1.0 - u)), np.outer(under.depths[p], _step(u)))
    need = _needed(rows[:, now], arch, inside, person, ground)
    if np.max(need) > ROUND * person.measures.size:
        support, near = chosen.places[int(chosen.supports[p])], PAST * person.measures.size
        aside = rows[:, now].copy()
        aside[:3] += np.outer(_past(chosen.places[start], support, chosen.places[p], near), arch)
        lower = _needed(aside, arch, inside, person, ground)
        if np.max(lower) < 0.5 * np.max(need):
            rows[:, now], need = aside, lower
    need = np.minimum(need, FASTEST_LIFT * np.minimum(u, 1.0 - u) ** 2)
    if np.any(need > 0.0):
        rows[1, now] += _lifts(u, need)


def _needed(rows: FloatArray, arch: FloatArray, inside: FloatArray, person: WalkerBody, ground: Ground) -> FloatArray:
    """Metres ``(F,)`` by which a swinging foot is too low."""
    points = _points(rows, person)
    low: FloatArray = np.min(points[..., 1] - ground.heights(points) + inside, axis=0)
    return np.maximum(CLEARANCE * arch - low, 0.0)


def _depths(places: FloatArray, yaws: FloatArray, person: WalkerBody, ground: Ground) -> FloatArray:
    """Metres ``(P, 3)`` that heel, ball and tip of feet on plants are in the ground, or would be a little aside."""
    sole = person.measures.sole
    ahead = np.stack([np.sin(yaws), np.cos(yaws)], axis=1)[:, None, None]
    along = np.add.outer([-sole.heel, 0.0, sole.toes], [-GRAZE, 0.0, GRAZE])[..., None]
    deep: FloatArray = ground.heights(places[:, None, None, [0, 2]] + along * ahead).max(axis=2) - places[:, 1:2]
    return np.where(deep > STEP, deep, 0.0)


def _past(start: FloatArray, support: FloatArray, end: FloatArray, near: float) -> FloatArray:
    """The way from the straight course of a swing to one that passes the supporting foot ``near`` by."""
    way, to = (end - start) * (1.0, 0.0, 1.0), (support - start) * (1.0, 0.0, 1.0)
    gap: FloatArray = to - min(max(float(to @ way) / max(float(way @ way), 1e-9), 0.0), 1.0) * way
    far = float(np.linalg.norm(gap))
    return gap * max(1.0 - near / max(far, 1e-9), 0.0)


def _lifts(u: FloatArray, need: FloatArray) -> FloatArray:
    """A smooth line over the shares ``u`` of a swing, nowhere below what is needed, and 0 at its ends."""
    edge = np.where(u[:, None] < u, u, 1.0 - u)  # of the swing, from a moment to its end on that side
    off = (u[:, None] - u) / np.maximum(np.minimum(LIFT_WIDTH, edge), 1e-6)
    bells = need * np.maximum(1.0 - off * off, 0.0) ** 2
    out: FloatArray = np.sum(bells**_POWER, axis=1) ** (1.0 / _POWER)
    return np.maximum(out, need)


def _points(rows: FloatArray, person: WalkerBody) -> FloatArray:
    """Heel, ball and tip of the toes ``(3, F, 3)``."""
    from locomote.steps._kernels import blend as at

    sole = person.measures.sole
    axes = (
        rot.from_axis_angle([0.0, 0.0, 1.0], rows[at.ROLL]),
        rot.from_axis_angle([1.0, 0.0, 0.0], rows[at.PITCH]),
    )
    foot = rot.multiply(rot.from_yaw(rows[at.YAW]), rot.multiply(*axes))
    toes = rot.multiply(foot, rot.from_axis_angle([1.0, 0.0, 0.0], rows[at.TOES]))
    heel, tip = rot.rotate(foot, [0.0, 0.0, -sole.heel]), rot.rotate(toes, [0.0, 0.0, sole.toes])
    return rows[:3].T + np.stack([heel, np.zeros_like(heel), tip])


def _step(x: FloatArray) -> FloatArray:
    x = np.clip(x, 0.0, 1.0)
    out: FloatArray = x * x * (3.0 - 2.0 * x)
    return out
