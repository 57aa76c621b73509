"""The gate before the server: who gets in, what may be said, and that nothing else changes anything."""

from __future__ import annotations

import asyncio
import http.client
import math
from collections.abc import Iterator
from typing import Any

import msgspec.msgpack
import pytest
import viser
import websockets.asyncio.client
import websockets.exceptions
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.studio import Studio
from locomote.studio._checks import LARGEST_UPLOAD
from locomote.studio._guard import Gate
from tests.studio.conftest import PATIENCE, run_aside

PROTOCOL = f"viser-v{viser.__version__}"


@pytest.fixture(scope="module")
def served() -> Iterator[Studio]:
    made = Studio(port=0, people=1, shadows=False)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def locked() -> Iterator[Studio]:
    made = Studio(port=0, people=1, shadows=False, token="sesame")
    yield made
    made.stop()


def get(studio: Studio, path: str = "/", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    out = answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()}
    connection.close()
    return out


async def talk(studio: Studio, messages: list[bytes], **headers: str) -> int:
    """Send messages as a page does; gives back how many messages were heard before and after."""
    origin = headers.pop("origin", f"http://localhost:{studio.port}")
    heard = 0
    async with websockets.asyncio.client.connect(
        f"ws://localhost:{studio.port}",
        origin=origin,  # type: ignore[arg-type]
        subprotocols=[PROTOCOL],  # type: ignore[list-item]
        additional_headers=headers,
        max_size=None,
        compression=None,
    ) as connection:
        for message in messages:
            await connection.send(message)
        for _ in range(3):
            try:
                await asyncio.wait_for(connection.recv(), 0.3)
                heard += 1
            except TimeoutError:
                break
        await connection.ping()
    return heard


def message(kind: str, **fields: Any) -> bytes:
    return msgspec.msgpack.encode({"type": kind, **fields})


def test_the_page_is_served_on_this_machine_only(served: Studio) -> None:
    assert served.server.get_host() == "127.0.0.1"
    status, page, headers = get(served)
    assert status == 200
    assert b"<html" in page[:2000].lower() or len(page) > 1000
    assert headers["x-content-type-options"] == "nosniff"
    assert get(served, Host="evil.example")[0] == 403
    assert get(served, Host=f"localhost:{served.port}")[0] == 200


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cx", "/etc/passwd"])
def test_no_file_outside_of_the_page_is_served(served: Studio, path: str) -> None:
    assert get(served, path)[0] == 404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", ""])
def test_pages_of_others_cannot_connect(served: Studio, origin: str) -> None:
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        run_aside(talk(served, [], origin=origin or None))  # type: ignore[arg-type]


def test_a_token_is_asked_for_once(locked: Studio) -> None:
    assert get(locked)[0] == 403
    assert get(locked, "/?token=wrong")[0] == 403
    status, _, headers = get(locked, "/?token=sesame")
    assert status == 200
    assert "HttpOnly" in headers["set-cookie"]
    cookie = headers["set-cookie"].split(";")[0]
    assert get(locked, Cookie=cookie)[0] == 200
    assert run_aside(talk(locked, [], Cookie=cookie)) > 0
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        run_aside(talk(locked, []))
    assert "token=sesame" in locked.address


def state(studio: Studio) -> tuple[Any, ...]:
    people = studio.panels[0].people  # type: ignore[attr-defined]
    controls = tuple(handle.value for handle in handles(studio).values() if not isinstance(handle.value, bytes))
    return (
        len(people),
        len(people.obstacles),
        people.crowd.positions.tobytes(),
        studio.panel.title,
        str(controls),
    )


def handles(studio: Studio) -> dict[str, Any]:
    return dict(studio.server.gui._gui_input_handle_from_uuid)


def control(studio: Studio, label: str) -> str:
    return next(uuid for uuid, handle in handles(studio).items() if getattr(handle, "label", "") == label)


def test_hostile_messages_are_refused_and_change_nothing(served: Studio) -> None:
    speed, kind = control(served, "speed m/s"), control(served, "gait")
    upload = next(uuid for uuid, h in handles(served).items() if type(h).__name__ == "GuiUploadButtonHandle")
    hostile = [
        b"",
        b"\xc1",
        b"\xff" * 100,
        msgspec.msgpack.encode([1, 2, 3]),
        msgspec.msgpack.encode({"no": "type"}),
        message("NoSuchMessage"),
        message("ShareUrlRequest"),
        message("RunJavascriptMessage", source="alert(1)"),
        message("RemoveSceneNodeMessage", name="/people"),
        message("GuiUpdateMessage", uuid=speed, updates={"value": "fast"}),
        message("GuiUpdateMessage", uuid=speed, updates={"value": 1e9}),
        message("GuiUpdateMessage", uuid=speed, updates={"value": math.nan}),
        message("GuiUpdateMessage", uuid=speed, updates={"value": [1.0]}),
        message("GuiUpdateMessage", uuid=speed, updates={"removed": True}),
        message("GuiUpdateMessage", uuid=speed, updates={"update_cb": []}),
        message("GuiUpdateMessage", uuid=speed, updates=7),
        message("GuiUpdateMessage", uuid=kind, updates={"value": "fly"}),
        message("GuiUpdateMessage", uuid="nobody", updates={"value": 1}),
        message("ScenePointerMessage", event_type="click", ray_origin=[math.nan] * 3, ray_direction=[0, -1, 0],
                screen_pos=[[0.5, 0.5]], modifier=None),
        message("FileTransferStartUpload", source_component_uuid=upload, transfer_uuid="a", filename="x.toml",
                mime_type="", part_count=1, size_bytes=LARGEST_UPLOAD + 1),
        message("FileTransferStartUpload", source_component_uuid=upload, transfer_uuid="b", filename="x.toml",
                mime_type="", part_count=10**9, size_bytes=5),
        message("FileTransferPart", source_component_uuid=upload, transfer_uuid="a", part_index=0, content=b"x"),
        message("FileTransferStartUpload", source_component_uuid=upload, transfer_uuid="c", filename="x.toml",
                mime_type="", part_count=2, size_bytes=5),
        message("FileTransferPart", source_component_uuid=upload, transfer_uuid="c", part_index=0, content=b"x" * 99),
    ]  # fmt: skip
    before = state(served)
    served.gate.refused.clear()
    assert run_aside(talk(served, hostile)) > 0  # the one who sent them is still served
    assert state(served) == before
    assert len(served.gate.refused) >= 20
    assert get(served)[0] == 200


@given(st.binary(max_size=300))
@settings(max_examples=150)
def test_no_bytes_whatever_are_trouble(raw: bytes) -> None:
    gate = Gate("127.0.0.1", None)
    assert gate.problem(raw, {}) is not None


def test_sound_messages_pass(served: Studio) -> None:
    speed = control(served, "speed m/s")
    good = [
        message("GuiUpdateMessage", uuid=speed, updates={"value": 2.0}),
        message("GuiUpdateMessage", uuid=control(served, "gait"), updates={"value": "run"}),
        message("GuiUpdateMessage", uuid=control(served, "everyone"), updates={"value": True}),
    ]
    assert [served.gate.problem(each, {}) for each in good] == [None] * 3
