"""Recordings with force plates, and how close estimated forces come to them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect, foot_points
from locomote.contacts.feet import velocities
from locomote.contacts.records import runs
from locomote.formats import load
from locomote.formats.opensim import Forces, read_forces, read_table
from locomote.motion import Motion
from locomote.physics import ContactForces, forces
from locomote.physics._strengths import SETS
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SIDES = ("left", "right")
STANDS = 20.0  # N on a plate
_PRESSED = 50.0  # N; a centre of pressure means something
_CUT = 4  # frames at either end of a run, where filters guess
_OTHER_AXIS = {"femur": (0.0, 0.0, 1.0), "tibia": (0.0, 0.0, -1.0), "talus": (-0.105, -0.174, 0.979)}  # OpenSim's
COORDINATES = {"hip": "hip_flexion", "knee": "knee_angle", "ankle": "ankle_angle"}
_JOINTS = {"hip": "femur", "knee": "tibia", "ankle": "talus"}


class FootError(NamedTuple):
    """How far the forces of one foot in one trial are off."""

    vertical: float  # per cent of the mean range of both
    fore_aft: float
    sideways: float
    vertical_kg: float  # N/kg
    fore_aft_kg: float
    centre: FloatArray  # m, of the centre of pressure, frame by frame


@dataclass(frozen=True, eq=False)
class ForceTrial:
    """One recording with its truth."""

    name: str
    gait: str  # "walk" or "run"
    mass: float  # kg
    height: float  # m
    motion: Motion
    start: float  # s, of the first frame on the clock of the plates
    plates: Forces
    data: Path = DATA  # the folder of recorded motion

    @cached_property
    def belt(self) -> tuple[float, float, float]:
        """m/s of the treadmill."""
        if self.gait == "walk":
            return 0.0, 0.0, 0.0
        return 0.0, 0.0, belt_speed(foot_points(self.motion), self.motion.fps)

    @cached_property
    def contacts(self) -> Contacts:
        """As the detector of the package finds them."""
        return detect(self.motion, belt_velocity=self.belt)

    def plate(self, side: str) -> tuple[FloatArray, FloatArray]:
        """Force and centre of pressure ``(F, 3)`` of a foot at the frames of the motion."""
        at, foot = self.start + self.motion.times, self.plates.foot(side)
        force, centre = (
            np.stack([np.interp(at, self.plates.times, values[:, i]) for i in range(3)], axis=1)
            for values in (foot.force, foot.centre)
        )
        return force, centre

    def judged(self, leg: int) -> IntArray:
        """Frames in which a foot stands, by its plate or by what was found, and all that stands is measured."""
        frames = np.arange(len(self.motion))
        truth = [self.plate(side)[0][:, 1] for side in SIDES]
        stands = (truth[leg] > STANDS) | self.contacts.foot[:, leg]
        if self.gait == "run":
            stands &= (frames >= _CUT) & (frames < len(frames) - _CUT)
            return np.flatnonzero(stands)
        for other in range(2):
            for first, last in runs(self.contacts.foot[:, other]):
                cut = first <= 1 or last >= len(frames) - 1
                if cut and np.mean(truth[other][first:last] > STANDS) < 0.5:  # beside the plates
                    stands &= (frames < first) | (frames >= last)
        return np.flatnonzero(stands)

    def errors(self, found: ContactForces) -> list[FootError]:
        """How far each foot is off."""
        out = []
        for leg, side in enumerate(SIDES):
            frames = self.judged(leg)
            if len(frames) < 10:
                continue
            force, centre = (values[frames] for values in self.plate(side))
            mine = found.force[frames, leg]
            pressed = (force[:, 1] > _PRESSED) & (mine[:, 1] > _PRESSED)
            away = (found.centre[frames, leg] - centre)[pressed][:, [0, 2]]
            sideways, vertical, fore_aft = (relative_error(mine[:, axis], force[:, axis]) for axis in range(3))
            rms = np.sqrt(np.mean((mine - force) ** 2, axis=0)) / self.mass
            at = np.linalg.norm(away, axis=1)
            out.append(FootError(vertical, fore_aft, sideways, float(rms[1]), float(rms[2]), at))
        return out

    def torque_errors(self, found: ContactForces) -> dict[str, list[float]]:
        """How far torques about the main axis of hip, knee and ankle are off, per cent of their range."""
        table = read_table(self.data / "human" / "forces" / f"{self.name}.id.sto.xz")
        at = self.start + self.motion.times
        turns = self.motion.world()[1]
        out: dict[str, list[float]] = {}
        for joint, coordinate in COORDINATES.items():
            for leg, side in enumerate(SIDES):
                name = f"{_JOINTS[joint]}_{side[0]}"
                column = table.names.index(f"{coordinate}_{side[0]}_moment")
                truth = np.interp(at, table.times, table.columns[:, column])
                index = self.motion.skeleton.index(name)
                x, y, z = _OTHER_AXIS[_JOINTS[joint]]
                sign = 1.0 if side == "right" else -1.0
                axis = np.array([-z, y * sign, x * sign])
                parent = turns[:, self.motion.skeleton.parents[index]]
                mine = np.sum(found.torques[:, index] * rot.rotate(parent, axis / np.linalg.norm(axis)), axis=1)
                frames = self.judged(leg)
                if np.corrcoef(mine, truth)[0, 1] < 0.0 and joint == "knee":
                    mine = -mine  # models differ in the sign of a bent knee
                if len(frames) >= 10:
                    out.setdefault(joint, []).append(relative_error(mine[frames], truth[frames]))
        return out


def belt_speed(points: FloatArray, fps: float) -> float:
    """m/s: what the balls of feet ``(F, L, 3, 3)`` do while they are lowest; at 4 and 5 m/s not the named speed."""
    ball = points[:, :, 1]
    low = ball[..., 1] < np.percentile(ball[..., 1], 5, axis=0) + 0.015
    return float(np.median(velocities(ball, fps)[..., 2][low]))


def relative_error(a: FloatArray, b: FloatArray) -> float:
    """Root of the mean square of the difference, in per cent of the mean of both ranges."""
    return float(100.0 * np.sqrt(np.mean((a - b) ** 2)) / (0.5 * (np.ptp(a) + np.ptp(b))))


def trial_names(gait: str) -> list[str]:
    """All trials of "walk" or "run"."""
    pattern = "opencap_*.trc.xz" if gait == "walk" else "treadmill_*.trc.xz"
    return sorted(path.name.split(".")[0] for path in (DATA / "human" / gait).glob(pattern))


def read_trial(name: str, data: Path = DATA) -> ForceTrial:
    """A trial by its name, with the motion of its joint coordinates."""
    gait = "walk" if name.startswith("opencap") else "run"
    height, mass = people(data)[name]
    folder = data / "human" / gait
    motion = load(folder / f"{name}.ik.mot.xz", height=height)
    start = float(re.findall(r"at ([\d.]+) s", motion.notes[0])[0])
    plates = read_forces(folder / f"{name}.grf.mot.xz")
    return ForceTrial(name, gait, mass, height, motion, start, plates, data)


def people(data: Path = DATA) -> dict[str, tuple[float, float]]:
    """Height and mass of the person of each trial."""
    with (data / "index.csv").open(encoding="utf-8") as file:
        rows = [(row["file"], re.search(r", ([\d.]+) m, ([\d.]+) kg", row["subject"])) for row in csv.DictReader(file)]
    return {Path(name).name.split(".")[0]: (float(of[1]), float(of[2])) for name, of in rows if of and "grf" in name}


class StrengthFigures(NamedTuple):
    """What the least effort with one set of weights gives."""

    vertical: float  # per cent
    fore_aft: float
    newtons: float  # of the vertical force, root mean square, in the mean over feet
    feet: FloatArray  # (feet, 2) per cent, vertical and fore-aft of each
    differs: tuple[float | None, float | None]  # p of Wilcoxon's signed ranks against uniform weights, foot by foot


def compare_strengths(trials: Sequence[ForceTrial]) -> dict[str, StrengthFigures]:
    """The least effort with the sets of weights of the package, and with the largest torques found."""
    from scipy.stats import wilcoxon

    out: dict[str, StrengthFigures] = {}
    for name in (*SETS, "observed"):
        errors: list[FootError] = []
        newtons: list[float] = []
        for trial in trials:
            strengths: str | FloatArray = name
            if name == "observed":
                peak = np.linalg.norm(forces(trial.motion, trial.mass, trial.contacts).torques, axis=2).max(axis=0)
                strengths = np.maximum(peak, 0.02 * peak.max())
            found = forces(trial.motion, trial.mass, trial.contacts, prior="effort", strengths=strengths)
            each = trial.errors(found)
            errors += each
            newtons += [error.vertical_kg * trial.mass for error in each]
        feet = np.array([[error.vertical, error.fore_aft] for error in errors])
        base = out["uniform"].feet if out else feet
        p = [None if name == "uniform" else float(wilcoxon(feet[:, k], base[:, k]).pvalue) for k in (0, 1)]
        vertical, fore_aft = feet.mean(axis=0)
        out[name] = StrengthFigures(float(vertical), float(fore_aft), float(np.mean(newtons)), feet, (p[0], p[1]))
    return out
