"""The server, with a client of another make: what is received is what the engine made."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from locomote.errors import LocomoteError
from locomote.stream import Engine, Frame, Server, stage_of
from locomote.stream._messages import MOST_BYTES

from .conftest import PATIENCE, blender_module, connect, receiver, small_stage

RECEIVE, BY_HAND = receiver("receive"), blender_module("stream_client")


@contextlib.contextmanager
def frames_of(engine: Engine) -> Iterator[dict[int, Frame]]:
    """All frames that an engine makes meanwhile, by number."""
    kept: dict[int, Frame] = {}
    listener = engine.listen()

    def collect() -> None:
        while not listener.closed:
            frame = listener.take(0.2)
            if frame is not None:
                kept[frame.number] = frame

    thread = threading.Thread(target=collect)
    thread.start()
    yield kept
    listener.close()
    thread.join()


def text_of(client: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        data = client.recv(PATIENCE)
        if isinstance(data, str) and json.loads(data)["type"] == kind:
            told: dict[str, Any] = json.loads(data)
            return told


def bytes_of(client: ClientConnection) -> bytes:
    while True:
        data = client.recv(PATIENCE)
        if isinstance(data, bytes):
            return data


def drain(client: ClientConnection, timeout: float = PATIENCE) -> None:
    """Take all that comes, until the connection ends or nothing comes any more."""
    while True:
        client.recv(timeout)


def ask(client: ClientConnection, **message: Any) -> dict[str, Any]:
    """Send a message and wait for its answer."""
    client.send(json.dumps({**message, "id": "q"}))
    while True:
        data = client.recv(PATIENCE)
        if isinstance(data, str) and json.loads(data).get("id") == "q":
            told: dict[str, Any] = json.loads(data)
            return told


def test_a_client_of_another_make_gets_the_poses_of_the_engine(engine: Engine, server: Server) -> None:
    with frames_of(engine) as made:
        stream = BY_HAND.Stream(server.host, server.port, rate=60)
        received: list[tuple[dict[str, Any], bytes]] = []
        end = time.monotonic() + PATIENCE
        while len(received) < 40 and time.monotonic() < end:
            told, latest = stream.take()
            received += [(told, data) for data in latest.values()]
            time.sleep(0.01)
        stream.close()
    assert len(received) >= 40
    checked = set()
    for told, data in received:
        group, number, at, characters = RECEIVE.records(data, told)
        frame = made.get(number)
        if frame is None:  # the collector may miss one as well
            continue
        checked.add(group["name"])
        truth = frame.groups[group["index"]]
        skeleton = frame.layout.groups[group["index"]].skeleton
        places = RECEIVE.joint_positions(group, characters)
        whole = {"position": truth.root_positions, "scale": truth.scales, "rotations": truth.rotations}
        parts = {"parents": skeleton.parents.tolist(), "offsets": skeleton.offsets.ravel(), "own_offsets": []}
        assert np.abs(places - RECEIVE.joint_positions({"skeleton": parts}, whole)).max() < 1e-4
        assert at == frame.time
        for field, values in zip(("position", "scale", "rotations"), BY_HAND.characters(data, group), strict=True):
            assert np.array_equal(values, whole[field])
    assert checked == {"people", "wolf"}


def test_commands_come_back_over_the_same_socket(engine: Engine, server: Server) -> None:
    with connect(server.url) as client:
        told = text_of(client, "hello")
        assert [(group["name"], group["count"]) for group in told["groups"]] == [("people", 3), ("wolf", 2)]
        assert ask(client, type="go_to", group="people", who=1, x=2.0, z=2.0)["type"] == "done"
        assert ask(client, type="jump", group="people", who=[0], length=0.8)["jumps"] == [True]
        answer = ask(client, type="add_box", centre=[9, 9], size=[1, 1], height=1)
        shown = text_of(client, "obstacles")["obstacles"]
        assert answer["obstacle"] in [thing["id"] for thing in shown]
        assert ask(client, type="remove_obstacle", obstacle=answer["obstacle"])["type"] == "done"
        assert "there is none" in ask(client, type="remove_obstacle", obstacle=answer["obstacle"])["error"]
        assert "no field 'speeed'" in ask(client, type="go_to", group="people", x=0, z=0, speeed=1)["error"]
        client.send(b"\x00\x01")
        assert "binary" in text_of(client, "error")["error"]
        assert engine.running


def test_a_client_sees_what_it_subscribed_to(server: Server) -> None:
    with connect(server.url) as client:
        told = text_of(client, "hello")
        answer = ask(client, type="subscribe", groups={"people": [2, 0]}, rotations="int16", rate=30)
        assert answer["type"] == "subscribed"
        for _ in range(8):
            bytes_of(client)  # what was under way
        numbers = []
        for _ in range(10):
            data = bytes_of(client)
            group, number, _, characters = RECEIVE.records(data, told)
            assert (group["name"], len(characters), len(data)) == ("people", 2, 32 + 2 * 152)
            numbers.append(number)
        assert min(np.diff(numbers)) >= 1
        assert np.mean(np.diff(numbers)) >= 1.8
        for wrong in ({"cats": None}, {"people": [3]}):
            assert "groups" in ask(client, type="subscribe", groups=wrong)["error"]
        ask(client, type="subscribe", groups={})
        with pytest.raises(TimeoutError):  # what was under way, then nothing
            drain(client, 0.5)


def test_a_new_greeting_when_anyone_comes_or_goes() -> None:
    with (
        Engine(small_stage(), 60.0) as engine,
        Server(engine, port=0) as server,
        connect(server.url) as client,
    ):
        first = text_of(client, "hello")
        engine.ask(lambda stage: stage.remove("wolf")).result(PATIENCE)
        second = text_of(client, "hello")
        assert second["layout"] > first["layout"]
        assert [group["name"] for group in second["groups"]] == ["people"]
        data = bytes_of(client)
        assert RECEIVE.records(data, second)[0]["name"] == "people"


def test_too_long_and_too_many_messages_end_the_connection(engine: Engine, server: Server) -> None:
    with connect(server.url) as client:
        client.send("x" * (MOST_BYTES + 1))
        with pytest.raises(ConnectionClosed) as closed:
            drain(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    with connect(server.url) as client:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2000):
                client.send('{"type": "nothing"}')
        with pytest.raises(ConnectionClosed) as closed:
            drain(client)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1008
    assert engine.running


def test_damaged_connections_harm_nobody(engine: Engine, server: Server) -> None:
    for raw in (
        b"", b"\0" * 100, b"GET", b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n", b"\xff" * 70000,
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
    ):  # fmt: skip
        with socket.create_connection((server.host, server.port)) as bare, contextlib.suppress(OSError):
            bare.sendall(raw)
            bare.shutdown(socket.SHUT_WR)
            bare.settimeout(PATIENCE)
            while bare.recv(65536):
                pass
    by_hand = BY_HAND.Stream(server.host, server.port)
    by_hand._socket.sendall(b"\xff\xff\xff\xff")  # no frame of any kind
    end = time.monotonic() + PATIENCE
    while by_hand.alive and time.monotonic() < end:
        time.sleep(0.01)
    assert not by_hand.alive
    by_hand.close()
    with connect(server.url) as client:
        assert bytes_of(client)
    assert engine.running


def test_the_viewer_is_served_and_nothing_else(server: Server) -> None:
    web = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    web.request("GET", "/?server=ws://example.org")
    page = web.getresponse()
    text = page.read().decode()
    assert page.status == 200
    assert page.headers.get_all("Content-Type") == ["text/html; charset=utf-8"]
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert "<canvas" in text
    for known in ('"wss://"', '"ws://"', '"ws://127.0.0.1:8765"'):
        text = text.replace(known, "")
    assert "://" not in text, "nothing is loaded from elsewhere"
    web = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    web.request("GET", "/../pyproject.toml")
    assert web.getresponse().status == 404


def test_a_port_that_is_taken_is_said(engine: Engine, server: Server) -> None:
    with pytest.raises(LocomoteError, match="cannot be listened on"):
        Server(engine, port=server.port).start()
    with pytest.raises(LocomoteError, match="cannot be listened on"):
        Server(engine, host="no.such.host.invalid", port=0).start()


def test_clients_who_stall_or_die_slow_nobody() -> None:
    """A short soak: some read, some never do, some vanish; the readers miss nothing, and little memory is held."""
    with Engine(stage_of(20, seed=2), 60.0) as engine, Server(engine, port=0, patience=60.0) as server:
        sockets = [stalled_socket(server) for _ in range(4)]
        dying = [connect(server.url) for _ in range(3)]
        readers = [connect(server.url) for _ in range(4)]
        numbers: list[list[int]] = [[] for _ in readers]
        for each in dying:
            each.socket.close()
        for _ in range(90):
            for got, reader in zip(numbers, readers, strict=True):
                got.append(int.from_bytes(bytes_of(reader)[8:12], "little"))
        for got in numbers:
            assert got == sorted(set(got))
        held = [client for client in server._clients if client.dropped > 0]
        assert all(client._frame is None or client._frame.number >= numbers[0][0] for client in held)
        assert engine.running
        for reader in readers:
            reader.close()
        for each in sockets:
            each.close()
    assert server.clients == 0


def stalled_socket(server: Server) -> socket.socket:
    """A client that asks for frames and never reads one."""
    bare = socket.socket()
    bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    bare.connect((server.host, server.port))
    bare.sendall(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    return bare


def test_stopping_says_goodbye(engine: Engine) -> None:
    server = Server(engine, port=0)
    server.start()
    with connect(server.url) as client:
        text_of(client, "hello")
        server.stop()
        with pytest.raises(ConnectionClosed) as closed:
            drain(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001
    server.stop()
    assert engine.running


def test_a_client_that_was_away_gets_the_latest_and_not_what_lay_in_buffers() -> None:
    """Frames are small and buffers large: without a question now and then a pause would be made up for ever."""
    with Engine(stage_of(1, wander=False), 100.0) as engine, Server(engine, port=0) as server:
        bare = stalled_socket(server)
        start = engine.latest.number
        while engine.latest.number < start + 300:
            time.sleep(0.05)
        bare.setblocking(False)
        waiting = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                waiting += bare.recv(1 << 20)
        bare.close()
    assert 2 < waiting.count(b"LMOT") < 100, "of three seconds only the first moments were sent"
