"""Leaps by how fast they are begun, and how high and how far they go (QUA-25): a dictionary in one file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats._archives import load_archive
from locomote.formats._files import atomic_path
from locomote.physics._animal_build import load_mujoco
from locomote.physics._leaps import Launch, launch_of
from locomote.rotations import FloatArray

FORMAT, VERSION = "locomote leaps", 3
ASSET = Path(__file__).resolve().parent.parent / "assets" / "dog_leaps.npz"
EFFORT = 0.05  # m of height and distance by which a leap may be off, that takes none of the usual effort
BEYOND = 0.1  # m beyond the known leaps that may be asked for
NEAR = 0.25  # m/s by which a leap may be begun slower or faster than it was found
SHAPES: dict[str, tuple[int, ...]] = {
    "launches": (len(Launch._fields),), "speeds": (), "heights": (), "distances": (), "efforts": (),
    "lands": (),
}  # fmt: skip


class Leapt(NamedTuple):
    """A leap that was measured."""

    launch: Launch
    speed: float  # m/s of the trot out of which it was found; 0 out of a stand
    height: float  # m of the centre of mass above the ground, at most
    distance: float  # m that it goes without touching the ground
    effort: float  # N^2 m^2 s: sum of the squared torques over its time
    lands: float = 1.0  # share of the approaches out of which it landed on its feet


@dataclass(frozen=True, eq=False)
class LeapBook:
    """Leaps that are known: ``launches (N, 16)``, and what each does."""

    launches: FloatArray
    speeds: FloatArray  # (N,) m/s
    heights: FloatArray  # (N,) m
    distances: FloatArray  # (N,) m
    efforts: FloatArray  # (N,)
    lands: FloatArray  # (N,) how often each lands on its feet
    notes: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.heights)

    @classmethod
    def of(cls, leaps: Sequence[Leapt], notes: dict[str, Any] | None = None) -> LeapBook:
        """A book of some leaps.

        Parameters
        ----------
        leaps, notes : at least one, and what is to be remembered of how they were found
        """
        if not leaps:
            raise LocomoteError("leaps: there is none to keep")
        columns = zip(*leaps, strict=True)
        arrays = {name: np.array(next(columns), dtype=np.float64) for name in SHAPES}
        return cls(**arrays, notes={"mujoco": load_mujoco().__version__, **(notes or {})})

    def __getitem__(self, k: int) -> Leapt:
        numbers = (float(getattr(self, name)[k]) for name in list(SHAPES)[1:])
        return Leapt(launch_of(self.launches[k]), *numbers)

    def at(self, speed: float) -> LeapBook:
        """Those leaps that can be begun at a speed, m/s."""
        rows = np.abs(self.speeds - speed) < NEAR
        if not rows.any():
            known = ", ".join(f"{each:g}" for each in np.unique(self.speeds))
            raise LocomoteError(f"leap: none is known at {speed:.2f} m/s; leaps are known at {known} m/s")
        return LeapBook(**{name: getattr(self, name)[rows] for name in SHAPES}, notes=self.notes)

    def nearest(self, height: float | None, distance: float | None) -> Leapt:
        """The leap that comes nearest to a height and a distance; of two that do, the easier.

        Parameters
        ----------
        height, distance : m that the centre of mass rises to and m through the air; any without it
        """
        off = EFFORT * self.efforts / np.median(self.efforts)
        for wanted, values in ((height, self.heights), (distance, self.distances)):
            if wanted is not None:
                off = off + np.abs(values - wanted)
        return self[int(np.argmin(off))]

    def check(self, height: float | None, distance: float | None) -> None:
        """Refuse what no leap comes near.

        Parameters
        ----------
        height, distance : m, as in `nearest`
        """
        for what, wanted, values in (("high", height, self.heights), ("far", distance, self.distances)):
            if wanted is not None and not values.min() - BEYOND <= wanted <= values.max() + BEYOND:
                raise LocomoteError(
                    f"leap: {wanted:g} m {what} is beyond it; known are {values.min():.2f} to {values.max():.2f} m"
                )

    @classmethod
    def default(cls) -> LeapBook:
        """The leaps of the dog that come with the package."""
        return _default()

    def save(self, path: str | Path) -> None:
        """Write one ``.npz`` file."""
        header = {"format": FORMAT, "version": VERSION, "notes": self.notes}
        arrays = {name: getattr(self, name) for name in SHAPES}
        told = np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8)
        with atomic_path(Path(path)) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, header=told, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> LeapBook:
        """Read what `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _book, "leaps")


def _book(header: dict[str, Any], arrays: dict[str, Any]) -> LeapBook:
    count = len(arrays["heights"])
    arrays = {"lands": np.ones(count), **arrays}  # what older files do not tell
    for name, shape in SHAPES.items():
        if arrays[name].shape != (count, *shape) or not np.isfinite(arrays[name]).all():
            raise LocomoteError(f"{name}: expected finite numbers of shape {(count, *shape)}, got {arrays[name].shape}")
    return LeapBook(**{name: np.asarray(arrays[name], dtype=np.float64) for name in SHAPES}, notes=header["notes"])


@cache
def _default() -> LeapBook:
    return LeapBook.load(ASSET)
