"""The state of people in the memory of a GPU, and the launches of a step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.human._cuda.layout import (
    LANES,
    arguments_of,
    from_tiles,
    into_tiles,
    parameters_of,
    to_tiles,
    words_of,
)
from locomote.human._kernels.model import Model
from locomote.human._kernels.state import People
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.world._kernels.ground import Terrain

# Threads of a block, people that it is for, and the most blocks: those who go on take whoever is left.
LAUNCHES = {
    "advance_all": (128, 128, 2**31),
    "fill_points": (288, LANES, 2**31),
    "pose_all": (128, 128, 2**31),
    "go_on": (64, 64, 1024),
}
STATE = ("walkers", "feet", "weights", "cache")  # what a step changes

Rows = npt.NDArray[np.int64]


class DeviceArrays(NamedTuple):
    """The poses of N people in the memory of a GPU, as CuPy arrays.

    Whatever takes DLPack, or the interface of CUDA arrays, takes them without a copy. The next step overwrites them.
    """

    root_positions: Any  # (N, 3)
    rotations: Any  # (N, J, 4)
    joint_positions: Any  # (N, J, 3)


class DevicePoses(Poses):
    """Poses on a GPU: those of ``on_device``, copied to arrays of the host whenever they are asked for."""

    on_device: DeviceArrays

    def __init__(self, like: Poses, on_device: DeviceArrays) -> None:
        kept = {"skeleton": like.skeleton, "scales": like.scales, "offsets": like.offsets, "on_device": on_device}
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.on_device.root_positions)

    @property
    def root_positions(self) -> FloatArray:
        """``(N, 3)``, a copy."""
        return _host(self.on_device.root_positions)

    @property
    def rotations(self) -> FloatArray:
        """``(N, J, 4)``, a copy."""
        return _host(self.on_device.rotations)

    @property
    def known_positions(self) -> FloatArray:
        """``(N, J, 3)``, a copy."""
        return _host(self.on_device.joint_positions)

    def copy(self) -> Poses:
        """The same poses in arrays of the host."""
        scales = None if self.scales is None else self.scales.copy()
        return Poses(self.skeleton, self.root_positions, self.rotations, scales, self.known_positions, self.offsets)


class DevicePeople:
    """The steps of people on a GPU; `human._stepping.Stepper` says what it can do.

    ``xp`` is CuPy; ``kernels`` by their names take the number of blocks, of threads of each, and a pointer to pointers
    to their parameters.
    """

    def __init__(
        self, xp: Any, kernels: dict[str, Any], people: People, model: Model, poses: Poses, hold: bool
    ) -> None:
        self._xp, self._kernels, self._people, self._hold = xp, kernels, people, hold
        self._stale = False  # the host has not seen the last step
        self.count = count = len(people.walkers)
        self._state = {name: to_tiles(xp, words_of(getattr(people, name))) for name in (*STATE, "bones")}
        joints = len(model.masses)
        # The person is the fastest axis: threads of a warp write side by side.
        arrays = [xp.zeros((*shape, count)) for shape in ((3,), (joints, 4), (joints, 3))]
        self._arrays = DeviceArrays(*(xp.moveaxis(each, -1, 0) for each in arrays))
        self.poses: Poses = DevicePoses(poses, self._arrays)
        self._queue = tuple(xp.zeros(size, np.int32) for size in (2, count, count, count))
        self._model = _to_device(xp, model)

    def take_ground(self, terrain: Terrain, before: FloatArray) -> None:
        """Bring other ground over."""
        self._ground = _to_device(self._xp, (*terrain, before))
        ground, last = self._ground[:3], self._ground[3]
        state = tuple(self._state[name] for name in ("walkers", "feet", "weights", "cache", "bones"))
        model, poses, queue = self._model, tuple(self._arrays), self._queue
        launches = {
            "advance_all": (0.0, self._hold, self.count, state, model, ground, last, queue),
            "fill_points": (self.count, state, model[0]),
            "pose_all": (0.0, self._hold, self.count, state, model, ground, poses, queue),
            "go_on": (0.0, self._hold, state, model, ground, poses, queue),
        }
        self._launches = {name: parameters_of(arguments_of(values)) for name, values in launches.items()}

    def step(self, dt: float, terrain: Terrain, before: FloatArray) -> None:
        """Advance by ``dt`` seconds."""
        if len(before):  # pieces of ground may have moved
            for there, here in zip(self._ground, (*terrain, before), strict=True):
                there[...] = self._xp.asarray(here)
        self._queue[0].fill(0)
        for name, (values, pointers) in self._launches.items():
            threads, people, most = LAUNCHES[name]
            if name != "fill_points":
                values[0] = np.float64(dt).view(np.int64)
            self._kernels[name](min(most, -(-self.count // people)), threads, pointers.ctypes.data)
        self._stale = True

    @property
    def changed(self) -> int:
        """Characters whose motion was synthesised anew in the last step."""
        return int(self._queue[0][1])

    @property
    def leg_lengths(self) -> FloatArray:
        """Hip to ankle, m."""
        word = self._people.walkers.dtype.fields["leg"][1] // 8  # type: ignore[index]
        walkers = self._state["walkers"].reshape(-1, words_of(self._people.walkers).shape[1], LANES)
        lengths: FloatArray = _host(walkers[:, word].reshape(-1)[: self.count]).view(np.float64)
        return lengths

    def fetch(self, rows: Rows | None = None) -> None:
        """Have the state of everyone, or of some, in the arrays of the host."""
        if not self._stale:
            return
        for name in STATE:
            here = words_of(getattr(self._people, name))
            if rows is None:
                here[:] = _host(from_tiles(self._state[name], here.shape[1], slice(self.count)))
            else:
                here[rows] = _host(from_tiles(self._state[name], here.shape[1], self._xp.asarray(rows)))
        self._stale = rows is not None

    def push(self, rows: Rows) -> None:
        """Take over what was changed of some in the arrays of the host."""
        for name in STATE:
            values = self._xp.asarray(words_of(getattr(self._people, name))[rows])
            into_tiles(self._state[name], self._xp.asarray(rows), values)


def _to_device(xp: Any, values: Any) -> Any:
    """The arrays of a tuple, at any depth, on the GPU; kernels take rows one after the other."""
    if isinstance(values, tuple):
        return tuple(_to_device(xp, each) for each in values)
    return xp.asarray(np.ascontiguousarray(values)) if isinstance(values, np.ndarray) else values


def _host(array: Any) -> npt.NDArray[Any]:
    """An array of the GPU, or a view of it, as one of the host."""
    return np.ascontiguousarray(array.get() if hasattr(array, "get") else array)
