"""A small wood on the page: trees and bushes in a wind that one sets, and people who walk through it."""

from __future__ import annotations

import math

import numpy as np

from locomote import rotations as rot
from locomote.human._model import HumanModel
from locomote.human._recording import Recorder
from locomote.modal.trees import Forest, Species
from locomote.modal.trees._recording import branch_rotations
from locomote.modal.trees._skin import joint_places, skeleton_of, skins_of
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._people import StudioPeople
from locomote.studio._pieces import Look, look_of
from locomote.world import Wind

TREES, BUSHES = 9, 7
NODES, TWIGS = 60, 70  # of a tree, and of a bush
FROM, TO = (4.5, 10.0), (1.5, 5.0)  # m from the middle: where trees and where bushes stand
THICK = 0.13  # m: people touch branches with so much around their joints
TRUNK = 0.5  # m that people leave for a trunk
PERIOD = 7.0  # s between gusts
FPS, LONGEST = 60.0, 60.0  # of a recording, s


class StudioWood:
    """People, trees, bushes and the wind."""

    def __init__(self, model: HumanModel, people: int = 5) -> None:
        self.people = StudioPeople(model, people, seed=2)
        self.people.mingle = self.people.everyone = True
        random = np.random.default_rng(5)
        birches, bushes = Species.grow("birch", NODES), Species.grow("bush", TWIGS, modes=40)
        self.forests = (
            Forest(birches, _ring(TREES, *FROM, random), sizes=random.uniform(0.45, 0.7, TREES), flutter=0.02),
            Forest(bushes, _ring(BUSHES, *TO, random), sizes=random.uniform(0.6, 0.95, BUSHES), flutter=0.01, seed=1),
        )
        for x, _, z in self.forests[0].positions:
            self.people.obstacles.add_box((x, z), (TRUNK, TRUNK), 2.5)
        # Bark and leaves apart: a piece on the page has one colour.
        self.looks: tuple[tuple[int, Look], ...] = tuple(
            (which, look_of(skeleton_of(each), body))
            for which, each in enumerate((birches, bushes))
            for body in skins_of(each)
        )
        self.speed, self.heading, self.gust = 4.0, 0.5 * math.pi, 5.0
        self.touched = 0
        self._bodies: FloatArray | None = None
        self._frames: list[FloatArray] = []
        self._walker = Recorder(self.people.crowd, FPS)

    @property
    def wind(self) -> Wind:
        """As it is set."""
        return Wind.gusty(self.speed, self.heading, self.gust, PERIOD, seed=1)

    def advance(self, dt: float) -> None:
        """Let time pass: people walk, brush what they meet, and the wind blows."""
        if dt <= 0.0:
            return
        self.people.advance(dt)
        bodies = self.people.crowd.poses.joint_positions().reshape(-1, 3)
        before = bodies if self._bodies is None else self._bodies
        self._bodies, self.touched = bodies, 0
        for forest in self.forests:
            self.touched += forest.brush(bodies, (bodies - before) / dt, THICK)
            forest.step(dt, self.wind)

    def world(self, which: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Joints ``(K, J, 3)``, their rotations ``(K, J, 4)`` in the world and sizes ``(K,)`` of trees or bushes."""
        forest = self.forests[which]
        nodes = forest.nodes()
        turns = branch_rotations(forest.species, nodes, rot.from_yaw(forest.headings))[1]
        return joint_places(nodes, forest.species.parents), turns, forest.sizes

    def reading(self) -> str:
        """How strong the wind is in the middle, and what is touched."""
        now = float(np.linalg.norm(self.wind.at([(0.0, 0.0)], self.forests[0].time)))
        count = sum(len(forest) for forest in self.forests)
        return f"**{now:.1f} m/s**; {count} trees and bushes; {self.touched} branches are touched"

    def start_recording(self) -> None:
        """Forget what was recorded, and begin anew."""
        self._frames = []
        self._walker = Recorder(self.people.crowd, FPS)

    def keep(self) -> None:
        """One frame of the recording: the first walker and the first tree."""
        if len(self._frames) < LONGEST * FPS:
            self._frames.append(self.forests[0].nodes(0))
            self._walker.keep()

    def recorded(self) -> list[Motion]:
        """What the first walker and the first tree did."""
        from locomote.modal.trees._recording import motions

        if not self._frames:
            return []
        return [self._walker.motions()[0], *motions(self.forests[0], np.array(self._frames), FPS, np.array([0]))]


def _ring(count: int, near: float, far: float, random: np.random.Generator) -> FloatArray:
    """Places (x, z) around the middle, none beside another."""
    around = math.pi * (3.0 - math.sqrt(5.0)) * np.arange(count) + random.uniform(-0.3, 0.3, count)
    out = np.sqrt(np.linspace(near**2, far**2, count))
    return np.column_stack([out * np.sin(around), out * np.cos(around)])
