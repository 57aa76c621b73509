"""Can a classifier tell the strides of recorded dogs from those of the wolf? One stride at a time.

A stride is where the joints are from the middle of the pelvis, over the height of the hips, in a body that goes along
+Z: the mean and three harmonics of each over the cycle.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

import locomote as lm
from locomote.creatures import Creature, Crowd
from locomote.creatures._recording import record_all
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote_lab.creatures.footfalls import LEFT_HIND, RIGHT_HIND, Footfalls, PawTrack, footfalls, standing
from locomote_lab.creatures.strides import STEADY, name_of

PHASES = 64
HARMONICS = 3
FPS = 120.0
SETTLED, SECONDS = 2.0, 3.0
# Joints that all three bodies have, left and right as {}: the top of each leg first.
LEGS = {
    "hind": ("hip", "stifle", "hock", "hind paw"),
    "fore": ("shoulder", "elbow", "wrist", "fore paw"),
}
MIDDLE = ("back", "neck", "head", "nose")
PARTS = {
    "whole body": None,
    "trunk": ("hip", "shoulder", "back", "neck"),
    "head": ("head", "nose"),
    "hind legs": LEGS["hind"][1:],
    "fore legs": LEGS["fore"][1:],
}
JOINTS = tuple(f"{side} {name}" for side in ("left", "right") for row in LEGS.values() for name in row) + MIDDLE
_MIRRORED = [JOINTS.index(name.replace("left", "?").replace("right", "left").replace("?", "right")) for name in JOINTS]

_LABRADOR = {
    "hip": "b_{}LegUpper", "stifle": "b_{}Leg", "hock": "b_{}Leg1", "hind paw": "b_{}Toe", "shoulder": "b_{}Arm",
    "elbow": "b_{}ForeArm", "wrist": "b_{}Hand", "back": "b_Spine1", "neck": "b__Neck", "head": "b_Head",
    "nose": "Bip01_HeadNub",
}  # fmt: skip
_LABRADOR_PAWS = {"left": "b__LeftFinger", "right": "b_RightFinger"}
_OTHER = (
    "Hips Spine back neck head nose LeftShoulder left-shoulder left-elbow left-wrist left-fore_paw RightShoulder "
    "right-shoulder right-elbow right-wrist right-fore_paw left-hip left-stifle left-hock left-hind_paw right-hip "
    "right-stifle right-hock right-hind_paw Tail Tail1 Tail1Site"
)  # of the files of the other dog, in their order
_WOLF = {
    "hip": "thigh.{}", "stifle": "shank.{}", "hock": "foot.{}", "hind paw": "toes.{}", "shoulder": "scapula.{}",
    "elbow": "forearm.{}", "wrist": "hand.{}", "fore paw": "fingers.{}", "back": "back", "neck": "neck_1",
    "head": "head",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Walked:
    """Where the joints of an animal are over time, and its track."""

    places: FloatArray  # (T, JOINTS, 3)
    track: PawTrack
    clip: str


class DogStride(NamedTuple):
    """One stride."""

    clip: str
    gait: str
    speed: float  # over sqrt(g h)
    features: FloatArray  # (JOINTS, 3, 1 + 2 HARMONICS) over h


def labrador(folder: Path, clips: Sequence[str], height: float) -> list[Walked]:
    """The clips of the Labrador."""
    out = []
    for clip in clips:
        motion = lm.load(folder / "animal" / f"labrador_dog_{clip}.bvh.xz")
        world, names = motion.joint_positions(), motion.skeleton
        at = []
        for joint in JOINTS:
            side, _, bare = joint.partition(" ") if joint not in MIDDLE else ("", "", joint)
            name = _LABRADOR_PAWS[side] if bare == "fore paw" else _LABRADOR[bare].format(side.capitalize())
            at.append(names.index(name))
        out.append(_walked(world[:, at], motion.fps, height, clip))
    return out


def other_dog(folder: Path, height: float) -> list[Walked]:
    """The clips of the other dog."""
    names = [name.replace("-", " ").replace("_", " ") for name in _OTHER.split()]
    at = [names.index(joint) for joint in JOINTS]
    out = []
    for path in sorted((folder / "animal").glob("ai4animation_nc_dog_*.csv.xz")):
        with lzma.open(path, "rt") as file:
            places = np.loadtxt(file, delimiter=",").reshape(-1, len(names), 3)
        out.append(_walked(places[:, at], 60.0, height, path.name.split(".")[0]))
    return out


def wolf(gait: str, speed: float, seed: int) -> Walked:
    """The wolf of the package in a gait at a speed over sqrt(g h)."""
    kind = Creature.build("wolf")
    height = float(kind.morphology.hips[:, 1].min())
    crowd = Crowd(kind, 1, speed=speed * np.sqrt(GRAVITY * height), gait=gait, seed=seed)
    crowd.record(SETTLED, FPS)
    return seen_of(record_all(crowd, SECONDS, FPS, [0])[0], _WOLF, height, f"wolf {seed}")


def seen_of(motion: Motion, parts: Mapping[str, str], height: float, clip: str) -> Walked:
    """A motion of an animal of the package; ``parts`` names its joints, left and right as {}."""
    world, turns = motion.world()
    names = motion.skeleton
    head = names.index("head")
    end = names.end_offsets[int(np.flatnonzero(names.end_parents == head)[0])]
    columns = []
    for joint in JOINTS:
        side, _, bare = joint.partition(" ") if joint not in MIDDLE else ("", "", joint)
        if bare == "nose":
            turn = np.broadcast_to(end, (len(world), 3))
            columns.append(world[:, head] + lm.rotations.rotate(turns[:, head], turn))
        else:
            columns.append(world[:, names.index(parts[bare].format(side[:1].upper()))])
    return _walked(np.stack(columns, axis=1), motion.fps, height, clip)


def _walked(places: FloatArray, fps: float, height: float, clip: str) -> Walked:
    """With the track by which strides are found; paws stand as those of recorded dogs do."""

    def of(*names: str) -> FloatArray:
        return places[:, [JOINTS.index(name) for name in names]]

    feet = of("left hind paw", "left fore paw", "right hind paw", "right fore paw")
    hips = of("left hip", "left shoulder", "right hip", "right shoulder")
    pelvis = of("left hip", "right hip").mean(axis=1)
    spine = np.stack([pelvis, of("back")[:, 0], of("neck")[:, 0]], axis=1)
    return Walked(places, PawTrack(fps, feet, hips, spine, height), clip)


def strides_of(walked: Walked) -> list[DogStride]:
    """All strides that have a name and a speed that hardly changes."""
    track, out = walked.track, []
    down, speeds = standing(track), track.speeds()
    for leader in (LEFT_HIND, RIGHT_HIND):
        for found in footfalls(down, track.fps, leader):
            gone = track.middle[found.last] - track.middle[found.first]
            ahead = track.withers[found.first] - track.pelvis[found.first]
            forward = float(np.sign(gone[0] * ahead[0] + gone[2] * ahead[2]))
            gait = name_of(found, forward)
            speed = float(np.hypot(gone[0], gone[2])) * track.fps / (found.last - found.first)
            if gait and abs(speeds[found.last - 1] - speeds[found.first]) <= STEADY * speed:
                pace = forward * speed / np.sqrt(GRAVITY * track.height)
                out.append(DogStride(walked.clip, gait, float(pace), _features(walked, found, forward, gait)))
    return out


def _features(walked: Walked, found: Footfalls, forward: float, gait: str) -> FloatArray:
    """Means and harmonics of the joints over a stride; in gallops the first hind foot is made the left one."""
    track = walked.track
    at = np.linspace(found.first, found.last, PHASES + 1)
    below = np.minimum(at.astype(int), len(track) - 2)
    mix = (at - below)[:, None, None]
    off = walked.places - track.pelvis[:, None]
    seen = (1.0 - mix) * off[below] + mix * off[below + 1]
    gone = forward * (track.middle[found.last] - track.middle[found.first])
    ahead = np.array([gone[0], 0.0, gone[2]]) / max(float(np.hypot(gone[0], gone[2])), 1e-9)
    left = np.array([ahead[2], 0.0, -ahead[0]])
    seen = seen @ np.stack([left, [0.0, 1.0, 0.0], ahead]).T / track.height
    seen = seen - (np.arange(PHASES + 1) / PHASES - 0.5)[:, None, None] * (seen[-1] - seen[0])  # its ends meet
    if "gallop" in gait and found.leader == RIGHT_HIND:
        seen = seen[:, _MIRRORED] * [-1.0, 1.0, 1.0]
    waves = 2.0 * np.fft.rfft(seen[:-1], axis=0)[1 : HARMONICS + 1] / PHASES
    terms = [seen[:-1].mean(axis=0), *(each for wave in waves for each in (wave.real, -wave.imag))]
    return np.stack(terms, axis=-1)


def part(features: FloatArray, name: str, moving: bool) -> FloatArray:
    """The features of a part of the body, ``(n, d)``; only how it moves, without where it is in the mean."""
    wanted = PARTS[name]
    bare = [joint.removeprefix("left ").removeprefix("right ") for joint in JOINTS]
    rows = [k for k, joint in enumerate(bare) if wanted is None or joint in wanted]
    taken = features[:, rows, :, 1 if moving else 0 :]
    return taken.reshape(len(features), -1)
