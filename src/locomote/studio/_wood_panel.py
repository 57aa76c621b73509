"""The tab of the wood: how hard the wind blows, from where, and how strong its gusts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locomote.human._model import HumanModel
from locomote.motion import Motion
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel
from locomote.studio._wood import StudioWood

if TYPE_CHECKING:
    from locomote.studio._app import Studio


class WoodPanel(Panel):
    """A small wood with people in it."""

    title = "Wood"

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.world: StudioWood | None = None
        self.views: list[CrowdView] = []

    def build(self) -> None:
        """The wind."""
        c = self.controls
        c.gui.add_markdown("People walk through the wood and push branches aside; trunks they go round.")
        self.speed = c.slider("wind m/s", 0.0, 20.0, 0.5, 4.0, lambda v: self._set(speed=float(v)))
        self.gust = c.slider("gusts m/s", 0.0, 15.0, 0.5, 5.0, lambda v: self._set(gust=float(v)), "that they add")
        self.heading = c.slider("wind to rad", -3.1, 3.1, 0.1, 1.6, lambda v: self._set(heading=float(v)))

    def _set(self, **values: Any) -> None:
        if self.world is not None:
            for name, value in values.items():
                setattr(self.world, name, value)

    def enter(self) -> None:
        """The wood comes on; the first time it is grown."""
        if self.world is None:
            self.world = StudioWood(HumanModel.default())
            self._set(speed=float(self.speed.value), gust=float(self.gust.value), heading=float(self.heading.value))
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
