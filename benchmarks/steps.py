"""Exact steps: the cost of a step alone and in batches, how well plans are met, and what each part is good for."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from _page import write_page
from locomote.formats import load
from locomote.steps._blending import body
from locomote.steps._database import StepDatabase
from locomote.steps._plan import LEFT, FootPlan
from locomote.steps._stepper import Stepper
from locomote.steps._walking import Options, choose, make, plants_of, pose, trace
from locomote_lab.steps.metrics import measure
from locomote_lab.steps.regeneration import regenerate
from locomote_lab.steps.study import study

SOURCE = {"made": 26.0, "converted": 5.0}  # ms a step, one core of an Athlon 64 X2 at 3 GHz, in C++
METHOD = f"""One thread; processor time, the best of repeated calls. A step is chosen (four recorded steps around it by
the simplex method), made (blended, chained, smoothed) and converted to joint angles; `trace` does all of it and gives
motions, for plans that are checked already. Converted is measured by the frames of one plan, made is the rest of both.
The source of the method took {SOURCE["made"]:g} ms for the first two and
{SOURCE["converted"]:g} ms for the last, at 30 frames a second, on one core of an Athlon 64 X2 at 3 GHz in C++; ratios
are those of its sum and `trace`.

Clips are read, their foot plan is walked, and the poses are laid beside each other, landing by landing: joints
relative to the pelvis and where it faces. The tables after that are those of `tasks.py lab study`: the three scenes
of the source, the steps around each query, and what is left out one by one, with the source's figures where it has
some. Recorded jerk is that of the marker data."""
KINDS = {  # forwards, aside (m) and turn (rad) of a step: from, to
    "forwards": ((0.30, 0.65), (-0.04, 0.04), (-0.1, 0.1)),
    "backwards": ((-0.4, -0.15), (-0.04, 0.04), (-0.1, 0.1)),
    "aside": ((0.0, 0.0), (0.12, 0.2), (0.0, 0.0)),
    "turning": ((0.1, 0.3), (0.0, 0.0), (0.25, 0.4)),
    "mixed": ((-0.25, 0.5), (-0.1, 0.1), (-0.3, 0.3)),
}
HALF_WIDTH = 0.11  # m


def best_seconds(call: Callable[[], object]) -> float:
    """The least processor time of one call."""
    call()
    best, end = float("inf"), time.perf_counter() + 1.0
    while time.perf_counter() < end:
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def random_plan(kind: str, plants: int, random: np.random.Generator) -> FootPlan:
    """A plan of so many plants whose steps are drawn from a range."""
    ahead, aside, turn = KINDS[kind]
    face, at = random.uniform(-np.pi, np.pi), np.zeros(2)
    sides = (np.arange(plants) + random.integers(2)) % 2
    places = []
    for i, side in enumerate(sides):
        if i > 1:
            face += random.uniform(*turn)
            way, left = np.array([np.sin(face), np.cos(face)]), np.array([np.cos(face), -np.sin(face)])
            at = at + random.uniform(*ahead) * way + random.uniform(*aside) * left
        left = np.array([np.cos(face), -np.sin(face)])
        places.append(at + (HALF_WIDTH if side == LEFT else -HALF_WIDTH) * left)
    return FootPlan.of(sides, np.array(places))


def cost_rows() -> list[list[str]]:
    random = np.random.default_rng(0)
    rows = []
    person, options = body(0.9), Options()
    for plans, steps, fps in (
        (1, 1, 60.0),
        (1, 12, 60.0),
        (100, 12, 60.0),
        (1000, 1, 60.0),
        (100, 12, 30.0),
        (1, 1, 30.0),
    ):
        some = [random_plan("forwards", steps + 2, random) for _ in range(plans)]
        plants = plants_of(some)
        chosen = choose(plants, None, person, options)
        ends = plants.firsts[1:] - 1
        counts = np.floor((chosen.lands[ends] + chosen.finals[ends]) * fps).astype(np.int64) + 1
        firsts = np.concatenate([[0], np.cumsum(counts)])
        frames = np.ascontiguousarray(  # of the last plan
            make(plants, chosen, None, person, options, fps, firsts).frames[:, : counts[-1]]
        )
        count = plans * steps
        whole = best_seconds(lambda: trace(some, checked=True, fps=fps))  # noqa: B023
        converted = plans * best_seconds(lambda: pose(frames, person))  # noqa: B023
        all_made = best_seconds(lambda: make(plants, chosen, None, person, options, fps, firsts))  # noqa: B023
        times = [
            best_seconds(lambda: choose(plants, None, person, options)),  # noqa: B023
            max(all_made - converted, 0.0),
            converted,
        ]
        source = 1e-3 * (SOURCE["made"] + SOURCE["converted"])
        rows.append(
            [
                f"{plans:,} x {steps:,}",
                f"{fps:g}",
                *(f"{1e6 * t / count:.1f}" for t in times),
                f"{1e6 * sum(times) / count:.1f}",
                f"{1e6 * whole / count:.1f}",
                f"{source / (whole / count):,.0f}x",
            ]
        )
    return rows


def live_rows() -> list[list[str]]:
    plan = random_plan("forwards", 40, np.random.default_rng(1))
    left, right = (plan.places[int(np.flatnonzero(plan.sides == side)[0])] for side in (0, 1))

    def fresh() -> Stepper:
        stepper = Stepper(left, right)
        for i in range(2, 6):
            stepper.add(int(plan.sides[i]), plan.places[i, 0], plan.places[i, 2])
        return stepper

    stepper = fresh()
    frame = best_seconds(lambda: stepper.step(1e-6))
    return [[f"{1e6 * frame:.0f}", f"{1e3 * best_seconds(fresh) / 4:.2f}"]]


def quality_rows() -> list[list[str]]:
    random = np.random.default_rng(2)
    rows = []
    for kind in KINDS:
        walks = trace([random_plan(kind, 42, random) for _ in range(25)])
        all_of = [measure(walk) for walk in walks]
        rows.append(
            [
                kind,
                f"{40 * len(walks):,}",
                f"{100 * np.mean([m.outside for m in all_of]):.0f} %",
                *(
                    f"{1e3 * max(getattr(m, name) for m in all_of):.4f}"
                    for name in ("foot_error", "skate", "penetration")
                ),
                f"{max(m.stretch for m in all_of):.3f}",
                f"{max(m.root_jump for m in all_of):.2f}",
                f"{np.mean([m.duration for m in all_of]):.2f}",
            ]
        )
    return rows


# Clips of the recordings no step of which is in the database; those marked are of performers who are not in it either.
HELD_OUT = {
    "walk/cmu_02_01": ("walk", True), "walk/cmu_06_01": ("walk", True), "walk/cmu_32_01": ("walk", True),
    "walk/cmu_45_01": ("walk", True), "walk/cmu_82_11": ("walk", False), "walk/cmu_91_57": ("walk", False),
    "turn/cmu_56_01": ("tight curves", True), "turn/cmu_69_30": ("turn", False), "turn/cmu_69_33": ("turn", False),
    "turn/cmu_83_37": ("turn", False), "side/cmu_69_59": ("sideways and a turn", False),
    "side/cmu_69_63": ("sideways and a turn", False), "side/cmu_106_33": ("sideways", True),
    "side/cmu_106_31": ("backwards", True), "side/cmu_136_29": ("backwards on toes", False),
    "other/cmu_36_01": ("over uneven ground", True),
}  # fmt: skip


def held_out_rows() -> list[list[str]]:
    folder = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"
    used = set(StepDatabase.default(None).sources)
    rows = []
    for name, (kind, new) in HELD_OUT.items():
        path = folder / f"{name}.bvh.xz"
        if not path.exists():
            continue
        clip = path.name.split(".")[0]
        assert clip not in used
        assert new == all(source.split("_")[1] != clip.split("_")[1] for source in used)
        made = regenerate(load(path, drop_tpose=True))
        rows.append(
            [
                clip.removeprefix("cmu_"), kind, "new" if new else "known", str(made.steps),
                f"{100 * made.outside:.0f} %", f"{1e3 * made.foot_error:.4f}", f"{100 * made.pelvis:.1f}",
                f"{100 * made.joints:.1f}", f"{100 * made.joints_most:.1f}", f"{np.degrees(made.angles):.1f}",
                f"{np.degrees(made.angles_most):.1f}",
            ]
        )  # fmt: skip
    means = [np.mean([float(row[k].rstrip(" %")) for row in rows]) for k in range(3, len(rows[0]))]
    marks = ("{:.0f}", "{:.0f} %", "{:.4f}", *["{:.1f}"] * 5)
    rows.append(["mean", "", "", *(mark.format(mean) for mark, mean in zip(marks, means, strict=True))])
    return rows


if __name__ == "__main__":
    trace([random_plan("mixed", 5, np.random.default_rng(0))])
    write_page(
        "steps",
        "Exact steps",
        METHOD,
        [
            (
                "Cost of a step, us",
                ["plans x steps", "fps", "chosen", "made", "converted", "sum", "`trace`", "source / `trace`"],
                cost_rows(),
            ),
            ("Live", ["a frame of a `Stepper`, us", "a plant added, ms"], live_rows()),
            (
                "Random plans: the worst of all frames",
                ["steps", "count", "outside", "foot error, mm", "skate, mm a frame", "below ground, mm", "leg stretch",
                 "change of pelvis velocity in a frame, m/s", "mean step, s"],
                quality_rows(),
            ),
            (
                "Clips that are not in the database, walked again from their foot plan",
                ["clip", "kind", "performer", "steps", "outside", "foot error, mm", "pelvis, mean, cm",
                 "joints, mean, cm", "largest, cm", "joint angles, mean, deg", "largest of a frame, deg"],
                held_out_rows(),
            ),
            *study(),
        ],
    )  # fmt: skip
