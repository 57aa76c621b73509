"""The part of the page that keeps things: recordings, pictures, films, scenes."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locomote.errors import LocomoteError
from locomote.studio import _recording as recording
from locomote.studio import _scenes as scenes
from locomote.studio._people_panel import PeoplePanel

if TYPE_CHECKING:
    import viser

    from locomote.studio._app import Studio

PICTURE = (1280, 720)  # px
EVERY = 0.5  # s between two words on how far something is
PATIENCE = 30.0  # s that a page has to draw itself
IDLE, BUSY = "record", "stop"
MOTION, FILM, STILL, SCENE = "motion", "film", "picture", "scene"


class Progress:
    """A message at the corner of a page that says how far something is, and how long it will take."""

    def __init__(self, client: viser.ClientHandle, title: str) -> None:
        self._client, self._title = client, title
        self._begun = time.monotonic()
        self._told = self._begun - EVERY
        self.notice: Any = None

    def __call__(self, done: int, total: int) -> None:
        """So much of it is done."""
        now = time.monotonic()
        if now - self._told < EVERY:
            return
        self._told = now
        left = (now - self._begun) / done * (total - done)
        text = f"frame {done} of {total}, {left:.0f} s left"
        if self.notice is None:
            self.notice = self._client.add_notification(self._title, text, loading=True, with_close_button=False)
        self.notice.body = text

    def end(self) -> None:
        """Take the message away."""
        if self.notice is not None:
            self.notice.remove()


class Keeping:
    """Record and download, for whichever world is on the stage."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.controls = studio, studio.controls
        self.recording = False
        self.seconds = 0.0

    def build(self) -> None:
        """The controls."""
        c = self.controls
        self.record = c.buttons("the chosen one", (IDLE,), lambda _: self.toggle(), "from now on (key R)")
        self.format = c.dropdown("format", recording.FORMATS, recording.FORMATS[0], lambda _: None, "of motions")
        saves = {MOTION: self._motion, FILM: self._film, STILL: self._picture, SCENE: self._save_scene}
        c.slow_buttons(
            "download",
            tuple(saves),
            lambda what, client: saves[what](client),
            "what was recorded, a film of it, what you see, or the people as a scene of `locomote script`",
        )
        c.upload("open scene", ".toml", self._open_scene)

    def toggle(self) -> None:
        """Begin a recording, or end it."""
        self.recording = not self.recording
        self.record.options = (BUSY if self.recording else IDLE,)
        if self.recording:
            self.seconds = 0.0
            self.studio.panel.start_recording()

    def keep(self, dt: float) -> None:
        """One frame; long recordings end by themselves."""
        if not self.recording:
            return
        self.studio.panel.keep()
        self.seconds += dt
        if self.seconds >= recording.LONGEST:
            self.toggle()

    def _motion(self, client: viser.ClientHandle) -> None:
        with self.studio.lock:
            motions = self.studio.panel.recorded()
        client.send_file_download(*recording.motion_file(motions, self.format.value), save_immediately=True)

    def _film(self, client: viser.ClientHandle) -> None:
        with self.studio.lock:
            motions, things = self.studio.panel.recorded(), self.studio.panel.things()
        progress = Progress(client, "film")
        try:
            made = recording.film_file(motions, recording.film_format(), things, progress)
        finally:
            progress.end()
        client.send_file_download(*made, save_immediately=True)

    def _picture(self, client: viser.ClientHandle) -> None:
        from PIL import Image

        try:
            pixels = client.get_render(height=PICTURE[1], width=PICTURE[0], timeout=PATIENCE)
        except (TimeoutError, RuntimeError) as error:  # a hidden or overloaded page draws nothing
            raise LocomoteError(f"picture: the page did not draw itself; show it and try again ({error})") from None
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "PNG")
        client.send_file_download("picture.png", out.getvalue(), save_immediately=True)

    def _save_scene(self, client: viser.ClientHandle) -> None:
        with self.studio.lock:
            text = scenes.scene_text(self._people_panel().people)
        client.send_file_download("scene.toml", text.encode(), save_immediately=True)

    def _open_scene(self, _name: str, content: bytes) -> None:
        with tempfile.TemporaryDirectory(prefix="locomote-studio-") as aside:
            path = Path(aside) / "scene.toml"  # whatever it is called where it comes from
            path.write_bytes(content)
            self.open_scene(path, Path(aside))

    def open_scene(self, path: Path, folder: Path) -> None:
        """Let the people of a scene come on."""
        scene = scenes.read_checked(path, folder)
        panel = self._people_panel()
        scenes.enact(panel.people, scene)
        self.studio.show(panel.title)
        panel.changed()

    def _people_panel(self) -> PeoplePanel:
        for panel in self.studio.panels:
            if isinstance(panel, PeoplePanel):
                return panel
        raise LocomoteError("scene: there are no people here")
