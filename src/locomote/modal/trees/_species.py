"""A kind of tree, analysed once: its branches, its lowest modes, what the wind does to each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.formats._archives import load_archive
from locomote.formats._files import atomic_path
from locomote.modal.trees._beams import Beams, Material, checked, line_integrals
from locomote.modal.trees._growth import HABITS, Habit, grow
from locomote.modal.trees._kernels.lengths import Branches
from locomote.modal.trees._kernels.product import in_rows
from locomote.modal.trees._modes import modes_of
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

NAMES = tuple(HABITS)
FORMAT, VERSION = "locomote tree", 1
DAMPING = (0.1, 0.05)  # ratios of the slowest and of the fastest mode
AIR = 0.5 * 1.2  # kg/m³: half the density of air, for a drag coefficient of 1
REFERENCE = 10.0  # m/s at which sway is told
_CROWN = 0.8  # of the height: nodes above it say how far a tree sways
_ARRAYS = ("nodes", "parents", "radii", "given", "rates", "gammas", "shapes", "drag", "inertia")


@dataclass(frozen=True, eq=False)
class Species:
    """A kind of tree: frozen, shared by any number of trees. Thick branches come first; so do parents.

    Modal masses are 1: ``q'' = |v| v·drag - a·inertia - gammas q' - rates² q``, and nodes move by ``Σ q shapes``.
    """

    name: str
    nodes: FloatArray  # (N, 3) m, at rest; node 0 is the clamped root
    parents: IntArray  # (N,) -1 for the root
    radii: FloatArray  # (N,) m
    given: IntArray  # (N,) the number that each node had in the skeleton that was given
    rates: FloatArray  # (M,) rad/s, increasing
    gammas: FloatArray  # (M,) 1/s, damping
    shapes: FloatArray  # (M, N, 3) m
    drag: FloatArray  # (M, 3) modal force over the square of a wind in m/s, along each axis
    inertia: FloatArray  # (M, 3) modal force over an acceleration of the root, kg, with the other sign
    residual: float = 0.0  # the largest of ‖Kφ - ω²Mφ‖ over ‖Kφ‖

    @classmethod
    def grow(cls, kind: str = "oak", nodes: int = 500, modes: int = 25, seed: int = 0) -> Species:
        """A tree of a built-in kind, as stiff and as much moved by wind as befits it.

        Parameters
        ----------
        kind : one of `NAMES`
        nodes : how many, 8 to 100000
        modes : how many of the lowest, fewer for a tree of few nodes
        seed : the same seed, the same tree
        """
        grown = grow(kind, nodes, seed)
        beams = _sorted(checked(grown.nodes, grown.parents, grown.radii))
        return _analysed(kind, beams, min(modes, 3 * (nodes - 1)), Material(), HABITS[kind])

    @classmethod
    def from_skeleton(
        cls,
        nodes: npt.ArrayLike,
        parents: npt.ArrayLike,
        radii: npt.ArrayLike,
        modes: int = 25,
        material: Material | None = None,
        sway: float | None = None,
        name: str = "tree",
    ) -> Species:
        """A tree from its branches, such as a scanned one; its nodes are put in order, thick ones first.

        Parameters
        ----------
        nodes : (N, 3) m, node 0 is where it stands
        parents : (N,) an earlier node each, -1 for node 0
        radii : (N,) m
        modes : how many of the lowest
        material : of the wood; the default is green wood, physically right
        sway : of its top in a steady wind of 10 m/s, over its height; none: what bare branches do
        name : for files
        """
        beams = _sorted(checked(np.asarray(nodes), np.asarray(parents), np.asarray(radii)))
        if sway is not None and not (math.isfinite(sway) and sway > 0.0):
            raise LocomoteError(f"sway: expected a number above 0, got {sway}")
        return _analysed(name, beams, modes, material or Material(), None, sway)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def height(self) -> float:
        """Of the highest node, m."""
        return float(np.max(self.nodes[:, 1]) - self.nodes[0, 1])

    @property
    def reach(self) -> float:
        """How far the crown goes from the root, level, m."""
        return float(np.max(np.linalg.norm((self.nodes - self.nodes[0])[:, [0, 2]], axis=1)))

    @property
    def frequencies(self) -> FloatArray:
        """Of the modes, Hz."""
        out: FloatArray = self.rates / (2.0 * math.pi)
        return out

    @property
    def dampings(self) -> FloatArray:
        """Ratios of the modes, 1 critical."""
        out: FloatArray = self.gammas / (2.0 * self.rates)
        return out

    @cached_property
    def lengths(self) -> FloatArray:
        """Of the branch from its parent to every node, m ``(N,)``; 0 at the root."""
        return np.concatenate([[0.0], np.linalg.norm(self.nodes[1:] - self.nodes[self.parents[1:]], axis=1)])

    @cached_property
    def branches(self) -> Branches:
        """The tree at rest, as kernels have it."""
        return Branches(in_rows(self.nodes[None])[0], self.lengths.astype(np.float32), self.parents)

    @cached_property
    def top(self) -> int:
        """The highest node."""
        return int(np.argmax(self.nodes[:, 1]))

    @cached_property
    def tips(self) -> IntArray:
        """Nodes at which no branch goes on."""
        return np.setdiff1d(np.arange(len(self)), self.parents)

    def still(self, wind: npt.ArrayLike) -> FloatArray:
        """Modal amplitudes ``(M,)`` in a wind ``(3,)`` m/s that never changes."""
        air = np.asarray(wind, dtype=np.float64)
        out: FloatArray = np.linalg.norm(air) * (self.drag @ air) / self.rates**2
        return out

    def braked(self, speed: float) -> Species:
        """The same with what moving air brakes it by, which the modal force of the wind leaves out.

        Parameters
        ----------
        speed : m/s of the mean wind
        """
        if not (math.isfinite(speed) and speed >= 0.0):
            raise LocomoteError(f"speed: expected m/s of at least 0, got {speed}")
        # Wind v on what moves along it at u: (v - u)² is v² less 2 v u. The slowest mode tells how much of each mass.
        most = float(np.linalg.norm(self.drag[0]) / max(float(np.linalg.norm(self.inertia[0])), 1e-12))
        return replace(self, gammas=self.gammas + 2.0 * speed * most)

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, .npz."""
        import json

        header = json.dumps({"format": FORMAT, "version": VERSION, "name": self.name, "residual": self.residual})
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.savez_compressed(stream, header=np.frombuffer(header.encode(), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Species:
        """Read one that was saved."""
        return load_archive(Path(path), FORMAT, VERSION, _species, "a tree")


def _species(header: dict[str, Any], arrays: dict[str, Any]) -> Species:
    beams = checked(arrays["nodes"], arrays["parents"], arrays["radii"])
    count, modes = len(beams.nodes), len(arrays["rates"])
    shapes = {
        "given": (count,),
        "rates": (modes,),
        "gammas": (modes,),
        "shapes": (modes, count, 3),
        "drag": (modes, 3),
        "inertia": (modes, 3),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise LocomoteError(f"{name}: expected finite numbers of shape {shape}, got {arrays[name].shape}")
    if modes == 0 or np.any(arrays["rates"] <= 0.0):
        raise LocomoteError("rates: expected one or more, all above 0")
    return Species(str(header["name"]), **{name: arrays[name] for name in _ARRAYS}, residual=float(header["residual"]))


def _sorted(beams: Beams) -> tuple[Beams, IntArray]:
    """The same tree with thick branches first, so that the first nodes of any number are a tree, and the order."""
    thin, depth = beams.radii.copy(), np.zeros(len(beams.radii), dtype=np.int64)
    for n, parent in enumerate(beams.parents[1:], start=1):
        thin[n], depth[n] = min(thin[n], thin[parent]), depth[parent] + 1
    order = np.lexsort((np.arange(len(thin)), depth, -thin))
    order = np.concatenate([[0], order[order != 0]])
    place = np.argsort(order)
    parents = np.where(beams.parents[order] < 0, -1, place[beams.parents[order]])
    return Beams(beams.nodes[order], parents, beams.radii[order]), order


def rayleigh(rates: FloatArray) -> tuple[float, float]:
    """Damping by mass, 1/s, and by stiffness, s, so that the slowest and the fastest mode have their ratios."""
    first, last = float(rates[0]), float(rates[-1])
    if last - first < 1e-6 * first:
        return 2.0 * DAMPING[0] * first, 0.0
    stiff = 2.0 * (DAMPING[1] * last - DAMPING[0] * first) / (last**2 - first**2)
    return 2.0 * DAMPING[0] * first - stiff * first**2, stiff


def _analysed(
    name: str,
    ordered: tuple[Beams, IntArray],
    modes: int,
    material: Material,
    habit: Habit | None,
    sway: float | None = None,
) -> Species:
    beams, given = ordered
    found = modes_of(beams, modes, material)
    rates, share = found.rates, sway
    if habit is not None:  # stiffness changes all frequencies alike
        rates, share = rates * (2.0 * math.pi * habit.pace / rates[0]), habit.sway
    by_mass, by_stiffness = rayleigh(rates)
    shapes = np.ascontiguousarray(found.shapes[..., :3])
    drag = AIR * line_integrals(beams, found.shapes, 2.0 * beams.girths)
    inertia = line_integrals(beams, found.shapes, material.density * math.pi * beams.girths**2)
    if share is not None:
        drag *= share * float(np.ptp(beams.nodes[:, 1])) / _sway(beams.nodes, shapes, drag, rates)
    gammas = by_mass + by_stiffness * rates**2
    return Species(
        name, beams.nodes, beams.parents, beams.radii, given, rates, gammas, shapes, drag, inertia, found.residual
    )


def _sway(nodes: FloatArray, shapes: FloatArray, drag: FloatArray, rates: FloatArray) -> float:
    """How far the upper crown goes along a steady wind, the mean over winds along x and z, m."""
    up = nodes[:, 1] - nodes[0, 1]
    crown = shapes[:, up >= _CROWN * up.max()].mean(axis=1)  # (M, 3)
    push = REFERENCE**2 * drag / (rates**2)[:, None]
    return float(0.5 * np.sum(crown[:, [0, 2]] * push[:, [0, 2]]))
