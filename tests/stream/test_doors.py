"""Streams beyond this machine: a token is needed, and what is said can be encrypted."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import time
from pathlib import Path

import pytest
import trustme
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.sync.client import ClientConnection

from locomote.errors import LocomoteError
from locomote.stream import Engine, Server
from locomote.stream._doors import is_local

from .conftest import PATIENCE, blender_module, connect


class Certificate:
    """One for this machine, as its files, and what trusts it."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        made = authority.issue_cert("localhost", "127.0.0.1")
        self.certificate, self.key, self.both = (folder / name for name in ("cert.pem", "key.pem", "both.pem"))
        made.cert_chain_pems[0].write_to_path(self.certificate)
        made.private_key_pem.write_to_path(self.key)
        made.private_key_and_cert_chain_pem.write_to_path(self.both)
        self.authority = folder / "authority.pem"
        authority.cert_pem.write_to_path(self.authority)
        self.trust = ssl.create_default_context()
        authority.configure_trust(self.trust)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return Certificate(tmp_path_factory.mktemp("certificate"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_addresses_of_this_machine_need_no_token(engine: Engine, host: str) -> None:
    assert is_local(host)
    Server(engine, host, 0)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "8.8.8.8", "fe80::1"])
def test_other_addresses_do(engine: Engine, host: str) -> None:
    with pytest.raises(LocomoteError, match="could watch and command; expected a token") as refused:
        Server(engine, host, 0)
    assert "\n" not in str(refused.value)
    Server(engine, host, 0, token="word")


def test_nobody_gets_in_from_the_network_without_the_token(engine: Engine) -> None:
    with Server(engine, "0.0.0.0", 0, token="word") as server:
        at = f"ws://127.0.0.1:{server.port}/"
        with pytest.raises(InvalidStatus) as refused:
            connect(at)
        assert refused.value.response.status_code == 401
        with connect(at + "?token=word") as client:
            assert json.loads(client.recv(PATIENCE))["type"] == "hello"


def encrypted(url: str, trust: ssl.SSLContext) -> ClientConnection:
    """A client whose handshake is begun again if it hangs: it reads and writes one encrypted socket in two threads."""
    for _ in range(3):
        with contextlib.suppress(TimeoutError, InvalidMessage):
            return connect(url, ssl=trust, open_timeout=5.0)
    return connect(url, ssl=trust)


@pytest.mark.parametrize("together", [False, True])
def test_frames_are_encrypted(engine: Engine, certificate: Certificate, together: bool) -> None:
    tls = (certificate.both, None) if together else (certificate.certificate, certificate.key)
    with Server(engine, port=0, tls=tls) as server:
        assert (server.url, server.page) == (f"wss://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}")
        with encrypted(server.url, certificate.trust) as client:
            assert json.loads(client.recv(PATIENCE))["type"] == "hello"
            assert any(isinstance(client.recv(PATIENCE), bytes) for _ in range(5))
            assert client.socket.version() in ("TLSv1.2", "TLSv1.3")  # type: ignore[attr-defined]
        with pytest.raises(ssl.SSLCertVerificationError):
            connect(server.url)
        with pytest.raises((InvalidMessage, ConnectionError, EOFError)):
            connect(server.url.replace("wss", "ws"))
        web = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=PATIENCE, context=certificate.trust)
        web.request("GET", "/")
        assert b"<canvas" in web.getresponse().read()
        assert engine.running


def test_old_versions_of_tls_are_not_spoken(engine: Engine, certificate: Certificate) -> None:
    with Server(engine, port=0, tls=(certificate.both, None)) as server:
        old = ssl.create_default_context(cafile=str(certificate.authority))
        old.set_ciphers("DEFAULT:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises(ssl.SSLError):
            connect(server.url, ssl=old)


def test_the_client_of_the_blender_add_on_speaks_tls(
    engine: Engine, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.authority))
    with Server(engine, port=0, tls=(certificate.both, None), token="a word&more") as server:
        stream = blender_module("stream_client").Stream("localhost", server.port, "a word&more", encrypted=True)
        greeting, end = None, time.monotonic() + PATIENCE
        while not greeting and time.monotonic() < end:
            greeting, _ = stream.take()
            time.sleep(0.05)
        stream.close()
    assert greeting
    assert greeting["type"] == "hello"


def test_files_that_are_no_certificate_are_said(engine: Engine, certificate: Certificate, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nothing")
    locked = tmp_path / "locked.pem"
    locked.write_text(
        certificate.key.read_text().replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1)
    )
    for tls, said in (
        ((tmp_path / "none.pem", None), "none.pem: no such file"),
        ((certificate.certificate, tmp_path / "none.key"), "none.key: no such file"),
        ((wrong, None), "wrong.pem: expected a certificate and its key"),
        ((certificate.certificate, None), "cert.pem: expected a certificate and its key"),
        ((certificate.certificate, locked), "expected a certificate and its key in PEM, without a pass phrase"),
    ):
        with pytest.raises(LocomoteError) as refused:
            Server(engine, port=0, tls=tls)
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)
