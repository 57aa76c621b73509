"""Who may talk to the page's server, and what may be said: everything is checked before the server sees it.

The server that carries the page asks no questions of its own. The gate stands before it: a page of another site, a
visitor without the token, a message that is malformed or names what is not there is turned away with a reason.
"""

from __future__ import annotations

import contextlib
import hmac
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from locomote.errors import LocomoteError
from locomote.studio._checks import (
    LONGEST_TEXT,
    control_problem,
    gizmo_problem,
    nothing,
    number_problem,
    part_problem,
    start_problem,
)

if TYPE_CHECKING:
    import viser
    from viser import _messages
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LARGEST_MESSAGE = 32 << 20  # bytes; pictures of the page come back in one
COOKIE = "locomote_token"
PLAIN = (  # messages of the scene in which only the numbers have to be sound
    *("ViewerCameraMessage", "ScenePointerMessage", "SceneNodeClickMessage", "SceneNodeDragMessage"),
    *("TransformControlsDragStartMessage", "TransformControlsDragEndMessage"),
)

_start_lock = threading.Lock()


class Gate:
    """Lets in the page's own visitors and what they may say."""

    def __init__(self, host: str, token: str | None) -> None:
        self.host, self.token = host, token
        self.installed = False
        self.refused: list[str] = []  # why, the latest last; a few
        self._server: viser.ViserServer | None = None

    def watch(self, server: viser.ViserServer) -> None:
        """The server whose controls are checked against."""
        self._server = server

    @contextlib.contextmanager
    def before_server(self) -> Iterator[None]:
        """While a viser server is made in here, its web server is opened behind this gate."""
        from viser.infra import _infra

        module: Any = _infra
        whole = module.websockets
        inner = SimpleNamespace(serve=self._serve_with(whole.asyncio.server.serve))
        shim = SimpleNamespace(
            asyncio=SimpleNamespace(server=_Also(inner, whole.asyncio.server)),
            datastructures=whole.datastructures,
            exceptions=whole.exceptions,
        )
        with _start_lock:
            module.websockets = shim
            try:
                yield
            finally:
                module.websockets = whole
        if not self.installed:
            raise LocomoteError("studio: this version of viser cannot be guarded; expected 1.x")

    def _serve_with(self, serve: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(handler: Callable[..., Any], host: str, port: int, **options: Any) -> Any:
            answer = options.pop("process_request")

            def process(connection: ServerConnection, request: Request) -> Response | None:
                refusal = self.refusal(request)
                if refusal is not None:
                    self._note(refusal)
                    return _response(HTTPStatus.FORBIDDEN, refusal)
                response: Response | None = answer(connection, request)
                if response is not None:
                    self._finish(request, response)
                return response

            async def behind(connection: ServerConnection) -> None:
                self._listen(connection)
                await handler(connection)

            self.installed = True
            options["max_size"] = LARGEST_MESSAGE
            return serve(behind, host, port, process_request=process, **options)

        return guarded

    def refusal(self, request: Request) -> str | None:
        """Why a request is turned away, or None."""
        host = request.headers.get("Host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if self.host in LOOPBACK and name not in LOOPBACK:
            return f"host {name!r}: this studio answers on this machine only"
        if request.headers.get("Upgrade", "").lower() == "websocket":
            origin = request.headers.get("Origin", "")
            if urlsplit(origin).netloc != host or not host:
                return f"origin {origin!r}: only the studio's own page may connect"
        if self.token is not None and not self._knows_token(request):
            return "token: open the address that the studio printed"
        return None

    def _knows_token(self, request: Request) -> bool:
        assert self.token is not None
        given = parse_qs(urlsplit(request.path).query).get("token", [])
        for part in request.headers.get("Cookie", "").split(";"):
            key, _, value = part.strip().partition("=")
            if key == COOKIE:
                given.append(value)
        return any(hmac.compare_digest(each.encode(), self.token.encode()) for each in given)

    def _finish(self, request: Request, response: Response) -> None:
        """Headers that keep the page to itself, and the cookie by which the token is remembered."""
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if self.token is not None and "token" in parse_qs(urlsplit(request.path).query):
            response.headers["Set-Cookie"] = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"

    def _listen(self, connection: ServerConnection) -> None:
        """Let through only messages that are sound; the others are answered with a reason."""
        receive = connection.recv
        sizes: dict[str, int] = {}  # bytes still to come of the files under way

        async def checked(*args: Any, **kwargs: Any) -> Any:
            while True:
                raw = await receive(*args, **kwargs)
                problem = self.problem(raw, sizes)
                if problem is None:
                    return raw
                self._note(problem)
                self._answer(connection, problem)

        connection.recv = checked  # type: ignore[method-assign]

    def problem(self, raw: object, sizes: dict[str, int]) -> str | None:
        """What is wrong with a message, or None."""
        from viser import _messages

        if not isinstance(raw, bytes):
            return "message: expected bytes"
        try:
            message = _messages.Message.deserialize(raw)
        except Exception as error:  # whatever a hostile message breaks in the decoder
            return f"message: cannot be understood ({type(error).__name__})"
        kind = type(message).__name__
        checks: dict[str, Callable[[Any], str | None]] = {
            "GuiUpdateMessage": self._gui_problem,
            "CommandTriggerMessage": self._key_problem,
            "FileTransferStartUpload": lambda m: start_problem(m, sizes),
            "FileTransferPart": lambda m: part_problem(m, sizes),
            "FileTransferPartAck": nothing,
            "GetRenderResponseMessage": nothing,
            "TransformControlsUpdateMessage": gizmo_problem,
            **dict.fromkeys(PLAIN, number_problem),
        }
        check = checks.get(kind)
        if check is None:
            return f"message {kind}: not one that the studio takes"
        try:
            return check(message)
        except Exception as error:
            return f"message {kind}: malformed ({type(error).__name__})"

    def _gui_problem(self, message: _messages.GuiUpdateMessage) -> str | None:
        assert self._server is not None
        handle: Any = self._server.gui._gui_input_handle_from_uuid.get(message.uuid)
        if handle is None:
            return "control: there is none of this name"
        if set(message.updates) != {"value"}:
            return "control: only its value can be changed"
        return control_problem(handle, message.updates["value"])

    def _key_problem(self, message: _messages.CommandTriggerMessage) -> str | None:
        assert self._server is not None
        known = message.uuid in self._server.gui._command_handle_from_uuid
        return None if known else "key: there is none of this name"

    def _answer(self, connection: ServerConnection, problem: str) -> None:
        """Tell the visitor who sent it."""
        if self._server is None:
            return
        live = self._server._websock_server._live_connections
        for number, one in list(live.items()):
            client = self._server.get_clients().get(number)
            if one is connection and client is not None:
                client.add_notification("not done", problem[:LONGEST_TEXT], color="red", auto_close_seconds=6.0)

    def _note(self, problem: str) -> None:
        self.refused = [*self.refused[-19:], problem]


class _Also:
    """One module's names with some of them replaced."""

    def __init__(self, first: object, then: object) -> None:
        self._first, self._then = first, then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._first, name, None) or getattr(self._then, name)


def _response(status: HTTPStatus, text: str) -> Response:
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    body = f"{text}\n".encode()
    headers = Headers({"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))})
    return Response(status.value, status.phrase, headers, body)
