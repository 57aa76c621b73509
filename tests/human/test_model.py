from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.human import Crowd
from locomote.human._kernels.model import LEG_SHARE
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._calibration import lowest_foot_points
from locomote.human.fitting._stride import ball_path, slip
from locomote.human_skeleton import COMMON

MODEL = HumanModel.default()
ALONE = np.eye(len(MODEL.styles))
LEG = LEG_SHARE * REFERENCE_HIP_HEIGHT  # m, for which the model has its frequencies
INMAN = 0.743  # cycles per root of normal speed


def cadence(speed: float, run: float = 0.0, weights: np.ndarray | None = None) -> float:
    return 120.0 * MODEL.cycles_per_second(speed / REFERENCE_HIP_HEIGHT, run, weights)


def test_the_file_is_small_and_returns_what_was_written(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "a.npz")
    assert (tmp_path / "a.npz").stat().st_size < 2_000_000
    again = HumanModel.load(tmp_path / "a.npz")
    assert again.styles == MODEL.styles
    np.testing.assert_array_equal(again.unit(1.3), MODEL.unit(1.3))
    again.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    MODEL.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="not a model of human motion"):
        HumanModel.load(path)
    replace(MODEL, stand=MODEL.stand[:, :-1]).save(path)
    with pytest.raises(FormatError, match="stand: expected finite numbers of shape"):
        HumanModel.load(path)
    replace(MODEL, footplants=MODEL.footplants[:, :, :, :3]).save(path)
    with pytest.raises(FormatError, match="footplants: expected finite numbers of shape"):
        HumanModel.load(path)
    replace(MODEL, footplants=MODEL.footplants[..., ::-1]).save(path)
    with pytest.raises(FormatError, match="footplants: expected starts before their ends"):
        HumanModel.load(path)


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    MODEL.save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files if name not in ("header", "footplants")}
        header = json.loads(file["header"].tobytes()) | {"version": 1}
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)
    with pytest.raises(FormatError, match=r"old\.npz: a model of version 1; this program reads version 2$"):
        HumanModel.load(path)


def test_styles_are_named() -> None:
    assert len(MODEL.styles) >= 12
    assert len(set(MODEL.styles)) == len(MODEL.styles)
    assert "mocap.cs.cmu.edu" in MODEL.about
    with pytest.raises(LocomoteError, match="no style 'nobody'; the styles are: "):
        MODEL.style_index("nobody")
    with pytest.raises(LocomoteError, match="numbers >= 0"):
        MODEL.weights(np.zeros(len(MODEL.styles)))
    away = MODEL.weights({MODEL.styles[0]: 1.0, MODEL.styles[1]: 0.5, MODEL.styles[2]: -0.5})
    assert away.sum() == pytest.approx(1.0)
    assert away[2] < 0.0
    with pytest.raises(LocomoteError, match="not all 0"):
        MODEL.weights({MODEL.styles[0]: 1.0, MODEL.styles[1]: -0.9})
    mixed = MODEL.weights({MODEL.styles[0]: 1.0, MODEL.styles[3]: 3.0})
    assert mixed[3] == pytest.approx(0.75)


@pytest.mark.feature("PCA-008")
def test_speed_zero_is_the_standing_pose() -> None:
    for k in range(len(MODEL.styles)):
        unit = MODEL.unit(0.0, 0.0, ALONE[k])
        np.testing.assert_allclose(unit, np.tile(MODEL.stand[k], (len(unit), 1)), atol=1e-12)
        pose, stand = MODEL.encoding.decode(unit)[1], MODEL.encoding.decode(MODEL.stand[k][None])[1]
        assert np.max(rot.distance(pose, stand)) < 1e-3


@pytest.mark.feature("PCA-018")
def test_coordinates_follow_a_curve_above_and_a_power_below_the_slowest_speed() -> None:
    for g in (0, 1):
        slowest = float(MODEL.slowest[g])
        for k in range(len(MODEL.styles)):
            # Continuous at the junction.
            below, above = (MODEL.unit(slowest + d, float(g), ALONE[k]) for d in (-1e-9, 1e-9))
            np.testing.assert_allclose(below, above, atol=1e-6)
            # Exact at rest, and a pure power in between.
            rest, full = MODEL.unit(0.0, float(g), ALONE[k]), MODEL.unit(slowest, float(g), ALONE[k])
            part = MODEL.unit(0.3 * slowest, float(g), ALONE[k])
            np.testing.assert_allclose(part, rest + (full - rest) * 0.3**MODEL.exponent, atol=1e-9)
        # One to one: the first coordinate, seen over all that changes with speed, never turns back.
        limits = np.linspace(slowest, MODEL.speed_limits[g, 1], 40)
        units = np.stack([MODEL.unit(s, float(g)).ravel() for s in limits])
        _, _, lines = np.linalg.svd(units - units.mean(axis=0), full_matrices=False)
        steps = np.diff((units - units.mean(axis=0)) @ lines[0])
        assert np.all(steps > 0.0) or np.all(steps < 0.0)


@pytest.mark.feature("PCA-013")
@pytest.mark.parametrize("gait", [0.0, 1.0])
def test_one_person_over_speed_alone_is_continuous_and_one_to_one(gait: float) -> None:
    """From rest to 12 km/h, or as fast as the gait goes: with half the step of speed poses change half as much."""
    fastest = min(12.0 / 3.6, MODEL.speed_limits[int(gait), 1])
    for alone in ALONE[::6]:
        poses = [
            np.stack([MODEL.unit(speed, gait, alone).ravel() for speed in np.linspace(0.0, fastest, count)])
            for count in (41, 81)
        ]
        steps = [np.linalg.norm(np.diff(each, axis=0), axis=1) for each in poses]
        assert steps[1][1:].max() < 0.75 * steps[0].max()
        assert steps[1][0] < 0.9 * steps[0][0]  # a power law of speed grows from rest: steeply, without a jump
        apart = np.linalg.norm(poses[0][:, None] - poses[0][None], axis=-1)
        assert np.all(np.diff(apart[0]) > 0.0)
        np.fill_diagonal(apart, np.inf)
        assert apart.min() == steps[0].min() > 0.0  # the nearest of all are neighbours


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0])
def test_feet_of_walkers_stay_where_they_are(speed: float) -> None:
    path = speed / REFERENCE_HIP_HEIGHT / MODEL.cycles_per_second(speed / REFERENCE_HIP_HEIGHT)
    balls = ball_path(*MODEL.encoding.decode(MODEL.unit(speed)))
    wander, drift = (REFERENCE_HIP_HEIGHT * x for x in slip(balls, "walk", path))
    assert wander < 0.01
    assert drift < 0.01


@pytest.mark.parametrize("speed", [2.0, 3.0, 4.0, 5.0])
def test_feet_of_runners_stay_where_they_are(speed: float) -> None:
    path = speed / REFERENCE_HIP_HEIGHT / MODEL.cycles_per_second(speed / REFERENCE_HIP_HEIGHT, 1.0)
    balls = ball_path(*MODEL.encoding.decode(MODEL.unit(speed, 1.0)))
    wander, drift = (REFERENCE_HIP_HEIGHT * x for x in slip(balls, "run", path))
    assert wander < 0.01
    assert drift < 0.01


@pytest.mark.feature("PCA-031")
def test_feet_of_every_style_drift_less_than_a_centimetre() -> None:
    for gait, run, speeds in (("walk", 0.0, (0.5, 1.0, 1.5, 2.0)), ("run", 1.0, (2.0, 3.0, 4.0, 5.0))):
        for speed in speeds:
            for one in ALONE:
                normal = speed / REFERENCE_HIP_HEIGHT
                path = normal / MODEL.cycles_per_second(normal, run, one)
                balls = ball_path(*MODEL.encoding.decode(MODEL.unit(speed, run, one)))
                wander, drift = (REFERENCE_HIP_HEIGHT * x for x in slip(balls, gait, path))
                assert drift < 0.01
                assert wander < 0.03


@pytest.mark.parametrize("speed", [0.6, 0.8, 1.0, 1.4, 1.8, 2.2])
def test_walkers_are_on_the_floor(speed: float) -> None:
    """Within 15 mm; between the slowest recorded walk and standing 21 mm were measured."""
    low = REFERENCE_HIP_HEIGHT * lowest_foot_points(*MODEL.encoding.decode(MODEL.unit(speed)))
    assert np.max(np.abs(low)) < (0.024 if speed < 0.7 else 0.015)


@pytest.mark.parametrize("speed", [0.2, 0.5, 1.0, 1.5, 2.0, 2.5])
def test_the_rhythm_of_walking_follows_the_norm(speed: float) -> None:
    norm = 120.0 * INMAN * np.sqrt(speed / REFERENCE_HIP_HEIGHT)
    assert cadence(speed) == pytest.approx(norm, rel=0.07)


@pytest.mark.feature("PCA-032")
def test_who_walks_by_the_law_of_inman_steps_as_often_as_it_says() -> None:
    """Counted are the landings of feet; how the law and the model differ is plotted by the validation."""
    model, speeds = MODEL.by_inman(), np.array([0.7, 1.1, 1.5, 1.9])
    for people in (model, MODEL):
        crowd = Crowd(people, len(speeds), speed=speeds, gait="walk", lively=0.0, seed=1, leg_length=LEG)
        seen = []
        for frame in range(900):
            crowd.step(1.0 / 60.0)
            if frame >= 180:
                seen.append(crowd.landings == 0.0)
        down = np.array(seen)
        for who, speed in enumerate(speeds):
            landings = [np.flatnonzero(~down[:-1, who, f] & down[1:, who, f]) for f in range(2)]
            rate = np.mean([60.0 / np.diff(times).mean() for times in landings])
            law = 0.743 * np.sqrt(speed / REFERENCE_HIP_HEIGHT)
            assert (abs(rate / law - 1.0) < 0.01) == (people is model)
    for speed in (2.0, 3.5):  # runs are their own
        assert model.cycles_per_second(speed, 1.0) == MODEL.cycles_per_second(speed, 1.0)


def test_the_rhythm_starts_from_rest_and_quickens() -> None:
    assert MODEL.cycles_per_second(0.0) == 0.0
    for run in (0.0, 1.0):
        rhythm = [cadence(s, run) for s in np.linspace(0.05, MODEL.speed_limits[int(run), 1], 30)]
        assert np.all(np.diff(rhythm) > 0.0)


def test_hinges_bend_as_they_can() -> None:
    knees = [COMMON.index("LeftLeg"), COMMON.index("RightLeg")]
    for run, speeds in ((0.0, (0.1, 0.6, 1.2, 1.8, 2.5)), (1.0, (1.5, 3.0, 4.5, 5.5))):
        for speed in speeds:
            for one in ALONE:
                turns = MODEL.encoding.decode(MODEL.unit(speed, run, one))[1][:, knees]
                bend = np.degrees(2.0 * np.arctan2(turns[..., 1], turns[..., 0]))
                assert bend.min() > -5.0
                assert bend.max() < 147.0
