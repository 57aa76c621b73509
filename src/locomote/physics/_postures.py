"""Sitting down, lying down and standing up of a simulated animal (QUA-29): skills that a driver is led through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.physics._driving import Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._stances import L1, L2, R1, R2, Shape, Stance, Step, smooth

FLAT = -1.3  # rad: metapodia on the ground
FIRM, STRONG = 1.5, 2.0  # stiffness of legs that hold a posture, and that lift the body from the ground
LIMP_TAIL = 0.02
SITTING = Shape(hips=0.16, shoulders=0.46, bend=-0.4, hind=FLAT, stiff=FIRM, tail=LIMP_TAIL)
LYING = Shape(hips=0.12, shoulders=0.15, ahead=0.05, hind=FLAT, fore=FLAT, stiff=FIRM, tail=LIMP_TAIL)
STANDING = Shape(stiff=FIRM)
HIND_STEP, FORE_STEP = 0.20, 0.23  # m that hind feet step forward to sit, and fore feet to lie
LOW_SHOULDERS, LOW_HIPS = 0.30, 0.30  # m below which it lies, and sits

CALM, CALM_WITHIN = 0.06, 0.6  # m/s of its frames, and s after which it is let go in any case

Keys = Sequence[tuple[float, Shape]]


class Movement:
    """Shapes at times, and steps between them, from the shape that there is."""

    holds = False  # whether its last shape is held until something else is asked for

    def __init__(self) -> None:
        self.stance: Stance | None = None
        self.time = 0.0
        self.first, self.keys, self.todo = Shape(), [(0.0, Shape())], list[Step]()

    def plan(self, stance: Stance, first: Shape) -> tuple[Keys, Sequence[Step]]:
        """Shapes by time, s, and the steps on the way."""
        raise NotImplementedError

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the shape of the next moment; False once the last one is reached and not held."""
        if self.stance is None:
            self.stance = Stance(driver)
            self.first = self.stance.measured()
            keys, steps = self.plan(self.stance, self.first)
            self.keys, self.todo = list(keys), list(steps)
        for step in [each for each in self.todo if each.begin <= self.time]:
            self.stance.step(step)
            self.todo.remove(step)
        self.stance.fill(self._shape(), self.time)
        self.time += dt
        return self.holds or self.time <= self.duration

    @property
    def duration(self) -> float:
        """s until the last shape is asked for."""
        return self.keys[-1][0]

    def _shape(self) -> Shape:
        begin, last = 0.0, np.array(self.first)
        for end, key in self.keys:
            if self.time < end:
                share = smooth((self.time - begin) / (end - begin))
                return Shape(*(last + share * (np.array(key) - last)))
            begin, last = end, np.array(key)
        return Shape(*last)


class Stand(Movement):
    """Stands as it is, on feet where they are, held by its legs alone until something else is asked for."""

    holds = True

    def plan(self, stance: Stance, first: Shape) -> tuple[Keys, Sequence[Step]]:
        near = float((stance.local(stance.feet) - stance.rest)[2:, 2].mean())
        return ((0.3, STANDING._replace(ahead=0.5 * near)),), ()


class Sit(Movement):
    """Hind feet step forward one at a time, then the hips go down; held until something else is asked for."""

    holds = True

    def plan(self, stance: Stance, first: Shape) -> tuple[Keys, Sequence[Step]]:
        lean = STANDING._replace(ahead=0.035)
        keys = (
            (0.12, lean._replace(hips=0.44, sway=-0.02, swing=-0.02)),
            (0.22, lean._replace(hips=0.43, sway=0.02, swing=0.02)),
            (0.40, lean._replace(hips=0.41, bend=-0.1, sway=-0.02, swing=-0.02)),
            (0.55, STANDING._replace(hips=0.37, bend=-0.15, ahead=0.02)),
            (1.00, SITTING),
        )
        steps = (
            Step(L2, 0.06, 0.15, 0.55 * HIND_STEP, out=0.01),
            Step(R2, 0.22, 0.17, HIND_STEP, out=0.02),
            Step(L2, 0.40, 0.15, HIND_STEP, out=0.02),
        )
        return keys, steps


class _Recline(Movement):
    """From sitting: fore feet step forward, shoulders to the ground."""

    holds = True

    def plan(self, stance: Stance, first: Shape) -> tuple[Keys, Sequence[Step]]:
        low = SITTING._replace(hips=0.14, shoulders=0.32, bend=-0.3, fore=-0.9)
        keys = (
            (0.18, SITTING._replace(shoulders=0.43, ahead=0.023, sway=-0.009)),
            (0.34, SITTING._replace(shoulders=0.43, ahead=0.047, sway=0.009)),
            (0.58, low._replace(ahead=0.06, sway=-0.005)),
            (1.00, LYING),
        )
        steps = (
            Step(L1, 0.108, 0.145, 0.39 * FORE_STEP, out=0.01, lift=0.067),
            Step(R1, 0.257, 0.174, FORE_STEP, out=0.01, lift=0.067),
            Step(L1, 0.435, 0.145, FORE_STEP, out=0.01, lift=0.067),
        )
        return keys, steps


class LieDown:
    """Sit, unless it sits already, then fore feet step forward and the shoulders go to the ground; held."""

    settles = 1.2  # s after which it has sat down

    def __init__(self) -> None:
        self.now: Movement | None = None

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; always True: it lies until something else is asked for."""
        if self.now is None:
            self.now = _Recline() if driver.simulation.heights[am.REAR] < LOW_HIPS else Sit()
        elif isinstance(self.now, Sit) and self.now.time >= self.settles:
            self.now = _Recline()
        return self.now.prepare(driver, dt)


class StandUp(Movement):
    """From sitting: fore feet step forward, shoulders dip, hips rise; from lying: both rise together.

    It is finished when it is calm: a driver that takes over someone who still sways would trot.
    """

    def prepare(self, driver: Driver, dt: float) -> bool:
        """Ask for the next moment; False when it stands."""
        rises = super().prepare(driver, dt)
        calm = float(np.abs(driver.simulation.state.speeds).max()) < CALM
        return rises or not (calm or self.time > self.duration + CALM_WITHIN)

    def plan(self, stance: Stance, first: Shape) -> tuple[Keys, Sequence[Step]]:
        near = float((stance.local(stance.feet) - stance.rest)[2:, 2].mean())  # how far hind feet are ahead of rest
        if first.shoulders < LOW_SHOULDERS:
            middle = 0.5 * near
            rises = Shape(0.15, 0.18, ahead=0.5 * (middle + first.ahead), hind=-1.1, fore=-1.1, stiff=STRONG, tail=0.1)
            return ((0.15, rises), (0.9, STANDING._replace(ahead=middle, stiff=STRONG))), ()
        keys = (
            (0.18, SITTING._replace(shoulders=0.44, sway=-0.015)),
            (0.40, SITTING._replace(hips=0.175, shoulders=0.42, ahead=0.046, sway=0.015, hind=-1.1)),
            (0.70, SITTING._replace(hips=0.24, shoulders=0.445, bend=-0.3, ahead=0.12, sway=-0.008, hind=-0.7)),
            (1.00, STANDING._replace(ahead=near)),
        )
        steps = (
            Step(L1, 0.091, 0.173, 0.43 * near, lift=0.036),
            Step(R1, 0.294, 0.208, near, lift=0.036),
            Step(L1, 0.532, 0.173, near, lift=0.036),
        )
        return keys, steps
