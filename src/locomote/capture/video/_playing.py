"""The steps of a film as a gait of creatures: at any speed, on any body with four legs (AGV-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote.capture.video._feet import NAMES, Steps
from locomote.capture.video._poses import rows_of_four
from locomote.creatures import Creature, Crowd, Gait
from locomote.creatures.catalogue import _quadruped_gaits as presets
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray

MOST_SWING = 0.85  # of a cycle: a foot that stands for less carries nobody
FACTORS = (0.2, 3.0)  # by which the trunk of a creature may rise more or less than is usual
ROUNDS = 2  # of setting them
SETTLES, CYCLES = 2.0, 3.0  # s of walking before they are measured, and cycles for which they are
FPS = 60.0
_BOUNCE, _FORE = 0, 3  # of the motions of the body in a gait: see `creatures.Gait.lives`


def gait_of(steps: Steps, period: float, name: str) -> Gait:
    """A gait whose rhythm, lags and duties are those of a film at its speed.

    At other speeds they change as those of the known gait that is most like it.

    Parameters
    ----------
    steps : of the feet in a cycle
    period : s
    name : of the gait
    """
    unit = float(np.sqrt(steps.hip_height / GRAVITY))
    speed = steps.stride / period / np.sqrt(GRAVITY * steps.hip_height)
    known = nearest_gait(steps, speed)
    here = known.at(speed)
    speeds = np.unique(np.append(known.speeds, speed))
    every = [known.at(float(one)) for one in speeds]
    periods = np.array([one.periods[0] for one in every]) * (period / unit / here.periods[0])
    lift = np.array([one.lift[0] for one in every]) * (steps.lift / steps.hip_height / here.lift[0])
    swing = np.array([1.0 - one.duty()[0] for one in every]) * ((1.0 - steps.duty) / (1.0 - here.duty()[0]))
    swing = np.minimum(swing, MOST_SWING)
    lands = np.array([one.touch_downs()[0, :, 0] for one in every]) - here.touch_downs()[0, :, 0]
    lands = steps.lands + (lands + 0.5) % 1.0 - 0.5
    starts = (lands - swing)[..., None]
    lives = np.repeat(np.asarray(here.lives), len(speeds), axis=0)
    return Gait(name, NAMES, speeds, periods, starts, swing[..., None], lift, lives)


def nearest_gait(steps: Steps, speed: float) -> Gait:
    """The known gait of animals on four legs whose lags and duties are nearest.

    Parameters
    ----------
    steps : of the feet in a cycle
    speed : over sqrt(g h)
    """
    gallops = (presets.rotary_gallop(), presets.transverse_gallop(), presets.canter())
    known = [presets.walk(), presets.trot(), presets.pace(), presets.bound(), *gallops]
    known += [presets.other_lead(gait) for gait in gallops]

    def apart(gait: Gait) -> float:
        there = gait.at(speed)
        lags = np.exp(2j * np.pi * (steps.lands - there.touch_downs()[0, :, 0]))
        lags = np.angle(lags / np.exp(1j * np.angle(lags.sum()))) / (2.0 * np.pi)
        return float(np.sum(lags**2) + 0.25 * np.sum((steps.duty - there.duty()[0]) ** 2))

    return min(known, key=apart)


def creature_with(target: Creature | str, gait: Gait, rise: FloatArray, speed: float) -> Creature:
    """A creature that has a gait, its trunk rising and falling by as much for its size as in the poses.

    Parameters
    ----------
    target : four-legged, or the name of one that is built in
    gait : for the feet `NAMES`
    rise : (2,) of shoulders and hips, over the height of the hips
    speed : over sqrt(g h), at which this holds
    """
    kind = Creature.build(target) if isinstance(target, str) else target
    morphology = kind.morphology
    sides = ["left" if side > 0 else "right" for side in morphology.sides]
    order = rows_of_four(sides, morphology.ranks, morphology.name)
    feet = kind.gaits.gaits[0].feet
    renamed = replace(gait, feet=tuple(feet[k] for k in order)).ordered(feet)
    for _ in range(ROUNDS):
        seen = _rise(kind.with_gait(renamed), renamed.name, speed, order)
        factors = np.clip(rise / np.maximum(seen, 1e-4), *FACTORS)
        lives = np.array(renamed.lives)
        lives[:, _BOUNCE] *= factors[1]
        lives[:, _FORE] *= factors[0] / factors[1]
        renamed = replace(renamed, lives=np.clip(lives, -10.0, 10.0))
    return kind.with_gait(renamed)


def _rise(kind: Creature, name: str, speed: float, order: Sequence[int]) -> FloatArray:
    """By how much shoulders and hips rise and fall in a gait, over the height of the hips."""
    height = kind.morphology.hip_height
    crowd = crowd_of(kind, name, speed * float(np.sqrt(GRAVITY * height)), 1)
    crowd.liven(vary=0.0)
    crowd.record(SETTLES, FPS)
    index = kind.gaits.index(name)
    lasts = float(kind.gaits.gaits[index].at(speed).periods[0]) * kind.time_unit
    joints = crowd.record(CYCLES * lasts, FPS).joint_positions()
    hips = joints[:, [kind.morphology.legs[k].hip for k in order], 1]
    girdles = np.stack([hips[:, :2].mean(axis=1), hips[:, 2:].mean(axis=1)], axis=1)
    return np.asarray(np.ptp(girdles, axis=0) / height, dtype=np.float64)


def crowd_of(kind: Creature, name: str, speed: float, count: int) -> Crowd:
    """Creatures that go in a gait of theirs, at a speed in m/s."""
    if count < 1:
        raise LocomoteError(f"{count} creatures: expected 1 or more")
    return Crowd(kind, count, speed=speed, gait=name)
