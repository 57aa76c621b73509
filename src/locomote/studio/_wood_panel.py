"""The tab of the wood: how hard the wind blows, from where, and how strong its gusts are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.human._model import HumanModel
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel
from locomote.studio._wood import StudioWood

if TYPE_CHECKING:
    from locomote.studio._app import Studio

REACH = 3.2  # m about the middle that is in the picture


class WoodPanel(Panel):
    """A small wood with people in it."""

    title = "Wind"
    about = "Trees and bushes in the wind, and people who walk among them."
    tries = ("let it blow **harder**, in stronger **gusts**", "watch people push branches aside")
    room = 1.0

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.world: StudioWood | None = None
        self.views: list[CrowdView] = []

    def build(self) -> None:
        """The wind."""
        c = self.controls
        self.speed = c.slider("wind m/s", 0.0, 20.0, 0.5, 4.0, lambda v: self._set(speed=float(v)), "the mean")
        self.gust = c.slider("gusts m/s", 0.0, 15.0, 0.5, 5.0, lambda v: self._set(gust=float(v)), "that they add")
        self.heading = c.slider(
            "blows to °", -180.0, 180.0, 5.0, 90.0, lambda v: self._set(heading=math.radians(v)), "90: to the right"
        )

    def _set(self, **values: Any) -> None:
        if self.world is not None:
            for name, value in values.items():
                setattr(self.world, name, value)

    def enter(self) -> None:
        """The wood comes on; the first time it is grown."""
        if self.world is None:
            self.world = StudioWood(HumanModel.default())
            self._set(
                speed=float(self.speed.value), gust=float(self.gust.value), heading=math.radians(self.heading.value)
            )
        kinds = [("walkers", self.world.people.look, len(self.world.people))]
        for k, (which, look) in enumerate(self.world.looks):
            kinds.append((f"wood{k}", look, len(self.world.forests[which])))
        self.views = [self.stage.crowd_view(*kind) for kind in kinds]

    def leave(self) -> None:
        """Off the stage."""
        for view in self.views:
            view.remove()
        self.views = []

    def advance(self, dt: float) -> None:
        """Let the wind blow."""
        if self.world is not None:
            self.world.advance(dt)

    def watch(self) -> None:
        """Look at the feet."""
        if self.world is not None:
            self.world.people.look_at_feet()

    def draw(self) -> None:
        """Walkers, trees and bushes."""
        if self.world is None or not self.views:
            return
        frame = self.world.people.frame
        self.views[0].show(self.stage.seen(frame.positions), frame.turns, frame.scales, frame.planted)
        shown = [self.world.world(k) for k in range(len(self.world.forests))]
        for view, (which, _) in zip(self.views[1:], self.world.looks, strict=True):
            places, turns, sizes = shown[which]
            view.show(self.stage.seen(places), turns, sizes)

    def subject(self) -> FloatArray | None:
        """The middle of the wood."""
        return None if self.world is None else np.array([[-REACH, 0.0, -REACH], [REACH, 1.5 * REACH, REACH]])

    def reading(self) -> str:
        """The wind, and what is touched."""
        return "getting ready" if self.world is None else self.world.reading()

    def keep(self) -> None:
        """One frame of what is being recorded."""
        if self.world is not None:
            self.world.keep()

    def start_recording(self) -> None:
        """Begin to record."""
        if self.world is not None:
            self.world.start_recording()

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        return [] if self.world is None else self.world.recorded()
