"""A fitted model made to stand on its feet: pelvis paths and knees corrected, frequencies measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, MOVING
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._calibration import lowest_foot_points
from locomote.human.fitting._gaits import GAITS
from locomote.human.fitting._planting import grounding, sway
from locomote.human.fitting._stride import LEGS, ball_path, path_of_ends, stance_ends
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray

# m/s on the common skeleton, at which the feet of every style are brought to rest
PLANTING_SPEEDS = (np.array([0.7, 0.85, 1.0, 1.4, 1.8, 2.2, 2.5]), np.array([1.5, 2.5, 3.5, 4.5, 5.5]))
PLANTING_ROUNDS = 2
PLANTING_RIDGE = 1e-3  # against large corrections in components that hardly vary
KNEE_RANGE = (np.radians(1.0), np.radians(139.0))
# Strides beyond the speeds that somebody was recorded at grow with the root of the speed, as far as is known; the
# continued cycle may differ from that by this factor. All of the shipped model are within 1.27.
MOST_OFF = 1.4


def _cycles(model: HumanModel, g: int, common_speeds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Coordinates ``(K, T, m)`` and cycles ``(K, T, S, C)`` of every style at speeds on the common skeleton."""
    present = np.array([model.presence(g, s) for s in common_speeds])[None, :, None, None]
    scores = np.stack([model.coordinates(g, s) for s in common_speeds], axis=1)
    moving = model.mean + np.tensordot(scores, model.basis, axes=1)
    return scores, (1.0 - present) * model.stand[:, None, None] + present * moving


def model_balls(model: HumanModel, cycles: FloatArray) -> FloatArray:
    """Paths ``(..., S, 2, 3)`` of the ball joints of cycles ``(..., S, C)``, hip heights."""
    frames = cycles.reshape(-1, CHANNELS)
    return ball_path(*model.encoding.decode(frames, LEGS)).reshape(*cycles.shape[:-1], 2, 3)


def model_paths(model: HumanModel, cycles: FloatArray, gait: str) -> FloatArray:
    """The way of the body per cycle, hip heights, of cycles ``(..., S, C)``."""
    samples = cycles.shape[-2]
    ends = cycles[..., stance_ends(gait, samples), :]  # the other samples need no pose
    return path_of_ends(model_balls(model, ends), gait, samples)


def planted_model(model: HumanModel) -> HumanModel:
    """The model with paths of the pelvis on which the feet of its styles rest, and with knees that bend as knees do.

    Every component is shrunk by its own measure, which loosens the bond between leg and pelvis that holds a foot in
    place. Mean and components are changed as fits best, over all styles and speeds, what their cycles lack.
    """
    for _ in range(PLANTING_ROUNDS):
        rows, wanted = [], []
        for g, gait in enumerate(GAITS):
            scores, cycles = _cycles(model, g, PLANTING_SPEEDS[g])
            bent = _with_true_knees(model, cycles)
            root, turns = model.encoding.decode(bent.reshape(-1, CHANNELS), LEGS)
            change = bent - cycles
            change[..., :3] += sway(model_balls(model, bent), gait)
            lowest = lowest_foot_points(root, turns).reshape(cycles.shape[:-1])
            change[..., 1] += grounding(lowest, gait)
            rows.append(scores.reshape(-1, scores.shape[-1]))
            wanted.append(change.reshape(len(rows[-1]), -1))
        design = np.concatenate(rows)
        design = np.concatenate([np.ones((len(design), 1)), design], axis=1)
        ridge = PLANTING_RIDGE * len(design) * np.diag(np.var(design, axis=0))
        best = np.linalg.solve(design.T @ design + ridge, design.T @ np.concatenate(wanted))
        best = best.reshape(-1, model.mean.shape[0], CHANNELS)
        model = replace(model, mean=model.mean + best[0], basis=model.basis + best[1:])
    return model


def _with_true_knees(model: HumanModel, cycles: FloatArray) -> FloatArray:
    """Cycles whose knees stay within `KNEE_RANGE`."""
    out = cycles.copy()
    for name in ("LeftLeg", "RightLeg"):
        moving = MOVING.index(COMMON.index(name))
        at = slice(3 + 3 * moving, 6 + 3 * moving)
        turns = rot.multiply(model.centres[moving], rot.exp(cycles[..., at]))
        bend = 2.0 * np.arctan2(turns[..., 1], turns[..., 0])
        excess = np.clip(bend, *KNEE_RANGE) - bend
        turns = rot.multiply(turns, rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), excess))
        out[..., at] = rot.log(rot.multiply(rot.inverse(model.centres[moving]), turns))
    return out


def timed_model(model: HumanModel) -> HumanModel:
    """The model with the frequencies at which its cycles do not slide, held to `MOST_OFF` where nobody was recorded."""
    speeds = model.frequency_speeds[1:]
    common = speeds * REFERENCE_HIP_HEIGHT
    frequency = np.zeros_like(model.frequency)
    for g, gait in enumerate(GAITS):
        _, cycles = _cycles(model, g, common)
        for k, path in enumerate(model_paths(model, cycles, gait)):
            known = np.clip(common, *model.ranges[k, g])
            law = np.interp(known, common, path) * np.sqrt(common / known)
            if not np.all(law > 0.0):
                raise LocomoteError(f"{model.styles[k]}: feet that stand go forward in its cycles of {gait}")
            frequency[k, g, 1:] = speeds / np.clip(path, law / MOST_OFF, law * MOST_OFF)
    return replace(model, frequency=frequency)
