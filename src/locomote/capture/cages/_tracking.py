"""A cage follows a body through a stream of hulls or meshes, frame after frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.capture.cages._energy import Fit, Pose
from locomote.capture.cages._evidence import Evidence
from locomote.capture.cages._prior import PosePrior
from locomote.capture.cages._reading import joints_of, motion_of
from locomote.capture.cages._rig import BoundPoints, CageRig, Quads
from locomote.capture.cages._settings import Settings
from locomote.capture.cages._starting import begin
from locomote.capture.cages._targets import Seen, Target
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

_FADE = 0.7  # of a velocity, from frame to frame without anything to see
_LOOK = 8  # frames by which poses to begin with are told apart
_AGAIN = 5  # frames without anything to see, after which the body is looked for anew
_DOUBTFUL = 3.0  # times the median cost: a frame that fits as badly is told


@dataclass(frozen=True, eq=False)
class Track:
    """A body that was followed."""

    rig: CageRig
    fps: float
    quads: Quads  # of F frames
    latents: FloatArray  # (F, q)
    costs: FloatArray  # (F,) mean cost of the compared points; nan in gaps
    used: npt.NDArray[np.bool_]  # (F, C) cameras that counted
    notes: tuple[str, ...] = ()  # what was missing or doubtful, and where

    @property
    def gaps(self) -> npt.NDArray[np.bool_]:
        """Frames in which there was nothing to be fitted to, ``(F,)``; the pose there is a guess."""
        return np.isnan(self.costs)

    @cached_property
    def motion(self) -> Motion:
        """A motion of the rig's skeleton, with bones as long as they are."""
        return motion_of(self.rig, self.quads, self.fps)

    def joints(self, by: str = "quads") -> FloatArray:
        """The joints of the skeleton, ``(F, J, 3)`` m.

        Parameters
        ----------
        by : "quads" (carried rigidly by their quads) or "green" (points in the cage, as the source has it)
        """
        if by not in ("quads", "green"):
            raise LocomoteError(f"by {by!r}: expected quads or green")
        return joints_of(self.rig, self.quads) if by == "quads" else self.rig.joints.posed(self.quads)

    def vertices(self, points: BoundPoints | None = None) -> FloatArray:
        """The skin in every frame, or another mesh in the same cage, ``(F, V, 3)`` m.

        Parameters
        ----------
        points : what `CageRig.bind` gave for another mesh
        """
        return (self.rig.skin if points is None else points).posed(self.quads)


class Tracker:
    """Follows a body through frames.

    Parameters
    ----------
    rig : of the body, as large as it is
    prior : which of its poses are likely
    settings : of the fits
    seed : of the choice of points on the skin
    """

    def __init__(self, rig: CageRig, prior: PosePrior, settings: Settings | None = None, seed: int = 0) -> None:
        self.rig, self.prior = rig, prior
        self.settings = Settings() if settings is None else settings
        self.fit = Fit(rig, prior, self.settings, seed)

    def follow(
        self,
        target: Target,
        fps: float,
        *,
        start: Quads | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Track:
        """The poses of a body in every frame.

        Parameters
        ----------
        target : `Hulls` or `Meshes`
        fps : frames a second
        start : quads of the first frame, ``(1, Q, ...)``; otherwise they are searched
        progress : called with how many frames are done, and of how many
        """
        frames = len(target)
        poses: list[Pose] = []
        costs, used = np.full(frames, np.nan), np.zeros((frames, target.sources), dtype=np.bool_)
        why: dict[int, str] = {}
        pose: Pose | None = None
        before: Pose | None = None
        lost = 0
        for frame in range(frames):
            begun = pose is None or lost >= _AGAIN
            if begun:
                known = start is not None and pose is None and frame == 0
                choices = [self._pose_of(start)] if known and start is not None else begin(self.fit, target, frame)
                begun = bool(choices)
                if choices:
                    (pose, before), lost = self._best(choices, target, frame), 0
            if pose is None:
                why[frame] = "nobody found yet"
            else:
                guess = pose if begun else self._ahead(pose, before, _FADE if lost else 1.0)
                seen = self._seen(guess, target, frame)
                used[frame] = seen.used
                if seen.evidence is None:
                    why[frame], lost = seen.why, lost + 1
                    before, pose = pose, guess
                else:
                    before, lost = before if begun else pose, 0
                    pose, costs[frame] = self._fitted(guess, seen.evidence)
                poses.append(pose)
            if progress is not None:
                progress(frame + 1, frames)
        if not poses:
            raise LocomoteError(f"nobody found in any of {frames} frames: {why[frames - 1]}")
        poses = [poses[0]] * (frames - len(poses)) + poses
        return self._track(poses, fps, costs, used, why)

    def _seen(self, guess: Pose, target: Target, frame: int) -> Seen:
        return target.seen(frame, self.fit.points(guess, 4), self.settings.voxel)

    def _best(self, choices: list[Pose], target: Target, frame: int) -> tuple[Pose, Pose | None]:
        """Which of some poses of a frame goes best through the next ones.

        As it is seen when coming back from there, and where it was a frame before.
        """
        last = min(frame + _LOOK, len(target)) - 1
        ways = [self._through(pose, [], target, range(frame, last + 1)) for pose in choices]
        path = min(ways, key=lambda way: way[1])[0]
        if len(path) < 3:
            return (path or choices)[0], None
        back, _ = self._through(path[-1], path[:-3:-1], target, range(frame + len(path) - 3, frame - 1, -1))
        return back[-1], self._ahead(back[-1], back[-2], 1.0 / max(self.settings.carried, 1e-9))

    def _through(self, guess: Pose, path: list[Pose], target: Target, frames: range) -> tuple[list[Pose], float]:
        """A path that goes on through frames, forth or back, while there is something to see; and what these cost."""
        out, total = list(path), 0.0
        for frame in frames:
            if out:
                guess = self._ahead(out[-1], out[-2] if len(out) > 1 else None, 1.0)
            seen = self._seen(guess, target, frame)
            if seen.evidence is None:
                break
            pose, cost = self._fitted(guess, seen.evidence)
            out.append(pose)
            total += cost
        return out, total

    def _fitted(self, guess: Pose, seen: Evidence) -> tuple[Pose, float]:
        settings = self.settings
        pose, _ = self.fit.latent_fit(guess, seen, settings.rounds[0], steady=settings.steady)
        if settings.local:
            pose, _ = self.fit.local_fit(pose, seen, settings.rounds[1])
        return pose, self.fit.cost(pose, seen)

    def _ahead(self, pose: Pose, before: Pose | None, fade: float) -> Pose:
        """Where the body is expected next: it goes on as it went, pelvis and latent point: so legs do not swap."""
        if before is None:
            return pose._replace(state=self.fit.latent.state(pose.latent))
        share = self.settings.carried * fade
        turn = rot.multiply(pose.turn, rot.inverse(before.turn))
        latent = pose.latent + share * (pose.latent - before.latent)
        return Pose(
            pose.place + share * (pose.place - before.place),
            rot.normalize(rot.multiply(rot.exp(share * rot.log(turn)), pose.turn)),
            latent,
            self.fit.latent.state(latent),
        )

    def _pose_of(self, quads: Quads) -> Pose:
        state = self.prior.states.rows(quads)[0]
        return Pose(quads.places[0, 0], quads.turns[0, 0], self.fit.latent.place(state), state)

    def _track(
        self, poses: list[Pose], fps: float, costs: FloatArray, used: npt.NDArray[np.bool_], why: dict[int, str]
    ) -> Track:
        rows, places, turns = (np.array([getattr(p, name) for p in poses]) for name in ("state", "place", "turn"))
        quads = self.prior.states.quads(rows, places, turns)
        notes = (
            [f"frames {_ranges(list(why))}: nothing to fit to ({why[min(why)]}); poses there are guesses"]
            if why
            else []
        )
        seen = np.flatnonzero(~np.isnan(costs))
        bad = seen[costs[seen] > _DOUBTFUL * np.median(costs[seen])] if len(seen) else seen
        if len(bad):
            notes.append(f"frames {_ranges(bad.tolist())}: the body fits badly")
        for c in range(used.shape[1]) if used.shape[1] > 1 else ():
            out = seen[~used[seen, c]]
            if len(out):
                notes.append(f"camera {c}: left out in {len(out)} of {len(used)} frames ({_ranges(out.tolist())})")
        latents = np.array([p.latent for p in poses])
        return Track(self.rig, fps, quads, latents, costs, used, tuple(notes))


def _ranges(frames: list[int]) -> str:
    """Numbers as 3-7, 12, 20-31; at most four ranges of them."""
    parts: list[list[int]] = []
    for frame in sorted(frames):
        if parts and frame == parts[-1][1] + 1:
            parts[-1][1] = frame
        else:
            parts.append([frame, frame])
    said = [str(a) if a == b else f"{a}-{b}" for a, b in parts[:4]]
    return ", ".join(said) + (", ..." if len(parts) > 4 else "")
