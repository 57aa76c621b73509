"""Latent models of poses: likelihoods and slopes by other ways, predictions, files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.rotations import FloatArray
from locomote.spaces.posing import _ivm
from locomote.spaces.posing import _latent_fit as fitting
from locomote.spaces.posing import _sparse_gp as gp
from locomote.spaces.posing._latent import METHODS, LatentModel
from locomote.spaces.posing._sparse_gp import Kernel

KERNEL = Kernel(0.9, 0.7, 0.3, 0.05)
BLOCKS = [np.arange(0, 15), np.arange(15, 20), np.arange(20, 40)]


def poses_like(count: int = 120, width: int = 9, seed: int = 0) -> FloatArray:
    """Smooth functions of two hidden numbers, with a little noise."""
    rng = np.random.default_rng(seed)
    hidden = np.random.default_rng(7)  # the same functions whatever the seed
    waves = np.sin(rng.uniform(-1.5, 1.5, (count, 2)) @ hidden.normal(size=(2, 2 * width)) + hidden.normal(size=18))
    out: FloatArray = 0.4 * waves @ hidden.normal(size=(2 * width, width)) / 3.0 + 0.01 * rng.normal(
        size=(count, width)
    )
    return out


def example() -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 7)), rng.normal(size=(40, 3)), rng.normal(size=(9, 3))


def dense(x: FloatArray, u: FloatArray, kernel: Kernel, method: str, blocks: list) -> FloatArray:
    """The covariance of the poses, written out (N.3)."""
    whole = kernel.covariance(x, x)
    seen = kernel.covariance(x, u) @ np.linalg.solve(kernel.inducing(u), kernel.covariance(u, x))
    kept = {"full": np.ones_like(whole), "fitc": np.eye(len(x)), "dtc": np.zeros_like(whole)}.get(method)
    if kept is None:
        kept = np.zeros_like(whole)
        for rows in blocks:
            kept[np.ix_(rows, rows)] = 1.0
    out: FloatArray = seen + kept * (whole - seen) + kernel.noise * np.eye(len(x))
    return out


@pytest.mark.parametrize("method", ["full", "fitc", "dtc", "pitc"])
def test_the_likelihood_is_that_of_the_covariance_written_out(method: str) -> None:
    y, x, u = example()
    sigma = dense(x, u, KERNEL, method, BLOCKS)
    log_det = np.linalg.slogdet(sigma)[1]
    direct = -0.5 * (y.size * np.log(2 * np.pi) + y.shape[1] * log_det + np.sum(y * np.linalg.solve(sigma, y)))
    assert gp.likelihood(y, x, u, KERNEL, method, BLOCKS).value == pytest.approx(direct, rel=1e-12)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("method", ["full", "fitc", "dtc", "pitc"])
def test_slopes_are_those_of_central_differences(method: str, scaled: bool) -> None:
    y, x, u = example()
    scales = np.linspace(-0.4, 0.5, y.shape[1]) if scaled else np.zeros(0)
    at = fitting.Unknowns(x, u if method != "full" else u[:0], KERNEL.log(), scales)
    slope = fitting.likelihood(y, at, method, BLOCKS)[1].flat()
    flat, h = at.flat(), 1e-5
    ends = [flat + h * row for row in np.eye(len(flat))], [flat - h * row for row in np.eye(len(flat))]
    values = [[fitting.likelihood(y, at.like(end), method, BLOCKS)[0] for end in side] for side in ends]
    differences = (np.array(values[0]) - np.array(values[1])) / (2 * h)
    for part, other in zip(at.like(slope), at.like(differences), strict=True):
        assert np.abs(part - other).max(initial=0.0) <= 1e-6 * np.abs(slope).max()
        assert np.abs(part - other).max(initial=0.0) <= 1e-5 * np.abs(part).max(initial=1e-12)


def test_blocks_of_one_make_pitc_fitc() -> None:
    y, x, u = example()
    ones = [np.array([n]) for n in range(len(x))]
    pitc, fitc = gp.likelihood(y, x, u, KERNEL, "pitc", ones), gp.likelihood(y, x, u, KERNEL, "fitc")
    assert pitc.value == pytest.approx(fitc.value, rel=1e-12)
    for own, other in zip(pitc[1:4], fitc[1:4], strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-9, atol=1e-9)
    for own, other in zip(
        gp.predictor(y, x, u, KERNEL, "pitc", ones), gp.predictor(y, x, u, KERNEL, "fitc"), strict=True
    ):
        np.testing.assert_allclose(own, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["fitc", "dtc", "pitc"])
def test_inducing_points_at_all_poses_make_the_whole_process(method: str) -> None:
    """But for the jitter, a part in 10⁸."""
    y, x, _ = example()
    sparse, full = gp.likelihood(y, x, x, KERNEL, method, BLOCKS), gp.likelihood(y, x, x, KERNEL, "full")
    assert sparse.value == pytest.approx(full.value, rel=1e-6)
    new = np.random.default_rng(1).normal(size=(5, 3))
    k = KERNEL.covariance(new, x)
    (b, c), (all_b, all_c) = gp.predictor(y, x, x, KERNEL, method, BLOCKS), gp.predictor(y, x, x, KERNEL, "full")
    np.testing.assert_allclose(k @ b, k @ all_b, atol=1e-5)
    np.testing.assert_allclose(k @ c @ k.T, k @ all_c @ k.T, atol=1e-5)


def test_the_whole_process_is_that_of_scikit_learn() -> None:
    process = pytest.importorskip("sklearn.gaussian_process")
    kernels = pytest.importorskip("sklearn.gaussian_process.kernels")
    y, x, _ = example()
    a, g, nu, beta = KERNEL
    kernel = kernels.ConstantKernel(a, "fixed") * kernels.RBF(g**-0.5, "fixed") + kernels.ConstantKernel(nu, "fixed")
    theirs = process.GaussianProcessRegressor(kernel, alpha=beta, optimizer=None).fit(x, y)
    ours = gp.likelihood(y, x, x, KERNEL, "full")
    assert ours.value == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-10)
    b, c = gp.predictor(y, x, x, KERNEL, "full")
    new = np.random.default_rng(1).normal(size=(5, 3))
    mean, deviation = theirs.predict(new, return_std=True)
    k = KERNEL.covariance(new, x)
    np.testing.assert_allclose(k @ b, mean, atol=1e-10)
    np.testing.assert_allclose(a + nu - np.sum(k @ c * k, axis=1), deviation[:, 0] ** 2, atol=1e-10)


@pytest.mark.feature("POS-05")
@pytest.mark.parametrize("method", ["fitc", "dtc", "pitc", "full"])
def test_predictions_from_what_a_file_keeps_are_those_of_the_direct_formulas(method: str, tmp_path: Path) -> None:
    """Mean and variance through the covariance of all poses; a file has matrices of M rows, and no poses."""
    y = poses_like()
    LatentModel.fit(y, latent=3, inducing=20, method=method, rounds=8).save(tmp_path / "a.npz")
    model = LatentModel.load(tmp_path / "a.npz")
    task = fitting.Task(y, 3, 20, method, 8, 0, 0.02, None)
    blocks = fitting.halved(fitting.start(task).latents, fitting.BLOCK)
    rng = np.random.default_rng(3)
    x = model.latents[:30] + 0.3 * rng.normal(size=(30, 3))
    u, kernel = model.inducing, model.kernel
    if method == "full":
        across = kernel.covariance(x, model.latents)
    else:
        across = kernel.covariance(x, u) @ np.linalg.solve(kernel.inducing(u), kernel.covariance(u, model.latents))
    solved = np.linalg.solve(
        dense(model.latents, u, kernel, method, blocks), np.column_stack([y - y.mean(0), across.T])
    )
    mean, variance = model.predict(x)
    np.testing.assert_allclose(mean, y.mean(0) + across @ solved[:, : y.shape[1]], rtol=0.0, atol=1e-9)
    direct = kernel.variance + kernel.noise - np.sum(across * solved[:, y.shape[1] :].T, axis=1)
    np.testing.assert_allclose(variance, direct, rtol=0.0, atol=1e-9)
    assert model.weights.shape == (len(u), y.shape[1])
    assert model.explained.shape == (len(u), len(u))


@pytest.mark.feature("POS-03")
def test_fitting_raises_the_likelihood_every_round() -> None:
    y, told = poses_like(), []
    model = LatentModel.fit(y, latent=3, inducing=25, rounds=60, progress=lambda n, value: told.append((n, value)))
    assert len(model.history) > 30
    assert np.all(np.diff(model.history) > 0.0)
    assert told == list(enumerate(model.history.tolist()))[1:]
    task = fitting.Task(y, 3, 25, "fitc", 60, 0, 0.02, None)
    ends = fitting.start(task), fitting.Unknowns(model.latents, model.inducing, model.kernel.log(), np.zeros(0))
    for said, at in zip(model.history[[0, -1]], ends, strict=True):
        sigma = dense(at.latents, at.inducing, Kernel.of(at.logs), "fitc", [])
        off = y - y.mean(axis=0)
        fits = -0.5 * (
            y.size * np.log(2 * np.pi) + 9 * np.linalg.slogdet(sigma)[1] + np.sum(off * np.linalg.solve(sigma, off))
        )
        assert said == pytest.approx(fits, rel=1e-8)
    assert np.sqrt(np.mean((model.predict(model.latents)[0] - y) ** 2)) < 0.03


@pytest.mark.feature("POS-03")
def test_a_model_of_2000_poses_is_a_small_file(tmp_path: Path) -> None:
    """As large as that of the source: 12 dimensions, 200 inducing points, 90 numbers a pose."""
    y = np.random.default_rng(0).normal(size=(2000, 30)) @ np.random.default_rng(1).normal(size=(30, 90)) * 0.1
    model = LatentModel.fit(y, rounds=2)
    assert model.latents.shape == (2000, 12)
    assert model.inducing.shape == (200, 12)
    model.save(tmp_path / "poses.npz")
    assert (tmp_path / "poses.npz").stat().st_size < 30e6


@pytest.mark.parametrize("method", METHODS)
def test_every_method_reconstructs_and_places(method: str) -> None:
    y, new = poses_like(), poses_like(20, seed=5)
    model = LatentModel.fit(y, latent=3, inducing=40, method=method, rounds=60)
    spread = np.sqrt(np.mean((y - y.mean(axis=0)) ** 2))
    assert np.sqrt(np.mean((model.predict(model.latents)[0] - y) ** 2)) < 0.15 * spread
    assert np.sqrt(np.mean((model.predict(model.place(new))[0] - new) ** 2)) < 0.35 * spread
    assert model.kernel.noise >= 0.02**2 * (1 - 1e-9)
    assert np.all(model.predict(5.0 * model.latents)[1] >= model.kernel.noise)


@pytest.mark.parametrize("method", ["fitc", "ivm-sgplvm"])
def test_jacobians_are_those_of_central_differences(method: str) -> None:
    model = LatentModel.fit(poses_like(60), latent=3, inducing=15, method=method, rounds=10)
    x = model.latents[:6].reshape(2, 3, 3) + 0.1
    poses, variance = model.jacobian(x)
    assert poses.shape == (2, 3, 9, 3)
    for i, step in enumerate(1e-6 * np.eye(3)):
        (up, more), (down, less) = model.predict(x + step), model.predict(x - step)
        np.testing.assert_allclose(poses[..., i], (up - down) / 2e-6, atol=1e-7)
        np.testing.assert_allclose(variance[..., i], (more - less) / 2e-6, atol=1e-7)


def test_a_placed_pose_is_as_likely_as_can_be_whoever_is_placed_with_it() -> None:
    model = LatentModel.fit(poses_like(), latent=3, inducing=25, rounds=30)
    new = poses_like(12, seed=5)
    x = model.place(new)

    def energy(x: FloatArray) -> FloatArray:
        mean, variance = model.predict(x)
        return np.sum((new - mean) ** 2, axis=1) / variance + 9 * np.log(variance)

    for step in 1e-3 * np.concatenate([np.eye(3), -np.eye(3)]):
        assert np.all(energy(x + step) > energy(x) - 1e-9)
    np.testing.assert_allclose(model.place(new[3]), x[3], atol=1e-6)
    assert model.place(new.reshape(3, 4, 9)).shape == (3, 4, 3)
    assert model.place(new[:0]).shape == (0, 3)


def test_informative_poses_are_those_that_tell_most() -> None:
    """Greedily the largest determinant of what was chosen, with noise: tried one by one."""
    x, kernel = np.random.default_rng(2).normal(size=(25, 2)), KERNEL._replace(noise=0.5)
    chosen: list[int] = []

    def told(rows: list[int]) -> float:
        return float(np.linalg.slogdet(kernel.covariance(x[rows], x[rows]) + 0.5 * np.eye(len(rows)))[1])

    for _ in range(12):
        gains = [-np.inf if n in chosen else told([*chosen, n]) for n in range(25)]
        chosen.append(int(np.argmax(np.round(gains, 12))))
    assert _ivm.choose(x, kernel, 12).tolist() == chosen


def test_blocks_hold_every_pose_once() -> None:
    x = np.random.default_rng(0).normal(size=(103, 4))
    blocks = fitting.halved(x, 10)
    assert max(map(len, blocks)) <= 10
    assert sorted(np.concatenate(blocks)) == list(range(103))


def test_the_same_seed_gives_the_same_model() -> None:
    models = [LatentModel.fit(poses_like(), latent=3, inducing=20, rounds=5, seed=seed) for seed in (1, 1, 2)]
    assert np.array_equal(models[0].weights, models[1].weights)
    assert not np.array_equal(models[0].weights, models[2].weights)


def test_a_file_gives_back_the_model(tmp_path: Path) -> None:
    for method in METHODS:
        model = LatentModel.fit(poses_like(40), latent=2, inducing=12, method=method, rounds=3)
        model.save(tmp_path / "a.npz")
        again = LatentModel.load(tmp_path / "a.npz")
        assert (again.method, again.kernel) == (method, model.kernel)
        for name in ("latents", "inducing", "mean", "scales", "weights", "explained", "history"):
            assert np.array_equal(getattr(again, name), getattr(model, name))


def test_damaged_files_are_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    LatentModel.fit(poses_like(40), latent=2, inducing=12, rounds=3).save(path)
    good = dict(np.load(path))
    header = json.loads(good["header"].tobytes())

    def said(**changes: object) -> str:
        told = header | changes.pop("header", {})  # type: ignore[operator]
        arrays = good | changes | {"header": np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)}
        np.savez(path, **{k: v for k, v in arrays.items() if v is not None})  # type: ignore[arg-type]
        with pytest.raises(FormatError) as error:
            LatentModel.load(path)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)
        return str(error.value)

    assert "weights: expected finite" in said(weights=np.full((12, 9), np.nan))
    assert "inducing: expected finite numbers of shape (12, 2)" in said(inducing=np.zeros((11, 2)))
    assert "explained" in said(explained=np.zeros((12, 11)))
    assert "not a whole file" in said(latents=None)
    assert "not a whole file" in said(latents=np.zeros(3))
    assert "no such model" in said(header={"method": "magic"})
    assert "no such model" in said(header={"kernel": [1.0, 1.0, 1.0, -1.0]})
    assert "not a whole file" in said(header={"kernel": [1.0]})
    assert "has version 2" in said(header={"version": 2})
    assert "is not a locomote latent poses" in said(header={"format": "locomote pose space"})
    path.write_bytes(b"PK\x03\x04 cut short")
    with pytest.raises(FormatError, match="not a whole file of latent poses"):
        LatentModel.load(path)
    with pytest.raises(LocomoteError, match="no such file"):
        LatentModel.load(tmp_path / "b.npz")


def test_what_cannot_be_fitted_or_asked() -> None:
    y = poses_like(30)
    for bad, said in (
        ({"poses": y[0]}, r"poses: shape \(9,\)"),
        ({"poses": np.full((9, 9), np.nan)}, "finite"),
        ({"method": "best"}, "method 'best': expected one of fitc, dtc"),
        ({"latent": 10}, "30 poses of 9 numbers allow 1 to 9 dimensions"),
        ({"latent": 2, "inducing": 0}, "at least one point"),
        ({"latent": 2, "noise": 0.0}, "noise above 0"),
    ):
        with pytest.raises(LocomoteError, match=said):
            LatentModel.fit(**({"poses": y} | bad))  # type: ignore[arg-type]
    model = LatentModel.fit(y, latent=2, inducing=200, rounds=0)
    assert len(model.inducing) == 30
    with pytest.raises(LocomoteError, match=r"x: shape \(3,\), expected \(\.\.\., 2\)"):
        model.predict(np.zeros(3))
    with pytest.raises(LocomoteError, match="poses: shape"):
        model.place(np.zeros(3))
