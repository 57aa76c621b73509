"""A stretch of the life of one person or creature, of which a clip is cut."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from locomote import rotations as rot
from locomote.clips._clip import BoolArray, Clip, closed, events_of
from locomote.clips._travel import Travel
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray

STEP = 1.0 / 60.0  # s


class Mover(Protocol):
    """What people and creatures have in common."""

    @property
    def positions(self) -> FloatArray:
        """Where they are ``(N, 3)``, metres."""

    @property
    def headings(self) -> FloatArray:
        """Where they face ``(N,)``, radians."""

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""

    def step(self, dt: float) -> Poses:
        """Go on by so many seconds."""


@dataclass(frozen=True, eq=False)
class Footage:
    """Frames of one character, and which of them become the clip."""

    motion: Motion  # in the world
    travel: Travel
    planted: BoolArray  # (F, L)
    feet: tuple[str, ...]
    start: int
    frames: int  # of the clip, without its last one
    overlap: int = 0  # frames by which a loop comes out of what follows it; 0 for what is no loop

    @property
    def stands(self) -> BoolArray:
        """Which feet stand in the frames of the clip."""
        return self.planted[self.start : self.start + self.frames + 1]

    def cut(self, motion: Motion | None = None, scale: float = 1.0) -> Clip:
        """The clip, of this motion or of one that was made of it on a body of another size."""
        motion = self.motion if motion is None else motion
        first, last = self.start, self.start + self.frames + 1
        travel = self.travel.scaled(scale)
        in_place = replace(travel.taken_out(motion), name=self.motion.name)
        return Clip(
            closed(in_place, first, self.frames, self.overlap) if self.overlap else in_place[first:last],
            travel[first:last].from_start(),
            self.overlap > 0,
            tuple(name for name, down in zip(self.feet, self.stands[0], strict=True) if down),
            events_of(self.stands, self.feet, motion.fps, self.overlap > 0),
        )


M = TypeVar("M", bound=Mover)


@dataclass(frozen=True, eq=False)
class Camera(Generic[M]):
    """Films the first of a crowd."""

    crowd: M
    planted: Callable[[], BoolArray]  # which of its feet stand now (L,)
    motion_of: Callable[[FloatArray, FloatArray], Motion]  # from root positions (F, 3) and rotations (F, J, 4)
    feet: tuple[str, ...]

    def wait(self, seconds: float, finer: int = 1) -> None:
        """Let so much time pass, in frames of the engine."""
        frames = math.ceil(seconds / STEP - 1e-6)
        for _ in range(frames * finer):
            self.crowd.step(seconds / (frames * finer))

    def film(self, name: str, frames: int, dt: float, finer: int = 1) -> Footage:
        """So many frames after the present one, ``dt`` seconds apart; each may be made of several steps."""
        crowd = self.crowd
        roots, turns, places, yaws, planted = [], [], [], [], []
        for frame in range(frames + 1):
            for _ in range(finer if frame else 0):
                crowd.step(dt / finer)
            roots.append(crowd.poses.root_positions[0].copy())
            turns.append(crowd.poses.rotations[0].copy())
            places.append(crowd.positions[0] * [1.0, 0.0, 1.0])
            yaws.append(float(crowd.headings[0]))
            planted.append(self.planted().copy())
        motion = replace(self.motion_of(np.array(roots), np.array(turns)), name=name)
        travel = Travel(np.array(places), np.unwrap(np.array(yaws)))
        return Footage(motion, travel, np.array(planted), self.feet, 0, frames)


def whole_frames(seconds: float, fps: float) -> tuple[int, float]:
    """How many frames come nearest to a time, and how long (s) each must be to fill it."""
    frames = max(round(seconds * fps), 2)
    return frames, seconds / frames


def joined(before: Footage, after: Footage) -> Footage:
    """Two that follow one another: the last frame of one is the first of the other."""
    motion = after.motion
    return replace(
        after,
        motion=replace(
            motion,
            root_positions=np.concatenate([before.motion.root_positions[:-1], motion.root_positions]),
            rotations=rot.continuous(np.concatenate([before.motion.rotations[:-1], motion.rotations])),
        ),
        travel=Travel(
            np.concatenate([before.travel.places[:-1], after.travel.places]),
            np.unwrap(np.concatenate([before.travel.yaws[:-1], after.travel.yaws])),
        ),
        planted=np.concatenate([before.planted[:-1], after.planted]),
        frames=before.frames + after.frames,
    )


def until_still(footage: Footage, fastest: float, rest: float) -> Footage:
    """The footage up to so long (s) after all joints are slower than ``fastest`` (m/s) and all feet stand."""
    fps = footage.motion.fps
    moving = np.linalg.norm(np.diff(footage.motion.joint_positions(), axis=0), axis=-1).max(axis=1) * fps
    going = np.flatnonzero((moving > fastest) | ~footage.planted[1:].all(axis=1))
    last = (int(going[-1]) + 1 if len(going) else 0) + round(rest * fps)
    return replace(footage, frames=min(last, footage.frames))


def steadiest(footage: Footage, frames: int, first: int, last: int) -> tuple[float, int]:
    """Where between two frames a loop of so many frames is most like the one that follows it, and how unlike (m)."""
    in_place = footage.travel.taken_out(footage.motion).joint_positions()

    def unlike(at: int) -> float:
        own, later = in_place[at : at + frames + 1], in_place[at + frames : at + 2 * frames + 1]
        return float(np.abs(later - own).max())

    return min((unlike(at), at) for at in range(first, last - 2 * frames + 1, frames))


def calmest(footage: Footage, first: int, frames: int) -> int:
    """How many frames after ``first`` a cycle of so many frames is best cut: where velocities go on most evenly.

    There velocities are the same whether told from the frames before or from those after, and whoever mixes clips
    finds no landing at the seam.
    """
    at = first + np.arange(-3, frames + 3)
    places = footage.travel.taken_out(footage.motion).joint_positions()[at]
    # Derivatives of third order, from one side each.
    after = -11.0 * places[3:-3] + 18.0 * places[4:-2] - 9.0 * places[5:-1] + 2.0 * places[6:]
    before = 11.0 * places[3:-3] - 18.0 * places[2:-4] + 9.0 * places[1:-5] - 2.0 * places[:-6]
    return int(np.argmin(np.linalg.norm(after - before, axis=-1).max(axis=1)))
