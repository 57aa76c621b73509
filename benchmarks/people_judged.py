"""How people look, frame by frame, in every scene of the sweep and at every speed, beside recorded people.

    python benchmarks/people_judged.py [SEED]

Writes docs/performance/people-judged.md; some minutes. Nothing was tuned on its seeds.
"""

from __future__ import annotations

import sys

import numpy as np

from _page import write_page
from locomote.human import Crowd, HumanModel, record_all
from locomote.measures import measure, recorded_range
from locomote.measures.body import BodyEvents
from locomote.measures.manner import Manner, manner
from locomote_lab.human.sweep import PEOPLE, SCENES, allowed, judge

SEEDS = 3
SPEEDS = (0.6, 1.0, 1.35, 1.8, 2.5, 3.5)  # m/s
PERSONS = 24
SHOWN = [name for name in BodyEvents._fields if name not in ("elbow_step", "head_jolt")]
MANNERS = [name for name in Manner._fields if name not in ("strides", "asymmetry", "lean", "turn_rate")]
METHOD = f"""
What the eye sees of people that nobody tuned on: {SEEDS} seeds, {PEOPLE} people each, in every scene of
`locomote_lab.human.sweep`. The worst of all of them stands before the most that passes; `!` is over it. Units are those
of [measure](../measure.md). Peaks are compared where the same was recorded: they may be 1.25 times the 99th percentile
of recorded clips, through the same filter.

Below, random people (`Crowd(model, {PERSONS}, speed=…)`) beside recorded ones at the same speed: median, and standard
deviation over people; recorded median, and from the 5th to the 95th percentile. `!` is a median outside of that. Then
their feet by the public detector (`lm.measure`).
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
            ("Feet by the public detector", ["", *(f"{speed:g} m/s" for speed in SPEEDS)], feet),
        ],
    )


def _at_speeds(seed: int) -> tuple[list[list[str]], list[list[str]]]:
    rows = {name: [name] for name in MANNERS}
    feet = {name: [name] for name in ("drift_p95", "drift_max", "duty_factor", "double_support")}
    for speed in SPEEDS:
        motions = record_all(Crowd(HumanModel.default(), PERSONS, seed=seed, speed=speed), 6.0)
        gait = "run" if speed > 2.0 else "walk"
        found = [manner(motion) for motion in motions]
        for name in MANNERS:
            values = [value for each in found if (value := getattr(each, name)) is not None]
            known = recorded_range(name, gait, speed)
            text = f"{np.median(values):.1f} ± {np.std(values):.1f}"
            if known is not None:
                out = " !" if not known.p5 <= np.median(values) <= known.p95 else ""
                text += f" ({known.median:.1f}, {known.p5:.1f} to {known.p95:.1f}){out}"
            rows[name].append(text)
        figures = [measure(motion) for motion in motions]
        for name, row in feet.items():
            values = [getattr(each, name) for each in figures]
            text = f"{max(values):.1f}" if name == "drift_max" else f"{np.median(values):.2f}"
            known = recorded_range(name, gait, speed)
            row.append(text if known is None else f"{text} ({known.median:.2f}, {known.p5:.2f} to {known.p95:.2f})")
    return list(rows.values()), list(feet.values())


if __name__ == "__main__":
    main()
