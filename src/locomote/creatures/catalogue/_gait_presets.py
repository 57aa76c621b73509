"""Gaits ready to use, by the number of legs.

Feet are named by side and rank: L1 is the left foot of the front pair, R1 its partner, L2 the next one behind. What is
measured of dogs and flies is given as measured; the rest are textbook gaits. Speeds and periods are in units of
sqrt(g h) and sqrt(h / g).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from locomote.creatures._gaits import Gait, GaitSet
from locomote.creatures._morphology import Morphology
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

# Natural ranges of speed: where a gait is left for the slower and for the faster one. Dogs go from walk to trot at a
# Froude number of 0.65 to 0.76 and from trot to gallop at 1.1 to 1.5; people run above 0.5.
_BACKS_UP = 0.03
_WALK_TO_TROT, _TROT_TO_WALK = 0.84, 0.70
_TROT_TO_GALLOP, _GALLOP_TO_TROT = 1.15, 1.0
_WALK_TO_RUN, _RUN_TO_WALK = 0.72, 0.60

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

Phases = Sequence[float] | FloatArray


# Motions of the body that make a wolf move as recorded dogs do, against what follows from its feet, in the order of
# `GaitLife`: bounce, sway, nod; bounce of the front, sag of the back; roll of shoulders and hips (in a trot the hip
# that stands is up, else down), from side to side; nod of the neck, and the turns by which it is late.
_WALK_LIVES = (1.3, 1.1, 0.4, 0.9, 3.4, 0.88, 0.6, 0.75, 1.3, 0.02)
_TROT_LIVES = (1.25, 0.57, 0.5, 0.6, 2.05, 1.1, -0.93, 1.0, 2.0, -0.05)
_GALLOP_LIVES = (0.82, 0.95, 0.9, 1.35, 0.0, 4.2, 3.6, 1.1, 0.66, -0.15)
_PACE_LIVES = (1.0, 1.1, 0.6, 1.7, 3.4, 0.77, 1.0, 1.5, 1.2, 0.1)
_BACK_LIVES = (1.25, 1.35, 1.0, 1.0, 1.0, 2.1, 0.95, 0.5, 1.45, 0.0)
_HOP_LIVES = (0.6, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_CANTER_LIVES = (0.65, 0.7, 0.9, 1.0, 0.0, 2.5, 2.5, 1.2, 0.6, 0.0)


def pairs(count: int) -> tuple[str, ...]:
    """The names of the feet of ``count`` pairs, front to back, left before right."""
    return tuple(f"{side}{rank}" for rank in range(1, count + 1) for side in "LR")


def _quadruped(
    name: str,
    speeds: Phases,
    periods: Phases,
    left_fore: Phases | float,
    hind: Phases | float,
    fore: Phases | float,
    lift: Phases | float,
    right_hind: float = 0.5,
    right_fore: Phases | None = None,
    lives: Sequence[float] = (1.0, 1.0, 1.0),
) -> Gait:
    """A gait by its touch-downs after that of the left hind foot, and the duty of hind and fore feet.

    ``lives`` are bounce, sway and nod of the body, against what follows from the feet.
    """
    knots = len(np.asarray(speeds))
    lands = np.zeros((knots, 4))  # L1, R1, L2, R2
    lands[:, 0] = left_fore
    lands[:, 1] = lands[:, 0] + 0.5 if right_fore is None else right_fore
    lands[:, 3] = right_hind
    duty = np.zeros((knots, 4))
    duty[:, :2] = np.broadcast_to(np.asarray(fore, dtype=np.float64), (knots,))[:, None]
    duty[:, 2:] = np.broadcast_to(np.asarray(hind, dtype=np.float64), (knots,))[:, None]
    return _gait(name, pairs(2), speeds, periods, lands, duty, lift, lives)


def _gait(
    name: str,
    feet: tuple[str, ...],
    speeds: Phases,
    periods: Phases,
    lands: FloatArray,
    duty: FloatArray,
    lift: Phases | float,
    lives: Sequence[float] = (1.0, 1.0, 1.0),
) -> Gait:
    """A gait by its touch-downs and duties, each ``(F,)`` or ``(M, F)``."""
    shape = (len(np.asarray(speeds)), len(feet))
    swing = np.broadcast_to(1.0 - duty, shape)
    starts = np.broadcast_to(lands, shape) - swing
    lifts = np.broadcast_to(np.asarray(lift, dtype=np.float64), shape[:1])
    return Gait(
        name,
        feet,
        np.asarray(speeds),
        np.asarray(periods),
        starts[..., None],
        swing[..., None],
        lifts,
        np.tile(lives, (len(lifts), 1)),
    )


def walk() -> Gait:
    """The walk of a dog: hind foot, then the fore foot of its side; fast ones land nearer together."""
    return _quadruped(
        "walk",
        speeds=[0.05, 0.15, 0.3, 0.5, 0.7, 0.9],
        periods=[5.6, 4.8, 3.7, 2.82, 2.31, 2.05],
        left_fore=[0.28, 0.275, 0.26, 0.21, 0.165, 0.15],
        hind=[0.71, 0.66, 0.59, 0.53, 0.49, 0.47],
        fore=[0.70, 0.65, 0.58, 0.52, 0.48, 0.46],
        lift=[0.08, 0.09, 0.095, 0.095, 0.10, 0.11],
        lives=_WALK_LIVES,
    )


def trot() -> Gait:
    """Diagonal pairs; the fore foot lands a little before the hind foot. Flies from middling speeds on."""
    return _quadruped(
        "trot",
        speeds=[0.4, 0.65, 0.9, 1.1, 1.4],
        periods=[2.72, 2.22, 1.88, 1.74, 1.62],
        left_fore=[0.485, 0.475, 0.47, 0.465, 0.46],
        hind=[0.50, 0.43, 0.385, 0.37, 0.35],
        fore=[0.51, 0.46, 0.42, 0.40, 0.38],
        lift=[0.10, 0.12, 0.14, 0.17, 0.21],
        lives=_TROT_LIVES,
    )


def pace() -> Gait:
    """Both feet of a side together."""
    return _quadruped(
        "pace",
        speeds=[0.1, 0.33, 0.55, 0.8],
        periods=[5.0, 4.14, 3.3, 2.81],
        left_fore=0.02,
        hind=[0.60, 0.57, 0.535, 0.50],
        fore=[0.65, 0.62, 0.585, 0.54],
        lift=[0.1, 0.13, 0.16, 0.18],
        lives=_PACE_LIVES,
    )


def back() -> Gait:
    """The backward walk of a dog: nearly a trot, the fore foot a little after its diagonal hind foot."""
    return _quadruped(
        "back",
        speeds=[0.05, 0.2, 0.3, 0.47, 0.6],
        periods=[4.2, 3.8, 3.28, 2.27, 1.9],
        left_fore=0.60,
        hind=[0.64, 0.62, 0.59, 0.54, 0.51],
        fore=[0.62, 0.60, 0.57, 0.52, 0.49],
        lift=0.1,
        lives=_BACK_LIVES,
    )


def turn() -> Gait:
    """Turning on the spot."""
    return _quadruped("turn", speeds=[0.0], periods=[3.73], left_fore=0.13, hind=0.60, fore=0.53, lift=0.1)


def canter() -> Gait:
    """Three beats: left hind foot first."""
    return _quadruped(
        "canter",
        speeds=[0.9, 1.4, 1.8],
        periods=[2.4, 2.15, 2.0],
        left_fore=0.37,
        right_hind=0.25,
        right_fore=[0.74, 0.74, 0.74],
        hind=[0.35, 0.31, 0.28],
        fore=[0.33, 0.28, 0.26],
        lift=[0.18, 0.22, 0.26],
        lives=_CANTER_LIVES,
    )


_GALLOP_SPEEDS = [1.0, 1.3, 1.7, 2.1, 3.0]
_GALLOP_PERIODS = [2.08, 1.83, 1.63, 1.45, 1.12]
_GALLOP_LIFT = [0.17, 0.20, 0.23, 0.25, 0.31]


def transverse_gallop() -> Gait:
    """The gallop of horses: left hind, right hind, left fore, right fore."""
    return _quadruped(
        "transverse gallop",
        _GALLOP_SPEEDS,
        _GALLOP_PERIODS,
        left_fore=0.44,
        right_hind=0.11,
        right_fore=[0.70] * 5,
        hind=[0.38, 0.345, 0.315, 0.28, 0.255],
        fore=[0.35, 0.31, 0.27, 0.255, 0.25],
        lift=_GALLOP_LIFT,
        lives=_GALLOP_LIVES,
    )


def rotary_gallop() -> Gait:
    """The gallop of dogs: left hind, right hind, right fore, left fore."""
    return _quadruped(
        "gallop",
        _GALLOP_SPEEDS,
        _GALLOP_PERIODS,
        left_fore=0.65,
        right_hind=0.14,
        right_fore=[0.40] * 5,
        hind=[0.37, 0.33, 0.285, 0.265, 0.25],
        fore=[0.36, 0.32, 0.27, 0.255, 0.25],
        lift=_GALLOP_LIFT,
        lives=_GALLOP_LIVES,
    )


def bound() -> Gait:
    """Hind feet together, fore feet together."""
    return _quadruped(
        "bound", [0.8, 1.5], [2.3, 2.0], left_fore=0.5, right_hind=0.0, right_fore=[0.5, 0.5],
        hind=[0.38, 0.33], fore=[0.38, 0.33], lift=[0.2, 0.3],
    )  # fmt: skip


def pronk() -> Gait:
    """All feet at once."""
    return _quadruped(
        "pronk", [0.0, 1.5], [2.4, 2.1], left_fore=0.0, right_hind=0.0, right_fore=[0.0, 0.0],
        hind=0.4, fore=0.4, lift=0.2,
    )  # fmt: skip


def hop() -> Gait:
    """The hops of a frog: it sits, leaps off its hind feet, flies, and comes down on its fore feet first."""
    return _quadruped(
        "hop", [0.1, 0.4, 0.6, 0.8, 1.2], [7.0, 5.5, 4.8, 3.7, 2.8],
        left_fore=-0.08, right_hind=0.0, right_fore=[-0.08] * 5,
        hind=[0.66, 0.60, 0.58, 0.56, 0.53], fore=[0.68, 0.62, 0.59, 0.57, 0.54],
        lift=[0.2, 0.3, 0.35, 0.4, 0.45], lives=_HOP_LIVES,
    )  # fmt: skip


def lizard() -> Gait:
    """The trot of sprawled legs: diagonal pairs that stand for more than half of the time."""
    return _quadruped(
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
    return _gait(
        "walk", pairs(1), [0.05, 0.2, 0.47, 0.7, 0.9], [5.6, 4.8, 3.6, 3.0, 2.7], np.array([0.0, 0.5]),
        np.array([[0.70], [0.67], [0.62], [0.59], [0.56]]), [0.08, 0.09, 0.1, 0.12, 0.13],
    )  # fmt: skip


def biped_run() -> Gait:
    """One foot after the other, with flights between."""
    return _gait(
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
    return _gait(name, feet, _SPRAWLED_SPEEDS, periods, lands, duty, 0.2)


def star(feet: Sequence[str]) -> Gait:
    """For legs all round a body, given in order round it: each foot far from the one before."""
    count = len(feet)
    stride = next(k for k in range(max(1, (count - 1) // 2), 0, -1) if np.gcd(k, count) == 1)
    duty = {1: 0.4, 2: 0.62, 3: 0.7}.get(count, min(0.85, 1.0 - 1.0 / count))
    lands = np.arange(count) * stride / count
    periods = _SPRAWLED_PERIODS * (_LONG_ROUND if duty > 0.6 else 1.0)
    duties = np.minimum(duty, _STAR_DUTY)[:, None]
    return _gait("star", tuple(feet), _SPRAWLED_SPEEDS, periods, lands, duties, 0.2)


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
    if not goes_sideways(creature):
        return known
    return GaitSet(tuple(replace(gait, periods=_SIDEWAYS * gait.periods) for gait in known.gaits), known.natural)


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
    on_demand = (pace(), canter(), transverse_gallop(), bound(), pronk(), turn(), wave(2))
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
