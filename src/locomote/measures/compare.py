"""One motion beside another: every figure relative to a source clip, and the geodesic distance of the poses."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.measures.report import FIGURES, Measures
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton


def compare(measures: Measures, source: Measures) -> dict[str, dict[str, float | None]]:
    """For every figure: its value, the source's, the difference and the ratio (None where it has no meaning).

    Parameters
    ----------
    measures, source : figures of two motions
    """
    out: dict[str, dict[str, float | None]] = {}
    for name in FIGURES:
        value, base = getattr(measures, name), getattr(source, name)
        known = value is not None and base is not None
        out[name] = {
            "value": value,
            "source": base,
            "difference": value - base if known else None,
            "ratio": value / base if known and base != 0 else None,
        }
    return out


def motion_distance(a: Motion, b: Motion, joints: tuple[str, ...] | None = None) -> float:
    """The mean squared geodesic angle between two motions, rad^2 (PCA-041): ``mean |log(q1 q2^-1)|^2``.

    The mean goes over frames and joints. Rotations are taken relative to each skeleton's rest pose. A motion of another
    length is compared over its normalised duration.

    Parameters
    ----------
    a, b : two motions, whose skeletons may differ
    joints : names; shoulders, elbows, hips, knees and ankles by role without them
    """
    a = checked_motion(a, "motion_distance")
    b = checked_motion(b, "motion_distance")
    pairs = _joint_pairs(a.skeleton, b.skeleton, joints)
    qa = _from_rest(a, [i for i, _ in pairs])
    qb = _from_rest(b, [j for _, j in pairs])
    if len(qa) != len(qb):
        qb = _stretched(qb, len(qa))
    angles = rot.distance(qa, qb)
    return float(np.mean(angles**2))


def _joint_pairs(a: Skeleton, b: Skeleton, joints: tuple[str, ...] | None) -> list[tuple[int, int]]:
    if joints is not None:
        return [(a.index(name), b.index(name)) for name in joints]
    chosen_a, chosen_b = _limb_joints(a), _limb_joints(b)
    shared = [key for key in chosen_a if key in chosen_b]
    if not shared:
        raise SkeletonError("the two skeletons have no limbs in common to compare; name the joints to use")
    return [(chosen_a[key], chosen_b[key]) for key in shared]


def _limb_joints(skeleton: Skeleton) -> dict[str, int]:
    roles = skeleton.roles
    out: dict[str, int] = {}
    for arm in roles.arms:
        out[f"{arm.side} shoulder"] = arm.shoulder
        out[f"{arm.side} elbow"] = arm.elbow
    for leg in roles.legs:
        for part in ("hip", "knee", "ankle"):
            out[f"{leg.side} {part} {leg.row}"] = getattr(leg, part)
    return out


def _from_rest(motion: Motion, joints: list[int]) -> FloatArray:
    rest = motion.skeleton.rest_rotations[joints]
    return rot.multiply(rot.inverse(rest), motion.rotations[:, joints])


def _stretched(q: FloatArray, frames: int) -> FloatArray:
    if len(q) < 2 or frames < 2:
        raise LocomoteError("motions of different lengths need at least two frames each to be compared")
    at = np.linspace(0.0, len(q) - 1.0, frames)
    before = np.minimum(at.astype(int), len(q) - 2)
    mix = np.broadcast_to((at - before)[:, None], (frames, q.shape[1]))
    return rot.slerp(q[before], q[before + 1], mix)
