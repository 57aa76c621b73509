"""A clip as the tracks of its root and five ends in a pose space: small, editable, and decoded by reaching (PGA-12).

The encoder of the published table, kept for comparison and for editing: what it drops of the poses does not come back.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.spaces._handles import Handle
from locomote.spaces._lifting import decimated, refined
from locomote.spaces._pose_space import PoseSpace
from locomote.spaces._reaching import Reach
from locomote.spaces._statistics import Variance

MAGIC = b"LMT1"
HEAD = struct.Struct("<4sIfBBBB")  # magic, frames, frames a second, directions, ends, levels dropped of root and ends
DECODING = Reach(smooth=1e-3, prior=1e-4, limits=0.0)


@dataclass(frozen=True, eq=False)
class Tracks:
    """A clip by its pose space and the decimated tracks of its root and of the ends of its limbs and head."""

    space: PoseSpace
    fps: float
    frames: int
    ends: tuple[int, ...]  # joints
    drops: tuple[int, int]  # levels dropped of the root and of the ends: each halves what is stored
    root_rotations: FloatArray  # (n, 4)
    root_positions: FloatArray  # (n, 3) m
    end_positions: FloatArray  # (e, E, 3) m, in the world

    @classmethod
    def encode(cls, motion: Motion, k: int, drops: tuple[int, int] = (3, 3), ends: Sequence[int] = ()) -> Tracks:
        """The tracks of a clip.

        Parameters
        ----------
        motion : any with two arms, legs and a head
        k : directions of its pose space
        drops : levels dropped of the root and of the ends
        ends : joints whose tracks are kept; head, wrists and ankles without them
        """
        motion = checked_motion(motion, "Tracks.encode")
        roles = motion.skeleton.roles
        if not ends:
            head = () if roles.head is None else (roles.head,)
            ends = (*head, *(arm.wrist for arm in roles.arms), *(leg.ankle for leg in roles.legs))
        if min(drops) < 0 or 2 ** max(drops) > len(motion):
            raise LocomoteError(f"levels to drop {drops}: {len(motion)} frames have fewer")
        joints = range(1, len(motion.skeleton))
        places = motion.joint_positions()[:, list(ends)]
        return cls(
            PoseSpace.fit(motion, k, joints=joints, metric="angle"),
            motion.fps,
            len(motion),
            tuple(int(j) for j in ends),
            drops,
            decimated(motion.rotations[:, 0], drops[0]),
            decimated(motion.root_positions, drops[0]),
            decimated(places, drops[1]),
        )

    @property
    def numbers(self) -> int:
        """How many numbers are stored: mean and directions of the space, and the tracks."""
        model = (len(self.space) + 1) * 3 * len(self.space.skeleton)
        return model + 6 * len(self.root_positions) + self.end_positions.size

    @property
    def ratio(self) -> float:
        """The numbers of the clip, three angles a joint and the place of the root, over those stored."""
        return self.frames * 3 * (len(self.space.skeleton) + 1) / self.numbers

    def decode(self, settings: Reach = DECODING, *, exact: bool = False) -> Motion:
        """The clip: the root along its track, and poses of the space that reach for the ends.

        Parameters
        ----------
        settings : how the poses reach
        exact : bend arms and legs so that hands and feet are on their tracks, where they can
        """
        space = self.space
        turns = space.rotations(np.zeros((self.frames, len(space))))
        turns[:, 0] = refined(self.root_rotations, self.frames, self.drops[0])
        roots = refined(self.root_positions, self.frames, self.drops[0])
        places = self.end_places()
        handles = [Handle(joint, places[:, e]) for e, joint in enumerate(self.ends)]
        start = Motion(space.skeleton, self.fps, roots, turns)
        found = space.reach(handles, start, settings=settings, exact=exact).pose
        assert isinstance(found, Motion)
        return found

    def end_places(self) -> FloatArray:
        """The tracks of the ends in all frames, ``(F, E, 3)`` m."""
        return refined(self.end_positions, self.frames, self.drops[1])

    def to_bytes(self) -> bytes:
        """The clip as 32-bit numbers after a head of 16 bytes; the skeleton is not among them."""
        space = self.space
        head = HEAD.pack(MAGIC, self.frames, self.fps, len(space), len(self.ends), *self.drops)
        # Directions are orthonormal: multiplied by their deviations they tell both.
        arrays = (
            rot.log(space.mean_rotations),
            space.directions * space.deviations[:, None, None],
            rot.log(self.root_rotations),
            self.root_positions,
            self.end_positions,
        )
        return head + bytes(self.ends) + b"".join(array.astype("<f4").tobytes() for array in arrays)

    @classmethod
    def from_bytes(cls, data: bytes, skeleton: Skeleton) -> Tracks:
        """The clip that `to_bytes` told.

        Parameters
        ----------
        data : all of it
        skeleton : that it was encoded on
        """
        if len(data) < HEAD.size or data[:4] != MAGIC:
            raise LocomoteError("not the bytes of tracks, or not all of them")
        _, frames, fps, k, ends, *drops = HEAD.unpack_from(data)
        joints = len(skeleton)
        kept = [-(-frames // 2**drop) for drop in drops]
        shapes = [(joints, 3), (k, joints, 3), (kept[0], 3), (kept[0], 3), (kept[1], ends, 3)]
        told = data[HEAD.size + ends :]
        numbers = np.frombuffer(told, dtype="<f4") if len(told) % 4 == 0 else np.empty(0, dtype="<f4")
        cuts = np.cumsum([int(np.prod(shape)) for shape in shapes])
        if len(numbers) != cuts[-1] or not np.isfinite(numbers).all():
            raise LocomoteError(f"tracks of {frames} frames of {joints} joints: damaged, or of another skeleton")
        parts = np.split(np.asarray(numbers, dtype=np.float64), cuts[:-1])
        mean, scaled, turns, roots, places = (p.reshape(s) for p, s in zip(parts, shapes, strict=True))
        deviations = np.sqrt(np.sum(scaled**2, axis=(1, 2)))
        space = PoseSpace(
            skeleton,
            rot.exp(mean),
            scaled / np.maximum(deviations, 1e-30)[:, None, None],
            deviations,
            np.ones(joints),
            np.zeros((joints, 3)),
            np.zeros((joints, 3, 3)),
            Variance(deviations**2 / max(float(np.sum(deviations**2)), 1e-300), float(np.sum(deviations**2))),
        )
        where = tuple(data[HEAD.size : HEAD.size + ends])
        if any(not 0 < joint < joints for joint in where):
            raise LocomoteError("tracks of joints that the skeleton does not have")
        return cls(space, fps, frames, where, (drops[0], drops[1]), rot.exp(turns), roots, places)
