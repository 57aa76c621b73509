"""The whole body of a simulated animal led by the forces under its feet: they carry, speed up and turn it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from locomote import rotations as rot
from locomote.math.constants import GRAVITY
from locomote.physics._driving import Driver
from locomote.physics._gait_parameters import fitted, start_parameters
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_legs import REACH
from locomote.physics._simulation import Simulation
from locomote.physics._stances import FRAME_OF
from locomote.rotations import FloatArray

FRICTION = 0.8  # of its load that a foot is trusted to hold along the ground
ARM = 0.12  # m: a moment that is missed counts as a force that is missed at this arm
EASY = 0.02  # what a force costs, against a force that is missed
JUST = 0.03  # s for which a foot that lost the ground is still pressed onto it
FELT = 1.0  # N under a foot that touches
LEADS = 0.005  # s ahead that the shape of legs is led
STIFF = 60.0  # m/s2 at most
TURNS = 10.0  # 1/s: how quickly a trunk is brought upright
CALMS = 0.07  # s by which a back that bends is led back
STANDS_AT = 0.4557  # m of the centre of mass of the dog above its feet
STRETCHED = 0.95  # of its length from hip to ground that a leg is stretched at most
# Four edges of a friction cone: right, left, forward, back; each with 1 upwards.
_EDGES = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]) * FRICTION + [0.0, 1.0, 0.0]


class Whole(NamedTuple):
    """A body as one: m, m/s; angles and rates of its trunk about its own axes: pitch (nose up), heading, roll."""

    place: FloatArray  # (3,) centre of mass in the world
    speed: FloatArray  # (3,) to its left, up and forward
    angles: FloatArray  # (3,) rad about its left, up and forward axes; pitch is positive with the nose down
    spins: FloatArray  # (3,) rad/s of the whole, by its angular momentum: what it keeps in the air
    inertia: FloatArray  # (3, 3) kg m2 about the same axes


def foot_forces(arms: FloatArray, force: FloatArray, moment: FloatArray, aside: float = 1.0) -> FloatArray:
    """Forces ``(K, 3)`` at feet that push, never pull, and do not slip: together the force and moment that are wanted.

    Parameters
    ----------
    arms : (K, 3) m from the centre of mass to the feet
    force, moment : (3,) N and N m about the centre of mass
    aside : what a force aside that is missed counts, against any other
    """
    if not len(arms):
        return np.zeros((0, 3))
    edges = np.tile(_EDGES, (len(arms), 1))
    turns = np.cross(np.repeat(arms, len(_EDGES), axis=0), edges) / ARM
    size = max(float(np.linalg.norm(force)), 1.0)
    counts = np.array([aside, 1.0, 1.0])
    rows = np.vstack([(edges * counts).T, turns.T, EASY * np.eye(len(edges))])
    wanted = np.concatenate([force * counts, moment / ARM, np.zeros(len(edges))]) / size
    found, _ = nnls(rows, wanted)
    return np.asarray(size * (found[:, None] * edges).reshape(len(arms), len(_EDGES), 3).sum(axis=1))


def measured(sim: Simulation) -> Whole:
    """Where the body is as one, and how it moves."""
    sim.mujoco.mj_subtreeVel(sim.model, sim.data)
    middle, masses = sim.data.subtree_com[1].copy(), sim.body.masses[1:]
    back = rot.from_yaw(-sim.heading)
    arms = rot.rotate(back, sim.data.xipos[1:] - middle)
    inertia = np.einsum("b,bk,bl->kl", masses, arms, arms)
    inertia = np.trace(inertia) * np.eye(3) - inertia
    momentum = rot.rotate(back, sim.data.subtree_angmom[1])
    rear, front = sim.frames
    line = front - rear
    pitch = -np.arctan2(line[1], np.hypot(line[0], line[2]))
    turn = (sim.asked.yaw[am.FRONT] - sim.heading + np.pi) % (2.0 * np.pi) - np.pi
    left = rot.rotate(turns_of(sim), np.array([1.0, 0.0, 0.0])).mean(axis=0)
    roll = float(np.arctan2(left[1], np.hypot(left[0], left[2])))
    spins = np.linalg.solve(inertia, momentum)
    return Whole(
        middle,
        rot.rotate(back, sim.data.subtree_linvel[1]),
        np.array([pitch, -turn, roll]),
        spins,
        inertia,
    )


def stands_at(sim: Simulation, whole: Whole, legs: Sequence[int] = range(am.FEET)) -> float:
    """m that the centre of mass is to be above the mean of some feet: lower where legs would not reach wide ones."""
    body, chosen = sim.body, list(legs)
    planes, feet = body.planes[chosen], sim.feet[chosen]
    hips = sim.data.xpos[body.links[chosen, am.THIGH]]
    longest = REACH * (np.hypot(planes[:, 0], planes[:, 1]) + np.hypot(planes[:, 2], planes[:, 3]))
    longest = STRETCHED * (longest - (body.metas + body.paws)[chosen, 1])
    aside = np.square(hips - feet)[:, [0, 2]].sum(axis=1)
    most = feet[:, 1] + np.sqrt(np.maximum(longest**2 - aside, 0.0)) - (hips[:, 1] - whole.place[1])
    return float(min(STANDS_AT, most.min() - feet[:, 1].mean()))


def turns_of(sim: Simulation) -> FloatArray:
    """The rotations of both frames from rest, ``(2, 4)``."""
    links = sim.body.frames
    return np.asarray(rot.multiply(sim.data.xquat[links], rot.inverse(sim.body.rest[links])))


def upright(whole: Whole) -> FloatArray:
    """rad/s2 that bring a trunk upright and to its heading."""
    return np.asarray(-(TURNS**2) * whole.angles - 2.0 * TURNS * whole.spins)


def standing(sim: Simulation) -> FloatArray:
    """Which feet stand as their gait says, and touch or have just touched, ``(4,)``."""
    touch = sim.state.legs[:, am.UNFELT] < JUST
    return np.asarray(touch & (sim.asked.legs[:, 0] == am.BY_GAIT) & (sim.state.modes[:, 0] == 1))


def throw(
    sim: Simulation,
    params: FloatArray,
    whole: Whole,
    acceleration: FloatArray,
    turning: FloatArray,
    aside: float = 1.0,
    pairs: bool = False,
) -> None:
    """Ask for thrusts of the feet that stand: together they speed the body up and turn it, as far as they can.

    Parameters
    ----------
    params : (145,) of the gait that goes on meanwhile
    acceleration : (3,) m/s2 to the left, up and forward; gravity is carried besides
    turning : (3,) rad/s2 about the same axes
    aside : what it counts that it is not sped up aside, against all else
    pairs : hips or shoulders of which one foot has left the ground are not pushed by the other
    """
    asked, stands = sim.asked, standing(sim)
    if pairs:
        stands = np.repeat(stands.reshape(2, 2).all(axis=1), 2)
    turn, feet = rot.from_yaw(sim.heading), sim.feet
    up = np.array([0.0, GRAVITY, 0.0])
    force = float(sim.body.masses.sum()) * (np.clip(acceleration, -STIFF, STIFF) + up)
    arms = rot.rotate(rot.inverse(turn), feet[stands] - whole.place)
    asked.thrust[:, :3], asked.thrust[:, 4] = 0.0, 1.0
    asked.thrust[stands, :3] = rot.rotate(turn, foot_forces(arms, force, whole.inertia @ turning, aside))
    asked.frames[:, am.HOLDS :] = 0.0
    # Legs are as long as they are: their springs keep their shape, no more.
    rest = params[[am.H + am.KNOTS, am.H]]
    heights = sim.frames[:, 1] + LEADS * sim.state.speeds[:, 1]
    for frame in range(am.FRAMES):
        legs = [leg for leg in range(am.FEET) if FRAME_OF[leg] == frame]
        stood = [leg for leg in legs if stands[leg]] or legs
        asked.frames[frame, am.MORE_HEIGHT] = heights[frame] - feet[stood, 1].mean() - rest[frame]


def calm_back(sim: Simulation) -> None:
    """A back that bends and twists by itself is slowed down: in the air it would swing the legs to and fro."""
    rates = sim.data.cvel[sim.body.frames, :3]
    sim.asked.bend[:] = -CALMS * rot.rotate(rot.inverse(turns_of(sim)[am.REAR]), rates[am.FRONT] - rates[am.REAR])


def let_fall(sim: Simulation) -> None:
    """No thrusts any more; frames are held as gaits hold them."""
    sim.asked.thrust[:] = 0.0
    sim.asked.frames[:, am.MORE_HEIGHT] = 0.0
    sim.asked.frames[:, am.HOLDS :] = 1.0


def hold_gait(driver: Driver) -> FloatArray:
    """No foot swings by itself; the parameters by which it stands come back."""
    params = fitted(start_parameters(0.5), driver.simulation.animal)
    driver.now, driver.simulation.state.clock[0] = (np.zeros((am.FEET, 2)), params), 0.0
    return params


def plant(sim: Simulation, leg: int) -> None:
    """A foot that has touched the ground stands from now on."""
    sim.asked.legs[leg] = 0.0
    sim.state.modes[leg] = 1, 0, am.BY_GAIT
    sim.state.legs[leg, am.PHASE] = 1.0
