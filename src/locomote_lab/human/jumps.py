"""How good fitted jumps are: their length, their flight, and their distance to jumps that the fit did not see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.human._encoding import Encoding
from locomote.human.fitting._jump_fit import mirrored_poses, standing_kind
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._model import JumpKind
from locomote.human.jumps._units import BALLS, JumpUnit, sampled
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

BEFORE, AFTER = 0.45, 0.35  # s before toe-off and after touch-down that are compared
INSTANTS = 25
_FEET_REST = ((0.1, 0.25), (0.7, 1.0))  # places on the timeline at which both feet stand, before and after

# Shares of the body's mass, by joint: of the piece from this joint to the named one, and how far along its middle is.
_MASSES = {
    ("Hips", "Spine2"): (0.355, 0.5),
    ("Spine2", "Neck"): (0.142, 0.5),
    ("Neck", "Head"): (0.081, 1.0),
    **{
        (side + upper, side + lower): values
        for side in ("Left", "Right")
        for upper, lower, values in (
            ("Arm", "ForeArm", (0.028, 0.436)),
            ("ForeArm", "Hand", (0.022, 0.68)),
            ("UpLeg", "Leg", (0.1, 0.433)),
            ("Leg", "Foot", (0.0465, 0.433)),
            ("Foot", "ToeBase", (0.0145, 0.5)),
        )
    },
}


def centre_of_mass(positions: FloatArray) -> FloatArray:
    """The centre of mass ``(..., 3)`` of a grown person with joints at ``positions (..., J, 3)``."""
    out = np.zeros((*positions.shape[:-2], 3))
    for (near, far), (mass, along) in _MASSES.items():
        a, b = positions[..., COMMON.index(near), :], positions[..., COMMON.index(far), :]
        out += mass * (a + along * (b - a))
    return out / sum(mass for mass, _ in _MASSES.values())


def flight_error(positions: FloatArray, flight: float) -> float:
    """The largest distance (hip heights) of the centre of mass in flight from the nearest free fall.

    ``positions (n, J, 3)`` are evenly spaced over the flight, which lasts ``flight``.
    """
    t = np.linspace(0.0, flight, len(positions))
    mass = centre_of_mass(positions) + np.outer(0.5 * t**2, [0.0, 1.0, 0.0])  # without gravity, which is 1
    straight = np.stack([np.ones_like(t), t], axis=1)
    left = mass - straight @ np.linalg.lstsq(straight, mass, rcond=None)[0]
    return float(np.linalg.norm(left, axis=1).max())


def world_positions(root: FloatArray, rotations: FloatArray, way: FloatArray) -> FloatArray:
    """Joints ``(n, J, 3)`` of poses relative to a reference that has come ``way (n,)`` far."""
    path = root + way[:, None] * [0.0, 0.0, 1.0]
    return Motion(COMMON, 1.0, path, rotations).joint_positions()


def standing_length(kind: JumpKind, encoding: Encoding, length: float, flight: float) -> float:
    """How far apart the feet really stand before and after a standing jump that was asked to be ``length`` long."""
    positions = standing_positions(kind, encoding, length, flight)
    balls = positions[:, BALLS, 2].mean(axis=1)
    u = timeline.nodes()
    places = [float(np.median(balls[(u >= first) & (u <= last)])) for first, last in _FEET_REST]
    return places[1] - places[0]


def one_foot_length(kind: JumpKind, encoding: Encoding, length: float, side: int = 0) -> float:
    """How far the landing ball comes down from the place of the take-off ball in a jump asked to be ``length`` long."""
    flight = kind.usual_flight(length)
    support, landing = kind.durations(length, flight)
    t = timeline.times(timeline.nodes(), support, flight, landing)
    root, turns = encoding.decode(kind.poses(length, flight, side))
    balls = world_positions(root, turns, kind.speed(length, flight) * t)[:, BALLS, 2]
    u = timeline.nodes()
    middle = (u > 0.1) & (u < timeline.U_OFF - 0.1)
    touching = (u > timeline.U_LAND) & (u < timeline.U_LAND + 0.1)
    return float(np.median(balls[touching, 1 - side]) - np.median(balls[middle, side]))


def held_out_errors(units: Sequence[JumpUnit], encoding: Encoding) -> FloatArray:
    """Mean joint distance (m) of every standing jump to what a fit without it makes of its length and flight time.

    Compared are 25 instants from 0.45 s before toe-off to 0.35 s after touch-down, in the world, with the feet on the
    same place before take-off: pose, travel and pace all count.
    """
    out = []
    poses = mirrored_poses(units, encoding)
    truth = recorded_instants(units)
    for k, unit in enumerate(units):
        kind = standing_kind([*units[:k], *units[k + 1 :]], np.delete(poses, k, axis=0))
        positions = standing_positions(kind, encoding, unit.length, unit.flight)
        support, landing = kind.durations(unit.length, unit.flight)
        t = timeline.times(timeline.nodes(), support, unit.flight, landing)
        ours = _instants(positions, t, support, unit.flight, unit.hip_height)
        out.append(unit.hip_height * _distance(ours, truth[k]))
    return np.array(out)


def baseline_errors(units: Sequence[JumpUnit]) -> dict[str, FloatArray]:
    """The same distances to the jump of the nearest length, and to the mean of all other jumps."""
    truth = recorded_instants(units)
    lengths = np.array([unit.length for unit in units])
    nearest, mean = [], []
    for k, unit in enumerate(units):
        away = np.abs(lengths - unit.length)
        away[k] = np.inf
        nearest.append(unit.hip_height * _distance(truth[int(np.argmin(away))], truth[k]))
        mean.append(unit.hip_height * _distance(np.delete(truth, k, axis=0).mean(axis=0), truth[k]))
    return {"nearest length": np.array(nearest), "mean of all": np.array(mean)}


def recorded_instants(units: Sequence[JumpUnit]) -> FloatArray:
    """Joints ``(n, 25, J, 3)`` of recorded standing jumps at the compared instants."""
    return np.stack(
        [
            _instants(world_positions(u.root, u.rotations, u.travel()), u.pace, u.support, u.flight, u.hip_height)
            for u in units
        ]
    )


def standing_positions(kind: JumpKind, encoding: Encoding, length: float, flight: float) -> FloatArray:
    """Joints ``(SAMPLES, J, 3)`` in the world of a fitted standing jump."""
    support, landing = kind.durations(length, flight)
    t = timeline.times(timeline.nodes(), support, flight, landing)
    root, turns = encoding.decode(kind.poses(length, flight))
    return world_positions(root, turns, timeline.standing_travel(t, length, support, flight))


def _instants(positions: FloatArray, t: FloatArray, support: float, flight: float, hip_height: float) -> FloatArray:
    """Joints at the compared instants, from those at times ``t`` since the start."""
    second = 1.0 / timeline.time_unit(hip_height)
    wanted = np.linspace(support - BEFORE * second, support + flight + AFTER * second, INSTANTS)
    at = np.interp(wanted, t, np.arange(len(t)))
    return sampled(positions.reshape(len(positions), -1), at).reshape(INSTANTS, -1, 3)


def _distance(a: FloatArray, b: FloatArray) -> float:
    return float(np.linalg.norm(a - b, axis=-1).mean())
