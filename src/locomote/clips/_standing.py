"""Feet that stand in a loop, of somebody no stride of whom is quite like the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._easing import bridged
from locomote.clips._clip import BoolArray, Clip
from locomote.clips._travel import Travel
from locomote.contacts.records import runs
from locomote.ik import Goal, solve
from locomote.rotations import FloatArray

LEAST = 0.0005  # m; a foot that shifts less stands
ROUNDS = 24  # of turning legs


class Tip(NamedTuple):
    """The end of a leg: a point in the frame of its last joint, and the joints that may turn for it."""

    joints: tuple[int, ...]
    point: FloatArray  # (3,) m


def with_standing_feet(clip: Clip, planted: BoolArray, tips: Sequence[Tip]) -> Clip:
    """The loop with every foot in one place from when it comes down until it leaves, over the seam as well.

    Where strides differ, a loop that comes out of the next one shifts its feet while they stand: the legs bring them
    back. ``planted (F, L)`` tells when they stand.
    """
    positions, turns = clip.motion.world()
    ends = [positions[:, tip.joints[-1]] + rot.rotate(turns[:, tip.joints[-1]], tip.point) for tip in tips]
    shifts = [_shift(end, clip.travel, planted[:-1, i]) for i, end in enumerate(ends)]
    moving = [i for i, shift in enumerate(shifts) if np.abs(shift).max() > LEAST]
    if not moving:
        return clip
    goals = [Goal(tips[i].joints[-1], ends[i] + shifts[i], point=tips[i].point) for i in moving]
    free = [joint for i in moving for joint in tips[i].joints]
    solved = solve(clip.motion, goals, joints=free, steps=ROUNDS).pose
    turned = solved.rotations.copy()
    turned[-1] = np.where(np.sum(turned[0] * turned[-1], axis=-1, keepdims=True) < 0.0, -turned[0], turned[0])
    return replace(clip, motion=replace(solved, rotations=turned))


def _shift(end: FloatArray, travel: Travel, planted: BoolArray) -> FloatArray:
    """By how much the end of a leg is to be shifted ``(F, 3)``, in place."""
    count = len(planted)
    # Three loops, one behind the other: the one in the middle has whole stances before and behind.
    places, yaws = travel.places[:-1], travel.yaws[:-1]
    for _ in range(2):
        onward = rot.rotate(rot.from_yaw(float(travel.yaws[-1])), places) + travel.places[-1]
        places, yaws = (
            np.concatenate([travel.places[:-1], onward]),
            np.concatenate([yaws, yaws[-count:] + travel.yaws[-1]]),
        )
    turns = rot.from_yaw(yaws)
    world = rot.rotate(turns, np.tile(end[:-1], (3, 1))) + places
    known, shift = np.tile(planted, 3), np.zeros_like(world)
    for start, stop in runs(known):
        if start == 0 or stop == len(known):  # cut by the ends of the three
            known[start:stop] = False
            continue
        shift[start:stop] = world[start:stop].mean(axis=0) - world[start:stop]
    if not np.any(known[count : 2 * count]):
        return np.zeros_like(end)
    out: FloatArray = rot.rotate(rot.inverse(turns), bridged(shift, known))[count : 2 * count + 1]
    return out
