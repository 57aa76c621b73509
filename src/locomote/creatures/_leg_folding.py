"""How the legs of a creature fold, worked out once from its rest pose and the limits of its joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.creatures._kernels.model import TABLE, Folds
from locomote.creatures._morphology import CreatureLeg, Morphology
from locomote.errors import SkeletonError
from locomote.rotations import FloatArray

STRAIGHT = 0.02  # rad; a joint bent less than this does not say in which sense it folds
FLAT = 0.04  # of a leg's length that it must be bent by to lie in a plane of its own
HALFWAY = 401  # folds tried on the way from straight to wholly folded
HINGED = (0.7, 1.3)  # rad, the least and greatest cone of a hip made of hinges
MARGIN = 0.03  # rad within the cone of a hip in which feet are planned
FIRST = 2.0  # times as fast as evenly, from rest on, bends the joint that bends first; it ends at rest
SHARES = (1.0, 0.75, 0.5, 0.25)  # of how much sooner it does
REACHES = 0.02  # of its length that a leg may reach less far, or fold less, than one whose joints bend evenly
PLAY = 1e-4  # of a leg's length by which another try must be nearer to count as further folded


class _Plane(NamedTuple):
    """A leg in the plane in which it folds."""

    axes: FloatArray  # (3, 3) rows
    bones: FloatArray  # (K, 3)
    bends: FloatArray  # (K, 2)
    leads: FloatArray  # (K, 2)


def fold_legs(
    morphology: Morphology, legs: Sequence[CreatureLeg] | None = None, takes: Sequence[FloatArray | None] | None = None
) -> Folds:
    """The packed legs of a creature, or parts of them, for `locomote.creatures._kernels.leg_fold`.

    ``takes`` are rotation vectors of the joints of each leg, in their own frames, that say which of them bend first to
    lift its foot; without them all bend evenly, each over the room it has.
    """
    legs = morphology.legs if legs is None else legs
    count, most = len(legs), max(len(leg.joints) for leg in legs)
    turns = morphology.rest_pose[1]
    parents = morphology.skeleton.parents
    folds = Folds(
        counts=np.array([len(leg.joints) for leg in legs], dtype=np.int64),
        joints=np.zeros((count, most), dtype=np.int64),
        hips=morphology.hips - morphology.centre,
        axes=np.zeros((count, 3, 3)),
        bones=np.zeros((count, most, 3)),
        bends=np.zeros((count, most, 2)),
        leads=np.ones((count, most, 2)),
        spans=np.zeros((count, 2)),
        table=np.zeros((count, TABLE)),
        drops=morphology.hips[:, 1] - morphology.rest_feet[:, 1],
        cones=np.array([_cone(leg) for leg in legs]),
        aims=np.cos([max(_cone(leg) - MARGIN, 0.5 * _cone(leg)) for leg in legs]),
        ways=np.zeros((count, TABLE, 3)),
        hip_parents=np.zeros((count, 4)),
        hip_turns=np.zeros((count, 4)),
        rests=np.tile(rot.IDENTITY, (count, most, 1)),
        hinges=np.zeros((count, most, 3)),
    )
    for f, leg in enumerate(legs):
        chain = list(leg.joints)
        k = len(chain)
        plane = _plane_of(morphology, leg)
        hinges = rot.rotate(rot.inverse(turns[chain]), plane.axes[2])
        own = None if takes is None else takes[f]
        if own is not None:
            plane = plane._replace(leads=_leads(leg, plane, np.einsum("ki,ki->k", hinges, own[:k])))
        parent = parents[chain[0]]
        folds.joints[f, :k] = chain
        folds.axes[f], folds.bones[f, :k], folds.bends[f, :k], folds.leads[f, :k] = plane
        folds.hip_parents[f] = rot.inverse(turns[parent]) if parent >= 0 else rot.IDENTITY
        folds.hip_turns[f] = turns[chain[0]]
        folds.rests[f, :k] = morphology.skeleton.rest_rotations[chain]
        folds.hinges[f, :k] = hinges
        folds.spans[f], folds.table[f], folds.ways[f] = _table(leg, plane, TABLE)
    return folds


def _plane_of(morphology: Morphology, leg: CreatureLeg) -> _Plane:
    """The plane of a leg, its bones there and how far each joint folds."""
    positions, turns = morphology.rest_pose
    chain = list(leg.joints)
    tip = positions[chain[-1]] + rot.rotate(turns[chain[-1]], leg.tip)
    points = np.concatenate([positions[chain], tip[None]])
    bones = np.diff(points, axis=0)
    normal = _normal_of(points, bones)
    along = tip - points[0]
    along -= (along @ normal) * normal
    along = along / np.linalg.norm(along) if np.any(along) else np.cross(normal, [0.0, 0.0, 1.0])
    axes = np.stack([along, np.cross(normal, along), normal])
    flat = bones @ axes.T
    bends = np.zeros((len(chain), 2))
    angles = np.unwrap(np.arctan2(flat[:, 1], flat[:, 0]))
    turned = np.concatenate([[0.0], np.diff(angles)])
    turned = (turned + np.pi) % (2.0 * np.pi) - np.pi
    # Joints that are straight at rest fold against the one before them, or the next one that is bent, as knee and
    # ankle do.
    bent = np.flatnonzero(np.abs(turned) > STRAIGHT)
    sense = float(np.sign(turned[bent[0]])) * (-1.0) ** int(bent[0]) if len(bent) else 0.0
    for k in range(1, len(chain)):
        low, high = _hinge_range(leg, k, rot.rotate(rot.inverse(turns[chain[k]]), normal))
        against = -sense if sense else 1.0
        if max(against * low, against * high) < STRAIGHT:
            against = -against  # its limits leave it the other way only
        sense = float(np.sign(turned[k])) if abs(turned[k]) > STRAIGHT else against
        bends[k, 0] = np.clip(-turned[k], low, high)
        bends[k, 1] = high if sense > 0.0 else low
    return _Plane(axes, flat, bends, np.ones_like(bends))


def _leads(leg: CreatureLeg, plane: _Plane, takes: FloatArray) -> FloatArray:
    """How much sooner than evenly each joint bends ``(K, 2)``, for the turns of joints that lift the foot, rad.

    From rest on joints turn in proportion to these, as long as none turns back; what a joint has left it turns later.
    """
    tip = np.cumsum(plane.bones[::-1, :2], axis=0)[::-1]  # from each joint to the tip
    shorter = np.sum((tip[0, 0] * tip[:, 1] - tip[0, 1] * tip[:, 0]) * takes)
    sign = 1.0 if shorter >= 0.0 else -1.0  # lifting a foot may be drawing out its leg
    room = plane.bends * (-1.0, 1.0)
    shares = np.where(np.abs(room) > STRAIGHT, sign * takes[:, None] / np.where(room == 0.0, 1.0, room), 0.0)
    shares[0] = 0.0
    first = shares.max(axis=0)
    told = np.where(first > 0.0, FIRST * np.maximum(shares, 0.0) / np.where(first > 0.0, first, 1.0), 1.0)
    evenly = _table(leg, plane, TABLE)[0]
    for share in SHARES:  # legs reach as far as they do evenly
        leads: FloatArray = 1.0 + share * (told - 1.0)
        span = _table(leg, plane._replace(leads=leads), TABLE)[0]
        if np.all(np.abs(span - evenly) < REACHES * evenly[1]):
            return leads
    return np.ones_like(told)


def _normal_of(points: FloatArray, bones: FloatArray) -> FloatArray:
    """The axis about which a leg folds. Knees of straight ones go up, or forwards where legs hang down."""
    length = float(np.linalg.norm(bones, axis=1).sum())
    if not length > 0.0:
        raise SkeletonError("a leg without any length cannot walk")
    _, strength, directions = np.linalg.svd(points - points.mean(axis=0))
    along = points[-1] - points[0]
    if len(points) > 2 and strength[1] > FLAT * length:
        return np.asarray(directions[2])
    level = np.array([along[0], 0.0, along[2]])
    if np.linalg.norm(level) > 0.25 * length:
        normal = np.cross([0.0, 1.0, 0.0], along)
    else:
        normal = np.array([1.0, 0.0, 0.0])
        normal -= (normal @ along) / (along @ along) * along
    out: FloatArray = normal / np.linalg.norm(normal)
    return out


def _cone(leg: CreatureLeg) -> float:
    """How far the hip may turn from rest. Hinges in a row, as of robots, are taken as the ball that they make up."""
    if leg.limits.swing[0] > 0.0:
        return float(leg.limits.swing[0])
    return float(np.clip(np.abs(leg.limits.twist[:2]).max(), *HINGED))


def _hinge_range(leg: CreatureLeg, k: int, axis: FloatArray) -> tuple[float, float]:
    """How far a joint may turn about the axis of the fold, given in its own frame."""
    low, high = leg.limits.twist[k]
    if leg.limits.swing[k] > 0.0:
        swing = float(leg.limits.swing[k])
        return -swing, swing
    return (low, high) if leg.limits.axes[k] @ axis >= 0.0 else (-high, -low)


def _table(leg: CreatureLeg, plane: _Plane, size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The nearest and farthest distance of the tip, and folds and directions for distances evenly between."""
    folds = np.linspace(-1.0, 1.0, 2 * HALFWAY - 1)
    share, leads = np.abs(folds)[:, None], plane.leads
    low, high = (share * plane.bends[:, k] * (leads[:, k] + (1.0 - leads[:, k]) * share) for k in (0, 1))
    amounts = np.where(folds[:, None] < 0.0, low, high)
    angles = np.cumsum(amounts, axis=1)
    x = np.sum(np.cos(angles) * plane.bones[:, 0] - np.sin(angles) * plane.bones[:, 1], axis=1)
    y = np.sum(np.sin(angles) * plane.bones[:, 0] + np.cos(angles) * plane.bones[:, 1], axis=1)
    far = np.sqrt(x * x + y * y + plane.bones[:, 2].sum() ** 2)
    # From rest on as far as the distance goes on rising one way and falling the other.
    middle = HALFWAY - 1
    play = PLAY * float(np.linalg.norm(plane.bones, axis=1).sum()) / HALFWAY
    first = middle
    while first > 0 and far[first - 1] > far[first] + play:
        first -= 1
    last = middle
    while last < len(far) - 1 and far[last + 1] < far[last] - play:
        last += 1
    if last - first < 2:
        raise SkeletonError(f"leg {leg.name!r} cannot fold: its joints do not change how far its foot is")
    span = np.array([far[last], far[first]])
    wanted = np.linspace(span[0], span[1], size)
    kept = slice(last, first - 1 if first > 0 else None, -1)  # from near to far
    aside = np.full(len(far), plane.bones[:, 2].sum())
    ways = np.stack([np.interp(wanted, far[kept], each[kept]) for each in (x, y, aside)], axis=1) @ plane.axes
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return span, np.interp(wanted, far[kept], folds[kept]), ways
