"""Live Link of Unreal: everyone as JSON over UDP, for plug-ins that make a Live Link source of it.

A datagram is an object with one subject: its name, and its bones with ``Name``, ``Parent``, ``Location``, ``Rotation``
(x, y, z, w) and ``Scale``, each relative to its parent. Unreal is left-handed, in centimetres, z is up, and its
characters face +y: a place (x, y, z) becomes 100 (x, z, y), a rotation (w, x, y, z) the quaternion -x, -z, -y, w. Its
reader of glTF does the same, so that bones of a mesh that was brought in by it lie as these do.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.stream._engine import Engine
from locomote.stream._frames import Frame, GroupFrame, GroupLayout
from locomote.stream._sending import Sender, datagrams, resolved

PORT = 54321  # that the plug-in listens on unless told otherwise
LAYOUTS = ("array", "object")
CENTIMETRES = 100.0  # in a metre
MOST_SUBJECTS = 200
_WHOLE_SCALE = [1, 1, 1]

Who = Mapping[str, Sequence[int]] | None  # group: indices; None: everyone


def place_in_unreal(place: FloatArray) -> FloatArray:
    """Places ``(..., 3)`` in the space of a component of Unreal's, centimetres."""
    return CENTIMETRES * place[..., [0, 2, 1]]


def turn_in_unreal(rotation: FloatArray) -> FloatArray:
    """Rotations ``(..., 4)`` wxyz as Unreal's x, y, z, w."""
    return rotation[..., [1, 3, 2, 0]] * (-1.0, -1.0, -1.0, 1.0)


def subject_name(layout: GroupLayout, who: int) -> str:
    """What a character is called: by its own name, or by its group and number."""
    return layout.characters[who] if layout.characters else f"{layout.name}_{who}"


def subject(layout: GroupLayout, group: GroupFrame, who: int) -> list[dict[str, Any]]:
    """The bones of a character of a frame."""
    skeleton = layout.skeleton
    offsets = skeleton.offsets if layout.offsets is None else layout.offsets[who]
    places = place_in_unreal(offsets * float(group.scales[who]))
    places[0] = place_in_unreal(group.root_positions[who].astype(np.float64))
    turns = turn_in_unreal(group.rotations[who].astype(np.float64))
    rows = zip(
        skeleton.names, skeleton.parents.tolist(), places.round(4).tolist(), turns.round(7).tolist(), strict=True
    )
    return [
        {"Name": name, "Parent": parent, "Location": place, "Rotation": turn, "Scale": _WHOLE_SCALE}
        for name, parent, place, turn in rows
    ]


class LiveLinkSender(Sender):
    """Sends everyone of an engine's stage to Unreal, each as a subject of Live Link.

    Parameters
    ----------
    engine : whose frames
    host, port : of the plug-in
    who : group: indices; None: everyone
    layout : ``array``: a subject is the list of its bones; ``object``: they are under ``Bone``, beside ``Parameter``
    """

    def __init__(
        self,
        engine: Engine,
        host: str = "127.0.0.1",
        port: int = PORT,
        *,
        who: Who = None,
        layout: str = "array",
    ) -> None:
        if not 1 <= port <= 65535:
            raise LocomoteError(f"Live Link: port {port}: expected 1 to 65535")
        if layout not in LAYOUTS:
            raise LocomoteError(f"Live Link: layout {layout!r}: expected one of {', '.join(LAYOUTS)}")
        super().__init__(engine, "Live Link")
        self._layout = layout
        self._who = None if who is None else {name: tuple(rows) for name, rows in who.items()}
        self.address = (resolved(host, "Live Link"), port)
        self.failed = 0  # datagrams that could not be sent
        self._check(engine.latest)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names of whom is sent now."""
        frame = self._engine.latest
        return tuple(subject_name(frame.layout.groups[index], row) for index, row in self._rows(frame))

    def _check(self, frame: Frame) -> None:
        for name, rows in (self._who or {}).items():
            index = frame.layout.index(name)
            if index is None:
                there = ", ".join(group.name for group in frame.layout.groups)
                raise LocomoteError(f"Live Link: there is no group {name!r}; there are: {there}")
            count = frame.layout.groups[index].count
            if not rows or min(rows) < 0 or max(rows) >= count:
                raise LocomoteError(f"Live Link: {name} has characters 0 to {count - 1}, not {rows}")
        count = len(self._rows(frame))
        if count > MOST_SUBJECTS:
            raise LocomoteError(f"Live Link: {count} characters: expected {MOST_SUBJECTS} at most; say who")

    def _rows(self, frame: Frame) -> list[tuple[int, int]]:
        """Whom to send: index of the group, and of the character in it."""
        return [
            (index, row)
            for index, group in enumerate(frame.layout.groups)
            for row in (range(group.count) if self._who is None else self._who.get(group.name, ()))
            if row < group.count
        ]

    def _run(self) -> None:
        with datagrams(self.address[0]) as out:
            for frame in self._frames():
                self._send(out, frame)

    def _send(self, out: socket.socket, frame: Frame) -> None:
        for index, row in self._rows(frame):
            try:
                out.sendto(self._datagram(frame.layout.groups[index], frame.groups[index], row), self.address)
            except OSError:  # nobody listens yet, or the network is down: the next frame may get through
                self.failed += 1
        self.sent += 1

    def _datagram(self, layout: GroupLayout, group: GroupFrame, row: int) -> bytes:
        bones: Any = subject(layout, group, row)
        if self._layout == "object":
            bones = {"Bone": bones, "Parameter": []}
        # Readers take bytes for letters one by one: beyond ASCII they would not come through.
        return json.dumps({subject_name(layout, row): bones}, separators=(",", ":"), allow_nan=False).encode("ascii")
