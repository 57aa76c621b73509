"""The tab of the people: sliders, clicks on the floor, things in the way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from locomote.human._model import HumanModel
from locomote.human._recording import Recorder
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel
from locomote.studio._people import KINDS, MOST_PEOPLE, OWN, SIDES, Manner, StudioPeople, warm_up
from locomote.studio._stage import Place
from locomote.world import Obstacles

if TYPE_CHECKING:
    import viser

    from locomote.studio._app import Studio

GO_THERE, CHOOSE, PATH, REMOVE = "go there", "choose", "add to path", "remove"
CLICKS = (GO_THERE, CHOOSE, PATH, "puddle", "box", "wall", REMOVE)
SKINNED = 6  # people with a true skin: the chosen one and those nearest to a camera
NEAR = 5.0  # m from a camera, beyond which joints of stiff pieces look like those of a skin
PRINTS_EVERY = 6  # frames
GAITS = ("by speed", "walk", "run")
FASTER = 0.2  # m/s for a press of a key
JUMP = 1.2  # m


class PeoplePanel(Panel):
    """People who walk, run, jump and find their way."""

    title = "People"
    about = "They walk, run, jump and find their way."
    tries = (
        "keys **← →** turn, **↑ ↓** speed, **J** jump",
        "click on the floor to send it there",
        "drop a **puddle** or a **box** ahead of it",
    )

    def __init__(self, studio: Studio, count: int) -> None:
        super().__init__(studio)
        model = HumanModel.default()
        warm_up(model)
        self.people = StudioPeople(model, count)
        self.crowd_view: CrowdView | None = None
        self._frames = 0
        self._takes: Recorder | None = None
        self._take_of = 0

    def build(self) -> None:
        """Sliders for who is meant, clicks, the crowd."""
        c, people = self.controls, self.people
        styles = people.model.styles
        self.on_click = c.dropdown("on click", CLICKS, CLICKS[0], lambda _: None, "what a click on the floor does")
        with c.gui.add_folder("Steer"):
            self.all = c.checkbox("everyone", False, self._everyone, "all of them, or only the one in the ring")
            self.speed = c.slider("speed m/s", 0.0, 5.5, 0.05, 1.3, lambda v: people.tell(speed=v), "keys ↑ and ↓")
            self.turn = c.slider(
                "turn °/s", -90.0, 90.0, 1.0, 0.0, lambda v: people.tell(turn_rate=math.radians(v)), "to the left"
            )
            c.slider("reached in s", 0.0, 10.0, 0.1, 0.0, self._within, "what is told; 0: as a person would")
            self.gait = c.dropdown("gait", GAITS, GAITS[0], self._gait, "walk or run, or whichever suits the speed")
            self.style = c.dropdown(
                "style", (OWN, *styles), OWN, lambda _: self._mix(), "how one moves; own: as this one came"
            )
            self.other = c.dropdown("second style", styles, Manner().second, lambda _: self._mix(), "to mix with")
            self.share = c.slider("its share", 0.0, 1.0, 0.01, 0.0, lambda _: self._mix(), "of the second style")
            self.size = c.slider("leg length m", 0.5, 1.3, 0.01, 0.9, lambda v: people.tell(leg_length=v), "body size")
            c.buttons("do", ("jump", "walk path", "walk freely"), self._do, "walk freely: forget goal and path")
        with c.gui.add_folder("In the way"):
            c.buttons("drop ahead", KINDS, people.drop_ahead, "before the one in the ring; drag it with the mouse")
            c.buttons("things", ("remove all",), lambda _: people.clear_things(), "puddles, boxes and walls")
        with c.gui.add_folder("Crowd"):
            self.count = c.slider("people", 1, MOST_PEOPLE, 1, len(people), self._count, "how many")
            self.mingle = c.checkbox("mingle", people.mingle, self._mingle, "who has arrived goes somewhere else")
            self.trail = c.checkbox(
                "footprints", True, lambda on: None if on else people.prints.clear(), "orange right, blue left"
            )

    def _everyone(self, on: bool) -> None:
        self.people.everyone = on

    def _mingle(self, on: bool) -> None:
        self.people.mingle = on

    def _within(self, seconds: float) -> None:
        self.people.within = seconds

    def _gait(self, name: str) -> None:
        self.people.tell(gait="auto" if name == GAITS[0] else name)

    def _mix(self) -> None:
        self.people.mix_styles(self.style.value, self.other.value, float(self.share.value))

    def _do(self, what: str) -> None:
        if what == "jump":
            self.jump()
        elif what == "walk path":
            self.people.walk_path()
            self.people.path.clear()
        else:
            self.people.release()

    def _count(self, count: int) -> None:
        if count == len(self.people):
            return
        grew = len(self.people) == 1 and count > 1
        self.people.set_count(int(count))
        if grew and not self.people.mingle:
            self.people.mingle = True
            self.controls.show(self.mingle, True)
        self._takes = None
        self._cast()

    def steer(self, left: int, faster: int) -> None:
        """Those who are meant turn, or go another speed."""
        if faster:
            self.people.tell(speed=self.nudge(self.speed, FASTER * faster))
        if left:
            self.people.turn(left)
            self.controls.show(self.turn, 0.0)

    def jump(self) -> None:
        """Those who are meant jump."""
        self.people.jump(JUMP)

    def drop_random(self) -> None:
        """Something in the way of the chosen one."""
        self.people.drop_random()

    def choose_next(self) -> None:
        """Speak to the next one."""
        self.people.choose((self.people.chosen + 1) % len(self.people))
        self._show_chosen()

    def subject(self) -> FloatArray:
        """The chosen one."""
        joints: FloatArray = self.people.frame.positions[self.people.chosen]
        return joints

    def changed(self) -> None:
        """Other people have come: show them, and bring the sliders up to date."""
        for handle, value in ((self.count, len(self.people)), (self.mingle, self.people.mingle)):
            self.controls.show(handle, value)
        self._takes = None
        self._cast()
        self._show_chosen()

    def things(self) -> Obstacles:
        """Puddles, boxes and walls."""
        return self.people.obstacles.copy()

    def _cast(self) -> None:
        if self.crowd_view is not None:
            self.crowd_view.remove()
        self.crowd_view = self.stage.crowd_view("people", self.people.look, len(self.people))
        pieces, grid, _ = self.people.ground.arrays
        level = len(pieces) == 0 and grid.size == 1
        self.stage.show_surface(None if level else self.people.ground.mesh(), floor=grid.size == 1)

    def enter(self) -> None:
        """The people come on."""
        self._cast()
        self.people.prints.changed = True

    def leave(self) -> None:
        """The people go off."""
        if self.crowd_view is not None:
            self.crowd_view.remove()
            self.crowd_view = None

    def advance(self, dt: float) -> None:
        """Let them walk."""
        self.people.advance(dt)

    def watch(self) -> None:
        """Look at the feet."""
        self.people.look_at_feet()

    def draw(self) -> None:
        """Bodies, feet, prints, things."""
        people, stage = self.people, self.stage
        frame = people.frame
        if self.crowd_view is None:
            return
        self._frames += 1
        seen = stage.seen(frame.positions)
        self.crowd_view.show(seen, frame.turns, frame.scales, frame.planted, self._near())
        stage.mark_feet(frame.points.reshape(-1, 3), frame.standing.reshape(-1))
        stage.choose(people.crowd.positions[people.chosen])
        stage.show_obstacles(people.obstacles, people.ground, self._drag)
        if self._frames % PRINTS_EVERY == 0 and self.trail.value:
            stage.show_prints(people.prints, SIDES)
        elif not self.trail.value and people.prints.changed:
            people.prints.clear()
            stage.show_prints(people.prints, SIDES)
        path = np.array([(x, 0.0, z) for x, z in people.path])
        stage.show_path(path)

    def _near(self) -> tuple[int, ...]:
        """The chosen one, and who is so near to a camera that one sees how the skin bends."""
        people, eyes = self.people, self.stage.eyes()
        if len(people) <= SKINNED:
            return tuple(range(len(people)))
        if not len(eyes):
            return (people.chosen,)
        at = self.stage.seen(people.frame.positions[:, 0])
        away = np.linalg.norm(at[:, None] - eyes, axis=2).min(axis=1)
        away[people.chosen] = 0.0
        return tuple(int(n) for n in np.argsort(away, kind="stable")[:SKINNED] if away[n] < NEAR)

    def centre(self) -> FloatArray:
        """Where the chosen one is."""
        place: FloatArray = self.people.crowd.positions[self.people.chosen]
        return place

    def reading(self) -> str:
        """Skating of all feet, what the chosen one is about, and the worst frames of the last two seconds."""
        people, feet = self.people, self.people.meter.reading
        crowd, n = people.crowd, people.chosen
        seen = people.body_meter.events(people.look.skeleton.roles, float(crowd.leg_lengths[n]))
        body = (
            f", knee {seen.knee_step:.1f}°, trunk {seen.trunk_jolt:.1f} % a frame" if seen.knee_step is not None else ""
        )
        return (
            f"{feet}  \nperson {n + 1} of {len(people)}: **{crowd.speeds[n]:.2f} m/s**, {crowd.states[n]}{body}  \n"
            f"style: {people.style_in_words(n)}"
        )

    def click(self, place: Place, client: viser.ClientHandle) -> None:
        """What a click on the floor does is chosen in the panel."""
        people, what = self.people, self.on_click.value
        if what == GO_THERE:
            people.go_to(place)
        elif what == CHOOSE:
            people.choose(people.nearest(place))
            self._show_chosen()
        elif what == PATH:
            people.add_to_path(place)
        elif what == REMOVE:
            people.remove_at(place)
        else:
            people.drop(what, place, float(people.crowd.headings[people.chosen]))

    def _show_chosen(self) -> None:
        """Let the controls say how the chosen one is."""
        people, n = self.people, self.people.chosen
        crowd, manner, show = people.crowd, people.manners[n], self.controls.show
        for handle, value, digits in (
            (self.speed, crowd.speeds[n], 2),
            (self.size, crowd.leg_lengths[n], 2),
            (self.turn, math.degrees(crowd.turn_rates[n]), 0),
        ):
            show(handle, round(float(np.clip(value, handle.min, handle.max)), digits))
        for handle, told in (
            (self.style, manner.style),
            (self.other, manner.second),
            (self.share, manner.share),
            (self.gait, GAITS[0] if manner.gait == "auto" else manner.gait),
        ):
            show(handle, told)

    def _drag(self, thing: int, place: Place, client: viser.ClientHandle) -> None:
        if thing in self.people.obstacles:
            self.controls.act(client, lambda: self.people.move(thing, place))

    def start_recording(self) -> None:
        """The chosen one from now on."""
        self._takes = Recorder(self.people.crowd, self.studio.rate)
        self._take_of = self.people.chosen

    def keep(self) -> None:
        """One frame."""
        if self._takes is not None:
            self._takes.keep()

    def recorded(self) -> list[Motion]:
        """The motion of the one who was recorded."""
        if self._takes is None or len(self._takes) == 0:
            return []
        return [self._takes.motions()[self._take_of]]
