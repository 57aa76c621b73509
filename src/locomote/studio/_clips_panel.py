"""The tab of the clips: files opened, measured, cleaned, retargeted and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.studio._charts import contact_chart
from locomote.studio._clips import ENDINGS, Clips
from locomote.studio._crowd_view import CrowdView
from locomote.studio._panel import Panel

if TYPE_CHECKING:
    from locomote.studio._app import Studio

CHART_EVERY = 6  # frames


class ClipsPanel(Panel):
    """Recorded motion."""

    title = "Clips"
    about = "Recorded motion, measured, cleaned and compared."
    tries = (
        "**clean** the sample, compare figures",
        "**open** a clip of your own",
        "tick **forces** of the ground",
    )

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.clips = Clips()
        self.crowd_views: list[CrowdView | None] = [None, None]
        self._cast: list[object] = [None, None]
        self._frames = 0

    def build(self) -> None:
        """Opening, acting, time, figures."""
        c, clips = self.controls, self.clips
        endings = ",".join(ENDINGS)
        c.upload("open clip", endings, lambda name, data: self._change(lambda: clips.open(0, name, data)))
        c.upload("open second clip", endings, lambda name, data: self._change(lambda: clips.open(1, name, data)))
        c.buttons(
            "first clip", ("sample", "clean", "retarget"), self._do, "feet put right, or on the body of the second clip"
        )
        self.forces = c.checkbox(
            "forces", False, lambda on: None, "of the ground, from below; red where no body could do it"
        )
        self.scrub = c.slider(
            "moment", 0.0, 1.0, 0.001, 0.0, lambda v: clips.seek(v * clips.duration), "share of the clip"
        )
        self.table = c.gui.add_markdown(clips.table())
        self.charts = [c.gui.add_image(np.full((70, 520, 3), 255, dtype=np.uint8), format="png") for _ in range(2)]
        for chart in self.charts:
            chart.visible = False

    def _do(self, what: str) -> None:
        acts = {"sample": self.clips.sample, "clean": self.clips.clean, "retarget": self.clips.retarget}
        self._change(acts[what])

    def _change(self, act: Any) -> None:
        act()
        self.table.content = self.clips.table()
        self.studio.frame()

    def enter(self) -> None:
        """The clips come on; at first there is a sample."""
        if self.clips.slots == [None, None]:
            self.clips.sample()
            self.table.content = self.clips.table()
        self._cast = [None, None]

    def leave(self) -> None:
        """Off the stage."""
        for slot, crowd_view in enumerate(self.crowd_views):
            if crowd_view is not None:
                crowd_view.remove()
                self.crowd_views[slot] = None

    def advance(self, dt: float) -> None:
        """Play."""
        self.clips.advance(dt)

    def draw(self) -> None:
        """Both bodies, their feet, the charts."""
        clips, stage = self.clips, self.stage
        self._frames += 1
        points, standing = [], []
        for slot, clip in enumerate(clips.slots):
            if clip is not self._cast[slot]:
                crowd_view = self.crowd_views[slot]
                if crowd_view is not None:
                    crowd_view.remove()
                self.crowd_views[slot] = None if clip is None else stage.crowd_view(f"clip{slot}", clip.look, 1)
                self._cast[slot] = clip
            frame, crowd_view = clips.frame(slot), self.crowd_views[slot]
            if frame is None or crowd_view is None or clip is None:
                continue
            crowd_view.show(stage.seen(frame.positions), frame.turns, None, frame.planted, (0,))
            points.append(frame.points.reshape(-1, 3))
            standing.append(frame.standing.reshape(-1))
            if self._frames % CHART_EVERY == 0:
                self.charts[slot].visible = True
                self.charts[slot].image = contact_chart(clip.contacts, clips.time, clip.motion.name)
        none = np.zeros((0, 3))
        stage.show_arrows(*(clips.arrows() if self.forces.value else (none, none, np.zeros(0))))
        if points:
            stage.mark_feet(np.concatenate(points), np.concatenate(standing))
        if self._frames % CHART_EVERY == 0 and clips.duration > 0.0:
            self.controls.show(self.scrub, round(clips.time / clips.duration, 3))

    def centre(self) -> FloatArray | None:
        """Between the roots."""
        roots = [
            clip.positions[clip.frame(self.clips.time), clip.motion.skeleton.roles.root]
            for clip in self.clips.slots
            if clip is not None
        ]
        if not roots:
            return None
        middle = np.mean(roots, axis=0)
        return np.array([middle[0], 0.0, middle[2]])

    def subject(self) -> FloatArray:
        """All bodies that are seen."""
        frames = [frame for frame in map(self.clips.frame, range(2)) if frame is not None]
        return np.concatenate([frame.positions.reshape(-1, 3) for frame in frames])

    def reading(self) -> str:
        """The feet of both as they are seen."""
        parts = [
            f"**{clip.motion.name[:24]}**, {clip.reading(self.clips.time)}"
            for clip in self.clips.slots
            if clip is not None
        ]
        return "  \n".join(parts)

    def recorded(self) -> list[Motion]:
        """The clips themselves."""
        return [clip.motion for clip in self.clips.slots if clip is not None]
