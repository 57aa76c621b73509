"""Trees grown by space colonisation: twigs reach for the free places of a crown until none is left."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_REACH, _TAKEN = 7.0, 1.7  # twig lengths: how far a free place attracts, and how near it is taken
_PLACES = 1.6  # free places for each node that is wanted
_FINER = 0.87  # by which twigs are shorter in the next try, where a crown is full too soon
_ROUNDS = 400  # of growth
_LEAF_PIPE = 0.15  # of what a tip feeds, that each node on the way adds
_TRIES = 12


class Habit(NamedTuple):
    """How a kind of tree grows and looks; lengths are shares of its height unless they say metres."""

    height: float  # m
    trunk: float  # radius at the ground
    bare: float  # height of the lowest branches
    crown: tuple[float, ...]  # radii of the crown from its base to its top, evenly spaced
    leader: float  # up to where the trunk goes on through the crown
    rise: float  # of a twig's direction, upwards (below 0: it hangs)
    stems: int  # from the ground
    pipe: float  # exponent by which cross-sections of children add up to their parent's
    pace: float  # Hz of the slowest mode, with its leaves
    sway: float  # of the top, in a steady wind of 10 m/s
    leaf: float  # m
    leaves: int  # of a twig
    green: tuple[int, int, int]
    bark: tuple[int, int, int]


HABITS: dict[str, Habit] = {
    "oak": Habit(
        *(9.0, 0.030, 0.20, (0.16, 0.44, 0.50, 0.46, 0.32, 0.08), 0.45, 0.02, 1, 2.2),
        *(0.55, 0.04, 0.24, 5, (86, 128, 62), (112, 92, 74)),
    ),
    "walnut": Habit(
        *(8.0, 0.022, 0.26, (0.10, 0.30, 0.42, 0.44, 0.36, 0.12), 0.34, 0.10, 1, 2.2),
        *(0.6, 0.05, 0.26, 4, (104, 142, 70), (134, 122, 108)),
    ),
    "birch": Habit(
        *(11.0, 0.011, 0.18, (0.08, 0.20, 0.22, 0.19, 0.13, 0.03), 0.95, -0.12, 1, 2.4),
        *(0.4, 0.08, 0.17, 6, (132, 166, 78), (214, 210, 200)),
    ),
    "spruce": Habit(
        *(12.0, 0.014, 0.08, (0.22, 0.21, 0.17, 0.125, 0.075, 0.01), 0.99, -0.06, 1, 2.5),
        *(0.45, 0.045, 0.2, 8, (58, 98, 74), (104, 84, 70)),
    ),
    "bush": Habit(
        *(1.6, 0.014, 0.04, (0.30, 0.55, 0.62, 0.55, 0.40, 0.12), 0.05, 0.12, 7, 2.1),
        *(1.3, 0.08, 0.07, 4, (110, 150, 66), (120, 98, 78)),
    ),
}


@dataclass(frozen=True, eq=False)
class Grown:
    """The axes of a tree."""

    nodes: FloatArray  # (N, 3) m
    parents: IntArray  # (N,)
    radii: FloatArray  # (N,) m


def grow(kind: str, count: int, seed: int) -> Grown:
    """A tree of a kind with so many nodes."""
    if kind not in HABITS:
        raise LocomoteError(f"no tree {kind!r}; those that grow are: {', '.join(HABITS)}")
    if not 8 <= count <= 100_000:
        raise LocomoteError(f"nodes {count}: a tree grows with 8 to 100000")
    habit = HABITS[kind]
    random = np.random.Generator(np.random.PCG64(seed))
    places = _free_places(habit, int(_PLACES * count) + 20, random)
    twig = 0.62 * (_volume(habit) / count) ** (1.0 / 3.0)  # nearly what fills the crown
    for _ in range(_TRIES):
        nodes, parents = _colonised(habit, places, twig, count, seed)
        if len(nodes) >= count:
            break
        twig *= _FINER
    nodes, parents = nodes[:count] * habit.height, parents[:count]
    return Grown(nodes, parents, _pipes(parents, habit))


def _width(habit: Habit, share: FloatArray) -> FloatArray:
    """The radius of the crown at a share of the way from its base to its top."""
    out: FloatArray = np.interp(share, np.linspace(0.0, 1.0, len(habit.crown)), habit.crown)
    return out


def _volume(habit: Habit) -> float:
    return float(math.pi * np.mean(_width(habit, np.linspace(0.0, 1.0, 50)) ** 2) * (1.0 - habit.bare))


def _free_places(habit: Habit, count: int, random: np.random.Generator) -> FloatArray:
    """Places ``(P, 3)`` all over the crown, evenly; more of them near its surface, where the light is."""
    share = np.linspace(0.0, 1.0, 200)
    area = _width(habit, share) ** 2 + 1e-4
    up = np.interp(random.random(count), np.cumsum(area) / area.sum(), share)
    around = random.uniform(-math.pi, math.pi, count)
    out = _width(habit, up) * random.random(count) ** 0.4
    height = habit.bare + (1.0 - habit.bare) * up
    return np.stack([out * np.sin(around), height, out * np.cos(around)], axis=1)


def _trunk(habit: Habit, twig: float, random: np.random.Generator) -> tuple[list[FloatArray], list[int]]:
    """The stems from which twigs start."""
    nodes, parents = [np.zeros(3)], [-1]
    top = max(habit.leader, habit.bare + twig)
    for stem in range(habit.stems):
        lean = 0.0 if habit.stems == 1 else 0.8
        around = 2.0 * math.pi * (stem + random.random()) / habit.stems
        way = np.array([lean * math.sin(around), 1.0, lean * math.cos(around)])
        steps = max(2, math.ceil(top / twig))
        at, place = 0, np.zeros(3)
        for _ in range(steps):
            way += np.array([random.normal(0.0, 0.05), 0.0, random.normal(0.0, 0.05)])
            place = place + top / steps * way / np.linalg.norm(way)
            parents.append(at)
            nodes.append(place)
            at = len(nodes) - 1
            way[[0, 2]] *= 0.9 if habit.stems == 1 else 1.0
    return nodes, parents


def _colonised(habit: Habit, places: FloatArray, twig: float, count: int, seed: int) -> tuple[FloatArray, IntArray]:
    """Nodes and parents: in each round all nodes that attract a free place grow by one twig."""
    random = np.random.Generator(np.random.PCG64([seed, 1]))
    starts, above = _trunk(habit, twig, random)
    nodes, parents = np.array(starts), np.array(above, dtype=np.int64)
    nearest, which = _nearest(nodes, places)
    for _ in range(_ROUNDS):
        pulled = nearest < _REACH * twig
        if not pulled.any():  # a gap under the crown: reach for the nearest place of all
            pulled = nearest == nearest.min(initial=math.inf)
        if len(nodes) >= count or not pulled.any():
            break
        towards = places[pulled] - nodes[which[pulled]]
        towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-9)
        who, back = np.unique(which[pulled], return_inverse=True)
        way: FloatArray = np.stack([np.bincount(back, towards[:, i], len(who)) for i in range(3)], axis=1, dtype=float)
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        way += random.normal(0.0, 0.12, way.shape) + np.array([0.0, habit.rise, 0.0])
        tips = nodes[who] + twig * way / np.linalg.norm(way, axis=1, keepdims=True)
        # Two places on both sides pull a twig to and fro over the same spot.
        new = _nearest(nodes, tips)[0] > 0.35 * twig
        if not new.any():
            places = places[~pulled]
            nearest, which = nearest[~pulled], which[~pulled]
            continue
        tips, first = tips[new], len(nodes)
        nodes, parents = np.concatenate([nodes, tips]), np.concatenate([parents, who[new]])
        near, mine = _nearest(tips, places)
        closer = near < nearest
        nearest, which = np.where(closer, near, nearest), np.where(closer, first + mine, which)
        free = nearest > _TAKEN * twig
        places, nearest, which = places[free], nearest[free], which[free]
    return nodes, parents


def _nearest(nodes: FloatArray, places: FloatArray) -> tuple[FloatArray, IntArray]:
    """How far the nearest node is from every place, and which it is."""
    far, which = cKDTree(nodes).query(places)
    return np.asarray(far, dtype=np.float64), np.asarray(which, dtype=np.int64)


def _pipes(parents: IntArray, habit: Habit) -> FloatArray:
    """Radii by which cross-sections of children add up to that of their parent."""
    fed = np.full(len(parents), _LEAF_PIPE)
    fed[np.setdiff1d(np.arange(len(parents)), parents)] = 1.0
    for n in range(len(parents) - 1, 0, -1):
        fed[parents[n]] += fed[n]
    out: FloatArray = habit.trunk * habit.height * (fed / fed[0]) ** (1.0 / habit.pipe)
    return out
