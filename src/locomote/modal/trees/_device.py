"""Trees on a GPU: the state of their modes and the places of their nodes stay in its memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.math._gpu import cupy
from locomote.modal.trees._detail import Level
from locomote.modal.trees._kernels.product import row_length
from locomote.modal.trees._species import Species
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

if TYPE_CHECKING:
    from locomote.modal.trees._forest import Forest

DEVICES = ("cpu", "cuda")
KERNELS = ("advance_bank", "move_nodes", "follow_parents")
SOURCE = Path(__file__).with_name("_device.cu")
_THREADS, _WARP, _EIGHT = 128, 32, 8  # of a block, side by side, and trees that a thread moves


def kernels_of(device: str) -> tuple[Any, dict[str, Any]] | None:
    """CuPy, and the kernels by name, for the GPU of this machine; nothing for the processor."""
    if device == "cpu":
        return None
    if device not in DEVICES:
        raise LocomoteError(f"device {device!r}: expected one of {', '.join(DEVICES)}")
    xp = cupy()
    module = xp.RawModule(code=SOURCE.read_text(encoding="utf-8"))
    return xp, {name: module.get_function(name) for name in KERNELS}


class _Generations(NamedTuple):
    """The first nodes of a tree by how many branches are below them."""

    order: Any  # (n,) int32
    starts: Any  # (G + 1,) int32


class DeviceTrees:
    """The trees of a forest on a GPU.

    Parameters
    ----------
    xp, kernels : CuPy, and what launches the kernels by name, for a grid, a block and arguments
    forest : whose trees they are
    """

    def __init__(self, xp: Any, kernels: dict[str, Any], forest: Forest) -> None:
        self._xp, self._kernels, self._forest = xp, kernels, forest
        species = forest.species
        self._parents = xp.asarray(species.parents.astype(np.int32))
        self._rest, self._lengths = xp.asarray(species.branches.rest), xp.asarray(species.branches.lengths)
        self._rows = xp.asarray(forest.rows)
        self._wood: tuple[FloatArray, ...] = ()  # what the tables here were made of
        self._tables: tuple[Any, ...] = ()
        self._shapes: dict[int, Any] = {}  # of all that moves nodes, by the number of modes
        self._generations: dict[int, _Generations] = {}  # by the number of nodes
        self._places: dict[int, Any] = {}
        self._levels: dict[int, tuple[Level, Any, Any]] = {}  # with their trees and shares
        self.state: tuple[Any, Any] | None = None  # amplitudes and their rates, where they are here

    def take(self, amplitudes: FloatArray, speeds: FloatArray) -> None:
        """Have the state of all modes here, if it is not."""
        if self.state is None:
            self.state = self._xp.array(amplitudes), self._xp.array(speeds)

    def give(self, amplitudes: FloatArray, speeds: FloatArray) -> None:
        """Bring the state back to the processor, if it is here."""
        if self.state is not None:
            amplitudes[:], speeds[:] = (_host(each) for each in self.state)
            self.state = None

    def advance(self, air: FloatArray, shaken: FloatArray, stands: FloatArray, wood: tuple[FloatArray, ...]) -> None:
        """A step of all modes: see `advance_bank` of the processor."""
        assert self.state is not None
        xp, (trees, modes) = self._xp, self.state[0].shape
        now = xp.asarray(np.stack([air, shaken, stands]))
        if self._wood is not wood:
            self._wood, self._tables = wood, tuple(xp.asarray(each) for each in wood)
        told = (*now, *self._tables, self._rows, *self.state)
        blocks = -(-trees * modes // _THREADS)
        self._kernels["advance_bank"]((blocks,), (_THREADS,), (np.int32(trees), np.int32(modes), *told))

    def placed(self, level: Level) -> Any:
        """Places of the nodes of the trees of a level, ``(R, n, 3)``, m, float32."""
        assert self.state is not None
        xp, trees, columns = self._xp, len(level.trees), row_length(level.nodes)
        some = -(-trees // _EIGHT) * _EIGHT
        amounts = self._amounts(level, some)
        shapes = self._stacked(level.modes)
        out = self._places.get(level.nodes)
        if out is None or len(out) < some:
            out = self._places[level.nodes] = xp.zeros((some, columns), np.float32)
        numbers = (np.int32(each) for each in (some, len(amounts), columns, shapes.shape[1]))
        grid = -(-columns // 4 // _THREADS), some // _EIGHT
        self._kernels["move_nodes"](grid, (_THREADS,), (*numbers, self._rest, amounts, shapes, out))
        keep = self._forest.correction == "lengths"
        if keep or level.first_node < level.nodes:
            self._follow(level, keep, out)
        return out[:trees, : 3 * level.nodes].reshape(trees, level.nodes, 3)

    def _follow(self, level: Level, keep: bool, out: Any) -> None:
        """Go from parents to children: keep lengths, let twigs fade."""
        trees = len(level.trees)
        if level.nodes not in self._generations:
            self._generations[level.nodes] = self._by_generations(level.nodes)
        order, starts = self._generations[level.nodes]
        sizes = (np.int32(each) for each in (trees, out.shape[1], level.first_node, len(starts) - 1, keep))
        shares = self._of_level(level)[1]
        told = (*sizes, order, starts, self._parents, self._rest, self._lengths, shares, out)
        side = _THREADS // _WARP
        self._kernels["follow_parents"]((-(-trees // side),), (_WARP, side), told)

    def _amounts(self, level: Level, some: int) -> Any:
        """How much of all that moves nodes there is in each tree, ``(A, some)`` float32."""
        xp, forest = self._xp, self._forest
        assert self.state is not None
        q, (who, shares) = self.state[0], self._of_level(level)
        if len(level.trees) < len(forest) or level.modes < q.shape[1] or level.first_mode < level.modes:
            q = q[who, : level.modes]
            q[:, level.first_mode :] *= shares[:, None]
        if forest.source is not None:
            bends = xp.asarray(forest.source.bends[: level.modes])
            q = xp.arctan(bends * q) / bends
            q = xp.concatenate([q, q * q], axis=1)
        if forest.flutter is not None:
            q = xp.concatenate([q, xp.asarray(forest.flutter.sizes(level.trees))], axis=1)
        out = xp.zeros((q.shape[1], some), np.float32)
        out[:, : len(level.trees)] = q.T
        return out

    def _of_level(self, level: Level) -> tuple[Any, Any]:
        """The trees of a level, and the shares of what fades in them (float32)."""
        known = self._levels.get(level.nodes)
        if known is None or known[0] is not level:
            known = level, self._xp.asarray(level.trees), self._xp.asarray(level.shares.astype(np.float32))
            self._levels[level.nodes] = known
        return known[1:]

    def _stacked(self, modes: int) -> Any:
        """The shapes of as many modes, and of whatever else moves nodes, in rows."""
        if modes not in self._shapes:
            flutter = self._forest.flutter
            rows = [each[:modes] for each in self._forest.shapes] + ([] if flutter is None else [flutter.shapes])
            self._shapes[modes] = self._xp.asarray(np.concatenate(rows))
        return self._shapes[modes]

    def _by_generations(self, count: int) -> _Generations:
        depth = depths(self._forest.species)[:count]
        order = np.argsort(depth, kind="stable").astype(np.int32)
        starts = np.searchsorted(depth[order], np.arange(depth.max() + 2)).astype(np.int32)
        return _Generations(self._xp.asarray(order), self._xp.asarray(starts))


def depths(species: Species) -> IntArray:
    """How many branches are below every node ``(N,)``."""
    out = np.zeros(len(species), dtype=np.int64)
    for n, parent in enumerate(species.parents[1:].tolist(), start=1):
        out[n] = out[parent] + 1
    return out


def _host(array: Any) -> FloatArray:
    """An array of the GPU as one of the processor."""
    out: FloatArray = np.asarray(array.get() if hasattr(array, "get") else array)
    return out
