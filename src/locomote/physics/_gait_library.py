"""Tuned gaits of a simulated animal by speed, as they ship: one file, with what they were tuned with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from locomote.creatures import Gait
from locomote.errors import LocomoteError
from locomote.formats._archives import load_archive, save_archive
from locomote.physics._animal_build import NAMES
from locomote.physics._kernels.animal_model import PARAMETERS, PERIOD
from locomote.rotations import FloatArray

FORMAT, VERSION = "locomote gaits", 1
ARRAYS = ("speeds", "graphs", "params", "braced")
ASSET = Path(__file__).resolve().parent.parent / "assets" / "dog.npz"


@dataclass(frozen=True, eq=False)
class TunedGait:
    """One gait at some speeds: when its feet swing and the numbers of its controller, in between linear.

    Speeds are in m/s of the dog, phases in turns.
    """

    name: str
    speeds: FloatArray  # (M,) rising
    graphs: FloatArray  # (M, 4, 2) begin and duration of the swings of L1, R1, L2, R2
    params: FloatArray  # (M, 163)
    braced: FloatArray | None = None  # (M, 163) the same while it is thrown aside; params without it

    def __post_init__(self) -> None:
        count = len(self.speeds)
        rows = (count, PARAMETERS)
        for what, shape in (("speeds", (count,)), ("graphs", (count, 4, 2)), ("params", rows), ("braced", rows)):
            if getattr(self, what) is None:
                continue
            values = np.array(getattr(self, what), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)) or not count:
                raise LocomoteError(f"gait {self.name!r}: {what} must be finite and {shape}, got {values.shape}")
            values.setflags(write=False)
            object.__setattr__(self, what, values)
        if np.any(np.diff(self.speeds) <= 0.0):
            raise LocomoteError(f"gait {self.name!r}: speeds must rise, got {self.speeds}")
        if np.any(self.graphs[:, :, 1] <= 0.0) or np.any(self.graphs[:, :, 1] >= 1.0):
            raise LocomoteError(f"gait {self.name!r}: every foot must swing and stand in every stride")

    @property
    def told(self) -> tuple[str, ...]:
        """The arrays that it has, by name."""
        return ARRAYS if self.braced is not None else ARRAYS[:3]

    def at(self, speed: float, braced: bool = False) -> tuple[FloatArray, FloatArray]:
        """When feet swing ``(4, 2)`` and parameters ``(163,)`` at a speed; ends hold beyond."""
        m = int(np.clip(np.searchsorted(self.speeds, speed) - 1, 0, max(len(self.speeds) - 2, 0)))
        n = min(m + 1, len(self.speeds) - 1)
        span = float(self.speeds[n] - self.speeds[m])
        share = float(np.clip((speed - self.speeds[m]) / span, 0.0, 1.0)) if span else 0.0
        values = self.braced if braced and self.braced is not None else self.params
        return blended((self.graphs[m], values[m]), (self.graphs[n], values[n]), share)

    def gait(self, speed: float, height: float = 0.46) -> Gait:
        """The same as a gait of the creatures, at one speed."""
        graph, params = self.at(speed)
        unit = np.sqrt(height / 9.81)
        lands, duty = (graph[:, 0] + graph[:, 1]) % 1.0, 1.0 - graph[:, 1]
        return Gait.at_one_speed(self.name, NAMES, lands, duty, params[PERIOD] / unit, speed=speed / (9.81 * unit))


def blended(
    slow: tuple[FloatArray, FloatArray], fast: tuple[FloatArray, FloatArray], share: float
) -> tuple[FloatArray, FloatArray]:
    """Between two gaits; begins of swings go the short way round."""
    graph = slow[0] + share * (fast[0] - slow[0])
    around = (fast[0][:, 0] - slow[0][:, 0] + 0.5) % 1.0 - 0.5
    graph[:, 0] = (slow[0][:, 0] + share * around) % 1.0
    return graph, slow[1] + share * (fast[1] - slow[1])


@dataclass(frozen=True, eq=False)
class GaitLibrary:
    """The gaits of an animal by name."""

    gaits: Mapping[str, TunedGait]
    notes: dict[str, Any] = field(default_factory=dict)  # version of MuJoCo, seeds and scores of the tuning

    def __getitem__(self, name: str) -> TunedGait:
        if name not in self.gaits:
            raise LocomoteError(f"no gait {name!r}; the gaits are: {', '.join(self.gaits)}")
        return self.gaits[name]

    def with_gait(self, gait: TunedGait) -> GaitLibrary:
        """The same with one more gait, or with the gait of that name replaced."""
        return replace(self, gaits={**self.gaits, gait.name: gait})

    @classmethod
    def default(cls) -> GaitLibrary:
        """The gaits of the dog that come with the package."""
        return _default()

    def save(self, path: str | Path) -> None:
        """Write one ``.npz`` file."""
        header = {"format": FORMAT, "version": VERSION, "gaits": list(self.gaits), "notes": self.notes}
        arrays = {f"{name}.{what}": getattr(gait, what) for name, gait in self.gaits.items() for what in gait.told}
        save_archive(Path(path), header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> GaitLibrary:
        """Read what `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _library, "gaits")


def _library(header: dict[str, Any], arrays: dict[str, Any]) -> GaitLibrary:
    gaits = {}
    for name in header["gaits"]:
        speeds, graphs, params = (arrays[f"{name}.{what}"] for what in ARRAYS[:3])
        gaits[name] = TunedGait(name, speeds, graphs, params, arrays.get(f"{name}.braced"))
    return GaitLibrary(gaits, header["notes"])


@cache
def _default() -> GaitLibrary:
    return GaitLibrary.load(ASSET)
