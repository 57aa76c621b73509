"""The recorded Labrador and the wolf of the package, as tracks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.creatures._recording import record_all
from locomote_lab.creatures.footfalls import BoolArray, PawTrack

FEET = ("b_LeftToe", "b__LeftFinger", "b_RightToe", "b_RightFinger")
HIPS = ("b_LeftLegUpper", "b_LeftArm", "b_RightLegUpper", "b_RightArm")
SPINE = ("b_Hips", "b_Spine1", "b_Spine2", "b__Neck")
HEIGHT = 0.565  # m
CLIPS = ("quad_walkrun_001", "quad_walkrun_006", "quad_walkrun_007", "idle_002", "idle_004", "back_001")
HEAD = ("b__Neck", "b_Head", "Bip01_HeadNub")
ARMS = (
    ("b_LeftForeArm", "b_LeftHand", "b__LeftFinger"),
    ("b_RightForeArm", "b_RightHand", "b_RightFinger"),
)
WOLF_HEAD = ("neck_1", "head", "end of head")
WOLF_ARMS = tuple(tuple(f"{name}.{side}" for name in ("forearm", "hand", "fingers")) for side in "LR")
WOLF_SPINE = ("pelvis", "loin", "back", "chest")
WOLF_FEET = (2, 0, 3, 1)  # left hind, left fore, right hind, right fore
FPS = 120.0


@cache
def labrador(folder: Path) -> tuple[PawTrack, ...]:
    clips = [lm.load(folder / "animal" / f"labrador_dog_{clip}.bvh.xz") for clip in CLIPS]
    return tuple(PawTrack.of(clip, FEET, HIPS, SPINE, HEIGHT).with_parts(clip, HEAD, ARMS) for clip in clips)


@cache
def wolf(gait: str, speed: float, seconds: float = 5.0) -> tuple[PawTrack, BoolArray]:
    """The wolf at a speed over sqrt(g h), h the height of its hind hips; which feet it says stand."""
    kind = lm.creatures.Creature.build("wolf")
    height = float(kind.morphology.hips[:, 1].min())
    crowd = lm.creatures.Crowd(kind, 1, speed=speed * np.sqrt(9.81 * height), gait=gait)
    down: list[BoolArray] = []
    crowd.record(1.0, FPS)
    motion = record_all(crowd, seconds, FPS, [0], after=lambda _: down.append(crowd.planted[0]))[0]
    flags = np.array([down[0], *down])[:, WOLF_FEET]
    return PawTrack.of_creature(motion, kind.morphology, WOLF_SPINE).with_parts(motion, WOLF_HEAD, WOLF_ARMS), flags
