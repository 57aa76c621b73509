"""A body with known joints and markers comes back from its markers alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._opensim_model import human_skeleton, joint_rotations
from locomote.formats.opensim import Markers
from locomote.motion import Motion
from locomote.physics import forces
from locomote_lab.marker_fit import fit_markers, residuals
from locomote_lab.marker_places import all_bends, spot_of
from locomote_lab.marker_trials import marker_trial

HEIGHT, FPS, FRAMES = 1.85, 100.0, 120
NOISE = 0.002  # m
LEGS = ("femur_l", "tibia_l", "talus_l", "femur_r", "tibia_r", "talus_r")
SIDED = (
    *("ASI", "PSI", "TH1", "TH2", "TH3", "TB1", "TB2", "TB3", "CAL", "MT5", "TOE", "ACR", "UA1", "UA2", "LEL", "MEL"),
    *("FAsuperior", "FAradius", "FAulna"),
)
WALK = ("knee", "ankle", "shank_antsup", "HJC")  # only in the set of the walks


def truth() -> Motion:
    """A made-up walk in a half turn, of a person whose thighs are short and shanks are long."""
    skeleton = human_skeleton(HEIGHT / 1.75, 1.0)
    offsets = np.array(skeleton.offsets)
    for side in ("_l", "_r"):
        offsets[skeleton.index("tibia" + side)] *= 0.97
        offsets[skeleton.index("talus" + side)] *= 1.03
    time = np.arange(FRAMES) / FPS
    turns = rot.identity(FRAMES, len(skeleton))
    for k, (joint, axis, usual, spread) in enumerate(all_bends(skeleton)):
        if joint:
            swing = 0.35 * min(spread, 1.0) * np.sin(2.0 * np.pi * 0.9 * time + 2.4 * k)
            turns[:, joint] = rot.multiply(turns[:, joint], rot.from_axis_angle(axis, usual + swing))
    turns[:, 0] = rot.multiply(rot.from_yaw(np.pi * time), rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.1 * time))
    roots = np.stack([0.3 * time**2, 0.95 + 0.02 * np.sin(11.0 * time), 1.3 * time], axis=1)
    return Motion(replace(skeleton, offsets=offsets), FPS, roots, turns)


def stuck(motion: Motion, stems: tuple[str, ...] = SIDED + WALK, noise: float = NOISE) -> Markers:
    """Markers on a body, each off its usual place as far as such markers are, and noise."""
    random = np.random.default_rng(5)
    at, turns = motion.world()
    names = ("C7", "CLAV", *(side + stem for side in "LR" for stem in stems))
    points = []
    for name in names:
        spot = spot_of(name)
        assert spot is not None
        j = motion.skeleton.index(spot.segment)
        local = HEIGHT / 1.75 * np.array(spot.at) + random.uniform(-1.0, 1.0, 3) * min(spot.doubt, 0.04)
        if spot.beside:  # as far from the end of this person's bone as on the usual one
            k, usual = motion.skeleton.index(spot.beside), human_skeleton(HEIGHT / 1.75, 1.0)
            local = local + motion.skeleton.offsets[k] - usual.offsets[k]
        points.append(at[:, j] + rot.rotate(turns[:, j], local) + random.normal(0.0, noise, (FRAMES, 3)))
    return Markers(names, np.stack(points, axis=1), np.arange(FRAMES) / FPS, FPS)


def apart(found: Motion, true: Motion, joints: tuple[str, ...]) -> float:
    """Mean distance of joints, m."""
    columns = [true.skeleton.index(name) for name in joints]
    away = found.joint_positions()[:, columns] - true.joint_positions()[:, columns]
    return float(np.linalg.norm(away, axis=-1).mean())


def bent(motion: Motion, joint: str) -> np.ndarray:
    """Degrees about the main axis of a joint, about their mean."""
    angle = np.degrees(rot.log(motion.rotations[:, motion.skeleton.index(joint)])[:, 0])
    out: np.ndarray = angle - angle.mean()
    return out


@pytest.fixture(scope="module")
def fitted() -> tuple[Motion, Markers, Motion]:
    true = truth()
    markers = stuck(true)
    return true, markers, fit_markers(markers, HEIGHT)


def test_joints_come_back_within_a_centimetre(fitted: tuple[Motion, Markers, Motion]) -> None:
    true, _, found = fitted
    assert apart(found, true, LEGS) < 0.010
    assert apart(found, true, ("pelvis", "torso", "humerus_l", "ulna_r", "toes_l")) < 0.015


@pytest.mark.parametrize("joint", ["femur_l", "tibia_l", "tibia_r", "talus_r", "humerus_r", "ulna_l"])
def test_joints_bend_as_they_did(fitted: tuple[Motion, Markers, Motion], joint: str) -> None:
    true, _, found = fitted
    off = bent(found, joint) - bent(true, joint)
    assert np.std(bent(true, joint)) > 5.0
    assert np.sqrt(np.mean(off**2)) < 2.0


def test_bones_are_found_not_scaled(fitted: tuple[Motion, Markers, Motion]) -> None:
    true, _, found = fitted
    usual = human_skeleton(HEIGHT / 1.75, 1.0)
    for name in ("tibia_l", "talus_l", "tibia_r", "talus_r"):
        length, was, scaled = (
            float(np.linalg.norm(each.offsets[each.index(name)])) for each in (found.skeleton, true.skeleton, usual)
        )
        assert abs(scaled - was) > 0.012
        assert abs(length - was) < 0.6 * abs(scaled - was), (name, length, was, scaled)


def test_what_is_left_is_the_noise(fitted: tuple[Motion, Markers, Motion]) -> None:
    _, markers, found = fitted
    left = np.array(list(residuals(found, markers).values()))
    assert left.mean() < 1.1 * np.sqrt(3.0) * NOISE
    assert left.max() < 2.0 * np.sqrt(3.0) * NOISE


def test_runs_without_markers_on_knees_and_ankles() -> None:
    true = truth()
    found = fit_markers(stuck(true, SIDED), HEIGHT)
    assert apart(found, true, LEGS) < 0.02


def test_gaps_are_bridged_and_unknown_markers_left_out(fitted: tuple[Motion, Markers, Motion]) -> None:
    _, markers, whole = fitted
    holes = markers.positions.copy()
    for m in range(len(markers.names)):
        holes[(7 * m) % 100 : (7 * m) % 100 + 12, m] = np.nan
    strange = np.full((FRAMES, 1, 3), 9.0)
    found = fit_markers(
        replace(markers, names=(*markers.names, "wand"), positions=np.concatenate([holes, strange], axis=1)), HEIGHT
    )
    assert apart(found, whole, LEGS) < 0.003


def test_markers_that_change_names_or_come_loose_do_little(fitted: tuple[Motion, Markers, Motion]) -> None:
    _, markers, whole = fitted
    wrong = markers.positions.copy()
    knee, shank, thigh = (markers.names.index(name) for name in ("Rknee", "RTB2", "LTH2"))
    wrong[30:50, [knee, shank]] = wrong[30:50, [shank, knee]]
    wrong[60:, thigh] += (0.1, -0.2, 0.0)
    found = fit_markers(replace(markers, positions=wrong), HEIGHT)
    assert apart(found, whole, LEGS) < 0.002


def test_the_direction_of_the_walk_does_not_matter(fitted: tuple[Motion, Markers, Motion]) -> None:
    _, markers, found = fitted
    turn, shift = rot.from_yaw(np.array(2.0)), np.array([3.0, 0.1, -2.0])
    other = fit_markers(replace(markers, positions=rot.rotate(turn, markers.positions) + shift), HEIGHT)
    np.testing.assert_allclose(other.joint_positions(), rot.rotate(turn, found.joint_positions()) + shift, atol=1e-3)


def test_markers_of_something_else_are_refused(fitted: tuple[Motion, Markers, Motion]) -> None:
    _, markers, _ = fitted
    with pytest.raises(LocomoteError, match="pelvis"):
        fit_markers(replace(markers, names=tuple(f"m{i}" for i in range(len(markers.names)))), HEIGHT)


def test_names_of_both_sets_are_known_by_side() -> None:
    for left, right in (
        ("L_knee", "r_knee"),
        ("L.ASIS", "r.ASIS"),
        ("LMEL", "RMEL"),
        ("LLEL", "RLEL"),
        ("LTOE", "r_toe"),
    ):
        a, b = spot_of(left), spot_of(right)
        assert a is not None
        assert b is not None
        assert a.segment.replace("_l", "_r") == b.segment
        assert a.at[0] == -b.at[0]
        assert a.at[1:] == b.at[1:]
    assert spot_of("R_HJC_reg") is None
    assert spot_of("C7") is not None


@pytest.mark.parametrize("side", ["_l", "_r"])
@pytest.mark.parametrize(
    ("joint", "coordinate"), [("tibia", "knee_angle"), ("talus", "ankle_angle"), ("calcn", "subtalar_angle")]
)
def test_hinges_bend_about_the_axes_of_the_model(joint: str, coordinate: str, side: str) -> None:
    skeleton = human_skeleton(1.0, 1.0)
    turned = joint_rotations(skeleton, lambda name: np.array([0.3 if name == coordinate + side else 0.0]), 1.0)
    at = skeleton.index(joint + side)
    axis = next(axis for index, axis, _, _ in all_bends(skeleton) if index == at)
    assert abs(rot.log(turned[0, at]) @ axis) == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "vertical", "fore_aft"), [("opencap_s11_walking2", 6.5, 11.0), ("treadmill_hamner_s08_run300", 4.5, 12.0)]
)
def test_forces_from_markers_are_those_of_the_plates(data: Path, name: str, vertical: float, fore_aft: float) -> None:
    trial = marker_trial(name, data)
    errors = trial.errors(forces(trial.motion, trial.mass, trial.contacts))
    assert np.mean([error.vertical for error in errors]) < vertical
    assert np.mean([error.fore_aft for error in errors]) < fore_aft
