"""Gaussian processes of many outputs that share one covariance, whole or seen through a few inducing points.

``k(x, x') = a exp(-g/2 |x - x'|²) + nu``; what is measured has noise of variance beta on top. With
``Q = K_fu K_uu⁻¹ K_uf`` the covariance of the poses is ``Q + Lambda``, where Lambda is

- "dtc": beta on the diagonal,
- "fitc": ``diag(K_ff - Q) + beta``, every variance as in the whole process,
- "pitc": the same in blocks, covariances within a block as in the whole process,

and "full" is ``K_ff + beta`` itself. All but the last cost O(M² N) (POS-03, POS-04).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, cholesky, lapack, solve_triangular

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

JITTER = 1e-8  # of the variance, on the diagonal of K_uu: part of the model, so that values and gradients agree
SPARSE = ("fitc", "dtc", "pitc")


class Kernel(NamedTuple):
    """What the covariance is made of; `log` and `of` are the numbers that are fitted."""

    amplitude: float  # a, rad²
    sharpness: float  # g, one over the square of the latent distance at which poses grow unlike
    bias: float  # nu, rad²
    noise: float  # beta, rad²: a variance

    @classmethod
    def of(cls, logs: FloatArray) -> Kernel:
        """The kernel whose parameters have these logarithms, ``(4,)``."""
        a, g, nu, beta = np.exp(logs).tolist()
        return cls(a, g, nu, beta)

    def log(self) -> FloatArray:
        """The logarithms of the parameters, ``(4,)``."""
        out: FloatArray = np.log(np.array(self))
        return out

    @property
    def variance(self) -> float:
        """Of any pose, without noise."""
        return self.amplitude + self.bias

    def similar(self, x: FloatArray, u: FloatArray) -> FloatArray:
        """The part of the covariance that falls with distance, ``(..., M)`` of ``x (..., q)`` and ``u (M, q)``."""
        out: FloatArray = self.amplitude * np.exp(-0.5 * self.sharpness * squared_distances(x, u))
        return out

    def covariance(self, x: FloatArray, u: FloatArray) -> FloatArray:
        """``k(x, u)``, ``(..., M)``."""
        return self.similar(x, u) + self.bias

    def inducing(self, u: FloatArray) -> FloatArray:
        """K_uu ``(M, M)``, with its jitter."""
        out = self.covariance(u, u)
        out.flat[:: len(u) + 1] = self.variance * (1.0 + JITTER)
        return out


class Likelihood(NamedTuple):
    """A log likelihood of poses, and how it changes with what is fitted."""

    value: float
    latents: FloatArray  # (N, q)
    inducing: FloatArray  # (M, q), of the whole process (0, q)
    logs: FloatArray  # (4,) of the logarithms of the kernel's parameters
    solved: FloatArray  # (N, D) the inverse covariance times the poses


def squared_distances(x: FloatArray, u: FloatArray) -> FloatArray:
    """``|x - u|²``, ``(..., M)``."""
    away = np.sum(x * x, axis=-1)[..., None] + np.sum(u * u, axis=-1) - 2.0 * (x @ u.T)
    out: FloatArray = np.maximum(away, 0.0)
    return out


def likelihood(
    poses: FloatArray, x: FloatArray, u: FloatArray, kernel: Kernel, method: str, blocks: Sequence[IntArray] = ()
) -> Likelihood:
    """Of centred poses ``(N, D)`` at ``x (N, q)``, seen through ``u (M, q)``; ``blocks`` of rows are for "pitc"."""
    if method == "full":
        return _full(poses, x, kernel)
    width = poses.shape[1]
    f = _factors(poses, x, u, kernel, method, blocks)
    solved = f.poses_by_noise - f.half.T @ solve_triangular(f.small, f.v @ f.poses_by_noise, lower=True)
    log_det = f.log_det + 2.0 * float(np.log(np.diag(f.small)).sum())

    # With G = dL/dSigma: dL/dK_uf = 2 W H and dL/dK_uu = -W H Wᵀ, where W = K_uu⁻¹ K_uf and H is G less what Lambda
    # takes back of Q; W Sigma⁻¹ has the short form below.
    w = solve_triangular(f.root, f.v, lower=True, trans=1)
    w_sigma = solve_triangular(f.root, solve_triangular(f.small, f.half, lower=True, trans=1), lower=True, trans=1)
    wh = 0.5 * ((w @ solved) @ solved.T - width * w_sigma)
    logs = np.zeros(4)
    d_x = np.zeros_like(x)
    if method == "pitc":
        for rows, inverse in zip(blocks, f.inverses, strict=True):
            part = f.half[:, rows]
            g = 0.5 * (solved[rows] @ solved[rows].T - width * (inverse - part.T @ part))
            wh[:, rows] -= w[:, rows] @ g
            here, there, d_logs = _pull(g, x[rows], x[rows], kernel)
            d_x[rows] += here + there
            logs += d_logs
            logs[3] += kernel.noise * float(np.trace(g))
    else:
        g = 0.5 * (np.sum(solved**2, axis=1) - width * (1.0 / f.noise - np.sum(f.half**2, axis=0)))
        logs[3] = kernel.noise * float(g.sum())
        if method == "fitc":
            wh -= w * g
            logs[[0, 2]] = float(g.sum()) * np.array([kernel.amplitude, kernel.bias])
    d_u, from_poses, d_logs = _pull(2.0 * wh, u, x, kernel)
    between = -(wh @ w.T)
    left, right, d_between = _pull(between, u, u, kernel)
    d_between[[0, 2]] += JITTER * float(np.trace(between)) * np.array([kernel.amplitude, kernel.bias])
    value = _value(poses, solved, log_det)
    return Likelihood(value, d_x + from_poses, d_u + left + right, logs + d_logs + d_between, solved)


def predictor(
    poses: FloatArray, x: FloatArray, u: FloatArray, kernel: Kernel, method: str, blocks: Sequence[IntArray] = ()
) -> tuple[FloatArray, FloatArray]:
    """B ``(M, D)`` and C ``(M, M)``: the mean at x is ``k_xu B``, its variance ``k(x, x) - k_xu C k_ux`` (POS-05).

    Of the whole process ``u`` are the latent points themselves.
    """
    if method == "full":
        inverse, _ = inverse_of(_with_noise(kernel, x))
        return inverse @ poses, inverse
    f = _factors(poses, x, u, kernel, method, blocks)
    inner = cho_solve((f.small, True), f.v @ f.poses_by_noise)
    half = solve_triangular(f.root, np.eye(len(u)) - inverse_of(f.small @ f.small.T)[0], lower=True, trans=1)
    c = solve_triangular(f.root, half.T, lower=True, trans=1)
    return solve_triangular(f.root, inner, lower=True, trans=1), 0.5 * (c + c.T)


def inverse_of(matrix: FloatArray) -> tuple[FloatArray, float]:
    """The inverse of a positive definite matrix, symmetric to the last bit, and the logarithm of its determinant."""
    root = cholesky(matrix, lower=True)
    lower, _ = lapack.dpotri(root, lower=1)
    return np.tril(lower) + np.tril(lower, -1).T, 2.0 * float(np.log(np.diag(root)).sum())


class _Factors(NamedTuple):
    root: FloatArray  # (M, M) lower, of K_uu
    v: FloatArray  # (M, N): Q = vᵀ v
    noise: FloatArray  # (N,) Lambda, where it is diagonal
    inverses: list[FloatArray]  # of the blocks of Lambda, where it has some
    log_det: float  # of Lambda
    poses_by_noise: FloatArray  # (N, D) Lambda⁻¹ poses
    small: FloatArray  # (M, M) lower, of 1 + v Lambda⁻¹ vᵀ
    half: FloatArray  # (M, N) small⁻¹ v Lambda⁻¹: Sigma⁻¹ = Lambda⁻¹ - halfᵀ half


def _factors(
    poses: FloatArray, x: FloatArray, u: FloatArray, kernel: Kernel, method: str, blocks: Sequence[IntArray]
) -> _Factors:
    root = cholesky(kernel.inducing(u), lower=True)
    v = solve_triangular(root, kernel.covariance(u, x), lower=True)
    noise, inverses = np.full(len(x), kernel.noise), []
    if method == "pitc":
        v_by_noise, by_noise, log_det = np.empty_like(v), np.empty_like(poses), 0.0
        for rows in blocks:
            own = _with_noise(kernel, x[rows]) - v[:, rows].T @ v[:, rows]
            inverse, own_log_det = inverse_of(own)
            inverses.append(inverse)
            log_det += own_log_det
            v_by_noise[:, rows], by_noise[rows] = v[:, rows] @ inverse, inverse @ poses[rows]
    else:
        if method == "fitc":
            noise += np.maximum(kernel.variance - np.sum(v * v, axis=0), 0.0)
        v_by_noise, by_noise, log_det = v / noise, poses / noise[:, None], float(np.log(noise).sum())
    small = cholesky(np.eye(len(u)) + v_by_noise @ v.T, lower=True)
    half = solve_triangular(small, v_by_noise, lower=True)
    return _Factors(root, v, noise, inverses, log_det, by_noise, small, half)


def _full(poses: FloatArray, x: FloatArray, kernel: Kernel) -> Likelihood:
    inverse, log_det = inverse_of(_with_noise(kernel, x))
    solved = inverse @ poses
    g = 0.5 * (solved @ solved.T - poses.shape[1] * inverse)
    left, right, logs = _pull(g, x, x, kernel)
    logs[3] = kernel.noise * float(np.trace(g))
    return Likelihood(_value(poses, solved, log_det), left + right, np.zeros((0, x.shape[1])), logs, solved)


def _value(poses: FloatArray, solved: FloatArray, log_det: float) -> float:
    return -0.5 * float(poses.size * np.log(2.0 * np.pi) + poses.shape[1] * log_det + np.sum(poses * solved))


def _with_noise(kernel: Kernel, x: FloatArray) -> FloatArray:
    out = kernel.covariance(x, x)
    out.flat[:: len(x) + 1] = kernel.variance + kernel.noise
    return out


def _pull(slope: FloatArray, u: FloatArray, x: FloatArray, kernel: Kernel) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What a slope by ``k(u, x)``, ``(M, N)``, is by ``u``, by ``x`` and by the logarithms of the parameters."""
    away = squared_distances(u, x)
    weighed = slope * (kernel.amplitude * np.exp(-0.5 * kernel.sharpness * away))
    g = kernel.sharpness
    d_u = g * (weighed @ x - weighed.sum(axis=1)[:, None] * u)
    d_x = g * (weighed.T @ u - weighed.sum(axis=0)[:, None] * x)
    by_sharpness = -0.5 * g * float(np.sum(weighed * away))
    return d_u, d_x, np.array([float(weighed.sum()), by_sharpness, kernel.bias * float(slope.sum()), 0.0])
