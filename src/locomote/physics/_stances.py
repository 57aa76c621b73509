"""The shape of a simulated animal that does not go: its frames over feet that stand or step, as angles of its legs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.physics._driving import Driver
from locomote.physics._gait_parameters import start_parameters
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_joints import level_ankle
from locomote.physics._kernels.animal_legs import leg_angles
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

L1, R1, L2, R2 = range(am.FEET)
FRAME_OF = (am.FRONT, am.FRONT, am.REAR, am.REAR)
TAKE_OVER = 0.3  # s over which angles that were asked for before fade: they carry the weight until then
STILL_PERIOD = 0.5  # s of a stride that nobody takes
FORWARD = np.array([0.0, 0.0, 1.0])
LEFT = np.array([1.0, 0.0, 0.0])


class Shape(NamedTuple):
    """How an animal holds itself: m, rad and factors; heights are above the feet of each frame."""

    hips: float = 0.45
    shoulders: float = 0.47
    bend: float = 0.0  # pitch of the shoulders against that of the hips
    ahead: float = 0.0  # of the shoulders, from where they are at rest over the front feet
    sway: float = 0.0  # of the shoulders to the left
    swing: float = 0.0  # and of the hips
    hind: float = 0.0  # pitch of the metapodia, see `FLAT`
    fore: float = 0.0
    stiff: float = 1.0  # of the legs
    nod: float = 0.0  # pitch of neck and head
    tail: float = 1.0  # stiffness of the tail: a stiff one would prop up who sits on it


class Step(NamedTuple):
    """One foot steps: when, for how long (s), to where from its place at rest (m, forward and out), how high (m)."""

    leg: int
    begin: float
    seconds: float
    forward: float
    out: float = 0.0
    lift: float = 0.05


def smooth(share: float) -> float:
    """From 0 to 1 without a jump of speed."""
    t = min(max(share, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


class Stance:
    """Asks for shapes, in axes that stand still: the heading at its beginning, with the front feet where they rest."""

    def __init__(self, driver: Driver) -> None:
        self.driver, self.sim = driver, driver.simulation
        self.body = self.sim.body
        self.params = start_parameters(STILL_PERIOD)
        self.chain = _chain(self.sim)
        length = float(self.chain.sum(axis=0)[2])
        self.middles = np.array([-0.5 * length, 0.5 * length])  # of hips and shoulders at rest, m forward
        self.rest = np.stack([self.body.hips[:, 0], np.zeros(4), self.body.under], axis=1)
        self.rest[:, 2] += self.middles[list(FRAME_OF)]
        self.yaw = self.sim.heading
        self.turn = rot.from_yaw(self.yaw)
        self.feet = self.sim.feet  # where they are led; one that hangs in the air is put down
        self.feet[:, 1] = [self._ground(place) for place in self.feet]
        self.origin = self.feet[:2].mean(axis=0) - rot.rotate(self.turn, self.rest[:2].mean(axis=0))
        self.origin[1] = 0.0
        self.stepping: dict[int, tuple[FloatArray, FloatArray, Step]] = {}
        self.led = self.sim.state.goals[:, :4].copy()  # angles to which the legs were led before
        self.left = np.zeros((am.FEET, 4))  # what is left of the difference to them

    def _ground(self, place: FloatArray) -> float:
        return 0.0 if self.sim.ground is None else float(self.sim.ground.heights([place])[0])

    def world(self, place: FloatArray) -> FloatArray:
        """From these axes to the world."""
        return np.asarray(rot.rotate(self.turn, place) + self.origin)

    def local(self, place: FloatArray) -> FloatArray:
        """From the world to these axes."""
        return np.asarray(rot.rotate(rot.inverse(self.turn), place - self.origin))

    @property
    def floors(self) -> FloatArray:
        """Heights of what the feet of hips and shoulders are led to, m."""
        goals = np.array([self.stepping[i][1][1] if i in self.stepping else self.feet[i, 1] for i in range(am.FEET)])
        return np.array([goals[2:].mean(), goals[:2].mean()])

    def measured(self) -> Shape:
        """The shape that it has."""
        sim = self.sim
        turns = rot.multiply(sim.data.xquat[self.body.frames], rot.inverse(self.body.frame_rest))
        pitch = np.arcsin(np.clip(rot.rotate(turns, FORWARD)[:, 1], -1.0, 1.0))
        places, rock = self.local(sim.frames), np.zeros(2)
        for leg in range(am.FEET):
            link = self.body.links[leg, am.META]
            down = rot.rotate(rot.multiply(sim.data.xquat[link], rot.inverse(self.body.rest[link])), -np.eye(3)[1])
            along = rot.rotate(rot.inverse(self.turn), down)
            rock[FRAME_OF[leg]] += 0.5 * float(np.arctan2(-along[2], -along[1]))
        high = sim.frames[:, 1] - self.floors
        ahead = places[1, 2] - self.middles[1]
        return Shape(high[0], high[1], pitch[1] - pitch[0], ahead, places[1, 0], places[0, 0], rock[0], rock[1])

    def step(self, step: Step) -> None:
        """Begin a step."""
        side = 1.0 if self.body.hips[step.leg, 0] > 0.0 else -1.0
        goal = self.world(self.rest[step.leg] + np.array([side * step.out, 0.0, step.forward]))
        goal[1] = self._ground(goal)
        self.stepping[step.leg] = self.feet[step.leg].copy(), goal, step

    def fill(self, shape: Shape, now: float) -> None:
        """Ask for a shape at a time, and for the feet that step."""
        asked = self.sim.asked
        for leg in list(self.stepping):
            self._swing(leg, now)
        self.params[am.NECK : am.NECK + 2 * am.KNOTS] = shape.nod
        self.driver.now = self.driver.now[0], self.params
        asked.speed[:], asked.yaw[:2], asked.yaw[2], asked.bend[:] = 0.0, self.yaw, 0.0, 0.0
        asked.stiff[:] = 1.0, 1.0, shape.stiff, 1.0, shape.tail
        asked.frames[:] = 0.0
        pitches, places = self._frames(shape)
        for leg in range(am.FEET):
            frame = FRAME_OF[leg]
            asked.frames[frame, am.MORE_PITCH] = pitches[frame]
            turn = rot.multiply(self.turn, rot.exp([-pitches[frame], 0.0, 0.0]))
            hip = places[frame] + rot.rotate(turn, self.body.hips[leg])
            rock = shape.fore if frame == am.FRONT else shape.hind
            axes = (float(turn[0]), float(turn[1]), float(turn[2]), float(turn[3]))
            angles = leg_angles(self.body, axes, tuple(hip), tuple(self.feet[leg]), rock, self.yaw, leg)
            ankle, roll = level_ankle(axes, angles, rock, self.yaw)
            asked.legs[leg] = am.POSED, roll, -rock, 0.0, *angles, ankle
        if now == 0.0:
            self.left = self.led - asked.legs[:, 4:]
        asked.legs[:, 4:] += self.left * (1.0 - smooth(now / TAKE_OVER))

    def _frames(self, shape: Shape) -> tuple[FloatArray, FloatArray]:
        """Pitches of hips and shoulders, rad, and their places in the world: as the spine between them allows."""
        links = len(self.chain) - 1
        turns = -shape.bend / max(links, 1) * np.arange(links + 1)
        arm = rot.rotate(rot.exp(turns[:, None] * LEFT), self.chain).sum(axis=0)  # from hips to shoulders
        floors = self.floors
        rise = shape.shoulders + floors[1] - shape.hips - floors[0]
        length = float(np.hypot(arm[1], arm[2]))
        slope = float(np.arcsin(np.clip(rise / length, -1.0, 1.0)))
        rear = slope - float(np.arctan2(arm[1], arm[2]))
        places = np.zeros((2, 3))
        places[:, 0], places[:, 1] = (shape.swing, shape.sway), (shape.hips + floors[0], shape.shoulders + floors[1])
        places[1, 2] = self.middles[1] + shape.ahead
        places[0, 2] = places[1, 2] - length * np.cos(slope)
        return np.array([rear, rear + shape.bend]), self.world(places)

    def _swing(self, leg: int, now: float) -> None:
        start, goal, step = self.stepping[leg]
        share = (now - step.begin) / step.seconds
        t = smooth(share)
        self.feet[leg] = (1.0 - t) * start + t * goal
        self.feet[leg, 1] += step.lift * np.sin(np.pi * min(share, 1.0)) ** 2
        if share >= 1.0:
            del self.stepping[leg]


def _chain(sim: Simulation) -> FloatArray:
    """From the middle of the hips over the joints of the spine to that of the shoulders at rest, ``(S + 1, 3)``."""
    places, parts = sim.animal.morphology.rest_pose[0], sim.animal.parts
    thighs = places[[leg[am.THIGH] for leg in parts.legs]]
    ends = [thighs[2:].mean(axis=0), *places[list(parts.spine)], thighs[:2].mean(axis=0)]
    return np.diff(np.array(ends), axis=0) * [0.0, 1.0, 1.0]
