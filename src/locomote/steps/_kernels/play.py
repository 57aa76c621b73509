"""Chains of chosen steps as poses: made, smoothed and turned into joint angles, one chain after the other."""

from __future__ import annotations

import numpy as np

from locomote.math._compile import kernel
from locomote.math.vector import Floats, Ints
from locomote.steps._kernels.blend import ROWS, StepRecords
from locomote.steps._kernels.chain import ChainPlants, ChosenSteps
from locomote.steps._kernels.frames import SoleShape, make_chain
from locomote.steps._kernels.pose import LIMBS, pose_chain
from locomote.steps._kernels.smooth import smooth_chain

WHOLE, MADE, SHAPED = 0, 1, 2  # stages: all at once, only made, and from there on


@kernel
def play_chains(
    plants: ChainPlants,
    chosen: ChosenSteps,
    clips: StepRecords,
    sole: SoleShape,
    size: float,
    hips: Floats,
    thigh: float,
    shank: float,
    joints: Ints,
    legs: Ints,
    fps: float,
    upper: int,
    mask: Floats,
    fit_root: bool,
    filters: bool,
    frame_firsts: Ints,
    begin: int,
    end: int,
    stage: int,
    frames: Floats,
    stands: Ints,
    sinks: Floats,
    roots: Floats,
    rotations: Floats,
) -> None:
    """Play the chains from ``begin`` to before ``end``; see `make_chain`, `smooth_chain` and `pose_chain`.

    ``frames (ROWS, longest chain)`` holds one chain at a time, at the end the last one: it stays in the processor's
    cache while all is done to it. With the ``stage`` MADE a chain is only made, to be shaped by others, with SHAPED it
    is taken from there.
    """
    sheets = np.empty((2, ROWS, clips.sheets.shape[2]))
    limbs = np.empty((LIMBS, frames.shape[1]))
    for chain in range(begin, end):
        at = frame_firsts[chain]
        count = frame_firsts[chain + 1] - at
        if stage != SHAPED:
            make_chain(chain, count, at, plants, chosen, clips, sole, size, fps, upper, sheets, frames, stands)
        if stage == MADE:
            continue
        smooth_chain(
            chain, count, at, plants, chosen, hips, thigh + shank, sole, fps, mask, fit_root, filters,
            frames, limbs, sinks,
        )  # fmt: skip
        pose_chain(count, at, joints, legs, hips, thigh, shank, frames, limbs, roots, rotations)
