"""Poses as points of a small latent space: Gaussian-process latent variable models (GPLVM)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats import _files
from locomote.formats._archives import load_archive
from locomote.rotations import ArrayLike, FloatArray
from locomote.spaces.posing._sparse_gp import Kernel, squared_distances

FORMAT = "locomote latent poses"
VERSION = 1
METHODS = ("fitc", "dtc", "pitc", "full", "ivm", "ivm-sgplvm")
NOISE = 0.02  # rad: noise falls no lower; unbounded it keeps falling with the rounds, though people are not that exact
_ARRAYS = ("latents", "inducing", "mean", "scales", "weights", "explained", "history")
_PLACE_ROUNDS = 40
_CHUNK = 256  # poses placed at a time: bounds the memory of their slopes
_STILL = 1e-9  # of the latent points' spread: a smaller step is none


@dataclass(frozen=True, eq=False)
class LatentModel:
    """A map from a latent space to poses, with a variance that tells where poses were seen.

    Made by `fit`. The mean is ``mean + k(x, inducing) @ weights``, the variance
    ``k(x, x) + noise - k(x, inducing) explained k(inducing, x)``: O(M D) and O(M²) for a point (POS-05).
    """

    method: str
    kernel: Kernel
    latents: FloatArray  # (N, q) of the poses it was fitted to
    inducing: FloatArray  # (M, q) points through which it sees them
    mean: FloatArray  # (D,) rad
    scales: FloatArray  # (D,) how much each number of a pose counts; ones but for "ivm-sgplvm"
    weights: FloatArray  # (M, D) B
    explained: FloatArray  # (M, M) C
    history: FloatArray  # log likelihoods, at the start and after every round; of "ivm" those of the last active set

    @classmethod
    def fit(
        cls,
        poses: ArrayLike,
        *,
        latent: int = 12,
        inducing: int = 200,
        method: str = "fitc",
        rounds: int = 100,
        seed: int = 0,
        noise: float = NOISE,
        back: bool = False,
        progress: Callable[[int, float], None] | None = None,
    ) -> LatentModel:
        """The model of recorded poses.

        Parameters
        ----------
        poses
            ``(N, D)`` rotation vectors of the joints side by side, rad; or any other numbers of comparable size.
        latent
            Dimensions of the latent space.
        inducing
            Points through which the poses are seen, or the active poses of "ivm"; "full" sees all.
        method
            "fitc", "dtc", "pitc": approximations by inducing points; "full": none, O(N³); "ivm": the most informative
            poses alone; "ivm-sgplvm": those, with a scale for each number of a pose.
        rounds
            Of L-BFGS, at most.
        seed
            Of the choice of the first inducing points.
        noise
            Standard deviation that poses have at least about the model, rad.
        back
            Tie latent points to the poses: each is a linear map of its pose, which is fitted in place of the points, so
            that poses that are near each other stay so. Not with "ivm" and "ivm-sgplvm".
        progress
            Called after every round with its number and the log likelihood.
        """
        from locomote.spaces.posing import _ivm, _latent_fit

        y = _checked(poses, latent, inducing, method, noise)
        if back and method.startswith("ivm"):
            raise LocomoteError(f"back: not with {method!r}, which moves its latent points one by one")
        task = _latent_fit.Task(y, latent, min(inducing, len(y)), method, rounds, seed, noise, progress, back)
        return _ivm.fit(task) if method.startswith("ivm") else _latent_fit.fit(task)

    def predict(self, x: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Poses ``(..., D)`` of latent points and their variance ``(...)``, rad², with noise.

        Where numbers have scales, the variance of one is this over its scale squared.

        Parameters
        ----------
        x : (..., q)
        """
        k = self.kernel.covariance(self._points(x), self.inducing)
        variance = self.kernel.variance + self.kernel.noise - np.sum((k @ self.explained) * k, axis=-1)
        return self.mean + k @ self.weights, np.maximum(variance, self.kernel.noise)

    def jacobian(self, x: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """How the poses, ``(..., D, q)``, and the variance, ``(..., q)``, change with the latent point.

        Parameters
        ----------
        x : (..., q)
        """
        points = self._points(x)
        similar = self.kernel.similar(points, self.inducing)
        slopes = similar[..., None] * (self.inducing - points[..., None, :]) * self.kernel.sharpness  # (..., M, q)
        by_explained = (similar + self.kernel.bias) @ self.explained
        return self.weights.T @ slopes, -2.0 * (by_explained[..., None, :] @ slopes)[..., 0, :]

    def place(self, poses: ArrayLike) -> FloatArray:
        """Latent points ``(..., q)`` of new poses: from that of the nearest known one, the most likely.

        Parameters
        ----------
        poses : (..., D) rad
        """
        y = np.asarray(poses, dtype=np.float64)
        if y.ndim < 1 or y.shape[-1] != len(self.mean) or not np.isfinite(y).all():
            raise LocomoteError(f"poses: shape {y.shape}, expected finite numbers (..., {len(self.mean)})")
        return self.placed(y.reshape(-1, y.shape[-1])).reshape(*y.shape[:-1], self.latents.shape[1])

    def placed(self, poses: FloatArray, start: FloatArray | None = None, rounds: int = _PLACE_ROUNDS) -> FloatArray:
        """Latent points ``(N, q)`` of poses, searched by Fisher scoring.

        Parameters
        ----------
        poses : (N, D) rad
        start : (N, q), where the search begins; at the nearest known poses without it
        rounds : of the search
        """
        x = np.empty((len(poses), self.latents.shape[1])) if start is None else start.copy()
        for i in range(0, len(poses), _CHUNK):
            part = slice(i, i + _CHUNK)
            if start is None:
                away = squared_distances(poses[part] * self.scales, self._known * self.scales)
                x[part] = self.latents[np.argmin(away, axis=1)]
            self._improve(poses[part], x[part], rounds)
        return x

    def _improve(self, poses: FloatArray, x: FloatArray, rounds: int) -> None:
        """Every pose has its own damping, so that others placed with it do not matter."""
        width, still = poses.shape[1], _STILL * float(np.std(self.latents))
        damping = np.full(len(x), 1e-3)
        energy, off, variance = self._energy(poses, x)
        active = np.arange(len(x))
        while rounds > 0 and len(active):
            rounds -= 1
            slope, d_variance = self.jacobian(x[active])
            slope = slope * self.scales[:, None]
            v, r = variance[active], off[active]
            gradient = -np.einsum("ndq,nd->nq", slope, r) / v[:, None]
            gradient += d_variance * ((width - np.sum(r * r, axis=1) / v) / (2.0 * v))[:, None]
            fisher = np.swapaxes(slope, 1, 2) @ slope / v[:, None, None]
            fisher += 0.5 * width * d_variance[:, :, None] * d_variance[:, None, :] / (v**2)[:, None, None]
            diagonal = np.einsum("nii->ni", fisher)
            diagonal += damping[active, None] * (diagonal + diagonal.mean(axis=1, keepdims=True)) + 1e-12
            trial = x[active] - np.linalg.solve(fisher, gradient[..., None])[..., 0]
            new_energy, new_off, new_variance = self._energy(poses[active], trial)
            better = new_energy < energy[active]
            moved = np.linalg.norm(trial - x[active], axis=1) > still
            rows = active[better]
            x[rows], energy[rows] = trial[better], new_energy[better]
            off[rows], variance[rows] = new_off[better], new_variance[better]
            damping[active] *= np.where(better, 0.2, 6.0)
            active = active[moved & (damping[active] < 1e8)]

    def _energy(self, poses: FloatArray, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        mean, variance = self.predict(x)
        off = (poses - mean) * self.scales
        energy = 0.5 * (np.sum(off * off, axis=1) / variance + poses.shape[1] * np.log(variance))
        return energy, off, variance

    @cached_property
    def _known(self) -> FloatArray:
        """The poses it was fitted to, as it reconstructs them ``(N, D)``."""
        return self.predict(self.latents)[0]

    def _points(self, x: ArrayLike) -> FloatArray:
        points = np.asarray(x, dtype=np.float64)
        if points.ndim < 1 or points.shape[-1] != self.inducing.shape[1]:
            raise LocomoteError(f"x: shape {points.shape}, expected (..., {self.inducing.shape[1]})")
        return points

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model into one file, .npz."""
        header = {"format": FORMAT, "version": VERSION, "method": self.method, "kernel": list(self.kernel)}
        arrays: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
        arrays["header"] = np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8)
        with _files.atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.savez_compressed(stream, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LatentModel:
        """Read a model that `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _model, "latent poses")


def _model(header: dict[str, Any], arrays: dict[str, Any]) -> LatentModel:
    (count, q), (m, width) = arrays["latents"].shape, arrays["weights"].shape
    shapes = (count, q), (m, q), (width,), (width,), (m, width), (m, m), (arrays["history"].size,)
    for name, shape in zip(_ARRAYS, shapes, strict=True):
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise LocomoteError(f"{name}: expected finite numbers of shape {shape}, got {arrays[name].shape}")
    kernel = Kernel(*map(float, header["kernel"]))
    if header["method"] not in METHODS or not all(0.0 < v < np.inf for v in kernel):
        raise LocomoteError(f"method {str(header['method'])[:40]!r} with kernel {tuple(kernel)}: no such model")
    return LatentModel(
        header["method"], kernel, **{name: np.ascontiguousarray(arrays[name], dtype=np.float64) for name in _ARRAYS}
    )


def _checked(poses: ArrayLike, latent: int, inducing: int, method: str, noise: float) -> FloatArray:
    y = np.asarray(poses, dtype=np.float64)
    if y.ndim != 2 or not np.isfinite(y).all():
        raise LocomoteError(f"poses: shape {y.shape}, expected finite numbers (N, D)")
    if method not in METHODS:
        raise LocomoteError(f"method {method!r}: expected one of {', '.join(METHODS)}")
    if not 1 <= latent <= min(len(y) - 1, y.shape[1]):
        most = min(len(y) - 1, y.shape[1])
        raise LocomoteError(f"latent {latent}: {len(y)} poses of {y.shape[1]} numbers allow 1 to {most} dimensions")
    if inducing < 1 or not noise > 0.0:
        raise LocomoteError(f"inducing {inducing}, noise {noise}: expected at least one point and noise above 0")
    return y
