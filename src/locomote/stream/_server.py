"""The WebSocket server: frames out and commands in, each client at its own pace, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterable
from http import HTTPStatus
from importlib import resources
from typing import TYPE_CHECKING, Any

from locomote.errors import LocomoteError, MissingExtra
from locomote.stream._client import Client
from locomote.stream._doors import Tls, check_door, encryption
from locomote.stream._engine import Engine
from locomote.stream._guard import Guard
from locomote.stream._messages import MOST_BYTES
from locomote.stream._running import Running

if TYPE_CHECKING:
    from websockets.asyncio.server import Server as Listening
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

MOST_CLIENTS = 64
PATIENCE = 20.0  # s: a client that does not answer a ping for so long is let go
WRITE_LIMIT = 65536  # bytes that may wait for the network before a client gets no more
# The page talks to this server only, and is shown in no other page.
_PAGE_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self' ws: wss:; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Server(Running):
    """Serves an engine's frames.

    Parameters
    ----------
    engine : what it serves
    host, port : where to listen; port 0 takes a free one
    token : that clients must bring; without one only this machine's own addresses are listened on
    allow_origins : pages of other sites that may connect
    tls : files of a certificate and its key, for wss:// and https://; None for the key: it is in the first
    most_clients : at once
    patience : s, after which a client that does not answer is let go
    """

    def __init__(
        self,
        engine: Engine,
        host: str = "127.0.0.1",
        port: int = 8765,
        *,
        token: str | None = None,
        allow_origins: Iterable[str] = (),
        tls: Tls | None = None,
        most_clients: int = MOST_CLIENTS,
        patience: float = PATIENCE,
    ) -> None:
        self.engine, self.host, self.port = engine, host, port
        self.dropped = 0  # frames that clients who have gone did not take in time
        self.refused = 0  # requests for a connection
        self._guard = Guard(token, allow_origins)
        check_door(host, token)
        self._encryption = None if tls is None else encryption(tls)
        self._most, self._patience = most_clients, patience
        self._clients: set[Client] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event | None = None
        self._listening = threading.Event()
        self._failed: Exception | None = None
        self._page = resources.files("locomote.stream").joinpath("viewer.html").read_bytes()

    @property
    def url(self) -> str:
        """Where to connect."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'ws' if self._encryption is None else 'wss'}://{host}:{self.port}"

    @property
    def page(self) -> str:
        """Where a browser shows everyone."""
        return self.url.replace("ws", "http", 1)

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._clients)

    def start(self) -> None:
        """Listen; connections are taken when this returns."""
        if self._thread is not None:
            raise LocomoteError("the server was started before; make a new one")
        try:
            import websockets.asyncio.server  # noqa: F401
        except ImportError:
            raise MissingExtra("websockets", "stream", "the stream server") from None
        self._thread = threading.Thread(target=self._run, name="locomote server", daemon=True)
        self._thread.start()
        self._listening.wait()
        if self._failed is not None:
            self._thread.join()
            number = getattr(self._failed, "errno", None)
            what = os.strerror(number) if number is not None and number > 0 else self._failed
            raise LocomoteError(f"{self.host}:{self.port}: cannot be listened on: {what}")

    def stop(self) -> None:
        """Say goodbye to everyone and end."""
        loop, stopping, thread = self._loop, self._stopping, self._thread
        if loop is not None and stopping is not None and thread is not None and thread.is_alive():
            with contextlib.suppress(RuntimeError):  # it ended by itself just now
                loop.call_soon_threadsafe(stopping.set)
            thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except (OSError, OverflowError) as error:
            self._failed = error
        finally:
            self._listening.set()

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        listening: Listening = await serve(
            self._welcome,
            self.host,
            self.port,
            ssl=self._encryption,
            process_request=self._request,
            compression=None,
            max_size=MOST_BYTES,
            max_queue=4,
            write_limit=WRITE_LIMIT,
            ping_interval=self._patience,
            ping_timeout=self._patience,
            close_timeout=2.0,
            server_header=None,
            logger=_quiet(),
        )
        async with listening:
            self.port = next(iter(listening.sockets)).getsockname()[1]
            self._listener = self.engine.listen(self._wake)
            self._listening.set()
            await self._stopping.wait()
            self._listener.close()

    def _wake(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._spread)

    def _spread(self) -> None:
        frame = self._listener.take(0.0)
        if frame is not None:
            for client in self._clients:
                client.offer(frame)

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse who may not connect; who asks for a page and not for a socket gets the viewer."""
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return self._answer(connection, request)
        refusal = self._guard.refuses(request.path, _headers(request))
        if refusal is None and len(self._clients) >= self._most:
            refusal = 503, f"there are {self._most} clients already"
        if refusal is None and not self.engine.running:
            refusal = 503, "the engine does not run"
        if refusal is None:
            return None
        self.refused += 1
        return connection.respond(HTTPStatus(refusal[0]), refusal[1] + "\n")

    def _answer(self, connection: ServerConnection, request: Request) -> Response:
        if request.path.partition("?")[0] != "/":
            return connection.respond(HTTPStatus.NOT_FOUND, "there is only the viewer, at /\n")
        response = connection.respond(HTTPStatus.OK, "")
        response.body = self._page
        del response.headers["Content-Length"], response.headers["Content-Type"]
        response.headers["Content-Length"] = str(len(self._page))
        for name, value in _PAGE_HEADERS.items():
            response.headers[name] = value
        return response

    async def _welcome(self, connection: ServerConnection) -> None:
        client = Client(connection, self.engine)
        self._clients.add(client)
        try:
            await client.run()
        finally:
            self._clients.discard(client)
            self.dropped += client.dropped


def _headers(request: Request) -> dict[str, str]:
    """The headers that matter; one that is given twice is not to be trusted."""
    found = {}
    for name in ("Origin", "Host", "Authorization"):
        values = request.headers.get_all(name)
        if len(values) == 1:
            found[name] = values[0]
        elif values:
            found[name] = "given twice"
    return found


def _quiet() -> Any:
    """A log that keeps what strangers send to itself."""
    import logging

    log = logging.getLogger("locomote.stream")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.propagate = False
    return log
