"""Keys of the page: what each does, for the browser and for the list that the page shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from locomote.studio._app import Studio

AGAIN = 0.1  # s; a key that is held repeats much faster than anybody steers
# Arrows would turn the camera as well: the page's library hears them on the document, after its hot keys one below. An
# arrow on a slider is for the slider.
_ARROWS = """
if (!window.locomoteArrows) {
  window.locomoteArrows = true;
  const arrow = (event) => event.code.startsWith('Arrow');
  document.body.addEventListener('keydown', (event) => {
    if (arrow(event) && event.target.getAttribute('role') === 'slider') event.stopPropagation();
  });
  document.documentElement.addEventListener('keydown', (event) => {
    if (arrow(event)) event.stopPropagation();
  });
}
"""


@dataclass(frozen=True)
class Key:
    """One key, as the browser and as people call it."""

    code: str
    name: str
    does: str
    act: Callable[[Studio], object]


KEYS = (
    Key("arrowleft", "←", "turn left", lambda s: s.panel.steer(1, 0)),
    Key("arrowright", "→", "turn right", lambda s: s.panel.steer(-1, 0)),
    Key("arrowup", "↑", "faster", lambda s: s.panel.steer(0, 1)),
    Key("arrowdown", "↓", "slower", lambda s: s.panel.steer(0, -1)),
    Key("J", "J", "jump", lambda s: s.panel.jump()),
    Key("O", "O", "something random in the way", lambda s: s.panel.drop_random()),
    Key("N", "N", "the next one", lambda s: s.panel.choose_next()),
    Key("P", "P", "play or pause", lambda s: s.controls.show(s.playing, not s.playing.value)),
    Key("F", "F", "camera follows, or stays", lambda s: s.controls.show(s.following, not s.following.value)),
    Key("C", "C", "camera back to who is shown", lambda s: s.frame()),
    Key("R", "R", "record, or stop", lambda s: s.keeping.toggle()),
)


class Keys:
    """Hot keys that act as the controls do."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._last: dict[str, float] = {}

    def build(self) -> None:
        """Tell the browser which keys there are."""
        from viser import _messages

        gui = self.studio.server.gui
        gui._websock_interface.queue_message(_messages.RunJavascriptMessage(source=_ARROWS))
        for key in KEYS:
            self._add(key)
        for k, panel in enumerate(self.studio.panels[:10]):
            code = str((k + 1) % 10)
            self._add(Key(code, code, f"show {panel.title}", partial(_show, panel.title)))

    def _add(self, key: Key) -> None:
        command = self.studio.server.gui.add_command(key.does, description=key.name, hotkey=key.code)  # type: ignore[arg-type]

        @command.on_trigger
        def _(event: Any) -> None:
            self.press(key, event.client)

    def press(self, key: Key, client: Any) -> None:
        """Do what a key is for, not more often than a hand would."""
        now = time.monotonic()
        if now - self._last.get(key.code, -AGAIN) < AGAIN:
            return
        self._last[key.code] = now
        self.studio.controls.act(client, lambda: key.act(self.studio))


def _show(title: str, studio: Studio) -> None:
    studio.show(title)


def table() -> str:
    """All keys, as a table of the page."""
    rows = [*((key.name, key.does) for key in KEYS), ("1 … 9, 0", "the panels in their order")]
    rows += [("W A S D Q E", "move the camera"), ("Ctrl K", "search for a command")]
    return "\n".join(["| key | |", "|---|---|", *(f"| {name} | {does} |" for name, does in rows)])
