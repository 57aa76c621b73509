"""Creatures built by hand, with the numbers that must be found in them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


@dataclass
class Built:
    """A skeleton in the making, joint by joint at world positions, and what is true of it."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    places: list[FloatArray] = field(default_factory=list)
    legs: list[tuple[str, str]] = field(default_factory=list)

    def add(self, name: str, parent: str | None, place: tuple[float, float, float]) -> None:
        self.names.append(name)
        self.parents.append(-1 if parent is None else self.names.index(parent))
        self.places.append(np.array(place))

    def add_leg(self, name: str, parent: str, points: list[tuple[float, float, float]]) -> None:
        for k, point in enumerate(points):
            self.add(f"{name}_{k}", parent if k == 0 else f"{name}_{k - 1}", point)
        self.legs.append((f"{name}_0", f"{name}_{len(points) - 1}"))

    def skeleton(self, seed: int = 0) -> Skeleton:
        """The joints with frames turned at random: nothing found may depend on them."""
        turns = rot.normalize(np.random.default_rng(seed).normal(size=(len(self.names), 4)))
        places = np.array(self.places)
        offsets, rests = places.copy(), turns.copy()
        for j, parent in enumerate(self.parents):
            if parent >= 0:
                back = rot.inverse(turns[parent])
                offsets[j] = rot.rotate(back, places[j] - places[parent])
                rests[j] = rot.multiply(back, turns[j])
        return Skeleton(tuple(self.names), np.array(self.parents), offsets, rests)


def spider() -> Built:
    out = Built()
    out.add("thorax", None, (0.0, 0.3, 0.0))
    out.add("head", "thorax", (0.0, 0.3, 0.2))
    out.add("abdomen", "thorax", (0.0, 0.35, -0.3))
    for row, (hip_z, foot_z) in enumerate([(0.12, 0.8), (0.04, 0.3), (-0.04, -0.3), (-0.12, -0.8)]):
        for side, x in (("l", 1.0), ("r", -1.0)):
            points = [
                (0.1, 0.3, hip_z),
                (0.4, 0.6, 0.5 * (hip_z + foot_z)),
                (0.7, 0.25, foot_z),
                (0.75, 0.0, foot_z),
            ]
            out.add_leg(f"leg{row}{side}", "thorax", [(x * a, b, c) for a, b, c in points])
    return out


def ant() -> Built:
    out = Built()
    out.add("thorax", None, (0.0, 0.2, 0.0))
    out.add("head", "thorax", (0.0, 0.22, 0.2))
    out.add("gaster", "thorax", (0.0, 0.25, -0.3))
    for row, z in enumerate((0.1, 0.0, -0.1)):
        for side, x in (("l", 1.0), ("r", -1.0)):
            points = [(0.05, 0.18, z), (0.2, 0.35, 2 * z), (0.3, 0.1, 3 * z), (0.35, 0.0, 3.2 * z)]
            out.add_leg(f"leg{row}{side}", "thorax", [(x * a, b, c) for a, b, c in points])
    return out


def quadruped(low: bool = False) -> Built:
    """A wolf, or with ``low`` a lizard whose legs sprawl."""
    out = Built()
    high = 0.25 if low else 0.8
    out.add("pelvis", None, (0.0, high, -0.4))
    out.add("back", "pelvis", (0.0, high, 0.0))
    out.add("chest", "back", (0.0, high, 0.4))
    out.add("neck", "chest", (0.0, high + 0.2, 0.55))
    out.add("head", "neck", (0.0, high + 0.35, 0.7))
    out.add("tail0", "pelvis", (0.0, high, -0.55))
    out.add("tail1", "tail0", (0.0, high - 0.05, -0.75))
    for girdle, z in (("chest", 0.38), ("pelvis", -0.42)):
        for side, x in (("l", 1.0), ("r", -1.0)):
            if low:
                points = [(0.1, 0.24, z), (0.35, 0.26, z), (0.4, 0.05, z + 0.05), (0.42, 0.0, z + 0.15)]
            else:
                points = [
                    (0.12, 0.75, z),
                    (0.12, 0.45, z + 0.1),
                    (0.13, 0.2, z - 0.05),
                    (0.13, 0.0, z + 0.02),
                ]
            out.add_leg(f"{girdle}_{side}", girdle, [(x * a, b, c) for a, b, c in points])
    return out


def robot() -> Built:
    """Five legs around a disk, the first one straight ahead."""
    out = Built()
    out.add("disk", None, (0.0, 0.5, 0.0))
    for f in range(5):
        angle = 2.0 * np.pi * f / 5
        points = [(0.3, 0.5), (0.7, 0.8), (0.9, 0.0)]
        out.add_leg(f"leg{f}", "disk", [(r * np.sin(angle), y, r * np.cos(angle)) for r, y in points])
    return out


def biped() -> Built:
    out = Built()
    out.add("pelvis", None, (0.0, 0.95, 0.0))
    out.add("chest", "pelvis", (0.0, 1.3, 0.0))
    out.add("head", "chest", (0.0, 1.6, 0.0))
    for side, x in (("l", 1.0), ("r", -1.0)):
        out.add_leg(f"leg{side}", "pelvis", [(x * 0.1, 0.9, 0.0), (x * 0.1, 0.5, 0.02), (x * 0.1, 0.0, 0.0)])
        out.add(f"arm{side}", "chest", (x * 0.2, 1.4, 0.0))
        out.add(f"hand{side}", f"arm{side}", (x * 0.25, 0.9, 0.05))
    return out


CREATURES = {
    "spider": spider,
    "wolf": quadruped,
    "ant": ant,
    "lizard": lambda: quadruped(low=True),
    "robot": robot,
    "biped": biped,
}
