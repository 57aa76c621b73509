"""A frame: everyone at one instant, never changed after it was made, so that all listeners may share it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.skeleton import Skeleton

Float32Array = npt.NDArray[np.float32]
ByteArray = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class GroupLayout:
    """What holds for a group of characters of one kind as long as it is there."""

    name: str
    kind: str  # "people" or "creatures"
    count: int
    skeleton: Skeleton
    points: tuple[str, ...]  # of the feet, which may touch the ground
    states: tuple[str, ...]  # what a character can be about
    gaits: tuple[str, ...]  # that it can be told
    styles: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()  # their names, where they have any
    offsets: npt.NDArray[np.float64] | None = None  # (N, J, 3) at scale 1, where bodies have bones of their own


@dataclass(frozen=True, eq=False)
class Layout:
    """Who is there; a new one with a new number when anyone comes or goes."""

    number: int
    rate: float  # frames a second
    groups: tuple[GroupLayout, ...]

    def index(self, name: str) -> int | None:
        """The place of a group by its name, or None."""
        return next((i for i, group in enumerate(self.groups) if group.name == name), None)


@dataclass(frozen=True, eq=False)
class GroupFrame:
    """The poses of a group; no array can be written to."""

    root_positions: Float32Array  # (N, 3) metres
    scales: Float32Array  # (N,) of the skeleton's offsets
    rotations: Float32Array  # (N, J, 4) wxyz, local; joint 0 in the world
    contacts: ByteArray  # (N, B) bits, the first point in the lowest bit
    states: ByteArray  # (N,) into the layout's states
    places: Float32Array  # (N, 3) on the ground
    headings: Float32Array  # (N,) rad

    def __post_init__(self) -> None:
        for array in vars(self).values():
            array.setflags(write=False)


@dataclass(frozen=True)
class Thing:
    """An obstacle as it was at the time of a frame; it goes on as it moves."""

    id: int
    outline: tuple[tuple[float, float], ...]  # corners (x, z)
    height: float  # m
    lift: float  # m of its underside above the ground
    centre: tuple[float, float]
    velocity: tuple[float, float]  # m/s
    turn_rate: float  # rad/s about its centre


@dataclass(frozen=True, eq=False)
class Things:
    """The obstacles since they last changed other than by moving on."""

    version: int
    time: float  # s
    obstacles: tuple[Thing, ...]


@dataclass(frozen=True, eq=False)
class Frame:
    """Everyone at one instant."""

    number: int
    time: float  # s of the stage's own clock
    layout: Layout
    groups: tuple[GroupFrame, ...]
    things: Things
    _made: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def made_once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made of this frame before, such as its bytes; every listener would make the same.

        Parameters
        ----------
        key : what it is
        make : called if it was not made yet
        """
        made = self._made.get(key)
        if made is None:
            made = self._made.setdefault(key, make())
        return made
