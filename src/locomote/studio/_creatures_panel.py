"""The tab of the creatures: kinds and rigs, gait disks, feet, ground, crates, and a look behind the scenes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.creatures.catalogue._builtin import NAMES
from locomote.draw import _palette as palette
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._charts import gait_chart, map_chart
from locomote.studio._creatures import EDITED, MOST, RIGS, SIDES, StudioCreatures, field_lines, field_mesh
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel
from locomote.studio._recording import Take
from locomote.studio._stage import Place
from locomote.world import Obstacles

if TYPE_CHECKING:
    import viser

    from locomote.studio._app import Studio

GO_THERE, CRATE, RAISE = "go there", "crate", "raise ground"
CLICKS = (GO_THERE, CRATE, RAISE, "lower ground")
BY_SPEED = "by speed"
CHART_EVERY = 4  # frames
MOST_FEET = 10  # whose phases have sliders of their own
DEBUG = ("off", "footholds", "map", "figures")
FASTER = 0.07  # of the square root of gravity and hip height, for a press of a key
BUMP = 0.25  # hip heights, of a click on the ground, and more for tall ones


class CreaturesPanel(Panel):
    """Creatures with any number of legs."""

    title = "Creatures"
    about = "Any number of legs on any ground, without recorded motion."
    tries = (
        "keys **← →** turn, **↑ ↓** speed",
        "throw **crates**, make **hills**",
        "edit the **gait**, foot by foot",
    )
    room = 1.6

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.creatures: StudioCreatures | None = None
        self.crowd_view: CrowdView | None = None
        self.phases: list[Any] = []
        self._cast: object = None
        self._frames = 0
        self._take = Take(studio.rate)
        self._ground_drawn = False

    def build(self) -> None:
        """Who, how, where, and why."""
        c = self.controls
        self.kind = c.dropdown(
            "creature", NAMES, "spider", lambda name: self._change(lambda b: b.choose_kind(name)), "built in"
        )
        c.upload("open rig", ",".join(RIGS), lambda n, data: self._change(lambda b: b.open_rig(n, data)))
        self.count = c.slider(
            "creatures",
            1,
            MOST,
            1,
            1,
            lambda n: self._change(lambda b: b.begin(b.creature, int(n))),
            "how many of them",
        )
        self.on_click = c.dropdown("on click", CLICKS, CLICKS[0], lambda _: None, "what a click on the floor does")
        self.speed = c.slider(
            "speed m/s", -1.0, 6.0, 0.05, 0.5, lambda v: self._creatures().tell(speed=v), "keys ↑ and ↓"
        )
        self.turn = c.slider(
            "turn °/s",
            -90.0,
            90.0,
            1.0,
            0.0,
            lambda v: self._creatures().tell(turn_rate=math.radians(v)),
            "to the left",
        )
        with c.gui.add_folder("Gait") as self._gait_folder:
            self.gait = c.dropdown("gait", (BY_SPEED,), BY_SPEED, self._set_gait, "edited: as the sliders below say")
            self.chart = c.gui.add_image(np.full((120, 520, 3), 255, dtype=np.uint8), format="png")
            self.period = c.slider("cycle s", 0.15, 2.5, 0.01, 0.8, lambda _: self._edit(), "until a foot lands again")
            self.duty = c.slider("duty factor", 0.2, 0.95, 0.01, 0.6, lambda _: self._edit(), "share on the ground")
            self.lift = c.slider("lift m", 0.01, 0.5, 0.01, 0.08, lambda _: self._edit(), "height of a swinging foot")
            self.wider = c.slider("feet wide ×", 0.6, 1.5, 0.01, 1.0, lambda _: self._space(), "to the sides")
            self.longer = c.slider("feet long ×", 0.6, 1.5, 0.01, 1.0, lambda _: self._space(), "ahead and back")
        with c.gui.add_folder("Ground"):
            self.hills = c.slider("hills m", 0.0, 1.0, 0.01, 0.0, lambda v: self._creatures().roughen(v), "how high")
            c.buttons("crates", ("throw one", "throw ten", "remove all"), self._crates, "ahead; drag them")
        with c.gui.add_folder("Behind the scenes", expand_by_default=False):
            self.debug = c.dropdown("view", DEBUG, DEBUG[0], lambda _: None, "what feet look at, and what it takes")
            self.figures = c.gui.add_markdown("")
            self.map = c.gui.add_image(np.full((8, 8, 3), 255, dtype=np.uint8), format="png")
            self.map.visible = False

    def _creatures(self) -> StudioCreatures:
        if self.creatures is None:
            self.creatures = StudioCreatures()
        return self.creatures

    def _change(self, act: Any) -> None:
        act(self._creatures())
        self._new_kind()

    def _new_kind(self) -> None:
        """Sliders for other feet."""
        creatures, c = self._creatures(), self.controls
        names = tuple(gait.name for gait in creatures.creature.gaits.gaits)
        self.gait.options = (BY_SPEED, EDITED, *(name for name in names if name != EDITED))
        c.show(self.gait, BY_SPEED)
        kind = creatures.creature.name
        self.kind.options = NAMES if kind in NAMES else (*NAMES, kind)
        c.show(self.kind, kind)
        c.show(self.speed, round(float(np.clip(creatures.crowd.speeds[0], -1.0, 6.0)), 2))
        c.show(self.count, len(creatures.crowd))
        for handle in self.phases:
            handle.remove()
        feet = creatures.creature.gaits.gaits[0].feet
        with self._gait_folder:
            self.phases = [
                c.slider(f"{foot} lands", 0.0, 0.99, 0.01, 0.0, lambda _: self._edit(), "share of the cycle")
                for foot in feet[:MOST_FEET]
            ]
        self._read_gait()
        self._cast = None
        self._take.clear()
        self.studio.frame()

    def _read_gait(self) -> None:
        """Bring the sliders up to the gait that is gone."""
        creatures, c = self._creatures(), self.controls
        gait, knot = creatures.gait, creatures.knot
        values = (
            (self.period, float(creatures.crowd.periods[0])),
            (self.duty, float(gait.duty()[knot].mean())),
            (self.lift, float(gait.lift[knot]) * creatures.creature.morphology.hip_height),
        )
        for handle, value in values:
            c.show(handle, round(float(np.clip(value, handle.min, handle.max)), 2))
        for handle, landing in zip(self.phases, gait.touch_downs()[knot, :, 0], strict=False):
            c.show(handle, round(min(float(landing), 0.99), 2))

    def _set_gait(self, name: str) -> None:
        if name == EDITED:
            self._edit()
            return
        self._creatures().set_gait("auto" if name == BY_SPEED else name)
        self._read_gait()

    def _edit(self) -> None:
        creatures = self._creatures()
        landings = creatures.gait.touch_downs()[creatures.knot, :, 0].copy()
        landings[: len(self.phases)] = [handle.value for handle in self.phases]
        creatures.edit_gait(landings, float(self.duty.value), float(self.period.value), float(self.lift.value))
        self.controls.show(self.gait, EDITED)

    def _space(self) -> None:
        self._creatures().space_feet(float(self.wider.value), float(self.longer.value))

    def _crates(self, what: str) -> None:
        creatures = self._creatures()
        if what == "remove all":
            creatures.clear()
            return
        for _ in range(10 if what == "throw ten" else 1):
            creatures.throw()

    def enter(self) -> None:
        """They come on; the first time they are made."""
        if self.creatures is None:
            self._creatures()
            self._new_kind()
        self._cast, self._ground_drawn = None, False
        self._creatures().prints.changed = True

    def leave(self) -> None:
        """Off the stage."""
        if self.crowd_view is not None:
            self.crowd_view.remove()
            self.crowd_view = None

    def advance(self, dt: float) -> None:
        """Let them go."""
        self._creatures().advance(dt)

    def watch(self) -> None:
        """Look at the feet."""
        self._creatures().look_at_feet()

    def draw(self) -> None:
        """Bodies, feet, ground, crates, charts."""
        creatures, stage = self._creatures(), self.stage
        self._frames += 1
        if self._cast is not creatures.crowd:
            if self.crowd_view is not None:
                self.crowd_view.remove()
            self.crowd_view = stage.crowd_view("creatures", creatures.look, len(creatures.crowd))
            self._cast = creatures.crowd
        frame = creatures.frame
        assert self.crowd_view is not None
        skinned = tuple(range(len(creatures.crowd))) if len(creatures.crowd) <= 2 else (creatures.chosen,)
        legs = len(creatures.look.skeleton.roles.legs)
        planted = frame.planted if frame.planted.shape[1] == legs else None
        self.crowd_view.show(stage.seen(frame.positions), frame.turns, None, planted, skinned)
        stage.mark_feet(frame.points.reshape(-1, 3), frame.standing.reshape(-1))
        stage.show_obstacles(creatures.obstacles, creatures.ground, self._drag)
        stage.show_obstacles(creatures.air, creatures.ground, group="air")
        if self._frames % CHART_EVERY == 0:
            stage.show_prints(creatures.prints, SIDES[: len(creatures.prints.rows)], shoes=False)
            self.chart.image = gait_chart(
                creatures.gait, creatures.knot, float(creatures.crowd.phases[creatures.chosen])
            )
        self._draw_ground()
        self._look_behind()

    def _draw_ground(self) -> None:
        creatures = self._creatures()
        if creatures.ground_changed or not self._ground_drawn:
            level = not np.any(creatures.ground.arrays[1])
            meshes = (None, None) if level else (field_mesh(creatures.ground), field_lines(creatures.ground))
            self.stage.show_surface(*meshes)
            creatures.ground_changed, self._ground_drawn = False, True

    def _look_behind(self) -> None:
        creatures, stage, view = self._creatures(), self.stage, self.debug.value
        crowd, none = creatures.crowd, np.zeros((0, 3))
        shown = view == "footholds"
        stage.show_dots("wished", crowd.preferred.reshape(-1, 3) if shown else none, palette.SERIES[6])
        stage.show_dots("taken", crowd.footholds.reshape(-1, 3) if shown else none, palette.SERIES[4], 0.014)
        self.map.visible = view == "map"
        if self._frames % CHART_EVERY:
            return
        if view == "map":
            self.map.image = map_chart(*creatures.window())
        counts = crowd.counts
        scores = crowd._feet["score"][creatures.chosen]
        self.figures.content = (
            ""
            if view == "off"
            else (
                f"plans {counts['plans']}, couples weighed {counts['couples']}, legs posed {counts['legs']}  \n"
                f"scores of the last footholds {', '.join(f'{s:.2f}' for s in scores[:12])}  \n"
                f"reasons {', '.join(sorted(set(crowd.reasons[creatures.chosen].tolist())))}"
            )
        )

    def centre(self) -> FloatArray:
        """Where the first one is."""
        creatures = self._creatures()
        x, _, z = creatures.crowd.positions[creatures.chosen]
        return np.array([x, float(creatures.ground.heights((x, z))), z])

    def subject(self) -> FloatArray:
        """The chosen one."""
        creatures = self._creatures()
        joints: FloatArray = creatures.frame.positions[creatures.chosen]
        return joints

    def steer(self, left: int, faster: int) -> None:
        """All turn, or go another speed."""
        creatures = self._creatures()
        if faster:
            step = FASTER * math.sqrt(GRAVITY * creatures.creature.morphology.hip_height)
            creatures.tell(speed=self.nudge(self.speed, faster * step))
        if left:
            creatures.turn(left)
            self.controls.show(self.turn, 0.0)

    def reading(self) -> str:
        """Skating, gait and state."""
        creatures = self._creatures()
        feet, crowd = creatures.meter.reading, creatures.crowd
        return (
            f"{feet}  \n{creatures.creature.name}, {len(creatures.creature.morphology.legs)} legs: "
            f"**{crowd.speeds[0]:.2f} m/s**, {crowd.gaits[0]}, {crowd.states[0]}"
        )

    def click(self, place: Place, client: viser.ClientHandle) -> None:
        """What a click does is chosen in the panel."""
        creatures, what = self._creatures(), self.on_click.value
        bump = max(BUMP * creatures.creature.morphology.hip_height, 0.06)
        if what == GO_THERE:
            creatures.go_to(place)
        elif what == CRATE:
            creatures.throw(place)
        else:
            creatures.raise_ground(place, bump if what == RAISE else -bump, max(creatures.size, 0.8))

    def things(self) -> Obstacles:
        """The crates."""
        return self._creatures().obstacles.copy()

    def _drag(self, crate: int, place: Place, client: viser.ClientHandle) -> None:
        creatures = self._creatures()
        if crate in creatures.obstacles:
            self.controls.act(client, lambda: creatures.move(crate, place))

    def start_recording(self) -> None:
        """From now on."""
        self._take.clear()

    def keep(self) -> None:
        """One frame of the chosen one."""
        self._take.keep(self._creatures().crowd.poses, self._creatures().chosen)

    def recorded(self) -> list[Motion]:
        """The creature, with its body."""
        form = self._creatures().creature.morphology
        return self._take.motions(form.skeleton, form.name, form.body)
