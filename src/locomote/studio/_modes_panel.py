"""The tab of the vibrations: which body, how much of each, which gait, how stiff, in the air or on the ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from locomote.modal import Modes, describe
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._crowd_view import CrowdView
from locomote.studio._modes import (
    BODIES,
    MIX,
    NO_LEG,
    SHOWN,
    SOFTEST,
    STIFFEST,
    WIDEST,
    StudioModes,
)
from locomote.studio._panel import Panel
from locomote.studio._pieces import Look

if TYPE_CHECKING:
    from locomote.studio._app import Studio

FIRST = "wolf"
WIDEST_DEGREES = round(math.degrees(WIDEST))


class ModesPanel(Panel):
    """A body and its natural vibrations."""

    title = "Modes"
    about = "Natural vibrations: how a body swings by itself, slowest first."
    tries = (
        "choose a **gait** made of them",
        "mix them: a slider for each",
        "put it **on ground**, with a **stiff leg**",
    )
    room = 1.6

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.world: StudioModes | None = None
        self.crowd_view: CrowdView | None = None
        self._look: Look | None = None

    def build(self) -> None:
        """Who, what, how stiff, where."""
        c = self.controls
        self.kind = c.dropdown(
            "body", BODIES, FIRST, lambda name: self._change(lambda w: w.choose(name), True), "that vibrates"
        )
        self.gait = c.dropdown(
            "gait", (MIX,), MIX, lambda name: self._change(lambda w: w.play(name)), "mix: as the sliders say"
        )
        self.table = c.gui.add_markdown("")
        self.amounts = [
            c.slider(
                f"mode {k + 1} °", 0.0, WIDEST_DEGREES, 1.0, 0.0, lambda _: self._mix(), "how far the joints swing"
            )
            for k in range(SHOWN)
        ]
        self.stiffness = c.slider(
            "stiffness ×",
            SOFTEST,
            STIFFEST,
            0.05,
            1.0,
            lambda v: self._change(lambda w: w.stiffen(float(v))),
            "of all springs: four times as stiff swings twice as fast",
        )
        self.leg = c.dropdown(
            "stiff leg", (NO_LEG,), NO_LEG, lambda leg: self._change(lambda w: w.stiffen(leg=leg)), "ten times as stiff"
        )
        self.grounded = c.checkbox(
            "on ground", False, lambda down: self._change(lambda w: w.put_down(bool(down))), "feet hold there"
        )

    def _world(self) -> StudioModes:
        if self.world is None:
            self.world = StudioModes(FIRST)
        return self.world

    def _mix(self) -> None:
        self._change(lambda w: w.mix([math.radians(slider.value) for slider in self.amounts]))

    def _change(self, act: Callable[[StudioModes], object], framed: bool = False) -> None:
        """Let something be otherwise, and the controls say how it is now; another body is brought into the picture."""
        world, c = self._world(), self.controls
        act(world)
        for handle, options in ((self.gait, world.gaits), (self.leg, (NO_LEG, *world.legs))):
            if tuple(handle.options) != options:
                c.quiet = True  # a list that changes takes its first choice
                handle.options = options
                c.quiet = False
        shown = (
            (self.kind, world.name),
            (self.gait, world.gait),
            (self.leg, world.leg),
            (self.grounded, world.grounded),
        )
        for control, value in shown:
            c.show(control, value)
        for slider, amount in zip(self.amounts, world.amounts, strict=True):
            c.show(slider, round(math.degrees(amount)))
        self.table.content = _table(world.modes)
        if framed:
            self.studio.frame()

    def enter(self) -> None:
        """It comes on; the first time it is made."""
        self._change(lambda w: None)

    def leave(self) -> None:
        """Off the stage."""
        if self.crowd_view is not None:
            self.crowd_view.remove()
        self.crowd_view, self._look = None, None

    def advance(self, dt: float) -> None:
        """Let it move."""
        self._world().advance(dt)

    def watch(self) -> None:
        """Look at the feet."""
        ground = self._world().ground
        if ground is not None:
            ground.look_at_feet()

    def draw(self) -> None:
        """The body, and which feet stand."""
        world, stage = self._world(), self.stage
        if self.crowd_view is None or self._look is not world.look:
            self.leave()
            self.crowd_view, self._look = stage.crowd_view("modes", world.look, 1), world.look
        frame = world.seen()
        planted = frame.planted if frame.planted.shape[1] == len(world.look.skeleton.roles.legs) else None
        self.crowd_view.show(stage.seen(frame.positions), frame.turns, None, planted, (0,))
        stage.mark_feet(frame.points.reshape(-1, 3), frame.standing.reshape(-1))

    def centre(self) -> FloatArray:
        """Where it is."""
        return self._world().centre()

    def subject(self) -> FloatArray:
        """The body."""
        joints: FloatArray = self._world().seen().positions[0]
        return joints

    def reading(self) -> str:
        """What is played, and what the feet do."""
        world = self._world()
        if world.ground is None:
            return f"**{world.name}** in the air: {world.gait}, {world.crowd.gait.frequency:.2f} Hz"
        feet, crowd = world.ground.meter.reading, world.ground.crowd
        return f"{feet}  \n{world.name}: **{crowd.speeds[0]:.2f} m/s**, {crowd.gaits[0]}"

    def keep(self) -> None:
        """One frame of what is being recorded."""
        self._world().take.keep(self._world().poses)

    def start_recording(self) -> None:
        """Begin to record."""
        self._world().take.clear()

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        world = self._world()
        return world.take.motions(world.skeleton, world.name, world.body)


def _table(modes: Modes) -> str:
    """The vibrations that can be mixed: how fast each is, and what it is."""
    rows = list(zip(modes.frequencies, describe(modes), strict=True))[modes.rigid : modes.rigid + SHOWN]
    return "\n".join(f"{k}. {hertz:.2f} Hz, {_plain(what)}" for k, (hertz, what) in enumerate(rows, start=1))


def _plain(what: str) -> str:
    """A vibration in words: without the letter of the role it plays in a gait, or by the joint that turns most."""
    role, colon, words = what.partition(": ")
    return words if colon and len(role) == 1 else f"mostly {what}" if " " not in what else what
