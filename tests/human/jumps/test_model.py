"""The model file, the laws in it, and what it plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.human._model import HumanModel
from locomote.human.fitting._calibration import lowest_foot_points
from locomote.human.jumps import JumpModel
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._units import mirrored_pose
from locomote.human_skeleton import COMMON
from locomote_lab.human.jumps import standing_length

MODEL = JumpModel.default()
STANDING, MOVING = MODEL.kinds["standing"], MODEL.kinds["moving"]
lengths = st.floats(0.2, 2.4)
flights = st.floats(0.5, 1.95)


def test_is_small_and_fits_the_walking_model() -> None:
    import locomote

    assert MODEL.for_model(HumanModel.default()) is MODEL
    asset = Path(locomote.__file__).parent / "assets" / "jumps.npz"
    assert asset.stat().st_size < 400_000
    assert "mocap.cs.cmu.edu" in MODEL.about
    assert (STANDING.units, MOVING.units) == (73, 8)


def test_save_and_load_return_the_same_model(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "jumps.npz")
    again = JumpModel.load(tmp_path / "jumps.npz")
    assert again.kinds.keys() == MODEL.kinds.keys()
    for name, kind in MODEL.kinds.items():
        np.testing.assert_array_equal(again.kinds[name].parts, kind.parts)
        np.testing.assert_array_equal(again.kinds[name].support, kind.support)
        for field in (
            "lengths",
            "flights",
            "least_flight",
            "flight_law",
            "reach",
            "events",
            "units",
            "hold",
            "synthetic",
        ):
            assert getattr(again.kinds[name], field) == getattr(kind, field)
    np.testing.assert_array_equal(again.centres, MODEL.centres)
    assert (again.refit, again.push, again.settle, again.about) == (
        MODEL.refit,
        MODEL.push,
        MODEL.settle,
        MODEL.about,
    )


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", b"hello"])
def test_a_bad_file_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(FormatError) as error:
        JumpModel.load(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_file_with_wrong_contents_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, a=np.zeros(3))
    with pytest.raises(FormatError, match="not a model of jumps"):
        JumpModel.load(path)
    short = replace(MODEL, kinds={"moving": replace(MOVING, parts=MOVING.parts[:, :, :9])})
    short.save(path)
    with pytest.raises(FormatError, match="parts of moving: expected finite numbers of shape"):
        JumpModel.load(path)


def test_unknown_names_are_told_apart() -> None:
    with pytest.raises(LocomoteError, match="no kind of jump 'flying'; there are: standing, moving"):
        MODEL.kind("flying")
    with pytest.raises(LocomoteError, match="no event 'sneeze'"):
        STANDING.event("sneeze", 1.0)
    with pytest.raises(LocomoteError, match="no refit law of run-up speed for 'walking'"):
        MODEL.speed_for("walking", 1.0, law="refit")
    with pytest.raises(LocomoteError, match="expected printed or refit"):
        MODEL.speed_for("walking", 1.0, law="guess")


@pytest.mark.feature("OBS-04", "PCA-072")
@given(length=st.floats(0.1, 3.0), size=st.floats(0.4, 1.4))
def test_printed_laws_and_their_inverses(length: float, size: float) -> None:
    """The constants of the source, their inverses, and speeds and lengths that both grow with the body."""
    for kind, slope, offset, band in (("walking", 0.97, -0.04, 0.10), ("running", 1.16, -0.13, 0.15)):
        assert MODEL.speed_for(kind, length) == pytest.approx(slope * length + offset)
        assert MODEL.law(kind).tolerance == band
        assert MODEL.length_for(kind, MODEL.speed_for(kind, length, size), size) == pytest.approx(length)
        scaled = MODEL.speed_for(kind, length * size / 0.9, size)
        assert scaled == pytest.approx(MODEL.speed_for(kind, length) * size / 0.9)
    # Refitted by least squares to eight recorded jumps: 0.8 to 1.0 m/s a metre, above the printed line.
    refit = MODEL.law("running", "refit")
    assert 0.75 < refit.slope < 1.0
    assert 0.9 < refit.offset < 1.4
    assert MODEL.length_for("running", MODEL.speed_for("running", length, size, "refit"), size, "refit") == (
        pytest.approx(length)
    )


def test_flight_times_are_those_of_the_recordings() -> None:
    for length in (0.5, 1.0, 1.5):
        assert MODEL.flight_for("standing", length, 0.9) == pytest.approx(0.091 * length + 0.309, abs=0.05)
    for length in (1.2, 1.9):
        assert MODEL.flight_for("moving", length, 0.9) == pytest.approx(0.21 * length + 0.128, abs=0.04)


@given(length=lengths, flight=flights)
def test_standing_jumps_are_as_long_as_asked(length: float, flight: float) -> None:
    assert standing_length(STANDING, MODEL.encoding, length, flight) == pytest.approx(length, abs=0.02, rel=0.02)


@given(length=lengths, flight=flights)
def test_standing_jumps_keep_their_feet_and_knees_sound(length: float, flight: float) -> None:
    motion = MODEL.motion("standing", length, flight)
    assert lowest_foot_points(motion.root_positions, motion.rotations).min() > -0.035
    for side in ("Left", "Right"):
        assert rot.log(motion.rotations[:, COMMON.index(f"{side}Leg")])[:, 0].min() > -0.1
    support, landing = STANDING.durations(length, flight)
    assert 1.0 < support < 4.5
    assert 1.0 < landing < 3.6


@given(length=lengths, flight=flights)
def test_standing_jumps_are_symmetric(length: float, flight: float) -> None:
    root, turns = MODEL.encoding.decode(STANDING.poses(length, flight))
    other_root, other = mirrored_pose(root, turns)
    assert np.abs(root[:, 0]).max() < 0.02
    assert np.degrees(rot.distance(turns, other)).max() < 1.0
    np.testing.assert_array_equal(root[:, 1:], other_root[:, 1:])


@given(length=lengths, flight=flights)
def test_standing_jumps_begin_and_end_at_rest_in_the_standing_pose(length: float, flight: float) -> None:
    poses = STANDING.poses(length, flight)
    stand = HumanModel.default().stand.mean(axis=0)
    np.testing.assert_allclose(poses[[0, -1]][:, 3:60], np.tile(stand[3:60], (2, 1)), atol=0.06)
    np.testing.assert_allclose(poses[[0, -1], :3], np.tile(stand[:3], (2, 1)), atol=0.01)
    assert np.abs(poses[:, 2]).max() < 0.25


@given(length=lengths)
def test_standing_jumps_do_not_jerk(length: float) -> None:
    """Joints that bear on the look turn by little from one sample to the next, across the events as elsewhere."""
    _, turns = MODEL.encoding.decode(STANDING.poses(length, STANDING.usual_flight(length)))
    steps = np.degrees(rot.distance(turns[:-1], turns[1:]))
    assert steps.max() < 30.0
    assert np.abs(np.diff(steps, axis=0)).max() < 18.0  # of the ankles, which have stretched when the toes leave


def test_moving_sides_are_exact_mirror_images() -> None:
    left, right = (MODEL.encoding.decode(MOVING.poses(1.8, 1.5, side)) for side in (0, 1))
    root, turns = mirrored_pose(*left)
    np.testing.assert_allclose(root, right[0], atol=1e-6)
    assert rot.distance(turns, right[1]).max() < 1e-5


def test_a_moving_jump_stands_on_one_foot_with_the_other_knee_up() -> None:
    """At take-off the ball of the take-off foot is on the floor and rests; the knee of the other leg drives up."""
    root, turns = MODEL.encoding.decode(MOVING.poses(1.8, 1.5, 0))
    from locomote.motion import Motion

    joints = Motion(COMMON, 1.0, root, turns).joint_positions()
    u = timeline.nodes()
    middle = (u > 0.08) & (u < 0.28)
    balls = joints[middle][:, [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")], 1]
    assert np.abs(balls[:, 0]).max() < 0.04
    assert balls[:, 1].min() > 0.1
    off = np.searchsorted(u, timeline.U_OFF)
    assert joints[off, COMMON.index("RightLeg"), 1] > joints[off, COMMON.index("LeftLeg"), 1] + 0.15


def test_walking_and_running_share_the_moving_kind() -> None:
    """Recorded out of runs: a walking jump made of it is synthetic."""
    for name in ("walking", "running"):
        assert MODEL.kind(name).parts is MOVING.parts
        assert MODEL.kind(name).synthetic == (name == "walking")
    assert MOVING.hold < timeline.U_LAND


def test_jumps_play_the_same_in_the_channels_of_another_walking_model() -> None:
    jumps, model = JumpModel.default(), HumanModel.default()
    turn = rot.exp(np.full((len(model.centres), 3), 0.05))
    other = replace(model, centres=rot.multiply(model.centres, turn))
    there = jumps.for_model(other)
    for name, kind in jumps.kinds.items():
        length, flight = float(np.mean(kind.lengths)), float(np.mean(kind.flights))
        for size, limit in ((0.0, 1e-6), (0.3, 0.05)):
            a = jumps.encoding.decode(kind.poses(length + size, flight))[1]
            b = there.encoding.decode(there.kinds[name].poses(length + size, flight))[1]
            assert rot.distance(a, b).max() < limit
