"""How people look, frame by frame, in every scene of the sweep and at every speed, beside recorded people.

    python benchmarks/people_judged.py [SEED]

Writes docs/performance/people-judged.md; some minutes. Nothing was tuned on its seeds.
"""

from __future__ import annotations

import sys

import numpy as np

from _page import write_page
from locomote.contacts import Settings, detect
from locomote.human import Crowd, HumanModel, record_all
from locomote.measures import measure, recorded_range
from locomote.measures.body import BodyEvents
from locomote.measures.manner import Manner, manner
from locomote.measures.recorded import recorded_people
from locomote_lab.human.sweep import PEOPLE, SCENES, allowed, judge

SEEDS = 3
SPEEDS = (0.6, 1.0, 1.35, 1.8, 2.5, 3.5, 4.5)  # m/s
PERSONS = 24
SHOWN = [name for name in BodyEvents._fields if name not in ("elbow_step", "head_jolt")]
FEET = ("drift_p95", "drift_max", "duty_factor", "double_support")
SPREAD = 3.29  # standard deviations from the 5th to the 95th percentile
LEAST_PEOPLE = 5  # recorded, to tell how much they differ
MANNERS = [name for name in Manner._fields if name not in ("strides", "asymmetry", "lean", "turn_rate")]
METHOD = f"""
What the eye sees of people that nobody tuned on: {SEEDS} seeds, {PEOPLE} people each, in every scene of
`locomote_lab.human.sweep`. The worst of all of them stands before the most that passes; `!` is over it. Units are those
of [measure](../measure.md). Peaks are compared where the same was recorded: they may be 1.25 times the 99th percentile
of recorded clips, through the same filter.

Below, random people (`Crowd(model, {PERSONS}, speed=…)`) beside recorded ones at the same speed: median, and standard
deviation over people; recorded median, and from the 5th to the 95th percentile. `!` is a median outside of that. Behind
a semicolon: the standard deviation over people, of that over recorded ones, where there are {LEAST_PEOPLE} of them.

Then their feet by the public detector, in two ways. `lm.measure` takes a foot that stands exactly still at its word: it
lands where it comes to rest. Captured feet slow down while they bear weight already, and are never still: what is
recorded is told by speeds alone. *By speeds* (`Settings(stillness=False)`) does the same with generated feet, so shares
of the stride compare, and drift is judged over a longer contact.
""".strip()


def main() -> None:
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    verdicts = [verdict for seed in range(first, first + SEEDS) for verdict in judge(seed)]
    scenes = []
    for name, scene in SCENES.items():
        limits, row = allowed(scene.like, scene.recorded), [name]
        mine = [verdict.events._asdict() for verdict in verdicts if verdict.scene == name]
        for figure in SHOWN:
            worst = max(events[figure] for events in mine)
            if figure not in limits:
                row.append(f"{worst:.1f}")
                continue
            row.append(f"{worst:.1f} / {limits[figure]:.1f}{' !' if worst > limits[figure] else ''}")
        scenes.append(row)
    manners, feet = _at_speeds(first)
    write_page(
        "people-judged",
        "People, judged by what the eye sees",
        METHOD,
        [
            ("One-frame events and peaks, worst / most that passes", ["scene", *SHOWN], scenes),
            ("Manner by speed", ["figure", *(f"{speed:g} m/s" for speed in SPEEDS)], manners),
            ("Feet by the public detector: drift in mm, shares", ["", *(f"{speed:g} m/s" for speed in SPEEDS)], feet),
        ],
    )


def _at_speeds(seed: int) -> tuple[list[list[str]], list[list[str]]]:
    rows = {name: [name] for name in MANNERS}
    ways = {"": Settings(), ", by speeds": Settings(stillness=False)}
    feet = {name + way: [name + way] for way in ways for name in FEET}
    for speed in SPEEDS:
        motions = record_all(Crowd(HumanModel.default(), PERSONS, seed=seed, speed=speed), 6.0)
        gait = "run" if speed > 2.0 else "walk"
        found = [manner(motion) for motion in motions]
        for name in MANNERS:
            values = [value for each in found if (value := getattr(each, name)) is not None]
            rows[name].append(_beside(name, gait, speed, values))
        for way, settings in ways.items():
            figures = [measure(motion, detect(motion, settings=settings)) for motion in motions]
            for name in FEET:
                values = [getattr(each, name) for each in figures]
                text = f"{max(values):.1f}" if name == "drift_max" else f"{np.median(values):.2f}"
                known = recorded_range(name, gait, speed)
                text += "" if known is None else f" ({known.median:.2f}, {known.p5:.2f} to {known.p95:.2f})"
                feet[name + way].append(text)
    return list(rows.values()), list(feet.values())


def _beside(name: str, gait: str, speed: float, values: list[float]) -> str:
    """A figure of people beside that of recorded ones."""
    text, known = f"{np.median(values):.1f} ± {np.std(values):.1f}", recorded_range(name, gait, speed)
    if known is None:
        return text
    enough = recorded_people(gait, speed) >= LEAST_PEOPLE and known.p95 > known.p5
    spread = f"; {SPREAD * np.std(values) / (known.p95 - known.p5):.2f}" if enough else ""
    out = " !" if enough and not known.p5 <= np.median(values) <= known.p95 else ""
    return f"{text} ({known.median:.1f}, {known.p5:.1f} to {known.p95:.1f}{spread}){out}"


if __name__ == "__main__":
    main()
