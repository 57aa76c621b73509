"""A run-up: a course of speed that brings a walker to a line with a chosen speed and on a chosen foot."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from locomote._arguments import Values
from locomote.errors import LocomoteError
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.rotations import FloatArray

COMFORT = 0.8  # leg lengths a second squared that people accelerate by in the mean
FEET = {
    "right": (0.0, 1.0),
    "left": (0.5, 1.0),
    "either": (0.0, 0.5),
}  # first phase and step of those allowed
PROFILES = {
    ("quadratic", "exact"): "QUADRATIC",
    ("quartic", "exact"): "QUARTIC",
    ("bent", "exact"): "BENT",
    ("linear", "exact"): "RAMP",
    ("quadratic", "endpoint"): "ENDPOINTS",
    ("linear", "endpoint"): "RAMP_ENDPOINTS",
}
LEG_LENGTH = 0.9  # m, from hip to ankle, of a walker unless another is given
KNOTS = 513  # of the table of a frequency that is given as a function
FASTEST = 12.0  # m/s, its last
SAMPLES = 4001  # of a profile, for its phases

# A model; or a function of speeds (m/s) and of the share of running; or speeds with one row for walk and one for run.
Frequency = HumanModel | Callable[[FloatArray, float], FloatArray] | tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class RunUpPlan:
    """A course of speed over the time in seconds; before its start and after its end it holds still."""

    ok: bool  # never backwards, and within 5/4 of the limit (an even ramp: within the limit)
    duration: float  # s
    start_phase: float  # cycles
    end_phase: float  # cycles: whole for the right foot, and a half for the left
    peak: float  # m/s^2, the greatest acceleration or deceleration
    cost: float  # m^2/s^3, the integral of the squared acceleration
    run: tuple[float, float]  # share of running at the start and at the end
    pieces: FloatArray = field(repr=False)  # (P, 5) coefficients over the parts of the time, each over its own 0..1
    table: tuple[FloatArray, FloatArray] = field(repr=False)  # speeds and cycles a second

    def speed(self, t: float | FloatArray) -> FloatArray:
        """The speed, m/s."""
        return self._sum(t, lambda u, n: u**n)

    def acceleration(self, t: float | FloatArray) -> FloatArray:
        """The acceleration, m/s^2."""
        rates: FloatArray = self._sum(t, lambda u, n: n * u ** max(n - 1, 0)) * len(self.pieces) / self.duration
        return rates

    def distance(self, t: float | FloatArray) -> FloatArray:
        """The way from the start, m."""
        piece, _ = self._place(t)
        seconds = self.duration / len(self.pieces)
        whole = np.concatenate([[0.0], np.cumsum(self.pieces @ (1.0 / np.arange(1.0, 6.0)))])
        way: FloatArray = seconds * (whole[piece] + self._sum(t, lambda u, n: u ** (n + 1) / (n + 1)))
        return way

    def run_share(self, t: float | FloatArray) -> FloatArray:
        """The share of running."""
        u = np.clip(np.asarray(t, dtype=np.float64) / self.duration, 0.0, 1.0)
        return np.asarray(self.run[0] + (self.run[1] - self.run[0]) * u)

    def phase(self, t: float | FloatArray) -> FloatArray:
        """The count of cycles, as it really comes about by the frequencies."""
        times = np.linspace(0.0, self.duration, SAMPLES)
        speeds, share = self.speed(times), self.run_share(times)
        walk, fast = (np.interp(speeds, self.table[0], row) for row in self.table[1])
        rates = (1.0 - share) * walk + share * fast
        steps = 0.5 * (rates[1:] + rates[:-1]) * np.diff(times)
        return np.asarray(np.interp(t, times, self.start_phase + np.concatenate([[0.0], np.cumsum(steps)])))

    def _place(self, t: float | FloatArray) -> tuple[np.ndarray, FloatArray]:
        """The piece of each time, and the part of it that is over."""
        at = np.clip(np.asarray(t, dtype=np.float64) / self.duration, 0.0, 1.0) * len(self.pieces)
        piece = np.minimum(at.astype(np.int64), len(self.pieces) - 1)
        return piece, at - piece

    def _sum(self, t: float | FloatArray, term: Callable[[FloatArray, int], FloatArray]) -> FloatArray:
        piece, u = self._place(t)
        return np.asarray(sum(self.pieces[piece, n] * term(u, n) for n in range(5)))


@dataclass(frozen=True, eq=False)
class RunUpPlans:
    """Many plans; ``plans[n]`` is one of them. What there is no way for lasts 0 s, and cannot be asked for."""

    requests: FloatArray = field(repr=False)  # (N, 10) as `_kernels.runup` takes them
    rows: FloatArray = field(repr=False)  # (N, 10) as it gives them
    table: tuple[FloatArray, FloatArray] = field(repr=False)  # speeds and cycles a second
    bent: bool = field(repr=False)  # two even ramps

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """See `RunUpPlan`, as all of these; ``(N,)``."""
        return self.rows[:, 0] > 0.0

    @property
    def durations(self) -> FloatArray:
        """Seconds."""
        return self.rows[:, 1]

    @property
    def end_phases(self) -> FloatArray:
        """Cycles."""
        return self.rows[:, 7]

    @property
    def peaks(self) -> FloatArray:
        """m/s^2."""
        return self.rows[:, 8]

    @property
    def costs(self) -> FloatArray:
        """m^2/s^3."""
        return self.rows[:, 9]

    def __getitem__(self, n: int) -> RunUpPlan:
        from locomote.human.jumps._kernels.runup_duration import RunUp, RunUpRequest

        plan, asked = RunUp(*self.rows[n].tolist()), RunUpRequest(*self.requests[n].tolist())
        if plan.duration == 0.0:
            raise LocomoteError(f"run-up: there is no plan {n}: no way on that foot")
        pieces = np.array([plan[2:7]])
        if self.bent:
            pieces = np.array([[plan.s1, plan.al, 0.0, 0.0, 0.0], [plan.s1 + plan.al, plan.be, 0.0, 0.0, 0.0]])
        ends = asked.run1, asked.run2
        return RunUpPlan(
            bool(plan.ok), plan.duration, asked.phase, plan.phase, plan.peak, plan.cost, ends, pieces, self.table
        )


def plan_runup(
    distance: float | None,
    speed: float,
    to_speed: float,
    phase: float = 0.0,
    *,
    foot: str | float = "either",
    frequency: Frequency | None = None,
    style: str | dict[str, float] | FloatArray | None = None,
    leg_length: float = LEG_LENGTH,
    run: float = 0.0,
    to_run: float | None = None,
    acceleration: float = 0.0,
    limit: float | None = None,
    solver: str = "exact",
    profile: str = "quadratic",
) -> RunUpPlan:
    """Plan the speed from now to a line, at which one goes at another speed on a foot that lands.

    >>> plan = plan_runup(5.0, 1.1, 1.5, phase=0.1, foot="right")
    >>> bool(plan.ok), round(float(plan.distance(plan.duration)), 6), round(float(plan.speed(plan.duration)), 6)
    (True, 5.0, 1.5)
    >>> round(float(plan.phase(plan.duration)), 5), plan.end_phase
    (4.0, 4.0)

    Parameters
    ----------
    distance : m to the line; None for a linear profile, which ends wherever it leads
    speed, to_speed : m/s, now and at the line
    phase : cycles, now; a whole number is a strike of the right heel
    foot : "right", "left", "either", or a phase of the cycle
    frequency : a model, cycles/s as a function of speed and share of running, or a table; the shipped model without it
    style : a name, a mixture by name, or weights
    leg_length : m
    run, to_run : share of running, now and at the line; as now unless given
    acceleration : m/s^2, now; the quartic profile goes on smoothly from it
    limit : m/s^2; 0.8 leg lengths/s^2 unless given
    solver : "exact", or "endpoint": cycles are counted by the mean of the first and the last frequency
    profile : "quadratic", "quartic" (ends without acceleration), "bent" (two even ramps) or "linear" (one)
    """
    plans = plan_runups(
        distance, speed, to_speed, phase, foot=foot, frequency=frequency, style=style, leg_length=leg_length, run=run,
        to_run=to_run, acceleration=acceleration, limit=limit, solver=solver, profile=profile,
    )  # fmt: skip
    if plans.durations[0] == 0.0:
        where = "" if distance is None else f" to a line in {distance:g} m"
        raise LocomoteError(f"run-up: no way from {speed:g} to {to_speed:g} m/s{where} on that foot")
    return plans[0]


def plan_runups(
    distance: Values | None,
    speed: Values,
    to_speed: Values,
    phase: Values = 0.0,
    *,
    foot: str | float = "either",
    frequency: Frequency | None = None,
    style: str | dict[str, float] | FloatArray | None = None,
    leg_length: float = LEG_LENGTH,
    run: Values = 0.0,
    to_run: Values | None = None,
    acceleration: Values = 0.0,
    limit: Values | None = None,
    solver: str = "exact",
    profile: str = "quadratic",
) -> RunUpPlans:
    """Plan as `plan_runup` does for many at once: every number may be an array ``(N,)``.

    >>> plans = plan_runups([4.0, 5.0, 0.1], 1.1, [1.3, 1.5, 1.5], phase=0.1)
    >>> plans.ok.tolist(), round(float(plans[1].distance(plans.durations[1])), 6)
    ([True, True, False], 5.0)

    Parameters
    ----------
    distance, speed, to_speed, phase : m, m/s, m/s and cycles
    foot, frequency, style, leg_length : the same for all
    run, to_run : shares of running
    acceleration, limit : m/s^2
    solver, profile : the same for all
    """
    from locomote.human.jumps._kernels import runup, runup_duration

    if (profile, solver) not in PROFILES:
        known = ", ".join(f"{p} with {s}" for p, s in PROFILES)
        raise LocomoteError(f"run-up: no profile {profile!r} with solver {solver!r}; there are: {known}")
    if isinstance(foot, str) and foot not in FEET:
        raise LocomoteError(f"run-up: no foot {foot!r}; expected {', '.join(FEET)} or a phase")
    if (distance is None) != (profile == "linear"):
        raise LocomoteError("run-up: give a distance, or None with the linear profile, which ends where it ends")
    first, step = FEET[foot] if isinstance(foot, str) else (float(foot), 1.0)
    requests = _requests(
        0.0 if distance is None else distance, speed, acceleration, to_speed, run, run if to_run is None else to_run,
        phase, first, step, COMFORT * leg_length if limit is None else limit,
    )  # fmt: skip
    asked = runup_duration.RunUpRequest(*requests.T)
    speeds, shares = np.stack([asked.s1, asked.s2]), np.stack([asked.run1, asked.run2])
    if not np.all(np.isfinite(requests)) or (speeds < 0.0).any() or (shares < 0.0).any() or (shares > 1.0).any():
        raise LocomoteError("run-up: expected finite numbers, speeds of 0 or more, and shares of running from 0 to 1")
    if np.any(np.less_equal(asked.limit, 0.0)) or (distance is not None and np.any(np.less_equal(asked.distance, 0.0))):
        raise LocomoteError("run-up: expected a distance and a limit above 0")
    table = frequency_table(HumanModel.default() if frequency is None else frequency, style, leg_length)
    out = np.empty((len(requests), runup.PLAN_COLUMNS))
    runup.plan_many(requests, getattr(runup_duration, PROFILES[profile, solver]), *table_of_one(table), out)
    return RunUpPlans(requests, out, table, profile == "bent")


def _requests(*columns: Values) -> FloatArray:
    """One row for each plan, in the order of `_kernels.runup`."""
    arrays = [np.asarray(column, dtype=np.float64) for column in columns]
    shapes = sorted({array.shape for array in arrays if array.shape != ()})
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise LocomoteError(f"run-up: expected numbers or arrays of one length, got {shapes}")
    count = shapes[0][0] if shapes else 1
    out = np.empty((count, len(arrays)))
    for k, array in enumerate(arrays):
        out[:, k] = array
    return out


def table_of_one(table: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """A table of frequencies as the planner of many takes it."""
    return table[0], table[1][None]


def frequency_table(
    frequency: Frequency,
    style: str | dict[str, float] | FloatArray | None = None,
    leg_length: float = LEG_LENGTH,
) -> tuple[FloatArray, FloatArray]:
    """Speeds ``(G,)`` in m/s and the cycles a second ``(2, G)`` of walk and run there, linear between them."""
    if isinstance(frequency, HumanModel):
        return _table_of_model(frequency, frequency.weights(style), leg_length)
    if callable(frequency):
        speeds = FASTEST * np.linspace(0.0, 1.0, KNOTS) ** 2
        rows = np.stack([np.broadcast_to(frequency(speeds, run), speeds.shape) for run in (0.0, 1.0)])
    else:
        speeds = np.ascontiguousarray(frequency[0], dtype=np.float64)
        rows = np.ascontiguousarray(frequency[1], dtype=np.float64)
    if speeds.ndim != 1 or len(speeds) < 2 or rows.shape != (2, len(speeds)):
        raise LocomoteError(f"frequency: expected speeds (G,) and rows (2, G), got {speeds.shape} and {rows.shape}")
    if not (np.all(np.isfinite(rows)) and np.all(rows >= 0.0) and np.all(np.diff(speeds) > 0.0)):
        raise LocomoteError("frequency: expected finite cycles a second, 0 or more, at speeds that rise")
    return speeds, rows


def _table_of_model(model: HumanModel, weights: FloatArray, leg_length: float) -> tuple[FloatArray, FloatArray]:
    from locomote.human._kernels.model import LEG_SHARE

    # Bodies of different size move alike at the same Froude number; beyond its fastest speed a gait is not known.
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / leg_length)
    fastest = model.speed_limits[:, 1] / REFERENCE_HIP_HEIGHT
    normal = np.union1d(model.frequency_speeds, fastest)
    mixed = np.einsum("k,kgt->gt", weights, model.frequency)
    rows = np.stack([np.interp(np.minimum(normal, fastest[g]), model.frequency_speeds, mixed[g]) for g in (0, 1)])
    return normal * REFERENCE_HIP_HEIGHT / slow, slow * rows
