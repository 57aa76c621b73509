"""A row of buttons that choose what is shown; the one that is shown is filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from locomote.draw import _palette as palette
from locomote.studio._controls import Controls

# The page's own library has buttons in a row, none of which stays pressed. A group is found by the label it belongs to.
_STYLE = """<style>
:has(> * > * > label[for="{group}"]) > :has(label) {{ display: none; }}
:has(> * > * > label[for="{group}"]) button:nth-of-type({chosen}) {{ background: rgb{colour}; color: white; }}
</style>"""


class Tabs:
    """Buttons of which one is marked."""

    def __init__(self, controls: Controls, titles: Sequence[str], action: Callable[[str], object], hint: str) -> None:
        self.titles = tuple(titles)
        self._group = controls.buttons("show", self.titles, action, hint)
        self._style = controls.gui.add_html("")
        self.mark(self.titles[0])

    def mark(self, title: str) -> None:
        """Fill the button of the one that is shown, and no other."""
        chosen = self.titles.index(title) + 1
        self._style.content = _STYLE.format(group=self._group._impl.uuid, chosen=chosen, colour=palette.SHORE)
