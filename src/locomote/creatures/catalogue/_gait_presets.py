"""Gaits ready to use, by the number of legs.

Feet are named by side and rank: L1 is the left foot of the front pair, R1 its partner, L2 the next one behind. What is
measured of dogs and flies is given as measured; the rest are textbook gaits. Speeds and periods are in units of
sqrt(g h) and sqrt(h / g).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from locomote.creatures._gaits import STRONGEST, Gait, GaitSet
from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._quadruped_gaits import (
    back,
    bound,
    canter,
    gait_by_landings,
    hop,
    other_lead,
    pace,
    pairs,
    pronk,
    quadruped,
    rotary_gallop,
    transverse_gallop,
    trot,
    turn,
    walk,
)
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

# Natural ranges of speed: where a gait is left for the slower and for the faster one. Dogs go from walk to trot at a
# Froude number of 0.65 to 0.76 and from trot to gallop at 1.1 to 1.5; people run above 0.5.
_BACKS_UP = 0.03
_WALK_TO_TROT, _TROT_TO_WALK = 0.84, 0.70
_TROT_TO_GALLOP, _GALLOP_TO_TROT = 1.15, 1.0
_WALK_TO_RUN, _RUN_TO_WALK = 0.72, 0.60

# Trots and gallops are slower on long bodies: recorded dogs whose girdles are 0.93 and 1.28 hip heights apart have
# the same periods at the same speeds only if both are counted by the length of their trunks. Walks and paces are not.
_LONG = 0.535 / 0.66  # hip heights between the girdles of the wolf, whose presets these are; also for shorter bodies
_LONGEST = 1.28  # the same, at most: nothing was measured on longer bodies
_LEAST_DUTY = 1.0 / STRONGEST
_BY_LENGTH = ("trot", "gallop", "transverse gallop")

_CRAWL_TO_HOP, _HOP_TO_CRAWL = 0.2, 0.15
_LEAPER = 1.8  # times as long as the fore legs are the hind legs of frogs

_SPRAWLED = 0.6  # hip heights from the hip to the foot in the plan: from here on legs count as sprawled
# Legs spread to the sides reach far for the height of their hips: longer strides than those of upright animals.
_SPRAWLED_SPEEDS = np.array([0.05, 0.15, 0.3, 0.6, 1.0, 2.0])
_SPRAWLED_PERIODS = 3.0 * np.maximum(_SPRAWLED_SPEEDS, 0.1) ** -0.5
_SPRAWLED_DUTY = np.array([0.68, 0.62, 0.60, 0.56, 0.53, 0.50])
_STAR_DUTY = np.array([0.85, 0.85, 0.80, 0.70, 0.62, 0.55])  # at most: who is fast stands no longer than legs reach

_SIDEWAYS = 0.8  # of the period, where legs stretch and fold along the way: their strides are shorter
_LONG_ROUND = 1.25  # of the period, where few feet are in the air at a time

_FLY_LANDS = {"L1": 0.89, "R2": 0.0, "L3": 0.05, "R1": 0.39, "L2": 0.43, "R3": 0.55}
_LAG = 0.44  # turns by which a foot lands after the one behind it, in alternating gaits of more than six legs
_CENTIPEDE_LAG = 0.13  # turns by which a foot lands after the one before it
_MANY_PAIRS = 7  # from here on legs step in travelling waves


def lizard() -> Gait:
    """The trot of sprawled legs: diagonal pairs that stand for more than half of the time."""
    return quadruped(
        "lizard trot",
        speeds=_SPRAWLED_SPEEDS,
        periods=_SPRAWLED_PERIODS,
        left_fore=[0.40, 0.43, 0.45, 0.47, 0.48, 0.48],
        hind=_SPRAWLED_DUTY + 0.02,
        fore=_SPRAWLED_DUTY,
        lift=0.18,
    )


def biped_walk() -> Gait:
    """One foot after the other, one always down."""
    return gait_by_landings(
        "walk", pairs(1), [0.05, 0.2, 0.47, 0.7, 0.9], [5.6, 4.8, 3.6, 3.0, 2.7], np.array([0.0, 0.5]),
        np.array([[0.70], [0.67], [0.62], [0.59], [0.56]]), [0.08, 0.09, 0.1, 0.12, 0.13],
    )  # fmt: skip


def biped_run() -> Gait:
    """One foot after the other, with flights between."""
    return gait_by_landings(
        "run", pairs(1), [0.5, 1.0, 2.0, 3.0], [2.7, 2.4, 2.05, 1.8], np.array([0.0, 0.5]),
        np.array([[0.44], [0.37], [0.32], [0.28]]), [0.15, 0.2, 0.28, 0.32],
    )  # fmt: skip


def tripod() -> Gait:
    """The tripods of a walking fly, front foot first."""
    lands = np.array([_FLY_LANDS[foot] for foot in pairs(3)])
    return _sprawled("tripod", pairs(3), lands, _SPRAWLED_DUTY[:, None])


def alternating(count: int) -> Gait:
    """Feet in two groups, neighbours in different ones, each a little before the one behind: spiders, crabs."""
    behind = count - np.repeat(np.arange(1, count + 1), 2)
    lands = _LAG * behind + np.tile([0.0, 0.5], count)
    return _sprawled("alternating", pairs(count), lands, _SPRAWLED_DUTY[:, None])


def centipede(count: int) -> Gait:
    """Waves of steps that travel backwards along many legs, left and right in turn."""
    lands = _CENTIPEDE_LAG * np.repeat(np.arange(count), 2) + np.tile([0.0, 0.5], count)
    return _sprawled("centipede", pairs(count), lands, _SPRAWLED_DUTY[:, None] + 0.05)


def ripple(count: int) -> Gait:
    """Steps that travel forwards, a third of the feet in the air."""
    lands = np.repeat(np.arange(count)[::-1], 2) / count + np.tile([0.0, 0.5], count)
    return _sprawled("ripple", pairs(count), lands, np.array([0.67]))


def wave(count: int) -> Gait:
    """One foot after the other from back to front: the steadiest gait there is."""
    lands = np.repeat(np.arange(count)[::-1], 2) / (2 * count) + np.tile([0.0, 0.5], count)
    return _sprawled("wave", pairs(count), lands, np.array([min(0.85, 1.0 - 0.5 / count)]))


def _sprawled(name: str, feet: tuple[str, ...], lands: FloatArray, duty: FloatArray) -> Gait:
    periods = _SPRAWLED_PERIODS * (_LONG_ROUND if duty.min() > 0.6 else 1.0)
    return gait_by_landings(name, feet, _SPRAWLED_SPEEDS, periods, lands, duty, 0.2)


def star(feet: Sequence[str]) -> Gait:
    """For legs all round a body, given in order round it: each foot far from the one before."""
    count = len(feet)
    stride = next(k for k in range(max(1, (count - 1) // 2), 0, -1) if np.gcd(k, count) == 1)
    duty = {1: 0.4, 2: 0.62, 3: 0.7}.get(count, min(0.85, 1.0 - 1.0 / count))
    lands = np.arange(count) * stride / count
    periods = _SPRAWLED_PERIODS * (_LONG_ROUND if duty > 0.6 else 1.0)
    duties = np.minimum(duty, _STAR_DUTY)[:, None]
    return gait_by_landings("star", tuple(feet), _SPRAWLED_SPEEDS, periods, lands, duties, 0.2)


def natural_gaits(sides: Sequence[int], ranks: Sequence[int], sprawled: bool = False) -> GaitSet:
    """The gaits of a creature by the side of each leg (1 left, -1 right, 0 middle) and its rank (0 or 1 in front).

    Feet keep the order in which the legs are given. ``sprawled`` tells a lizard from a wolf.
    """
    if len(sides) != len(ranks) or not len(sides):
        raise LocomoteError(f"gaits need a side and a rank for every leg, got {len(sides)} and {len(ranks)}")
    left = sorted(rank for side, rank in zip(sides, ranks, strict=True) if side > 0)
    right = sorted(rank for side, rank in zip(sides, ranks, strict=True) if side < 0)
    paired = len(left) == len(right) == len(set(left)) and left == right and 2 * len(left) == len(sides)
    if not paired:
        return GaitSet((star(_round(sides, ranks)).ordered(_round(sides, ranks, given=True)),))
    order = [f"{'L' if side > 0 else 'R'}{left.index(rank) + 1}" for side, rank in zip(sides, ranks, strict=True)]
    known = _SETS.get(len(left), _many)(len(left), sprawled)
    return GaitSet(tuple(gait.ordered(order) for gait in known.gaits), known.natural)


def gaits_of(creature: Morphology) -> GaitSet:
    """The gaits of a creature by its legs."""
    known = natural_gaits(creature.sides, creature.ranks, sprawls(creature))
    if leaps(creature):
        crawls = ((-np.inf, _CRAWL_TO_HOP), (_HOP_TO_CRAWL, np.inf))
        return GaitSet((known.gaits[0], hop().ordered(known.gaits[0].feet), *known.gaits[1:]), crawls)
    if goes_sideways(creature):
        return GaitSet(tuple(replace(gait, periods=_SIDEWAYS * gait.periods) for gait in known.gaits), known.natural)
    slower = math.sqrt(_length(creature) / _LONG)
    return GaitSet(tuple(_of_length(gait, slower) for gait in known.gaits), known.natural)


def _length(creature: Morphology) -> float:
    """Hip heights between the girdles of an upright animal on four legs; those of the wolf for all others.

    A trunk without a spine is none that was measured: robots keep the steps that their legs make.
    """
    ranks = np.array(creature.ranks)
    if len(ranks) != 4 or len(np.unique(ranks)) != 2 or sprawls(creature) or not creature.spine:
        return _LONG
    fore, hind = creature.hips[ranks == ranks.min()].mean(axis=0), creature.hips[ranks == ranks.max()].mean(axis=0)
    return float(np.clip((fore[2] - hind[2]) / hind[1], _LONG, _LONGEST))


def _of_length(gait: Gait, slower: float) -> Gait:
    """A gait as a longer body goes it, whose periods are longer by a factor; legs do not reach further for that."""
    if slower == 1.0 or gait.name.split(",")[0] not in _BY_LENGTH:
        return gait
    duty = np.maximum((1.0 - gait.durations) / slower, _LEAST_DUTY)
    return replace(
        gait,
        speeds=slower * gait.speeds,
        periods=slower * gait.periods,
        starts=gait.starts + gait.durations - (1.0 - duty),
        durations=1.0 - duty,
    )


def leaps(creature: Morphology) -> bool:
    """Whether a creature on four sprawled legs has hind legs that are made to leap."""
    ranks = np.array(creature.ranks)
    if len(ranks) != 4 or len(np.unique(ranks)) != 2 or not sprawls(creature):
        return False
    fore, hind = creature.reaches[ranks == ranks.min()].mean(), creature.reaches[ranks == ranks.max()].mean()
    return bool(hind > _LEAPER * fore)


def goes_sideways(creature: Morphology) -> bool:
    """Whether a side of a creature leads, so that its left and right legs are ahead and behind."""
    return any(side * x < 0.0 for side, x in zip(creature.sides, creature.rest_feet[:, 0], strict=True))


def sprawls(creature: Morphology) -> bool:
    """Whether the feet of a creature stand far out from their hips."""
    away = np.linalg.norm((creature.rest_feet - creature.hips)[:, [0, 2]], axis=1)
    return float(away.mean()) > _SPRAWLED * creature.hip_height


def _round(sides: Sequence[int], ranks: Sequence[int], given: bool = False) -> list[str]:
    """Names of legs in order round the body: down the left side, up the right; or as given."""
    names = [f"{'RML'[int(np.sign(side)) + 1]}{rank}" for side, rank in zip(sides, ranks, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{name}.{i}" for i, name in enumerate(names)]
    if given:
        return names
    middle = 0.5 * (min(ranks) + max(ranks))
    places = []
    for i, (side, rank) in enumerate(zip(sides, ranks, strict=True)):
        angle = np.arctan2(side, middle - rank) if side else (0.0 if rank <= middle else np.pi)
        places.append((float(angle) % (2.0 * np.pi), i))
    return [names[i] for _, i in sorted(places)]


def _two(_count: int, _sprawled_legs: bool) -> GaitSet:
    return GaitSet((biped_walk(), biped_run()), ((-np.inf, _WALK_TO_RUN), (_RUN_TO_WALK, np.inf)))


def _four(_count: int, sprawled: bool) -> GaitSet:
    uneven = (canter(), transverse_gallop(), rotary_gallop())
    on_demand = (pace(), *uneven[:2], *map(other_lead, uneven), bound(), pronk(), turn(), wave(2))
    if sprawled:
        return GaitSet((lizard(), back(), walk(), trot(), rotary_gallop(), *on_demand))
    ranges = (
        (-np.inf, _BACKS_UP),
        (-_BACKS_UP, _WALK_TO_TROT),
        (_TROT_TO_WALK, _TROT_TO_GALLOP),
        (_GALLOP_TO_TROT, np.inf),
    )
    return GaitSet((back(), walk(), trot(), rotary_gallop(), *on_demand), ranges)


def _six(_count: int, _sprawled_legs: bool) -> GaitSet:
    return GaitSet((tripod(), ripple(3), wave(3)))


def _many(count: int, _sprawled_legs: bool) -> GaitSet:
    first = centipede(count) if count >= _MANY_PAIRS else alternating(count)
    return GaitSet((first, ripple(count), wave(count)))


_SETS: dict[int, Callable[[int, bool], GaitSet]] = {1: _two, 2: _four, 3: _six}
