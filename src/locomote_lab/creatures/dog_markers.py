"""The simulated dog beside the recorded Labrador, joint by joint from the side (QUA-21)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from locomote.motion import Motion
from locomote.physics._scenarios import Recorder
from locomote.rotations import FloatArray
from locomote_lab.creatures.told_apart import JOINTS, DogStride, labrador, seen_of, strides_of

DOG = {
    "hip": "thigh.{}", "stifle": "shank.{}", "hock": "foot.{}", "hind paw": "toes.{}", "shoulder": "upper_arm.{}",
    "elbow": "forearm.{}", "wrist": "hand.{}", "fore paw": "fingers.{}", "back": "spine_3", "neck": "neck_1",
    "head": "head",
}  # fmt: skip
HEIGHT, LABRADOR_HEIGHT = 0.45, 0.565  # m of their hips
RUN_UP = 8.0  # s
CLIPS = ("quad_walkrun_001", "quad_walkrun_006", "quad_walkrun_007")
GAITS = {"walk": "walk", "trot": "trot", "gallop": "gallop"}  # ours, and part of the names that strides are given


def simulated(gait: str, speed: float, seconds: float = 4.0) -> Motion:
    """The dog in a steady gait."""
    recorder = Recorder()
    recorder.driver.command(speed=speed, gait=gait)
    recorder.run(RUN_UP)
    recorder.places.clear()
    recorder.turns.clear()
    recorder.run(seconds)
    return recorder.motion(gait)


def strides(motion: Motion) -> list[DogStride]:
    """Strides of the simulated dog."""
    return strides_of(seen_of(motion, DOG, HEIGHT, motion.name))


def recorded(data: Path) -> list[DogStride]:
    """Strides of the Labrador."""
    return [stride for walked in labrador(data, CLIPS, LABRADOR_HEIGHT) for stride in strides_of(walked)]


def differences(ours: Sequence[DogStride], theirs: Sequence[DogStride], moving: bool = False) -> dict[str, float]:
    """For each joint how far the mean strides are apart from the side, root mean square, % of the hip height.

    Both are seen from the middle of the pelvis, over the height of their own hips; lengths along the body are scaled
    by the way from the hips to the shoulders. ``moving`` compares only how joints move about their mean places.
    """
    mine, other = (np.mean([stride.features for stride in strides], axis=0) for strides in (ours, theirs))
    shoulders = [JOINTS.index(f"{side} shoulder") for side in ("left", "right")]
    mine[:, 2] *= other[shoulders, 2, 0].mean() / mine[shoulders, 2, 0].mean()
    apart: FloatArray = mine - other
    squares = 0.5 * np.sum(apart[..., 1:] ** 2, axis=-1)
    if not moving:
        squares = squares + apart[..., 0] ** 2
    return {joint: 100.0 * float(np.sqrt(squares[k, 1] + squares[k, 2])) for k, joint in enumerate(JOINTS)}
