"""Obstacles in the way, scenario by scenario: what people decide, where they take off, and what their feet do.

One run measures all twelve scenarios, O1 to O12, and draws the pictures of O4, O5 and O6.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import _plan_scenes as plans
import _played_scenes as played
import runup
from _bed import FPS, LEG, RUN, WALK, Bed, joined, trials
from _bed_tables import mm, other_table, random_tables, share
from _kernels import Table
from _page import write_page
from locomote.human import HumanModel
from locomote.human.jumps._runup import frequency_table

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"


@dataclass(frozen=True)
class Counts:
    """How much is tried."""

    crowd: int = 500  # trials at once,
    crowds: int = 20  # and how often, of O1 and O2
    few: int = 500  # trials of the smaller beds
    bed_seconds: float = 26.0  # that a trial lasts at most
    run_ups: int = 400  # played in the plan only, O8; those of O9 are more
    jumpers: int = 60  # of O3 and O10
    each: int = 3  # of every style, O7
    people: int = 1000  # of O12
    seconds: float = 20.0  # of O12


@dataclass
class Results:
    """All that is measured, by scenario."""

    puddles: Bed  # O1, O2
    with_run_up: played.RunUps  # O3
    without: played.RunUps  # O3
    rounds: list[played.Round]  # O4
    story: played.Story  # O5
    slides: dict[str, played.Slides]  # O7
    ablation: dict[str, Bed]  # O8
    accuracy: list[list[str]]  # O8
    peaks: list[list[str]]  # O9
    stops: dict[str, np.ndarray]  # O10
    standing_jumps: tuple[np.ndarray, int]  # O10
    stairs: dict[str, tuple[np.ndarray, float]]  # O10
    others: dict[str, Bed]  # O11, and beds of oblique and high obstacles
    live: plans.Live  # O12


def measure(counts: Counts) -> Results:
    """Play all of it."""
    model = HumanModel.default()
    inman = frequency_table(runup.inman)

    def bed(count: int, seed: int, **knobs: Any) -> Bed:
        return trials(model, count, seed, seconds=counts.bed_seconds, **knobs)

    few = counts.few
    return Results(
        puddles=joined([bed(counts.crowd, seed) for seed in range(counts.crowds)]),
        with_run_up=played.run_ups(model, counts.jumpers, "exact"),
        without=played.run_ups(model, counts.jumpers, "now"),
        rounds=played.rounds(model),
        story=played.slow_fast_jump_slow(model),
        slides={kind: played.slides(model, kind, counts.each) for kind in played.KINDS},
        ablation={
            "planned once, foot not placed": bed(few, 100, replanned=False, placed=False),
            "replanned, foot not placed": bed(few, 100, placed=False),
            "planned once": bed(few, 100, replanned=False),
            "replanned": bed(few, 100),
        },
        accuracy=runup.accuracy_rows(inman, counts.run_ups),
        peaks=runup.gentleness_rows(inman),
        stops=played.stops(model, counts.jumpers),
        standing_jumps=played.standing_jumps(model, counts.jumpers),
        stairs=played.stairs(model, counts.jumpers),
        others={
            "puddles that move up to 0.3 m/s": bed(few, 101, most_speed=0.3),
            "oblique, up to 0.6 rad": bed(few, 102, most_yaw=0.6),
            "0.1 to 0.35 m high": bed(few, 103, heights=(0.1, 0.35)),
        },
        live=plans.live_crowd(model, counts.people, counts.seconds),
    )


def run_up_rows(found: Results) -> list[list[str]]:
    """O3: what the body is asked where a walk meets a running jump."""
    long, short = found.with_run_up, found.without
    # Without a run-up, the jump of the others follows on the walk as it is.
    cut = long.flight_speed - long.walk_speed, long.walk_speed, long.walk_step, long.jump
    rows = []
    for name, (change, speed, step, jump) in (
        ("the same jump cut to the walk", cut),
        (
            "shortened to what the walk allows (now)",
            (short.flight_speed - short.speed, short.speed, short.step, short.jump),
        ),
        ("with a run-up (exact)", (long.flight_speed - long.speed, long.speed, long.step, long.jump)),
    ):
        rows.append(
            [
                name, f"{np.nanmedian(speed):.2f}", f"{np.nanmedian(change):.2f} / {np.nanmax(change):.2f}",
                f"{np.nanmedian(step):.2f}", f"{np.nanmedian(jump):.2f}", f"{np.nanmedian(jump / step):.2f}",
            ]
        )  # fmt: skip
    return rows


def round_rows(found: list[played.Round]) -> list[list[str]]:
    return [
        [
            " / ".join(f"{x:g}" for x in each.case), f"{each.clearance:.2f}",
            f"{each.speeds.min() / played.ROUND_SPEED:.2f}", f"{np.abs(each.aside).max():.2f}",
            f"{abs(each.aside[-1]):.3f}",
        ]
        for each in found
    ]  # fmt: skip


def line_rows(found: Results) -> list[list[str]]:
    """O10."""
    rows = [[f"stop, {foot} foot", *_errors(off), ""] for foot, off in found.stops.items()]
    off, wet = found.standing_jumps
    rows.append(["stop at a puddle, jump from both feet", *_errors(off), f"{wet} stood in it"])
    for foot, (off, first) in found.stairs.items():
        rows.append([f"{foot} foot before a stair", *_errors(off), f"{100 * first:.0f} % go up with the other foot"])
    return rows


def _errors(off: np.ndarray) -> list[str]:
    size = np.abs(off)
    figures = " / ".join(mm(x) for x in (np.median(size), np.percentile(size, 99), size.max()))
    return [f"{len(off)}", figures, share(size.ravel() <= 0.02)]


def page(found: Results) -> list[Table]:
    live = found.live
    slides = [
        [
            kind, f"{s.people}", f"{s.legs[0]:.2f} to {s.legs[1]:.2f}", f"{s.lengths[0]:.2f} to {s.lengths[1]:.2f}",
            f"{1e3 * s.drift:.4f}", f"{1e3 * s.frame:.4f}", f"{1e3 * max(0.0, s.below):.4f}",
        ]
        for kind, s in found.slides.items()
    ]  # fmt: skip
    story = found.story
    return [
        *random_tables(found.puddles),
        (
            f"O3: a running jump of {played.FAR_JUMP:g} m out of a walk of {played.WALK:g} m/s",
            ["", "speed before it, m/s", "change to the flight, 50 / 100 %, m/s", "last step, m", "jump, m",
             "jump / step"],
            run_up_rows(found),
        ),
        (
            "O4: round puddles that may not be jumped ([picture](../pictures/obstacles-round.png))",
            ["m ahead / long / wide", "clearance, m", "slowest, share", "furthest aside, m",
             "off the line at the end, m"],
            round_rows(found.rounds),
        ),
        (
            "O5: slow walk, fast run, jump, slow walk ([footprints](../pictures/obstacles-footprints.png))",
            ["E, mm", "speed: first / at take-off / last, m/s", "states"],
            [[mm(story.error), _story_speeds(story), ", ".join(story.trace)]],
        ),
        (
            "O6: the worked run-ups ([plots](../pictures/obstacles-cycles.png))",
            ["run-up", "cycles at the line", "duration, s", "change of acceleration, m/s^2", "peak, m/s^2",
             "slowest, m/s", "chosen"],
            plans.worked_rows(),
        ),
        (
            "O7: one jump of every style and size: feet that stand",
            ["jump", "people", "legs, m", "lengths, m", "off their place, mm", "slide in a frame, mm",
             "below the ground, mm"],
            slides,
        ),
        (
            "O8: distance from the line by the plan alone, walking / running, mm",
            ["planner", "mean", "greatest", "within 5 cm", "specified mean", "specified within 5 cm"],
            found.accuracy,
        ),
        other_table("O8: the same of played jumps", found.ablation),
        (
            "O9: greatest acceleration of 1,500 walking run-ups, m/s^2",
            ["foot", "rule", "50 / 90 / 99 %", "within the limit", "cost, 50 / 90 %, m^2/s^3", "specified"],
            found.peaks,
        ),
        (
            "O10: toes at a line",
            ["", "trials", "off: 50 / 99 / 100 %, mm", "within 2 cm", ""],
            line_rows(found),
        ),
        other_table("O11: obstacles that move; and others", found.others),
        (
            f"O12: {live.people} people, {plans.THINGS} puddles that come and go, {live.jumps} jumps in "
            f"{len(live.whole) / FPS:.0f} s",
            ["", "ms a frame, 50 / 99 / 100 %", "us a person", "of a frame of 1/60 s"],
            plans.live_rows(live),
        ),
    ]  # fmt: skip


def _story_speeds(story: played.Story) -> str:
    fast = story.speeds[story.gaits > 0.99].max()
    return f"{story.speeds[0]:.2f} / {fast:.2f} / {story.speeds[-1]:.2f}"


def draw(found: Results, folder: Path) -> None:
    played.draw_rounds(found.rounds, folder / "obstacles-round.png")
    played.draw_story(found.story, folder / "obstacles-footprints.png")
    plans.draw_worked(folder / "obstacles-cycles.png")


def main() -> None:
    counts = Counts()
    found = measure(counts)
    method = (
        f"The scenarios O1 to O12 in one run. Leg length {LEG} m, frames of 1/{FPS} s; all points are measured on\n"
        f"the posed skeleton. O1 and O2: {counts.crowds} crowds of {counts.crowd}, random styles and phases; half\n"
        f"walk at {WALK} m/s, half run at {RUN} m/s. After a second a puddle appears before each, 2 to 10 m ahead,\n"
        "0.4 to 2.6 m long, 1 to 6 m wide. The rules of the decision are computed a second time in plain NumPy from\n"
        "what each walker knew when it first took notice. O3: speeds of the pelvis over the last step and in the air;\n"
        "the cut sets the jump of the last row right behind the walk. O6: by the mean of the first and last\n"
        "frequency, Inman's law; chosen so, and by the exact phase. O8, O9: see [run-ups](runup.md). O12: puddles\n"
        "appear and vanish ten times a second."
    )
    draw(found, PICTURES)
    write_page("obstacles", "Obstacles in the way", method, page(found))


if __name__ == "__main__":
    main()
