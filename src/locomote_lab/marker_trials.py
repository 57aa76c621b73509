"""How close forces from markers alone come to force plates: ``python -m locomote_lab.marker_trials``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from locomote.formats.opensim import read_forces, read_markers
from locomote.physics import ContactForces, forces
from locomote_lab.force_trials import DATA, ForceTrial, people, read_trial, trial_names
from locomote_lab.marker_fit import fit_markers

# People on whom the numbers of the fit were chosen; the others had no part in that.
CHOSEN_ON = {"walk": ("_s2_", "_s4_", "_s7_", "_s10_"), "run": ("_s01_", "_s03_", "_s10_", "_s17_")}


def marker_trial(name: str, data: Path = DATA) -> ForceTrial:
    """A trial by its name, with the motion of its markers; the file of its joint coordinates is not read."""
    gait = "walk" if name.startswith("opencap") else "run"
    folder = data / "human" / gait
    height, mass = people(data)[name]
    markers = read_markers(folder / f"{name}.trc.xz")
    motion, plates = fit_markers(markers, height), read_forces(folder / f"{name}.grf.mot.xz")
    return ForceTrial(name, gait, mass, height, motion, float(markers.times[0]), plates, data)


def summary(found: list[tuple[ForceTrial, ContactForces]]) -> str:
    """Mean errors over feet and trials as one line."""
    feet = [error for trial, force in found for error in trial.errors(force)]
    torques = [trial.torque_errors(force) for trial, force in found]
    means = [float(np.mean([getattr(foot, of) for foot in feet])) for of in ("vertical", "fore_aft", "sideways")]
    means += [float(np.mean([v for row in torques for v in row.get(j, [])])) for j in ("hip", "knee", "ankle")]
    v, ap, ml, hip, knee, ankle = means
    centre = 1000.0 * float(np.median(np.concatenate([foot.centre for foot in feet])))
    return f"{v:5.1f} {ap:5.1f} {ml:5.1f} %   {centre:3.0f} mm   {hip:5.1f} {knee:5.1f} {ankle:5.1f} %"


def table() -> str:
    """Errors of walks and runs, by markers and by joint coordinates, of the people chosen on and of the others."""
    rows = ["vertical, fore-aft, sideways; median off the centre of pressure; torques of hip, knee, ankle"]
    for gait, chosen in CHOSEN_ON.items():
        for source in (marker_trial, read_trial):
            trials = [source(name) for name in trial_names(gait)]
            every = [(trial, forces(trial.motion, trial.mass, trial.contacts)) for trial in trials]
            known = [any(who in trial.name for who in chosen) for trial in trials]
            for label, wanted in (("all", (True, False)), ("chosen on", (True,)), ("others", (False,))):
                part = [pair for pair, one in zip(every, known, strict=True) if one in wanted]
                rows.append(f"{gait:5s}{source.__name__:13s}{label:10s}{summary(part)}")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
