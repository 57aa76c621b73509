"""What every tab of the studio has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locomote.errors import LocomoteError
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
    about = ""  # what it is, in a line
    tries: tuple[str, ...] = ()  # what to do first
    room = 1.9  # so many times as much as what is shown is in the picture

    def __init__(self, studio: Studio) -> None:
        self.studio, self.stage, self.controls = studio, studio.stage, studio.controls

    def introduce(self) -> None:
        """Say what it is and what to try; called once, inside the panel's folder."""
        tries = "".join(f"\n- {each}" for each in self.tries)
        self.controls.gui.add_markdown(f"{self.about} **Try this:**\n{tries}")

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

    def subject(self) -> FloatArray | None:
        """Points ``(M, 3)`` in the world that the camera is to have in view when they come onto the stage."""
        return None

    def steer(self, left: int, faster: int) -> None:
        """Keys: so many presses to the left, below 0 to the right, and so many for more speed."""
        raise LocomoteError(f"{self.title}: nobody is steered here")

    def jump(self) -> None:
        """A key lets whoever is steered jump."""
        raise LocomoteError(f"{self.title}: nobody jumps here")

    def drop_random(self) -> None:
        """A key puts something that nobody foresaw in the way of whoever is steered."""
        raise LocomoteError(f"{self.title}: nothing can be put in the way here")

    def choose_next(self) -> None:
        """A key lets one speak to the next one."""
        raise LocomoteError(f"{self.title}: there is nobody else to choose")

    def nudge(self, slider: Any, by: float) -> float:
        """Let a slider go on by so much, within its range; it does not act. Gives back its new value."""
        value: float = round(min(max(float(slider.value) + by, slider.min), slider.max), 3)
        self.controls.show(slider, value)
        return value

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
