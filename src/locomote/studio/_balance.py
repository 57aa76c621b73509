"""Somebody who balances on the page: dragged by the hands, pushed, told to change feet, crouch and jump."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote.body import Body
from locomote.errors import LocomoteError
from locomote.mannequin import mannequin
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.physics import AngularMomentum, Balanced, Tuning
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.spaces import PoseDatabase, PoseSpace
from locomote.studio._grips import Grip
from locomote.studio._pieces import Look, look_of
from locomote.studio._recording import Take

DIRECTIONS = 15  # of the space
MASS = 70.0  # kg
PUSHES = {"left": (1.0, 0.0, 0.0), "right": (-1.0, 0.0, 0.0), "ahead": (0.0, 0.0, 1.0), "back": (0.0, 0.0, -1.0)}
PUSH = 60.0, 0.2  # N and s
FPS = 60.0
WEIGHT_LONG = 0.8  # m of an arrow of one body weight
CORNERS = 4  # points of a sole that touch the ground
FALLEN = 0.5  # of the height at the beginning, at which the hips of somebody who fell are


class StudioBalance:
    """One person with weight, and what was recorded of it."""

    def __init__(self) -> None:
        poses = PoseDatabase.default()
        clip = Motion(poses.skeleton, 30.0, poses.root_positions, poses.rotations)
        self.space = PoseSpace.fit(clip, DIRECTIONS, metric="kinetic")
        self.skeleton: Skeleton = self.space.skeleton
        body: Body = mannequin(self.skeleton)
        self.look: Look = look_of(self.skeleton, body)
        roles = self.skeleton.roles
        self.grips = tuple(Grip(arm.wrist, f"{arm.side} hand") for arm in roles.arms)
        self.held: int | None = None
        self.calm = True
        self.take = Take(FPS)
        self.begin()

    def begin(self) -> None:
        """Stand anew, at the origin."""
        tuning = Tuning()
        if not self.calm:
            tuning = replace(tuning, momentum=AngularMomentum(strength=0.0))
        self.person = Balanced(self.space, MASS, tuning=tuning)
        self.held = None
        self.height = float(self.world()[0][0, self.skeleton.roles.root, 1])

    def set_calm(self, on: bool) -> None:
        """With or without the wish for no angular momentum; stands anew."""
        self.calm = on
        self.begin()

    def world(self) -> tuple[FloatArray, FloatArray]:
        """Joints ``(1, J, 3)`` and their rotations ``(1, J, 4)`` in the world."""
        poses = self.person.poses
        return Motion(self.skeleton, FPS, poses.root_positions, poses.rotations).world()

    def advance(self, dt: float) -> None:
        """Let time pass; who fell stands anew."""
        if dt <= 0.0:
            return
        try:
            self.person.step(min(dt, 0.1))
        except LocomoteError:
            self.begin()
            return
        if self.world()[0][0, self.skeleton.roles.root, 1] < FALLEN * self.height:
            self.begin()

    def drag(self, joint: int, place: FloatArray) -> None:
        """Bring a hand to a place, as far as balance allows."""
        self.held = joint
        self.person.reach(self.skeleton.names[joint], place)

    def release(self) -> None:
        """The hand stays asked for where the mouse left it."""
        self.held = None

    def free_hands(self) -> None:
        """Ask for nothing any more."""
        self.held = None
        self.person.release()

    def push(self, where: str) -> None:
        """Push the chest for a moment: "left", "right", "ahead", "back"."""
        newtons, seconds = PUSH
        roles = self.skeleton.roles
        self.person.push(newtons * np.array(PUSHES[where]), at=self.skeleton.names[roles.spine[-1]], seconds=seconds)

    def arrows(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Forces of the ground: places and vectors ``(M, 3)`` m, and zeros ``(M,)``."""
        places, forces = self.person.contact_places, self.person.contact_forces
        starts, vectors = [], []
        for foot in np.unique(self.person.reactions.points // CORNERS):  # one arrow for the corners of a sole
            own = self.person.reactions.points // CORNERS == foot
            pressed = np.maximum(forces[own, 1], 0.0)
            if pressed.sum() > 0.0:
                starts.append(pressed @ places[own] / pressed.sum())
                vectors.append(WEIGHT_LONG / (MASS * GRAVITY) * forces[own].sum(axis=0))
        return np.reshape(starts, (-1, 3)), np.reshape(vectors, (-1, 3)), np.zeros(len(starts))

    def reading(self) -> str:
        """What it stands on, and what moves it."""
        helper = float(np.linalg.norm(self.person.helper_force)) / (MASS * GRAVITY)
        spin = float(np.linalg.norm(self.person.angular_momentum))
        feet = " and ".join(self.person.support) or "nothing"
        return f"stands on **{feet}**; help from outside **{helper:.2f}** weights, angular momentum {spin:.2f} kg m²/s"

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        return self.take.motions(self.skeleton, "balance", self.look.body)
