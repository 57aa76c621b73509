"""A search for the lowest place of a rugged landscape: evolution with a covariance that adapts (CMA-ES)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from locomote.rotations import FloatArray

Costs = Callable[[FloatArray], FloatArray]  # (P, n) -> (P,)


def minimise(
    costs: Costs, start: FloatArray, step: FloatArray, generations: int, seed: int, population: int = 0
) -> tuple[FloatArray, float]:
    """The best place found from ``start (n,)`` and its cost; ``step (n,)`` is how far is looked at first.

    All places of a generation are given to ``costs`` at once. Never worse than the start.
    """
    random = np.random.default_rng(seed)
    n = len(start)
    count = population or 2 * (4 + int(3.0 * math.log(n)))
    half = count // 2
    weights = math.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weights /= weights.sum()
    mass = 1.0 / float(np.sum(weights**2))
    # How fast the path of steps, the step size and the covariance are learnt: the usual choices for n and mass.
    c_path = (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n)
    c_size = (mass + 2.0) / (n + mass + 5.0)
    c_one = 2.0 / ((n + 1.3) ** 2 + mass)
    c_rank = min(1.0 - c_one, 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) ** 2 + mass))
    damping = 1.0 + 2.0 * max(0.0, math.sqrt((mass - 1.0) / (n + 1.0)) - 1.0) + c_size
    usual = math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))  # length of a random vector

    mean, size, covariance = np.zeros(n), 1.0, np.eye(n)
    path, size_path = np.zeros(n), np.zeros(n)
    best, least = start, float(costs(start[None])[0])
    for generation in range(generations):
        if generation % (1 + n // 12) == 0:  # it changes slowly where there are many numbers
            values, axes = np.linalg.eigh(covariance)
            lengths = np.sqrt(np.maximum(values, 1e-20))
        moves = random.standard_normal((count, n)) * lengths @ axes.T
        places = start + step * (mean + size * moves)
        found = costs(places)
        order = np.argsort(found, kind="stable")
        if found[order[0]] < least:
            best, least = places[order[0]], float(found[order[0]])
        chosen = moves[order[:half]]
        move = weights @ chosen
        mean = mean + size * move
        whitened = axes @ ((move @ axes) / lengths)
        size_path = (1.0 - c_size) * size_path + math.sqrt(c_size * (2.0 - c_size) * mass) * whitened
        length = float(np.linalg.norm(size_path))
        settled = math.sqrt(1.0 - (1.0 - c_size) ** (2.0 * generation + 2.0))
        hasty = length / settled > (1.4 + 2.0 / (n + 1.0)) * usual  # the step size is still growing
        kept = 0.0 if hasty else math.sqrt(c_path * (2.0 - c_path) * mass)
        path = (1.0 - c_path) * path + kept * move
        spread = (chosen * weights[:, None]).T @ chosen
        covariance = (1.0 - c_one - c_rank) * covariance + c_one * np.outer(path, path) + c_rank * spread
        size *= math.exp(min(1.0, c_size / damping * (length / usual - 1.0)))
    return best, least
