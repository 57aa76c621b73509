"""A small model of three styles made from the synthetic performer: needs no data."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from locomote import rotations as rot
from locomote.human._encoding import MOVING, Encoding
from locomote.human._model import HumanModel
from locomote.human.fitting._footplants import with_footplants
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.samples._gait import choose_gait

SAMPLES = 40
COMPONENTS = 9
LEG = 0.9 * 0.925  # m: hips at 0.9 m, the size of which the model speaks
SPEEDS = {"walk": (0.6, 1.0, 1.4, 1.8, 2.2), "run": (1.8, 2.4, 3.0, 4.0)}
STYLES = ("plain", "swinging", "stooping")


@lru_cache
def toy_model() -> HumanModel:
    """Walks of 0.6 to 2.2 m/s and runs of 1.8 to 4 m/s, in three styles."""
    cycles = {
        (style, gait, speed): cycle_of(gait, speed, style)
        for style in STYLES
        for gait, speeds in SPEEDS.items()
        for speed in speeds
    }
    turns = np.concatenate([cycle[1] for cycle in cycles.values()])
    encoding = Encoding(rot.mean(turns[:, MOVING]))
    frames = {key: encoding.encode(*cycle) for key, cycle in cycles.items()}
    data = np.array(list(frames.values()))
    mean = data.mean(axis=0)
    flat = (data - mean).reshape(len(data), -1)
    axes = np.linalg.svd(flat, full_matrices=False)[2][:COMPONENTS]
    at = dict(zip(frames, flat @ axes.T, strict=True))

    curve, offset, slope = np.zeros((2, 3, COMPONENTS)), [], []
    centres = [float(np.mean(speeds)) for speeds in SPEEDS.values()]
    for g, (gait, speeds) in enumerate(SPEEDS.items()):
        functions = np.array([[1.0, s, np.sqrt(s)] for s in speeds])
        common = np.mean([[at[style, gait, s] for s in speeds] for style in STYLES], axis=0)
        curve[g] = np.linalg.lstsq(functions, common, rcond=None)[0]
        rest = np.array([[at[style, gait, s] for s in speeds] for style in STYLES]) - functions @ curve[g]
        line = np.array([[1.0, s - centres[g]] for s in speeds])
        lines = np.array([np.linalg.lstsq(line, r, rcond=None)[0] for r in rest])
        offset.append(lines[:, 0])
        slope.append(lines[:, 1])
    grid = np.linspace(0.0, 6.5, 40)
    model = HumanModel(
        styles=STYLES,
        centres=encoding.centres,
        mean=mean,
        basis=axes.reshape(COMPONENTS, *mean.shape),
        curve=curve,
        gait_centre=np.array(centres),
        offset=np.stack(offset, axis=1),
        slope=np.stack(slope, axis=1),
        ranges=np.array([[[s[0], s[-1]] for s in SPEEDS.values()]] * len(STYLES)),
        slowest=np.array([0.6, 1.8]),
        exponent=0.5,
        stand=np.stack([_stand(encoding, cycles[style, "walk", 0.6]) for style in STYLES]),
        frequency_speeds=grid,
        frequency=np.tile([[_frequency(gait, 0.9 * s) for s in grid] for gait in SPEEDS], (len(STYLES), 1, 1)),
        footplants=np.zeros((len(STYLES), 2, len(grid), 6, 2)),
        speed_limits=np.array([[0.0, 2.4], [1.5, 4.0]]),
    )
    return with_footplants(model)


def _frequency(gait: str, speed: float) -> float:
    slowest, fastest = SPEEDS[gait][0], 2.4 if gait == "walk" else 5.7
    held = min(fastest, max(speed, slowest))
    rate = 1.0 / choose_gait(held, LEG, gait).stride_time
    return rate * float(np.sqrt(min(speed, slowest) / slowest))


def cycle_of(gait: str, speed: float, style: str = "plain") -> tuple[FloatArray, FloatArray]:
    """Root in hip heights and rotations of one cycle from a right heel strike on, without its travel."""
    stride = choose_gait(speed, LEG, gait).stride_time
    performance = performer(speed, gait, LEG, seconds=3.0 * stride, fps=SAMPLES / stride)
    motion = performance.motion
    first = int(np.argmin(np.abs(motion.times[: 2 * SAMPLES] - performance.heel_strikes[1][0])))
    frames = slice(first, first + SAMPLES)
    root = motion.root_positions[frames] - np.outer(motion.times[frames], [0.0, 0.0, speed])
    root = (root - root.mean(axis=0) * [1.0, 0.0, 1.0]) / 0.9
    turns = motion.rotations[frames].copy()
    if style == "swinging":
        for name in ("LeftArm", "RightArm"):
            j = COMMON.index(name)
            centre = rot.mean(turns[:, j])
            turns[:, j] = rot.multiply(centre, rot.exp(1.5 * rot.log(rot.multiply(rot.inverse(centre), turns[:, j]))))
    if style == "stooping":
        j = COMMON.index("Spine1")
        turns[:, j] = rot.multiply(turns[:, j], rot.exp([0.25, 0.0, 0.0]))
    return root, turns


def _stand(encoding: Encoding, walk: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Straight legs, the trunk and arms of a slow walk at rest."""
    turns = rot.mean(walk[1])
    for j, name in enumerate(COMMON.names):
        if name == "Hips" or name.endswith(("UpLeg", "Leg", "Foot", "ToeBase")):
            turns[j] = rot.IDENTITY
    root = COMMON.rest_pose()[0][0]
    return encoding.encode(root[None], turns[None])[0]
