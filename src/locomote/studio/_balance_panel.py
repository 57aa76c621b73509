"""The tab of balance: drag a hand, push, change feet, crouch, jump."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._balance import PUSHES, WEIGHT_LONG, StudioBalance
from locomote.studio._crowd_view import CrowdView
from locomote.studio._gizmos import GizmoEvent, Gizmos
from locomote.studio._panel import Panel

if TYPE_CHECKING:
    from locomote.studio._app import Studio

FREE, AGAIN = "free hands", "start again"


class BalancePanel(Panel):
    """Somebody with weight."""

    title = "Balance"
    about = "Somebody with weight, who does not want to fall."
    tries = ("drag the arrows at a hand", "push, or let it stand on **one foot**", "key **J**: jump")
    room = 1.3

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.world: StudioBalance | None = None
        self.problem = ""
        self.gizmos = Gizmos(studio.stage.scene, lambda joint: None)
        self.crowd_view: CrowdView | None = None

    def build(self) -> None:
        """What can be asked of it."""
        c = self.controls
        c.buttons(
            "stand on", ("left", "both", "right"), lambda on: self._do(lambda w: w.person.stand(on)), "which foot"
        )
        c.buttons("push to", tuple(PUSHES), lambda where: self._do(lambda w: w.push(where)), "60 N for 0.2 s, chest")
        self.crouch = c.slider(
            "height ×", 0.6, 1.05, 0.01, 1.0, lambda v: self._do(lambda w: w.person.crouch(v)), "of the centre of mass"
        )
        c.buttons("do", ("jump", FREE, AGAIN), self._act, "free hands: they go back to where they hang")
        self.forces = c.checkbox("forces", True, lambda on: None, "of the ground, from below")
        self.calm = c.checkbox(
            "calm", True, lambda on: self._do(lambda w: w.set_calm(on)), "no angular momentum: arms make up for hands"
        )

    def _act(self, what: str) -> None:
        acts: dict[str, Callable[[StudioBalance], None]] = {
            "jump": lambda w: w.person.jump(),
            FREE: StudioBalance.free_hands,
            AGAIN: StudioBalance.begin,
        }
        self._do(acts[what])

    def _do(self, act: Callable[[StudioBalance], object]) -> None:
        if self.world is None:
            raise LocomoteError(self.problem or "getting ready")
        act(self.world)

    def enter(self) -> None:
        """It comes on; the first time its space is learnt from the recorded poses."""
        if self.world is None:
            try:
                self.world = StudioBalance()
            except LocomoteError as error:  # such as an extra that is not installed
                self.problem = str(error)
                return
        self.crowd_view = self.stage.crowd_view("balance", self.world.look, 1)

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
        """What was dragged since the last frame, the body and the forces."""
        world, stage = self.world, self.stage
        if world is None or self.crowd_view is None:
            return
        for event in self.gizmos.take():
            self.controls.act(event.client, lambda event=event: self._drag(world, event))  # type: ignore[misc]
        places, turns = world.world()
        seen = stage.seen(places)
        planted = np.array([[leg.side in world.person.support for leg in world.skeleton.roles.legs]])
        self.crowd_view.show(seen, turns, None, planted, (0,))
        none = np.zeros((0, 3))
        stage.show_arrows(*(world.arrows() if self.forces.value else (none, none, np.zeros(0))))
        self.gizmos.show(world.grips, seen[0], turns[0], world.held)

    def _drag(self, world: StudioBalance, event: GizmoEvent) -> None:
        if event.phase == "end":
            world.release()
        else:
            world.drag(event.joint, event.place + self.stage.centre)

    def jump(self) -> None:
        """From where it stands."""
        self._do(lambda w: w.person.jump())

    def subject(self) -> FloatArray | None:
        """The body, and the forces below it."""
        if self.world is None:
            return None
        return np.concatenate([self.world.world()[0][0], [[0.0, -0.5 * WEIGHT_LONG, 0.0]]])

    def reading(self) -> str:
        """What it stands on."""
        return self.problem or ("getting ready" if self.world is None else self.world.reading())

    def keep(self) -> None:
        """One frame of what is being recorded."""
        if self.world is not None:
            self.world.take.keep(self.world.person.poses)

    def start_recording(self) -> None:
        """Begin to record."""
        if self.world is not None:
            self.world.take.clear()

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        return [] if self.world is None else self.world.recorded()
