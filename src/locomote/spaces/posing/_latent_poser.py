"""Bodies posed by handles in the latent space of a Gaussian process, as the method was published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.spaces._handles import Handle, number_of_poses
from locomote.spaces.posing._database import PoseDatabase
from locomote.spaces.posing._latent import LatentModel
from locomote.spaces.posing._poser import Job, Posed, prepared, settings

if TYPE_CHECKING:
    from locomote.spaces._kernels.posing_bundles import Posing

ROUNDS = 4  # times that the model is looked at anew, at the pose found
STEP = 0.3  # of the latent points' deviation, that one look is good for
_LEAST = 1e-6  # of the largest slope, for latent directions that move nothing


@dataclass(frozen=True, eq=False)
class LatentPoser:
    """Poses bodies by handles with a `LatentModel` of recorded poses in place of the nearest ones.

    Parameters
    ----------
    database
        The poses of the model, in its order, on the body's own skeleton.
    model
        Fitted to ``database.vectors``.
    ground, miss, rounds
        As for `Poser`.
    """

    database: PoseDatabase
    model: LatentModel
    ground: float | None = 0.0
    miss: float = 0.001
    rounds: int = 60

    def __post_init__(self) -> None:
        if len(self.model.latents) != len(self.database):
            raise LocomoteError(
                f"model: fitted to {len(self.model.latents)} poses, expected the {len(self.database)} of the database"
            )

    def solve(self, handles: Sequence[Handle]) -> Posed:
        """Poses that hold handles, each found for itself.

        Parameters
        ----------
        handles : what is held, on any joints, and where; one target each, or N for N poses
        """
        from locomote.spaces._kernels.pose_map import pose_bodies

        count = number_of_poses(handles)
        starts = np.arange(count + 1)
        job = prepared(self.database, handles, starts, None, len(self.model.latents[0]))
        alone = prepared(self.database, handles, starts, None, 1).work
        posing = settings(self.ground, self.miss, 0.0, 0.0, self.rounds)
        for n in range(count):
            # The nearest pose alone, turned and shifted, says where the root is and where in the latent space to start.
            one, still = starts[n : n + 2], posing._replace(rounds=0)
            pose_bodies(one, False, job.handles, job.rig, job.database, still, job.out, alone)
            self._search(n, int(alone.near[0]), alone.root, job, posing)
        return Posed(Poses(self.database.skeleton, job.out.roots, job.out.turns), job.out.errors, job.out.rounds)

    def _search(self, n: int, nearest: int, root: FloatArray, job: Job, posing: Posing) -> None:
        from locomote.spaces._kernels.pose_map import pose_as_expected
        from locomote.spaces._kernels.posing_bundles import ROOT

        x, work = self.model.latents[nearest].copy(), job.work
        spread = STEP * self.model.latents.std(axis=0)
        place = root.copy()
        for _ in range(ROUNDS):
            pose, variance = self.model.predict(x)
            slopes, _ = self.model.jacobian(x)
            work.expected[ROOT:], work.root[:] = pose, place
            work.spread[:ROOT], work.spread[ROOT:] = 0.0, slopes * spread
            loose = np.full(len(work.expected), np.sqrt(variance))
            loose[:ROOT] = job.rig.loose[:ROOT]
            pose_as_expected(n, job.handles, job.rig._replace(loose=loose), posing, job.out, work)
            place[:3], place[3:] = job.out.roots[n], job.out.turns[n, 0]
            square = slopes.T @ slopes
            square += _LEAST * np.trace(square) * np.eye(len(x))
            x = x + np.linalg.solve(square, slopes.T @ work.off[0, ROOT:])
