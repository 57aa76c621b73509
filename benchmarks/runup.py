"""Run-ups: the time for a plan, and where the foot is at the line; beside the figures of the source."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from _kernels import Table, best_seconds, first_call_seconds
from _page import write_page
from locomote.human._model import HumanModel
from locomote.human.jumps._kernels import runup as kernel
from locomote.human.jumps._kernels.runup_duration import (
    BENT,
    ENDPOINTS,
    LEVEL,
    QUADRATIC,
    QUARTIC,
    RAMP,
    RunUpRequest,
)
from locomote.human.jumps._runup import frequency_table, plan_runups

LEG = 0.88  # m
LIMIT = 0.8 * LEG  # m/s^2
FREE = 1e6  # m/s^2: no limit
MANY = 10_000
SOURCE = 4.0  # us a plan
STEP = 1.0 / 240.0  # s
KINDS = {
    "quadratic, exact": QUADRATIC,
    "quartic, exact": QUARTIC,
    "two ramps, exact": BENT,
    "two ramps of one steepness, exact": LEVEL,
    "quadratic, mean of the ends": ENDPOINTS,
    "one ramp, no place": RAMP,
}


def inman(speeds: np.ndarray, run: float = 0.0) -> np.ndarray:
    return 0.743 * np.sqrt(speeds / LEG)


def run_ups(count: int, start: float, running: bool, step: float, limit: float = FREE, seed: int = 0) -> np.ndarray:
    """Requests for jumps at random distances that people can reach."""
    r = np.random.default_rng(seed)
    out = np.zeros((count, kernel.REQUEST_COLUMNS))
    length = r.uniform(0.8, 2.0, 8 * count) if running else r.uniform(0.4, 1.6, 8 * count)
    distance = r.uniform(2.0, 10.0, 8 * count)
    speed = np.maximum(start, 1.16 * length - 0.13 if running else 0.97 * length - 0.04)
    fine = np.flatnonzero((speed**2 - start**2) / (2.0 * distance) <= LIMIT)[:count]
    asked = RunUpRequest(*out.T)
    asked.distance[:], asked.s1[:], asked.s2[:] = distance[fine], start, speed[fine]
    asked.phase[:] = r.uniform(size=count)
    asked.phase_step[:], asked.limit[:] = step, limit
    return out


def plans(requests: np.ndarray, kind: int, table: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    out = np.empty((len(requests), kernel.PLAN_COLUMNS))
    kernel.plan_many(requests, kind, table[0], table[1][None], out)
    return out


def scipy_plan(request: np.ndarray) -> float:
    """The duration of one plan by a quadrature and a root finder."""
    d, s1, _, s2, _, _, phase, _, _, _ = request

    def cycles(t: float) -> float:
        be = 3.0 * (s1 + s2) - 6.0 * d / t
        return t * quad(lambda u: inman(max(0.0, s1 + (s2 - s1 - be) * u + be * u * u)), 0.0, 1.0, epsabs=1e-9)[0]

    even, most = 2.0 * d / (s1 + s2), 3.0 * d / (s1 + s2 - np.sqrt(s1 * s2))
    below = np.floor(phase + cycles(even))
    found = []
    for end in (below, below + 1.0):
        if end - phase >= 0.25 and cycles(0.2 * even) < end - phase < cycles(most):
            found.append(brentq(lambda t: cycles(t) - (end - phase), 0.2 * even, most, xtol=1e-9))  # noqa: B023
    return min(found, default=0.0)


def time_rows(tables: dict[str, tuple[np.ndarray, np.ndarray]]) -> list[list[str]]:
    requests = run_ups(MANY, 1.1, False, 0.5, LIMIT)
    plain = min(best_seconds(lambda r=r: scipy_plan(r)) for r in requests[:2])
    rows = []
    for name, kind in KINDS.items():
        row = [name]
        for table in tables.values():
            row += [f"{1e6 * best_seconds(lambda t=table: plans(requests, kind, t)) / MANY:.2f}"]  # noqa: B023
        one, out = requests[:1].copy(), np.empty((1, kernel.PLAN_COLUMNS))
        speeds, rates = tables["model"]
        single = 1e6 * best_seconds(lambda: kernel.plan_many(one, kind, speeds, rates[None], out))  # noqa: B023
        rows.append([*row, f"{single:.1f}", f"{SOURCE:.0f}"])
    return [*rows, _public_row(requests), ["quadratic, SciPy", "", "", f"{1e6 * plain:.0f}", ""]]


def _public_row(requests: np.ndarray) -> list[str]:
    """The same through the call of users, checks and all."""
    model = HumanModel.default()
    knots = (frequency_table(model, leg_length=LEG), frequency_table(inman))

    def call(count: int, frequency: object) -> object:
        some = RunUpRequest(*requests[:count].T)
        return plan_runups(
            some.distance, some.s1, some.s2, some.phase, frequency=frequency, leg_length=LEG, limit=LIMIT
        )

    many = [f"{1e6 * best_seconds(lambda k=k: call(MANY, k)) / MANY:.2f}" for k in knots]
    return [
        "quadratic, exact, by plan_runups",
        *many,
        f"{1e6 * best_seconds(lambda: call(1, model)):.0f}",
        "",
    ]


def gentleness_rows(table: tuple[np.ndarray, np.ndarray]) -> list[list[str]]:
    rows = []
    for foot, step, printed in (
        ("right", 1.0, "0.137 / 0.541 / 0.937"),
        ("either", 0.5, "0.075 / 0.350 / 0.753"),
    ):
        requests = run_ups(1500, 1.1, False, step)
        for rule in ("least cost", "least peak"):
            out = plans(requests, QUADRATIC, table)
            if rule == "least peak":
                for shift in (-step, step):
                    other = requests.copy()
                    asked = RunUpRequest(*other.T)
                    asked.first_phase[:], asked.phase_step[:] = out[:, 7] + shift, 0.0
                    near = plans(other, QUADRATIC, table)
                    cycles = asked.first_phase - asked.phase
                    better = (near[:, 0] > 0) & (near[:, 8] < out[:, 8]) & (cycles >= kernel.LEAST_CYCLES)
                    out = np.where(better[:, None], near, out)
            out = out[out[:, 1] > 0.0]
            peaks = " / ".join(f"{x:.3f}" for x in np.percentile(out[:, 8], [50, 90, 99]))
            within = 100.0 * np.mean(out[:, 8] <= LIMIT)
            cost = " / ".join(f"{x:.3f}" for x in np.percentile(out[:, 9], [50, 90]))
            rows.append([foot, rule, peaks, f"{within:.1f} %", cost, printed])
    return rows


def frequency_at(speed: float, table: tuple[np.ndarray, np.ndarray]) -> float:
    return float(np.interp(speed, table[0], table[1][0]))


def play(request: np.ndarray, kind: int, table: tuple[np.ndarray, np.ndarray], replan: bool) -> float:
    """Metres short of the line when the foot lands that was planned for it, frame by frame."""
    asked = RunUpRequest(*request)
    plan = plans(request[None], kind, table)[0]
    x = t = 0.0
    phase, next_step = asked.phase, np.floor(2.0 * asked.phase) / 2.0 + 0.5
    while True:
        u = min(t / plan[1], 1.0)
        v = min((t + STEP) / plan[1], 1.0)
        speed, then = (plan[2] + w * (plan[3] + w * plan[4]) for w in (u, v))
        rate = frequency_at(0.5 * (speed + then), table)
        if phase + STEP * rate >= plan[7]:
            return float(asked.distance - x - 0.5 * (speed + then) * (plan[7] - phase) / rate)
        x, t, phase = x + 0.5 * (speed + then) * STEP, t + STEP, phase + STEP * rate
        if replan and phase >= next_step:
            next_step += 0.5
            again = asked._replace(
                distance=asked.distance - x, s1=then, phase=phase, first_phase=plan[7], phase_step=0.0
            )
            new = plans(np.array([again]), kind, table)[0]
            if new[0] > 0.0:
                plan, t = new, 0.0


def accuracy_rows(table: tuple[np.ndarray, np.ndarray], count: int = 400) -> list[list[str]]:
    rows = []
    cases = (
        ("mean of the ends, once", ENDPOINTS, False, "190 / 230", "14 % / 12 %"),
        ("mean of the ends, anew at every step", ENDPOINTS, True, "20 / 40", "92 % / 86 %"),
        ("exact, once", QUADRATIC, False, "2 / 3", "100 % / 100 %"),
    )
    for name, kind, replan, printed_mean, printed_share in cases:
        errors = []
        for start, running in ((1.1, False), (1.5, True)):
            requests = run_ups(count, start, running, 1.0, seed=1)
            out = plans(requests, kind, table)
            errors.append(np.abs([play(r, kind, table, replan) for r in requests[out[:, 0] > 0.0]]))
        means = " / ".join(f"{1e3 * e.mean():.3g}" for e in errors)
        most = " / ".join(f"{1e3 * e.max():.3g}" for e in errors)
        share = " / ".join(f"{100 * np.mean(e < 0.05):.0f} %" for e in errors)
        rows.append([name, means, most, share, printed_mean, printed_share])
    return rows


def quadrature_rows(tables: dict[str, tuple[np.ndarray, np.ndarray]]) -> list[list[str]]:
    """The greatest error of the count of cycles by Gauss-Legendre quadratures, and by the planner."""
    fine = np.linspace(0.0, 1.0, 40_001)
    rows = []
    for points in (8, 16, 32, 64, 0):
        row = ["cut at the knots" if points == 0 else f"Gauss, {points} points"]
        for speeds, rates in tables.values():
            requests = run_ups(300, 1.1, False, 0.5)
            out = plans(requests, QUADRATIC, (speeds, rates))
            x, w = np.polynomial.legendre.leggauss(max(points, 1))
            worst = 0.0
            for plan, request in zip(out, requests, strict=True):
                course = plan[2] + fine * (plan[3] + fine * plan[4])
                true = plan[1] * np.trapezoid(np.interp(course, speeds, rates[0]), fine)
                u = 0.5 * (x + 1.0)
                ours = plan[1] * 0.5 * w @ np.interp(plan[2] + u * (plan[3] + u * plan[4]), speeds, rates[0])
                worst = max(worst, abs((ours if points else plan[7] - RunUpRequest(*request).phase) - true))
            row.append(f"{worst:.1e}")
        rows.append(row)
    return rows


def tables() -> list[Table]:
    by_name = {"model": frequency_table(HumanModel.default()), "Inman": frequency_table(inman)}
    cold, warm = first_call_seconds(
        "import numpy as np\nfrom locomote.human.jumps._kernels import runup as k",
        "k.plan_many(np.ones((1, 10)), 0, np.arange(3.0), np.ones((1, 2, 3)), np.empty((1, 10)))",
    )
    return [
        (
            "One plan, on either foot",
            ["profile", "model, of 10,000, us", "Inman, of 10,000, us", "model, one call, us", "source, us"],
            time_rows(by_name),
        ),
        (
            "Greatest acceleration of 1,500 walking run-ups, m/s^2",
            ["foot", "rule", "50 / 90 / 99 %", "within the limit", "cost, 50 / 90 %, m^2/s^3", "specified"],
            gentleness_rows(by_name["Inman"]),
        ),
        (
            "Distance from the line when the foot lands, walking / running, mm",
            ["planner", "mean", "greatest", "within 5 cm", "specified mean", "specified within 5 cm"],
            accuracy_rows(by_name["Inman"]),
        ),
        ("Greatest error of the count of cycles", ["integral", "model", "Inman"], quadrature_rows(by_name)),
        ("First plan", ["compiled anew, s", "from the cache, s"], [[f"{cold:.1f}", f"{warm:.1f}"]]),
    ]


if __name__ == "__main__":
    method = (
        "One thread; the best of repeated calls. The model's frequencies have 59 knots over the speed, Inman's law is\n"
        "tabulated at 513. Run-ups start at 1.1 m/s walking or 1.5 m/s running, 2 to 10 m before the line, and end\n"
        f"with the usual speed of jumps of 0.4 to 1.6 or 0.8 to 2.0 m; leg length {LEG} m, limit {LIMIT:.3f} m/s^2.\n"
        "The distance at the line is that of the body, played in frames of 1/240 s with Inman's law."
    )
    write_page("runup", "Run-ups", method, tables())
