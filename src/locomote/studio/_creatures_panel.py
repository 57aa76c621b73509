"""The tab of the creatures: kinds and rigs, gait disks, feet, ground, crates, and a look behind the scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.creatures.catalogue._builtin import NAMES
from locomote.draw import _palette as palette
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._charts import gait_chart, map_chart
from locomote.studio._creatures import EDITED, MOST, RIGS, SIDES, StudioCreatures, field_lines, field_mesh
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel
from locomote.studio._stage import Place
from locomote.world import Obstacles

if TYPE_CHECKING:
    import viser

    from locomote.studio._app import Studio

CLICKS = ("send there", "crate", "raise ground", "lower ground")
CHART_EVERY = 4  # frames
MOST_FEET = 10  # whose phases have sliders of their own
DEBUG = ("off", "footholds", "map", "figures")
BUMP = 0.25  # hip heights, of a click on the ground, and more for tall ones


class CreaturesPanel(Panel):
    """Creatures with any number of legs."""

    title = "Creatures"

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.creatures: StudioCreatures | None = None
        self.crowd_view: CrowdView | None = None
        self.phases: list[Any] = []
        self._cast: object = None
        self._frames = 0
        self._kept: list[tuple[FloatArray, FloatArray]] = []
        self._ground_drawn = False

    def build(self) -> None:
        """Who, how, where, and why."""
        c = self.controls
        self.kind = c.dropdown("creature", NAMES, "spider", lambda name: self._change(lambda b: b.choose_kind(name)))
        c.upload("open rig", ",".join(RIGS), lambda n, data: self._change(lambda b: b.open_rig(n, data)))
        self.count = c.slider(
            "creatures",
            1,
            MOST,
            1,
            1,
            lambda n: self._change(lambda b: b.choose_kind(self.kind.value, int(n))),
        )
        self.click_does = c.dropdown("click does ", CLICKS, CLICKS[0], lambda _: None)
        self.speed = c.slider("pace m/s", -1.0, 6.0, 0.05, 0.5, lambda v: self._creatures().tell(speed=v))
        self.turn = c.slider("turning rad/s", -1.5, 1.5, 0.05, 0.0, lambda v: self._creatures().tell(turn_rate=v))
        with c.gui.add_folder("Gait") as self._gait_folder:
            self.gait = c.dropdown("gait by name", ("auto",), "auto", lambda name: self._set_gait(name))
            self.chart = c.gui.add_image(np.full((120, 520, 3), 255, dtype=np.uint8), format="png")
            self.period = c.slider("seconds a cycle", 0.15, 2.5, 0.01, 0.8, lambda _: self._edit())
            self.duty = c.slider("share on ground", 0.2, 0.95, 0.01, 0.6, lambda _: self._edit())
            self.lift = c.slider("step height m", 0.01, 0.5, 0.01, 0.08, lambda _: self._edit())
            self.wider = c.slider("feet wider", 0.6, 1.5, 0.01, 1.0, lambda _: self._space())
            self.longer = c.slider("feet longer", 0.6, 1.5, 0.01, 1.0, lambda _: self._space())
        with c.gui.add_folder("World"):
            self.hills = c.slider("hills m", 0.0, 1.0, 0.01, 0.0, lambda v: self._creatures().roughen(v))
            c.buttons("crates", ("throw one", "throw ten", "clear"), self._crates)
        with c.gui.add_folder("Behind the scenes", expand_by_default=False):
            self.debug = c.dropdown("view", DEBUG, DEBUG[0], lambda _: None)
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
        self.gait.options = ("auto", EDITED, *(name for name in names if name != EDITED))
        c.show(self.gait, "auto")
        c.show(self.speed, round(float(np.clip(creatures.crowd.speeds[0], -1.0, 6.0)), 2))
        c.show(self.count, len(creatures.crowd))
        for handle in self.phases:
            handle.remove()
        feet = creatures.creature.gaits.gaits[0].feet
        with self._gait_folder:
            self.phases = [
                c.slider(f"{foot} lands", 0.0, 0.99, 0.01, 0.0, lambda _: self._edit(), "turns of the cycle")
                for foot in feet[:MOST_FEET]
            ]
        self._read_gait()
        self._cast = None

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
        self._creatures().set_gait(name)
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
        if what == "clear":
            creatures.clear()
            return
        for _ in range(10 if what == "throw ten" else 1):
            creatures.throw()

    def enter(self) -> None:
        """They come on; the first time they are made."""
        if self.creatures is None:
            self._change(lambda b: None)
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

    def reading(self) -> str:
        """Skating, gait and state."""
        creatures = self._creatures()
        feet, crowd = creatures.meter.reading, creatures.crowd
        return (
            f"**feet**: {feet.standing} stand, skate **{feet.speed:.2f} mm/s**, stray **{feet.stray:.2f} mm**  \n"
            f"{creatures.creature.name}, {len(creatures.creature.morphology.legs)} legs: {crowd.gaits[0]}, "
            f"{crowd.speeds[0]:.2f} m/s, {crowd.states[0]}"
        )

    def click(self, place: Place, client: viser.ClientHandle) -> None:
        """What a click does is chosen in the panel."""
        creatures, what = self._creatures(), self.click_does.value
        bump = max(BUMP * creatures.creature.morphology.hip_height, 0.06)
        if what == "send there":
            creatures.go_to(place)
        elif what == "crate":
            creatures.throw(place)
        else:
            creatures.raise_ground(place, bump if what == "raise ground" else -bump, max(creatures.size, 0.8))

    def things(self) -> Obstacles:
        """The crates."""
        return self._creatures().obstacles.copy()

    def _drag(self, crate: int, place: Place, client: viser.ClientHandle) -> None:
        creatures = self._creatures()
        if crate in creatures.obstacles:
            self.controls.act(client, lambda: creatures.move(crate, place))

    def start_recording(self) -> None:
        """From now on."""
        self._kept = []

    def keep(self) -> None:
        """One frame of the chosen one."""
        poses, n = self._creatures().crowd.poses, self._creatures().chosen
        self._kept.append((poses.root_positions[n].copy(), poses.rotations[n].copy()))

    def recorded(self) -> list[Motion]:
        """The creature, with its body."""
        morphology = self._creatures().creature.morphology
        kept = [pair for pair in self._kept if pair[1].shape == (len(morphology.skeleton), 4)]
        if not kept:
            return []
        roots, turns = (np.array(each) for each in zip(*kept, strict=True))
        return [
            Motion(
                morphology.skeleton,
                self.studio.rate,
                roots,
                rot.continuous(turns),
                name=morphology.name,
                body=morphology.body,
            )
        ]
