"""Inverse dynamics against MuJoCo, and derivatives against closed forms."""

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.masses import Masses
from locomote.physics._newton import SegmentMotion, derivatives, loads, segment_motion, smooth

FPS = 120.0


def moving(skeleton, masses, q, v, a) -> SegmentMotion:
    """How segments move by joint velocities and accelerations, each in the frame of its joint."""
    joints = len(skeleton)
    x, turn = np.zeros((joints, 3)), np.zeros((joints, 4))
    push, spin, spin_up = (np.zeros((joints, 3)) for _ in range(3))
    for j, parent in enumerate(skeleton.parents):
        if parent < 0:
            x[j], turn[j], push[j] = v["place"], q[j], a["place"]
            spin[j], spin_up[j] = rot.rotate(q[j], v["spin"][j]), rot.rotate(q[j], a["spin"][j])
        else:
            arm = rot.rotate(turn[parent], skeleton.offsets[j])
            turn[j] = rot.multiply(turn[parent], q[j])
            x[j] = x[parent] + arm
            push[j] = push[parent] + np.cross(spin_up[parent], arm)
            push[j] += np.cross(spin[parent], np.cross(spin[parent], arm))
            own = rot.rotate(turn[j], v["spin"][j])
            spin[j] = spin[parent] + own
            spin_up[j] = spin_up[parent] + rot.rotate(turn[j], a["spin"][j]) + np.cross(spin[parent], own)
    arm = rot.rotate(turn, masses.centre)
    centres = x + arm
    acceleration = push + np.cross(spin_up, arm) + np.cross(spin, np.cross(spin, arm))
    return SegmentMotion(*(values[None] for values in (x, turn, centres, acceleration, spin, spin_up)))


@pytest.mark.feature("FRC-01")
@pytest.mark.parametrize("seed", range(6))
def test_torques_are_those_of_mujoco(seed):
    from tests.physics.twin import model, mujoco, random_tree

    rng = np.random.default_rng(seed)
    skeleton, masses = random_tree(rng, 9)
    q = rot.normalize(rng.normal(size=(9, 4)))
    v = {"place": rng.normal(size=3), "spin": rng.normal(size=(9, 3)) * 3.0}
    a = {"place": rng.normal(size=3) * 9.0, "spin": rng.normal(size=(9, 3)) * 30.0}
    found = loads(skeleton, masses, moving(skeleton, masses, q, v, a))
    twin = model(skeleton, masses)
    data = mujoco.MjData(twin)
    for j, name in enumerate(skeleton.names):
        joint = twin.joint(f"{name}_joint")
        at, dof = joint.qposadr[0], joint.dofadr[0]
        if j == 0:
            data.qpos[at : at + 3], data.qacc[dof : dof + 3] = v["place"], a["place"]
            at, dof = at + 3, dof + 3
        data.qpos[at : at + 4], data.qvel[dof : dof + 3], data.qacc[dof : dof + 3] = q[j], v["spin"][j], a["spin"][j]
    mujoco.mj_inverse(twin, data)
    turns = moving(skeleton, masses, q, v, a).turns[0]
    scale = np.abs(data.qfrc_inverse).max()
    for j, name in enumerate(skeleton.names):
        dof = twin.joint(f"{name}_joint").dofadr[0]
        if j == 0:
            np.testing.assert_allclose(found.force[0], data.qfrc_inverse[dof : dof + 3], atol=1e-9 * scale)
            about_root = found.moment[0] - np.cross(v["place"], found.force[0])
            mine, theirs = rot.rotate(rot.inverse(turns[0]), about_root), data.qfrc_inverse[dof + 3 : dof + 6]
        else:
            mine = rot.rotate(rot.inverse(turns[j]), found.torques[0, j])
            theirs = data.qfrc_inverse[dof : dof + 3]
        np.testing.assert_allclose(mine, theirs, atol=1e-9 * scale)


@pytest.mark.feature("FRC-06")
@pytest.mark.parametrize("hertz", [0.5, 1.0, 2.0, 2.5])
def test_accelerations_of_sines_in_the_pass_band_are_right_and_not_late(hertz):
    t = np.arange(480) / FPS
    sine = np.sin(2.0 * np.pi * hertz * t)[:, None]
    _, second = derivatives(smooth(sine, FPS, 8.0), FPS)
    inner = slice(60, -60)
    truth = -((2.0 * np.pi * hertz) ** 2) * sine
    assert np.abs(second - truth)[inner].max() < 0.02 * np.abs(truth).max()


def test_what_is_faster_than_the_cut_off_is_gone():
    t = np.arange(480) / FPS
    noise = np.sin(2.0 * np.pi * 30.0 * t)[:, None]
    assert np.abs(smooth(noise, FPS, 8.0)[60:-60]).max() < 0.01


def test_spins_of_a_turning_body_are_those_of_its_axis():
    rate = np.array([0.4, -1.1, 0.7])
    t = np.arange(100) / FPS
    turns = rot.exp(t[:, None] * rate)[:, None]
    one = lm.Skeleton(("one",), [-1], [[0, 0, 0]])
    masses = Masses(np.ones(1), np.zeros((1, 3)), np.eye(3)[None])
    found = segment_motion(lm.Motion(one, FPS, np.zeros((100, 3)), turns), masses, None)
    np.testing.assert_allclose(found.spins[2:-2, 0], np.broadcast_to(rate, (96, 3)), atol=1e-3)
    np.testing.assert_allclose(found.spin_ups[2:-2, 0], 0.0, atol=1e-6)


def test_too_short_a_motion_is_refused():
    one = lm.Skeleton(("one",), [-1], [[0, 0, 0]])
    masses = Masses(np.ones(1), np.zeros((1, 3)), np.eye(3)[None])
    with pytest.raises(lm.LocomoteError, match="accelerations need at least 10"):
        segment_motion(lm.Motion(one, FPS, np.zeros((4, 3)), rot.identity(4, 1)), masses, None)
