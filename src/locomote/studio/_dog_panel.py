"""The tab of the dog: speed, gait, skills, and pushes by buttons, by a click on it or by its handles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.physics import GaitLibrary
from locomote.rotations import FloatArray
from locomote.studio._crowd_view import CrowdView
from locomote.studio._dog import AT, PUSHES, StudioDog
from locomote.studio._gizmos import GizmoEvent, Gizmos
from locomote.studio._panel import Panel

if TYPE_CHECKING:
    from locomote.studio._app import Studio

SKILLS = ("sit", "lie", "stand", "leap")
START = 1.0  # m/s
FASTER = 0.25  # m/s for a press of a key
BY_SPEED = "by speed"
ANEW = "start again"


class DogPanel(Panel):
    """A dog that is simulated."""

    title = "Dog"
    about = "A dog that is simulated, with muscles and weight."
    tries = (
        "keys **← →** turn, **↑ ↓** speed, **J** leap",
        "**click on the dog** to push it away",
        "drag the arrows at its back",
    )
    room = 1.7

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.world: StudioDog | None = None
        self.problem = ""
        self.gizmos = Gizmos(studio.stage.scene, lambda joint: None)
        self.crowd_view: CrowdView | None = None

    def build(self) -> None:
        """What can be asked of it."""
        c = self.controls
        self.speed = c.slider("speed m/s", 0.0, 6.0, 0.05, START, lambda v: self._tell(speed=v), "keys ↑ and ↓")
        self.turn = c.slider(
            "turn °/s", -57.0, 57.0, 1.0, 0.0, lambda v: self._tell(turn_rate=math.radians(v)), "to the left"
        )
        gaits = (BY_SPEED, *GaitLibrary.default().gaits)
        self.gait = c.dropdown("gait", gaits, BY_SPEED, lambda name: self._tell(gait=_told(name)), "kept at any speed")
        c.buttons("do", (*SKILLS, ANEW), self._act, "start again: on its feet, where it began")
        self.newtons = c.slider(
            "push N", 10.0, 600.0, 10.0, 150.0, lambda v: self._set(newtons=float(v)), "it weighs 330 N"
        )
        self.seconds = c.slider("push s", 0.05, 1.0, 0.05, 0.1, lambda v: self._set(seconds=float(v)), "how long")
        self.at = c.dropdown("push at", AT, AT[0], lambda at: self._set(at=at), "where the buttons push")
        c.buttons("push to", tuple(PUSHES), lambda where: self._do(lambda w: w.push(where)), "its own left and right")

    def _do(self, act: Callable[[StudioDog], object]) -> None:
        if self.world is None:
            raise LocomoteError(self.problem or "getting ready")
        act(self.world)

    def _tell(self, **told: Any) -> None:
        self._do(lambda w: w.dog.command(**told))

    def _set(self, **values: Any) -> None:
        def change(world: StudioDog) -> None:
            for name, value in values.items():
                setattr(world, name, value)

        self._do(change)

    def _act(self, what: str) -> None:
        self._do(StudioDog.begin if what == ANEW else lambda w: getattr(w.dog, what)())

    def enter(self) -> None:
        """It comes on; the first time it is made."""
        if self.world is None:
            try:
                self.world = StudioDog()
            except LocomoteError as error:  # such as an extra that is not installed
                self.problem = str(error)
                return
            self._tell(
                speed=float(self.speed.value),
                turn_rate=math.radians(self.turn.value),
                gait=_told(self.gait.value),
            )
            self._set(newtons=float(self.newtons.value), seconds=float(self.seconds.value), at=str(self.at.value))
        self.crowd_view = self.stage.crowd_view("dog", self.world.look, 1)

    def leave(self) -> None:
        """Off the stage."""
        self.gizmos.clear()
        if self.world is not None:
            self.world.release()
        if self.crowd_view is not None:
            self.crowd_view.remove()
            self.crowd_view = None

    def advance(self, dt: float) -> None:
        """Let it move."""
        if self.world is not None:
            self.world.advance(dt)

    def draw(self) -> None:
        """What was dragged since the last frame, the body, its feet and the pushes."""
        world, stage = self.world, self.stage
        if world is None or self.crowd_view is None:
            return
        for event in self.gizmos.take():
            self.controls.act(event.client, lambda event=event: self._drag(world, event))  # type: ignore[misc]
        places, turns = world.world()
        seen = stage.seen(places)
        planted = world.planted()
        shown = planted if planted.shape[1] == len(world.look.skeleton.roles.legs) else None
        self.crowd_view.show(seen, turns, None, shown, (0,))
        stage.mark_feet(world.dog.feet[0], world.dog.planted[0])
        stage.show_arrows(*world.arrows())
        self.gizmos.show(world.grips, seen[0], turns[0], world.held)

    def _drag(self, world: StudioDog, event: GizmoEvent) -> None:
        if event.phase == "end":
            world.release()
        else:
            world.drag(event.joint, event.place + self.stage.centre)

    def point(self, origin: FloatArray, direction: FloatArray) -> bool:
        """A click on the dog pushes it away."""
        return self.world is not None and self.world.click(origin, direction)

    def centre(self) -> FloatArray | None:
        """Where it is, on the ground."""
        if self.world is None:
            return None
        x, _, z = self.world.dog.positions[0]
        return np.array([x, 0.0, z])

    def subject(self) -> FloatArray | None:
        """The dog."""
        return None if self.world is None else self.world.world()[0][0]

    def steer(self, left: int, faster: int) -> None:
        """It turns, or goes another speed."""
        if faster:
            self._tell(speed=self.nudge(self.speed, FASTER * faster))
        if left:
            self._do(lambda w: w.turn(left))
            self.controls.show(self.turn, 0.0)

    def jump(self) -> None:
        """It leaps."""
        self._do(lambda w: w.dog.leap())

    def reading(self) -> str:
        """How fast it goes."""
        return self.problem or ("getting ready" if self.world is None else self.world.reading())

    def keep(self) -> None:
        """One frame of what is being recorded."""
        if self.world is not None:
            self.world.take.keep(self.world.dog.poses)

    def start_recording(self) -> None:
        """Begin to record."""
        if self.world is not None:
            self.world.take.clear()

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        return [] if self.world is None else self.world.recorded()


def _told(name: str) -> str:
    """A gait as the dog is told it."""
    return "auto" if name == BY_SPEED else name
