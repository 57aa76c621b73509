"""Few poses that stand for many: clusters of poses by where their joints are, batch after batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.skeleton import IntArray

Singles = npt.NDArray[np.float32]

BATCH = 8000  # poses that join those kept so far, before all are clustered anew
RARE = 0.15  # of the poses kept: those farthest from all others, which clusters pass over
ROUNDS = 2  # of k-means for each batch
PIECE = 2048  # poses whose distances are computed at once


def choose_poses(
    places: Singles, count: int, seed: int = 0, progress: Callable[[float], None] | None = None
) -> tuple[IntArray, float]:
    """Indices of representative poses, and the distance within which every pose has one of them.

    Real poses are kept (medoids), not means; the last ones fill the widest gaps, one after the other. Only one batch
    is clustered at a time, so that memory and time are linear in the number of poses.

    Parameters
    ----------
    places : (N, J, 3) of joints against the root, m
    count : of the poses to be kept
    seed : of the order in which poses are looked at
    progress : is told the share that is done
    """
    if count < 1:
        raise LocomoteError(f"count {count}: expected at least 1 pose")
    points = np.ascontiguousarray(places.reshape(len(places), -1) / np.sqrt(places.shape[1]), dtype=np.float32)
    order = np.random.default_rng(seed).permutation(len(points))
    rare = int(RARE * count) if count < len(points) else 0
    kept = order[: count - rare]
    for start in range(len(kept), len(order), BATCH):
        pool = np.concatenate([kept, order[start : start + BATCH]])
        kept = pool[_medoids(points[pool], len(kept))]
        if progress is not None:
            progress(0.9 * min(start + BATCH, len(order)) / len(order))
    kept = np.unique(kept)
    away = _nearest(points, points[kept])[1]
    chosen = kept.tolist()
    while len(chosen) < min(count, len(points)) and away.max() > 0.0:  # clusters that share a pose have left room too
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.sum((points - points[chosen[-1]]) ** 2, axis=1))
    return np.unique(chosen), float(np.sqrt(away.max()))


def _medoids(points: Singles, count: int) -> IntArray:
    """Points nearest to the means of clusters, which begin at the first ``count`` points."""
    centres = points[:count]
    for _ in range(ROUNDS):
        owner, _ = _nearest(points, centres)
        sums = np.zeros_like(centres)
        np.add.at(sums, owner, points)
        sizes = np.bincount(owner, minlength=count)
        centres = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centres).astype(np.float32)
    return np.unique(_nearest(centres, points)[0])


def _nearest(points: Singles, centres: Singles) -> tuple[IntArray, npt.NDArray[np.float64]]:
    """The nearest centre of every point, and the squared distance."""
    squares = np.einsum("nf,nf->n", centres, centres)
    owner = np.empty(len(points), dtype=np.int64)
    away = np.empty(len(points))
    for start in range(0, len(points), PIECE):
        part = points[start : start + PIECE]
        scores = squares - 2.0 * (part @ centres.T)
        best = np.argmin(scores, axis=1)
        owner[start : start + PIECE] = best
        away[start : start + PIECE] = np.sum((part - centres[best]) ** 2, axis=1)
    return owner, away
