"""A stage: crowds of people, creatures and simulated dogs on one ground among the same obstacles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from locomote._arguments import Rows, Who, rows_of
from locomote.creatures import Crowd as Creatures
from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd as People
from locomote.human._goals import STATES
from locomote.navigation._kernels import path_state
from locomote.physics import Dog
from locomote.rotations import FloatArray
from locomote.stream._frames import Frame, GroupFrame, GroupLayout, Layout, Thing, Things
from locomote.stream._gestures import GESTURES, Gestures
from locomote.world import Ground, Obstacles
from locomote.world._kernels.obstacle_layout import LIFT, RISE, TURN, VX, VZ, X, Z
from locomote.world._map_sheet import MOST_CELLS

FARTHEST = 500.0  # m from the origin that anything may be told to be
MAP_SHARE = 0.25  # of the side of the largest map of creatures' cells: maps grow ahead of what is drawn on them
MOST_GROUPS = 64
BODY = 0.3  # m, half of a person's width in the plan
PEOPLE_POINTS = tuple(f"{side} {point}" for side in ("left", "right") for point in ("heel", "ball", "toe"))

Led = People | Creatures  # they find their way to goals
Crowd = Led | Dog


class Control(Protocol):
    """Leads the characters of a group until somebody else tells them what to do."""

    def act(self, time: float) -> None:
        """Command what is due at a time, seconds."""

    def leave(self, rows: Rows) -> None:
        """Lead these characters no longer."""


class Group:
    """A crowd with its name."""

    def __init__(
        self, name: str, crowd: Crowd, control: Control | None = None, characters: tuple[str, ...] = ()
    ) -> None:
        self.name, self.crowd, self.control = name, crowd, control
        states: tuple[str, ...] = STATES
        gaits: tuple[str, ...] = ("auto", "walk", "run")
        if isinstance(crowd, People):
            kind, points, styles = "people", PEOPLE_POINTS, tuple(crowd.model.styles)
        elif isinstance(crowd, Dog):
            kind, points, states, styles = "creatures", crowd.foot_names, crowd.possible_states, ()
            gaits = ("auto", *crowd.library.gaits)
        else:
            kind, states, styles = "creatures", path_state.STATES, ()
            points = tuple(leg.name for leg in crowd.creature.morphology.legs)
            gaits = ("auto", *(gait.name for gait in crowd.creature.gaits.gaits))
        skeleton, offsets = crowd.poses.skeleton, crowd.poses.offsets
        self.layout = GroupLayout(name, kind, len(crowd), skeleton, points, states, gaits, styles, characters, offsets)
        self._numbers = {state: number for number, state in enumerate(states)}
        self.gestures = Gestures(skeleton) if isinstance(crowd, People) else None

    def frame(self, time: float) -> GroupFrame:
        """Everyone of the group as they are now, at a time of the stage, seconds."""
        crowd, count = self.crowd, len(self.crowd)
        poses = crowd.poses
        scales = np.ones(count) if poses.scales is None else poses.scales
        rotations = poses.rotations
        if self.gestures is not None:
            rotations = self.gestures.laid_over(rotations, time)
        planted = np.asarray(crowd.planted).reshape(count, -1)
        return GroupFrame(
            root_positions=poses.root_positions.astype(np.float32),
            scales=scales.astype(np.float32),
            rotations=rotations.astype(np.float32),
            contacts=np.packbits(planted, axis=1, bitorder="little"),
            states=np.array([self._numbers[state] for state in crowd.states], dtype=np.uint8),
            places=crowd.positions.astype(np.float32),
            headings=crowd.headings.astype(np.float32),
        )

    def about(self) -> FloatArray:
        """Where everyone is, how they move and how wide they are: rows ``(N, 5)`` for other crowds to heed."""
        crowd = self.crowd
        headings, speeds = crowd.headings, crowd.speeds
        rows = np.empty((len(crowd), 5))
        rows[:, :2] = crowd.positions[:, [0, 2]]
        rows[:, 2], rows[:, 3] = speeds * np.sin(headings), speeds * np.cos(headings)
        rows[:, 4] = BODY if isinstance(crowd, People) else crowd.radius
        return rows


class Stage:
    """Groups of characters, a ground and obstacles. Only one thread may use it: `Engine.ask` brings work to it.

    Parameters
    ----------
    ground, obstacles : a level floor and nothing without them
    """

    def __init__(self, ground: Ground | None = None, obstacles: Obstacles | None = None) -> None:
        self.ground = Ground() if ground is None else ground
        self.obstacles = Obstacles() if obstacles is None else obstacles
        self.time = 0.0  # s
        self.frames = 0
        self.groups: dict[str, Group] = {}
        self.move_obstacles: Callable[[float], None] | None = None  # by a scene, to a time
        self.told: set[int] = set()  # obstacles that were added by commands
        self._version = 0
        self._layout: Layout | None = None
        self._things: Things | None = None

    def add(self, name: str, crowd: Crowd, control: Control | None = None, characters: tuple[str, ...] = ()) -> Group:
        """Let a crowd appear; it must have been made with the ground and the obstacles of the stage.

        Parameters
        ----------
        name : of the group
        crowd : of people, creatures or simulated dogs, which know of no obstacles and heed nobody
        control : who commands it until somebody else does
        characters : their names
        """
        if not name or len(name) > 64 or name in self.groups:
            raise LocomoteError(f"group {name!r}: expected a name of its own, of 1 to 64 letters")
        if len(self.groups) >= MOST_GROUPS:
            raise LocomoteError(f"group {name!r}: there are {MOST_GROUPS} groups already")
        if isinstance(crowd, Dog):
            shared = crowd.ground is self.ground
        else:
            world = crowd if isinstance(crowd, People) else crowd.maps
            shared = world.ground is self.ground and world.obstacles is self.obstacles
        if not shared:
            raise LocomoteError(f"group {name!r}: expected a crowd on the stage's own ground and obstacles")
        group = self.groups[name] = Group(name, crowd, control, characters)
        self._changed()
        return group

    def remove(self, name: str) -> None:
        """Let a group vanish."""
        self.group(name)
        del self.groups[name]
        self._changed()

    def group(self, name: str) -> Group:
        """A group by its name."""
        if name not in self.groups:
            raise LocomoteError(f"group {name!r}: there is none; there are: {', '.join(self.groups)}")
        return self.groups[name]

    def _changed(self) -> None:
        self._version += 1
        self._layout = None
        for group in self.groups.values():
            if not isinstance(group.crowd, Dog):  # they heed nobody
                group.crowd.meet(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))

    @property
    def reach(self) -> float:
        """How far from the origin obstacles may be: the maps of small creatures have small cells."""
        crowds = [group.crowd for group in self.groups.values()]
        cells = [crowd.maps.cell for crowd in crowds if isinstance(crowd, Creatures)]
        return min([FARTHEST, *(MAP_SHARE * math.sqrt(MOST_CELLS) * cell for cell in cells)])

    def lead(self, name: str, who: Who) -> None:
        """Characters were told what to do by somebody else than their control.

        Parameters
        ----------
        name : of the group
        who : all, one, a slice, indices or a mask
        """
        group = self.group(name)
        if group.control is not None:
            group.control.leave(rows_of(who, len(group.crowd)))

    def gesture(self, name: str, gesture: str, who: Who = None) -> None:
        """Let people make a gesture, whatever else they do.

        Parameters
        ----------
        name : of the group
        gesture : one of ``wave``, ``nod``, ``shake``, ``bow``, ``shrug``, ``think``, ``point``
        who : all, one, a slice, indices or a mask
        """
        group = self.group(name)
        if group.gestures is None:
            raise LocomoteError(f"gesture: only people make them; {name} are creatures")
        if gesture not in GESTURES:
            raise LocomoteError(f"gesture {gesture!r}: expected one of {', '.join(GESTURES)}")
        group.gestures.begin(gesture, rows_of(who, len(group.crowd)), self.time)

    def advance(self, dt: float) -> None:
        """Step the world and everyone in it."""
        for group in self.groups.values():
            if group.control is not None:
                group.control.act(self.time)
            if group.gestures is not None:
                group.gestures.act(self.time, group.crowd.speeds)
        self.time += dt
        self.frames += 1
        self.ground.advance(dt)
        if self.move_obstacles is None:
            self.obstacles.advance(dt)
        else:
            self.move_obstacles(self.time)
        self._let_go()
        if len(self.groups) > 1:
            self._introduce()
        for group in self.groups.values():
            group.crowd.step(dt)

    def _let_go(self) -> None:
        """Obstacles that have left the stage vanish."""
        ids, table, _ = self.obstacles.rows
        moving = np.any(table[:, [VX, VZ, RISE]] != 0.0, axis=1)
        far = np.abs(table[:, [X, Z, LIFT]]).max(axis=1, initial=0.0) > self.reach
        for each in ids[moving & far].tolist():
            self.obstacles.remove(each)
            self.told.discard(each)

    def _introduce(self) -> None:
        """Tell every group of the others."""
        rows = {name: group.about() for name, group in self.groups.items()}
        for name, group in self.groups.items():
            if isinstance(group.crowd, Dog):
                continue
            others = np.concatenate([row for other, row in rows.items() if other != name])
            places, velocities, radii = others[:, :2], others[:, 2:4], others[:, 4]
            if isinstance(group.crowd, People):
                group.crowd.meet(places, velocities, radii)
            else:
                group.crowd.meet(places, velocities, radii, mutual=True)

    def layout(self, rate: float) -> Layout:
        """Who is there, for frames at a rate."""
        if self._layout is None or self._layout.rate != rate:
            groups = tuple(group.layout for group in self.groups.values())
            self._layout = Layout(self._version, rate, groups)
        return self._layout

    def frame(self, rate: float) -> Frame:
        """Everyone as they are now."""
        groups = tuple(group.frame(self.time) for group in self.groups.values())
        return Frame(self.frames, self.time, self.layout(rate), groups, self._seen_things())

    def _seen_things(self) -> Things:
        things, obstacles = self._things, self.obstacles
        if things is None or things.version != obstacles.version:
            ids, table, _ = obstacles.rows
            seen = tuple(self._thing(int(id), row) for id, row in zip(ids, table, strict=True))
            things = self._things = Things(obstacles.version, self.time, seen)
        return things

    def _thing(self, id: int, row: FloatArray) -> Thing:
        obstacles = self.obstacles
        return Thing(
            id=id,
            outline=tuple((float(x), float(z)) for x, z in obstacles.outline(id)),
            height=obstacles.height(id),
            lift=obstacles.lift(id),
            centre=(float(row[X]), float(row[Z])),
            velocity=(float(row[VX]), float(row[VZ])),
            turn_rate=float(row[TURN]),
        )
