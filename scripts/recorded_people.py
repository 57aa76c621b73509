"""Writes the table of what recorded people do, for `locomote.measures.recorded`, from CMU clips in ../shared/data.

Single frames and peaks: percentiles over clips. Manners: percentiles over people, each by the median of its clips, of
strides at the speed in question, on the common skeleton: how far a wrist gets behind the hips depends on where a rig
has them. Shares of the time that feet are on the ground: the same, by the speed of clips.
"""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.contacts import detect
from locomote.human.fitting._importing import import_motion
from locomote.measures.body import RATE, BodyEvents, body_events
from locomote.measures.gait import gait
from locomote.measures.manner import SLOWEST, Manner, manner
from locomote.measures.recorded import FILE, PERCENTILES, SPEEDS, kind_of

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHARES = "duty_factor", "double_support"
FOLDERS = {"human/walk": "walk", "human/run": "run", "human/turn": "turn", "human/jump": "jump", "human/side": "side"}


def clips() -> list[dict[str, str]]:
    """CMU clips, which may be redistributed, without those that are marked as broken."""
    with (DATA / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [r for r in rows if "cmu_" in r["file"] and r["file"].endswith(".bvh.xz") and "DEFECT" not in r["note"]]


def _speeds(folder: str) -> list[tuple[str, tuple[float, float]]]:
    """The kinds that strides of a folder may be of, and their speeds, m/s."""
    ranges = list(pairwise(SPEEDS.get(folder, ())))
    return [(folder, (SLOWEST, math.inf)), *((kind_of(folder, low), (max(low, SLOWEST), high)) for low, high in ranges)]


def main() -> None:
    events: dict[str, list[BodyEvents]] = defaultdict(list)
    manners: dict[str, dict[str, list[Mapping[str, float | None]]]] = defaultdict(lambda: defaultdict(list))
    for row in clips():
        folder = FOLDERS.get(str(Path(row["file"]).parent))
        if folder is None or int(row["pop_frames"] or 0):
            continue
        motion = lm.load(DATA / row["file"])[1:]  # the first frame is a T pose
        kinds = {folder, kind_of(folder, float(row["median_speed_while_moving_m_s"] or 0.0))}
        found, steps = body_events(motion), gait(detect(motion), motion.root_positions)
        for kind in kinds:
            events[kind].append(found)
        body = import_motion(motion.resampled(RATE)).motion()
        hows = {kind: how for kind, speeds in _speeds(folder) if (how := manner(body, speeds=speeds)).strides}
        for kind, how in hows.items():
            manners[kind][row["subject"]].append(how._asdict())
        for kind in kinds if hows else ():
            manners[kind][row["subject"]].append({name: getattr(steps, name) for name in SHARES})
        print(row["file"], *sorted(kinds), flush=True)
    table = {}
    for kind in sorted(events):
        figures = {name: [getattr(each, name) for each in events[kind]] for name in BodyEvents._fields}
        for name in (*Manner._fields[1:], *SHARES):
            people = [[clip.get(name) for clip in found] for found in manners[kind].values()]
            known = [[value for value in person if value is not None] for person in people]
            figures[name] = [float(np.median(person)) for person in known if person]
        table[kind] = {
            "clips": len(events[kind]),
            "people": sum(any("strides" in clip for clip in found) for found in manners[kind].values()),
            "figures": {
                name: [round(float(x), 3) for x in np.percentile([v for v in values if v is not None], PERCENTILES)]
                for name, values in figures.items()
                if any(v is not None for v in values)
            },
        }
    whole = {"source": "CMU Graphics Lab Motion Capture Database", "percentiles": PERCENTILES, "speeds": SPEEDS}
    FILE.write_text(json.dumps({**whole, "kinds": table}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
