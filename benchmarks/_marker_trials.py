"""Recorded trials with markers and joint coordinates: read, aligned by time, compared; tables of other people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import locomote as lm
from locomote import rotations as rot
from locomote.capture import markers as room
from locomote.capture.markers._calibration import start_time
from locomote.formats._opensim_model import REFERENCE_LEG_LENGTH
from locomote.formats.markers import Markers, read_markers
from locomote.motion import Motion
from locomote.rotations import FloatArray

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"
GAITS = {"walk": "opencap", "run": "treadmill"}
JOINTS = ("hip", "knee", "ankle")


class Trial(NamedTuple):
    """One trial: what was seen, and what OpenSim made of it."""

    name: str
    gait: str
    markers: Markers
    truth: Motion

    @property
    def person(self) -> str:
        """Who it was."""
        return self.name.rsplit("_", 1)[0]

    def subject(self, named: bool = True) -> room.Subject:
        """The body of the joint coordinates, or one of usual size; what the trial locks is locked."""
        fresh = room.human(newer=self.gait == "walk")
        whose = room.Subject(self.truth.skeleton, fresh.limits, "human") if named else fresh
        still = []
        for joint in ("calcn_l", "calcn_r", "toes_l", "toes_r"):
            q = self.truth.rotations[:, self.truth.skeleton.index(joint)]
            still += [joint] if np.degrees(rot.distance(q, q[:1]).max()) < 0.2 else []
        return whose.locked(*still, at=self.truth)


class Compared(NamedTuple):
    """One solved trial beside OpenSim's."""

    off: dict[str, FloatArray]  # degrees, by angle and side
    knee: float  # mm, between the centres
    ankle: float


@cache
def trials(gait: str) -> tuple[Trial, ...]:
    """All trials of a gait that have markers."""
    out = []
    for path in sorted((DATA / gait).glob(f"{GAITS[gait]}*.trc.xz")):
        name = path.name.removesuffix(".trc.xz")
        out.append(Trial(name, gait, read_markers(path), lm.load(path.with_name(f"{name}.ik.mot.xz"))))
    return tuple(out)


def others(trial: Trial) -> list[Trial]:
    """The other trials of the same person."""
    return [one for one in trials(trial.gait) if one.person == trial.person and one.name != trial.name]


def placed(trial: Trial, whose: room.Subject, table: room.MarkerTable) -> room.Attached:
    """The markers of a trial by a table, without centres that were worked out and not seen."""
    attached = room.place_markers(trial.markers.names, whose, table)
    return attached.without([name for name in attached.names if "HJC" in name])


def by_others(trial: Trial, known: Sequence[Trial], table: room.MarkerTable) -> room.Attached:
    """Markers where they sat in other trials of the same person, on the mean."""
    found = [room.attach(one.markers, one.truth, placed(one, one.subject(), table)) for one in known]
    first = found[0]
    points = [np.mean([a.points[a.index(n)] for a in found if n in a.names], axis=0) for n in first.names]
    return replace(first, points=np.array(points))


def compare(trial: Trial, motion: Motion, first: int = 0) -> Compared:
    """A solved trial beside the joint coordinates, aligned by time, from one frame on."""
    times = trial.markers.times - start_time(trial.truth)
    rows = np.arange(len(times))
    inside = (times >= -1e-6) & (times <= trial.truth.duration + 1e-6) & (rows >= first)
    wanted = trial.truth.sampled(times[inside] * trial.truth.fps)
    ours, theirs = _angles(motion), _angles(wanted)
    off = {name: np.degrees(ours[name][inside] - theirs[name]) for name in ours}
    places, index = (motion.joint_positions()[inside], wanted.joint_positions()), motion.skeleton.index
    centres = [
        1e3 * float(np.mean([np.linalg.norm(places[0][:, j] - places[1][:, j], axis=-1) for j in pair]))
        for pair in ([index("tibia_l"), index("tibia_r")], [index("talus_l"), index("talus_r")])
    ]
    return Compared(off, *centres)


def _angles(motion: Motion) -> dict[str, FloatArray]:
    """Flexions of hips, knees and ankles, rad, in the sense of OpenSim's coordinates but for the sign of knees."""
    out = {}
    for side in "lr":
        turns = {j: motion.rotations[:, motion.skeleton.index(f"{j}_{side}")] for j in ("femur", "tibia", "talus")}
        out[f"hip_{side}"] = -rot.to_euler("XZY", turns["femur"])[:, 0]
        out[f"knee_{side}"] = -rot.log(turns["tibia"])[:, 0]
        out[f"ankle_{side}"] = -rot.log(turns["talus"])[:, 0]
    return out


def mean_table(known: Sequence[Trial], hand: room.MarkerTable) -> room.MarkerTable:
    """Where the markers of some people sat on the mean, on a body of the table's size; doubt is how people differ."""
    seen: dict[str, dict[str, list[FloatArray]]] = {}
    for trial in known:
        attached = room.attach(trial.markers, trial.truth, placed(trial, trial.subject(), hand))
        factor = REFERENCE_LEG_LENGTH / trial.truth.skeleton.leg_length()
        for name, point in zip(attached.names, attached.points, strict=True):
            told = hand.find(name)
            assert told is not None
            plain = re.sub(r"^[lr][ _.]?", "", name.lower()) if told[1] else name.lower()
            mirrored = factor * point * np.array([-1.0 if told[1] == "right" else 1.0, 1.0, 1.0])
            seen.setdefault(plain, {}).setdefault(trial.person, []).append(mirrored)
    spots = []
    for plain, people in seen.items():
        places = np.array([np.mean(one, axis=0) for one in people.values()])
        spread = float(np.sqrt(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1))))
        x, y, z = (round(float(v), 3) for v in places.mean(axis=0))
        spot = next(one for one in hand.spots if plain in {name.lower() for name in one.names})
        spots.append(replace(spot, names=(plain,), place=(x, y, z), doubt=max(round(spread, 3), 0.004)))
    return room.MarkerTable("human", hand.size, tuple(spots))


def by_table(trial: Trial, lengths: bool) -> Compared:
    """A trial solved by a table of other people alone: the body is fitted to its first half, judged in the second."""
    known = [one for one in trials(trial.gait) if one.person != trial.person]
    table = mean_table(known, room.MarkerTable.load("human"))
    whose = trial.subject(named=False)
    half = len(trial.markers.times) // 2
    first = replace(trial.markers, positions=trial.markers.positions[:half], times=trial.markers.times[:half])
    fitted = room.calibrate(first, whose, placed(trial, whose, table), lengths=lengths)
    return compare(trial, room.solve(trial.markers, fitted.subject, fitted.attached).motion, half)


def row(label: str, found: dict[str, Compared]) -> list[str]:
    """One row of a table: pooled angles with their bias and the rest of each trial, the worst one, centres."""
    cells = [label, str(len(found))]
    for joint in JOINTS:
        off = [e for one in found.values() for name, e in one.off.items() if name.startswith(joint)]
        pooled = float(np.sqrt(np.mean(np.concatenate(off) ** 2)))
        bias = float(np.sqrt(np.mean([e.mean() ** 2 for e in off])))
        rest = float(np.sqrt(np.mean(np.concatenate([e - e.mean() for e in off]) ** 2)))
        cells.append(f"{pooled:.2f} ({bias:.1f}, {rest:.1f})")
    worst, who = max(
        (float(np.sqrt(np.mean(e**2))), f"{trial.split('_', 1)[1]} {name}")
        for trial, one in found.items()
        for name, e in one.off.items()
    )
    cells.append(f"{worst:.1f}, {who}")
    for name in ("knee", "ankle"):
        values = [getattr(one, name) for one in found.values()]
        cells.append(f"{np.mean(values):.0f} ({max(values):.0f})")
    return cells
