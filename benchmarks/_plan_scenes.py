"""What planners do: the worked run-ups of the source with all their counts of cycles, and a crowd that plans live."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from _bed import FPS
from locomote.draw import Series
from locomote.draw._canvas import Canvas
from locomote.draw._plots import draw_plot
from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import COMING, UNDER_WAY
from locomote.human.jumps._kernels import runup as kernel
from locomote.human.jumps._kernels.runup_duration import ENDPOINTS, QUADRATIC, RunUp, RunUpRequest
from locomote.human.jumps._runup import frequency_table
from locomote.world import Obstacles
from runup import LEG, inman

FREE = 1e6  # m/s^2: no limit
FRAME_MS = 1000.0 / FPS
SQUARE = 90.0  # m, the side of the place of the crowd
EVERY = 6  # frames, after which an obstacle appears and the oldest one vanishes
THINGS = 150  # obstacles at first


@dataclass(frozen=True)
class Worked:
    """A run-up that the source works out, and the counts of cycles that it tries."""

    name: str
    s1: float  # m/s
    s2: float  # m/s
    distance: float  # m
    phase: float  # cycles
    tried: tuple[int, ...]
    specified: str  # the count that its rule chooses


WORKED = (
    Worked("9 to 14 cycles", 0.2, 1.6, 16.0, 0.3, (9, 10, 11, 12, 13, 14), "12"),
    Worked("1 to 4 cycles", 0.0, 0.9, 1.6, 0.1, (1, 2, 3, 4), "2"),
    Worked("surface", 1.0, 1.6, 5.0, 0.1, (2, 3, 4, 5, 6), "4"),
)


@dataclass
class Tried:
    """One count of cycles of a worked run-up."""

    cycles: float
    seconds: float
    course: np.ndarray  # (3,) s1, al, be: the speed is s1 + al u + be u^2 over u = t / seconds

    @property
    def change(self) -> float:
        """How much the acceleration changes, m/s^2, which the source keeps small."""
        return float(2.0 * abs(self.course[2]) / self.seconds)

    @property
    def peak(self) -> float:
        """The greatest acceleration, m/s^2."""
        ends = self.course[1] + np.array([0.0, 2.0 * self.course[2]])
        return float(np.abs(ends).max() / self.seconds)

    def speeds(self, u: np.ndarray) -> np.ndarray:
        return np.asarray(self.course[0] + u * (self.course[1] + u * self.course[2]))


def try_cycles(case: Worked, cycles: float) -> Tried:
    """The course of speed in which so many cycles pass by the mean of the first and last frequency, in closed form."""
    mean = 0.5 * float(inman(np.array(case.s1)) + inman(np.array(case.s2)))
    seconds = (cycles - case.phase) / mean
    be = 6.0 * (0.5 * (case.s1 + case.s2) - case.distance / seconds)
    return Tried(cycles, seconds, np.array([case.s1, case.s2 - case.s1 - be, be]))


def chosen(case: Worked, kind: int) -> float:
    """The count of cycles that our planner chooses, right foot at the line."""
    request = RunUpRequest(
        case.distance, case.s1, a1=0.0, s2=case.s2, run1=0.0, run2=0.0, phase=case.phase, first_phase=0.0,
        phase_step=1.0, limit=FREE,
    )  # fmt: skip
    speeds, rates = frequency_table(inman)
    out = np.empty((1, kernel.PLAN_COLUMNS))
    kernel.plan_many(np.array([request]), kind, speeds, rates[None], out)
    return float(RunUp(*out[0].tolist()).phase)


def worked_rows() -> list[list[str]]:
    rows = []
    u = np.linspace(0.0, 1.0, 1001)
    for case in WORKED:
        ours, exact = chosen(case, ENDPOINTS), chosen(case, QUADRATIC)
        for cycles in case.tried:
            t = try_cycles(case, cycles)
            marks = [name for name, count in (("ours", ours), ("exact phase", exact)) if count == cycles]
            marks += ["specified"] if str(cycles) == case.specified else []
            rows.append(
                [
                    case.name, f"{cycles}", f"{t.seconds:.3f}", f"{t.change:.4f}", f"{t.peak:.3f}",
                    f"{t.speeds(u).min():.3f}", ", ".join(marks),
                ]
            )  # fmt: skip
    return rows


def draw_worked(path: Path) -> None:
    """Speeds over time for every count of cycles, and what each count costs."""
    canvas = Canvas(1400, 760)
    canvas.text(20, 14, "Worked run-ups: speed over time by the count of cycles at the line", 18)
    u = np.linspace(0.0, 1.0, 201)
    boxes = [(20.0, 48.0, 690.0, 396.0), (710.0, 48.0, 1380.0, 396.0), (20.0, 404.0, 690.0, 748.0)]
    for case, box in zip(WORKED, boxes, strict=True):
        best = chosen(case, ENDPOINTS)
        lines = []
        for cycles in case.tried:
            t = try_cycles(case, cycles)
            label = f"{cycles}: chosen" if cycles == best else f"{cycles}"
            lines.append(Series(u * t.seconds, t.speeds(u), label, dashed=cycles != best))
        label = f"{case.s1:g} to {case.s2:g} m/s in {case.distance:g} m (time, s)"
        draw_plot(canvas, box, lines, x_label=label, y_label="speed (m/s)")
    lines = []
    for case in WORKED:
        counts = np.linspace(0.5, 1.5 * case.tried[-1], 400)
        even = 2.0 * case.distance / (case.s1 + case.s2)
        tries = [try_cycles(case, count) for count in counts]
        tries = [t for t in tries if 0.5 <= t.seconds / even <= 1.8 and t.change <= 2.0]
        lines.append(Series([t.seconds / even for t in tries], [t.change for t in tries], case.name))
    draw_plot(
        canvas, (710, 404, 1380, 748), lines, x_label="duration (of an even ramp)",
        y_label="change of acceleration (m/s^2)", x_range=(0.5, 1.8), y_range=(0.0, 2.0),
    )  # fmt: skip
    canvas.finish().save(path)


@dataclass
class Live:
    """A crowd among obstacles that come and go: milliseconds of every frame, and what was done."""

    people: int
    planning: np.ndarray  # to look, decide, plan and steer
    whole: np.ndarray  # the whole step
    bare: np.ndarray  # the whole step of the same crowd where there is nothing in the way
    jumps: int
    run_ups: int


def live_crowd(model: HumanModel, people: int, seconds: float) -> Live:
    """People who walk and run criss-cross over a square where puddles appear and vanish all the time."""
    r = np.random.default_rng(40)
    places = np.insert(r.uniform(-0.5 * SQUARE, 0.5 * SQUARE, (people, 2)), 1, 0.0, axis=1)
    speeds, headings = r.uniform(0.9, 3.0, people), r.uniform(-np.pi, np.pi, people)
    obstacles = Obstacles()

    def add() -> int:
        centre = r.uniform(-0.5 * SQUARE, 0.5 * SQUARE, 2)
        return obstacles.add_puddle(centre, r.uniform(0.4, 2.6), r.uniform(1.0, 6.0), r.uniform(-np.pi, np.pi))

    alive = [add() for _ in range(THINGS)]
    knobs = {"seed": 4, "leg_length": LEG, "positions": places, "speed": speeds, "heading": headings}
    crowd, bare = Crowd(model, people, obstacles=obstacles, **knobs), Crowd(model, people, **knobs)
    step = crowd._ways.step
    spent = [0.0]

    def timed(dt: float, things: Obstacles) -> None:
        begun = time.perf_counter()
        step(dt, things)
        spent[0] = time.perf_counter() - begun

    crowd._ways.step = timed  # type: ignore[method-assign]
    state = crowd._people.walkers["jump"]["state"]
    planning, whole, plain = [], [], []
    jumps = run_ups = 0
    for frame in range(round(seconds * FPS) + FPS):
        if frame % EVERY == 0:
            alive.append(add())
            obstacles.remove(alive.pop(0))
        before = state.copy()
        begun = time.perf_counter()
        crowd.step(1.0 / FPS)
        middle = time.perf_counter()
        bare.step(1.0 / FPS)
        end = time.perf_counter()
        if frame >= FPS:  # by then nobody is where it was put, before something that it could not have met
            planning.append(1e3 * spent[0])
            whole.append(1e3 * (middle - begun))
            plain.append(1e3 * (end - middle))
            jumps += int(np.sum((state == UNDER_WAY) & (before != UNDER_WAY)))
            run_ups += int(np.sum((state == COMING) & (before != COMING)))
    return Live(people, np.array(planning), np.array(whole), np.array(plain), jumps, run_ups)


def live_rows(live: Live) -> list[list[str]]:
    rows = []
    for name, ms in (
        ("planning", live.planning),
        ("whole frame", live.whole),
        ("whole frame, nothing in the way", live.bare),
    ):
        middle, high, most = np.median(ms), np.percentile(ms, 99), ms.max()
        rows.append(
            [
                name, f"{middle:.2f} / {high:.2f} / {most:.2f}", f"{1e3 * middle / live.people:.2f}",
                f"{100 * middle / FRAME_MS:.1f} %",
            ]
        )  # fmt: skip
    return rows
