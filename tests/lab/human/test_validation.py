"""The folds, the report and its page, on made-up performers."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human._encoding import Encoding
from locomote.human._model import HumanModel
from locomote.human.fitting._cycles import SAMPLES
from locomote.human_skeleton import COMMON
from locomote.measures import motion_distance
from locomote.motion import Motion
from locomote_lab.human.cross_validation import Cycles, gait_folds, speed_folds, subject_folds
from locomote_lab.human.norms import MIXTURE, bends, played, steps_of_unit
from locomote_lab.human.validation import BoundCheck, Report, Score, subject_scores, validate
from tests.human.affine_units import SPEEDS, truth, units
from tests.human.toy import toy_model


@pytest.fixture(scope="module")
def cycles() -> Cycles:
    return Cycles.of(units())


@pytest.fixture(scope="module")
def model() -> HumanModel:
    """A small model whose styles are named after two of the performers."""
    toy = toy_model()
    return replace(toy, styles=("p0", "p1", "somebody else"))


@pytest.fixture(scope="module")
def report(model: HumanModel) -> Report:
    return validate(units(performers=3), model)


def test_speeds_held_back_are_disjoint_and_exhaustive(cycles: Cycles) -> None:
    folds = speed_folds(cycles)
    held = np.concatenate([fold.held for fold in folds])
    assert len(held) == len(np.unique(held)) == len(cycles)
    for fold in folds:
        assert not np.intersect1d(fold.known, fold.held).size
        assert len(fold.known) + len(fold.held) == len(cycles)
        rest = np.intersect1d(fold.known, cycles.rows(fold.subject, fold.gait))
        gap = np.abs(np.subtract.outer(cycles.speeds[rest], cycles.speeds[fold.held]))
        assert gap.min() > 0.2
        middle = cycles.speeds[fold.held].mean()
        assert fold.inside == (cycles.speeds[rest].min() < middle < cycles.speeds[rest].max())
    assert len(folds) == 5 * (len(SPEEDS["walk"]) + len(SPEEDS["run"]))


def test_performers_held_back_are_unknown(cycles: Cycles) -> None:
    folds = subject_folds(cycles)
    assert {(f.subject, f.gait) for f in folds} == {(s, g) for s in cycles.subjects for g in ("walk", "run")}
    for fold in folds:
        assert fold.subject not in {cycles.subjects[i] for i in fold.known}
        assert fold.shown not in fold.held
        assert cycles.subjects[fold.shown] == fold.subject
        assert sorted([*fold.held, fold.shown]) == cycles.rows(fold.subject, fold.gait).tolist()


def test_gaits_held_back_leave_the_other_gait(cycles: Cycles) -> None:
    for fold in gait_folds(cycles):
        known = {cycles.gaits[i] for i in fold.known if cycles.subjects[i] == fold.subject}
        assert known == {"run" if fold.gait == "walk" else "walk"}
    assert len(gait_folds(cycles)) == 10


def test_the_distance_is_that_of_the_measures(cycles: Cycles) -> None:
    a, b = cycles.units[0], cycles.units[40]
    plain = motion_distance(*(Motion(COMMON, 50.0, u.root, u.rotations) for u in (a, b)))
    found = cycles.distances(cycles.coordinates[[0]], np.array([40]))[0]
    assert found == pytest.approx(plain, rel=1e-9)


@pytest.mark.feature("PCA-041")
def test_the_report_has_every_table(report: Report) -> None:
    assert report.cycles == {"walk": 45, "run": 45}
    assert report.performers == 3
    assert set(report.speed["pooled"]) >= {"walk inside", "run outside", "inside", "outside"}
    assert set(report.speed) == {
        "pooled",
        "hierarchy",
        "hierarchy from standing",
        "flat",
        "radial",
        "nearest own cycle",
        "own mean",
        "population only",
        "components alone",
    }
    pooled, population = (report.speed[name]["outside"].mean for name in ("pooled", "population only"))
    assert pooled < population
    assert report.subject["one cycle"]["walk"].mean < report.subject["nothing known"]["walk"].mean
    assert {x.subject for x in report.likenesses} == {"p0", "p1"}
    assert report.scale > 0.1
    assert [s.gait for s in report.strides] == ["walk", "run"]
    assert len(report.recorded) == 90
    assert MIXTURE in {x.who for x in report.synthesised}
    assert all(0.0 <= x.duty <= 1.0 for x in report.synthesised)


@pytest.mark.feature("PCA-023")
def test_radial_functions_run_on_the_same_cycles_and_at_16_km_an_hour(report: Report) -> None:
    folds = {name: scores["outside"].folds for name, scores in report.speed.items()}
    assert folds["radial"] == folds["pooled"] > 0
    assert set(report.elbows) == {"pooled", "hierarchy", "flat", "radial"}
    assert all(np.isfinite(value) for value in report.elbows.values())


@pytest.mark.feature("PCA-041")
def test_the_report_is_plain_data_and_a_page(report: Report) -> None:
    figures = json.loads(json.dumps(report.as_dict()))
    assert len(figures["checks"]) == len(report.checks())
    page = report.markdown()
    for title in ("Bounds", "A speed held back", "A performer held back", "Stride and cadence", "Components"):
        assert f"## {title}\n" in page
    # Synthesised beside recorded cycles, the flat model beside the hierarchy, elbows of runs beyond the data.
    for head in (
        "| gait | groups | of the sums | median | mean | source, about |",
        "| gait | speed | arms | legs |",
        "| prediction | off by |",
        "| known | walk | run |",
    ):
        rows = page.partition(head)[2].partition("\n\n")[0].strip().splitlines()[1:]
        assert rows, head
        assert all(re.search(r"\d", row) and "nan" not in row for row in rows)
    for line in page.splitlines():
        assert not line.startswith("|") or line.endswith("|")


def test_same_units_same_figures(report: Report) -> None:
    again = subject_scores(Cycles.of(units(performers=3)))
    assert again == report.subject


def test_styles_that_are_not_in_the_model_are_named(model: HumanModel) -> None:
    with pytest.raises(LocomoteError, match="nobody"):
        validate(units(), model, {"p0": "nobody"})


def test_too_few_cycles_are_refused() -> None:
    with pytest.raises(LocomoteError, match="at least 2"):
        Cycles.of(units()[:1])


def test_scores_and_checks() -> None:
    score = Score.of([1.0, 2.0, 6.0])
    assert (score.folds, score.mean, score.median, score.worst) == (3, 3.0, 2.0, 6.0)
    assert score.distance == pytest.approx(np.mean(np.radians([1.0, 2.0, 6.0]) ** 2))
    assert Score.of([]).folds == 0
    assert BoundCheck("a", 1.0, 2.0, True).passed
    assert not BoundCheck("a", 1.0, 2.0, False).passed
    assert not BoundCheck("a", float("nan"), 2.0, True).passed


def test_bends_have_a_sign() -> None:
    _, turns = truth(0, "walk", 1.3)
    least, most = bends(turns, "knee")
    knees = turns[:, [COMMON.index("LeftLeg"), COMMON.index("RightLeg")]]
    angles = 2.0 * np.arctan2(knees[..., 1], knees[..., 0])
    assert least == pytest.approx(np.degrees(np.min(angles)))
    assert most == pytest.approx(np.degrees(np.max(angles)))


def test_a_played_cycle_goes_on_at_its_speed() -> None:
    root, turns = truth(0, "walk", 1.3)
    motion = played(root, turns, frequency=0.9, speed=1.3, hip_height=0.9)
    per_cycle = round(motion.fps / 0.9)
    way = motion.root_positions[per_cycle] - motion.root_positions[0]
    np.testing.assert_allclose(way, [0.0, 0.0, 1.3 / 0.9], atol=1e-9)


def test_encoding_of_standing_poses_keeps_their_shape(cycles: Cycles) -> None:
    pose = Encoding(cycles.encoding.centres).encode(*truth(0, "walk", 1.0))[:1]
    assert cycles.coordinates_of(pose).shape == (cycles.coordinates.shape[1],)
    assert cycles.frames(cycles.coordinates_of(pose)).shape[0] == SAMPLES


def test_a_recorded_walk_has_the_cadence_of_its_duration() -> None:
    unit = units(noise=0.0)[0]
    steps = steps_of_unit(unit)
    assert steps.cadence == pytest.approx(120.0 / unit.duration)
    assert steps.step_length == pytest.approx(0.5 * unit.normal_speed * unit.duration * 0.9)
    assert steps.walk_ratio == pytest.approx(1000.0 * steps.step_length / steps.cadence)


def test_recordings_of_one_gait_only_are_refused_in_one_line(model: HumanModel) -> None:
    walks = [unit for unit in units(performers=3) if unit.gait == "walk"]
    with pytest.raises(LocomoteError, match="have none for: run"):
        validate(walks, model)
