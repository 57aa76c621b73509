from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.steps._database import WHOLE_TURN, StepDatabase, difference, features
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._tetrahedra import Tetrahedra
from locomote.steps._timeline import LAND, LIFT, SAMPLES
from locomote.steps.building._foot_cleanup import lowest_points

ASSET = Path(__file__).resolve().parents[2] / "src" / "locomote" / "assets" / "steps.npz"
BALL = 1


@pytest.fixture(scope="module")
def steps() -> StepDatabase:
    return StepDatabase.default()


@pytest.mark.feature("STR-08")
@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_places_are_made_of_four_steps(steps: StepDatabase, side: int) -> None:
    space = steps.arrays(side)
    corners, weights = steps.locate(space.params, side)
    best = np.take_along_axis(corners, weights.argmax(axis=1)[:, None], axis=1)[:, 0]
    np.testing.assert_array_equal(best, np.arange(len(steps)))
    np.testing.assert_allclose(np.sort(weights, axis=1), [[0.0, 0.0, 0.0, 1.0]] * len(steps), atol=1e-9)
    draw = np.random.default_rng(0)
    tetrahedra = space.simplices[draw.integers(len(space.simplices), size=100_000)]
    query = np.einsum("qc,qcj->qj", draw.dirichlet(np.ones(4), 100_000), space.params[tetrahedra])
    corners, weights = steps.locate(query, side)
    assert np.all(corners >= 0)
    assert weights.min() > -1e-9
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.einsum("qc,qcj->qj", weights, space.params[corners]), query, atol=1e-9)
    outside, none = steps.locate(np.array([[5.0, 0.0, 0.0]]), side)
    assert np.all(outside == -1)
    assert np.all(none == 0.0)
    near = query[:200] + draw.normal(scale=0.2, size=(200, 3))
    away = np.linalg.norm(near[:, None] - space.params, axis=2)
    np.testing.assert_array_equal(steps.nearest(near, side), away.argmin(axis=1))


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_arrays_say_how_tetrahedra_lie(steps: StepDatabase, side: int) -> None:
    space = steps.arrays(side)
    s, face = np.nonzero(space.neighbours >= 0)
    across = space.neighbours[s, face]
    for a, b, k in list(zip(s, across, face, strict=True))[:300]:
        shared = set(space.simplices[a]) - {space.simplices[a][k]}
        assert shared <= set(space.simplices[b])
    inner = space.params[space.simplices].mean(axis=1)
    first = np.einsum("sij,sj->si", space.transforms[:, :3], inner - space.transforms[:, 3])
    np.testing.assert_allclose(first, 0.25, atol=1e-6)


def test_images_are_true_mirror_images(steps: StepDatabase) -> None:
    right, left = steps.arrays(RIGHT), steps.arrays(LEFT)
    np.testing.assert_allclose(left.params, right.params * [-1, -1, 1])
    for k in range(0, len(steps), 97):
        ours = Motion(COMMON, 60.0, left.roots[k], left.rotations[k]).joint_positions()
        theirs = Motion(COMMON, 60.0, right.roots[k], right.rotations[k]).joint_positions()
        for j, name in enumerate(COMMON.names):
            other = name.replace("Left", "#").replace("Right", "Left").replace("#", "Right")
            np.testing.assert_allclose(ours[:, j], theirs[:, COMMON.index(other)] * [-1, 1, 1], atol=1e-9)


def test_the_shipped_steps_are_small_and_clean(steps: StepDatabase) -> None:
    assert ASSET.stat().st_size < 3e6
    assert 400 <= len(steps) <= 600
    assert "mocap.cs.cmu.edu" in steps.about
    assert not any("_nc_" in name for name in steps.sources)
    support, swing = steps.feet[:, :, LEFT, BALL], steps.feet[:, :, RIGHT, BALL]
    level = [0, 2]
    assert np.all(support[..., level] == 0.0)
    start = np.stack([steps.params[:, 0], np.zeros(len(steps))], axis=1)
    assert np.abs(swing[:, : LIFT + 1][..., level] - start[:, None]).max() < 1e-9
    assert np.abs(swing[:, LAND:][..., level] - steps.params[:, None, 1:]).max() < 1e-9
    assert lowest_points(steps.feet).min() > -1e-3
    assert np.abs(lowest_points(steps.feet[:, :, LEFT])).max() < 1e-3
    positions = Motion(
        COMMON, 60.0, steps.roots.reshape(-1, 3), steps.rotations.reshape(-1, len(COMMON), 4)
    ).joint_positions()
    balls = positions[:, [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]]
    assert np.abs(balls.reshape(len(steps), SAMPLES, 2, 3) - steps.feet[:, :, :, BALL]).max() < 3e-4


def test_a_file_gives_the_same_steps_back(steps: StepDatabase, tmp_path: Path) -> None:
    some = steps.taken(np.arange(0, len(steps), 20))
    some.save(tmp_path / "some.npz")
    back = StepDatabase.load(tmp_path / "some.npz")
    for name in ("params", "yaws", "durations", "clips", "tags", "swung"):
        np.testing.assert_array_equal(getattr(back, name), getattr(some, name))
    for name in ("roots", "feet", "knee_rolls"):
        np.testing.assert_allclose(getattr(back, name), getattr(some, name), atol=1e-4)
    assert np.abs(np.sum(back.rotations * some.rotations, axis=-1)).min() > 1.0 - 1e-6
    assert (back.sources, back.styles, back.about) == (some.sources, some.styles, some.about)


def test_other_files_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "text.npz").write_text("no")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(FormatError, match="not a database of steps"):
            StepDatabase.load(tmp_path / name)


def test_styles_are_parts_of_the_database() -> None:
    everything = StepDatabase.default(None)
    assert len(everything.styles) > 5
    parts = [everything.only(style) for style in everything.styles]
    assert sum(len(part) for part in parts) == len(everything)
    assert all(len(part) >= 8 and part.hull_volume() > 0.0 for part in parts)
    assert len(everything.only("plain")) == len(StepDatabase.default())
    with pytest.raises(LocomoteError, match="no style 'moon'; there are: plain"):
        everything.only("moon")


def test_differences_go_the_short_way_round() -> None:
    zero = np.zeros(3)
    a = features(zero, np.array([np.pi - 0.1, 0.0, 0.0]), zero)
    b = features(zero, np.array([-np.pi + 0.1, 0.0, 0.0]), zero)
    assert difference(a, b) == pytest.approx(0.2 / np.pi * WHOLE_TURN / 2)
    place = features(np.array([0.15 / 0.9, 0.0, 0.0]), zero, np.array([0.0, 0.2, 0.0]))
    assert difference(place, features(zero, zero, zero)) == pytest.approx(2.0)
    assert difference(place, features(zero, zero, zero), (0.0, 1.0, 2.0)) == pytest.approx(2.0)


def test_too_few_steps_span_nothing(steps: StepDatabase) -> None:
    with pytest.raises(LocomoteError, match="expected at least 5"):
        steps.taken(np.arange(4)).arrays(RIGHT)


def test_walks_find_what_scipy_finds() -> None:
    from scipy.spatial import Delaunay

    draw = np.random.default_rng(2)
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)  # on common spheres: flat ones
    for points in (draw.normal(size=(60, 3)), grid):
        ours, theirs = Tetrahedra.of(points), Delaunay(points)
        query = draw.uniform(points.min(), points.max(), size=(2000, 3))
        found, weights = ours.locate(query)
        np.testing.assert_array_equal(found >= 0, theirs.find_simplex(query) >= 0)
        inside = found >= 0
        made = np.einsum("qc,qcj->qj", weights, points[ours.simplices[found]])
        np.testing.assert_allclose(made[inside], query[inside], atol=1e-9)
        assert weights.min() > -1e-8
    near = Tetrahedra.of(grid).around()
    assert all(k in near[j] for k in range(len(near)) for j in near[k])
