"""Rigid bodies joined by springs: what vibrates. Places and axes are those of the rest pose, in the world."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


class Link(NamedTuple):
    """Two bodies that turn against each other about some axes, with a spring about each."""

    parent: int  # numbers of the bodies
    child: int
    place: FloatArray  # (3,) m
    axes: FloatArray  # (1, 3) of a hinge, (3, 3) of a ball joint; unit vectors, square to each other
    stiffness: float  # N m/rad
    name: str = ""


@dataclass(frozen=True, eq=False)
class Linkage:
    """Bodies and the links between them, in open trees or closed loops; body 0 is where motion is told from."""

    names: tuple[str, ...]  # of the B bodies
    mass: FloatArray  # (B,) kg
    centre: FloatArray  # (B, 3) m
    inertia: FloatArray  # (B, 3, 3) kg m2, about the centre, in the axes of the world
    links: tuple[Link, ...]
    root: FloatArray  # (3,) m, the point of body 0 whose motion is that of the whole

    def __post_init__(self) -> None:
        count = len(self.names)
        for what, shape in (("mass", (count,)), ("centre", (count, 3)), ("inertia", (count, 3, 3)), ("root", (3,))):
            values = np.array(getattr(self, what), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)):
                raise LocomoteError(f"linkage: {what} must be finite, of shape {shape}; got {values.shape}")
            values.setflags(write=False)
            object.__setattr__(self, what, values)
        if count == 0:
            raise LocomoteError("linkage: at least one body is needed")
        for body in np.flatnonzero(self.mass <= 0.0):
            raise LocomoteError(f"body {self.names[body]!r}: its mass is {self.mass[body]:g} kg; expected above 0")
        for body in np.flatnonzero(np.linalg.eigvalsh(self.inertia)[:, 0] <= 0.0):
            raise LocomoteError(f"body {self.names[body]!r}: its inertia must be that of a body with some extent")
        for link in self.links:
            self._check(link)
        apart = np.flatnonzero(self.tree.order < 0)
        if len(apart):
            names = ", ".join(self.names[b] for b in apart[:3])
            raise LocomoteError(f"linkage: {names} and {self.names[0]} are not joined; every body needs a way of links")

    def _check(self, link: Link) -> None:
        what = f"link {link.name or f'{link.parent}-{link.child}'!r}"
        for body in (link.parent, link.child):
            if not 0 <= body < len(self.names):
                raise LocomoteError(f"{what}: there is no body {body}; the linkage has {len(self.names)}")
        if link.parent == link.child:
            raise LocomoteError(f"{what}: it joins a body to itself")
        if not 0.0 < link.stiffness < np.inf:
            raise LocomoteError(f"{what}: stiffness must be above 0 N m/rad, got {link.stiffness:g}")
        axes = np.asarray(link.axes)
        if axes.shape not in ((1, 3), (3, 3)) or not np.allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-9):
            raise LocomoteError(f"{what}: expected one axis of a hinge or three of a ball joint, square to each other")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def tree(self) -> Tree:
        """A tree of links that reaches every body; the links left over close loops."""
        return _span(len(self.names), self.links)

    @cached_property
    def stiffness(self) -> FloatArray:
        """Of every axis of every link, ``(A,)`` N m/rad."""
        return np.repeat([link.stiffness for link in self.links], [len(link.axes) for link in self.links])

    @cached_property
    def mass_centre(self) -> FloatArray:
        """The centre of mass of all, ``(3,)`` m."""
        centre: FloatArray = self.mass @ self.centre / self.mass.sum()
        return centre

    def stiffened(self, factors: FloatArray | float) -> Linkage:
        """The same bodies with stiffer links: a factor for all, or one for each ``(L,)``."""
        each = np.broadcast_to(np.asarray(factors, dtype=np.float64), (len(self.links),))
        links = zip(self.links, each, strict=True)
        return replace(self, links=tuple(link._replace(stiffness=link.stiffness * float(f)) for link, f in links))

    def begun_at(self, body: int) -> Linkage:
        """The same bodies and links with another body first: motion is told from its centre."""
        if not 0 <= body < len(self):
            raise LocomoteError(f"there is no body {body}; the linkage has {len(self)}")
        order = [body, *(b for b in range(len(self)) if b != body)]
        place = {b: k for k, b in enumerate(order)}
        links = tuple(link._replace(parent=place[link.parent], child=place[link.child]) for link in self.links)
        names = tuple(self.names[b] for b in order)
        return Linkage(names, self.mass[order], self.centre[order], self.inertia[order], links, self.centre[body])

    @classmethod
    def chain(cls, count: int = 16, stiffness: float = 1.0, length: float = 0.1, mass: float = 0.05) -> Linkage:
        """Thin rods in a row along +Z with hinges between that bend it up and down: a worm.

        Parameters
        ----------
        count : rods
        stiffness : N m/rad
        length, mass : m and kg, of a rod
        """
        along = (np.arange(count) + 0.5) * length
        centre = np.stack([np.zeros(count), np.zeros(count), along], axis=1)
        hinges = [(k, k + 1, np.array([0.0, 0.0, (k + 1) * length])) for k in range(count - 1)]
        return _rods(centre, np.tile([0.0, 0.0, 1.0], (count, 1)), hinges, (stiffness, length, mass))

    @classmethod
    def ring(cls, count: int = 16, stiffness: float = 1.0, length: float = 0.1, mass: float = 0.05) -> Linkage:
        """Thin rods in a closed polygon that stands on its lowest rod and rolls along +Z: a loop.

        Parameters
        ----------
        count : rods
        stiffness : N m/rad
        length, mass : m and kg, of a rod
        """
        if count < 4:
            raise LocomoteError(f"ring: {count} rods cannot bend; expected 4 or more")
        angle = 2.0 * np.pi * np.arange(count) / count  # of the middles, from the lowest on
        inner, outer = 0.5 * length / np.tan(np.pi / count), 0.5 * length / np.sin(np.pi / count)
        out = np.stack([np.zeros(count), -np.cos(angle), np.sin(angle)], axis=1)
        along = np.stack([np.zeros(count), np.sin(angle), np.cos(angle)], axis=1)
        up = np.array([0.0, inner, 0.0])
        corner = angle + np.pi / count
        corners = up + outer * np.stack([np.zeros(count), -np.cos(corner), np.sin(corner)], axis=1)
        hinges = [(k, (k + 1) % count, corners[k]) for k in range(count)]
        return _rods(up + inner * out, along, hinges, (stiffness, length, mass))


_THIN = 0.01  # of its length, the radius of a rod


def _rods(
    centre: FloatArray,
    along: FloatArray,
    hinges: list[tuple[int, int, FloatArray]],
    rod: tuple[float, float, float],
) -> Linkage:
    """Rods with hinges about +X; ``rod`` is stiffness, length and mass."""
    stiffness, length, mass = rod
    if not (mass > 0.0 and length > 0.0):
        raise LocomoteError(f"rods: expected a length and a mass above 0, got {length:g} m and {mass:g} kg")
    own = along[:, :, None] * along[:, None, :]
    inertia = mass * length**2 / 12.0 * (np.eye(3) - own) + 0.5 * mass * (_THIN * length) ** 2 * own
    axis = np.array([[1.0, 0.0, 0.0]])
    links = tuple(Link(a, b, place, axis, stiffness, f"hinge {k}") for k, (a, b, place) in enumerate(hinges))
    names = tuple(f"rod {k}" for k in range(len(centre)))
    return Linkage(names, np.full(len(centre), mass), centre, inertia, links, centre[0])


class Tree(NamedTuple):
    """Links in an order in which each is reached from body 0."""

    order: IntArray  # (B,) how many links a body is away from body 0; -1: it cannot be reached
    links: IntArray  # (B - 1,) that make up the tree, by distance
    outwards: FloatArray  # (B - 1,) 1: its child is farther out, -1: its parent is
    beyond: FloatArray  # (B - 1, B) 1 for the bodies that turn with it
    closing: IntArray  # the links left over


def _span(count: int, links: tuple[Link, ...]) -> Tree:
    """Body by body outwards; each is reached by the first link that leads to it."""
    touching: list[list[int]] = [[] for _ in range(count)]
    for k, link in enumerate(links):
        touching[link.parent].append(k)
        touching[link.child].append(k)
    order, above = np.full(count, -1), np.full(count, -1)
    used: list[int] = []
    ends: list[int] = []
    signs: list[float] = []
    order[0], queue = 0, [0]
    for body in queue:
        for k in touching[body]:
            outwards = links[k].parent == body
            other = links[k].child if outwards else links[k].parent
            if order[other] < 0:
                order[other], above[other] = order[body] + 1, len(used)
                used.append(k)
                ends.append(other)
                signs.append(1.0 if outwards else -1.0)
                queue.append(other)
    beyond = np.zeros((len(used), count))
    for end in queue[:0:-1]:  # from the leaves in: a link carries its end and what the links there carry
        mine = above[end]
        beyond[mine, end] = 1.0
        inner = links[used[mine]].parent if signs[mine] > 0.0 else links[used[mine]].child
        if inner != 0:
            beyond[above[inner]] += beyond[mine]
    closing = np.array([k for k in range(len(links)) if k not in set(used)], dtype=np.int64)
    return Tree(order, np.array(used, dtype=np.int64), np.array(signs), beyond, closing)
