"""The tab of the steps: stones to drag, a walk that is planned anew, and what was recorded of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locomote.draw import _palette as palette
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._charts import coverage_chart
from locomote.studio._crowd_view import CrowdView, linear
from locomote.studio._panel import Panel
from locomote.studio._people import SIDES
from locomote.studio._recording import Take
from locomote.studio._stage import STONE_HIGH as HIGH
from locomote.studio._stage import Place
from locomote.studio._stones import COUNT, Stones, coverage

if TYPE_CHECKING:
    import viser

    from locomote.studio._app import Studio

CHART_EVERY = 12  # frames


class StonesPanel(Panel):
    """Exact steps."""

    title = "Steps"
    about = "Every foot comes down exactly on the next stone."
    tries = (
        "drag a numbered stone",
        "put one **out of reach**, and back",
    )
    room = 1.05

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.stones: Stones | None = None
        self.crowd_view: CrowdView | None = None
        self._frames = 0
        self._take = Take(studio.rate)

    def build(self) -> None:
        """The number of stones, and the map of what was recorded."""
        c = self.controls
        self.count = c.slider("stones", 8, 60, 2, COUNT, self._reset, "in the ring")
        c.buttons("do", ("start again",), lambda _: self._reset(int(self.count.value)), "the stones in a ring")
        self.charted = c.checkbox("step map", True, self._show_chart, "recorded steps that these are made of")
        self.chart = c.gui.add_image(np.full((330, 520, 3), 255, dtype=np.uint8), format="png")

    def _show_chart(self, on: bool) -> None:
        self.chart.visible = on

    def _reset(self, count: int) -> None:
        if self.stones is not None:
            self.stones.reset(int(count))
            self.studio.frame()

    def enter(self) -> None:
        """The walker comes on; the first time its database is read."""
        if self.stones is None:
            self.stones = Stones(int(self.count.value))
            self._landings = coverage()
        self.crowd_view = self.stage.crowd_view("walker", self.stones.look, 1)
        self.stage.sink_floor(HIGH)

    def leave(self) -> None:
        """Off the stage."""
        if self.crowd_view is not None:
            self.crowd_view.remove()
            self.crowd_view = None

    def advance(self, dt: float) -> None:
        """Let it walk."""
        if self.stones is not None:
            self.stones.advance(dt)

    def watch(self) -> None:
        """Look at the feet."""
        if self.stones is not None:
            self.stones.look_at_feet()

    def draw(self) -> None:
        """Walker, stones, feet."""
        stones, stage = self.stones, self.stage
        if stones is None or self.crowd_view is None:
            return
        self._frames += 1
        frame = stones.frame
        self.crowd_view.show(stage.seen(frame.positions), frame.turns, None, frame.planted, (0,))
        stage.mark_feet(frame.points.reshape(-1, 3), frame.standing.reshape(-1))
        places = np.insert(stones.places, 1, 0.0, axis=1)
        sides = np.array([linear(palette.limb_colour(SIDES[k % 2])) for k in range(len(places))])
        sides[stones.heading_for] = linear(palette.PLANTED)
        stage.show_stones(places, sides, self._drag)
        stage.show_labels(tuple(str(k + 1) for k in range(len(places))), places + np.array([0.0, 0.05, 0.0]))
        if self._frames % CHART_EVERY == 0 and self.charted.value:
            self.chart.image = coverage_chart(self._landings, self._step())

    def _step(self) -> FloatArray:
        """The step to the next stone, as the chart has it; steps of the left foot are mirrored."""
        stones = self.stones
        assert stones is not None
        k = stones.heading_for
        support, start, end = (stones.places[(k - back) % len(stones.places)] for back in (1, 2, 0))
        behind = (start - support) / max(float(np.linalg.norm(start - support)), 1e-9)
        across = np.array([-behind[1], behind[0]]) * (1.0 if k % 2 else -1.0)
        way = end - support
        return np.array([way @ across, -(way @ behind)])

    def subject(self) -> FloatArray | None:
        """All stones, and the walker."""
        if self.stones is None:
            return None
        return np.concatenate([np.insert(self.stones.places, 1, 0.0, axis=1), self.stones.frame.positions[0]])

    def reading(self) -> str:
        """How well the feet stand on the stones."""
        stones = self.stones
        if stones is None:
            return "getting ready"
        feet = stones.meter.reading
        worst = 1000.0 * max(stones.landed.values(), default=0.0)
        text = f"{feet}  \nfarthest from the middle of a stone **{worst:.1f} mm**, next stone {stones.heading_for + 1}"
        return f"{text}  \n{stones.problem}" if stones.problem else text

    def click(self, place: Place, client: viser.ClientHandle) -> None:
        """Clicks do nothing here."""

    def _drag(self, stone: int, place: Place, client: viser.ClientHandle) -> None:
        if self.stones is not None:
            stones = self.stones
            stones.landed.pop(stone, None)
            self.controls.act(client, lambda: stones.move(stone, place))

    def start_recording(self) -> None:
        """From now on."""
        self._take.clear()

    def keep(self) -> None:
        """One frame."""
        if self.stones is not None:
            self._take.keep(self.stones.stepper.step(0.0))

    def recorded(self) -> list[Motion]:
        """The walk."""
        return (
            [] if self.stones is None else self._take.motions(self.stones.look.skeleton, "steps", self.stones.look.body)
        )
