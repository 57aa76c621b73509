"""Streams on the command line."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trustme
from typer.testing import CliRunner, Result
from websockets.sync.client import connect

from locomote import cli
from locomote.errors import LocomoteError
from locomote.samples._files import FOLDER

SCENE = FOLDER / "scene.toml"
PATIENCE = 60.0  # s; the machine may be busy with other tests


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["serve", *(str(a) for a in arguments)])


def test_it_says_where_to_connect_and_ends_in_time() -> None:
    done = run(
        "--people",
        2,
        "--creatures",
        "wolf:1,spider",
        "--port",
        0,
        "--rate",
        30,
        "--seconds",
        0.5,
        "--vmc",
        "127.0.0.1:39539",
        "--livelink",
        "127.0.0.1:54321",
        "--gestures",
    )
    assert done.exit_code == 0, done.output
    said = done.stderr
    assert "2 people, 1 wolf, 1 spider at 30 frames a second" in said
    assert "WebSocket: ws://127.0.0.1:" in said
    assert "see them:  http://127.0.0.1:" in said
    assert "person 0 to 127.0.0.1:39539" in said
    assert "4 subjects, people_0 ..., to 127.0.0.1:54321" in said
    assert "frames; " in said
    assert done.stdout == ""


def test_it_serves_a_scene() -> None:
    done = run(SCENE, "--port", 0, "--seconds", 0.3, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["groups"] == {"people": 3}
    assert told["websocket"].startswith("ws://127.0.0.1:")


def test_an_open_door_needs_a_token() -> None:
    done = run("--people", 1, "--host", "0.0.0.0", "--port", 0, "--seconds", 0.1)
    assert isinstance(done.exception, LocomoteError)
    assert "expected a token with it (--token WORD" in str(done.exception)
    done = run("--people", 1, "--host", "0.0.0.0", "--port", 0, "--seconds", 0.1, "--token", "w")
    assert done.exit_code == 0, done.output
    assert "--tls-cert FILE encrypts" in done.stderr
    done = run("--people", 1, "--port", 0, "--seconds", 0.1, "--token", "w")
    assert "encrypts" not in done.stderr
    assert "?token=" in done.stderr


def test_a_certificate_encrypts(tmp_path: Path) -> None:
    made = trustme.CA().issue_cert("localhost", "127.0.0.1")
    made.private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    done = run("--people", 1, "--port", 0, "--seconds", 0.1, "--tls-cert", tmp_path / "both.pem", "--json")
    told = json.loads(done.stdout)
    assert told["websocket"].startswith("wss://127.0.0.1:")
    assert told["page"].startswith("https://127.0.0.1:")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--creatures", "cat:2"), "--creatures cat:2: expected one of spider"),
        (("--creatures", "wolf:0"), "--creatures wolf:0: expected KIND:COUNT"),
        (("--creatures", "wolf:1", "--creatures", "wolf:2"), "each kind once"),
        (("--vmc", "39539"), "expected HOST:PORT"),
        (("--vmc", "localhost:99999"), "expected HOST:PORT"),
        (("--ros", "ws://127.0.0.1:9"), "--ros URL and --robot FILE go together"),
        (("--robot", "g1.urdf"), "--ros URL and --robot FILE go together"),
        (("--ros", "ws://127.0.0.1:9", "--robot", "g1.xml"), "g1.xml: expected a robot description, .urdf"),
        (("--ros", "ws://127.0.0.1:9", "--robot", "g1.urdf", "--ros-who", "0"), "expected GROUP:NUMBER"),
        (("--livelink", "54321"), "--livelink 54321: expected HOST:PORT, such as 127.0.0.1:54321"),
        (("--livelink", "localhost:54321", "--livelink-layout", "xml"), "expected one of array, object"),
        ((SCENE, "--gestures"), "a scene says who is there"),
        (("--vmc-who", "a"), "expected numbers of people"),
        (("--vmc", "localhost:5000", "--vmc-who", "99"), "characters 0 to 19"),
        (("--vmc", "localhost:5000", "--people", 0, "--creatures", "wolf:1"), "no group of people"),
        (("--people", 0), "1 to 1000 characters"),
        (("--people", 600, "--creatures", "ant:600"), "1 to 1000 characters"),
        ((SCENE, "--people", 3), "a scene says who is there"),
        (("no_such_scene.toml",), "no_such_scene.toml"),
        (("--people", 1, "--allow-origin", "example.org"), "origin 'example.org'"),
        (("--people", 1, "--token", "two\nlines"), "token: expected"),
        (("--people", 1, "--tls-key", "key.pem"), "expected --tls-cert FILE as well"),
        (("--people", 1, "--tls-cert", "no_such.pem"), "no_such.pem: no such file"),
        (("--people", 1, "--host", "no.such.host.invalid"), "cannot be listened on"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: tuple[object, ...], said: str) -> None:
    done = run(*arguments, "--quiet")
    assert isinstance(done.exception, LocomoteError)
    assert said in str(done.exception)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_when_told(how: signal.Signals) -> None:
    # Shells let commands in the background ignore SIGINT, and so what these start.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{listen}; from locomote.cli import main; main()"
    arguments = ["serve", "--people", "2", "--port", "0", "--json", "--token", "word"]
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        told = json.loads(running.stdout.readline())
        with connect(told["websocket"] + "/?token=word") as client:
            assert json.loads(client.recv(PATIENCE))["type"] == "hello"
            running.send_signal(how)
            _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, errors
    assert errors == ""


def test_help_costs_nothing() -> None:
    code = (
        "import sys, locomote as lm; lm.stream; from locomote.cli import app; "
        "app(['serve', '--help'], standalone_mode=False); "
        "print([m for m in ('numba', 'websockets', 'locomote.stream._server') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
