"""Units of five made-up performers whose movement over speed is known: affine in speed, a habit of their own, noise."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._cycles import SAMPLES, Unit
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray

HEIGHTS = (0.85, 0.88, 0.90, 0.93, 0.96)  # m
SPEEDS = {"walk": (0.7, 1.0, 1.3, 1.6, 1.9), "run": (2.0, 2.6, 3.2, 3.8, 4.4)}  # m/s on the common skeleton
REPEATS = 3
HARMONICS = 4
# Joint: mean and size of the swing in radians (walk, run), axis.
JOINTS = {
    "UpLeg": ((-0.15, 0.35), (-0.25, 0.5), 0),
    "Leg": ((0.55, 0.45), (0.95, 0.6), 0),
    "Foot": ((-0.05, 0.2), (0.0, 0.3), 0),
    "Arm": ((0.0, 0.3), (0.1, 0.45), 0),
    "ForeArm": ((0.4, 0.1), (1.5, 0.15), 1),
}


def truth(performer: int, gait: str, speed: float, own: float = 0.1) -> tuple[FloatArray, FloatArray]:
    """Root (S, 3) in hip heights and rotations (S, J, 4) of a performer at a speed, without noise.

    All rotations of one joint have one axis and angles that are affine in speed.
    """
    rng = np.random.default_rng(1000 + performer)
    phase = 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES
    turns = rot.identity(SAMPLES, len(COMMON))
    run = gait == "run"
    for joint, (walking, running, axis) in JOINTS.items():
        mean, size = running if run else walking
        factors = 1.0 + own * rng.standard_normal((2, HARMONICS))
        habit = own * rng.standard_normal()
        for side, shift in (("Left", np.pi), ("Right", 0.0)):
            angle = np.full(SAMPLES, mean * (1.0 + 0.1 * speed) + habit)
            for h in range(1, HARMONICS + 1):
                amplitude = size / h**2 * (factors[0, h - 1] + 0.2 * factors[1, h - 1] * speed)
                angle += amplitude * np.cos(h * (phase + shift) - 0.3 * h)
            turns[:, COMMON.index(side + joint)] = rot.from_axis_angle(np.eye(3)[axis], angle)
    root = np.zeros((SAMPLES, 3))
    root[:, 1] = 1.0 + (0.045 if run else 0.02) * np.cos(2.0 * phase)
    return root, turns


def units(noise: float = 0.02, own: float = 0.1, performers: int = len(HEIGHTS)) -> list[Unit]:
    """All cycles of the first performers; ``noise`` in radians, slow and different in every cycle."""
    rng = np.random.default_rng(7)
    phase = 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES
    out = []
    for performer, height in enumerate(HEIGHTS[:performers]):
        for gait, speeds in SPEEDS.items():
            for speed in speeds:
                for repeat in range(REPEATS):
                    root, turns = truth(performer, gait, speed, own)
                    wave = noise * rng.standard_normal((2, len(COMMON), 3))
                    logs = wave[0] * np.cos(phase)[:, None, None] + wave[1] * np.sin(phase)[:, None, None]
                    turns = rot.multiply(turns, rot.exp(logs))
                    normal = speed / 0.9
                    frequency = 0.743 * np.sqrt(normal) if gait == "walk" else 1.2 + 0.06 * normal
                    name = f"p{performer}"
                    clip = f"{name}_{gait}_{speed}_{repeat}"
                    out.append(Unit(name, clip, gait, normal * height, height, 1.0 / frequency, root, turns))
    return out
