"""Who may connect, and how much they may say."""

import pytest
from websockets.exceptions import InvalidStatus

from locomote.errors import LocomoteError
from locomote.stream import Engine, Server
from locomote.stream import _guard as guard_module
from locomote.stream._guard import Allowance, Guard

from .conftest import connect

HERE = "127.0.0.1:8765"


def refused(
    guard: Guard, origin: str | None = None, host: str = HERE, path: str = "/", bearer: str | None = None
) -> int | None:
    headers = {"Host": host}
    if origin is not None:
        headers["Origin"] = origin
    if bearer is not None:
        headers["Authorization"] = bearer
    refusal = guard.refuses(path, headers)
    return None if refusal is None else refusal[0]


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, HERE),  # no browser
        ("http://127.0.0.1:8765", HERE),
        ("http://localhost:3000", HERE),
        ("http://[::1]:8765", "localhost:8765"),
        ("http://192.168.1.5:8765", "192.168.1.5:8765"),
    ],
)
def test_pages_of_the_same_host_may_connect(origin: str | None, host: str) -> None:
    assert refused(Guard(), origin, host) is None


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://example.org", HERE),
        ("http://example.org:8765", "example.org:8765"),  # a name that was made to point here
        ("http://127.0.0.1.example.org", HERE),
        ("http://localhost.example.org", HERE),
        ("http://localhost@example.org", HERE),
        ("http://192.168.1.6:8765", "192.168.1.5:8765"),
        ("http://192.168.1.5:8765", HERE),
        ("null", HERE),
        ("file://", HERE),
        ("", ""),
        ("http://", "http://"),
        ("http://[", "["),
        ("given twice", HERE),
        ("http://127.0.0.1:8765", ""),
    ],
)
def test_strange_pages_may_not(origin: str, host: str) -> None:
    assert refused(Guard(), origin, host) == 403


def test_pages_may_be_allowed_by_name() -> None:
    guard = Guard(origins=["https://example.org", "null"])
    assert refused(guard, "https://example.org") is None
    assert refused(guard, "null") is None
    assert refused(guard, "http://example.org") == 403
    for wrong in ("example.org", "http://example.org/", "http://Example.org", "*", "javascript:1"):
        with pytest.raises(LocomoteError, match="origin"):
            Guard(origins=[wrong])


def test_a_token_in_the_address_or_in_a_header() -> None:
    guard = Guard(token="s3cret&more")
    assert refused(guard, path="/?token=s3cret%26more") is None
    assert refused(guard, bearer="Bearer s3cret&more") is None
    assert refused(guard, bearer="bearer  s3cret&more ") is None
    wrong = [
        "/",
        "/?token=",
        "/?token=s3cret",
        "/?token=s3cret%26mor",
        "/?tokens=s3cret%26more",
        "/?token=%ff%fe",
    ]
    assert [refused(guard, path=path) for path in [*wrong, "/?" + "&".join("a" * 30)]] == [401] * (len(wrong) + 1)
    assert refused(guard, path="/?token=s3cret%26more", bearer="Bearer no") == 401, "a header goes first"
    assert refused(guard, bearer="Basic s3cret&more") == 401
    assert refused(guard, origin="http://example.org", path="/?token=s3cret%26more") == 403
    for text in ("", "two\nlines", "ü", "x" * 257):
        with pytest.raises(LocomoteError, match="token"):
            Guard(token=text)


def test_connections_are_refused_before_they_open(engine: Engine) -> None:
    with Server(engine, port=0, token="word", most_clients=1) as server:
        for url, origin, status in (
            (server.url, None, 401),
            (server.url + "/?token=nope", None, 401),
            (server.url + "/?token=word", "http://example.org", 403),
        ):
            with pytest.raises(InvalidStatus) as refusal:
                connect(url, origin=origin)  # type: ignore[arg-type]
            assert refusal.value.response.status_code == status
        with connect(server.url + "/?token=word") as first:
            assert "hello" in str(first.recv())
            with pytest.raises(InvalidStatus) as refusal:
                connect(server.url + "/?token=word")
            assert refusal.value.response.status_code == 503
        assert server.refused == 4


def test_messages_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(guard_module.time, "monotonic", lambda: now[0])
    allowance = Allowance()
    assert [allowance.spend() for _ in range(250)].count(True) == 240
    assert not allowance.abused
    now[0] += 1.0
    assert [allowance.spend() for _ in range(200)].count(True) == 110, "120 a second, less the ten that were too many"
    for _ in range(500):
        allowance.spend()
    assert allowance.abused
