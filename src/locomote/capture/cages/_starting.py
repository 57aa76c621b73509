"""Where somebody is, which way they face and in what pose, when nothing is known yet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.capture.cages._energy import Fit, Pose
from locomote.capture.cages._evidence import InField
from locomote.capture.cages._fields import Field
from locomote.capture.cages._targets import Target
from locomote.rotations import FloatArray

HEADINGS, POSES = 8, 10  # that are tried
_TRIED, _KEPT = 3, 12  # rounds of a try; tries that are fitted out
_FITTED = 8  # rounds of these
_WORSE = 2.5  # times the least energy: what is worse is out of the question
_ALIKE = 0.05  # m between the same points of the skin of two poses
_CHOICES = 4  # poses that go on to be compared over several frames
_EVERY = 4  # of the points, in tries


def begin(fit: Fit, target: Target, frame: int) -> list[Pose]:
    """The poses of least energy in a frame, from many headings and known poses; no two of them alike.

    One frame hardly tells which leg is which, or whether somebody comes or goes: the next ones have to.
    """
    voxel = fit.settings.voxel
    field = target.volume(frame, voxel)
    if field is None:
        return []
    tries = [fit.latent_fit(pose, InField(field), _TRIED, _EVERY) for pose in _guesses(fit, field)]
    best = sorted(tries, key=lambda one: one[1])[:_KEPT]
    seen = target.seen(frame, fit.points(best[0][0], _EVERY), voxel).evidence
    if seen is None:
        return []
    fitted = sorted((fit.latent_fit(pose, seen, _FITTED) for pose, _ in best), key=lambda one: one[1])
    out: list[Pose] = []
    for pose, energy in fitted:
        points = fit.points(pose, _EVERY)
        if energy < _WORSE * fitted[0][1] and all(_apart(points, fit.points(one, _EVERY)) > _ALIKE for one in out):
            out.append(pose)
    return out[:_CHOICES]


def _apart(a: FloatArray, b: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.sum((a - b) ** 2, axis=1))))


def _guesses(fit: Fit, field: Field) -> list[Pose]:
    """Known poses above the lowest part of what is seen, in all headings."""
    inside = np.argwhere(_largest(field.values < 0.0))
    places = field.origin + field.voxel * inside
    middle, low = np.median(places, axis=0), np.percentile(places[:, 1], 0.2)
    out = []
    for row in fit.prior.starts(POSES):
        x = fit.latent.points[row]
        at = np.array([middle[0], low + fit.prior.heights[row], middle[2]])
        for k in range(HEADINGS):
            out.append(Pose(at, rot.from_yaw(2.0 * np.pi * k / HEADINGS), x, fit.latent.state(x)))
    return out


def _largest(inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The largest piece that hangs together: silhouettes leave bits of space beside the body as well."""
    from scipy.ndimage import label

    pieces, count = label(inside)
    return np.asarray(pieces == 1 + int(np.argmax(np.bincount(pieces.ravel())[1:]))) if count > 1 else inside
