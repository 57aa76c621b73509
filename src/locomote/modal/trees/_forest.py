"""Trees of one kind in the wind: their state, stepped together."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from locomote._arguments import Rows, Values, Who, rows_of, spread
from locomote.errors import LocomoteError
from locomote.modal.trees._brushing import brushed
from locomote.modal.trees._correction import SourceCorrection, source_correction
from locomote.modal.trees._detail import Detail, Level, carriers, levels_of
from locomote.modal.trees._device import DeviceTrees, kernels_of
from locomote.modal.trees._flutter import Flutter
from locomote.modal.trees._kernels.bank import STEPS, Wood, advance_bank
from locomote.modal.trees._kernels.lengths import fade_twigs, restore_lengths
from locomote.modal.trees._kernels.product import empty_rows, in_rows, move_nodes
from locomote.modal.trees._oscillators import transitions
from locomote.modal.trees._species import Species
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.world import Wind

Correction = Literal["lengths", "source", "none"]
CORRECTIONS = ("lengths", "source", "none")
FASTEST = 60.0  # m/s of air
_CACHE, _TOGETHER = 100_000, 16  # numbers, and trees at least: each time all shapes are read
_HARDEST = 1000.0  # m/s² at a root
_LONGEST = 1.0  # s of a step

Air = Wind | npt.ArrayLike | None
Floats32 = npt.NDArray[np.float32]


class Forest:
    """Any number of trees of one species; one tree is a forest as well.

    A tree of another size moves as a scaled one does: as far for its size, and slower the larger it is.

    Parameters
    ----------
    species : their kind
    positions : (K, 2) as (x, z), or (K, 3), m
    sizes : over the species' own, one or (K,)
    headings : rad, one or (K,); at random by default
    correction : "lengths": every branch keeps its length; "source": as published, for comparison; "none"
    flutter : m that twigs tremble in a wind of 10 m/s, beside what modes do
    detail : less of trees that are far from who looks, see `seen_from`
    seed : the same seed, the same headings and flutter
    device : "cpu", or "cuda" for a GPU: modes and the places that `displaced` gives stay there
    """

    def __init__(
        self,
        species: Species,
        positions: npt.ArrayLike = ((0.0, 0.0),),
        *,
        sizes: Values = 1.0,
        headings: Values | None = None,
        correction: Correction = "lengths",
        flutter: float = 0.0,
        detail: Detail | None = None,
        seed: int = 0,
        device: str = "cpu",
    ) -> None:
        places = np.array(positions, dtype=np.float64)
        if places.ndim != 2 or places.shape[1] not in (2, 3) or not len(places) or not np.isfinite(places).all():
            raise LocomoteError(f"positions: shape {places.shape}, expected finite (K, 2) or (K, 3)")
        if correction not in CORRECTIONS:
            raise LocomoteError(f"correction {correction!r}: expected one of {', '.join(CORRECTIONS)}")
        if not (math.isfinite(flutter) and flutter >= 0.0):
            raise LocomoteError(f"flutter: expected metres of at least 0, got {flutter}")
        count = len(places)
        random = np.random.Generator(np.random.PCG64(seed))
        turned = random.uniform(-math.pi, math.pi, count)
        self.species, self.correction, self.detail, self.time = species, correction, detail, 0.0
        self.positions = places if places.shape[1] == 3 else np.insert(places, 1, 0.0, axis=1)
        self.sizes = spread("sizes", sizes, count)
        self.headings = turned if headings is None else spread("headings", headings, count)
        if np.any(self.sizes <= 0.0):
            raise LocomoteError(f"sizes: {self.sizes.min():g}, expected numbers above 0")
        self._state = np.zeros((count, len(species.rates))), np.zeros((count, len(species.rates)))
        self.levels: list[Level] = levels_of(species, detail, np.zeros(count))
        self.flutter = Flutter(species, count, flutter, random) if flutter > 0.0 else None
        self.source: SourceCorrection | None = source_correction(species) if correction == "source" else None
        drag, inertia = (np.ascontiguousarray(p.T / species.rates**2) for p in (species.drag, species.inertia))
        self._wood, self._step = Wood(drag, inertia, np.zeros((0, STEPS, 0))), -1.0
        self._stands = np.empty((count, 3))
        self.carry(self.positions, self.headings)
        clocks, rows = np.unique(self.sizes, return_inverse=True)
        self._clocks, self.rows = clocks, rows.reshape(-1).astype(np.int64)
        told = [species.shapes] if self.source is None else [self.source.first, self.source.second]
        self.shapes: list[Floats32] = [in_rows(each) for each in told]
        self._buffers: dict[int, Floats32] = {}  # by the number of nodes
        found = kernels_of(device)
        self._device = None if found is None else DeviceTrees(*found, self)

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def amplitudes(self) -> FloatArray:
        """Of the modes of every tree ``(K, M)``; from a GPU they come back until the next step."""
        return self._at_hand()[0]

    @property
    def speeds(self) -> FloatArray:
        """How fast these change ``(K, M)``, 1/s."""
        return self._at_hand()[1]

    def _at_hand(self) -> tuple[FloatArray, FloatArray]:
        if self._device is not None:
            self._device.give(*self._state)
        return self._state

    def step(self, dt: float, wind: Air = None, shaken: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Forest:
        """Bring all trees on.

        Parameters
        ----------
        dt : s, 0 to 1
        wind : a `world.Wind`, or a velocity (3,) or (K, 3) of the air, m/s; none is still air
        shaken : (3,) or (K, 3) m/s², how roots are accelerated: of what grows on something that moves
        """
        if not (math.isfinite(dt) and 0.0 <= dt <= _LONGEST):
            raise LocomoteError(f"dt: expected 0 to {_LONGEST:g} s, got {dt}")
        air, pull = self._air(wind), _vectors("shaken", shaken, len(self), _HARDEST, "m/s²")
        if dt != self._step:
            # A larger tree has a slower clock; so all of its wood and air scale alike.
            table = transitions(self.species.rates, self.species.gammas, dt / self._clocks)
            self._wood, self._step = self._wood._replace(table=table), dt
        if self._device is None:
            advance_bank(air, pull, self._stands, self._wood, self.rows, *self._state)
        else:
            self._device.take(*self._state)
            self._device.advance(air, pull, self._stands, self._wood)
        if self.flutter is not None:
            self.flutter.advance(dt, np.linalg.norm(air, axis=1))
        self.time += dt
        return self

    def _air(self, wind: Air) -> FloatArray:
        """The air at every tree ``(K, 3)``, m/s, in the world."""
        if wind is None:
            return np.zeros((len(self), 3))
        if isinstance(wind, Wind):
            return wind.at(self.positions, self.time)
        return _vectors("wind", wind, len(self), FASTEST, "m/s")

    def carry(self, positions: npt.ArrayLike, headings: Values) -> None:
        """Put what grows on something that moves where that is; how it is shaken, `step` is told.

        Parameters
        ----------
        positions : (K, 3) m
        headings : rad, one or (K,)
        """
        self.positions = np.array(_vectors("positions", positions, len(self), math.inf, "m"))
        self.headings = spread("headings", headings, len(self))
        self._stands[:] = np.stack([np.cos(self.headings), np.sin(self.headings), self.sizes], axis=1)

    def settle(self, wind: Air) -> Forest:
        """Let all trees stand as they would in a wind that has never changed.

        Parameters
        ----------
        wind : as of `step`, m/s
        """
        air = self.own(self._air(wind))
        self.amplitudes[:] = np.linalg.norm(air, axis=1)[:, None] * (air @ self._wood.drag)
        self.speeds[:] = 0.0
        return self

    def push(self, tree: int, node: int, impulse: npt.ArrayLike) -> None:
        """Hit a node: every mode takes its share of it (WND-14).

        Parameters
        ----------
        tree, node : their numbers
        impulse : (3,) N s in the world
        """
        (k,) = rows_of(tree, len(self))
        if not 0 <= node < len(self.species):
            raise LocomoteError(f"node {node}: the tree has nodes 0 to {len(self.species) - 1}")
        hit = np.asarray(impulse, dtype=np.float64)
        if hit.shape != (3,) or not np.isfinite(hit).all():
            raise LocomoteError(f"impulse: expected three finite numbers, got {impulse!r}")
        own = self.own(hit[None], np.array([k]))[0]
        self.speeds[k] += self.species.shapes[:, node] @ own / self.sizes[k] ** 3

    def brush(self, places: npt.ArrayLike, velocities: npt.ArrayLike, radii: Values = 0.15) -> int:
        """Let bodies push branches aside: people, creatures, their limbs, as spheres. The number of nodes touched.

        Parameters
        ----------
        places, velocities : (B, 3) m and m/s in the world
        radii : m, one or (B,)
        """
        spots, moving = (np.asarray(each, dtype=np.float64) for each in (places, velocities))
        if spots.ndim != 2 or spots.shape[1] != 3 or spots.shape != moving.shape:
            raise LocomoteError(f"bodies: expected places and velocities (B, 3), got {spots.shape} and {moving.shape}")
        if not (np.isfinite(spots).all() and np.isfinite(moving).all()):
            raise LocomoteError("bodies: expected finite places and velocities")
        return brushed(self, spots, moving, spread("radii", radii, len(spots)))

    def seen_from(self, eye: npt.ArrayLike) -> Forest:
        """Choose for every tree what is moved of it by how far away it is; needs `detail`.

        Parameters
        ----------
        eye : (3,) m, where somebody looks from
        """
        place = np.asarray(eye, dtype=np.float64)
        if place.shape != (3,) or not np.isfinite(place).all():
            raise LocomoteError(f"eye: expected a place (3,), got {eye!r}")
        self.levels = levels_of(self.species, self.detail, np.linalg.norm(self.positions - place, axis=1))
        return self

    def displaced(self) -> list[Floats32]:
        """Places ``(R, n, 3)`` of the trees of every level, m for their size, in their own frames: what a GPU takes.

        Arrays are the forest's own and hold until the next call; `levels` says whose they are. With ``device="cuda"``
        they are CuPy arrays, which DLPack hands on without a copy.
        """
        if self._device is not None:
            self._device.take(*self._state)
            return [self._device.placed(level) for level in self.levels]
        out = []
        for level in self.levels:
            rows = self._buffers.get(level.nodes)
            if rows is None or len(rows) < len(level.trees):
                rows = self._buffers[level.nodes] = empty_rows(len(level.trees), level.nodes)
            out.append(self._placed(level, rows[: len(level.trees)]))
        return out

    def _placed(self, level: Level, out: Floats32) -> Floats32:
        """Fill ``out (R, 3 n or more)`` with the places of trees of a level, and show them ``(R, n, 3)``."""
        q = self.amplitudes
        if len(level.trees) < len(self) or level.modes < q.shape[1] or level.first_mode < level.modes:
            q = q[level.trees, : level.modes]
            q[:, level.first_mode :] *= level.shares[:, None]
        shares = level.shares.astype(np.float32)
        # So many trees at a time that they stay in the cache.
        some = max(_TOGETHER, _CACHE // out.shape[1])
        for k in range(0, len(out), some):
            part = out[k : k + some]
            self._add_modes(q[k : k + some], part)
            if self.flutter is not None:
                self.flutter.add(level.trees[k : k + some], part)
            fades = level.nodes, level.first_node, shares[k : k + some]
            if self.correction == "lengths":
                restore_lengths(self.species.branches, *fades, part)
            elif level.first_node < level.nodes:
                fade_twigs(self.species.branches, *fades, part)
        return out[:, : 3 * level.nodes].reshape(len(level.trees), level.nodes, 3)

    def _add_modes(self, q: FloatArray, out: Floats32) -> None:
        """Fill ``out (R, 3 n)`` with places of nodes as modes of amplitudes ``q`` move them."""
        rest = self.species.branches.rest
        if self.source is None:
            move_nodes(rest, q, self.shapes[0], out)
            return
        bends, squares = self.source.bends[: q.shape[1]], np.empty_like(out)
        s = np.arctan(bends * q) / bends
        move_nodes(rest, s, self.shapes[0], squares)
        move_nodes(np.zeros_like(rest), s * s, self.shapes[1], out)
        out += squares

    def nodes(self, who: Who = None) -> FloatArray:
        """Places ``(K, N, 3)`` of all nodes in the world, m; twigs that are left out go with what carries them.

        Parameters
        ----------
        who : which trees; all by default
        """
        chosen = rows_of(who, len(self))
        out = np.empty((len(chosen), len(self.species), 3))
        for level in self.levels:
            mine = np.flatnonzero(np.isin(chosen, level.trees))
            if not len(mine):
                continue
            rows = np.searchsorted(level.trees, chosen[mine])
            part = level._replace(trees=chosen[mine], shares=level.shares[rows])
            places = self._placed(part, empty_rows(len(mine), level.nodes))
            by = carriers(self.species, level.nodes)
            out[mine] = places[:, by] + (self.species.nodes - self.species.nodes[by])
        return self.in_world(out - self.species.nodes[0], chosen)

    def in_world(self, own: FloatArray, trees: Rows) -> FloatArray:
        """Places ``(R, n, 3)`` in the frames of trees, from their roots, as places in the world.

        Parameters
        ----------
        own : m for the size of the trees
        trees : (R,) their numbers
        """
        c, s = np.cos(self.headings[trees])[:, None], np.sin(self.headings[trees])[:, None]
        turned = np.stack([c * own[..., 0] + s * own[..., 2], own[..., 1], c * own[..., 2] - s * own[..., 0]], axis=-1)
        out: FloatArray = self.positions[trees][:, None] + self.sizes[trees][:, None, None] * turned
        return out

    def own(self, vectors: FloatArray, trees: Rows | None = None) -> FloatArray:
        """Vectors of the world in the frames of trees.

        Parameters
        ----------
        vectors : (K, 3)
        trees : (K,) their numbers; all by default
        """
        turned = self.headings if trees is None else self.headings[trees]
        c, s = np.cos(turned), np.sin(turned)
        x, z = vectors[:, 0], vectors[:, 2]
        return np.stack([c * x - s * z, vectors[:, 1], s * x + c * z], axis=1)

    def record(self, seconds: float, fps: float = 30.0, wind: Air = None, who: Who = None) -> list[Motion]:
        """What trees do from now on, as motions with their skin, which every format writes.

        Parameters
        ----------
        seconds : s
        fps : frames a second
        wind : as of `step`
        who : which trees; all by default
        """
        from locomote.modal.trees._recording import record

        return record(self, seconds, fps, wind, rows_of(who, len(self)))


def _vectors(what: str, given: npt.ArrayLike, count: int, most: float, unit: str) -> FloatArray:
    """One finite vector for each tree ``(K, 3)``, none above a limit."""
    try:
        out: FloatArray = np.broadcast_to(np.asarray(given, dtype=np.float64), (count, 3))
    except (TypeError, ValueError):
        raise LocomoteError(f"{what}: shape {np.shape(given)}, expected (3,) or ({count}, 3) {unit}") from None
    if not np.isfinite(out).all():
        tree = int(np.argmin(np.isfinite(out).all(axis=1)))
        raise LocomoteError(f"{what}: {out[tree][~np.isfinite(out[tree])][0]} at tree {tree}, expected finite {unit}")
    if np.max(np.abs(out), initial=0.0) > most:
        raise LocomoteError(f"{what}: {np.max(np.abs(out)):g} {unit}, expected at most {most:g}")
    return out
