"""The controller of torques: its law, its closed form, and gains that the plain law cannot bear."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from locomote.errors import LocomoteError
from locomote.pendulums import PD

ANGLES = st.floats(-3.0, 3.0)


@pytest.mark.feature("LEG-63")
@given(st.floats(0.0, 1e4), st.floats(0.0, 1e3), ANGLES, ANGLES, ANGLES, ANGLES)
def test_the_torque_is_the_law(kp: float, kd: float, angle: float, rate: float, goal: float, goal_rate: float) -> None:
    torque = PD(kp, kd).torque(angle, rate, goal, goal_rate)
    assert torque == pytest.approx(kd * (goal_rate - rate) + kp * (goal - angle), rel=1e-12, abs=1e-9)


@pytest.mark.feature("LEG-63")
@given(st.floats(0.0, 1e5), st.floats(0.0, 1e3), st.floats(0.05, 50.0), st.floats(1e-3, 0.1), ANGLES, ANGLES)
def test_the_stable_torque_is_the_law_at_the_end_of_the_step(
    kp: float, kd: float, inertia: float, dt: float, angle: float, rate: float
) -> None:
    """What makes it implicit: with the rate and angle that it leads to, the plain law gives the same torque."""
    controller = PD(kp, kd)
    torque = float(controller.stable_torque(angle, rate, 0.5, dt, 0.2, inertia))
    new_rate = rate + dt * torque / inertia
    new_angle = angle + dt * new_rate
    plain = float(controller.torque(new_angle, new_rate, 0.5, 0.2))
    assert torque == pytest.approx(plain, rel=1e-6, abs=1e-6 * (1.0 + kp + kd))


def run(controller: PD, dt: float, seconds: float, stable: bool) -> np.ndarray:
    angle, rate, out = 1.0, 0.0, []
    for _ in range(round(seconds / dt)):
        torque = controller.stable_torque(angle, rate, 0.0, dt) if stable else controller.torque(angle, rate, 0.0)
        rate += dt * float(torque)
        angle += dt * rate
        out.append(angle)
        if abs(angle) > 1e12:
            break
    return np.array(out)


@pytest.mark.feature("LEG-63")
def test_small_steps_tend_to_the_closed_form() -> None:
    controller = PD.critical(40.0)
    times = np.arange(1, 2001) * 1e-3
    truth = (1.0 + np.sqrt(40.0) * times) * np.exp(-np.sqrt(40.0) * times)
    for stable in (False, True):
        assert np.max(np.abs(run(controller, 1e-3, 2.0, stable) - truth)) < 0.01


@pytest.mark.feature("LEG-63")
def test_stiff_gains_at_thirty_frames_explode_in_the_plain_form_and_not_in_the_stable_one() -> None:
    controller = PD.critical(30000.0)
    assert abs(run(controller, 1 / 30, 2.0, stable=False)[-1]) > 1e6
    angles = run(controller, 1 / 30, 2.0, stable=True)
    assert np.all(np.abs(np.diff(np.abs(angles), prepend=1.0)) <= 1.0)
    assert np.max(np.abs(angles)) <= 1.0
    assert abs(angles[-1]) < 1e-6


@pytest.mark.feature("LEG-63")
def test_two_links_that_move_each_other_are_held_against_gravity() -> None:
    """A matrix of inertia: a double pendulum, held by a stiff controller at 30 frames a second."""
    controller, dt, goal = PD(20000.0, 200.0), 1 / 30, np.array([0.4, -0.3])

    def inertia(q: np.ndarray) -> np.ndarray:
        c = np.cos(q[1])
        return np.array([[3.0 + 2.0 * c, 1.0 + c], [1.0 + c, 1.0]])

    def gravity(q: np.ndarray) -> np.ndarray:
        return -9.81 * np.array([2.0 * np.sin(q[0]) + np.sin(q[0] + q[1]), np.sin(q[0] + q[1])])

    q, w = np.zeros(2), np.zeros(2)
    for _ in range(90):
        torque = controller.stable_torque(q, w, goal, dt, 0.0, inertia(q), gravity(q))
        w = w + dt * np.linalg.solve(inertia(q), torque + gravity(q))
        q = q + dt * w
        assert np.all(np.abs(q) < 2.0)
    assert np.allclose(q, goal, atol=0.01)

    def continuous(_: float, y: np.ndarray) -> np.ndarray:
        torque = controller.torque(y[:2], y[2:], goal) + gravity(y[:2])
        return np.concatenate([y[2:], np.linalg.solve(inertia(y[:2]), torque)])

    held = solve_ivp(continuous, (0.0, 0.5), np.concatenate([q, w]), rtol=1e-6).y[:2, -1]
    assert np.allclose(held, q, atol=1e-3)  # where the continuous law holds it too


def test_what_is_no_controller_is_refused() -> None:
    with pytest.raises(LocomoteError, match="stiffness"):
        PD(-1.0, 1.0)
    with pytest.raises(LocomoteError, match="some time"):
        PD(1.0, 1.0).stable_torque(0.0, 0.0, 1.0, 0.0)
