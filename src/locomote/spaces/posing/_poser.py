"""Bodies that follow a few handles as recorded people would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote.errors import LocomoteError, SkeletonError
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.spaces._handles import Handle, handle_arrays, number_of_poses
from locomote.spaces.posing._database import PoseDatabase

if TYPE_CHECKING:
    from locomote.spaces._kernels.bundles import HandleArrays
    from locomote.spaces._kernels.posing_bundles import DatabaseArrays, PosedArrays, Posing, PosingWork, RigArrays

NEAREST = 96  # recorded poses that say how a body follows; fewer know less, more blur
FLOOR = 0.3  # weight of the height above the ground beside a handle
TOLERANCE = 1e-3  # of what a pose costs: a smaller gain ends the search


class Posed(NamedTuple):
    """Bodies that hold their handles as well as they can."""

    pose: Motion | Poses
    error: FloatArray  # (N, H) of each handle: m of a position, rad of a rotation or a look
    rounds: IntArray  # (N,) made


@dataclass(frozen=True)
class Poser:
    """Poses bodies by handles: the recorded poses nearest to the handles say how all other joints follow.

    Parameters
    ----------
    database
        Recorded poses on the body's own skeleton, see `PoseDatabase.onto`.
    ground
        Height of the ground, m, above which poses prefer to be as they were recorded; None where it is not known.
    miss
        m by which a handle of weight 1 may miss, if the pose is one deviation more likely then.
    stay
        How much the ends of a body count where they were before, beside a handle of weight 1.
    lag
        0 to 1: how far a pose is drawn to the one before.
    rounds
        At most.
    """

    database: PoseDatabase
    ground: float | None = 0.0
    miss: float = 0.001
    stay: float = 0.7
    lag: float = 0.85
    rounds: int = 60

    def __post_init__(self) -> None:
        if not (np.isfinite(self.miss) and self.miss > 0.0):
            raise LocomoteError(f"miss {self.miss}: expected a length above 0, m")
        if not (np.isfinite(self.stay) and self.stay >= 0.0):
            raise LocomoteError(f"stay {self.stay}: expected a number of 0 or more")
        if not 0.0 <= self.lag <= 1.0:
            raise LocomoteError(f"lag {self.lag}: expected a number from 0 to 1")
        if self.rounds < 1:
            raise LocomoteError(f"rounds {self.rounds}: expected at least 1")

    def solve(self, handles: Sequence[Handle], previous: Motion | Poses | None = None) -> Posed:
        """Poses that hold handles, each found for itself.

        Parameters
        ----------
        handles
            What is held, on any joints, and where; one target each, or N for N poses.
        previous
            The poses before, one or N, from which the new ones shall differ little. Without them, the body faces and
            stands wherever suits the handles.
        """
        count = max(number_of_poses(handles), 1 if previous is None else len(previous))
        return self._run(handles, np.arange(count + 1), previous)

    def follow(self, handles: Sequence[Handle], fps: float, previous: Motion | Poses | None = None) -> Posed:
        """A motion whose frames hold handles, one after the other.

        Parameters
        ----------
        handles
            What is held, on any joints, and where; one target for each frame.
        fps
            Frames a second.
        previous
            The pose before the first frame.
        """
        found = self._run(handles, np.array([0, number_of_poses(handles)]), previous)
        pose = found.pose
        return found._replace(pose=Motion(pose.skeleton, fps, pose.root_positions, pose.rotations))

    def _run(self, handles: Sequence[Handle], starts: IntArray, previous: Motion | Poses | None) -> Posed:
        from locomote.spaces._kernels.pose_map import pose_bodies

        job = prepared(self.database, handles, starts, previous, NEAREST)
        posing = settings(self.ground, self.miss, self.stay, self.lag, self.rounds)
        pose_bodies(starts, previous is not None, job.handles, job.rig, job.database, posing, job.out, job.work)
        return Posed(Poses(self.database.skeleton, job.out.roots, job.out.turns), job.out.errors, job.out.rounds)


class Job(NamedTuple):
    """What kernels that pose bodies take."""

    handles: HandleArrays
    database: DatabaseArrays
    rig: RigArrays
    out: PosedArrays
    work: PosingWork


def settings(ground: float | None, miss: float, stay: float, lag: float, rounds: int) -> Posing:
    """How strongly things draw, as kernels take it."""
    from locomote.spaces._kernels.posing_bundles import Posing

    return Posing(miss, stay, ground or 0.0, 0.0 if ground is None else FLOOR, lag, rounds, TOLERANCE)


def prepared(
    known: PoseDatabase, handles: Sequence[Handle], starts: IntArray, previous: Motion | Poses | None, nearest: int
) -> Job:
    """What kernels take, for sequences of poses that begin at ``starts``."""
    from locomote.spaces._kernels.posing_bundles import PosedArrays, posing_work

    count, skeleton = int(starts[-1]), known.skeleton
    asked = handle_arrays(skeleton, handles, count)
    database, rig = known.arrays
    soles = {a for joint in rig.soles.tolist() for a in skeleton.ancestors(joint)} - {0}
    asked = asked._replace(moved=np.array(sorted(soles.union(asked.moved.tolist())), dtype=np.int64))
    out = PosedArrays(
        np.zeros((count, 3)),
        np.zeros((count, len(skeleton), 4)),
        np.zeros((count, len(handles))),
        np.zeros(count, dtype=np.int64),
    )
    if previous is not None:
        if previous.rotations.shape[1:] != out.turns.shape[1:] or len(previous) not in (1, len(starts) - 1):
            raise SkeletonError(
                f"previous: {previous.rotations.shape[:2]} poses and joints, expected 1 or {len(starts) - 1} "
                f"on the {len(skeleton)} joints of the database"
            )
        out.roots[starts[:-1]], out.turns[starts[:-1]] = previous.root_positions, previous.rotations
    return Job(asked, database, rig, out, posing_work(database, rig, len(handles), min(nearest, len(known))))
