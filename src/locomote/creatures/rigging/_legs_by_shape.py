"""Which chains of a skeleton at rest are its legs, by shape alone: they leave the middle plane and reach the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.creatures.rigging._mapping import RigLimb
from locomote.errors import SkeletonError
from locomote.roles import names as say
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

OFF_PLANE = 0.02  # of the width; a joint farther from the mirror plane belongs to one side
LOWEST = 0.25  # of the height; the tip of a leg is not higher above the lowest point
DROP = 0.15  # of the height; a leg falls at least so far from its highest joint to its tip
PARTNER = 0.06  # of the diagonal; how far the mirrored tip of a leg may be from that of its partner
HANGING = 0.1  # of its length; in a pose that stands a leg falls at least so far from its highest joint to its tip
UNDECIDED = 0.01  # of the diagonal; with both mirror errors below it, front and back look alike
X, Y, Z = range(3)


@dataclass(frozen=True)
class Plane:
    """The mirror plane of a body: the horizontal axis across it, where it stands, and what counts as off it."""

    axis: int  # X or Z
    middle: float
    margin: float

    def side(self, point: FloatArray) -> int:
        """1 and -1 on the two sides of the plane, 0 on it."""
        across = float(point[self.axis]) - self.middle
        return 0 if abs(across) <= self.margin else int(np.sign(across))

    def mirrored(self, point: FloatArray) -> FloatArray:
        """The image of a point."""
        out = point.copy()
        out[self.axis] = 2.0 * self.middle - out[self.axis]
        return out


@dataclass(frozen=True)
class _Chain:
    """A leg that may be one: its joints with the leaf, and its tip in the world."""

    limb: RigLimb
    joints: tuple[int, ...]  # those of the limb, and the joint at its tip if there is one
    tip: FloatArray
    side: int


def find_plane(skeleton: Skeleton, forward: FloatArray | None = None) -> Plane:
    """The mirror plane of the rest pose; ``forward`` decides where it is known."""
    points = _points(skeleton)
    errors = {axis: _mirror_error(points, axis) for axis in (X, Z)}
    axis = min(errors, key=lambda a: errors[a][0])
    diagonal = max(float(np.linalg.norm(np.ptp(points, axis=0))), 1e-12)
    if forward is not None:
        axis = X if abs(forward[Z]) >= abs(forward[X]) else Z
    elif max(error for error, _ in errors.values()) < UNDECIDED * diagonal:
        axis = _named_axis(skeleton, points)
    width = float(np.ptp(points[:, axis]))
    return Plane(axis, errors[axis][1], max(OFF_PLANE * width, 1e-6 * diagonal))


def _points(skeleton: Skeleton) -> FloatArray:
    """Joints and end sites in the world."""
    positions, turns = skeleton.rest_pose()
    at = skeleton.end_parents
    return np.concatenate([positions, positions[at] + rot.rotate(turns[at], skeleton.end_offsets)])


def _mirror_error(points: FloatArray, axis: int) -> tuple[float, float]:
    """How far the mirrored points are from the nearest point, on average, and the best place of the plane."""
    across = points[:, axis]
    places = {float(across[0]), float(across.mean()), 0.5 * float(across.min() + across.max())}
    results = []
    for middle in sorted(places):
        mirrored = points.copy()
        mirrored[:, axis] = 2.0 * middle - across
        apart = np.linalg.norm(points[:, None] - mirrored[None], axis=-1).min(axis=1)
        results.append((float(apart.mean()), middle))
    error, middle = min(results)
    if np.ptp(across) <= 1e-6 * max(float(np.ptp(points, axis=0).max()), 1e-12):
        error = np.inf  # a flat body is its own mirror image
    return error, middle


def _named_axis(skeleton: Skeleton, points: FloatArray) -> int:
    """The axis along which left and right by name lie apart; across the body's usual +Z without names."""
    sides = np.array([{"left": 1.0, "right": -1.0}.get(say.side(name), 0.0) for name in skeleton.names])
    if not sides.any():
        return X
    apart = np.abs(sides @ points[: len(sides)])
    return X if apart[X] >= apart[Z] else Z


def find_legs(skeleton: Skeleton, plane: Plane) -> list[RigLimb]:
    """All legs of a rest pose; an empty list where there are none."""
    points = _points(skeleton)
    floor = float(points[:, Y].min())
    height = max(float(np.ptp(points[:, Y])), 1e-12)
    diagonal = float(np.linalg.norm(np.ptp(points, axis=0)))
    positions = points[: len(skeleton)]
    lowest: dict[int, _Chain] = {}
    for chain in _chains(skeleton, points, plane):
        hip = chain.joints[0]
        if hip not in lowest or chain.tip[Y] < lowest[hip].tip[Y] - 1e-9 * height:
            lowest[hip] = chain
    reach_down = [
        chain
        for chain in lowest.values()
        if chain.tip[Y] - floor <= LOWEST * height
        and _fall(chain, positions) >= max(DROP * height, HANGING * chain.limb.length(skeleton))
        and len(chain.joints) >= 2
    ]
    return [
        chain.limb
        for chain in reach_down
        if any(
            other.side == -chain.side and np.linalg.norm(plane.mirrored(other.tip) - chain.tip) <= PARTNER * diagonal
            for other in reach_down
        )
    ]


def _fall(chain: _Chain, positions: FloatArray) -> float:
    return float(positions[list(chain.joints), Y].max() - chain.tip[Y])


def _chains(skeleton: Skeleton, points: FloatArray, plane: Plane) -> list[_Chain]:
    """For every leaf on one side: the way up to the last joint that is still on that side."""
    count = len(skeleton)
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    inner = set(parents.tolist())
    out = []
    for leaf in range(len(points)):
        side = plane.side(points[leaf])
        if leaf in inner or side == 0:
            continue
        path: list[int] = [leaf]
        hip = 1  # how much of the path belongs to the leg
        while (above := int(parents[path[-1]])) > 0 and plane.side(points[above]) in (side, 0):
            path.append(above)
            if plane.side(points[above]) == side:
                hip = len(path)  # a leg may come back to the plane below its hip, but not where it branches
            elif np.count_nonzero(parents == above) > 1:
                break
        path = path[:hip][::-1]
        if len(path) < 2:
            continue
        offset = skeleton.end_offsets[leaf - count] if leaf >= count else skeleton.offsets[leaf]
        joints = tuple(path if leaf < count else path[:-1])
        out.append(_Chain(RigLimb(tuple(path[:-1]), offset), joints, points[leaf], side))
    return out


def no_legs(skeleton: Skeleton, name: str) -> SkeletonError:
    """What to say of a body without legs."""
    return SkeletonError(
        f"{name}: no legs were found by its shape (pairs of chains that reach the floor in the rest pose); name them "
        f"with legs=[(hip, tip), ...]; the joints are: {', '.join(skeleton.names)}"
    )
