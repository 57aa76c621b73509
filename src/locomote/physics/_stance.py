"""On which feet somebody stands, and how one gets there: weight shifts, feet that lift and come down, jumps."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from locomote import rotations as rot
from locomote.math.vector import spring
from locomote.physics._engine import Engine
from locomote.rotations import FloatArray

SIDES = ("left", "right")
SUPPORTS = {"left": (0,), "right": (1,), "both": (0, 1)}
LIFT, BEHIND = 0.17, 0.12  # of the height of the centre of mass: where a lifted foot is held
_EAGER = 5.0  # 1/s, of springs that move targets
_FOOT_EAGER = 7.0
_OVER = 0.035  # m off the middle of the support within which the centre may be when the other foot lifts
_SLOW = 0.08  # m/s of the centre at most
_DOWN, _NEAR_HOME = 0.02, 0.06  # m above the ground, and off its place, at which a foot that comes down stands
_SQUAT, _SQUAT_SECONDS, _SQUAT_EAGER = 0.72, 0.45, 10.0  # of the standing height before a jump, s, 1/s
_LEARNT, _MOST_LEARNT = 1.5, 0.08  # 1/s and m: what the centre keeps off its target is added to the target
_LANDED = 0.004  # m
_EASY = 0.99  # of the height at which somebody was put on the ground: nobody stands stretched
_LEAVE = 0.985  # of the standing height at which feet leave the ground


@dataclass
class Glide:
    """A point that follows a goal smoothly."""

    value: FloatArray
    eagerness: float
    rate: FloatArray = field(default_factory=lambda: np.zeros(3))

    def go(self, goal: FloatArray, h: float) -> None:
        for c in range(3):
            self.value[c], self.rate[c] = spring(
                float(self.value[c]), float(self.rate[c]), float(goal[c]), 0.0, self.eagerness, h
            )


class Stance:
    """Feet and their targets."""

    def __init__(self, engine: Engine, normal: FloatArray) -> None:
        self.engine, self.normal = engine, normal
        self.facing = engine.body.state.turn.copy()
        self.yaw = float(rot.yaw(self.facing))
        self.on, self.crouch, self.phase, self.clock, self.leap = "both", 1.0, "stand", 0.0, 0.0
        self.homes, self.turned = [np.zeros(3), np.zeros(3)], [np.zeros(4), np.zeros(4)]
        for foot in range(2):
            self.plant(foot)
        self.height = _EASY * float(engine.body.work.centre[1] - self.middle((0, 1))[1])
        self.learnt = np.zeros(3)
        self.apart = self.homes[1] - self.homes[0]
        self.centre = Glide(engine.body.work.centre.copy(), _EAGER)
        self.feet = [Glide(self.homes[foot].copy(), _FOOT_EAGER) for foot in range(2)]

    @property
    def standing(self) -> list[int]:
        """Feet that are planted."""
        return [foot for foot in range(2) if self.engine.touch.planted[foot]]

    def sole(self, foot: int) -> FloatArray:
        """Where the middle of a sole is."""
        touch, work = self.engine.touch, self.engine.body.work
        b = touch.feet[foot]
        out: FloatArray = work.places[b] + rot.rotate(work.rotations[b], touch.soles[foot])
        return out

    def flat(self, foot: int) -> FloatArray:
        """How a foot is turned that lies on the ground, as far about as it is now."""
        work, at = self.engine.body.work, self.engine.touch.feet[foot]
        flat = self.engine.soles.flat[foot]
        turned = rot.multiply(work.rotations[at], rot.inverse(flat))
        yaw = float(rot.yaw(turned))
        lean = rot.between(np.array([0.0, 1.0, 0.0]), self.normal)
        return rot.multiply(lean, rot.multiply(rot.from_yaw(yaw), flat))

    def plant(self, foot: int) -> None:
        """Let a foot stand where it is."""
        sole = self.sole(foot)
        touch = self.engine.touch
        touch.anchors[foot] = sole - (sole @ self.normal) * self.normal
        self.turned[foot] = self.flat(foot)
        touch.planted[foot] = 1
        touch.active[4 * foot : 4 * foot + 4] = 0
        self.homes[foot] = touch.anchors[foot].copy()

    def lift(self, foot: int) -> None:
        """Let a foot go."""
        touch = self.engine.touch
        touch.planted[foot] = 0
        touch.active[4 * foot : 4 * foot + 4] = 1
        self.feet[foot] = Glide(self.sole(foot), _FOOT_EAGER)

    def middle(self, feet: list[int] | tuple[int, ...]) -> FloatArray:
        """The middle of some soles."""
        out: FloatArray = np.mean([self.engine.touch.anchors[foot] for foot in feet], axis=0)
        return out

    def advance(self, h: float) -> None:
        """Decide which feet stand, and move the targets of the centre of mass and of the feet."""
        self.clock += h
        if self.phase == "flight":
            self._fly()
            return
        wanted, standing = SUPPORTS[self.on], self.standing
        ready = [foot for foot in wanted if foot in standing]
        goal = self.middle(ready if len(ready) == len(wanted) else standing)
        work = self.engine.body.work
        if len(ready) == len(wanted) and self.phase == "stand":
            off = (work.centre - goal) * (1.0, 0.0, 1.0)
            slow = float(np.linalg.norm(self.velocity * (1.0, 0.0, 1.0))) < _SLOW
            if float(np.linalg.norm(off)) < _OVER and slow:
                for foot in standing:
                    if foot not in wanted:
                        self.lift(foot)
        for foot in range(2):
            if not self.engine.touch.planted[foot]:
                self._swing(foot, foot in wanted, h)
        self._learn(h)
        self._height(goal, h)

    def _learn(self, h: float) -> None:
        """Other wishes keep the centre a little off: aim beyond, so that it arrives."""
        off = self.centre.value - self.engine.body.work.centre
        self.learnt = np.clip(self.learnt + h * _LEARNT * off, -_MOST_LEARNT, _MOST_LEARNT)

    @property
    def aim(self) -> FloatArray:
        """Where to the centre is sent."""
        out: FloatArray = self.centre.value + self.learnt
        return out

    @property
    def velocity(self) -> FloatArray:
        """Of the centre of mass, m/s."""
        out: FloatArray = self.engine.body.state.p[3:6] / self.engine.reduced.total
        return out

    def _swing(self, foot: int, down: bool, h: float) -> None:
        home = self.homes[foot]
        ahead = rot.rotate(rot.from_yaw(self.yaw), np.array([0.0, 0.0, 1.0]))
        up = np.array([0.0, LIFT * self.height, 0.0])
        goal = home.copy() if down else home + up - BEHIND * self.height * ahead
        if down:
            goal[1] -= 0.02  # into the ground: it arrives
        self.feet[foot].go(goal, h)
        gaps = self.engine.corners(foot)
        off = float(np.linalg.norm((self.sole(foot) - home) * (1.0, 0.0, 1.0)))
        if down and float(gaps.min()) < _DOWN and float(gaps.max()) < 2.5 * _DOWN and off < _NEAR_HOME:
            self.plant(foot)

    def _height(self, goal: FloatArray, h: float) -> None:
        """Height targets: of who stands, squats, or pushes off."""
        height = self.height * self.crouch
        if self.phase == "squat":
            height = self.height * _SQUAT
            if self.clock > _SQUAT_SECONDS:
                self.phase, self.clock = "push", 0.0
        target = goal + np.array([0.0, height, 0.0])
        self.centre.eagerness = _SQUAT_EAGER if self.phase == "squat" else _EAGER
        if self.phase == "push":
            rising = self.centre.value[1]
            self.centre.go(target, h)
            self.centre.value[1], self.centre.rate[1] = rising + h * self.leap, self.leap
            now = self.engine.body.work.centre
            if float(now[1] - goal[1]) > _LEAVE * self.height or self.clock > 0.4:
                for foot in range(2):
                    self.lift(foot)
                self.phase, self.clock = "flight", 0.0
            return
        self.centre.go(target, h)

    def _fly(self) -> None:
        """Land on whichever foot touches the ground; the other comes down beside it."""
        down = [foot for foot in range(2) if float(self.engine.corners(foot).min()) < _LANDED]
        if not down or float(self.velocity[1]) > 0.0:
            return
        for foot in sorted(range(2), key=lambda foot: foot not in down):
            if foot in down:
                self.plant(foot)
            else:
                beside = self.engine.touch.anchors[1 - foot] + (self.apart if foot else -self.apart)
                self.homes[foot] = beside - (beside @ self.normal) * self.normal
                self.feet[foot] = Glide(self.sole(foot), _FOOT_EAGER)
        self.centre.value[:], self.centre.rate[:] = self.engine.body.work.centre, self.velocity
        self.learnt[:] = 0.0
        self.phase, self.clock = "stand", 0.0

    def jump(self, rise: float, gravity: float) -> None:
        """Squat, push off, fly ``rise`` m, and land."""
        self.learnt[:] = 0.0
        self.phase, self.clock, self.leap, self.on = "squat", 0.0, math.sqrt(2.0 * gravity * rise), "both"
