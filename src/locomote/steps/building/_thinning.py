"""Which steps a database needs: picking, thinning out and filling in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE, COMMON, TOE_LENGTH
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._database import StepDatabase, difference
from locomote.steps._limbs import Limbs, from_limbs
from locomote.steps.building._analysis import circumspheres, dihedral_angles, joint_places, pose_errors

DUPLICATE = 0.0011  # hip heights; nearer parameters make tetrahedra without volume
LEAST_VOLUME = 0.98  # of the hull that must remain
MOST_ERROR = 1.05  # of the error of blends
PRUNED_AT_ONCE = 0.05  # of the steps; fewer when that is too many
LEAST_GAP = 0.03  # hip heights between a synthetic step and all others
SYNTHETIC = "synthetic"  # the source of blended steps

_FOOT = float(np.hypot(ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE))


def without_duplicates(steps: StepDatabase) -> StepDatabase:
    """The steps whose parameters differ by more than a millimetre from all before them."""
    from scipy.spatial import cKDTree

    twice = {int(b) for _, b in sorted(cKDTree(steps.params).query_pairs(DUPLICATE))}
    return steps.taken(np.array([k for k in range(len(steps)) if k not in twice], dtype=np.int64))


def pick(steps: StepDatabase, count: int, given: IntArray | None = None) -> IntArray:
    """Indices of ``count`` steps: those on the hull, those ``given``, then each time the one least like all before."""
    from scipy.spatial import ConvexHull

    first = ConvexHull(steps.params).vertices.astype(np.int64)
    chosen = first if given is None else np.union1d(first, given)
    return spread(steps, count, chosen)


def spread(steps: StepDatabase, count: int, chosen: IntArray) -> IntArray:
    """The ``chosen`` steps and more of them up to ``count``, each time the one least like all before."""
    out = [int(k) for k in chosen] or [0]
    nearest = np.full(len(steps), np.inf)
    for k in out:
        nearest = np.minimum(nearest, difference(steps.features, steps.features[k]))
    while len(out) < min(count, len(steps)):
        nearest[out] = -1.0
        k = int(np.argmax(nearest))
        out.append(k)
        nearest = np.minimum(nearest, difference(steps.features, steps.features[k]))
    return np.sort(np.array(out, dtype=np.int64))


def prune(steps: StepDatabase, least_volume: float = LEAST_VOLUME, most_error: float = MOST_ERROR) -> IntArray:
    """Indices of the steps that remain when those that their neighbours predict best are taken out.

    Parameters
    ----------
    steps : the database
    least_volume : share of its volume that the hull keeps
    most_error : of steps blended from others, those taken out among them, over the error of before
    """
    places = joint_places(steps)
    whole = steps.hull_volume()
    kept = np.arange(len(steps), dtype=np.int64)
    errors = pose_errors(steps, kept, places)
    most = most_error * float(np.nanmean(errors))
    share = PRUNED_AT_ONCE
    while share * len(kept) >= 1.0:
        fewer = _without_best(steps, kept, errors, int(share * len(kept)))
        after = pose_errors(steps, fewer, places)
        # Those that come to lie outside have no blend: they count with the volume.
        small = steps.taken(fewer).hull_volume() < least_volume * whole
        if len(fewer) == len(kept) or small or float(np.nanmean(after)) > most:
            share *= 0.5
        else:
            kept, errors = fewer, after
    return kept


def _without_best(steps: StepDatabase, kept: IntArray, errors: FloatArray, count: int) -> IntArray:
    """The kept steps without some that are predicted best, no two of them neighbours."""
    around = steps.taken(kept).tetrahedra.around()
    untouched = np.ones(len(kept), dtype=bool)
    gone: list[int] = []
    for row in np.argsort(np.where(np.isnan(errors[kept]), np.inf, errors[kept])):
        if len(gone) == count or np.isnan(errors[kept[row]]):
            break
        if untouched[row]:
            gone.append(int(row))
            untouched[around[row]] = False
    return np.delete(kept, gone)


def densify(steps: StepDatabase, count: int) -> StepDatabase:
    """The steps and synthetic ones, blended at the circumcentres of the flattest tetrahedra.

    Parameters
    ----------
    steps : the database
    count : of synthetic ones
    """
    corners = steps.params[steps.tetrahedra.simplices]
    centres, radii = circumspheres(corners)
    flattest = np.argsort(dihedral_angles(corners).min(axis=1))
    inside = np.isfinite(radii) & (steps.tetrahedra.locate(centres)[0] >= 0)
    places: list[FloatArray] = []
    for k in flattest[inside[flattest]]:
        others = np.concatenate([steps.params, np.array(places).reshape(-1, 3)])
        if np.min(np.linalg.norm(others - centres[k], axis=1)) > LEAST_GAP:
            places.append(centres[k])
        if len(places) == count:
            break
    if not places:
        return steps
    return joined(steps, blended(steps, np.array(places)))


def blended(steps: StepDatabase, params: FloatArray) -> StepDatabase:
    """Synthetic steps at parameters ``(n, 3)`` inside of the hull: the weighted mean of the four around each."""
    corners, weights = steps.locate(params)

    def mean(values: FloatArray) -> FloatArray:
        out: FloatArray = np.einsum("nc,nc...->n...", weights, values[corners])
        return out

    yaws = np.arctan2(mean(np.sin(steps.yaws)), mean(np.cos(steps.yaws)))
    roots, feet, rolls = mean(steps.roots), mean(steps.feet), mean(steps.knee_rolls)
    shared = np.moveaxis(steps.rotations[corners], 1, 0)
    turns = rot.mean(shared, weights.T[:, :, None, None])
    for part, length in ((0, _FOOT), (2, TOE_LENGTH)):
        bone = feet[..., part, :] - feet[..., 1, :]
        feet[..., part, :] = feet[..., 1, :] + length * bone / np.linalg.norm(bone, axis=-1, keepdims=True)
    turns = from_limbs(COMMON, Limbs(roots, turns, feet, rolls))
    count = len(params)
    return StepDatabase(
        params, yaws, mean(steps.durations), roots, turns, feet, rolls,
        np.zeros(count, dtype=np.int64), (SYNTHETIC,), steps.about,
        steps.tags[corners[np.arange(count), weights.argmax(axis=1)]], steps.styles,
    )  # fmt: skip


def joined(first: StepDatabase, second: StepDatabase) -> StepDatabase:
    """All steps of two databases with the same styles."""
    sources = tuple(dict.fromkeys([*first.sources, *second.sources]))
    number = np.array([sources.index(name) for name in second.sources], dtype=np.int64)
    both: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(second, name)])
        for name in (
            "params",
            "yaws",
            "durations",
            "roots",
            "rotations",
            "feet",
            "knee_rolls",
            "tags",
            "swung",
        )
    }
    clips = np.concatenate([first.clips, number[second.clips]])
    return replace(first, **both, clips=clips, sources=sources)
