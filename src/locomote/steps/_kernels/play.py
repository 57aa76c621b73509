"""Chains of chosen steps as poses: made, smoothed and turned into joint angles, one chain after the other."""

from __future__ import annotations

import numpy as np

from locomote.math._compile import kernel
from locomote.steps._kernels.blend import ROWS
from locomote.steps._kernels.frames import make_chain
from locomote.steps._kernels.gait import walk_ordinarily
from locomote.steps._kernels.gait_course import GaitCourse
from locomote.steps._kernels.layout import BodyMeasures, MadeWalks, PlayedChains, PlayManner, PlayScratch
from locomote.steps._kernels.pelvis import fit_pelvis
from locomote.steps._kernels.pose import LIMBS, pose_chain
from locomote.steps._kernels.smooth import smooth_chain

WHOLE, MADE, SHAPED = 0, 1, 2  # stages: all at once, only made, and from there on


@kernel
def play_chains(
    played: PlayedChains,
    body: BodyMeasures,
    manner: PlayManner,
    begin: int,
    end: int,
    stage: int,
    made: MadeWalks,
) -> None:
    """Play the chains from ``begin`` to before ``end``; see `make_chain`, `walk_ordinarily`, `smooth_chain`.

    ``made.frames`` holds one chain at a time, at the end the last one: it stays in the processor's cache while all is
    done to it. With the ``stage`` MADE a chain is only made, to be shaped by others, with SHAPED it is taken from
    there.
    """
    frames = made.frames
    scratch = PlayScratch(np.empty((2, ROWS, played.clips.sheets.shape[2])), np.empty((LIMBS, frames.shape[1])))
    for chain in range(begin, end):
        if stage != SHAPED:
            make_chain(chain, played, body, manner, scratch, made)
            plants = played.plants.firsts[chain + 1] - played.plants.firsts[chain]
            course = GaitCourse(
                np.zeros(plants), np.zeros(plants), np.zeros(plants), np.zeros(plants), np.zeros(plants),
                np.zeros(plants), np.zeros((plants, 3)), np.zeros((5, ROWS)),
            )  # fmt: skip
            fit_pelvis(chain, played, manner, made.frames)
            walk_ordinarily(chain, played, body, manner.fps, course, made)
        if stage == MADE:
            continue
        smooth_chain(chain, played, body, manner, scratch, made)
        at = played.frame_firsts[chain]
        count = played.frame_firsts[chain + 1] - at
        pose_chain(count, at, body, frames, scratch.limbs, made.roots, made.rotations)
