"""The scenes of the source: what is walked comes out of the plan alone."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.steps._walking import Walk, trace
from locomote_lab.steps import scenarios
from locomote_lab.steps.candidates import alternatives, candidates, choices, queries_of
from locomote_lab.steps.comparisons import nearest_and_moved, rotational_errors
from locomote_lab.steps.metrics import measure
from locomote_lab.steps.study import SCENES, backwards, courses, sideways, study

MILLIMETRE = 1e-3


@pytest.fixture(scope="module")
def walks() -> dict[str, Walk]:
    return {name: trace([plan()], leg_length=leg)[0] for name, (plan, leg, _) in SCENES.items()}


@pytest.mark.feature("STR-29")
def test_the_three_scenes_are_walked_without_hints() -> None:
    # The first is read from a record, yaws and times with it; the others are places and nothing else.
    curves, ridge, reversal = (trace([plan()], leg_length=leg)[0] for plan, leg, _ in SCENES.values())
    for walk in (ridge, reversal):
        assert np.all(np.isnan(walk.plan.yaws))
        assert np.all(np.isnan(walk.plan.times))
    for walk, steps in ((curves, 12), (ridge, 20), (reversal, 12)):
        assert len(walk.plan) - 2 == steps
        numbers = measure(walk)
        assert numbers.foot_error < MILLIMETRE
        assert numbers.skate < 1e-4
        assert numbers.penetration < 1e-4
        assert numbers.stretch < 0.9951
    # Curves are walked ahead, by more than half a turn.
    assert np.nanmean(courses(curves) < np.radians(55)) > 0.9
    facing = np.unwrap(rot.yaw(curves.motion.rotations[:, 0]))
    assert abs(facing[-1] - facing[0]) > np.pi / 2
    # The ridge is taken sideways, and only the ridge.
    fps = ridge.motion.fps
    first, last = (int(ridge.lands[k] * fps) for k in (scenarios.RIDGE_FROM, scenarios.RIDGE_TO - 1))
    off = courses(ridge)
    assert np.nanmedian(off[first:last]) > np.radians(60)
    assert np.nanmedian(off[: first - int(fps)]) < np.radians(40)
    # Backwards in the middle, and it looks ahead all the while.
    assert 0.15 < backwards(reversal) < 0.5
    facing = rot.yaw(reversal.motion.rotations[:, 0])
    assert np.abs(facing).max() < np.radians(50)
    assert sideways(reversal) < 0.2


def test_blends_of_rotations_alone_miss_the_places(walks: dict[str, Walk]) -> None:
    for walk in walks.values():
        errors = rotational_errors(walk)
        assert errors.shape == (len(walk.plan) - 2, 2)
        assert errors.max() > 5 * MILLIMETRE
        assert measure(walk).foot_error < 1e-6


def test_queries_are_what_the_places_say(walks: dict[str, Walk]) -> None:
    from locomote.steps._blending import default_database

    steps = default_database()
    for walk in walks.values():
        queries = queries_of(walk)
        corners, weights = choices(steps, queries, "optimal")
        np.testing.assert_allclose(np.einsum("qc,qcd->qd", weights, steps.params[corners]), queries[:, :3], atol=1e-9)


def test_alternatives_lie_beyond_one_corner() -> None:
    from locomote.steps._blending import default_database

    steps = default_database()
    simplex = np.array([7, 400, 1200])
    counts = alternatives(steps, simplex)
    for row, s in enumerate(simplex):
        corners = steps.tetrahedra.simplices[s]
        matrix = np.vstack([steps.params[corners].T, np.ones(4)])
        inverse = np.linalg.inv(matrix)
        for k in range(4):
            found = 0
            for n in range(len(steps)):
                coordinates = inverse @ [*steps.params[n], 1.0]
                found += n not in corners and all(coordinates[i] <= 0 for i in range(4) if i != k)
            assert found == counts[row, k]


def test_choosing_together_beats_corners(walks: dict[str, Walk]) -> None:
    found = candidates(list(walks.values()))
    assert found.steps == 44
    assert found.none < 0.4
    assert found.blends[2] < 0.75 * found.blends[0]
    assert found.heaviest[2] >= found.heaviest[0]
    assert found.opposite[2] < found.opposite[0]


def test_blends_are_smoother_than_the_nearest_step() -> None:
    rows = nearest_and_moved([(plan(), leg) for plan, leg, _ in SCENES.values()])
    ours, theirs = rows["blend of four"], rows["nearest step, feet moved"]
    assert float(ours[0]) < 1e-3
    assert float(theirs[0]) < 1e-3
    assert float(ours[2]) < float(theirs[2])


@pytest.mark.feature("STR-36")
def test_one_command_prints_all_numbers(walks: dict[str, Walk]) -> None:
    from typer.testing import CliRunner

    from locomote_lab.__main__ import app

    result = CliRunner().invoke(app, ["study", "--quick", "--quiet"])
    assert result.exit_code == 0
    for wanted in (
        "made, ms a step", "converted, ms a step", "share of real time", "mean step, s",  # 7.2
        "alternatives of a neighbour", "neighbours with none", "more than five", "changed for a better one",
        "loss of weight",  # 7.3
        "indoor, tight curves", "narrow ridge", "forwards, backwards, forwards", "rotations only, mean",
        "corners of Delaunay", "candidates by regions", "raw", "knee roll above 6 Hz", "sinks more than needed",
        "largest pelvis acceleration", "Random single steps", "cm outside", "heights within",
        "made from all others", "nearest step, feet moved", "centre of mass outside",  # 7.4
        "skate, mm a frame", "below ground", "joint jerk", "pelvis jerk", "joint angles, mean, deg",
        "turn of a standing foot", "hand swing",  # 7.5
    ):  # fmt: skip
        assert wanted in result.stdout
    assert "nan" not in result.stdout.lower()
    tables = {table.title: table for table in study(quick=True)}
    assert all(len(row) == len(table.head) for table in tables.values() for row in table.rows)
    # What is printed of the scenes is what can be measured of their feet and pelvis, by the joints alone.
    scenes = tables["Scenes"]
    columns = [scenes.head.index(name) for name in ("foot error, mm", "skate, mm a frame", "below ground, mm")]
    for row, walk in zip(scenes.rows, walks.values(), strict=True):
        printed = [float(row[column]) for column in columns]
        assert all(0.0 <= value < 0.1 for value in printed)
        assert int(row[1]) == len(walk.plan) - 2
        assert float(row[2]) == pytest.approx(walk.motion.duration, abs=0.05)
