"""The tab of the poses: a body dragged by its handles, clips edited at single moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._clips import ENDINGS
from locomote.studio._crowd_view import CrowdView
from locomote.studio._gizmos import GizmoEvent, Gizmos
from locomote.studio._panel import Panel
from locomote.studio._pose import StudioPose

if TYPE_CHECKING:
    from locomote.studio._app import Studio

POSE, CLIP = "pose", "clip"
NO_DRAG, REMOVE = "none yet", "remove"
SCRUB_EVERY = 6  # frames


class PosePanel(Panel):
    """Bodies posed by hand."""

    title = "Pose"
    about = "A body posed by its handles, as recorded people would stand."
    tries = (
        "drag the arrows at a **hand**",
        "click a ball: pin that joint, or free it",
        "**sample walk**: drags edit the clip",
    )
    room = 1.4

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.body: StudioPose | None = None
        self.gizmos = Gizmos(studio.stage.scene, lambda joint: self._choose(joint))
        self.crowd_view: CrowdView | None = None
        self._cast: object = None
        self._frames = 0

    def build(self) -> None:
        """The body, its handles, what is to be done, time."""
        c = self.controls
        c.upload("open body", ",".join(ENDINGS), lambda name, data: self._do(lambda b: b.open(name, data)))
        c.buttons("body", ("person", "sample walk"), self._begin, "the built-in one, or a clip of it")
        c.buttons(
            "pose", ("stand", "rest", "undo"), lambda what: self._do(lambda b: getattr(b, what)()), "undo: one drag"
        )
        self.pinning = c.checkbox("pin dragged", True, self._set_keep, "what was dragged stays where it is then")
        self.handle = c.dropdown("handle", ("hips",), "hips", lambda _: self._tell(), "the one that is meant below")
        self.pinned = c.checkbox(
            "pinned", False, lambda on: self._do(lambda b: b.set(self._joint(), pinned=on)), "it stays in its place"
        )
        self.turned = c.checkbox(
            "hold rotation",
            False,
            lambda on: self._do(lambda b: b.set(self._joint(), turned=on)),
            "of poses: rings to turn it by",
        )
        c.buttons("this handle", (REMOVE,), lambda _: self._do(lambda b: b.remove(self._joint())), "take it off")
        self.joint = c.dropdown("joint", ("Hips",), "Hips", lambda _: None, "where the next handle goes")
        c.buttons(
            "new handle",
            ("add",),
            lambda _: self._do(lambda b: self._choose(b.add(self.joint.value).joint)),
            "on this joint",
        )
        with c.gui.add_folder("Clip"):
            self.what = c.dropdown("drag", (POSE, CLIP), POSE, self._edit_clip, "a single pose, or the clip around now")
            self.scrub = c.slider("moment", 0.0, 1.0, 0.001, 0.0, self._seek, "share of the clip")
            self.window = c.slider("window s", 0.1, 3.0, 0.05, 0.5, self._set_window, "before and after the next drag")
            self.drags = c.dropdown("drags", (NO_DRAG,), NO_DRAG, lambda _: None, "made so far")
            c.buttons("this drag", (REMOVE,), lambda _: self._do(self._remove_drag), "take it back")

    def enter(self) -> None:
        """The body comes on; the first time the recorded poses are read."""
        self.body = self.body or StudioPose()
        self._cast = None
        self._tell()

    def leave(self) -> None:
        """Off the stage."""
        self.gizmos.clear()
        if self.body is not None:
            self.body.release()
        if self.crowd_view is not None:
            self.crowd_view.remove()
            self.crowd_view = None

    def advance(self, dt: float) -> None:
        """Play the clip."""
        if self.body is not None:
            self.body.advance(dt)

    def draw(self) -> None:
        """What was dragged since the last frame, and the body with its handles."""
        body, stage = self.body, self.stage
        if body is None:
            return
        for event in self.gizmos.take():
            self.controls.act(event.client, lambda event=event: self._drag(body, event))  # type: ignore[misc]
        if self._cast is not body.look:
            self.leave()
            self.crowd_view = stage.crowd_view("posed", body.look, 1)
            self._cast = body.look
        assert self.crowd_view is not None
        places, turns = body.world()
        seen = stage.seen(places - self._floor(body))
        pins = [grip.joint for grip in body.state.grips if grip.pinned]
        planted = np.array([[leg.ankle in pins for leg in body.skeleton.roles.legs]])
        self.crowd_view.show(seen, turns, None, planted, (0,))
        # Balls may be hidden in the body; labels are not.
        stage.show_labels(("pinned",) * len(pins), (places - self._floor(body))[0, pins])
        self.gizmos.show(body.state.grips, seen[0], turns[0], body.held)
        self._frames += 1
        if self._frames % SCRUB_EVERY == 0 and body.editing:
            self.controls.show(self.scrub, round(body.time / body.motion.duration, 3))

    def centre(self) -> FloatArray | None:
        """The hips of a clip; the view stands still while somebody drags."""
        body = self.body
        if body is None or not body.editing or body.held is not None:
            return None
        hips = body.world()[0][0, body.skeleton.roles.root]
        return np.array([hips[0], 0.0, hips[2]])

    def subject(self) -> FloatArray | None:
        """The body."""
        return None if self.body is None else self.body.world()[0][0] - self._floor(self.body)

    def reading(self) -> str:
        """What is posed."""
        body = self.body
        if body is None:
            return "getting ready"
        pins = [grip.title for grip in body.state.grips if grip.pinned]
        text = f"**{body.motion.name[:24]}**, pinned: {', '.join(pins) or 'nothing'}"
        if body.editing:
            text += f"  \nframe {body.frame + 1} of {len(body.motion)}, {len(body.state.drags)} drags"
        return text

    def recorded(self) -> list[Motion]:
        """The pose, or the clip as it is edited."""
        return [] if self.body is None else [self.body.shown]

    def _drag(self, body: StudioPose, event: GizmoEvent) -> None:
        if event.phase == "end":
            body.release()
            self._tell()
        elif event.phase == "start":
            if body.editing:  # who edits a moment wants to see that moment
                self.controls.show(self.studio.playing, False)
            self._choose(event.joint)
        else:
            body.drag(event.joint, event.place + self.stage.centre + self._floor(body), event.turn)

    @staticmethod
    def _floor(body: StudioPose) -> FloatArray:
        return np.array([0.0, body.ground, 0.0])

    def _begin(self, what: str) -> None:
        self._do(StudioPose.person if what == "person" else StudioPose.sample)

    def _do(self, act: Callable[[StudioPose], Any]) -> None:
        if self.body is not None:
            look = self.body.look
            act(self.body)
            if self.body.look is not look:
                self.studio.frame()
            self._tell()

    def _edit_clip(self, what: str) -> None:
        self._do(lambda body: body.edit_clip(what == CLIP))

    def _seek(self, share: float) -> None:
        if self.body is not None:
            self.body.seek(share * self.body.motion.duration)

    def _set_keep(self, on: bool) -> None:
        if self.body is not None:
            self.body.keep = on

    def _set_window(self, seconds: float) -> None:
        if self.body is not None:
            self.body.window = float(seconds)

    def _remove_drag(self, body: StudioPose) -> None:
        if self.drags.value != NO_DRAG:
            body.remove_drag(self.drags.options.index(self.drags.value))

    def _joint(self) -> int:
        for grip in () if self.body is None else self.body.state.grips:
            if grip.title == self.handle.value:
                return grip.joint
        raise LocomoteError("handle: there is none; add one first")

    def _choose(self, joint: int) -> None:
        if self.body is not None:
            with self.controls.lock:
                self._tell(self.body.grip(joint).title)

    def _tell(self, chosen: str | None = None) -> None:
        """Let the controls say how things are."""
        body = self.body
        if body is None or not body.state.grips:
            return
        self._offer(self.handle, body.titles, chosen)
        self._offer(self.joint, list(body.skeleton.names))
        drags = body.drag_titles()
        self._offer(self.drags, drags or [NO_DRAG], drags[-1] if drags else NO_DRAG)
        grip = body.grip(self._joint())
        for control, value in (
            (self.pinned, grip.pinned),
            (self.turned, grip.turned),
            (self.what, CLIP if body.editing else POSE),
        ):
            self.controls.show(control, value)

    def _offer(self, menu: Any, options: list[str], chosen: str | None = None) -> None:
        """Other choices in a menu; what was chosen stays where it is still there."""
        value = chosen or (menu.value if menu.value in options else options[0])
        if tuple(menu.options) != tuple(options):
            self.controls.quiet = True
            try:
                menu.options = tuple(options)
            finally:
                self.controls.quiet = False
        self.controls.show(menu, value)
