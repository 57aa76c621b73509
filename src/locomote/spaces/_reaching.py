"""Natural inverse kinematics: bodies hold their handles in poses like those that were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locomote import ik
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.spaces._handles import Handle, handle_arrays, number_of_poses

if TYPE_CHECKING:
    from locomote.spaces._kernels.bundles import BodyArrays, HandleArrays, Pull, SpaceArrays
    from locomote.spaces._pose_space import PoseSpace

RATE = 120.0  # frames a second at which ``smooth`` is stated
PIECE = 1024  # frames of a clip that are solved at once
OVERLAP = 64  # frames that are solved again with the next piece, so that none ends without knowing what comes
ROOTS = ("keep", "free")


@dataclass(frozen=True)
class Reach:
    """How bodies reach: what counts beside a handle that misses by a metre.

    Coordinates are in deviations of the recorded ones. For poses decoded from few tracks ten times the pulls of
    ``smooth`` and ``prior`` keep nearer to the recorded ones.

    Parameters
    ----------
    smooth
        m², for each deviation of change from frame to frame at 120 frames a second.
    prior
        m², for each deviation from the start, or from the mean pose without one.
    limits
        m, for a joint at twice the size of the ellipsoid of what was recorded of it; 0 without limits.
    rounds
        At most.
    tolerance
        The search ends when a round gains less than this share of what is left.
    form
        "sum" or "product", as for `PoseSpace.rotations`; limits hold in the sum form only.
    """

    smooth: float = 3e-5
    prior: float = 1e-5
    limits: float = 0.02
    rounds: int = 20
    tolerance: float = 1e-3
    form: str = "sum"

    def __post_init__(self) -> None:
        for name in ("smooth", "prior", "limits", "tolerance"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise LocomoteError(f"{name} {value}: expected a number of 0 or more")
        if self.rounds < 1:
            raise LocomoteError(f"rounds {self.rounds}: expected at least 1")
        if self.form not in ("sum", "product"):
            raise LocomoteError(f"form {self.form!r}: expected one of sum, product")


class Reached(NamedTuple):
    """Bodies that hold their handles as well as they can."""

    pose: Motion | Poses
    coordinates: FloatArray  # (N, k) rad
    error: FloatArray  # (N, H) of each handle: m of a position, rad of a rotation or a look
    rounds: IntArray  # (N,) made


def reach(
    space: PoseSpace,
    handles: Sequence[Handle],
    start: Motion | Poses | None,
    previous: ArrayLike | None,
    root: str,
    settings: Reach,
    exact: bool,
) -> Reached:
    """The work of `PoseSpace.reach`."""
    from locomote.spaces._kernels import bundles

    if root not in ROOTS:
        raise LocomoteError(f"root {root!r}: expected one of {', '.join(ROOTS)}")
    if start is None:
        start = space.pose(np.zeros((number_of_poses(handles), len(space))))
    skeleton, count, k = _skeleton(start), len(start), len(space)
    asked = handle_arrays(skeleton, handles, count)
    told = _space_arrays(space, skeleton)
    scale = np.maximum(space.deviations, 1e-9 * max(float(space.deviations.max()), 1e-300))
    unknowns = k + (6 if root == "free" else 0)
    body = _body_arrays(space, start, scale, unknowns, len(handles))
    fps = start.fps if isinstance(start, Motion) else RATE
    pull = bundles.Pull(
        settings.smooth * (fps / RATE) ** 2,
        settings.prior,
        settings.limits if settings.form == "sum" else 0.0,
        settings.rounds,
        settings.tolerance,
        settings.form == "product",
        previous is not None,
    )
    if previous is not None:
        last = np.broadcast_to(space.checked_coordinates(previous), (count, k))
        first = slice(0, 1) if isinstance(start, Motion) else slice(None)
        body.before[:, :k] = (last / scale - body.centre[:, :k])[first]
        body.x[first, :k] = last[first] / scale
    if isinstance(start, Motion):
        _solve_pieces(told, asked, body, pull)
    else:
        _solve(np.arange(count + 1), told, asked, body, pull)
    coordinates = np.ascontiguousarray(body.x[:, :k] * scale)
    pose = _with_coordinates(space, start, coordinates, body, settings.form)
    error = body.errors
    if exact:
        pose, error = _finish(pose, asked, body.errors)
    return Reached(pose, coordinates, error, body.rounds)


def _solve(starts: IntArray, told: SpaceArrays, asked: HandleArrays, body: BodyArrays, pull: Pull) -> None:
    from locomote.spaces._kernels import bundles
    from locomote.spaces._kernels.reach import reach as solve

    memory = bundles.work(len(told.parents), body.x.shape[1], int(np.diff(starts).max()))
    solve(starts, told, asked, body, pull, memory)


def _solve_pieces(told: SpaceArrays, asked: HandleArrays, body: BodyArrays, pull: Pull) -> None:
    """Solve a clip piece by piece, each coupled to where the one before it was left."""
    count = len(body.x)
    for first in range(0, count, PIECE):
        last = min(first + PIECE + OVERLAP, count)
        part = slice(first, last)
        if first > 0:
            body.before[0] = body.x[first - 1] - body.centre[first - 1]
        views = body._replace(
            **{name: getattr(body, name)[part] for name in body._fields if name != "before"}, before=body.before
        )
        handles = asked._replace(targets=asked.targets[part], weights=asked.weights[part])
        _solve(np.array([0, last - first]), told, handles, views, pull._replace(linked=pull.linked or first > 0))
        if last == count:
            break


def _space_arrays(space: PoseSpace, skeleton: Skeleton) -> SpaceArrays:
    from locomote.spaces._kernels.bundles import SpaceArrays

    scale = np.maximum(space.deviations, 1e-9 * max(float(space.deviations.max()), 1e-300))
    return SpaceArrays(
        np.array(skeleton.parents),
        np.array(skeleton.offsets),
        space.mean_rotations,
        np.ascontiguousarray(space.by_joint * scale),
        space.limit_centres,
        space.limit_matrices,
        np.flatnonzero(np.any(space.directions != 0.0, axis=(0, 2))),
    )


def _skeleton(start: Motion | Poses) -> Skeleton:
    """The skeleton whose bones are moved; joints that move against their parents are not."""
    if isinstance(start, Motion) and start.translations is not None:
        raise LocomoteError("start: its joints move against their parents; a space turns joints only")
    if isinstance(start, Poses) and (start.offsets is not None or start.scales is not None):
        raise LocomoteError("start: poses with sizes or bones of their own; reach on the skeleton of one of them")
    return start.skeleton


def _body_arrays(space: PoseSpace, start: Motion | Poses, scale: FloatArray, unknowns: int, handles: int) -> BodyArrays:
    from locomote.spaces._kernels.bundles import BodyArrays

    count, k = len(start), len(space)
    rotations = space.rotations_of(start)
    centre = np.zeros((count, unknowns))
    coordinates = space.coordinates(rotations)
    centre[:, :k] = coordinates / scale
    details = rot.multiply(rot.inverse(space.rotations(coordinates)), rotations)
    details[:, 0] = rot.IDENTITY
    return BodyArrays(
        np.array(start.root_positions, dtype=np.float64),
        np.array(rotations[:, 0]),
        details,
        centre,
        np.zeros((1 if isinstance(start, Motion) else count, unknowns)),
        centre.copy(),
        np.zeros((count, handles)),
        np.zeros(count, dtype=np.int64),
    )


def _with_coordinates(
    space: PoseSpace, start: Motion | Poses, coordinates: FloatArray, body: BodyArrays, form: str
) -> Motion | Poses:
    from locomote.spaces._kernels.normal_equations import ROOT_SHIFT, ROOT_TURN

    turns = rot.multiply(space.rotations(coordinates, form), body.details)
    roots, turns[:, 0] = body.roots, body.turns
    k = len(space)
    if body.x.shape[1] > k:
        turns[:, 0] = rot.multiply(turns[:, 0], rot.exp(ROOT_TURN * body.x[:, k : k + 3]))
        roots = roots + ROOT_SHIFT * body.x[:, k + 3 :]
    if isinstance(start, Motion):
        return replace(start, root_positions=roots, rotations=turns)
    return Poses(start.skeleton, roots, turns)


def _finish(pose: Motion | Poses, asked: HandleArrays, error: FloatArray) -> tuple[Motion | Poses, FloatArray]:
    """Bend limbs until points held at their ends, or below, are where they shall be; hands and feet keep their turn."""
    skeleton, error = pose.skeleton, error.copy()
    roles = skeleton.roles
    limbs = [(leg.ankle, leg) for leg in roles.legs] + [(arm.wrist, arm) for arm in roles.arms]
    for h, joint in enumerate(asked.joints.tolist()):
        limb = next((limb for end, limb in limbs if end in skeleton.ancestors(joint)), None)
        if asked.kinds[h] != 0 or limb is None:
            continue
        places, turns = _world(pose)
        end = limb.ankle if hasattr(limb, "ankle") else limb.wrist
        tip = places[:, joint] + rot.rotate(turns[:, joint], asked.points[h])
        share = np.where(asked.weights[:, h] > 0.0, 1.0, 0.0)[:, None]
        goal = places[:, end] + share * (asked.targets[:, h, :3] - tip)
        pose = ik.two_bone(pose, limb, goal, rotation="keep").pose
        places, turns = _world(pose)
        tip = places[:, joint] + rot.rotate(turns[:, joint], asked.points[h])
        error[:, h] = np.linalg.norm(tip - asked.targets[:, h, :3], axis=1)
    return pose, error


def _world(pose: Motion | Poses) -> tuple[FloatArray, FloatArray]:
    return (
        pose if isinstance(pose, Motion) else Motion(pose.skeleton, RATE, pose.root_positions, pose.rotations)
    ).world()
