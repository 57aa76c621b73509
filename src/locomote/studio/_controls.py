"""Controls of the page tied to what they control: a value that is refused is taken back, with the reason."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from locomote.errors import LocomoteError

if TYPE_CHECKING:
    import viser

_log = logging.getLogger("locomote")


class Controls:
    """Makes controls whose changes act under one lock, one after the other."""

    def __init__(self, server: viser.ViserServer, lock: threading.RLock) -> None:
        self.gui, self.lock = server.gui, lock
        self.quiet = False  # while the program itself sets controls, they do not act

    def act(self, client: viser.ClientHandle | None, action: Callable[[], object]) -> bool:
        """Do something under the lock; what cannot be done is said to the visitor. Gives back whether it was done."""
        with self.lock:
            return self.attempt(client, action)

    def attempt(self, client: viser.ClientHandle | None, action: Callable[[], object]) -> bool:
        """The same without the lock."""
        try:
            action()
        except LocomoteError as error:
            self.say(client, "not done", str(error), "red")
            return False
        except Exception as error:  # a fault of ours must not stop the page for everybody
            _log.exception("studio")
            self.say(client, "something went wrong", f"{type(error).__name__}: {error}", "red")
            return False
        return True

    def say(self, client: viser.ClientHandle | None, title: str, text: str, colour: Any = None) -> None:
        """A short message at the corner of the page."""
        if client is not None:
            client.add_notification(title, " ".join(text.split())[:300], color=colour, auto_close_seconds=6.0)

    def on_change(self, handle: Any, action: Callable[[Any], object]) -> Any:
        """Let a control act on every change of its value."""
        good = handle.value

        def changed(event: Any) -> None:
            nonlocal good
            if self.quiet:
                good = handle.value
                return
            value = handle.value
            if self.act(event.client, lambda: action(value)):
                good = value
            elif handle.value == value:
                self.show(handle, good)

        handle.on_update(changed)
        return handle

    def slider(
        self,
        label: str,
        low: float,
        high: float,
        step: float,
        value: float,
        action: Callable[[Any], object],
        hint: str = "",
    ) -> Any:
        """A slider."""
        return self.on_change(self.gui.add_slider(label, low, high, step, value, hint=hint or None), action)

    def checkbox(self, label: str, value: bool, action: Callable[[bool], object], hint: str = "") -> Any:
        """A checkbox."""
        return self.on_change(self.gui.add_checkbox(label, value, hint=hint or None), action)

    def dropdown(
        self, label: str, options: Sequence[str], value: str, action: Callable[[str], object], hint: str = ""
    ) -> Any:
        """A list of choices."""
        made = self.gui.add_dropdown(label, tuple(options), initial_value=value, hint=hint or None)
        return self.on_change(made, action)

    def button(self, label: str, action: Callable[[Any], object], hint: str = "", icon: Any = None) -> Any:
        """A button; the action is told who pressed it and runs under the lock."""
        made = self.gui.add_button(label, hint=hint or None, icon=icon)
        _on_click(made, lambda event: self.act(event.client, lambda: action(event.client)))
        return made

    def slow_buttons(
        self, label: str, options: Sequence[str], action: Callable[[str, Any], object], hint: str = ""
    ) -> Any:
        """A row of buttons whose actions take time and take the lock themselves, where they need it."""
        made = self.gui.add_button_group(label, tuple(options), hint=hint or None)
        _on_click(made, lambda event: self.attempt(event.client, lambda: action(str(made.value), event.client)))
        return made

    def buttons(self, label: str, options: Sequence[str], action: Callable[[str], object], hint: str = "") -> Any:
        """A row of buttons."""
        made = self.gui.add_button_group(label, tuple(options), hint=hint or None)
        _on_click(made, lambda event: self.act(event.client, lambda: action(str(made.value))))
        return made

    def upload(self, label: str, endings: str, action: Callable[[str, bytes], object], hint: str = "") -> Any:
        """A button that takes a file: its name, which is only to be shown, and its content."""
        made = self.gui.add_upload_button(label, mime_type=endings, hint=hint or None)

        def taken(event: Any) -> None:
            given = event.target.value
            self.act(event.client, lambda: action(given.name, given.content))

        made.on_upload(taken)
        return made

    def show(self, handle: Any, value: Any) -> None:
        """Set a control without letting it act."""
        self.quiet = True
        try:
            if handle.value != value:
                handle.value = value
        finally:
            self.quiet = False


def _on_click(button: Any, action: Callable[[Any], object]) -> None:
    def clicked(event: Any) -> None:
        action(event)

    button.on_click(clicked)
