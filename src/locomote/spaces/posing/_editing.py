"""Clips that are edited by dragging single joints at single moments; the rest of the body and of the clip follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._chains import joint_index
from locomote.motion import Motion, checked_motion
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.spaces._handles import Handle
from locomote.spaces._pose_space import PoseSpace
from locomote.spaces._reaching import Reach
from locomote.spaces.posing._database import PoseDatabase

DIRECTIONS = 30  # of the space of all recorded poses: 97 % of how they differ
PULL = Reach(smooth=3e-5, prior=1e-6)  # the clip is a start, not a wish: what is dragged goes all the way
STAY = 0.05  # weight of the hips, the head and the hands that nobody drags, so that they give way only where they must
EASE = 0.1  # s at the ends of a window, over which the edited clip becomes the old one


@dataclass(frozen=True, eq=False)
class Drag:
    """A joint that is dragged somewhere at one moment of a clip.

    Parameters
    ----------
    joint
        By name or number.
    time
        s from the first frame.
    position
        Where it shall be then, (3,) in the world, m.
    window
        s before and after it, within which the clip gives way.
    """

    joint: str | int
    time: float
    position: ArrayLike
    window: float = 0.5

    def __post_init__(self) -> None:
        if not (np.isfinite(self.window) and self.window > 0.0):
            raise LocomoteError(f"drag of {self.joint}, window {self.window}: expected a time above 0, s")
        place = np.asarray(self.position, dtype=np.float64)
        if place.shape != (3,) or not np.isfinite(place).all():
            raise LocomoteError(f"drag of {self.joint}, position: expected three numbers, m")


def pose_space(body: Motion | Skeleton, database: PoseDatabase | None = None, k: int = DIRECTIONS) -> PoseSpace:
    """The space of all poses of a database on some body, that edits are made in.

    Parameters
    ----------
    body : with two legs: its skeleton, or a motion of it, as for `PoseDatabase.onto`
    database : of recorded poses; those that come with the package unless given
    k : directions
    """
    poses = (database or PoseDatabase.default()).onto(body)
    return PoseSpace.fit(Motion(poses.skeleton, 30.0, poses.root_positions, poses.rotations), k=k)


def edit(
    motion: Motion,
    drags: Sequence[Drag],
    *,
    space: PoseSpace | None = None,
    hold: Sequence[str | int] | None = None,
) -> Motion:
    """The clip with joints dragged elsewhere; before and after the windows it is the old one, to the bit.

    Parameters
    ----------
    motion
        The clip.
    drags
        What is dragged where, and when; several at once or after each other.
    space
        Of the poses that the body may take, see `pose_space`, which is used without it.
    hold
        Joints that keep their way meanwhile, by name or number; the feet that are not dragged unless given.
    """
    motion = checked_motion(motion, "edit")
    if not drags:
        return motion
    space = space or pose_space(motion)
    moved = {joint_index(motion.skeleton, drag.joint) for drag in drags}
    held = _feet(motion.skeleton, moved) if hold is None else {joint_index(motion.skeleton, joint) for joint in hold}
    roles = motion.skeleton.roles
    loose = {0, *(arm.wrist for arm in roles.arms)} | (set() if roles.head is None else {roles.head})
    for drag in drags:
        if not 0.0 <= drag.time <= motion.duration:
            raise LocomoteError(
                f"drag of {drag.joint} at {drag.time:g} s: the motion lasts from 0 to {motion.duration:g} s"
            )
    away = np.min([np.abs(motion.times - drag.time) / drag.window for drag in drags], axis=0)
    frames = np.flatnonzero(away < 1.0)
    out = motion
    for span in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1):
        part = motion[int(span[0]) : int(span[-1]) + 1]
        places = part.joint_positions()
        handles = [Handle(j, position=places[:, j] + _give(motion, drags, j, span)) for j in sorted(moved)]
        handles += [Handle(j, position=places[:, j]) for j in sorted(held - moved)]
        handles += [Handle(j, position=places[:, j], weight=STAY) for j in sorted(loose - held - moved)]
        reached = space.reach(handles, part, root="free", settings=PULL).pose
        out = _with_part(out, reached.root_positions, reached.rotations, span)
    return out


def _feet(skeleton: Skeleton, moved: set[int]) -> set[int]:
    """The joints at the ankles and the balls of the feet that nobody drags."""
    feet = [{leg.ankle, leg.ball} for leg in skeleton.roles.legs if moved.isdisjoint(leg.chain)]
    return set().union(*feet)


def _give(motion: Motion, drags: Sequence[Drag], joint: int, frames: IntArray) -> FloatArray:
    """How far a joint is dragged in each frame, (F, 3): all of its drags are met, and it eases in and out."""
    own = [drag for drag in drags if joint_index(motion.skeleton, drag.joint) == joint]
    moments = np.array([drag.time for drag in own])
    windows = np.array([drag.window for drag in own])
    at = np.rint(moments * motion.fps).astype(int)
    wanted = np.array([drag.position for drag in own]) - motion.joint_positions()[at, joint]
    # Where windows overlap, each drag has a share in the others: as much of each as meets all of them.
    shares = _bump((at[:, None] / motion.fps - moments) / windows)
    amounts = np.linalg.lstsq(shares, wanted, rcond=None)[0]
    out: FloatArray = _bump((frames[:, None] / motion.fps - moments) / windows) @ amounts
    return out


def _bump(away: FloatArray) -> FloatArray:
    """1 in the middle of a window, 0 at its ends and beyond, with two smooth derivatives."""
    out: FloatArray = np.maximum(1.0 - away * away, 0.0) ** 3
    return out


def _with_part(motion: Motion, roots: FloatArray, rotations: FloatArray, frames: IntArray) -> Motion:
    """The motion with some frames changed; at the ends of them it eases from the old ones into the new ones."""
    steps = np.arange(1, len(frames) + 1) / motion.fps
    # A clip that begins or ends within the window has nothing to ease into there.
    since = steps if frames[0] > 0 else np.inf
    until = steps[::-1] if frames[-1] < len(motion) - 1 else np.inf
    share = np.clip(np.minimum(since, until) / EASE, 0.0, 1.0) * np.ones(len(frames))
    share = share * share * (3.0 - 2.0 * share)
    places, turns = motion.root_positions.copy(), motion.rotations.copy()
    places[frames] += share[:, None] * (roots - places[frames])
    turns[frames] = rot.slerp(turns[frames], rotations, np.broadcast_to(share[:, None], turns[frames].shape[:2]))
    return replace(motion, root_positions=places, rotations=turns)
