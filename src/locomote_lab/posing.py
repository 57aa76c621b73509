"""The corpus of single poses: where it is, who is held out, and how it comes onto the common skeleton."""

from __future__ import annotations

import io
import lzma
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.motion import Motion, Poses
from locomote.retargeting import retarget
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.spaces import Handle, PoseDatabase, Poser
from locomote.spaces._statistics import captured_joints

FILE = Path("human") / "poses" / "cmu_poses.npz.xz"
RATE = 10.0  # poses a second
HELD_EVERY = 5  # each fifth of the people, in the order of their numbers, is held out of what ships
FIVE = ("LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head")
HANDLES = {
    "2 hands": FIVE[:2],
    "+ head": (*FIVE[:2], FIVE[4]),
    "hands, feet, head": FIVE,
    "+ hips": (*FIVE, "Hips"),
    "+ toes": (*FIVE, "Hips", "LeftToeBase", "RightToeBase"),
    "+ elbows, knees": (*FIVE, "Hips", "LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"),
}


@dataclass(frozen=True, eq=False)
class Corpus:
    """Single poses of many people, ten a second."""

    skeletons: Sequence[Skeleton]  # of the clips
    names: Sequence[str]
    clip: npt.NDArray[np.int64]  # (N,)
    root_positions: npt.NDArray[np.int32]  # (N, 3) 1e-4 m
    vectors: npt.NDArray[np.int16]  # (N, J, 3) 1e-4 rad

    @classmethod
    def load(cls, data: Path) -> Corpus:
        """Read it from the folder of recorded data."""
        with np.load(io.BytesIO(lzma.decompress((data / FILE).read_bytes()))) as arrays:
            joints = tuple(str(name) for name in arrays["joints"])
            skeletons = [Skeleton(joints, arrays["parents"], offsets * 1e-5) for offsets in arrays["offsets"]]
            names = [str(name) for name in arrays["names"]]
            return cls(skeletons, names, arrays["clip"].astype(np.int64), arrays["root"], arrays["rotations"])

    def held_out(self) -> set[str]:
        """People who are in nothing that ships."""
        return set(sorted({name.split("_")[0] for name in self.names})[::HELD_EVERY])

    def motion(self, clip: int, frames: npt.NDArray[np.int64] | None = None) -> Motion:
        """A clip, or some of its poses."""
        rows = np.flatnonzero(self.clip == clip)
        rows = rows if frames is None else rows[frames]
        turns = rot.exp(self.vectors[rows] * 1e-4)
        places = np.asarray(self.root_positions[rows], dtype=np.float64) * 1e-4
        return Motion(self.skeletons[clip], RATE, places, turns, name=self.names[clip])

    def clips(self, held: bool) -> list[int]:
        """Clips of people who are held out, or of the others."""
        people = self.held_out()
        return [c for c, name in enumerate(self.names) if (name.split("_")[0] in people) == held]

    def common(self, progress: Callable[[float], None] | None = None) -> Iterator[Motion]:
        """Clips of people who are not held out, on the common skeleton."""
        clips = self.clips(held=False)
        for done, clip in enumerate(clips):
            yield retarget(self.motion(clip), COMMON, feet=False)
            if progress is not None:
                progress((done + 1) / len(clips))

    def trials(self, clips: int = 100, poses: int = 3, seed: int = 0) -> list[Motion]:
        """A few poses each of clips of people who are held out."""
        rng = np.random.default_rng(seed)
        chosen = rng.choice(self.clips(held=True), clips, replace=False)
        out = []
        for clip in chosen.tolist():
            count = int(np.sum(self.clip == clip))
            out.append(self.motion(clip, np.sort(rng.choice(count, min(poses, count), replace=False))))
        return out


class Tried(NamedTuple):
    """How far poses are from the true ones."""

    joints: FloatArray  # (N,) mean distance of all joints, m
    handles: FloatArray  # (N, H) misses, m
    seconds: float = float("nan")  # that a pose took, of the processor


def held_at(truth: Motion, joints: Sequence[str]) -> list[Handle]:
    """Handles at the places of joints."""
    places = truth.joint_positions()
    return [Handle(name, position=places[:, truth.skeleton.index(name)]) for name in joints]


def misses(found: Motion | Poses, truth: Motion, joints: Sequence[str]) -> Tried:
    """Distances of poses from the true ones."""
    away = np.linalg.norm(found.joint_positions() - truth.joint_positions(), axis=-1)
    return Tried(away.mean(axis=1), away[:, [truth.skeleton.index(name) for name in joints]])


def by_database(poser: Poser, truth: Motion, joints: Sequence[str]) -> Tried:
    """Poses found from handles at true places."""
    handles = held_at(truth, joints)
    begun = time.process_time()
    found = poser.solve(handles)
    seconds = (time.process_time() - begun) / len(truth)
    return misses(found.pose, truth, joints)._replace(seconds=seconds)


def by_nearest(database: PoseDatabase, truth: Motion, joints: Sequence[str]) -> Tried:
    """The nearest recorded pose, turned about the vertical and shifted: brute force, a check of the kernel too."""
    at = [truth.skeleton.index(name) for name in joints]
    known = database.poses.joint_positions()
    out = []
    for place in truth.joint_positions():
        goal = place[at] - place[at].mean(axis=0)
        centre = known[:, at].mean(axis=1, keepdims=True)
        ours = known[:, at] - centre
        along = np.einsum("nhi,hi->n", ours[..., [0, 2]], goal[..., [0, 2]])
        across = np.einsum("nh,h->n", ours[..., 2], goal[..., 0]) - np.einsum("nh,h->n", ours[..., 0], goal[..., 2])
        turns = rot.from_axis_angle((0.0, 1.0, 0.0), np.arctan2(across, along))
        moved = rot.rotate(turns[:, None], ours)
        best = int(np.argmin(np.sum((moved - goal) ** 2, axis=(1, 2))))
        body = rot.rotate(turns[best], known[best] - centre[best]) + place[at].mean(axis=0)
        out.append(np.linalg.norm(body - place, axis=-1))
    away = np.stack(out)
    return Tried(away.mean(axis=1), away[:, at])


def by_plain_ik(truth: Motion, joints: Sequence[str], rounds: int = 60, damping: float = 0.05) -> Tried:
    """Damped least squares over all joints and a free root, from the T-pose over the handles; it knows no people."""
    count, skeleton, places = len(truth), truth.skeleton, truth.joint_positions()
    at = [skeleton.index(name) for name in joints]
    free = [0, *captured_joints(skeleton).tolist()]
    below = np.array([[a in skeleton.ancestors(h) for a in free] for h in at], dtype=float)
    turns = np.broadcast_to(rot.IDENTITY, (count, len(skeleton), 4)).copy()
    roots = np.zeros((count, 3))
    roots += places[:, at].mean(axis=1) - Poses(skeleton, roots, turns).joint_positions()[:, at].mean(axis=1)
    for _ in range(rounds):
        now, world = Motion(skeleton, RATE, roots, turns).world()
        lever = (now[:, at, None] - now[:, None, free]) * below[..., None]  # (N, H, A, 3)
        by_turn = np.cross(np.eye(3), lever[..., None, :]).swapaxes(-1, -2)  # (N, H, A, 3, 3): turn -> move
        rates = by_turn.transpose(0, 1, 3, 2, 4).reshape(count, 3 * len(at), -1)
        rates = np.concatenate([rates, np.tile(np.eye(3), (len(at), 1))[None].repeat(count, axis=0)], axis=2)
        system = rates @ rates.swapaxes(1, 2) + damping**2 * np.eye(3 * len(at))
        pull = np.linalg.solve(system, (places[:, at] - now[:, at]).reshape(count, -1, 1))
        step = (rates.swapaxes(1, 2) @ pull)[..., 0]
        roots = roots + step[:, -3:]
        for i, j in enumerate(free):
            above = world[:, skeleton.parents[j]] if j else np.broadcast_to(rot.IDENTITY, (count, 4))
            turn = rot.exp(rot.rotate(rot.inverse(above), step[:, 3 * i : 3 * i + 3]))
            turns[:, j] = rot.multiply(turn, turns[:, j])
    return misses(Poses(skeleton, roots, turns), truth, joints)
