"""Stones to step on: a walker goes round and round, each foot on the next stone, wherever that has been put."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from locomote.errors import LocomoteError
from locomote.human_skeleton import hip_height, human_skeleton
from locomote.mannequin import mannequin
from locomote.rotations import FloatArray
from locomote.steps import LEFT, RIGHT, Stepper
from locomote.steps._blending import default_database
from locomote.studio._feet import FootprintTrail, SkateMeter
from locomote.studio._frames import PageFrame, posed
from locomote.studio._people import LEG, Place
from locomote.studio._pieces import Look, look_of

COUNT = 22  # stones, an even number: left and right take turns
AHEAD = 3  # steps that are planned ahead
FARTHEST = 20.0  # m from the middle that a stone can be put
HALF_WIDTH = 0.09  # m from the middle of the way to the stones of one foot
DOWN = 0.002  # m, below which the ball of a foot stands
TRIES = 0.4  # s between attempts at a stone that is out of reach


class Stones:
    """A ring of numbered stones and the one who walks on them."""

    def __init__(self, count: int = COUNT) -> None:
        self.meter, self.prints = SkateMeter(), FootprintTrail((0, 1))
        self.reset(count)

    def reset(self, count: int = COUNT) -> None:
        """The stones in a ring again, and the walker on the first two."""
        if not (8 <= count <= 60 and count % 2 == 0):
            raise LocomoteError(f"stones: expected an even number from 8 to 60, got {count}")
        turn = math.tau * np.arange(count) / count
        side = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
        radius = 0.56 * count / math.tau  # a comfortable step from one to the next
        # Seen from above the walker goes round to the left: its left stones lie inside.
        across = radius - HALF_WIDTH * side
        self.places: FloatArray = np.column_stack([across * np.cos(turn), across * -np.sin(turn)])
        self.problem = ""
        self.landed: dict[int, float] = {}  # stone to how far from its middle the foot last came down, m
        self._plants: dict[int, int] = {}  # plants that are known to their stones
        self._next = 2
        self._wait = 0.0
        self._passed = 0.0
        first = [(float(x), 0.0, float(z)) for x, z in self.places[:2]]
        self.stepper = Stepper(*first, leg_length=LEG)
        self.meter.forget()
        self.prints.clear()
        self.prints.forget()
        self.advance(1.0 / 60.0)
        self.look_at_feet()

    @cached_property
    def look(self) -> Look:
        """The body of the walker."""
        skeleton = human_skeleton(LEG)
        return look_of(skeleton, mannequin(skeleton))

    @property
    def heading_for(self) -> int:
        """The stone that the next foot goes to."""
        ahead = [stone for plant, stone in sorted(self._plants.items()) if plant not in self.stepper.standing]
        recent = ahead[-self.stepper.ahead :] if self.stepper.ahead else []
        return recent[0] if recent else self._next % len(self.places)

    def advance(self, dt: float) -> None:
        """Let the walker go on; without a stone in reach it waits."""
        self._wait -= dt
        while self.stepper.ahead < AHEAD and self._wait <= 0.0:
            stone = self._next % len(self.places)
            x, z = self.places[stone]
            try:
                plant = self.stepper.add(LEFT if stone % 2 == 0 else RIGHT, float(x), float(z))
            except LocomoteError as error:
                self.problem = f"stone {stone + 1} cannot be reached: {error}"
                self._wait = TRIES
                break
            self.problem = ""
            self._plants[plant] = stone
            self._plants.pop(plant - 64, None)
            self._next += 1
        self.stepper.step(dt)
        self._passed += dt

    def move(self, stone: int, place: Place) -> None:
        """Put a stone elsewhere; steps to it for which no foot has left are planned anew."""
        if not 0 <= stone < len(self.places):
            raise LocomoteError(f"stone {stone + 1}: there are {len(self.places)}")
        x, z = float(place[0]), float(place[1])
        if not (abs(x) <= FARTHEST and abs(z) <= FARTHEST):
            raise LocomoteError(f"stone {stone + 1}: expected to lie within {FARTHEST:g} m")
        self.places[stone] = x, z
        self._wait = 0.0
        for plant in [plant for plant, of in self._plants.items() if of == stone]:
            try:
                self.stepper.change(plant, x=x, z=z)
            except LocomoteError:
                continue  # a foot stands on it or is on its way; the next time round it will be right

    def look_at_feet(self) -> None:
        """What is to be seen now."""
        poses = self.stepper.step(0.0)
        positions, turns = posed(self.look.skeleton, poses.root_positions, poses.rotations)
        legs = self.look.skeleton.roles.legs
        balls = positions[:, [leg.ball for leg in legs]]
        plants = self.stepper.standing
        # A plant begins with the heel; the ball of the foot, which is to be on the stone, comes down after it.
        standing = np.array([[plant >= 0 for plant in plants]]) & (balls[..., 1] < DOWN)
        self.frame = PageFrame(positions, turns, np.ones(1), balls[:, :, None], standing[..., None])
        dt, self._passed = self._passed, 0.0
        self.meter.watch(self.frame.points, self.frame.standing, dt)
        heels = positions[:, [leg.ankle for leg in legs]]
        yaws = np.arctan2(*(balls - heels)[..., [0, 2]].transpose(2, 0, 1))
        back = 0.05 * np.stack([np.sin(yaws), np.zeros_like(yaws), np.cos(yaws)], axis=-1)
        self.prints.watch(balls - back, yaws, standing, np.ones(1))
        for side, plant in enumerate(plants):
            if plant in self._plants and standing[0, side]:
                stone = self._plants[plant]
                self.landed[stone] = float(np.hypot(*(balls[0, side, [0, 2]] - self.places[stone])))


def coverage() -> FloatArray:
    """Where recorded steps came down ``(N, 2)`` about the standing foot, m: across, and away from where they began."""
    landings: FloatArray = hip_height(LEG) * default_database().params[:, [2, 1]] * np.array([1.0, -1.0])
    return landings
