"""Who carries out the steps of a crowd: the processor, in pieces for its threads, or a GPU (`_cuda/device`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._kernels.model import Model
from locomote.human._kernels.scratch import Scratch, make_scratch
from locomote.human._kernels.state import People
from locomote.human._kernels.step import PoseArrays, step
from locomote.math._compile import prepared
from locomote.math.threads import Threads
from locomote.motion import Poses

if TYPE_CHECKING:
    import numpy.typing as npt

    from locomote.rotations import FloatArray
    from locomote.world._kernels.ground import Terrain

    Rows = npt.NDArray[np.int64]

DEVICES = ("cpu", "cuda")


class Stepper(Protocol):
    """The state of people and its steps, wherever they are."""

    poses: Poses

    def take_ground(self, terrain: Terrain, before: FloatArray) -> None:
        """Walk on other ground from now on; ``before (P, 4)`` is where its pieces were at the last step."""

    def step(self, dt: float, terrain: Terrain, before: FloatArray) -> None:
        """Advance by ``dt`` seconds."""

    def fetch(self, rows: Rows | None = None) -> None:
        """Have the state of everyone, or of some, in the arrays of the host."""

    def push(self, rows: Rows) -> None:
        """Take over what was changed of some in the arrays of the host."""

    @property
    def changed(self) -> int:
        """Characters whose motion was synthesised anew in the last step."""

    @property
    def leg_lengths(self) -> FloatArray:
        """Hip to ankle, m."""


class _Piece(NamedTuple):
    """A piece of a crowd, for one thread."""

    people: People
    outputs: PoseArrays
    scratch: Scratch


class Processor:
    """Steps on the processor; state and poses are the arrays of the crowd themselves."""

    def __init__(self, people: People, model: Model, poses: Poses, hold: bool, threads: int) -> None:
        self.poses, self.changed = poses, 0
        self._people, self._model, self._hold = people, model, hold
        self._threads = Threads(threads)
        outputs = pose_arrays(poses)
        self._pieces = [
            _Piece(people.only(*piece), PoseArrays(*(each[slice(*piece)] for each in outputs)), make_scratch(model))
            for piece in self._threads.pieces(len(people.walkers))
        ]

    def take_ground(self, terrain: Terrain, before: FloatArray) -> None:
        """Prepare the kernel for the arrays of other ground."""
        people, outputs, scratch = self._pieces[0]
        self._step = prepared(step, 0.0, True, people, self._model, terrain, before, outputs, scratch)

    def step(self, dt: float, terrain: Terrain, before: FloatArray) -> None:
        """Advance by ``dt`` seconds, every thread its piece."""
        run, hold, model = self._step, self._hold, self._model
        self.changed = sum(
            self._threads.run(
                lambda one: run(dt, hold, one.people, model, terrain, before, one.outputs, one.scratch), self._pieces
            )
        )

    def fetch(self, rows: Rows | None = None) -> None:
        """Nothing: it is there."""

    def push(self, rows: Rows) -> None:
        """Nothing: it is there."""

    @property
    def leg_lengths(self) -> FloatArray:
        """Hip to ankle, m."""
        lengths: FloatArray = self._people.walkers["leg"]["value"]
        return lengths


def pose_arrays(poses: Poses) -> PoseArrays:
    """The arrays of poses that a step fills in."""
    return PoseArrays(poses.root_positions, poses.rotations, poses.joint_positions())


def needs_processor(device: str, what: str) -> None:
    """Refuse what only crowds on the processor can do."""
    if device != "cpu":
        raise LocomoteError(f"device {device!r}: nobody heeds {what} there; take device='cpu'")


def make_stepper(device: str, people: People, model: Model, poses: Poses, hold: bool, threads: int) -> Stepper:
    """Who carries out the steps on a device."""
    if device == "cpu":
        return Processor(people, model, poses, hold, threads)
    if device != "cuda":
        raise LocomoteError(f"device {device!r}: expected one of {', '.join(DEVICES)}")
    from locomote.human._cuda.device import DevicePeople
    from locomote.human._cuda.loading import load_kernels
    from locomote.math._gpu import cupy

    xp: Any = cupy()
    return DevicePeople(xp, load_kernels(xp, model), people, model, poses, hold)
