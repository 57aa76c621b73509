"""The fitted model of human walking and running: immutable, shareable, one file.

A pose is a vector of channels (see `encoding`). For style k, gait g and speed s on the common skeleton the coordinates
in the motion space are ``curve_g(s) + offset_kg + slope_kg (clip(s, range_kg) - centre_g)``. Below the slowest speed of
a gait the pose goes from its value there to the standing pose of the style as ``(s / slowest) ** exponent``.
"""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import atomic_path, read_bytes
from locomote.human._encoding import CHANNELS, Encoding
from locomote.rotations import FloatArray

VERSION = 2
GAITS = ("walk", "run")
STRIKE_PHASE = (0.5, 0.0)  # of the left and the right foot
LEAST_SUM = 0.2  # of style weights, beside the sum of their sizes: else what they add up to is anything
REFERENCE_HIP_HEIGHT = 0.9  # m; speeds of the model are those of a person of this size
INMAN = 0.743  # cycles a second of a walk at one hip height a second
_ARRAYS = (
    "centres",
    "mean",
    "basis",
    "curve",
    "gait_centre",
    "offset",
    "slope",
    "ranges",
    "slowest",
    "stand",
    "frequency_speeds",
    "frequency",
    "footplants",
    "speed_limits",
    "effects",
    "noise",
)


@dataclass(frozen=True, eq=False)
class HumanModel:
    """Styles of walking and running over speed. K styles, m components, S samples of C channels a cycle."""

    styles: tuple[str, ...]  # (K)
    centres: FloatArray  # (M, 4) mean rotations of the moving joints
    mean: FloatArray  # (S, C)
    basis: FloatArray  # (m, S, C), unweighted channels
    curve: FloatArray  # (2, 3, m): walk, run; functions of speed 1, s, sqrt(s)
    gait_centre: FloatArray  # (2,) m/s
    offset: FloatArray  # (K, 2, m)
    slope: FloatArray  # (K, 2, m)
    ranges: FloatArray  # (K, 2, 2) m/s, slowest and fastest speed at which the personal slope is known
    slowest: FloatArray  # (2,) m/s, below which a gait shrinks to standing
    exponent: float
    stand: FloatArray  # (K, C) standing poses
    frequency_speeds: FloatArray  # (T,) hip heights a second
    frequency: FloatArray  # (K, 2, T) cycles a second
    footplants: FloatArray  # (K, 2, T, 6, 2) phases of start and end: left heel, ball, toe, then right
    speed_limits: FloatArray  # (2, 2) m/s, slowest and fastest commanded speed of each gait
    about: str = ""  # corpus, acknowledgements, licence
    # What one cycle of a new performer is worth, in every component; empty in a model that takes no more performers.
    effects: FloatArray = field(default_factory=lambda: np.zeros((2, 0, 2, 2)))  # (2, m, 2, 2) of offset and slope
    noise: FloatArray = field(default_factory=lambda: np.zeros((2, 0)))  # (2, m) variance between cycles

    def __repr__(self) -> str:
        return f"<HumanModel: {len(self.styles)} styles, {len(self.basis)} components>"

    @cached_property
    def encoding(self) -> Encoding:
        """How channels become rotations."""
        return Encoding(self.centres)

    def style_index(self, name: str) -> int:
        """The index of a style by name."""
        if name not in self.styles:
            raise LocomoteError(f"no style {name!r}; the styles are: {', '.join(self.styles)}")
        return self.styles.index(name)

    def weights(self, style: str | dict[str, float] | FloatArray | None) -> FloatArray:
        """Style weights ``(K,)`` that sum to 1, from a name, a mixture by name, or an array; None mixes all alike.

        Rows of weights ``(N, K)`` give rows. A weight below 0 goes away from a style.

        Parameters
        ----------
        style : of which the weights are
        """
        out = np.zeros(len(self.styles))
        if style is None:
            out[:] = 1.0
        elif isinstance(style, str):
            out[self.style_index(style)] = 1.0
        elif isinstance(style, dict):
            for name, weight in style.items():
                out[self.style_index(name)] = weight
        else:
            out = np.atleast_1d(np.asarray(style, dtype=np.float64))
        totals = out.sum(axis=-1, keepdims=True)
        if (
            out.shape[-1:] != (len(self.styles),)
            or not np.all(np.isfinite(out))
            or np.any(totals <= LEAST_SUM * np.abs(out).sum(axis=-1, keepdims=True))
        ):
            raise LocomoteError(
                f"style weights: expected {len(self.styles)} numbers >= 0, or some below, that are not all 0"
            )
        shares: FloatArray = out / totals
        return shares

    def coordinates(self, gait: int, speed: float) -> FloatArray:
        """Coordinates ``(K, m)`` of every style at a speed on the common skeleton, not below the slowest.

        Parameters
        ----------
        gait, speed : 0 walk, 1 run; m/s on the common skeleton
        """
        s = max(speed, float(self.slowest[gait]))
        held = np.clip(s, self.ranges[:, gait, 0], self.ranges[:, gait, 1]) - self.gait_centre[gait]
        common = np.array([1.0, s, np.sqrt(s)]) @ self.curve[gait]
        out: FloatArray = common + self.offset[:, gait] + self.slope[:, gait] * held[:, None]
        return out

    def presence(self, gait: int, speed: float) -> float:
        """How much of the gait's movement there is at a speed: 1 from the slowest speed on, 0 when standing.

        Parameters
        ----------
        gait, speed : 0 walk, 1 run; m/s on the common skeleton
        """
        return float(min(1.0, max(speed, 0.0) / self.slowest[gait]) ** self.exponent)

    def unit(self, speed: float, run: float = 0.0, weights: FloatArray | None = None) -> FloatArray:
        """One cycle ``(S, C)`` on the common skeleton: the dense evaluation that proves the runtime.

        Parameters
        ----------
        speed : m/s on the common skeleton
        run, weights : share of running, and (K,) of the styles; all alike without them
        """
        w = self.weights(None) if weights is None else weights
        out = np.zeros_like(self.mean)
        for gait, share in enumerate((1.0 - run, run)):
            x = self.presence(gait, speed)
            moving = self.mean + np.einsum("m,msc->sc", w @ self.coordinates(gait, speed), self.basis)
            out += share * ((1.0 - x) * (w @ self.stand) + x * moving)
        return out

    def cycles_per_second(self, normal_speed: float, run: float = 0.0, weights: FloatArray | None = None) -> float:
        """The frequency of the cycle.

        Parameters
        ----------
        normal_speed : hip heights/s
        run, weights : share of running, and (K,) of the styles; all alike without them
        """
        w = self.weights(None) if weights is None else weights
        per_style = [
            [np.interp(normal_speed, self.frequency_speeds, self.frequency[k, g]) for g in (0, 1)]
            for k in range(len(self.styles))
        ]
        return float(w @ np.array(per_style) @ np.array([1.0 - run, run]))

    def by_inman(self) -> HumanModel:
        """The same people with walks by Inman's law: 0.743 cycles a second times the root of the speed in hip heights.

        For comparison, and where the recordings of a model say little about how often its people step. Strides are
        then as long as the law has them, whatever the poses show: only held feet stand still. Runs stay as they are.
        """
        frequency = self.frequency.copy()
        frequency[:, 0] = INMAN * np.sqrt(self.frequency_speeds)
        return replace(self, frequency=frequency)

    def footplants_at(self, normal_speed: float, run: float = 0.0, weights: FloatArray | None = None) -> FloatArray:
        """Phases ``(6, 2)`` of start and end of the footplants, from the table.

        The order is heel, ball and toe of the left foot, then of the right; the left foot's start near 0.5, ends may
        pass 1.

        Parameters
        ----------
        normal_speed : hip heights/s
        run, weights : share of running, and (K,) of the styles; all alike without them
        """
        w = self.weights(None) if weights is None else weights
        last = len(self.frequency_speeds) - 1
        at = float(np.interp(normal_speed, self.frequency_speeds, np.arange(last + 1)))
        row = min(int(at), last - 1)
        table = self.footplants[:, :, row] + (at - row) * (self.footplants[:, :, row + 1] - self.footplants[:, :, row])
        out: FloatArray = np.einsum("k,g,kgej->ej", w, np.array([1.0 - run, run]), table)
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as one ``.npz`` file."""
        header = {"version": VERSION, "styles": self.styles, "exponent": self.exponent, "about": self.about}
        arrays = {name: getattr(self, name).astype(np.float32) for name in _ARRAYS}
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.savez_compressed(stream, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> HumanModel:
        """Read a model that `save` wrote."""
        import io

        path = Path(path)
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
                header = json.loads(file["header"].tobytes().decode())
                if header.get("version") != VERSION:
                    raise FormatError(
                        path,
                        f"a model of version {header.get('version')}; this program reads version {VERSION}",
                    )
                arrays = {name: file[name].astype(np.float64) for name in _ARRAYS}
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, UnicodeDecodeError) as error:
            raise FormatError(path, f"not a model of human motion: {error}") from None
        model = HumanModel(
            styles=tuple(header["styles"]),
            exponent=float(header["exponent"]),
            about=header["about"],
            **arrays,
        )
        model._check(path)
        return model

    @staticmethod
    def default() -> HumanModel:
        """The model that comes with the package."""
        return HumanModel.load(Path(__file__).parents[1] / "assets" / "human.npz")

    def _check(self, path: Path) -> None:
        k, (m, s, c) = len(self.styles), self.basis.shape
        shapes = {
            "mean": (s, c),
            "curve": (2, 3, m),
            "offset": (k, 2, m),
            "slope": (k, 2, m),
            "stand": (k, c),
            "footplants": (k, 2, len(self.frequency_speeds), 6, 2),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape or not np.all(np.isfinite(getattr(self, name))):
                raise FormatError(path, f"{name}: expected finite numbers of shape {shape}")
        lengths = self.footplants[..., 1] - self.footplants[..., 0]
        if not np.all((lengths > 0.0) & (lengths < 1.0)):
            raise FormatError(path, "footplants: expected starts before their ends, by less than a cycle")
        if c != CHANNELS:
            raise FormatError(path, f"{c} channels a pose, expected {CHANNELS}")
