"""Feet that stand still while a motion is played, on any skeleton: frame by frame, not knowing what comes (PCA-092).

`clean` knows the whole clip and does better; this is for players, whose next frame nobody has seen.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._legs import BoolArray, knee_hinges, reach
from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton, checked_skeleton

LEG = 0.9  # m; lengths below are of such a leg and grow with it, speeds and times with its root
LOW, HIGH = 0.045, 0.055  # m over where a foot touches, below which it may come to stand, and above which it is let go
SLOW, FAST = 0.45, 0.75  # m/s along the ground: slower it comes to stand, faster it is let go
FORGETS = 0.02  # m/s by which the level at which a foot touches may rise again
FARTHEST = 0.16  # m that a foot is held from where the motion has it: farther it is let go,
STRETCHED = 0.998  # of its length, to which a leg may be pulled for it
RETURN = 0.07  # s in which a foot that was let go is half way back


class LiveFeet:
    """Holds the feet of bodies on one skeleton where they come to stand, as they are played.

    A foot that is low and slow is held by its ball along the ground until it rises, hurries off or its leg would be
    pulled straight; then it returns to the motion, without a jump. Heights, and all but the legs, stay as played.

    Parameters
    ----------
    skeleton : any that has legs which end in feet of their own
    count : bodies that are played together

    >>> import locomote as lm
    >>> clip = lm.samples.performer(speed=1.2, seconds=1.0).motion
    >>> feet = LiveFeet(clip.skeleton)
    >>> for k in range(len(clip)):
    ...     played = lm.Poses(clip.skeleton, clip.root_positions[k : k + 1], clip.rotations[k : k + 1])
    ...     shown = feet.step(played, 1.0 / clip.fps)
    >>> feet.standing.shape
    (1, 2)
    """

    def __init__(self, skeleton: Skeleton, count: int = 1) -> None:
        skeleton = checked_skeleton(skeleton, "LiveFeet")
        legs = skeleton.roles.legs
        if not legs:
            raise LocomoteError("LiveFeet: no legs are found in this skeleton; give it roles")
        if any(leg.detached_foot is not None or leg.ankle == leg.knee for leg in legs):
            raise LocomoteError("LiveFeet: feet apart from their legs, or none: only `clean` holds those")
        if count < 1:
            raise LocomoteError(f"LiveFeet: count {count}, expected one body or more")
        self.skeleton, self.legs = skeleton, legs
        shape = (count, len(legs))
        self._size = skeleton.leg_length() / LEG
        self._standing: BoolArray = np.zeros(shape, dtype=np.bool_)
        self._places = np.zeros((*shape, 3))  # of the balls, where they are held
        self._offsets, self._rates = np.zeros((*shape, 3)), np.zeros((*shape, 3))  # m, m/s, from the motion
        self._touch = np.full(shape, np.inf)  # m, the height of the ball at which a foot touches
        self._before: FloatArray | None = None  # the balls one frame ago
        self._hinges = np.zeros((len(legs), 3))

    @property
    def standing(self) -> BoolArray:
        """Which feet are held, ``(N, L)``."""
        return self._standing.copy()

    def step(self, poses: Poses, dt: float) -> Poses:
        """The poses of the next frame, with feet that stand where they stood.

        Parameters
        ----------
        poses : (N) as the motion has them
        dt : s since the last ones
        """
        if not 0.0 < dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds above 0")
        motion = self._checked(poses)
        places = motion.joint_positions()
        balls = places[:, [leg.ball for leg in self.legs]]
        before = balls if self._before is None else self._before
        speeds = (balls - before) / dt
        self._hinges += knee_hinges(motion, self.legs)
        self._decide(balls, speeds, self._reachable(places, balls), dt)
        self._before = balls
        hinges = self._hinges / np.maximum(np.linalg.norm(self._hinges, axis=1, keepdims=True), 1e-12)
        ankles = places[:, [leg.ankle for leg in self.legs]]
        turned = reach(motion, self.legs, ankles + self._offsets, hinges).rotations
        moved = np.any(self._offsets != 0.0, axis=(1, 2))[:, None, None]
        out: FloatArray = np.where(moved, rot.canonical(turned), poses.rotations)
        return replace(poses, rotations=out, known_positions=None)

    def reset(self) -> None:
        """Let go of all feet at once, as for bodies that were put elsewhere."""
        self._standing[:] = False
        self._offsets[:] = self._rates[:] = 0.0
        self._before = None

    def _checked(self, poses: Poses) -> Motion:
        """The poses as a motion of so many frames: what the legs take."""
        count = len(self._standing)
        if poses.skeleton.names != self.skeleton.names or len(poses) != count:
            raise LocomoteError(f"LiveFeet: expected {count} poses on its skeleton, got {len(poses)}")
        if poses.scales is not None or poses.offsets is not None:
            raise LocomoteError("LiveFeet: bodies of other sizes than their skeleton; make feet for each size")
        return Motion(self.skeleton, 1.0, poses.root_positions, poses.rotations)

    def _reachable(self, places: FloatArray, balls: FloatArray) -> BoolArray:
        """Whether each leg reaches where its foot would be held."""
        out = np.ones(self._standing.shape, dtype=np.bool_)
        for k, leg in enumerate(self.legs):
            hip, knee, ankle = (places[:, j] for j in (leg.hip, leg.knee, leg.ankle))
            length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
            off = self._places[:, k] - balls[:, k]
            off[:, 1] = 0.0
            far = np.linalg.norm(ankle + off - hip, axis=1)
            out[:, k] = far < np.maximum(STRETCHED * length, np.linalg.norm(ankle - hip, axis=1))
        return out

    def _decide(self, balls: FloatArray, speeds: FloatArray, reachable: BoolArray, dt: float) -> None:
        """Who comes to stand and who is let go; by how much every foot is off the motion now."""
        size, pace = self._size, math.sqrt(self._size)
        self._touch = np.minimum(self._touch + FORGETS * dt, balls[..., 1])
        height = balls[..., 1] - self._touch
        along = np.hypot(speeds[..., 0], speeds[..., 2])
        known = self._before is not None
        comes = ~self._standing & (height < LOW * size) & (along < SLOW * pace) & known
        off = self._places - balls
        far = np.hypot(off[..., 0], off[..., 2]) > FARTHEST * size
        goes = self._standing & ((height > HIGH * size) | (along > FAST * pace) | far | ~reachable)
        held = self._standing & ~goes
        # What was let go returns like a spring that does not swing, with the rate that it has.
        w = 1.68 / (RETURN * pace)
        decay, push = math.exp(-w * dt), self._rates + w * self._offsets
        free = (self._offsets + push * dt) * decay
        rates = (self._rates - w * push * dt) * decay
        off[..., 1] = 0.0
        self._rates = np.where(held[..., None], (off - self._offsets) / dt, rates)
        self._offsets = np.where(held[..., None], off, free)
        self._offsets[..., 1] = self._rates[..., 1] = 0.0
        self._places = np.where(comes[..., None], balls + self._offsets, self._places)
        self._standing = held | comes
