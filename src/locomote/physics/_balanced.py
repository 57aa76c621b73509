"""Somebody who balances: the coordinates of a pose space, moved by physics and by what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.motion import Motion, Poses
from locomote.physics import _features as features
from locomote.physics._engine import MOST_PUSHES, MOST_WISHES, Engine
from locomote.physics._features import Feature, Gaze, Reach, Triple
from locomote.physics._following import Following, Track, aim, begin, track_of
from locomote.physics._internal import Internal
from locomote.physics._queries import BalanceQueries
from locomote.physics._reactions import Reactions
from locomote.physics._reduced import ReducedBody
from locomote.physics._stance import SUPPORTS, Stance
from locomote.physics._standing import standing
from locomote.physics._swapping import carry_over, check_swap
from locomote.rotations import ArrayLike, FloatArray
from locomote.spaces._pose_space import PoseSpace

ACTUATIONS = ("helped", "internal")
LONGEST = 0.01  # s, of a step; longer ones are made of several
FADE = 0.6  # s in which a new space is taken over
_HARDER, _LOOSER = 3.0, 0.3  # times the strength of height and posture while somebody pushes off
_GATHERED = 6.0  # times the gain of posture in flight: legs come below the body before they land
# Rows of the table of wishes that everybody has; those of users come after them.
_SUPPORT, _HEIGHT, _MOMENTUM, _HEAD, _UPRIGHT, _FEET, _FREE = 0, 1, 2, 3, 4, 5, 9


@dataclass(frozen=True)
class Tuning:
    """How much things count for somebody who balances, and how fast they are put right."""

    support: features.Support = field(default_factory=features.Support)
    height: features.CentreOfMass = field(default_factory=features.CentreOfMass)
    momentum: features.AngularMomentum = field(default_factory=features.AngularMomentum)
    head: features.HeadOverSupport = field(default_factory=features.HeadOverSupport)
    upright: features.Upright = field(default_factory=features.Upright)
    foot: features.Foot = field(default_factory=features.Foot)
    posture: features.Posture = field(default_factory=features.Posture)
    damping: float = 2.0  # 1/s of joints
    priorities: bool = True  # balance comes before what users want


class Balanced(BalanceQueries):
    """One person who stands, reaches, is pushed, crouches, jumps and changes feet, by physics in a pose space.

    Parameters
    ----------
    space : of poses, best fitted with ``metric="kinetic"``; its skeleton has two legs
    mass : kg
    pose : to stand in; one with feet below the hips and arms down without it
    control : 0 to 1: 0 is nothing but physics, 1 nothing but what is asked
    slope : rad, by which the ground rises ahead (+Z)
    friction : of feet and body with the ground
    actuation : "helped": what is asked may push the hips from outside, `helper_force` tells how much; "internal": only
        joints and the ground move the body
    tuning : how much what counts
    """

    def __init__(
        self,
        space: PoseSpace,
        mass: float = 70.0,
        *,
        pose: Motion | Poses | ArrayLike | None = None,
        control: float = 0.5,
        slope: float = 0.0,
        friction: float = 0.8,
        actuation: str = "helped",
        tuning: Tuning | None = None,
    ) -> None:
        if not 0.0 <= control <= 1.0:
            raise LocomoteError(f"control {control}: expected a number from 0 to 1")
        if not abs(slope) < 1.2 or not friction >= 0.0:
            raise LocomoteError("slope must be below 1.2 rad, and friction not below 0")
        self.control, self.tuning, self.friction = control, tuning or Tuning(), friction
        if actuation not in ACTUATIONS:
            raise LocomoteError(f"actuation {actuation!r}: expected one of {', '.join(ACTUATIONS)}")
        self._internal = Internal() if actuation == "internal" else None
        self._normal = np.array([0.0, math.cos(slope), -math.sin(slope)])
        self._mass = mass
        self._asked: dict[str, Feature] = {}
        self._pushes: list[tuple[float, Triple, tuple[int, FloatArray]]] = []  # until when, force, where
        self._time = 0.0
        self._track: Track | None = None
        self._how, self._begun = Following(), 0.0
        self._reactions: Reactions | None = None  # of the last step; found when somebody asks
        self._build(space, pose)
        self._put_on_ground()
        self._stance = Stance(self._engine, self._normal)
        self._poses = Poses(space.skeleton, *self._engine.publish())

    def _build(self, space: PoseSpace, pose: Motion | Poses | ArrayLike | None) -> None:
        body = ReducedBody.of(space, Masses.of(space.skeleton, self._mass))
        body.check()
        if pose is None:
            x, turn = standing(body)
        else:
            x = np.atleast_2d(space.coordinates(pose))[0]
            turn = pose.rotations[0, 0] if isinstance(pose, Motion | Poses) else rot.IDENTITY
        self._space, self._body = space, body
        self._engine = Engine(body, self._normal, self.friction, x)
        state = self._engine.body.state
        state.x[:], state.turn[:], self._engine.wishes.posture[:] = x, turn, x
        self._write()

    def _put_on_ground(self) -> None:
        """Let the soles touch the ground, the middle of the feet at the origin."""
        engine = self._engine
        engine.look()
        work, touch, state = engine.body.work, engine.touch, engine.body.state
        state.place[:] -= np.mean([work.places[b] for b in touch.feet], axis=0)
        engine.look()
        corners = [
            work.places[b] + rot.rotate(work.rotations[b], point)
            for b, point in zip(touch.bodies[:8], touch.points[:8], strict=True)
        ]
        state.place[1] -= min(float(corner @ self._normal) for corner in corners) / self._normal[1]
        engine.look()

    def _write(self) -> None:
        """Put what is asked into the table of wishes."""
        wishes, tuning = self._engine.wishes, self.tuning
        everybody = (tuning.support, tuning.height, tuning.momentum, tuning.head, tuning.upright)
        levels = (features.STRICT, features.STRICT, features.STRICT, features.SOFT, features.SOFT)
        for row, (feature, level) in enumerate(zip(everybody, levels, strict=True)):
            features.write(feature, row, wishes, self._body, level)
        for foot in range(2):
            features.write_foot(tuning.foot, _FEET + 2 * foot, wishes, self._engine.touch, foot)
        for row, asked in enumerate(self._asked.values(), start=_FREE):
            features.write(asked, row, wishes, self._body)
        wishes.posture_pull[:] = tuning.posture.strength, tuning.posture.gain
        self._engine.count = _FREE + len(self._asked)

    def ask(self, name: str, feature: Feature) -> None:
        """Ask for something until it is released.

        Parameters
        ----------
        name : by which it is released, or replaced
        feature : what is wanted
        """
        if name not in self._asked and _FREE + len(self._asked) >= MOST_WISHES:
            raise LocomoteError(f"more than {MOST_WISHES - _FREE} wishes at once")
        self._asked[name] = feature
        self._write()

    def reach(self, joint: str, position: ArrayLike) -> None:
        """Bring a joint to a place, as far as balance allows.

        Parameters
        ----------
        joint : its name
        position : (3,) m, in the world
        """
        self.ask(joint, Reach(joint, features.checked(position, "position")))

    def look_at(self, target: ArrayLike) -> None:
        """Look at a place, (3,) m in the world."""
        self.ask("gaze", Gaze(features.checked(target, "target")))

    def release(self, name: str | None = None) -> None:
        """Let go of a joint that reaches, of ``"gaze"``, or of all wishes."""
        if name is not None and name not in self._asked:
            raise LocomoteError(f"nothing is asked of {name!r}; asked: {', '.join(self._asked) or 'nothing'}")
        for gone in [name] if name is not None else list(self._asked):
            del self._asked[gone]
        self._write()

    def stand(self, on: str = "both") -> None:
        """Stand on the ``"left"`` foot, the ``"right"`` one, or ``"both"``; weight is shifted before a foot lifts."""
        if on not in SUPPORTS:
            raise LocomoteError(f"stand on {on!r}: expected one of {', '.join(SUPPORTS)}")
        self._stance.on = on

    def crouch(self, height: float) -> None:
        """Hold the centre of mass at a height, of that of standing: 1 stands, 0.7 crouches."""
        if not 0.3 <= height <= 1.2:
            raise LocomoteError(f"crouch {height}: expected 0.3 to 1.2 of the height of standing")
        self._stance.crouch = height

    def jump(self, rise: float = 0.25) -> None:
        """Squat, leave the ground, and land; the centre of mass rises by ``rise`` m after the feet have left."""
        if not 0.0 < rise < 1.0:
            raise LocomoteError(f"jump {rise}: expected metres above 0 and below 1")
        self._stance.jump(rise, GRAVITY)

    def push(self, force: ArrayLike, at: str | int, seconds: float = 0.2) -> None:
        """Push from outside.

        Parameters
        ----------
        force : (3,) N, in the world
        at : the joint that is pushed
        seconds : for how long
        """
        if len(self._pushes) == MOST_PUSHES:
            raise LocomoteError(f"more than {MOST_PUSHES} pushes at once")
        body, point = self._body.point(at)
        self._pushes.append((self._time + seconds, features.checked(force, "force"), (body, point)))

    def follow(self, motion: Motion, how: Following | None = None) -> None:
        """Go as a motion goes, from now on, and give way to pushes; begins where the motion begins.

        Parameters
        ----------
        motion : on the joints of the space, such as a recorded clip or what a crowd walked
        how : how strongly it is followed
        """
        self._track, self._how, self._begun = track_of(motion, self._engine), how or Following(), self._time
        begin(self._track, self._engine)

    def limp(self) -> None:
        """Let go of everything: nothing but physics, and the ranges of the joints."""
        self.control = 0.0
        for foot in self._stance.standing:
            self._stance.lift(foot)

    def step(self, dt: float) -> Poses:
        """Go on by ``dt`` seconds; the poses returned are overwritten by the next step."""
        if not 0.0 < dt < 1.0:
            raise LocomoteError(f"dt {dt}: expected seconds above 0 and below 1")
        count = math.ceil(dt / LONGEST - 1e-9)
        for _ in range(count):
            self._small_step(dt / count)
        self._engine.publish()
        return self._poses

    def _small_step(self, h: float) -> None:
        engine, stance = self._engine, self._stance
        self._hold_pushes()
        engine.pushes.ahead[:] = 0.0
        share = self.control
        if share > 0.0 and self._track is not None:
            rows = (_SUPPORT, _HEIGHT, _UPRIGHT, _FEET)
            aim(self._track, self._how, self._time - self._begun, engine, rows)
        elif share > 0.0:
            stance.advance(h)
            self._aim()
        grounded = share > 0.0 and (bool(stance.standing) or self._track is not None)
        if not grounded:
            engine.wishes.posture_pull[1] = self.tuning.posture.gain * _GATHERED
        # Muscles and support carry the weight as far as there is control; nobody carries it in flight.
        carried = min(1.0, share / (1.0 - share)) if grounded and share < 1.0 else float(grounded)
        engine.count = _FREE + len(self._asked) if grounded else 0
        solve = self._internal.solve if self._internal is not None and grounded else None
        engine.step(h, share, self.tuning.damping, carried, self.tuning.priorities, solve)
        self._reactions = self._internal.reactions if self._internal is not None and grounded else None
        self._time += h
        if engine.left is not None:
            engine.faded -= h / FADE
            engine.left = engine.left if engine.faded > 0.0 else None

    def _hold_pushes(self) -> None:
        self._pushes = [push for push in self._pushes if push[0] > self._time + 1e-9]
        pushes = self._engine.pushes
        pushes.forces[:] = 0.0
        for row, (_, force, (body, point)) in enumerate(self._pushes):
            pushes.bodies[row], pushes.points[row], pushes.forces[row] = body, point, force

    def _aim(self) -> None:
        """Targets of balance that move."""
        wishes, stance = self._engine.wishes, self._stance
        wishes.targets[: _HEAD + 1, :3] = stance.aim
        wishes.rates[:_MOMENTUM] = stance.centre.rate
        wishes.rates[_HEAD] = stance.centre.rate
        wishes.targets[_UPRIGHT] = stance.facing
        pushing = stance.phase == "push"
        wishes.strengths[_HEIGHT, 1] = self.tuning.height.strength * (_HARDER if pushing else 1.0)
        posture = self.tuning.posture
        wishes.posture_pull[:] = posture.strength * (_LOOSER if pushing else 1.0), posture.gain
        for foot in range(2):
            row, lifted = _FEET + 2 * foot, not self._engine.touch.planted[foot]
            features.switch_foot(self.tuning.foot, row, wishes, lifted, len(stance.standing) == 1)
            wishes.targets[row + 1] = stance.turned[foot]
            if lifted:
                wishes.targets[row, :3], wishes.rates[row] = stance.feet[foot].value, stance.feet[foot].rate

    def record(self, seconds: float, fps: float = 100.0, each: Callable[[float], None] | None = None) -> Motion:
        """Go on and keep what happens.

        Parameters
        ----------
        seconds : how long
        fps : frames a second
        each : called before every frame with the time since the beginning, s; may ask for things
        """
        places, turns = [], []
        for i in range(max(1, round(seconds * fps))):
            if each is not None:
                each(i / fps)
            poses = self.step(1.0 / fps)
            places.append(poses.root_positions[0].copy())
            turns.append(poses.rotations[0].copy())
        return Motion(self._space.skeleton, fps, np.array(places), np.array(turns))

    @property
    def space(self) -> PoseSpace:
        """Of its poses; another one, on the same joints, is taken over within half a second while it goes on."""
        return self._space

    @space.setter
    def space(self, space: PoseSpace) -> None:
        check_swap(self._space, space)
        old = self._engine
        self._build(space, None)
        carry_over(old, self._engine)
        self._stance.engine = self._engine
        self._track = None
        self._poses = Poses(space.skeleton, *self._engine.publish())

    @property
    def poses(self) -> Poses:
        """The pose now, in arrays that the next step overwrites."""
        self._engine.publish()
        return self._poses
