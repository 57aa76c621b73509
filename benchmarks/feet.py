"""Feet held to the ground: how well over ten minutes on every ground, how exactly foreseen, and at what cost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from _kernels import Table, best_seconds
from _page import write_page
from locomote.human._crowd import Crowd
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote_lab.human.foot_courses import COURSES
from locomote_lab.human.foot_record import record_feet
from locomote_lab.human.foot_report import (
    MOST_ACCELERATION,
    MOST_KNEE_ACCELERATION,
    MOST_PENETRATION,
    MOST_SLIDE,
    FootReport,
    acceleration_ratios,
)
from locomote_lab.human.random_commands import RandomDrive

FRAME = 1.0 / 60.0
PEOPLE, SECONDS, SEEDS = 12, 50.0, (0,)  # ten minutes in all on each ground
SIZES = (1, 100, 1000, 10000)
ROUNDS = 5  # of the drive in which the worst frame is sought
SOURCE_POSTURES, SOURCE_BOUNDARIES, SOURCE_ENFORCING, SOURCE_WORST = 1300.0, 50.0, 1800.0, 4700.0  # us
POSTURES = 25
PLANS: dict[str, dict[str, object]] = {
    "none, all constant": {},
    "speed to 2.8 m/s in 2 s": {"speed": 2.8, "within": 2.0},
    "turn to -0.5 rad/s in 1 s": {"turn_rate": -0.5, "within": 1.0},
    "walk to run in 1.2 s": {"gait": "run", "speed": 2.4, "within": 1.2},
    "stop": {"speed": 0.0},
    "style and size in 1.5 s": {"style": "proud", "leg_length": 1.0, "within": 1.5},
}


def soak_rows(model: HumanModel) -> tuple[list[list[str]], list[list[str]]]:
    """One row for each ground, and one for everything that is beyond its limit."""
    rows, misses = [], []
    for name, course in COURSES.items():
        for seed in SEEDS:
            held, source = course.try_feet(model, PEOPLE, SECONDS, seed)
            rows.append([name, *_figures(held, source)])
            misses += [[name, str(seed), line] for line in _short(held)]
            print(name, seed, len(held.failures()), "beyond their limits", file=sys.stderr)
    return rows, misses or [["all", "", "nothing"]]


def _figures(held: FootReport, source: FootReport) -> list[str]:
    ratios = (held.acceleration, held.rare_acceleration, held.knee_acceleration)
    return [
        str(held.landings),
        f"{1e3 * held.slide.value:.3f} ({1e3 * source.slide.value:.0f})",
        f"{1e3 * held.penetration.value:.2f} ({1e3 * source.penetration.value:.0f})",
        str(len(held.missed)),
        *(f"{worst.value:.2f}" for worst in ratios if worst is not None),
        f"{np.degrees(held.straightest_knee.value):.1f} ({np.degrees(source.straightest_knee.value):.1f})",
    ]


def _short(report: FootReport) -> list[str]:
    """What is beyond its limit; footplants missed in one line for each kind."""
    lines = [line for line in report.failures() if not line.startswith("missed")]
    for kind in sorted({miss.kind for miss in report.missed}):
        those = [miss for miss in report.missed if miss.kind == kind]
        first = those[0]
        where = f"{first.side}, character {first.who}, {first.second:.2f} s"
        lines.append(f"{len(those)} footplants {kind}; the first: {where}")
    return lines


def steady_rows(model: HumanModel) -> list[list[str]]:
    """Every style at a steady speed: the worst joint of each against its own cycle."""
    rows, styles = [], np.eye(len(model.styles))
    for speed in (0.6, 0.9, 1.2, 1.6, 2.0, 3.0, 4.0):
        records = []
        for feet in (True, False):
            crowd = Crowd(model, len(styles), style=styles, speed=speed, feet=feet)
            _pass(crowd, 3.0)
            records.append(record_feet(crowd, 4.0))
        ratios = acceleration_ratios(*records)
        worst = ratios.max(axis=1)
        who, joint = np.unravel_index(int(np.argmax(ratios)), ratios.shape)
        where = f"{model.styles[who]}, {crowd.poses.skeleton.names[joint]}"
        within = f"{int(np.sum(worst <= MOST_ACCELERATION))} of {len(styles)}"
        rows.append([f"{speed:g}", f"{np.median(worst):.2f}", f"{worst.max():.2f}", where, within])
    return rows


def prediction_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for name, plan in PLANS.items():
        most = []
        for seconds in (0.1, 0.5, 2.0):
            crowd = Crowd(model, 24, seed=4, speed=np.linspace(0.0, 2.2, 24))
            _pass(crowd, 0.7)
            if plan:
                crowd.command(**plan)  # type: ignore[arg-type]
            seen = crowd.predict(seconds)
            _pass(crowd, seconds)
            off = np.max(np.abs(seen.joint_positions() - crowd.poses.joint_positions()))
            turned = np.max(np.abs(seen.rotations - crowd.poses.rotations))
            most.append(max(float(off), float(turned)))
        most.append(_foothold_error(model, plan))
        rows.append([name, *(f"{error:.1e}" for error in most), "1e-6"])
    return rows


def _foothold_error(model: HumanModel, plan: dict[str, object]) -> float:
    """The largest distance between the foothold shown at the lift of a foot and the place on which it then stands."""
    crowd = Crowd(model, 24, seed=4, speed=np.linspace(0.4, 2.2, 24))
    _pass(crowd, 0.7)
    if plan:
        crowd.command(**plan)  # type: ignore[arg-type]
    crowd.step(FRAME)
    shown, most = crowd.footholds, 0.0
    swung = crowd.landings > 0.0
    began = np.zeros_like(swung)  # a swing under way when the plan changed is planned anew
    for _ in range(180):
        crowd.step(FRAME)
        now, swings = crowd.footholds, crowd.landings > 0.0
        lands = swung & ~swings & began
        most = max(most, float(np.max(np.abs(now - shown)[lands], initial=0.0)))
        lifts = swings & ~swung
        shown = np.where(lifts[..., None], now, shown)
        swung, began = swings, began | lifts
    return most


def _pass(crowd: Crowd, seconds: float) -> None:
    for _ in range(round(seconds / FRAME)):
        crowd.step(FRAME)


def step_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for count in SIZES:
        steady, told = [], []
        speeds = np.linspace(0.5, 2.0, count)
        for feet in (True, False):
            crowd = Crowd(model, count, speed=1.4, feet=feet)
            steady.append(1e6 / count * best_seconds(_steps(crowd)) / 60)
            turns = iter(range(10**9))

            def command(crowd: Crowd = crowd, turns: object = turns) -> None:
                crowd.command(speed=speeds + 0.01 * (next(turns) % 2))  # type: ignore[call-overload]  # noqa: B023
                crowd.step(FRAME)

            told.append(1e6 / count * best_seconds(command))
        rows.append(
            [
                str(count),
                *(f"{x:.2f}" for x in steady),
                f"{steady[0] / steady[1]:.1f}x",
                *(f"{x:.2f}" for x in told),
                f"{told[0] / told[1]:.1f}x",
                f"{1e6 * FRAME / steady[0]:,.0f}",
            ]
        )
    return rows


def _steps(crowd: Crowd) -> Callable[[], None]:
    """A second of steps: a foot lands or lifts only now and then, and all of it is to be paid for."""

    def run() -> None:
        for _ in range(60):
            crowd.step(FRAME)

    return run


def worst_frame(model: HumanModel, feet: bool) -> tuple[float, float]:
    """The slowest frame of one character over a minute of random commands, in the middle one of the runs, and the mean
    frame of the best run; us of the processor, the commands in it."""
    times = np.empty((ROUNDS, 3600))
    for turn in times:
        crowd, drive = Crowd(model, 1, speed=1.2, feet=feet), RandomDrive(0)
        for frame in range(len(turn)):
            start = time.thread_time()
            drive(crowd, frame * FRAME)  # what changes the parameters is part of the frame
            crowd.step(FRAME)
            turn[frame] = time.thread_time() - start
    return float(1e6 * np.median(times.max(axis=1))), float(1e6 * times.mean(axis=1).min())


def source_rows(model: HumanModel) -> list[list[str]]:
    """Beside the figures of the source, one character at a time."""
    from locomote.human.fitting._footplants import effector_paths, find_footplants

    crowd = Crowd(model, 1, speed=1.4)
    postures = 1e6 * best_seconds(lambda: crowd.predict(POSTURES * FRAME, 1.0 / FRAME))
    heights = effector_paths(model.encoding, model.unit(1.4))[..., 1]
    found = 1e6 * best_seconds(lambda: find_footplants(heights, 1.4 / REFERENCE_HIP_HEIGHT, 0.0))
    worst, mean = worst_frame(model, True)
    _, free = worst_frame(model, False)
    figures = [
        (f"{POSTURES} anticipated postures, whole body, held feet", postures, SOURCE_POSTURES),
        (
            "boundaries of the footplants, found in the heights of a cycle (once, when a model is fitted)",
            found,
            SOURCE_BOUNDARIES,
        ),
        ("enforcement, two feet, mean over random commands", mean - free, SOURCE_ENFORCING),
        ("worst frame of a minute of random commands", worst, SOURCE_WORST),
    ]
    return [
        [what, f"{ours:.1f}", f"{theirs:.0f}", f"{theirs / ours:{'.1f' if theirs < 10 * ours else ',.0f'}}x"]
        for what, ours, theirs in figures
    ]


def tables(model: HumanModel) -> list[Table]:
    soak, misses = soak_rows(model)
    limits = [
        "limit",
        "",
        f"{1e3 * MOST_SLIDE:g}",
        f"{1e3 * MOST_PENETRATION:g}",
        "0",
        f"{MOST_ACCELERATION:g}",
        f"{MOST_ACCELERATION:g}",
        f"{MOST_KNEE_ACCELERATION:g}",
        "",
    ]
    return [
        (
            "Ten minutes of random commands on every ground; in brackets the same drive with feet not held",
            [
                "ground",
                "landings",
                "largest slide, mm",
                "deepest penetration, mm",
                "footplants missed",
                "peak acceleration, of the source",
                "the same, 99.9 %",
                "peak knee acceleration, of the source",
                "straightest knee, degrees",
            ],
            [*soak, limits],
        ),
        ("Beyond the limits", ["ground", "seed", "what"], misses),
        (
            "Steady speeds, every style: peak acceleration of its worst joint, of its own cycle with feet not held",
            ["m/s", "median style", "worst style", "which", f"styles within {MOST_ACCELERATION:g}"],
            steady_rows(model),
        ),
        (
            "What is foreseen against what comes: largest difference of any joint, m or quaternion parts",
            ["change under way", "0.1 s ahead", "0.5 s ahead", "2 s ahead", "foothold at the lift", "limit"],
            prediction_rows(model),
        ),
        (
            "One step, us for each character",
            [
                "characters",
                "steady, held",
                "steady, free",
                "ratio",
                "all commanded, held",
                "all commanded, free",
                "ratio",
                "held at 60 Hz",
            ],
            step_rows(model),
        ),
        ("One character, us", ["task", "here", "source", "ratio"], source_rows(model)),
    ]


if __name__ == "__main__":
    method = (
        f"{PEOPLE} people for {SECONDS:g} s on each ground, ten minutes in all, at 60 frames a second. Every 0.3 to\n"
        "4 s each is told another speed, turn rate, gait, style or size; on slopes and stairs speed and style\n"
        "only, so that all go up and down. Slopes are 10, 20 and 30 degrees up and down, the hillside 15 degrees\n"
        "in every direction; stairs rise 8 to 20 cm on treads of 32 to 28 cm, up and down; rough ground has hills\n"
        "of 15 cm every 2 m; platforms go to and fro, rise and sink, and turn. A slide is how far a planted heel,\n"
        "ball or tip of the toes is from where it came down, seen from the ground that carries it; penetration is\n"
        "that of any of these points at any time. Accelerations are the largest of a joint over the largest of\n"
        "the same joint in the same drive with feet not held, which knows of no ground but the level one; the\n"
        "worst joint is shown. A footplant is missed if a swing lasts longer than 2 s or a cycle, if a foot does\n"
        "not lift in its cycle, lands twice, or lands where there is no ground.\n\n"
        "Timing: one thread, the best of repeated calls; the steady figures are means over a second of frames;\n"
        f"the worst frame is the slowest of 3,600, in the middle one of {ROUNDS} runs of the same drive; by the\n"
        "time of the processor, with the commands in it."
    )
    write_page("feet", "Feet", method, tables(HumanModel.default()))
