"""The springs of markers: gradients against differences, poses brought back, limits, locks, the live form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import markers, stage
from locomote.capture.markers._kernels import bundles
from locomote.capture.markers._kernels.springs import assemble
from locomote.capture.markers._solving import BodyArrays, start_pose
from locomote.ik import JointLimit


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.3, seconds=1.0).motion


def moved(motion: lm.Motion, joint: int, axis: int, by: float) -> np.ndarray:
    """Local rotations with one joint turned in its own frame."""
    turns = motion.rotations.copy()
    turns[:, joint] = rot.multiply(turns[:, joint], rot.exp(by * np.eye(3)[axis]))
    return turns


@pytest.mark.parametrize("loose", [0.0, 0.05])
def test_the_gradient_is_that_of_differences(walk: lm.Motion, loose: float) -> None:
    seen, attached = stage.markers(walk[:1], slide=0.01, noise=0.01, seed=2)
    cone = JointLimit(axis=(0.0, 1.0, 0.0), swing=0.2, twist=(-0.1, 0.1))
    subject = replace(markers.subject(walk), limits={walk.skeleton.names[3]: cone})
    body = BodyArrays.of(subject, attached)
    springs = body.springs(seen.positions)
    pulls = body.pulls(markers.Springs(loose=loose), 60.0)
    memory = bundles.memory(body.joints, 1)
    start = walk[3:4]

    def cost(roots: np.ndarray, turns: np.ndarray) -> float:
        found = body.found(1, roots[0], turns[0])
        return float(assemble(0, 0, body.joints, springs, pulls, found, memory))

    cost(start.root_positions, start.rotations)
    gradient = memory.gradient[0].copy()
    step = 1e-6
    for a in range(3):
        ends = [cost(start.root_positions + sign * step * np.eye(3)[a], start.rotations) for sign in (1.0, -1.0)]
        assert gradient[a] == pytest.approx((ends[0] - ends[1]) / (4.0 * step), rel=1e-4, abs=1e-6)
    for j in (0, 1, 2, 6, 7):
        for axis in range(3 if body.joints.kinds[j] == 3 else 0):
            ends = [cost(start.root_positions, moved(start, j, axis, sign * step)) for sign in (1.0, -1.0)]
            at = int(body.joints.first[j]) + axis
            assert gradient[at] == pytest.approx((ends[0] - ends[1]) / (4.0 * step), rel=1e-3, abs=1e-6)


def test_poses_come_back_from_their_markers(walk: lm.Motion) -> None:
    seen, attached = stage.markers(walk)
    found = markers.solve(seen, markers.subject(walk), attached, markers.Springs(smooth=1e-7, prior=1e-8))
    assert found.rms < 1e-4
    away = np.linalg.norm(found.motion.joint_positions() - walk.joint_positions(), axis=-1)
    assert away.max() < 2e-3
    assert not found.gaps


def test_a_locked_joint_stays_and_a_hinge_turns_about_its_axis(walk: lm.Motion) -> None:
    seen, attached = stage.markers(walk, noise=0.005, seed=3)
    knee, ankle = walk.skeleton.roles.legs[0].knee, walk.skeleton.roles.legs[0].ankle
    names = walk.skeleton.names
    subject = replace(markers.subject(walk), limits={names[knee]: JointLimit.hinge((1.0, 0.0, 0.0), 0.1, 0.8)})
    found = markers.solve(seen, subject.locked(names[ankle]), attached)
    turns = rot.log(found.motion.rotations[:, knee])
    assert np.abs(turns[:, 1:]).max() < 1e-9
    assert turns[:, 0].min() >= 0.1 - 1e-9
    assert turns[:, 0].max() <= 0.8 + 1e-9
    assert np.abs(rot.log(found.motion.rotations[:, ankle])).max() < 1e-9


def test_frames_are_one_band(walk: lm.Motion) -> None:
    """A clip in pieces, and a clip at once, come out alike; smoothing reaches across frames."""
    from locomote.capture.markers import _solving

    seen, attached = stage.markers(walk, noise=0.003, seed=4)
    subject = markers.subject(walk)
    settings = markers.Springs(smooth=3e-2, tolerance=1e-9, rounds=60)
    whole = markers.solve(seen, subject, attached, settings).motion
    kept = _solving.PIECE, _solving.OVERLAP
    _solving.PIECE, _solving.OVERLAP = 25, 15
    try:
        pieces = markers.solve(seen, subject, attached, settings).motion
    finally:
        _solving.PIECE, _solving.OVERLAP = kept
    assert np.linalg.norm(whole.joint_positions() - pieces.joint_positions(), axis=-1).max() < 2e-3
    free = markers.solve(seen, subject, attached, markers.Springs(smooth=1e-9)).motion
    shake = [np.abs(np.diff(m.joint_positions(), 2, axis=0)).mean() for m in (whole, free)]
    assert shake[0] < 0.6 * shake[1]


def test_far_starts_do_not_diverge(walk: lm.Motion) -> None:
    """From the pose at rest, turned round and far away: the step cap brings it home."""
    turned = replace(
        walk,
        root_positions=walk.root_positions + np.array([30.0, 1.0, -5.0]),
        rotations=np.concatenate([rot.multiply(rot.from_yaw(2.5), walk.rotations[:, :1]), walk.rotations[:, 1:]], 1),
    )
    seen, attached = stage.markers(turned)
    found = markers.solve(seen, markers.subject(walk), attached)
    assert np.nanmax(found.error) < 0.02
    root, _ = start_pose(markers.subject(walk), attached, seen.positions[0])
    assert np.linalg.norm(root - turned.root_positions[0]) < 0.1


def test_the_live_form_keeps_up_with_the_clip(walk: lm.Motion) -> None:
    seen, attached = stage.markers(walk, noise=0.001, seed=5)
    solver = markers.Solver(markers.subject(walk), attached, seen.fps)
    poses = [solver.step(frame) for frame in seen.positions]
    away = np.array([p.joint_positions()[0] - q for p, q in zip(poses, walk.joint_positions(), strict=True)])
    assert np.linalg.norm(away, axis=-1)[5:].mean() < 0.01
    assert np.nanmax(solver.error) < 0.03
    lost = np.full_like(seen.positions[0], np.nan)
    still = solver.step(lost)
    assert np.abs(still.root_positions - poses[-1].root_positions).max() < 1e-9
    with pytest.raises(lm.LocomoteError, match="markers"):
        solver.step(lost[:3])
    with pytest.raises(lm.LocomoteError, match="first frame"):
        markers.Solver(markers.subject(walk), attached, 60.0).step(lost)


def test_gaps_are_bridged_and_told(walk: lm.Motion) -> None:
    _, attached = stage.markers(walk[:2])
    arm = [name for name in attached.names if name.startswith(("LeftForeArm", "LeftHand", "LeftArm"))]
    assert len(arm) >= 3
    gaps = {name: [(20, 32)] for name in arm} | {"Hips 1": [(0, 9)]}
    seen = stage.markers(walk, attached, noise=0.0005, gaps=gaps, seed=6).markers
    found = markers.solve(seen, markers.subject(walk), attached)
    away = np.linalg.norm(found.motion.joint_positions() - walk.joint_positions(), axis=-1)
    assert away.max() < 0.08  # over a fifth of a second in which nothing of the arm was seen
    told = {gap.what: gap for gap in found.gaps}
    assert told["Hips 1"].first == 0
    assert told["Hips 1"].frames == 9
    assert told["Hips 1"].bridged
    assert not told[arm[0]].bridged
    assert told[arm[0]].frames == 12
    assert np.isnan(found.error[25, attached.index(arm[0])])
    blank = replace(seen, positions=np.where((np.arange(len(walk)) // 8 == 3)[:, None, None], np.nan, seen.positions))
    dark = markers.solve(blank, markers.subject(walk), attached)
    assert any(gap.what == "all markers" and gap.frames == 8 for gap in dark.gaps)
    assert np.linalg.norm(dark.motion.joint_positions() - walk.joint_positions(), axis=-1).max() < 0.12


def test_markers_of_another_body_are_doubted(walk: lm.Motion) -> None:
    seen, attached = stage.markers(walk[:5])
    assert not markers.solve(seen, markers.subject(walk), attached).notes
    far = replace(seen, positions=3.0 * seen.positions)
    assert "doubtful" in markers.solve(far, markers.subject(walk), attached).notes[0]


def test_nothing_to_solve_is_said(walk: lm.Motion) -> None:
    seen, attached = stage.markers(walk[:5])
    subject = markers.subject(walk)
    with pytest.raises(lm.LocomoteError, match="nothing to solve"):
        markers.solve(replace(seen, positions=np.full_like(seen.positions, np.nan)), subject, attached)
    with pytest.raises(lm.LocomoteError, match="none of the markers"):
        markers.solve(replace(seen, names=tuple(f"x{k}" for k in range(len(attached)))), subject, attached)
    with pytest.raises(lm.LocomoteError, match="smooth"):
        markers.Springs(smooth=-1.0)
    with pytest.raises(lm.SkeletonError, match="no joint"):
        subject.locked("nose")
