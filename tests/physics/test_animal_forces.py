"""Virtual forces of leg frames, one at a time, and the shapes of legs that stand and of feet that leave and land."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._gait_parameters import start_parameters
from locomote.physics._kernels import animal_legs as legs
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_control import control
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

mujoco = pytest.importorskip("mujoco")

STANDS = np.zeros((4, 2))  # no foot ever swings
REST = start_parameters(0.5)
LIBRARY = GaitLibrary.default()


def forces_of_feet(change) -> FloatArray:
    """(4, 3) N with which feet press on the ground, when nothing but virtual forces acts; the heading is +Z.

    Found from the torques of the legs: springs, and what turns frames, are switched off.
    """
    sim, params = ahead_of_its_feet(), REST.copy()
    mujoco.mj_step1(sim.model, sim.data)
    sim.asked.legs[:, 0] = am.BY_GAIT
    sim.state.legs[:, am.PHASE] = 1.5
    sim.body.gains[: am.MOST] = 0.0
    sim.body.gains[am.SPINE_SHARE :] = 0.0
    sim.asked.frames[:, am.TURNS] = 0.0
    sim.state.speeds[:] = 0.0
    change(sim, params)
    control(sim.body, sim.views, STANDS, params, sim.asked, sim.state, 0.0)
    found = np.zeros((4, 3))
    for leg in range(4):
        foot = np.array(legs.foot_place(sim.body, sim.views, leg))
        paw, frame = int(sim.body.links[leg, am.PAW]), int(sim.body.frames[sim.body.leg_frame[leg]])
        jacobians = np.zeros((2, 3, sim.model.nv))
        for jacobian, link in zip(jacobians, (paw, frame), strict=True):
            mujoco.mj_jac(sim.model, sim.data, jacobian, None, foot, link)
        chain = [d for d in range(sim.model.nv) if sim.model.dof_bodyid[d] in sim.body.links[leg]]
        relative = (jacobians[0] - jacobians[1])[:, chain]
        found[leg], off, *_ = np.linalg.lstsq(relative.T, sim.views.torques[chain], rcond=None)
        assert off < 1e-12
    return found


def ahead_of_its_feet() -> Simulation:
    """A dog that stands, its hips a little before its feet."""
    sim = Simulation(Animal.of())
    sim.asked.legs[:, 3] = 0.03
    sim.advance(400, STANDS, REST)
    return sim


def nothing(sim: Simulation, params: FloatArray) -> None:
    """As it stands."""


FORE, HIND = slice(0, 2), slice(2, 4)
FRAMES = [(am.FRONT, FORE), (am.REAR, HIND)]


@pytest.mark.feature("QUA-07")
@pytest.mark.parametrize(("frame", "feet"), FRAMES)
@pytest.mark.parametrize("more", [0.05, -0.03])
def test_a_frame_that_is_too_low_is_pushed_up_by_its_two_feet(frame: int, feet: slice, more: float) -> None:
    stiff = 2500.0

    def low(sim: Simulation, params: FloatArray) -> None:
        params[am.SPRING + 2 * frame] = stiff
        sim.asked.frames[frame, am.MORE_HEIGHT] = more

    def level(sim: Simulation, params: FloatArray) -> None:
        params[am.SPRING + 2 * frame] = stiff

    change = forces_of_feet(low) - forces_of_feet(level)
    wanted = np.zeros((4, 3))
    wanted[feet, 1] = -0.5 * stiff * more  # feet press down
    np.testing.assert_allclose(change, wanted, atol=1e-6)


@pytest.mark.feature("QUA-07")
@pytest.mark.parametrize(("frame", "feet"), FRAMES)
def test_a_frame_that_sinks_is_braked_and_one_that_rests_is_carried(frame: int, feet: slice) -> None:
    def sinks(sim: Simulation, params: FloatArray) -> None:
        params[am.SPRING + 2 * frame + 1] = 300.0
        sim.state.speeds[frame, 1] = -0.2

    change = forces_of_feet(sinks) - forces_of_feet(nothing)
    wanted = np.zeros((4, 3))
    wanted[feet, 1] = -0.5 * 300.0 * 0.2
    np.testing.assert_allclose(change, wanted, atol=1e-6)
    carried = forces_of_feet(nothing)[:, 1].sum()
    assert -carried == pytest.approx(34.0 * 9.81, rel=0.05)  # the height it stands at is nearly that which is wanted


@pytest.mark.feature("QUA-07")
@pytest.mark.parametrize("faster", [0.3, -0.2])
def test_who_is_too_slow_pushes_back_with_all_feet(faster: float) -> None:
    drive = 150.0

    def slow(sim: Simulation, params: FloatArray) -> None:
        params[am.DRIVE], sim.asked.speed[0] = drive, faster

    change = forces_of_feet(slow) - forces_of_feet(nothing)
    wanted = np.zeros((4, 3))
    wanted[:, 2] = -0.5 * drive * faster  # of each of the two frames, by two feet
    np.testing.assert_allclose(change, wanted, atol=0.01 * drive * abs(faster))


@pytest.mark.feature("QUA-07")
@pytest.mark.parametrize("leg", range(4))
def test_a_force_over_the_angle_of_a_leg_is_given_by_that_leg_alone(leg: int) -> None:
    along, up = (-60.0, -20.0, 20.0, 60.0), (0.0, 30.0, 50.0, 10.0)

    def own(sim: Simulation, params: FloatArray) -> None:
        params[am.PUSH + 8 * leg : am.PUSH + 8 * leg + 8] = *along, *up

    change = forces_of_feet(own) - forces_of_feet(nothing)
    sim = ahead_of_its_feet()
    away = sim.frames[sim.body.leg_frame[leg], 2] + sim.body.under[leg] - sim.feet[leg, 2]
    assert away > 0.02
    t = 0.5 + 0.5 * away / (0.65 * sim.body.height)  # told over 0.65 of the height of the hips to both sides
    places = np.linspace(0.0, 1.0, 4)
    wanted = np.zeros((4, 3))
    wanted[leg] = 0.0, -np.interp(t, places, up), -np.interp(t, places, along)
    np.testing.assert_allclose(change, wanted, atol=0.5)


@pytest.mark.feature("QUA-08")
@pytest.mark.parametrize("more", [-0.15, -0.08, 0.0, 0.01])
def test_who_stands_is_as_high_as_asked(more: float) -> None:
    sim = Simulation(Animal.of())
    for k in range(180):
        sim.asked.frames[:, am.MORE_HEIGHT] = more * min(k / 60.0, 1.0)
        sim.advance(10, STANDS, REST)
    assert sim.heights == pytest.approx(np.array([0.45, 0.47]) + more, abs=0.01)
    assert np.all(bends(sim) * WAYS > 0.02)


WAYS = np.array([-1.0, -1.0, 1.0, 1.0])  # elbows bend backward, stifles forward


def bends(sim: Simulation) -> FloatArray:
    """(4,) rad by which legs bend between thigh and shank, 0 straight."""
    return np.array([
        np.arctan2(plane[1], -plane[0]) - np.arctan2(plane[3], -plane[2]) + sim.data.qpos[at]
        for plane, at in zip(sim.body.planes, sim.body.leg_angles[:, 1], strict=True)
    ])  # fmt: skip


@pytest.mark.feature("QUA-08")
@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.8), ("trot", 2.2)])
def test_no_knee_inverts_in_a_gait_nor_after_a_push(gait: str, speed: float) -> None:
    driver = Driver(Simulation(Animal.of()))
    driver.command(speed=speed, gait=gait)
    driver.step(2.5)
    driver.simulation.push(np.array([120.0, 0.0, 60.0]), 0.2, "hips")
    least = np.inf
    for _ in range(150):
        driver.step(0.01)
        least = min(least, float((bends(driver.simulation) * WAYS).min()))
    assert not driver.simulation.fallen
    assert least > 0.0


LEAVES, LANDS, LEAD = 0.3, -0.2, 0.08  # rad, toe down; s


def toe(sim: Simulation, leg: int) -> float:
    """rad by which the metapodium is turned from rest about the side, toe down."""
    link = int(sim.body.links[leg, am.META])
    turn = rot.multiply(sim.data.xquat[link], rot.inverse(sim.body.rest[link]))
    return float(rot.log(rot.multiply(rot.from_yaw(-sim.asked.yaw[sim.body.leg_frame[leg]]), turn))[0])


@pytest.mark.feature("QUA-16")
@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.8), ("trot", 1.4)])
def test_feet_are_pitched_as_told_when_they_leave_and_when_they_land(gait: str, speed: float) -> None:
    sim = Simulation(Animal.of())
    graph, params = LIBRARY[gait].at(speed)
    params = params.copy()
    for leg in range(4):
        params[am.TOE + 4 * leg : am.TOE + 4 * leg + 4] = LEAVES, LANDS, LEAD, LEAD
    sim.asked.legs[:, 0] = am.BY_GAIT
    seen: dict[str, list[float]] = {"leaves": [], "lands": [], "stands": []}
    before = sim.state.legs[:, am.PHASE].copy()
    for k in range(3500):
        sim.asked.speed[0] = min(speed, 0.0012 * k, sim.speed + 0.5)
        sim.advance(1, graph, params)
        phases = sim.state.legs[:, am.PHASE].copy()
        for leg in range(4 if k > 2000 else 0):
            if before[leg] > 1.9 and phases[leg] < 0.1:  # its swing begins
                seen["leaves"].append(toe(sim, leg))
            elif before[leg] < 1.0 <= phases[leg]:  # its stance begins
                seen["lands"].append(toe(sim, leg))
            elif before[leg] < 1.5 <= phases[leg]:
                seen["stands"].append(toe(sim, leg))
        before = phases
    assert not sim.fallen
    assert len(seen["leaves"]) > 6
    assert np.abs(np.array(seen["leaves"]) - LEAVES).max() < 0.09
    assert np.abs(np.array(seen["lands"]) - LANDS).max() < 0.09
    assert np.abs(seen["stands"]).max() < 0.13  # flat in between
