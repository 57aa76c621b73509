"""The fit on made-up jumps whose line in length is known."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import save
from locomote.human._model import HumanModel
from locomote.human.fitting._jump_cutting import gather_jumps
from locomote.human.fitting._jump_fit import encoded, event_lines
from locomote.human.fitting._jump_hierarchy import fit_hierarchy, is_enough
from locomote.human.fitting._jump_recordings import Recording
from locomote.human.jumps import JumpModel, fit_jumps
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._laws import fitted_law, lower_edge
from locomote.human.jumps._units import JumpUnit, mirrored
from locomote.motion import Motion
from locomote.samples import performer
from locomote_lab.human.jumps import flight_error, one_foot_length
from tests.human.jumps.synthetic import LENGTHS, jump, jumps

WALKER = HumanModel.default()
KINDS = ("walking", "running")


@pytest.fixture(scope="module")
def units() -> list[JumpUnit]:
    return [unit for kind in KINDS for unit in jumps(kind, noise=0.02)]


@pytest.fixture(scope="module")
def model(units: list[JumpUnit]) -> JumpModel:
    return fit_jumps(units, WALKER)


@pytest.mark.feature("PCA-071")
@pytest.mark.parametrize("kind", KINDS)
def test_lines_of_events_over_length_are_found(units: list[JumpUnit], kind: str) -> None:
    """Every event on a line of its own, two of which go down: lines come out as they were made."""
    lines = {"heel_off": (0.2, 0.05), "toe_off": (0.31, 0.02), "heel_strike": (0.6, -0.01), "toe_strike": (0.7, -0.04)}
    made = [
        replace(unit, events={name: offset + slope * unit.length for name, (offset, slope) in lines.items()})
        for unit in units
        if unit.kind == kind
    ]
    found = event_lines(made, np.linspace(0.5, 1.0, len(made)))
    assert found.keys() == lines.keys()
    for name, wanted in lines.items():
        assert found[name] == pytest.approx(wanted, abs=1e-9)


def test_mirror_of_mirror_is_the_unit_itself(units: list[JumpUnit]) -> None:
    for unit in units[::7]:
        image = mirrored(unit)
        again = mirrored(image)
        assert (image.side, again.side) == ({"left": "right", "right": "left"}[unit.side], unit.side)
        np.testing.assert_array_equal(again.root, unit.root)
        np.testing.assert_array_equal(again.rotations, unit.rotations)


@pytest.mark.feature("PCA-021")
@pytest.mark.parametrize("kind", KINDS)
def test_asked_and_measured_length_agree_within_five_percent(model: JumpModel, kind: str) -> None:
    """A single straight line in length, over the captured range, either foot."""
    one = model.kinds[kind]
    assert np.abs(one.parts[:, 2]).max() == 0.0
    np.testing.assert_allclose(one.lengths, LENGTHS[kind])
    for length in np.linspace(*one.lengths, 9):
        for side in (0, 1):
            assert one_foot_length(one, model.encoding, length, side) == pytest.approx(length, rel=0.05)


@pytest.mark.feature("PCA-033")
@pytest.mark.parametrize("kind", KINDS)
def test_durations_lie_within_the_captured_spread(model: JumpModel, units: list[JumpUnit], kind: str) -> None:
    mine = [unit for unit in units if unit.kind == kind]
    for length in {unit.length for unit in mine}:
        spread = [u.support + u.flight + u.landing for u in mine if u.length == length]
        flight = model.kinds[kind].usual_flight(length)
        asked = sum(model.kinds[kind].durations(length, flight)) + flight
        assert min(spread) <= asked <= max(spread)


@pytest.mark.parametrize("kind", KINDS)
def test_flattening_is_exact(units: list[JumpUnit], model: JumpModel, kind: str) -> None:
    """The parts of the model give what the levels of the hierarchy give one after the other."""
    mine = [unit for unit in units if unit.kind == kind]
    lefts = [unit if unit.side == "left" else mirrored(unit) for unit in mine]
    poses = np.stack([encoded(unit, WALKER.encoding) for unit in lefts])
    lengths = np.array([unit.length for unit in mine])
    spaces = fit_hierarchy([unit.subject for unit in mine], lengths, poses)
    assert len(spaces.main.basis) == 9
    assert all(1 <= len(own.basis) <= 3 for own in spaces.own.values())
    for length in (lengths.min(), lengths.mean(), lengths.max()):
        dense = spaces.unit(length, dict.fromkeys(spaces.own, 1.0))
        np.testing.assert_allclose(model.kinds[kind].poses(length, 1.0, 0), dense, atol=1e-5)


def test_one_performer_comes_out_as_they_jump(units: list[JumpUnit]) -> None:
    mine = [unit for unit in units if unit.kind == "running"]
    lefts = [unit if unit.side == "left" else mirrored(unit) for unit in mine]
    poses = np.stack([encoded(unit, WALKER.encoding) for unit in lefts])
    spaces = fit_hierarchy([u.subject for u in mine], np.array([u.length for u in mine]), poses)
    truth = jump("running", 2, 1.3, "left")
    got = WALKER.encoding.decode(spaces.unit(1.3, {"performer 2": 1.0}))[1]
    others = WALKER.encoding.decode(spaces.unit(1.3, {"performer 0": 1.0}))[1]
    error, away = (np.degrees(rot.distance(q, truth.rotations)).mean() for q in (got, others))
    assert error < 2.0
    assert error < 0.8 * away


def test_the_hierarchy_asks_for_three_performers_with_six_jumps() -> None:
    assert is_enough(["a"] * 6 + ["b"] * 7 + ["c"] * 6)
    assert not is_enough(["a"] * 60 + ["b"] * 60 + ["c"] * 5)


def test_few_jumps_give_their_mean() -> None:
    model = fit_jumps(jumps("running", performers=1, each=4), WALKER)
    one = model.kinds["running"]
    assert np.abs(one.parts[:, 1:]).max() == 0.0
    assert one.hold < timeline.U_LAND
    with pytest.raises(LocomoteError, match="no jump to fit"):
        fit_jumps([], WALKER)


def test_recordings_of_no_use_are_skipped_and_listed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    recordings = (
        Recording("7_01", "standing", 100, 140),
        Recording("7_02", "standing", 100, 140),
        Recording("8_01", "standing", 100, 140),
    )
    (tmp_path / "human" / "jump").mkdir(parents=True)
    jump = jumping()
    save(jump, tmp_path / recordings[0].file.removesuffix(".xz"))
    save(jump[:120], tmp_path / recordings[1].file.removesuffix(".xz"))
    for recording in recordings[:2]:
        plain = tmp_path / recording.file.removesuffix(".xz")
        (tmp_path / recording.file).write_bytes(lzma.compress(plain.read_bytes()))
    found = gather_jumps(tmp_path, recordings)
    assert [unit.clip for unit in found.units] == ["7_01"]
    reasons = {one.what: one.reason for one in found.skipped}
    assert set(reasons) == {"clip 8_01", "jump 7_02 at frame 100"}
    assert "no such file" in reasons["clip 8_01"]
    assert reasons["jump 7_02 at frame 100"].startswith("it lands in frame 140, the clip ends with frame ")
    with pytest.raises(LocomoteError, match=r"no jump to fit.*clip .* no such file"):
        fit_jumps(tmp_path / "nowhere", WALKER)


def jumping() -> Motion:
    """A person who stands, crouches, is in the air from frame 100 to 140, and stands again."""
    walk = performer(1.0, seconds=2.5, fps=100.0).motion
    frames = np.arange(len(walk))
    root = np.tile(walk.root_positions[:1], (len(walk), 1))
    turns = np.tile(walk.rotations[:1], (len(walk), 1, 1))
    air = np.clip((frames - 100) / 40.0, 0.0, 1.0)
    root[:, 1] += 0.8 * air * (1.0 - air) - 0.1 * np.exp(-0.5 * ((frames - 70) / 15) ** 2)
    root[:, 2] += 0.6 * air
    return Motion(walk.skeleton, 100.0, root, turns)


@pytest.mark.feature("OBS-04")
def test_a_known_speed_law_is_found() -> None:
    lengths = np.linspace(0.5, 2.0, 12)
    law = fitted_law(lengths, 1.1 * lengths - 0.1)
    assert (law.slope, law.offset) == (pytest.approx(1.1), pytest.approx(-0.1))
    assert law.tolerance == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(LocomoteError, match="three different jumps"):
        fitted_law(lengths[:2], lengths[:2])


def test_lower_edge_has_no_point_below() -> None:
    x, y = np.random.default_rng(3).uniform(0.2, 2.0, (2, 40))
    y += x
    offset, slope = lower_edge(x, y)
    right = x >= x[np.argmin(y)]
    assert np.all(y[right] >= offset + slope * x[right] - 1e-12)
    assert np.sum(np.isclose(y, offset + slope * x)) == 2


def test_a_body_in_free_fall_has_no_flight_error() -> None:
    from locomote.human_skeleton import COMMON

    t = np.linspace(0.0, 1.4, 15)
    fall = np.stack([0.1 * t, 0.7 * t - 0.5 * t**2, 0.9 * t], axis=1)
    body = COMMON.rest_pose()[0] + fall[:, None]
    assert flight_error(body, 1.4) < 1e-12
    assert flight_error(body + 0.02 * np.sin(9.0 * t)[:, None, None], 1.4) > 0.02
