"""What a creature did in a scene, as an eye outside sees it: by the rotations of its joints, nothing of its state."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.creatures import Creature, Crowd
from locomote.math.constants import GRAVITY
from locomote.math.fk import forward_kinematics
from locomote.measures.body import RATE, filtered
from locomote.rotations import FloatArray
from locomote.world import Ground, Obstacles

RISE, TREAD, STEPS = 0.24, 0.4, 6  # of stairs, over the height of the hips; those of a house under a large dog
HIGHEST_CRATE, LOWEST_CRATE = 1.0 / 3.0, 0.1  # over the height of the hips
CRATE_SIDES = (0.3, 0.8)  # the same
CRATES = 70  # in a strip of so many heights of the hips:
STRIP = (3.0, 24.0)
BEGINS = 3.0  # heights of the hips (and half a body) before the first step or crate


class Take(NamedTuple):
    """F frames at 60 a second of a body with T joints in its trunk, H of its head, G girdles and L legs."""

    length: float  # m, of the leg, against which things are measured
    trunk: FloatArray  # (F, T, 3) m
    head: FloatArray  # (F, H, 3)
    girdles: FloatArray  # (F, G, 3) where their left sides point
    tips: FloatArray  # (F, L, 3)

    def after(self, seconds: float) -> Take:
        """The same without its beginning."""
        first = round(seconds * RATE)
        return Take(self.length, *(each[first:] for each in self[1:]))

    def trunk_jolt(self) -> float:
        """The greatest second difference of a joint of the trunk, % of the leg."""
        return 100.0 * float(_second(self.trunk).max()) / self.length

    def head_jolt(self) -> float:
        """The same of the head; 0 without one."""
        return 100.0 * float(_second(self.head).max(initial=0.0)) / self.length

    def foot_jump(self) -> float:
        """How much further a tip goes in one frame than twice in the frames beside it, % of the leg."""
        way = np.linalg.norm(np.diff(self.tips, axis=0), axis=-1)
        beside = np.maximum(way[:-2], way[2:])
        return 100.0 * float(np.max(way[1:-1] - 2.0 * beside, initial=0.0)) / self.length

    def acceleration(self) -> float:
        """The greatest acceleration of the root below 12 Hz, m/s2."""
        return RATE**2 * float(_second(filtered(self.trunk[:, :1])).max())

    def push(self) -> float:
        """The greatest acceleration of the middle of the trunk along its way (z) below 12 Hz, m/s2."""
        middle = self.trunk.mean(axis=1, keepdims=True) * [0.0, 0.0, 1.0]
        return RATE**2 * float(_second(filtered(middle)).max())

    def roll(self) -> float:
        """How far a girdle rolls, degrees."""
        return float(np.degrees(np.abs(self._rolls()).max()))

    def roll_rate(self) -> float:
        """How fast it does, degrees a second."""
        return float(np.degrees(np.abs(np.diff(self._rolls(), axis=0)).max()) * RATE)

    def _rolls(self) -> FloatArray:
        return np.asarray(np.arcsin(np.clip(self.girdles[..., 1], -1.0, 1.0)))

    def heights(self) -> FloatArray:
        """Of the root, m ``(F,)``."""
        return self.trunk[:, 0, 1]


def _second(places: FloatArray) -> FloatArray:
    out: FloatArray = np.linalg.norm(places[2:] - 2.0 * places[1:-1] + places[:-2], axis=-1)
    return out


def unit_of(creature: Creature) -> float:
    """The unit of speeds of a creature, m/s: the root of gravity times the height of its hips."""
    return math.sqrt(GRAVITY * creature.morphology.hip_height)


def take(
    creature: Creature,
    speeds: Mapping[float, float],
    seconds: float,
    seed: int,
    ground: Ground | None = None,
    obstacles: Obstacles | None = None,
) -> Take:
    """Play a creature that begins at the origin and heads along +z.

    Parameters
    ----------
    creature : of any kind
    speeds : by the time (s) from which on it is told to go so fast, in its `unit_of`; one of them at 0
    seconds : how long
    seed : of its crowd
    ground, obstacles : what it goes on
    """
    unit = unit_of(creature)
    crowd = Crowd(creature, 1, seed=seed, speed=speeds[0.0] * unit, ground=ground, obstacles=obstacles)
    frames = round(seconds * RATE)
    skeleton, morphology, spine = crowd.poses.skeleton, creature.morphology, creature.spine
    places = np.empty((frames, len(skeleton), 3))
    turns = np.empty((frames, len(skeleton), 4))
    for frame in range(frames):
        for moment, share in speeds.items():
            if frame > 0 and frame == round(moment * RATE):
                crowd.command(speed=share * unit)
        crowd.step(1.0 / RATE)
        poses, now, turned = crowd.poses, places[frame : frame + 1], turns[frame : frame + 1]
        forward_kinematics(skeleton.parents, skeleton.offsets[None], poses.root_positions, poses.rotations, now, turned)
    last, ends = [leg.joints[-1] for leg in morphology.legs], np.stack([leg.tip for leg in morphology.legs])
    tips = places[:, last] + rot.rotate(turns[:, last], np.broadcast_to(ends, (frames, *ends.shape)))
    carriers = spine.joints[spine.girdles]
    back = rot.inverse(morphology.rest_pose[1][carriers])
    sides = rot.rotate(
        rot.multiply(turns[:, carriers], np.broadcast_to(back, (frames, *back.shape))),
        np.broadcast_to([1.0, 0.0, 0.0], (frames, len(carriers), 3)),
    )
    trunk, head = spine.joints[spine.heads < 1.0], spine.joints[spine.heads >= 1.0]
    length = skeleton.leg_length() if skeleton.roles.legs else morphology.hip_height
    return Take(length, places[:, trunk], places[:, head], sides, tips)


def stairs_for(creature: Creature) -> Ground:
    """Stairs up, ahead of a creature at the origin, in keeping with its legs."""
    height, half = creature.morphology.hip_height, creature.trunk.half_length
    ground = Ground()
    rise, tread = RISE * height, TREAD * height
    ground.add_stairs((0.0, half + BEGINS * height), STEPS, rise, tread, width=8.0 * height, landing=60.0 * height)
    return ground


def crates_for(creature: Creature, seed: int) -> Obstacles:
    """Crates on which one may step, up to a third of the height of its hips, ahead of a creature at the origin."""
    height, half = creature.morphology.hip_height, creature.trunk.half_length
    random = np.random.default_rng(seed)
    obstacles = Obstacles()
    first = half + BEGINS * height
    for _ in range(CRATES):
        place = random.uniform((-STRIP[0] * height, first), (STRIP[0] * height, first + STRIP[1] * height))
        size = random.uniform(*CRATE_SIDES, 2) * height
        top = random.uniform(LOWEST_CRATE, HIGHEST_CRATE) * height
        obstacles.add_box(place.tolist(), size.tolist(), top, random.uniform(-math.pi, math.pi), safe=True)
    return obstacles
