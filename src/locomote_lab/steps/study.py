"""Every number by which exact steps are judged, beside those of the source of the method, as tables of text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.steps._blending import body, default_database
from locomote.steps._plan import FootPlan
from locomote.steps._walking import Options, Walk, choose, make, plants_of, pose, trace
from locomote_lab.steps import scenarios
from locomote_lab.steps.candidates import Candidates, candidates
from locomote_lab.steps.comparisons import left_out, nearest_and_moved, rotational_errors
from locomote_lab.steps.metrics import WalkSmoothness, measure, smoothness

SOURCE_COST = (26.0, 5.0)  # ms a step to make and to convert, one core of an Athlon 64 X2 at 3 GHz, C++
SCENES: dict[str, tuple[Callable[[], FootPlan], float, float]] = {
    # the plan, the leg (m), and the seconds that the source took for as many steps
    "indoor, tight curves": (scenarios.indoor, scenarios.INDOOR_LEG, 8.2),
    "narrow ridge": (scenarios.ridge, 0.9, 14.0),
    "forwards, backwards, forwards": (scenarios.reversal, 0.9, 9.1),
}
MILLI = 1e3


class StudyTable(NamedTuple):
    """A table of text."""

    title: str
    head: list[str]
    rows: list[list[str]]


def study(quick: bool = False) -> list[StudyTable]:
    """All tables; ``quick`` takes few random plans and few records."""
    few = 40 if quick else 1000
    walks = {name: trace([plan()], leg_length=leg)[0] for name, (plan, leg, _) in SCENES.items()}
    return [
        costs(),
        scenes(walks),
        candidate_table(walks),
        ablation_table(),
        rotational_table(walks),
        filter_table(),
        random_table(few),
        outside_table(max(few // 20, 10)),
        terrain_table(max(few // 50, 4)),
        left_out_table(4 if quick else 60),
        baseline_table(),
    ]


def costs() -> StudyTable:
    """The time that a step takes."""
    person, options = body(0.9), Options()
    rows = []
    for count in (1, 100):
        plans = [scenarios.ridge()] * count
        plants = plants_of(plans)
        chosen = choose(plants, None, person, options)
        firsts = _frames(plants, chosen, 60.0)
        sheet = np.ascontiguousarray(  # of the last plan
            make(plants, chosen, None, person, options, 60.0, firsts).frames[:, : firsts[-1] - firsts[-2]]
        )
        steps = count * (len(plans[0]) - 2)
        converted = count * _seconds(lambda: pose(sheet, person))  # noqa: B023
        made = _seconds(lambda: choose(plants, None, person, options)) - converted  # noqa: B023
        made += _seconds(lambda: make(plants, chosen, None, person, options, 60.0, firsts))  # noqa: B023
        long = float(np.mean([walk.lands[-1] for walk in trace(plans[:1])])) / (len(plans[0]) - 2)
        rows.append(
            [
                f"{steps:,}", f"{MILLI * made / steps:.3f}", f"{MILLI * converted / steps:.3f}", f"{long:.2f}",
                f"{100 * (made + converted) / steps / long:.3f} %",
            ]
        )  # fmt: skip
    rows.append(["44 (source, 30 fps)", f"{SOURCE_COST[0]:g}", f"{SOURCE_COST[1]:g}", "0.62", "4.2 %"])
    return StudyTable(
        "Cost",
        ["steps", "made, ms a step", "converted, ms a step", "mean step, s", "share of real time"],
        rows,
    )


def scenes(walks: dict[str, Walk]) -> StudyTable:
    """The three scenes of the source."""
    rows = []
    for name, walk in walks.items():
        m = measure(walk)
        rows.append(
            [
                name, str(len(walk.plan) - 2), f"{walk.motion.duration:.1f}", f"{SCENES[name][2]:g}",
                f"{MILLI * m.foot_error:.4f}", f"{MILLI * m.skate:.4f}", f"{MILLI * m.penetration:.4f}",
                f"{100 * (1 - m.outside):.0f} %", f"{100 * sideways(walk):.0f} %", f"{100 * backwards(walk):.0f} %",
            ]
        )  # fmt: skip
    head = [
        "scene", "steps", "s", "source, s", "foot error, mm", "skate, mm a frame", "below ground, mm",
        "steps in hull", "time sideways", "time backwards",
    ]  # fmt: skip
    return StudyTable("Scenes", head, rows)


def courses(walk: Walk) -> FloatArray:
    """Between where the pelvis faces and where it goes, rad ``(F - 1,)``; NaN where it hardly moves."""
    motion = walk.motion
    wide = max(int(0.5 * motion.fps), 1)
    kernel = np.ones(wide) / wide
    velocity = np.diff(motion.root_positions, axis=0) * motion.fps
    x, z = (np.convolve(velocity[:, k], kernel, mode="same") for k in (0, 2))
    facing = rot.yaw(motion.rotations[:-1, 0])
    off = (np.arctan2(x, z) - facing + np.pi) % (2 * np.pi) - np.pi
    out: FloatArray = np.where(np.hypot(x, z) > 0.1, np.abs(off), np.nan)
    return out


def sideways(walk: Walk) -> float:
    """The share of the time in which a walker goes to its side."""
    off = courses(walk)
    return float(np.mean((off > np.radians(55)) & (off < np.radians(125))))


def backwards(walk: Walk) -> float:
    """The share of the time in which a walker goes backwards."""
    return float(np.mean(courses(walk) > np.radians(125)))


def candidate_table(walks: dict[str, Walk]) -> StudyTable:
    """Alternatives of the steps around a query, and what they are good for."""
    found: Candidates = candidates(list(walks.values()))
    ways = "corners / one by one / best four"
    rows = [
        ["steps", str(found.steps), "88"],
        ["in the hull", f"{100 * found.inside:.0f} %", "all"],
        ["neighbours", str(found.neighbours), "352"],
        ["alternatives of a neighbour, mean", f"{found.mean:.2f}", "7.39"],
        ["neighbours with none", f"{100 * found.none:.0f} %", "59 %"],
        ["of the others, with more than five", f"{100 * found.many:.0f} %", "42 %"],
        ["of the others, changed for a better one", f"{100 * found.replaced:.1f} %", "36.1 %"],
        ["of all, changed for a better one", f"{100 * found.replaced_of_all:.1f} %", "14.7 %"],
        ["largest loss of weight of a substitute", f"{found.loss:.0f} x", "10 x"],
        [f"difference of the blend: {ways}", " / ".join(f"{d:.2f}" for d in found.blends), ""],
        ["best four below corners", f"{100 * (1 - found.blends[2] / found.blends[0]):.0f} %", "(target 25 %)"],
        [f"weight of the likest step: {ways}", " / ".join(f"{w:.2f}" for w in found.heaviest), ""],
        [f"weight of steps that face elsewhere: {ways}", " / ".join(f"{100 * o:.1f} %" for o in found.opposite), ""],
    ]  # fmt: skip
    return StudyTable("Candidates of the steps of these scenes", ["quantity", "ours", "source"], rows)


def ablation_table() -> StudyTable:
    """The scenes with one thing after the other left out."""
    from locomote_lab.steps.metrics import VARIANTS

    rows = []
    for name, options in VARIANTS.items():
        all_of = [measure(trace([plan()], leg_length=leg, options=options)[0]) for plan, leg, _ in SCENES.values()]
        rows.append(
            [
                name, *(f"{MILLI * max(getattr(m, key) for m in all_of):.3f}" for key in ("foot_error", "skate")),
                *(f"{np.mean([getattr(m, key) for m in all_of]):.0f}" for key in ("root_jerk", "joint_jerk")),
                f"{max(m.root_jump for m in all_of):.2f}",
            ]
        )  # fmt: skip
    head = [
        "variant", "foot error, mm", "skate, mm a frame", "pelvis jerk, m/s3", "joint jerk, rad/s3",
        "change of pelvis velocity in a frame, m/s",
    ]  # fmt: skip
    return StudyTable("The scenes with one thing left out", head, rows)


def rotational_table(walks: dict[str, Walk]) -> StudyTable:
    """How far feet would be off if only rotations were blended, as a classical skeleton does."""
    rows = []
    for name, walk in walks.items():
        errors = MILLI * rotational_errors(walk)
        ours = MILLI * measure(walk).foot_error
        rows.append([name, f"{errors.mean():.1f}", f"{errors.max():.1f}", f"{ours:.4f}"])
    head = ["scene", "rotations only, mean, mm", "largest, mm", "places blended, largest, mm"]
    return StudyTable("Foot error with rotations alone", head, rows)


def filter_table() -> StudyTable:
    """What the fit of the pelvis and the filters take out, and what recorded steps have."""
    rows = []
    for name, options in (("all", Options(gait=0.0)), ("raw", Options(gait=0.0, fit_root=False, filters=False))):
        smooth: list[WalkSmoothness] = []
        for plan, leg, _ in SCENES.values():
            smooth.append(smoothness(plan(), leg, options))
        rows.append([name, *(f"{np.mean([s[k] for s in smooth]):.3g}" for k in range(len(WalkSmoothness._fields)))])
    recorded = smoothness_of_records()
    rows.append(["recorded", *(f"{v:.3g}" if np.isfinite(v) else "" for v in recorded)])
    head = [
        "motion", "pelvis jerk, m/s3", "largest pelvis acceleration, m/s2", "knee roll above 6 Hz, mrad",
        "sinks at most, mm", "sinks more than needed, mm", "turn of a standing foot, deg", "hand swing, m",
    ]  # fmt: skip
    return StudyTable("Raw, filtered and recorded", head, rows)


def smoothness_of_records() -> WalkSmoothness:
    """The same of the recorded steps, as far as they tell."""
    from locomote_lab.steps.comparisons import recorded_smoothness

    return recorded_smoothness(default_database())


def random_table(count: int) -> StudyTable:
    """Random single steps inside of what was recorded."""
    walks = trace(scenarios.single_steps(count))
    all_of = [measure(walk) for walk in walks]
    long = np.array([walk.lands[2] for walk in walks])
    row = [
        f"{len(walks):,}", *(f"{MILLI * max(getattr(m, k) for m in all_of):.4f}" for k in ("foot_error", "skate")),
        f"{max(m.stretch for m in all_of):.3f}", f"{max(m.root_jump for m in all_of):.2f}",
        " / ".join(f"{v:.2f}" for v in np.percentile(long, [5, 50, 95])),
    ]  # fmt: skip
    head = [
        "steps", "foot error, mm", "skate, mm a frame", "leg stretch", "change of pelvis velocity in a frame, m/s",
        "landing after, s: 5 / 50 / 95 %",
    ]  # fmt: skip
    return StudyTable("Random single steps", head, [row])


def outside_table(count: int) -> StudyTable:
    """Steps farther and farther outside of what was recorded."""
    rows = []
    for beyond in (0.05, 0.1, 0.2, 0.3, 0.4):
        walks = trace(scenarios.single_steps(count, seed=1, beyond=beyond))
        all_of = [measure(walk) for walk in walks]
        sinks = [-float(walk.sinks[1].min()) for walk in walks]
        rows.append(
            [
                f"{100 * beyond:.0f}", str(len(walks)), f"{MILLI * max(m.foot_error for m in all_of):.4f}",
                f"{max(m.stretch for m in all_of):.3f}", f"{100 * np.mean(sinks):.1f}",
                f"{np.mean([m.root_jerk for m in all_of]):.0f}", f"{np.mean([m.joint_jerk for m in all_of]):.0f}",
            ]
        )  # fmt: skip
    head = [
        "cm outside", "steps", "foot error, mm", "leg stretch", "sinks, cm", "pelvis jerk, m/s3", "joint jerk, rad/s3",
    ]  # fmt: skip
    return StudyTable("Steps outside of what was recorded", head, rows)


def terrain_table(count: int) -> StudyTable:
    """Stones of uneven height."""
    rows = []
    for most in (0.1, 0.2, 0.3):
        all_of = [measure(walk) for walk in trace([scenarios.stones(14, most, seed) for seed in range(count)])]
        rows.append(
            [
                f"{100 * most:.0f}", str(12 * count), f"{MILLI * max(m.foot_error for m in all_of):.4f}",
                f"{MILLI * max(m.skate for m in all_of):.4f}", f"{max(m.stretch for m in all_of):.3f}",
                f"{max(m.root_jump for m in all_of):.2f}",
            ]
        )  # fmt: skip
    head = [
        "heights within, cm", "steps", "foot error, mm", "skate, mm a frame", "leg stretch",
        "change of pelvis velocity in a frame, m/s",
    ]  # fmt: skip
    return StudyTable("Stones of uneven height", head, rows)


def left_out_table(count: int) -> StudyTable:
    """Recorded steps made from all the others."""
    errors = left_out(default_database(), count)
    rows = [
        [
            name,
            f"{100 * places.mean():.1f}",
            f"{100 * np.median(places):.1f}",
            f"{np.degrees(angles.mean()):.1f}",
        ]
        for name, (places, angles) in errors.items()
    ]
    return StudyTable(
        f"{len(next(iter(errors.values()))[0])} recorded steps made from all others",
        ["made from", "joints, mean, cm", "median, cm", "joint angles, mean, deg"],
        rows,
    )


def baseline_table() -> StudyTable:
    """The nearest step with its feet moved, beside blends."""
    rows = []
    for name, made in nearest_and_moved([(plan(), leg) for plan, leg, _ in SCENES.values()]).items():
        rows.append([name, *made])
    head = [
        "made from", "foot error, mm", "centre of mass outside of the feet, mean, cm", "pelvis jerk, m/s3",
        "sinks at most, cm",
    ]  # fmt: skip
    return StudyTable("Blends beside the nearest step with its feet moved", head, rows)


def _frames(plants: Any, chosen: Any, fps: float) -> Any:
    ends = plants.firsts[1:] - 1
    counts = np.floor((chosen.lands[ends] + chosen.finals[ends]) * fps + 1e-6).astype(np.int64) + 1
    return np.concatenate([[0], np.cumsum(counts)])


def _seconds(call: Callable[[], object], rounds: int = 5) -> float:
    """The least processor time of some calls."""
    call()
    best = np.inf
    for _ in range(rounds):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return float(best)
