"""Wind over the ground: steady, in gusts that travel, turbulent, or a field that is blown along."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.world import _checks as check

MODELS = ("steady", "gusty", "turbulent", "flow")
FASTEST = 60.0  # m/s
_WAVES = 48  # of which turbulence is made
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))  # rad
_SMALLEST = 0.2  # of the size of eddies: the finest of them
_SLOWEST = 1.0  # m/s: fronts of gusts travel at least so fast

Speed = float | Sequence[tuple[float, float]]  # m/s, or pairs of s and m/s, straight lines between them


@dataclass(frozen=True, eq=False)
class Wind:
    """Where the air goes: a model, frozen; ask `at` for places and a time. Made by `steady`, `gusty` and so on."""

    model: str
    times: FloatArray  # (T,) s
    speeds: FloatArray  # (T,) m/s
    direction: FloatArray  # (2,) unit (x, z), where it blows to
    gust: float = 0.0  # m/s that the strongest gust adds
    period: float = 6.0  # s between gusts
    waves: FloatArray | None = None  # (W, 6) of turbulence: wave vector x, z 1/m, rad/s, phase, amplitudes x, z
    field: FloatArray | None = None  # (R, C, 2) m/s x and z, along z and x
    cell: float = 1.0  # m
    shifts: FloatArray | None = None  # (G, 2) of gusts: how much they are late, of their period, and how strong

    @classmethod
    def steady(cls, speed: Speed, heading: float = 0.0) -> Wind:
        """The same wind everywhere.

        Parameters
        ----------
        speed : m/s, or pairs (s, m/s) with straight lines between them
        heading : rad, where it blows to, 0 towards +Z, positive towards +X
        """
        return cls("steady", *_schedule(speed), _direction(heading))

    @classmethod
    def gusty(cls, speed: Speed, heading: float = 0.0, gust: float = 6.0, period: float = 6.0, seed: int = 0) -> Wind:
        """Gusts on top of a wind, which travel with it: a front reaches one tree after the other.

        Parameters
        ----------
        speed : m/s, or pairs (s, m/s) with straight lines between them
        heading : rad, where it blows to, 0 towards +Z, positive towards +X
        gust : m/s that the strongest adds
        period : s from one to the next, on average
        seed : the same seed, the same gusts
        """
        random = np.random.Generator(np.random.PCG64(seed))
        shifts = np.stack([random.uniform(-0.25, 0.25, 64), random.uniform(0.5, 1.0, 64)], axis=1)
        strong, apart = check.not_negative("gust", gust), check.positive("period", period)
        return cls("gusty", *_schedule(speed), _direction(heading), strong, apart, shifts=shifts)

    @classmethod
    def turbulent(
        cls, speed: Speed, heading: float = 0.0, intensity: float = 0.3, eddy: float = 12.0, seed: int = 0
    ) -> Wind:
        """Eddies of all sizes that the wind blows along and that change on their way.

        Parameters
        ----------
        speed : m/s, or pairs (s, m/s) with straight lines between them
        heading : rad, where it blows to, 0 towards +Z, positive towards +X
        intensity : root mean square of what the eddies add in each direction, over the speed
        eddy : m, the size of the largest
        seed : the same seed, the same eddies
        """
        check.not_negative("intensity", intensity)
        size = check.positive("eddy", eddy)
        random = np.random.Generator(np.random.PCG64(seed))
        length = size * _SMALLEST ** np.linspace(0.0, 1.0, _WAVES)  # m, wave lengths over 2π below
        around = random.uniform(-math.pi, math.pi) + _GOLDEN * np.arange(_WAVES)  # no direction is favoured
        number = 2.0 * math.pi / length
        energy = length ** (2.0 / 3.0)  # in equal steps of the logarithm, as in the inertial range
        energy *= 4.0 * intensity**2 / energy.sum()  # both directions, and a cosine has half of its square
        waves = np.empty((_WAVES, 6))
        waves[:, 0], waves[:, 1] = number * np.sin(around), number * np.cos(around)
        waves[:, 2] = 0.15 * number ** (2.0 / 3.0) * random.normal(1.0, 0.3, _WAVES)
        waves[:, 3] = random.uniform(-math.pi, math.pi, _WAVES)
        # Across their own direction: the air is nowhere pressed together.
        waves[:, 4], waves[:, 5] = np.sqrt(energy) * np.cos(around), -np.sqrt(energy) * np.sin(around)
        return cls("turbulent", *_schedule(speed), _direction(heading), waves=waves)

    @classmethod
    def flow(cls, field: npt.ArrayLike, cell: float, speed: Speed = 0.0, heading: float = 0.0) -> Wind:
        """A field of velocities that is blown along; beyond its edges it begins anew.

        Parameters
        ----------
        field : (R, C, 2) m/s along x and z, rows along z and columns along x
        cell : m between its values
        speed : m/s at which it is blown along, and which it adds, or pairs (s, m/s)
        heading : rad, where it is blown to, 0 towards +Z, positive towards +X
        """
        values = np.array(field, dtype=np.float64)
        if values.ndim != 3 or values.shape[2] != 2 or min(values.shape[:2]) < 2 or not np.isfinite(values).all():
            raise LocomoteError(f"field: shape {values.shape}, expected finite velocities (R, C, 2) with R, C above 1")
        return cls("flow", *_schedule(speed), _direction(heading), field=values, cell=check.positive("cell", cell))

    def speed(self, time: float) -> float:
        """The speed at a time without gusts and eddies, m/s."""
        return float(np.interp(time, self.times, self.speeds))

    def travelled(self, time: float) -> float:
        """How far the air has come since the time 0, m: what is blown along is there."""
        first, last = min(time, 0.0), max(time, 0.0)
        knots = np.unique(np.concatenate([[first, last], self.times[(self.times > first) & (self.times < last)]]))
        speeds = np.interp(knots, self.times, self.speeds)
        return math.copysign(1.0, time) * float(0.5 * (speeds[1:] + speeds[:-1]) @ np.diff(knots))

    def at(self, places: npt.ArrayLike, time: float) -> FloatArray:
        """Velocities ``(K, 3)`` of the air, m/s.

        Parameters
        ----------
        places : (K, 2) as (x, z) or (K, 3), m
        time : s
        """
        spots = np.asarray(places, dtype=np.float64)
        if spots.ndim != 2 or spots.shape[1] not in (2, 3) or not np.isfinite(spots).all():
            raise LocomoteError(f"places: shape {spots.shape}, expected finite (K, 2) or (K, 3)")
        check.number("time", time)
        level = spots[:, [0, -1]]
        along = np.broadcast_to(self.direction, level.shape)
        out = np.zeros((len(level), 3))
        out[:, [0, 2]] = self.speed(time) * along + self._more(level, time)
        return out

    def _more(self, level: FloatArray, time: float) -> FloatArray:
        """What gusts, eddies or the field add at places (x, z)."""
        if self.shifts is not None:
            return self._gusts(level @ self.direction, time)[:, None] * self.direction
        if self.waves is not None:
            carried = level - self.travelled(time) * self.direction
            x, z, rate, phase, *strong = self.waves.T
            # Written out: the last bits of a product of matrices would depend on how many places there are.
            turns = (carried[:, :1] * x + carried[:, 1:] * z + rate * time + phase) / (2.0 * math.pi)
            swing = np.cos((2.0 * math.pi * (turns - np.rint(turns))).astype(np.float32))  # ten times as fast
            return self.speed(time) * np.stack([np.sum(swing * each, axis=1) for each in strong], axis=1)
        if self.field is not None:
            return self._sampled(level - self.travelled(time) * self.direction)
        return np.zeros_like(level)

    def _gusts(self, downwind: FloatArray, time: float) -> FloatArray:
        """What gusts add at places so many metres downwind, m/s: a sudden rise and a slow fall."""
        assert self.shifts is not None
        pace = max(float(np.mean(self.speeds)) + 0.5 * self.gust, _SLOWEST)
        phase = (time - downwind / pace) / self.period
        number = np.floor(phase).astype(np.int64)
        out = np.zeros_like(phase)
        for back in (0, 1, 2):  # the last ones are still dying down
            late, strength = self.shifts[(number - back) % len(self.shifts)].T
            since = phase - (number - back) - 0.25 - late
            x = np.maximum(since, 0.0) * 6.0
            out += strength * x * np.exp(1.0 - x)
        return self.gust * out

    def _sampled(self, level: FloatArray) -> FloatArray:
        """The field at places (x, z), linear between its values, over and over."""
        assert self.field is not None
        rows, columns = self.field.shape[:2]
        at = level / self.cell
        corner = np.floor(at).astype(np.int64)
        u, v = (at - corner).T[:, :, None]
        c, r = corner.T
        near = (1.0 - u) * self.field[r % rows, c % columns] + u * self.field[r % rows, (c + 1) % columns]
        far = (1.0 - u) * self.field[(r + 1) % rows, c % columns] + u * self.field[(r + 1) % rows, (c + 1) % columns]
        out: FloatArray = (1.0 - v) * near + v * far
        return out


def _direction(heading: float) -> FloatArray:
    turned = check.number("heading", heading)
    return np.array([math.sin(turned), math.cos(turned)])


def _schedule(speed: Speed) -> tuple[FloatArray, FloatArray]:
    """Times and speeds."""
    pairs = np.array([(0.0, speed)] if np.ndim(speed) == 0 else speed, dtype=np.float64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs) or not np.isfinite(pairs).all():
        raise LocomoteError(f"speed: expected a finite number or pairs of seconds and m/s, got {speed!r}")
    if np.any(np.diff(pairs[:, 0]) <= 0.0):
        raise LocomoteError("speed: times must increase")
    if np.any(np.abs(pairs[:, 1]) > FASTEST):
        raise LocomoteError(f"speed: {pairs[np.argmax(np.abs(pairs[:, 1])), 1]:g} m/s, expected at most {FASTEST:g}")
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
