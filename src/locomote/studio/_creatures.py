"""Creatures on the page: any number of legs, gaits edited live, ground raised and lowered, crates thrown."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from locomote._arguments import Values
from locomote.creatures import Creature, Crowd, Gait
from locomote.creatures.catalogue._builtin import NAMES
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.studio._feet import FootprintTrail, SkateMeter
from locomote.studio._frames import PageFrame, posed
from locomote.studio._helm import Helm
from locomote.studio._people import Place
from locomote.studio._pieces import Look, look_of
from locomote.studio._shapes import ribbon
from locomote.world import Ground, Obstacles

MOST = 100  # creatures
MOST_CRATES = 120
RIGS = (".glb", ".bvh", ".usda", ".usdc", ".npz", ".xml", ".urdf")
FIELD = 24.0  # m, side of the ground that can be raised
CELL = 0.2  # m, of that ground
HIGHEST = 3.0  # m
LINED, LINE = 2, 0.004  # cells between lines on the ground; half the width of one, m
EDITED = "edited"  # the gait that is made on the page
THROWN = 1.6  # m above the ground from which crates come
SIDES = ("left", "right", "")
USUAL = 0.4  # of the square root of gravity and hip height: the speed at the beginning


@dataclass(frozen=True)
class Crate:
    """A crate that is thrown."""

    place: Place
    side: float  # m
    height: float  # m
    yaw: float

    def put(self, obstacles: Obstacles, lift: float) -> int:
        """Let it be one of some obstacles."""
        size = self.side, self.side
        return obstacles.add_box(self.place, size, self.height, yaw=self.yaw, safe=True, lift=lift)


class StudioCreatures:
    """A crowd of one kind on a ground of its own."""

    def __init__(self, name: str = "spider", count: int = 1) -> None:
        self.obstacles = Obstacles()
        self.ground = level_field()
        self.meter = SkateMeter()
        self.helm = Helm()
        self.chosen = 0
        self.ground_changed = True
        self.air = Obstacles()  # crates on their way down; the creatures know of them when they lie there
        self._falling: dict[int, tuple[Crate, float]] = {}  # those, and their speed upwards, m/s
        self._random = np.random.default_rng(0)
        self._passed = 0.0
        self.choose_kind(name, count)

    def choose_kind(self, name: str, count: int = 1) -> None:
        """Other creatures, built in."""
        if name not in NAMES:
            raise LocomoteError(f"creature {name!r}: expected {', '.join(NAMES)}")
        self.begin(Creature.build(name), count)

    def open_rig(self, name: str, content: bytes) -> None:
        """A creature from a file that somebody gave; only its ending is believed."""
        ending = Path(name).suffix.lower()
        if ending not in RIGS:
            raise LocomoteError(f"rig: expected {', '.join(RIGS)}, got {ending or 'none'}")
        with tempfile.TemporaryDirectory(prefix="locomote-studio-") as aside:
            path = Path(aside) / f"rig{ending}"
            path.write_bytes(content)
            try:
                creature = Creature.from_rig(path)
            except LocomoteError as error:
                raise LocomoteError(str(error).replace(str(path), "rig")) from None
        self.begin(creature)

    def begin(self, creature: Creature, count: int = 1) -> None:
        """Other creatures, of any kind."""
        if not 1 <= count <= MOST:
            raise LocomoteError(f"creatures: expected 1 to {MOST}, got {count}")
        speed = USUAL * math.sqrt(GRAVITY * creature.morphology.hip_height)
        crowd = Crowd(creature, count, speed=speed, ground=self.ground, obstacles=self.obstacles)
        self.creature, self.crowd = creature, crowd
        self.__dict__.pop("look", None)
        self._spacing = crowd.spacing[0].copy()
        legs = creature.morphology.legs
        self.prints = FootprintTrail([_side(creature, k) for k in range(len(legs))])
        self.meter.forget()
        self.chosen, self._passed = 0, 0.0
        self.look_at_feet()

    @property
    def size(self) -> float:
        """Roughly how long the creature is, metres."""
        return 2.0 * max(self.creature.morphology.box)

    @cached_property
    def look(self) -> Look:
        """The body that all share."""
        morphology = self.creature.morphology
        return look_of(morphology.skeleton, morphology.body)

    def tell(self, *, speed: Values | None = None, turn_rate: Values | None = None) -> None:
        """New targets for all."""
        self.crowd.command(speed=speed, turn_rate=turn_rate)

    def turn(self, presses: int) -> None:
        """Let all go more to the left, or to the right below 0, by so many presses of a key."""
        headings = [self.helm.turn(n, float(yaw), presses) for n, yaw in enumerate(self.crowd.headings)]
        self.crowd.command(heading=np.array(headings))

    def go_to(self, place: Place) -> None:
        """Send the first one to a place, the others to places beside it."""
        count, side = len(self.crowd), math.ceil(math.sqrt(len(self.crowd)))
        at = np.arange(count)
        x, z = (place[k] + 2.0 * self.size * (np.divmod(at, side)[k] - 0.5 * (side - 1) * (count > 1)) for k in (0, 1))
        self.crowd.go_to(x, z)

    @property
    def gait(self) -> Gait:
        """The gait that the chosen one goes now."""
        gaits = self.crowd.creature.gaits
        return gaits.gaits[gaits.index(self.crowd.gaits[self.chosen])]

    @property
    def knot(self) -> int:
        """The speed of the gait's table that is nearest to how fast the chosen one is."""
        unit = math.sqrt(GRAVITY * self.creature.morphology.hip_height)
        return int(np.argmin(np.abs(self.gait.speeds - abs(float(self.crowd.speeds[self.chosen])) / unit)))

    def set_gait(self, name: str) -> None:
        """A gait by name, or ``auto``."""
        self.crowd.command(gait=name)

    def edit_gait(self, landings: FloatArray, duty: float, period: float, lift: float) -> None:
        """A gait of one's own: when each foot lands (turns), share on the ground, seconds a cycle, lift in m."""
        morphology = self.creature.morphology
        feet = self.crowd.creature.gaits.gaits[0].feet
        if len(landings) != len(feet):
            raise LocomoteError(f"gait: {len(landings)} phases for {len(feet)} feet")
        made = Gait.at_one_speed(
            EDITED, feet, landings, duty, period / self.creature.time_unit, lift / morphology.hip_height
        )
        self.crowd.command(gait=made)

    def space_feet(self, wider: float, longer: float) -> None:
        """Feet set so many times as far to the sides and ahead as usual."""
        self.crowd.command(spacing=self._spacing * np.array([wider, longer]))

    def raise_ground(self, place: Place, by: float, radius: float = 1.2) -> None:
        """Lift the ground around a place, or lower it."""
        _, grid, frame = self.ground.arrays
        x = frame[0] + frame[2] * np.arange(grid.shape[1]) - place[0]
        z = frame[1] + frame[2] * np.arange(grid.shape[0]) - place[1]
        bump = by * np.exp(-2.0 * (x[None] ** 2 + z[:, None] ** 2) / radius**2)
        edge = np.minimum(
            1.0, np.minimum.outer(*(np.minimum(np.arange(n), n - 1 - np.arange(n)) / 8.0 for n in grid.shape))
        )
        grid[:] = np.clip(grid + bump * edge, -HIGHEST, HIGHEST)
        self._ground_is_new()

    def roughen(self, amplitude: float) -> None:
        """Random hills so high; 0 is a level field."""
        _, grid, _ = self.ground.arrays
        grid[:] = Ground.rough(seed=3, size=(FIELD, FIELD), amplitude=amplitude, feature=2.4, cell=CELL).arrays[1]
        self._ground_is_new()

    def _ground_is_new(self) -> None:
        self.crowd.maps.rebuild()
        self.ground_changed = True

    def throw(self, place: Place | None = None) -> int:
        """A crate falls onto a place, or before the chosen one."""
        if len(self.obstacles) + len(self.air) >= MOST_CRATES:
            raise LocomoteError(f"crates: there are {MOST_CRATES} already")
        if place is None:
            yaw = float(self.crowd.headings[self.chosen]) + self._random.uniform(-0.5, 0.5)
            x, _, z = self.crowd.positions[self.chosen]
            far = self.size * self._random.uniform(1.2, 2.2)
            place = float(x + far * math.sin(yaw)), float(z + far * math.cos(yaw))
        hip = self.creature.morphology.hip_height
        side, height = hip * self._random.uniform(0.8, 1.6), hip * self._random.uniform(0.25, 0.6)
        crate = Crate(place, float(side), float(height), float(self._random.uniform(-1.5, 1.5)))
        thrown = crate.put(self.air, THROWN)
        self._falling[thrown] = crate, 0.0
        return thrown

    def clear(self) -> None:
        """Take all crates away."""
        self.obstacles.clear()
        self.air.clear()
        self._falling = {}

    def move(self, crate: int, place: Place) -> None:
        """Put a crate elsewhere."""
        self.obstacles.move(crate, centre=place)

    def advance(self, dt: float) -> None:
        """Let time pass; crates fall."""
        for thrown, (crate, speed) in list(self._falling.items()):
            lift = self.air.lift(thrown) + (speed - GRAVITY * dt) * dt
            if lift > 0.0:
                self._falling[thrown] = crate, speed - GRAVITY * dt
                self.air.move(thrown, lift=lift)
            else:
                del self._falling[thrown]
                self.air.remove(thrown)
                crate.put(self.obstacles, 0.0)
        self.obstacles.advance(dt)
        self.ground.advance(dt)
        self.crowd.step(dt)
        self._passed += dt

    def look_at_feet(self) -> None:
        """What is to be seen now."""
        poses = self.crowd.poses
        positions, turns = posed(poses.skeleton, poses.root_positions, poses.rotations)
        points, standing = self.crowd.feet[:, :, None], self.crowd.planted
        self.frame = PageFrame(positions, turns, np.ones(len(poses)), points, standing[..., None])
        dt, self._passed = self._passed, 0.0
        self.meter.watch(points, self.frame.standing, dt)
        sizes = np.full(len(poses), max(0.08 * self.creature.morphology.hip_height, 0.012))
        self.prints.watch(points[:, :, 0], np.zeros(standing.shape), standing, sizes)

    def window(self) -> tuple[FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.uint8]], FloatArray]:
        """The maps about the chosen one: heights, classes of cells, feet by column and row."""
        from locomote.world._maps import classes_of

        maps = self.crowd.maps
        place = self.crowd.positions[self.chosen][[0, 2]]
        cells = int(np.clip(3.0 * self.size / maps.cell, 24, 90))
        seen = maps.around(place, self.creature.morphology.legs[0].foot_box, cells=cells)
        feet = self.crowd.feet[self.chosen][:, [0, 2]]
        return seen.heights, classes_of(seen.flags), (feet - [seen.x_low, seen.z_low]) / maps.cell


def level_field() -> Ground:
    """A level ground about the origin that can be raised."""
    return Ground.from_function(lambda x, z: 0.0 * x, (FIELD, FIELD), CELL)


def field_mesh(ground: Ground) -> tuple[FloatArray, IntArray]:
    """The ground as vertices ``(V, 3)`` and triangles ``(T, 3)``."""
    _, grid, frame = ground.arrays
    rows, columns = grid.shape
    x, z = np.meshgrid(frame[0] + frame[2] * np.arange(columns), frame[1] + frame[2] * np.arange(rows))
    k = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (each.ravel() for each in (k[:-1, :-1], k[:-1, 1:], k[1:, 1:], k[1:, :-1]))
    triangles = np.vstack([np.column_stack([a, c, b]), np.column_stack([a, d, c])])
    return np.column_stack([x.ravel(), grid.ravel(), z.ravel()]), triangles


def field_lines(ground: Ground) -> tuple[FloatArray, IntArray]:
    """Lines over the ground every so many cells, as strips of vertices ``(V, 3)`` and triangles ``(T, 3)``."""
    _, grid, frame = ground.arrays
    rows, columns = grid.shape
    x, z = frame[0] + frame[2] * np.arange(columns), frame[1] + frame[2] * np.arange(rows)
    along = [np.column_stack([x, grid[k], np.full(columns, z[k])]) for k in range(0, rows, LINED)]
    along += [np.column_stack([np.full(rows, x[k]), grid[:, k], z]) for k in range(0, columns, LINED)]
    vertices, triangles, count = [], [], 0
    for line in along:
        strip, faces = ribbon(line, LINE)
        vertices.append(strip)
        triangles.append(faces + count)
        count += len(strip)
    return np.vstack(vertices), np.vstack(triangles)


def _side(creature: Creature, leg: int) -> int:
    """0 for a left leg, 1 for a right one, 2 for one in the middle."""
    x = float(creature.morphology.rest_feet[leg, 0] - creature.morphology.centre[0])
    if abs(x) < 1e-3 * float(np.mean(creature.morphology.reaches)):
        return 2
    return 0 if x > 0.0 else 1
