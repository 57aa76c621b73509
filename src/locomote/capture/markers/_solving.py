"""Poses under the springs of their markers: whole clips as one band, and live frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.capture.markers._gaps import Gap, gaps_of
from locomote.capture.markers._subject import PERSON, Subject, head_level
from locomote.capture.markers._tables import Attached
from locomote.errors import LocomoteError
from locomote.formats.opensim import Markers
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray

if TYPE_CHECKING:
    from locomote.capture.markers._kernels.bundles import Found, Joints, MarkerArrays, Pulls

RATE = 120.0  # frames a second at which ``smooth`` is stated
PIECE, OVERLAP = 512, 48  # frames of a clip that are solved at once, and of those that are solved again with the next
LEAST = 3  # markers in a frame that tell where a body is
_FIRMER = 10.0  # times as stiff as limbs are backs and tails
_DOUBTFUL = 0.08  # of the size of a body: markers that are further off on the mean are hardly its own
_CAP = 0.5  # rad, of a round
_MARCH, _LIVE = 3, 2  # rounds of a frame that begins where the last one ended


@dataclass(frozen=True)
class Springs:
    """What draws beside the springs of markers.

    Turns count by the square of how far they move the farthest marker that a joint carries, so that toes are as free as
    hips and a rat is as stiff as a person; all are shares of a spring of stiffness 1.

    Parameters
    ----------
    smooth
        For each change from frame to frame at 120 frames a second; what bridges gaps.
    prior
        For each turn of a joint away from the usual pose; small, or joints that are seen well are held back as well.
    limits
        For each turn of a joint beyond its limit; what is left of it at the end is cut off. 0 for no limits.
    loose
        Share of the body's size; a marker that is further off than this counts for less. 0: all alike.
    rounds
        At most.
    tolerance
        The search ends when a round gains less than this share of what is left.
    """

    smooth: float = 1e-3
    prior: float = 1e-6
    limits: float = 1.0
    loose: float = 0.0
    rounds: int = 30
    tolerance: float = 1e-4

    def __post_init__(self) -> None:
        for name in ("smooth", "prior", "limits", "loose", "tolerance"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise LocomoteError(f"{name} {value}: expected a number of 0 or more")
        if self.rounds < 1:
            raise LocomoteError(f"rounds {self.rounds}: expected at least 1")


class Solved(NamedTuple):
    """What was found."""

    motion: Motion
    error: FloatArray  # (F, M) m from each marker to its point on the body; NaN where it was not seen
    gaps: tuple[Gap, ...]  # where markers, or parts of the body, were not seen
    rounds: int  # of the frame that took most
    notes: tuple[str, ...] = ()

    @property
    def rms(self) -> float:
        """Root mean square of the errors, m."""
        return float(np.sqrt(np.nanmean(self.error**2)))


def solve(
    markers: Markers,
    subject: Subject,
    attached: Attached,
    settings: Springs | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solved:
    """The motion of a body from markers: every frame at once, gaps bridged.

    Parameters
    ----------
    markers
        F frames; what is NaN was not seen.
    subject
        Whose motion it is.
    attached
        Where the markers sit on it; markers of the file that it does not name are left out.
    settings
        Smoothness, limits, rounds.
    progress
        Called with frames done and frames in all.
    """
    told = Springs() if settings is None else settings
    attached, seen = seen_by(markers, attached)
    enough = np.sum(np.isfinite(seen[..., 0]), axis=1) >= LEAST
    if not enough.any():
        raise LocomoteError(f"no frame has {LEAST} known markers at once: nothing to solve")
    body = BodyArrays.of(subject, attached)
    pulls = body.pulls(told, markers.fps)
    first = int(np.argmax(enough))
    found = body.found(len(seen), *start_pose(subject, attached, seen[first]))
    springs = body.springs(seen)
    _solve_pieces(body.joints, springs, pulls, found, progress)
    found.errors[np.isnan(seen[..., 0])] = np.nan
    motion = Motion(subject.skeleton, markers.fps, found.roots, rot.canonical(found.turns), body=subject.body)
    if subject.name == PERSON and subject.skeleton.index("head") not in attached.joints:
        motion = head_level(motion)
    gaps = gaps_of(seen, attached, subject)
    notes = [] if first == 0 else [f"{first} frames at the beginning have fewer than {LEAST} markers"]
    solved = Solved(motion, found.errors, gaps, int(found.rounds.max()))
    if solved.rms > _DOUBTFUL * subject.size():
        notes.append(f"doubtful: markers are {solved.rms:.2g} m off on a body of {subject.size():.2g} m; is it theirs?")
    return solved._replace(notes=tuple(notes))


class Solver:
    """Markers as they come, frame by frame.

    Parameters
    ----------
    subject
        Whose motion it is.
    attached
        Where the markers sit on it: frames come in this order.
    fps
        Frames a second.
    settings
        Smoothness and limits.

    Examples
    --------
    >>> from locomote.capture import markers, stage
    >>> import locomote as lm
    >>> walk = lm.samples.performer(speed=1.3, seconds=0.1).motion
    >>> seen, attached = stage.markers(walk)
    >>> solver = markers.Solver(markers.subject(walk), attached, seen.fps)
    >>> solver.step(seen.positions[0]).joint_positions().shape
    (1, 31, 3)
    """

    def __init__(self, subject: Subject, attached: Attached, fps: float, settings: Springs | None = None) -> None:
        from locomote.capture.markers._kernels import bundles

        self.subject, self.attached = subject, attached
        told = Springs() if settings is None else settings
        self._body = BodyArrays.of(subject, attached)
        self._pulls = self._body.pulls(told, fps)._replace(march=_LIVE)
        self._fps = fps
        self._found: Found | None = None
        self._springs = self._body.springs(np.full((1, len(attached), 3), np.nan))
        self._memory = bundles.memory(self._body.joints, 1)

    def step(self, positions: ArrayLike) -> Motion:
        """The pose of the next frame.

        Parameters
        ----------
        positions
            ``(M, 3)`` m; NaN for markers that are not seen. Without any the body stays as it is.
        """
        from locomote.capture.markers._kernels.solver import solve_frames

        seen = np.asarray(positions, dtype=np.float64)
        if seen.shape != (len(self.attached), 3):
            raise LocomoteError(f"expected {len(self.attached)} markers (x, y, z), got {seen.shape}")
        linked = self._found is not None
        if self._found is None:
            if np.sum(np.isfinite(seen[:, 0])) < LEAST:
                raise LocomoteError(f"the first frame needs {LEAST} known markers or more")
            self._found = self._body.found(1, *start_pose(self.subject, self.attached, seen))
        found = self._found
        self._springs.seen[0] = seen
        solve_frames(0, 1, linked, self._body.joints, self._springs, self._pulls, found, self._memory)
        found.before_root[0], found.before[0] = found.roots[0], found.turns[0]
        return Motion(self.subject.skeleton, self._fps, found.roots.copy(), found.turns.copy())

    @property
    def error(self) -> FloatArray:
        """How far each marker is from its point on the body, ``(M,)`` m, in the last frame."""
        if self._found is None:
            raise LocomoteError("no frame was solved yet")
        return np.where(np.isnan(self._springs.seen[0, :, 0]), np.nan, self._found.errors[0])


def seen_by(markers: Markers, attached: Attached) -> tuple[Attached, FloatArray]:
    """The attached markers that a file has, in one order, and where they are, ``(F, M, 3)``."""
    rows = [k for k, name in enumerate(attached.names) if name in markers.names]
    if not rows:
        raise LocomoteError(f"none of the markers of the body are in the file, which has {', '.join(markers.names)}")
    kept = attached.without([name for name in attached.names if name not in markers.names])
    seen = np.array(markers.positions[:, [markers.names.index(name) for name in kept.names]])
    seen[~np.isfinite(seen).all(axis=2)] = np.nan
    return kept, seen


def start_pose(subject: Subject, attached: Attached, seen: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where the root is ``(3,)`` and local rotations ``(J, 4)``: the usual pose laid onto the markers of one frame."""
    turns = subject.usual()
    rest = Motion(subject.skeleton, 1.0, np.zeros((1, 3)), turns[None])
    places, world = (array[0] for array in rest.world())
    known = places[attached.joints] + rot.rotate(world[attached.joints], attached.points)
    good = np.isfinite(seen[:, 0])
    # What sits near the root says most: limbs may be anywhere.
    far = np.linalg.norm(known[good] - places[0], axis=1)
    weights = (0.05 + attached.stiffness[good]) / (0.1 * subject.size() + far) ** 2
    weights /= weights.sum()
    middle, aim = weights @ known[good], weights @ seen[good]
    u, _, vt = np.linalg.svd((seen[good] - aim).T @ (weights[:, None] * (known[good] - middle)))
    turn = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt  # a rotation, never a mirror
    turns[0] = rot.multiply(rot.from_matrix(turn), turns[0])
    return aim + turn @ (places[0] - middle), turns


@dataclass(frozen=True, eq=False)
class BodyArrays:
    """A body and its markers as kernels take them."""

    subject: Subject
    attached: Attached
    joints: Joints

    @staticmethod
    def of(subject: Subject, attached: Attached) -> BodyArrays:
        from locomote.capture.markers._kernels.bundles import Joints
        from locomote.ik._limits import limits_for

        skeleton = subject.skeleton
        count = len(skeleton)
        moved = np.zeros(count, dtype=bool)  # joints that markers tell something of
        for joint in np.unique(attached.joints).tolist():
            moved[skeleton.ancestors(joint)] = True
        kinds = np.array([subject.kind(j) if moved[j] else 0 for j in range(count)])
        kinds[0] = 3
        first = np.concatenate([[3], 3 + np.cumsum(kinds)[:-1]])
        paths = []
        for j in range(count):
            above = [0, 1, 2]
            for a in reversed(skeleton.ancestors(j)):
                above += list(range(first[a], first[a] + kinds[a]))
            paths.append(above)
        columns = np.zeros((count, max(map(len, paths))), dtype=np.int64)
        for j, path in enumerate(paths):
            columns[j, : len(path)] = path
        limits = limits_for(skeleton, range(count), dict(subject.limits))
        free = (limits.swing >= np.pi) & (limits.twist[:, 0] <= -np.pi) & (limits.twist[:, 1] >= np.pi)
        limited = np.flatnonzero((kinds > 0) & ~free & (np.arange(count) > 0))
        owners = np.concatenate([[0, 0, 0], np.repeat(np.arange(count), kinds)])
        lengths = np.array([len(path) for path in paths])
        return BodyArrays(
            subject,
            attached,
            Joints(
                np.array(skeleton.parents),
                np.array(skeleton.offsets),
                kinds.astype(np.int64),
                first.astype(np.int64),
                np.array(limits.axes),
                limits.packed(),
                limited.astype(np.int64),
                columns,
                lengths,
                owners.astype(np.int64),
            ),
        )

    def pulls(self, told: Springs, fps: float) -> Pulls:
        from locomote.capture.markers._kernels.bundles import Pulls

        size = self.subject.size()
        reach = self._reaches()[self.joints.owners] ** 2
        smooth = told.smooth * (fps / RATE) ** 2 * reach
        smooth[:3] = told.smooth * (fps / RATE) ** 2
        prior = told.prior * reach
        firm = [self.subject.skeleton.index(name) for name in self.subject.firm]
        prior[np.isin(self.joints.owners, firm)] *= _FIRMER
        prior[:6] = 0.0
        return Pulls(smooth, prior, told.limits * size**2, told.loose * size, _CAP, told.rounds, _MARCH, told.tolerance)

    def _reaches(self) -> FloatArray:
        """How far from each joint the farthest marker is that it carries ``(J,)``, m, in the usual pose."""
        skeleton, attached = self.subject.skeleton, self.attached
        rest = Motion(skeleton, 1.0, np.zeros((1, 3)), self.subject.usual()[None])
        places, world = (array[0] for array in rest.world())
        points = places[attached.joints] + rot.rotate(world[attached.joints], attached.points)
        out = np.zeros(len(skeleton))
        for joint, point in zip(attached.joints.tolist(), points, strict=True):
            above = skeleton.ancestors(joint)
            out[above] = np.maximum(out[above], np.linalg.norm(point - places[above], axis=1))
        return out

    def springs(self, seen: FloatArray) -> MarkerArrays:
        from locomote.capture.markers._kernels import bundles

        one = self.attached
        arrays = one.joints.astype(np.int64), np.array(one.points), np.array(one.stiffness), np.ascontiguousarray(seen)
        return bundles.MarkerArrays(*arrays)

    def found(self, frames: int, root: FloatArray, turns: FloatArray) -> Found:
        from locomote.capture.markers._kernels.bundles import Found

        return Found(
            np.tile(root, (frames, 1)),
            np.tile(turns, (frames, 1, 1)),
            self.subject.usual(),
            root[None].copy(),
            turns[None].copy(),
            np.zeros((frames, len(self.attached))),
            np.zeros(frames, dtype=np.int64),
        )


def _solve_pieces(
    joints: Joints,
    springs: MarkerArrays,
    pulls: Pulls,
    found: Found,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Solve a clip piece by piece, each coupled to where the one before it was left."""
    from locomote.capture.markers._kernels import bundles
    from locomote.capture.markers._kernels.solver import solve_frames

    count = len(found.roots)
    memory = bundles.memory(joints, min(count, PIECE + OVERLAP))
    for first in range(0, count, PIECE):
        last = min(first + PIECE + OVERLAP, count)
        if first > 0:
            found.before_root[0], found.before[0] = found.roots[first - 1], found.turns[first - 1]
        solve_frames(first, last, first > 0, joints, springs, pulls, found, memory)
        if progress is not None:
            progress(last, count)
        if last == count:
            break
