"""Which frames an artist poses: evenly round the cycle, from the most stretched silhouette on (AGV-08, AGV-12)."""

from __future__ import annotations

from itertools import combinations, islice
from math import comb
from typing import Literal

import numpy as np

from locomote.capture.video._rhythm import Rhythm
from locomote.capture.video._weights import ALPHA, closeness
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

EXHAUSTIVE = 200_000  # sets of frames that are all tried; beyond that the best of exchanges
AT_ONCE = 20_000
LEAST_GAP = 3  # frames between a key and the other frame that looks like it
NEAR = 0.35  # of a period of silhouettes, by which such a frame may be off half a cycle of the legs


def choose_keys(
    rhythm: Rhythm, count: int | None = None, by: Literal["phase", "components"] = "phase", alpha: float = ALPHA
) -> IntArray:
    """The frames to be posed, in order of phase within one cycle.

    Parameters
    ----------
    rhythm : of the film
    count : how many; 4 for gallops and 8 for walks and trots unless given
    by : "phase": evenly through the middle cycle of the film; "components": the best conditioned set of all frames
        in the two components that go round (of one cycle of silhouettes)
    alpha : of the Gaussians, for "components"
    """
    wanted = (8 if rhythm.symmetric else 4) if count is None else count
    if wanted < 2:
        raise LocomoteError(f"{wanted} keys: expected 2 or more")
    if rhythm.cycles < 1.0:
        raise LocomoteError(f"the film shows {rhythm.cycles:.2f} of a cycle of the legs: one whole cycle is needed")
    if by == "components":
        rhythm.usability.require()
        pair = rhythm.usability.round
        return np.sort(best_conditioned(pair / pair.std(axis=0), wanted, alpha))
    begin = _stretched(rhythm)
    phases = begin + np.arange(wanted) / wanted
    frames: IntArray = np.argmin(np.abs(rhythm.phase[:, None] - phases), axis=0)
    if len(np.unique(frames)) < wanted:
        raise LocomoteError(f"{wanted} keys in a cycle of {rhythm.period * rhythm.fps:.1f} frames: choose fewer")
    return frames


def _stretched(rhythm: Rhythm) -> float:
    """The phase in the middle of the film, less half a cycle, at which the silhouettes are widest on the whole."""
    turns = rhythm.silhouette_phase
    boxes = rhythm.windows.boxes
    wave = np.sum((boxes[:, 2] - boxes[:, 0]) * np.exp(2j * np.pi * turns))
    widest = float(np.angle(wave)) / (2.0 * np.pi)
    middle = 0.5 * (turns[0] + turns[-1])
    half = 1.0 if rhythm.symmetric else 0.5  # half a cycle of the legs, in turns of silhouettes
    last = turns[-1] - 2.0 * half
    begin = middle - half + (widest - middle + half + 0.5) % 1.0 - 0.5
    begin = begin + 1.0 if begin < turns[0] else begin
    begin = max(min(begin, last), turns[0])
    return float(begin / 2.0 if rhythm.symmetric else begin)


def condition(points: ArrayLike, alpha: float = ALPHA) -> float:
    """The condition number of ``H^T H`` of keys: near 1 where they are evenly spread.

    Parameters
    ----------
    points : (m, c) coordinates of the keys
    alpha : of the Gaussians around them
    """
    at = np.asarray(points, dtype=np.float64)
    values = np.linalg.eigvalsh(closeness(at, at, alpha))
    return float((values[-1] / max(values[0], 1e-150)) ** 2)


def best_conditioned(points: ArrayLike, count: int, alpha: float = ALPHA) -> IntArray:
    """Which of some points ``(n, c)`` are the best conditioned keys ``(count,)``.

    All sets are tried where they are not too many; otherwise keys that are far apart are exchanged, one by one,
    for others as long as that helps.

    Parameters
    ----------
    points : (n, c) coordinates
    count : of keys
    alpha : of the Gaussians around them
    """
    at = np.asarray(points, dtype=np.float64)
    if not 1 <= count <= len(at):
        raise LocomoteError(f"{count} keys of {len(at)} frames: expected 1 to {len(at)}")
    among = closeness(at, at, alpha)
    if comb(len(at), count) <= EXHAUSTIVE:
        best, least = np.arange(count), np.inf
        sets = combinations(range(len(at)), count)
        while block := list(islice(sets, AT_ONCE)):
            chosen = np.array(block)
            conditions = _conditions(among, chosen)
            if conditions.min() < least:
                least, best = float(conditions.min()), chosen[int(np.argmin(conditions))]
        return best
    chosen = _far_apart(at, count)
    least = float(_conditions(among, chosen[None])[0])
    while True:
        tries = np.repeat(chosen[None], count * len(at), axis=0)
        tries[np.arange(count * len(at)), np.repeat(np.arange(count), len(at))] = np.tile(np.arange(len(at)), count)
        conditions = _conditions(among, tries)
        if conditions.min() >= least * (1.0 - 1e-9):
            return np.sort(chosen)
        least, chosen = float(conditions.min()), tries[int(np.argmin(conditions))]


def _conditions(among: FloatArray, sets: IntArray) -> FloatArray:
    values = np.linalg.eigvalsh(among[sets[:, :, None], sets[:, None, :]])
    out: FloatArray = (values[:, -1] / np.maximum(values[:, 0], 1e-150)) ** 2
    return out


def _far_apart(points: FloatArray, count: int) -> IntArray:
    chosen = [int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))]
    while len(chosen) < count:
        near = np.min(np.linalg.norm(points[:, None] - points[chosen], axis=-1), axis=1)
        chosen.append(int(np.argmax(near)))
    return np.array(chosen)


def partners(points: ArrayLike, keys: ArrayLike, period: float, least_gap: int = LEAST_GAP) -> IntArray:
    """For each key frame the other one that looks most like it, half a cycle of the legs away: left for right.

    Parameters
    ----------
    points : (F, c) coordinates of the silhouettes
    keys : (m,) frames
    period : frames of a cycle of silhouettes
    least_gap : frames between a key and its partner
    """
    at, frames = np.asarray(points, dtype=np.float64), np.asarray(keys, dtype=np.int64)
    out = np.empty(len(frames), dtype=np.int64)
    everywhere = np.arange(len(at))
    for k, frame in enumerate(frames):
        apart = np.abs(everywhere - frame)
        possible = (apart >= least_gap) & (np.abs(apart - period) <= NEAR * period)
        if not possible.any():
            raise LocomoteError(f"key frame {frame}: no frame half a cycle of the legs away from it in this film")
        distances = np.where(possible, np.linalg.norm(at - at[frame], axis=1), np.inf)
        out[k] = int(np.argmin(distances))
    return out
