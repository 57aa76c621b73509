"""The laws of the controller of simulated animals, judged by MuJoCo and by closed forms."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.physics._animal import Animal
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._kernels import animal_legs as legs
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_control import control
from locomote.physics._kernels.animal_joints import carry, press
from locomote.physics._simulation import Simulation

mujoco = pytest.importorskip("mujoco")

TROT = GaitLibrary.default()["trot"].at(1.0)


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return Simulation(Animal.of())


def disturbed(sim: Simulation, seed: int, far: float = 0.3) -> np.random.Generator:
    """The dog in some pose, moving somehow."""
    random = np.random.default_rng(seed)
    sim.reset()
    move = random.normal(scale=far, size=sim.model.nv)
    mujoco.mj_integratePos(sim.model, sim.data.qpos, move, 1.0)
    sim.data.qvel[:] = random.normal(size=sim.model.nv)
    mujoco.mj_forward(sim.model, sim.data)
    sim.state.torques[:] = 0.0
    sim.views.torques[:] = 0.0
    return random


def generalised(sim: Simulation) -> np.ndarray:
    """What the controller gave: torques of hinges, and those on bodies of ball joints in their own frames."""
    out = sim.views.torques.copy()
    for link, dof in enumerate(sim.body.ball_dofs):
        if dof >= 0:
            out[dof : dof + 3] += rot.rotate(rot.inverse(sim.data.xquat[link]), sim.state.torques[link])
    return out


def jacobian(sim: Simulation, at: np.ndarray, link: int) -> np.ndarray:
    out = np.zeros((3, sim.model.nv))
    mujoco.mj_jac(sim.model, sim.data, out, None, at, link)
    return out


@pytest.mark.feature("QUA-04")
@pytest.mark.parametrize("leg", range(4))
@pytest.mark.parametrize("seed", range(5))
def test_a_virtual_force_works_only_between_its_frame_and_its_foot(simulation: Simulation, leg: int, seed: int) -> None:
    sim = simulation
    random = disturbed(sim, seed)
    force = random.normal(scale=100.0, size=3)
    press(sim.body, sim.views, sim.state, leg, tuple(force))
    given = generalised(sim)
    foot = np.array(legs.foot_place(sim.body, sim.views, leg))
    paw, frame = int(sim.body.links[leg, am.PAW]), int(sim.body.frames[sim.body.leg_frame[leg]])
    relative = jacobian(sim, foot, paw) - jacobian(sim, foot, frame)
    np.testing.assert_allclose(given, relative.T @ force, atol=1e-9)
    chain = set(sim.body.links[leg])
    outside = [d for d in range(sim.model.nv) if sim.model.dof_bodyid[d] not in chain]
    assert not np.any(given[outside])
    work = given @ sim.data.qvel
    assert work == pytest.approx(force @ (relative @ sim.data.qvel), abs=1e-9)


@pytest.mark.feature("QUA-06")
def test_frames_get_the_torque_that_is_wanted() -> None:
    sim = Simulation(Animal.of())
    sim.asked.legs[:, 0] = am.BY_GAIT
    sim.asked.speed[0] = 0.6
    graph, params = TROT[0], TROT[1].copy()
    params[am.GRIP] = 1e3  # as much as it takes, whatever the feet can hold
    seen = 0
    for _ in range(600):
        sim.advance(1, graph, params)
        mujoco.mj_step1(sim.model, sim.data)
        control(sim.body, sim.views, graph, params, sim.asked, sim.state, 0.0)
        if np.abs(sim.views.torques).max() >= sim.body.gains[am.MOST] - 1e-9:
            continue
        for frame in range(2):
            link = int(sim.body.frames[frame])
            standing = [
                leg
                for leg in range(4)
                if sim.body.leg_frame[leg] == frame and legs.stands(sim.asked, sim.state, leg)
                and sim.views.touch[leg] > 60.0
            ]  # fmt: skip
            if not standing:
                continue
            # Torques of the ball joints at the frame, back from what MuJoCo is given.
            net = np.zeros(3)
            for body, dof in enumerate(sim.body.ball_dofs):
                if dof < 0:
                    continue
                torque = rot.rotate(sim.data.xquat[body], sim.views.torques[dof : dof + 3])
                net += torque if body == link else -torque if sim.body.parents[body] == link else 0.0
            wanted = sim.state.wanted[frame]
            np.testing.assert_allclose(net, wanted, atol=1e-6)
            seen += 1
    assert seen > 200


@pytest.mark.feature("QUA-12")
@settings(max_examples=60, deadline=None)
@given(
    leg=st.integers(0, 3),
    at=st.tuples(st.floats(-0.08, 0.08), st.floats(0.0, 0.14), st.floats(-0.18, 0.18)),
    pitch=st.floats(-0.4, 0.4),
    turn=st.tuples(*[st.floats(-0.15, 0.15)] * 3),
)
def test_a_leg_reaches_its_mark_in_closed_form(leg, at, pitch, turn) -> None:
    sim = SHARED
    sim.reset()
    body, frame = sim.body, int(sim.body.leg_frame[leg])
    axes = tuple(rot.exp(np.array(turn)))
    hip = np.array([0.3, 0.46, -0.2])
    mark = hip + np.array([at[0], at[1] - 0.44, at[2]])
    yaw = 0.2
    hip_pitch, aside, knee = legs.leg_angles(body, axes, tuple(hip), tuple(mark), pitch, yaw, leg)
    plane = body.planes[leg]
    thigh, shank = np.array([0.0, plane[0], plane[1]]), np.array([0.0, plane[2], plane[3]])
    upper = rot.multiply(axes, np.array(legs.hip_target(hip_pitch, aside)))
    lower = rot.multiply(upper, rot.exp(np.array([knee, 0.0, 0.0])))
    meta = rot.multiply(rot.from_yaw(yaw), rot.exp(np.array([pitch, 0.0, 0.0])))
    foot = hip + rot.rotate(upper, thigh) + rot.rotate(lower, shank)
    foot = foot + rot.rotate(meta, body.metas[leg]) + rot.rotate(rot.from_yaw(yaw), body.paws[leg])
    reach = np.linalg.norm(thigh) + np.linalg.norm(shank)
    ankle = mark - rot.rotate(meta, body.metas[leg]) - rot.rotate(rot.from_yaw(yaw), body.paws[leg])
    if np.linalg.norm(ankle - hip) < legs.REACH * reach:
        np.testing.assert_allclose(foot, mark, atol=1e-9)
    else:  # out of reach: straight towards it
        assert np.linalg.norm(foot - hip) <= reach + np.linalg.norm(body.metas[leg]) + np.linalg.norm(body.paws[leg])
    first = np.arctan2(plane[1], -plane[0]) - np.arctan2(plane[3], -plane[2])
    assert np.sign(first) == np.sign(first + knee)  # the knee never inverts
    assert frame in (0, 1)


SHARED = Simulation(Animal.of())


@pytest.mark.feature("QUA-15")
@pytest.mark.parametrize("leg", range(4))
def test_a_raised_leg_stays_put_by_what_carries_its_weight(simulation: Simulation, leg: int) -> None:
    sim = simulation
    disturbed(sim, leg)
    sim.data.qpos[1] += 1.0  # nothing touches the ground
    sim.data.qvel[:] = 0.0
    sim.data.qacc[:] = 0.0
    mujoco.mj_forward(sim.model, sim.data)
    sim.data.qacc[:] = 0.0
    mujoco.mj_inverse(sim.model, sim.data)  # what keeps all at rest
    carry(sim.body, sim.views, sim.state, leg, 1.0)
    chain = set(sim.body.links[leg])
    inside = [d for d in range(sim.model.nv) if sim.model.dof_bodyid[d] in chain]
    limits = sim.data.qfrc_constraint[inside]  # none is at the end of its range
    assert not np.any(limits)
    np.testing.assert_allclose(generalised(sim)[inside], sim.data.qfrc_inverse[inside], atol=1e-9)


@pytest.mark.feature("QUA-11")
def test_a_foot_that_lands_early_stands_and_one_that_finds_no_ground_is_lowered() -> None:
    sim = SHARED
    sim.reset()
    sim.asked.legs[:, 0] = am.BY_GAIT
    graph, params = TROT
    row, mode = sim.state.legs[0], sim.state.modes[0]
    row[am.PHASE] = 1.9  # at the end of a stance

    def at(phase: float, touch: float) -> None:
        sim.state.clock[0] = (graph[0, 0] + phase * graph[0, 1]) % 1.0
        sim.views.touch[0] = touch
        legs.update_leg(sim.body, sim.views, graph, params, sim.asked, sim.state, 0, 0.001)

    at(0.01, 0.0)
    assert mode[0] == 0
    at(0.7, 5.0)
    assert mode[0] == 0  # too early to be a landing
    at(0.85, 5.0)
    assert mode[0] == 1
    mode[0], row[am.DOWN] = 0, 0.0
    late = 1.0 + 0.1 / graph[0, 1]
    for _ in range(60):
        at(late, 0.0)
    assert mode[0] == 0
    assert 0.01 < row[am.DOWN] <= legs.LOWEST
    at(late, 5.0)
    assert mode[0] == 1


def test_gaits_may_be_told_in_arrays_of_any_kind(simulation: Simulation) -> None:
    graph, params = TROT[0], TROT[1].copy()
    spaced = np.repeat(params[:, None], 2, axis=1)[:, 0]
    params.flags.writeable = False
    found = []
    for told in ((graph, params), (np.asfortranarray(graph), spaced), (graph.tolist(), params.tolist())):
        simulation.reset()
        simulation.asked.legs[:, 0] = am.BY_GAIT
        simulation.advance(400, *told)
        found.append(simulation.data.qpos.tolist())
    assert found[1] == found[0] == found[2]
    with pytest.raises(ValueError, match="reshape"):
        simulation.advance(1, graph, params[:-1])


def test_compiled_and_plain_controllers_agree() -> None:
    script = (
        "import numpy as np;from locomote.physics._animal import Animal;"
        "from locomote.physics._gait_library import GaitLibrary;from locomote.physics._simulation import Simulation;"
        "s=Simulation(Animal.of());g=GaitLibrary.default()['trot'].at(1.0);s.asked.legs[:,0]=0;s.asked.speed[0]=0.5;"
        "s.advance(1000,*g);print(s.data.qpos.tolist())"
    )
    found = []
    for way in ("python", "auto"):
        run = subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "LOCOMOTE_KERNELS": way}, capture_output=True, check=True
        )
        found.append(np.array(eval(run.stdout.decode().strip().splitlines()[-1])))
    assert np.abs(found[0] - found[1]).max() < 1e-6
    assert abs(found[0][2]) > 0.05
