"""Handles in the scene that can be dragged; of what is dragged faster than it is shown, only the newest counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.draw import _palette as palette
from locomote.rotations import FloatArray
from locomote.studio._crowd_view import UNTURNED
from locomote.studio._grips import Grip

if TYPE_CHECKING:
    import viser

SIZE = 0.2  # m from the middle to the end of an arrow
BALL = 0.05  # m, radius: a little more than a wrist
MOVED = 1e-4  # m or of a quaternion: less is not sent


@dataclass(frozen=True, eq=False)
class GizmoEvent:
    """A handle that is taken hold of, dragged or let go; places are those of the page."""

    joint: int
    phase: str  # "start", "update" or "end"
    place: FloatArray  # (3,)
    turn: FloatArray  # (4,)
    client: viser.ClientHandle | None = None


class Gizmos:
    """A gizmo for each handle, with a ball that is green where the handle is pinned."""

    def __init__(self, scene: viser.SceneApi, clicked: Callable[[int], object]) -> None:
        self._scene, self._clicked = scene, clicked
        self._nodes: dict[int, tuple[Any, Any]] = {}
        self._events: list[GizmoEvent] = []
        self._lock = threading.Lock()

    def put(self, event: GizmoEvent) -> None:
        """Something happened; it waits until `take`."""
        with self._lock:
            last = self._events[-1] if self._events else None
            if last is not None and (last.joint, last.phase, event.phase) == (event.joint, "update", "update"):
                self._events.pop()
            self._events.append(event)

    def take(self) -> list[GizmoEvent]:
        """What happened since the last time."""
        with self._lock:
            out, self._events = self._events, []
        return out

    def show(self, grips: Sequence[Grip], places: FloatArray, turns: FloatArray, held: int | None) -> None:
        """Gizmos on joints ``(J, 3)`` of the page and ``(J, 4)``; the one that is held stays under the pointer."""
        for joint in set(self._nodes) - {grip.joint for grip in grips}:
            self._remove(joint)
        for grip in grips:
            gizmo, ball = self._nodes.get(grip.joint) or self._add(grip.joint)
            colour = palette.PLANTED if grip.pinned else palette.SHORE
            if tuple(ball.color) != tuple(colour):
                ball.color = colour
            if gizmo.disable_rotations == grip.turned:
                gizmo.disable_rotations = not grip.turned
            if grip.joint == held:
                continue
            turn = turns[grip.joint] if grip.turned else UNTURNED  # without rings, arrows along the world's axes
            if np.abs(gizmo.position - places[grip.joint]).max() > MOVED:
                gizmo.position = places[grip.joint]
            if np.abs(gizmo.wxyz - turn).max() > MOVED:
                gizmo.wxyz = turn

    def _add(self, joint: int) -> tuple[Any, Any]:
        name = f"/handles/{joint}"
        gizmo = self._scene.add_transform_controls(name, SIZE, disable_rotations=True, depth_test=False)
        ball = self._scene.add_icosphere(f"{name}/ball", BALL, color=palette.SHORE, opacity=0.6, cast_shadow=False)

        @gizmo.on_update
        async def _(event: Any) -> None:  # async: the phases of a drag stay in order
            place, turn = np.array(event.target.position), np.array(event.target.wxyz)
            self.put(GizmoEvent(joint, event.phase, place, turn, event.client))

        @ball.on_click
        def _(_event: Any) -> None:
            self._clicked(joint)

        self._nodes[joint] = gizmo, ball
        return gizmo, ball

    def _remove(self, joint: int) -> None:
        for node in reversed(self._nodes.pop(joint)):
            node.remove()

    def clear(self) -> None:
        """Take all of them off the page."""
        for joint in list(self._nodes):
            self._remove(joint)
        self.take()
