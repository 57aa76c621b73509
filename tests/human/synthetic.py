"""Performers made by rule: what a fit must find is known."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._calibration import calibrated
from locomote.human.fitting._cycles import Unit, find_units
from locomote.human.fitting._fit import FitResult, fit_material
from locomote.human.fitting._importing import Capture, import_motion
from locomote.human.fitting._material import Material
from locomote.human.fitting._planting import planted
from locomote.human.fitting._standing import on_both_soles
from locomote.human_skeleton import COMMON
from locomote.samples import performer

WALKS = (0.8, 1.0, 1.2, 1.4, 1.6, 1.8)
RUNS = (2.0, 2.6, 3.2, 3.8, 4.4)
PEOPLE = {  # name: leg length, forward bend of each arm, how far the spine leans, gaits
    "ann": (0.84, 0.0, 0.00, ("walk", "run")),
    "bob": (0.92, 0.2, 0.03, ("walk", "run")),
    "cem": (0.88, -0.1, 0.06, ("walk",)),
    "dee": (0.80, 0.3, -0.02, ("run",)),
}


def capture(speed: float, gait: str, leg: float = 0.88, arm: float = 0.0, lean: float = 0.0) -> Capture:
    motion = performer(speed, gait=gait, leg_length=leg, seconds=4.0, fps=100.0).motion
    taken = import_motion(motion)
    turns = taken.rotations.copy()
    x = np.array([1.0, 0.0, 0.0])
    for joint in ("LeftArm", "RightArm"):
        index = COMMON.index(joint)
        turns[:, index] = rot.multiply(rot.from_axis_angle(x, -arm), turns[:, index])
    for joint in ("Spine", "Spine1", "Spine2"):
        index = COMMON.index(joint)
        turns[:, index] = rot.multiply(rot.from_axis_angle(x, lean), turns[:, index])
    return replace(taken, rotations=turns)


@lru_cache(maxsize=1)
def units() -> tuple[Unit, ...]:
    out: list[Unit] = []
    for name, (leg, arm, lean, gaits) in PEOPLE.items():
        own: list[Unit] = []
        for gait in gaits:
            for speed in WALKS if gait == "walk" else RUNS:
                found, _ = find_units(capture(speed, gait, leg, arm, lean), name, f"{name} {speed}", gait)
                own += found[:2]
        out += [planted(unit) for unit in calibrated(own)]
    return tuple(out)


def material(chosen: tuple[Unit, ...] | None = None) -> Material:
    turns = rot.identity(len(COMMON))
    for joint, sign in (("LeftArm", -1.0), ("RightArm", 1.0)):
        turns[COMMON.index(joint)] = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), sign * 1.4)
    stand = on_both_soles(np.array([0.0, 1.06, 0.0]), turns)
    return Material(units() if chosen is None else chosen, {"ann": stand}, (), 0)


@lru_cache(maxsize=1)
def fitted() -> FitResult:
    return fit_material(material(), {name: name for name in PEOPLE})


def limb_error(a: np.ndarray, b: np.ndarray) -> float:
    """Degrees RMS over the limbs between rotations ``(S, J, 4)``."""
    from locomote.human.fitting._cycles import LIMBS

    return float(np.degrees(np.sqrt(np.mean(rot.distance(a[:, LIMBS], b[:, LIMBS]) ** 2))))
