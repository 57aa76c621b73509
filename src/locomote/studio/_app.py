"""The studio: one server, one world at a time, one loop that keeps it going."""

from __future__ import annotations

import contextlib
import io
import logging
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import LocomoteError, MissingExtra
from locomote.studio._controls import Controls
from locomote.studio._guard import LOOPBACK, Gate
from locomote.studio._keys import Keys, table
from locomote.studio._panel import Panel
from locomote.studio._saving import Keeping
from locomote.studio._stage import SceneView
from locomote.studio._tabs import Tabs

_log = logging.getLogger("locomote")

RATE = 60.0  # steps a second of the engine
WATCHED_EVERY = 2  # steps between two looks at the feet: often enough to see every one that lifts
FPS = 30.0  # frames a second that are shown
READ_OUT = 0.5  # s between two read-outs
MOST_BEHIND = 3  # steps that are made up for; beyond that time is let go


class _Notices(logging.Handler):
    """Shows on the page what takes long: that something is compiled."""

    def __init__(self, read_out: Any) -> None:
        super().__init__()
        self._read_out = read_out

    def emit(self, record: logging.LogRecord) -> None:
        """In place of the figures, which come back by themselves."""
        self._read_out.content = f"getting ready: {record.getMessage()}"


class Studio:
    """Serves the page. `start` lets the world go on in a thread of its own; `tick` is one step of it.

    Parameters
    ----------
    host, port : where to listen; port 0 takes a free one
    token : that browsers must bring
    people : at the beginning
    shadows : drawn
    fps : frames a second that browsers are sent
    """

    panel: Panel  # the one that is shown
    controls: Controls
    keeping: Keeping
    playing: Any  # checkboxes
    following: Any

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        token: str | None = None,
        people: int = 1,
        shadows: bool = True,
        fps: float = FPS,
    ) -> None:
        try:
            import viser
        except ImportError:
            raise MissingExtra("viser", "studio", "the studio") from None
        if not 1.0 <= fps <= RATE:
            raise LocomoteError(f"fps: expected 1 to {RATE:g} frames a second, got {fps}")
        self.lock = threading.RLock()
        self.rate = RATE
        self._shown_every = max(1, round(RATE / fps))  # steps
        self.gate = Gate(host, token)
        with self.gate.before_server(), contextlib.redirect_stdout(io.StringIO()):  # it prints a banner
            self.server = viser.ViserServer(host=host, port=port, label="locomote studio", verbose=False)
        self.gate.watch(self.server)
        self.host, self.port, self.token = host, self.server.get_port(), token
        self.stage = SceneView(self.server, shadows)
        self.controls = Controls(self.server, self.lock)
        self.frames = 0
        self._ticks = 0
        self._read_at = 0.0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._build(people)

    @property
    def address(self) -> str:
        """Where the page is."""
        name = "localhost" if self.host in (*LOOPBACK, "0.0.0.0") else self.host
        return f"http://{name}:{self.port}" + (f"/?token={self.token}" if self.token else "")

    def _build(self, people: int) -> None:
        from locomote.studio._balance_panel import BalancePanel
        from locomote.studio._clips_panel import ClipsPanel
        from locomote.studio._creatures_panel import CreaturesPanel
        from locomote.studio._dog_panel import DogPanel
        from locomote.studio._modes_panel import ModesPanel
        from locomote.studio._people_panel import PeoplePanel
        from locomote.studio._pose_panel import PosePanel
        from locomote.studio._stones_panel import StonesPanel
        from locomote.studio._wood_panel import WoodPanel

        gui = self.server.gui
        gui.configure_theme(
            show_logo=False, show_share_button=False, brand_color=(52, 112, 158), control_width="medium"
        )
        gui.set_panel_label("locomote studio")
        self.panels: list[Panel] = [
            PeoplePanel(self, people),
            StonesPanel(self),
            CreaturesPanel(self),
            ClipsPanel(self),
            PosePanel(self),
            BalancePanel(self),
            DogPanel(self),
            WoodPanel(self),
            ModesPanel(self),
        ]
        self.panel = self.panels[0]
        c = self.controls
        names = [panel.title for panel in self.panels]
        self.tabs = Tabs(c, names, self.show, "what is on the stage; the others wait (keys 1 to 9 and 0)")
        self.read_out = gui.add_markdown("")
        self._folders: dict[str, Any] = {}
        for panel in self.panels:
            self._folders[panel.title] = gui.add_folder(panel.title, visible=panel is self.panel)
            with self._folders[panel.title]:
                panel.introduce()
                panel.build()
        with gui.add_folder("Time and camera", expand_by_default=False):
            self.playing = c.checkbox("play", True, lambda _: None, "or pause (key P)")
            self.slowed = c.slider("slow motion", 0.1, 1.0, 0.05, 1.0, lambda _: None, "1 is real time")
            self.following = c.checkbox("follow", True, lambda _: None, "the camera goes along (key F)")
            c.buttons("camera", ("frame",), lambda _: self.frame(), "bring what is shown into the picture (key C)")
        with gui.add_folder("Record and save", expand_by_default=False):
            self.keeping = Keeping(self)
            self.keeping.build()
        with gui.add_folder("Keys", expand_by_default=False):
            gui.add_markdown(table())
        self.keys = Keys(self)
        self.keys.build()
        self._notices = _Notices(self.read_out)
        logging.getLogger("locomote.kernels").addHandler(self._notices)
        self.panel.enter()
        self.frame()
        self.server.scene.on_click()(self._clicked)

    def open_scene(self, path: Path) -> None:
        """Begin with the people of a scene file."""
        with self.lock:
            self.keeping.open_scene(path, path.absolute().parent)

    def show(self, title: str) -> None:
        """Bring another world onto the stage."""
        found = next((panel for panel in self.panels if panel.title == title), None)
        if found is None:
            raise LocomoteError(f"show {title!r}: expected {', '.join(panel.title for panel in self.panels)}")
        if found is self.panel:
            return
        if self.keeping.recording:
            self.keeping.toggle()
        self.panel.leave()
        self.stage.clear()
        self._folders[self.panel.title].visible = False
        self.panel = found
        self._folders[title].visible = True
        self.tabs.mark(title)
        self.read_out.content = "getting ready"
        found.enter()
        self.frame()

    def frame(self) -> None:
        """Let all cameras have in the picture what the panel shows."""
        centre = self.panel.centre()
        self.stage.look_at(np.zeros(3) if centre is None else centre)
        subject = self.panel.subject()
        if subject is not None:
            self.stage.frame(subject, self.panel.room)

    def _clicked(self, event: Any) -> None:
        ray = np.array(event.ray_origin, dtype=np.float64), np.array(event.ray_direction, dtype=np.float64)
        hit = False

        def point() -> None:
            nonlocal hit
            hit = self.panel.point(ray[0] + self.stage.centre, ray[1])

        if not self.controls.act(event.client, point) or hit:
            return
        place = self.stage.on_floor(event.ray_origin, event.ray_direction)
        if place is not None:
            self.controls.act(event.client, lambda: self.panel.click(place, event.client))

    def tick(self) -> None:
        """One step of the world; every so many are shown."""
        with self.lock:
            self._ticks += 1
            if self.playing.value:
                self.panel.advance(float(self.slowed.value) / RATE)
                self.keeping.keep(1.0 / RATE)
            shown = self._ticks % self._shown_every == 0
            if shown or self._ticks % WATCHED_EVERY == 0:
                self.panel.watch()
            if shown:
                self.frames += 1
                centre = self.panel.centre()
                if centre is not None and self.following.value:
                    self.stage.look_at(centre)
                with self.server.atomic():
                    self.panel.draw()
                    self.stage.draw_floor()
            if self._ticks / RATE - self._read_at >= READ_OUT:
                self._read_at = self._ticks / RATE
                self.read_out.content = self.panel.reading()

    def start(self) -> None:
        """Let the world go on; it rests while nobody watches."""
        self._thread = threading.Thread(target=self._run, name="locomote-studio", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = time.perf_counter()
        while not self._stopping.is_set():
            if not self.server.get_clients():
                self._stopping.wait(0.1)
                due = time.perf_counter()
                continue
            try:
                self.tick()
            except Exception:  # a fault in one world must not end the studio
                _log.exception("studio")
                self._stopping.wait(1.0)
            due += 1.0 / RATE
            now = time.perf_counter()
            if now - due > MOST_BEHIND / RATE:
                due = now
            elif due > now:
                time.sleep(due - now)

    def stop(self) -> None:
        """Close the page."""
        logging.getLogger("locomote.kernels").removeHandler(self._notices)
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        with contextlib.redirect_stdout(io.StringIO()):
            self.server.stop()

    def wait(self) -> None:
        """Until somebody stops it."""
        while not self._stopping.wait(0.5):
            pass
