"""Informative vector machine: a latent model of a few active poses, chosen for what they tell about the others."""

from __future__ import annotations

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.spaces.posing import _sparse_gp as gp
from locomote.spaces.posing._latent import LatentModel
from locomote.spaces.posing._latent_fit import Task, Unknowns, climb, start
from locomote.spaces.posing._sparse_gp import Kernel

SELECTIONS = 15  # of active poses, one after the other; the rounds are shared among them
_PLACE_ROUNDS = 10  # for each of the other poses, after every selection


def choose(x: FloatArray, kernel: Kernel, count: int) -> IntArray:
    """Rows of the most informative points, the best first.

    A point tells ``log(1 + variance / noise) / 2`` about the process, so the next is always that whose variance,
    given those before it, is largest. O(count² N).
    """
    variance = np.full(len(x), kernel.variance)
    rows = np.empty((count, len(x)))
    chosen = np.empty(count, dtype=np.int64)
    left = np.ones(len(x), dtype=bool)
    for n in range(count):
        best = int(np.argmax(np.where(left, variance, -np.inf)))
        covariance = kernel.covariance(x[best], x)
        told = (covariance - rows[:n, best] @ rows[:n]) / np.sqrt(variance[best] + kernel.noise)
        rows[n], chosen[n], left[best] = told, best, False
        variance = np.maximum(variance - told**2, 0.0)
    return chosen


def fit(task: Task) -> LatentModel:
    """In turn: choose active poses, make them more likely, place each of the others where the active ones say.

    With scales the active points move as well; without, only the kernel changes, and points move while not active.
    """
    mean = task.poses.mean(axis=0)
    poses = task.poses - mean
    at = start(task)
    still = task.method == "ivm"
    scales = np.zeros(0 if still else poses.shape[1])
    x, logs = at.latents.copy(), at.logs
    turns = min(SELECTIONS, max(task.rounds, 1))
    for turn in range(turns):
        active = choose(x, Kernel.of(logs), task.inducing)
        share = task.rounds * (turn + 1) // turns - task.rounds * turn // turns
        first = Unknowns(x[active], at.inducing, logs, scales)
        best, history = climb(task, poses[active], first, [], share, still)
        x[active], logs, scales = best.latents, best.logs, best.log_scales
        model = _model(task, poses[active], mean, best, x, history)
        others = np.setdiff1d(np.arange(len(x)), active)
        x[others] = model.placed(task.poses[others], x[others], _PLACE_ROUNDS)
    return model


def _model(
    task: Task, poses: FloatArray, mean: FloatArray, best: Unknowns, x: FloatArray, history: FloatArray
) -> LatentModel:
    kernel = Kernel.of(best.logs)
    scales = np.exp(best.log_scales) if best.log_scales.size else np.ones_like(mean)
    b, c = gp.predictor(poses * scales, best.latents, best.latents, kernel, "full")
    return LatentModel(task.method, kernel, x, best.latents, mean, scales, b / scales, c, history)
