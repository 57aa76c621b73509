"""How latent models are fitted: principal components first, then all that is unknown at once by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from locomote.math.components import principal_components
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.spaces.posing import _sparse_gp as gp
from locomote.spaces.posing._latent import LatentModel
from locomote.spaces.posing._sparse_gp import Kernel

_RANGES = ((1e-4, 1e3), (1e-4, 1e3), (1e-6, 1e3))  # of amplitude, sharpness and bias, where all stays sound
_SCALES = (1e-2, 1e2)  # of the scales of numbers
_MEMORY = 20  # steps that L-BFGS remembers
BLOCK = 25  # poses in a block of "pitc": larger ones reconstruct a walk less well


class Task(NamedTuple):
    """What is to be fitted, and how."""

    poses: FloatArray  # (N, D)
    latent: int
    inducing: int
    method: str
    rounds: int
    seed: int
    noise: float  # rad
    progress: Callable[[int, float], None] | None
    back: bool = False  # latent points are linear maps of their poses


class Unknowns(NamedTuple):
    """All that is fitted."""

    latents: FloatArray  # (N, q)
    inducing: FloatArray  # (M, q); (0, q) where the latent points are themselves the inducing ones
    logs: FloatArray  # (4,) of the kernel's parameters
    log_scales: FloatArray  # (D,), or (0,) where all numbers count alike

    def flat(self) -> FloatArray:
        """One vector of them."""
        return np.concatenate([part.ravel() for part in self])

    def like(self, flat: FloatArray) -> Unknowns:
        """Unknowns of the same shapes from one vector."""
        ends = np.cumsum([part.size for part in self])[:-1]
        return Unknowns(*(p.reshape(own.shape) for p, own in zip(np.split(flat, ends), self, strict=True)))


def start(task: Task) -> Unknowns:
    """Principal components as latent points, of which some are inducing ones, and a kernel that fits them."""
    found = principal_components(task.poses, count=task.latent, dual=False)
    scores = found.scores(task.poses)
    x = scores / max(float(scores[:, 0].std()), 1e-12)
    variance = max(float(task.poses.var(axis=0).mean()), 1e-6)
    spread = max(float(x.var(axis=0).sum()), 1e-12)
    noise = max(variance * float(found.shares[task.latent :].sum()), (1.5 * task.noise) ** 2)
    kernel = Kernel(variance, 1.0 / spread, 0.01 * variance + 1e-6, noise)
    chosen = np.random.default_rng(task.seed).choice(len(x), task.inducing, replace=False)
    u = x[np.sort(chosen)] if task.method in gp.SPARSE else np.zeros((0, task.latent))
    return Unknowns(x, u, kernel.log(), np.zeros(0))


def fit(task: Task) -> LatentModel:
    """The model with all poses, whole or through inducing points."""
    mean = task.poses.mean(axis=0)
    first = start(task)
    blocks = halved(first.latents, BLOCK) if task.method == "pitc" else []
    best, history = climb(task, task.poses - mean, first, blocks, task.rounds)
    kernel = Kernel.of(best.logs)
    u = best.latents if task.method == "full" else best.inducing
    b, c = gp.predictor(task.poses - mean, best.latents, u, kernel, task.method, blocks)
    return LatentModel(task.method, kernel, best.latents, u, mean, np.ones_like(mean), b, c, history)


def climb(
    task: Task, poses: FloatArray, first: Unknowns, blocks: Sequence[IntArray], rounds: int, still: bool = False
) -> tuple[Unknowns, FloatArray]:
    """More likely unknowns, and the log likelihoods at the start and after every round; latent points may be still."""
    method = task.method if task.method in gp.SPARSE else "full"
    if task.back:  # what is fitted is the map from the poses to their latent points
        first = first._replace(latents=np.asarray(np.linalg.lstsq(poses, first.latents)[0], dtype=np.float64))

    def found(flat: FloatArray) -> Unknowns:
        at = first.like(flat)
        return at._replace(latents=poses @ at.latents) if task.back else at

    def energy(flat: FloatArray) -> tuple[float, FloatArray]:
        value, slope = likelihood(poses, found(flat), method, blocks)
        if task.back:
            slope = slope._replace(latents=poses.T @ slope.latents)
        return -value, -slope.flat()

    history = [-energy(first.flat())[0]]

    def note(intermediate_result: Any) -> None:  # SciPy goes by this name
        history.append(-float(intermediate_result.fun))
        if task.progress is not None:
            task.progress(len(history) - 1, history[-1])

    least = task.noise**2
    ranges = [(float(low), float(high)) for low, high in np.log([*_RANGES, (least, max(1.0, 2.0 * least))])]
    bounds: list[tuple[float, float]] = [(-np.inf, np.inf)] * (first.latents.size + first.inducing.size)
    if still:
        bounds[: first.latents.size] = [(v, v) for v in first.latents.ravel().tolist()]
    bounds += ranges + [(float(np.log(_SCALES[0])), float(np.log(_SCALES[1])))] * first.log_scales.size
    options: Any = {"maxiter": rounds, "maxfun": 20 * rounds + 20, "maxcor": _MEMORY, "ftol": 1e-10, "gtol": 1e-6}
    if rounds < 1:
        return found(first.flat()), np.array(history)
    done = minimize(energy, first.flat(), jac=True, method="L-BFGS-B", bounds=bounds, callback=note, options=options)
    return found(np.asarray(done.x, dtype=np.float64)), np.array(history)


def likelihood(poses: FloatArray, at: Unknowns, method: str, blocks: Sequence[IntArray] = ()) -> tuple[float, Unknowns]:
    """The log likelihood of centred poses, and its slope."""
    scaled = poses * np.exp(at.log_scales) if at.log_scales.size else poses
    found = gp.likelihood(scaled, at.latents, at.inducing, Kernel.of(at.logs), method, blocks)
    value, by_scales = found.value, np.zeros(0)
    if at.log_scales.size:  # poses get denser where they are scaled down
        value += len(poses) * float(at.log_scales.sum())
        by_scales = len(poses) - np.sum(found.solved * scaled, axis=0)
    return value, Unknowns(found.latents, found.inducing, found.logs, by_scales)


def halved(x: FloatArray, most: int) -> list[IntArray]:
    """Rows of points in blocks of at most so many that are near each other: halved across the widest direction."""
    blocks, waiting = [], [np.arange(len(x))]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= most:
            blocks.append(np.sort(rows))
            continue
        along = x[rows, np.argmax(np.ptp(x[rows], axis=0))]
        order = rows[np.argsort(along, kind="stable")]
        waiting += [order[: len(order) // 2], order[len(order) // 2 :]]
    return blocks
