"""What every tab of the studio has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote.rotations import FloatArray
from locomote.studio._stage import Place
from locomote.world import Obstacles

if TYPE_CHECKING:
    import viser

    from locomote.motion import Motion
    from locomote.studio._app import Studio


class Panel:
    """A world of its own on the stage, and its controls. Only the one that is shown moves."""

    title = ""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.stage, self.controls = studio, studio.stage, studio.controls

    def build(self) -> None:
        """Make the controls; called once, inside the panel's folder."""

    def enter(self) -> None:
        """Come onto the stage."""

    def leave(self) -> None:
        """Go off the stage; it is cleared afterwards."""

    def advance(self, dt: float) -> None:
        """Let time pass."""

    def watch(self) -> None:
        """Look at the feet, more often than things are shown."""

    def draw(self) -> None:
        """Show how things are."""

    def centre(self) -> FloatArray | None:
        """What the camera follows, if anything."""
        return None

    def reading(self) -> str:
        """The feet in figures, for the read-out that is always on."""
        return ""

    def point(self, origin: FloatArray, direction: FloatArray) -> bool:
        """Somebody clicked along a line of sight ``(3,)``; whether it was for something that it hit."""
        return False

    def click(self, place: Place, client: viser.ClientHandle) -> None:
        """Somebody clicked a place on the floor."""

    def things(self) -> Obstacles | None:
        """What stands about, for pictures."""
        return None

    def keep(self) -> None:
        """One frame of what is being recorded."""

    def start_recording(self) -> None:
        """Begin to record."""

    def recorded(self) -> list[Motion]:
        """What was recorded, to be downloaded."""
        return []
