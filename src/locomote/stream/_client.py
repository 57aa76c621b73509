"""One client of the server: what it wants to see, what waits for it, and what it says."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.stream import _hello as hello
from locomote.stream._commands import obey
from locomote.stream._engine import Engine
from locomote.stream._frames import Frame, Layout
from locomote.stream._guard import Allowance
from locomote.stream._messages import MOST_MESSAGES, Message, check, read_table, take_id
from locomote.stream._wire import encode

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

OBSTACLES_EVERY = 0.1  # s between two messages about obstacles that change all the time
PROBES = 0.1  # s between two questions to a client whether it has got what was sent
UNDER_WAY = 0.25  # s for which frames are sent without an answer to that; buffers on the way would hold seconds of them
EARLY = 0.25  # of a period by which a frame may be early for a client that wants fewer
POLICY_VIOLATION, GOING_AWAY = 1008, 1001  # codes of RFC 6455

Chosen = dict[str, list[int] | None]


class Client:
    """Gets the latest frame whenever it has taken the one before; what it misses meanwhile is dropped."""

    def __init__(self, connection: ServerConnection, engine: Engine) -> None:
        self.dropped = 0
        self._connection, self._engine = connection, engine
        self._frame: Frame | None = engine.latest
        self._ready = asyncio.Event()
        self._ready.set()
        self._allowance = Allowance()
        self._groups: Chosen | None = None  # everyone
        self._encoding = "float32"
        self._period = 0.0  # s between frames at least
        self._due = 0.0  # s of the stage's clock
        self._layout = -1  # that it was told last
        self._things = -1, -np.inf  # version and time of the obstacles that it was told last
        self._probe: asyncio.Future[float] | None = None  # done when the client has got all up to there
        self._probed = -np.inf  # s of the loop's clock
        self._picked: dict[int, npt.NDArray[np.int64] | None] = {}  # group index to rows, of the last layout

    def offer(self, frame: Frame) -> None:
        """A new frame; the one that still waits is dropped for it."""
        if frame.time < self._due - EARLY * self._period:
            return
        behind = frame.time - self._due > self._period
        self._due = (frame.time if behind else self._due) + self._period
        self.dropped += self._frame is not None
        self._frame = frame
        self._ready.set()

    async def run(self) -> None:
        """Write and read until the connection ends."""
        from websockets.exceptions import ConnectionClosed

        writing = asyncio.create_task(self._write())
        try:
            async for text in self._connection:
                if not await self._hear(text):
                    await self._connection.close(POLICY_VIOLATION, "too many messages")
                    return
        except ConnectionClosed:
            pass
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def _write(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await self._ready.wait()
                await self._keep_up()
                frame, self._frame = self._frame, None
                self._ready.clear()
                if frame is not None:
                    await self._send(frame)
        except ConnectionClosed:
            pass

    async def _keep_up(self) -> None:
        """Wait for a client that is behind: what it gets next shall be the latest, not what lies in buffers."""
        now = asyncio.get_running_loop().time()
        if self._probe is not None and not self._probe.done():
            if now - self._probed > UNDER_WAY:
                await self._probe
        elif now - self._probed > PROBES:
            self._probe = asyncio.ensure_future(await self._connection.ping())
            self._probed = now

    async def _send(self, frame: Frame) -> None:
        send = self._connection.send
        if frame.layout.number != self._layout:
            self._layout = frame.layout.number
            self._pick(frame.layout)
            await send(frame.made_once("hello", lambda: hello.hello(frame.layout)))
        version, time = frame.things.version, frame.time
        if version != self._things[0] and time - self._things[1] >= OBSTACLES_EVERY:
            self._things = version, time
            await send(frame.made_once("obstacles", lambda: hello.obstacles(frame.things)))
        for index, rows in self._picked.items():
            await send(self._bytes(frame, index, rows))

    def _bytes(self, frame: Frame, index: int, rows: npt.NDArray[np.int64] | None) -> bytes:
        encoding = self._encoding
        if rows is not None:
            return encode(frame, index, encoding, rows)
        made: bytes = frame.made_once((index, encoding), lambda: encode(frame, index, encoding))
        return made

    def _pick(self, layout: Layout) -> None:
        """Pick the groups that are wanted; of those that have gone nothing is sent."""
        wanted: Chosen = self._groups or {}
        self._picked = {}
        for index, group in enumerate(layout.groups):
            if self._groups is None:
                self._picked[index] = None
            elif group.name in wanted:
                who = wanted[group.name]
                rows = None if who is None else np.array([each for each in who if each < group.count], np.int64)
                self._picked[index] = rows

    async def _hear(self, text: str | bytes) -> bool:
        """Do what a message says and answer; False when there were far too many."""
        if not self._allowance.spend():
            if self._allowance.abused:
                return False
            await self._tell({"type": "error", "error": f"at most {MOST_MESSAGES} messages a second"})
            return True
        id: int | str | None = None
        try:
            table = read_table(text)
            id = take_id(table)
            answer = await self._obey(check(table))
        except LocomoteError as error:
            answer = {"type": "error", "error": str(error)[:400]}
        except Exception:  # a fault of ours must not be a way to bring the server down
            answer = {"type": "error", "error": "it could not be done"}
        if id is not None:
            answer["id"] = id
        await self._tell(answer)
        return True

    async def _obey(self, message: Message) -> dict[str, Any]:
        if message.type == "subscribe":
            return self._subscribe(message)
        done = await asyncio.wrap_future(self._engine.ask(lambda stage: obey(stage, message)))
        return {"type": "done", "did": message.type, **done}

    def _subscribe(self, message: Message) -> dict[str, Any]:
        layout = self._engine.latest.layout
        groups: Chosen | None = message.values.get("groups")
        for name, who in (groups or {}).items():
            index = layout.index(name)
            if index is None:
                known = ", ".join(group.name for group in layout.groups)
                raise LocomoteError(f"groups: there is no {name!r}; there are: {known}")
            count = layout.groups[index].count
            if who is not None and max(who) >= count:
                raise LocomoteError(f"groups: {name} has characters 0 to {count - 1}, not {max(who)}")
        rate = message.values.get("rate")
        self._groups, self._encoding = groups, message.values.get("rotations", "float32")
        self._period, self._due = (0.0 if rate is None else 1.0 / rate), 0.0
        if self._layout == layout.number:  # otherwise they are picked when it is told of the new one
            self._pick(layout)
        return {"type": "subscribed", "groups": groups, "rate": rate, "rotations": self._encoding}

    async def _tell(self, answer: dict[str, Any]) -> None:
        await self._connection.send(json.dumps(answer, separators=(",", ":"), allow_nan=False))
