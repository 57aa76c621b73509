"""Putting a creature together: joints at their places, legs in pairs, skin on the bones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from locomote.creatures._morphology import CreatureLeg, Morphology
from locomote.creatures.mesh import SkinPiece, body_of, tube
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

Place = tuple[float, float, float]
Stations = Sequence[tuple[float, ...]]
SIDES = (("L", 1.0), ("R", -1.0))
MIRROR = np.array([-1.0, 1.0, 1.0])


class BodyBuilder:
    """A creature in the making. Joints are given by where they are in the world when it stands."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pieces: list[SkinPiece] = []
        self._names: list[str] = []
        self._parents: list[int] = []
        self._places: list[FloatArray] = []
        self._ends: list[tuple[int, FloatArray]] = []
        self._legs: list[tuple[str, str]] = []
        self._ranges: list[tuple[tuple[float, float], Sequence[tuple[float, float]], tuple[float, float]]] = []

    def joint(self, name: str, parent: str | None, place: ArrayLike) -> int:
        """Add a joint."""
        self._names.append(name)
        self._parents.append(-1 if parent is None else self._names.index(parent))
        self._places.append(np.asarray(place, dtype=np.float64))
        return len(self._names) - 1

    def chain(self, parent: str | None, joints: Sequence[tuple[str, Place]], end: Place | None = None) -> None:
        """Add joints one below the other, and the point at which the last bone ends."""
        for name, place in joints:
            self.joint(name, parent, place)
            parent = name
        if end is not None:
            self._ends.append((len(self._names) - 1, np.asarray(end, dtype=np.float64)))

    def place(self, name: str) -> FloatArray:
        """Where a joint is."""
        return self._places[self._names.index(name)]

    def index(self, name: str) -> int:
        """The number of a joint."""
        return self._names.index(name)

    def leg(
        self,
        parent: str,
        names: Sequence[str],
        places: ArrayLike,
        hip: tuple[float, float],
        bends: Sequence[tuple[float, float]],
        foot: tuple[float, float],
        skin: Stations,
        side: ArrayLike | None = None,
        around: int = 10,
    ) -> None:
        """Add a leg by its joints and its tip (the last place).

        ``hip`` is how far the first joint swings and twists, ``bends`` how much less and how much more than at rest
        the others bend, all in degrees. ``foot`` is half the width and length of the foot.
        """
        line = np.asarray(places, dtype=np.float64)
        self.chain(parent, [(n, tuple(p)) for n, p in zip(names, line, strict=False)], tuple(line[-1]))
        self._legs.append((names[0], names[-1]))
        self._ranges.append((hip, bends, foot))
        bones = [self._names.index(name) for name in names]
        self.pieces.append(tube(line, bones, skin, _leg_plane(line) if side is None else side, around))

    def pair(
        self,
        parent: str,
        names: Sequence[str],
        places: ArrayLike,
        hip: tuple[float, float],
        bends: Sequence[tuple[float, float]],
        foot: tuple[float, float],
        skin: Stations,
        side: ArrayLike | None = None,
        around: int = 10,
    ) -> None:
        """Add a leg of the left side, and its mirror image; ``.L`` and ``.R`` are added to the names."""
        line = np.asarray(places, dtype=np.float64)
        plane = _leg_plane(line) if side is None else np.asarray(side, dtype=np.float64)
        for mark, sign in SIDES:
            mirror = np.array([sign, 1.0, 1.0])
            # Mirroring turns a plane's normal over: the height of the tube must stay on the same side of the leg.
            across = plane if sign > 0.0 else -mirror * plane
            self.leg(
                parent if parent in self._names else f"{parent}.{mark}",
                [f"{name}.{mark}" for name in names],
                line * mirror,
                hip,
                bends,
                foot,
                skin,
                across,
                around,
            )

    def cover(
        self,
        path: Sequence[str | Place],
        stations: Stations,
        side: ArrayLike = (1.0, 0.0, 0.0),
        around: int = 16,
        rings: int = 5,
        corner: float = 0.4,
        blend: float = 0.5,
    ) -> None:
        """One skin along joints and, at its ends, free points."""
        places = np.array([self.place(p) if isinstance(p, str) else p for p in path])
        bones: list[int] = []
        for a, b in pairwise(path):
            known = [self._names.index(p) for p in (a, b) if isinstance(p, str)]
            if len(known) == 2 and self._parents[known[0]] == known[1]:
                known.reverse()  # a bone follows the joint at its upper end
            bones.append(known[0] if known else bones[-1])
        self.pieces.append(tube(places, bones, stations, side, around, rings, corner, blend))

    def both(self, piece: SkinPiece) -> None:
        """Add a piece and its mirror image on the same joints."""
        self.pieces += [
            piece,
            replace(piece, vertices=piece.vertices * MIRROR, triangles=piece.triangles[:, ::-1]),
        ]

    def finish(
        self,
        head: str | None = None,
        tail: str | None = None,
        box: tuple[float, float] | None = None,
        leads: str = "front",
    ) -> Morphology:
        """The creature; ``leads`` says which part of it is ahead when it goes: "front" or "left"."""
        places = np.array(self._places)
        parents = np.array(self._parents)
        offsets = places - np.where(parents[:, None] >= 0, places[parents], 0.0)
        skeleton = Skeleton(
            tuple(self._names),
            parents,
            offsets,
            end_parents=np.array([joint for joint, _ in self._ends], dtype=np.int64),
            end_offsets=np.array([place - places[joint] for joint, place in self._ends]).reshape(-1, 3),
        )
        body = body_of(skeleton, self.pieces)
        made = Morphology.from_names(skeleton, self._legs, body, head=head, tail=tail, name=self.name)
        legs = tuple(_limited(leg, *told) for leg, told in zip(made.legs, self._ranges, strict=True))
        made = replace(made, legs=legs, box=made.box if box is None else box)
        return made if leads == "front" else made.turned(-0.5 * np.pi)


def _leg_plane(line: FloatArray) -> FloatArray:
    """The level vector square to a leg: of one that points outwards, so that the height of its tube points up."""
    away = line[-1] - line[0]
    side = np.cross([away[0], 0.0, away[2]], [0.0, 1.0, 0.0])
    size = float(np.linalg.norm(side))
    return np.array([1.0, 0.0, 0.0]) if size < 1e-9 else np.asarray(side / size)


def _limited(
    leg: CreatureLeg,
    hip: tuple[float, float],
    bends: Sequence[tuple[float, float]],
    foot: tuple[float, float],
) -> CreatureLeg:
    """A leg with the limits of its animal: hinges in the plane in which it bends."""
    swing, twist = leg.limits.swing.copy(), leg.limits.twist.copy()
    swing[0] = np.radians(hip[0])
    twist[0] = np.radians([-hip[1], hip[1]])
    for k, (less, more) in enumerate(bends, start=1):
        twist[k] = np.radians([-less, more])
    return replace(leg, limits=replace(leg.limits, swing=swing, twist=twist), foot_box=foot)
