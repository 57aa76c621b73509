from __future__ import annotations

import numpy as np
import pytest

from locomote.steps._database import StepDatabase
from locomote.steps._timeline import LAND, LIFT
from locomote.steps.building._analysis import (
    analyse,
    circumspheres,
    dihedral_angles,
    movement,
    pose_errors,
    widths,
)
from locomote.steps.building._report import report, step_map
from locomote.steps.building._thinning import (
    SYNTHETIC,
    densify,
    pick,
    prune,
    spread,
    without_duplicates,
)


@pytest.fixture(scope="module")
def steps() -> StepDatabase:
    """A part of the shipped database: enough to see everything, and quick."""
    whole = StepDatabase.default()
    return whole.taken(pick(whole, 120))


@pytest.mark.feature("STR-10")
def test_the_report_says_what_is_needed_and_what_is_there(steps: StepDatabase) -> None:
    found = analyse(steps)
    text = report(found)
    start, end = widths(steps) * 90.0
    for name, width in (("start", start), ("end", end)):
        assert f"steps that {name} small: {np.sum(width <= 30.0)} (need >= 3)" in text
        assert f"steps that {name} wide: {np.sum(width >= 75.0)} (need >= 3)" in text
        assert f"smallest {name}: {width.min():.1f} cm (need <= 15.0 cm)" in text
        assert f"widest {name}: {width.max():.1f} cm (need >= 90.0 cm)" in text
    forward, sideways = movement(steps)
    side = np.abs(sideways) > 3.0 * np.abs(forward)
    assert f"sidesteps: {side.sum()}" in text
    assert f"smallest start of a sidestep: {start[side].min():.1f} cm (need <= 15.0 cm)" in text
    assert f"smallest end of a sidestep: {end[side].min():.1f} cm (need <= 15.0 cm)" in text
    beyond = np.sum(start >= end.max())
    assert f"steps that start at least {end.max():.0f} cm wide: {beyond} (need >= 3)" in text
    for word in ("hull", "dihedral", "alternative", "required range", "blended", "missing"):
        assert word in text
    assert all(("ok" in line) != ("NOT MET" in line) for line in text.splitlines() if "need" in line)
    picture = step_map(steps)
    seen = np.unique(np.asarray(picture).reshape(-1, 3), axis=0)
    assert len(seen) > 1000  # discs over discs


def test_sides_of_a_step() -> None:
    steps = StepDatabase.default()
    forward, sideways = movement(steps)
    facing = np.arctan2(np.sin(steps.yaws).mean(axis=1), np.cos(steps.yaws).mean(axis=1))
    travel = np.stack([steps.params[:, 1] - steps.params[:, 0], steps.params[:, 2]], axis=1)
    np.testing.assert_allclose(np.hypot(forward, sideways), np.linalg.norm(travel, axis=1))
    # The pelvis goes where the swinging foot goes.
    way = steps.roots[:, LAND] - steps.roots[:, LIFT]
    along = np.sin(facing) * way[:, 0] + np.cos(facing) * way[:, 2]
    assert np.corrcoef(along, forward)[0, 1] > 0.9
    assert np.sum(forward > 0.3) > np.sum(forward < -0.3) > 20


def test_a_step_is_as_far_off_as_its_blend(steps: StepDatabase) -> None:
    errors = pose_errors(steps)
    k = int(np.nanargmax(errors))
    others = np.delete(np.arange(len(steps)), k)
    alone = pose_errors(steps, others)
    assert alone[k] == pytest.approx(errors[k], rel=1e-6)  # taken out, or never there: the same blend
    assert np.isnan(errors).sum() >= 4  # the hull has no blend


def test_shapes_of_tetrahedra() -> None:
    regular = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])[None]
    np.testing.assert_allclose(dihedral_angles(regular), np.degrees(np.arccos(1.0 / 3.0)))
    centre, radius = circumspheres(regular + 5.0)
    np.testing.assert_allclose(centre, [[5.0, 5.0, 5.0]], atol=1e-12)
    assert radius[0] == pytest.approx(np.sqrt(3.0))
    flat = regular * [1.0, 1.0, 0.0]
    assert np.isinf(circumspheres(flat)[1][0])


@pytest.mark.feature("STR-33")
def test_pruning_keeps_space_and_accuracy(steps: StepDatabase) -> None:
    kept = prune(steps)
    assert len(kept) < 0.95 * len(steps)
    assert steps.taken(kept).hull_volume() >= 0.98 * steps.hull_volume()
    before, after = pose_errors(steps), pose_errors(steps, kept)
    assert np.nanmean(after) <= 1.05 * np.nanmean(before)


def test_synthetic_steps_are_steps(steps: StepDatabase) -> None:
    more = densify(steps, 10)
    made = more.taken(np.arange(len(steps), len(more)))
    assert len(made) == 10
    assert {more.sources[k] for k in made.clips} == {SYNTHETIC}
    corners, _ = steps.locate(made.params)
    assert np.all(corners >= 0)
    ball = made.feet[:, :, 1, 1]
    np.testing.assert_allclose(ball[:, LIFT, 0], made.params[:, 0], atol=1e-9)
    np.testing.assert_allclose(ball[:, LAND:, [0, 2]], np.repeat(made.params[:, None, 1:], 13, axis=1), atol=1e-9)
    for a, b in ((0, 1), (1, 2)):
        bone = np.linalg.norm(made.feet[..., a, :] - made.feet[..., b, :], axis=-1)
        old = np.linalg.norm(steps.feet[..., a, :] - steps.feet[..., b, :], axis=-1)
        np.testing.assert_allclose(bone, np.median(old), atol=1e-3)
    assert more.hull_volume() == pytest.approx(steps.hull_volume())


def test_picks_are_on_the_hull_and_apart(steps: StepDatabase) -> None:
    few = pick(steps, 60, np.array([3, 5]))
    assert len(few) == 60
    assert {3, 5} <= set(few)
    assert steps.taken(few).hull_volume() == pytest.approx(steps.hull_volume())
    assert list(spread(steps, 4, np.array([7]))) == sorted(set(spread(steps, 4, np.array([7]))))
    twice = steps.taken(np.array([0, 1, 2, 1, 3]))
    assert len(without_duplicates(twice)) == 4
