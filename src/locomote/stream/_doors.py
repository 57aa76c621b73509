"""Beyond this machine: who must bring a token, and encryption."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from os import PathLike

from locomote.errors import LocomoteError

Path = str | PathLike[str]
Tls = tuple[Path, Path | None]  # files of a certificate with its chain, and of its key; None: both are in the first


def is_local(host: str) -> bool:
    """Whether only this machine can reach what listens on a host; a name counts by all of its addresses."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        pass
    if not host:
        return False  # all addresses
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return True  # nothing can listen there, which is said elsewhere
    return all(ipaddress.ip_address(str(each[4][0]).partition("%")[0]).is_loopback for each in found)


def check_door(host: str, token: str | None) -> None:
    """Refuse to be open to a network without a token."""
    if token is None and not is_local(host):
        raise LocomoteError(
            f"host {host or 'of all addresses'}: whoever can reach it could watch and command; expected a token with "
            "it (--token WORD or LOCOMOTE_TOKEN), or 127.0.0.1"
        )


def encryption(tls: Tls) -> ssl.SSLContext:
    """What a server needs to encrypt, from the files of a certificate and its key."""
    certificate, key = (None if each is None else os.fspath(each) for each in tls)
    assert certificate is not None
    for path in (certificate, key):
        if path is not None and not os.path.isfile(path):
            raise LocomoteError(f"{path}: no such file; expected a certificate and its key, in PEM")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key behind a pass phrase would be asked for on the terminal, where nobody may sit.
        context.load_cert_chain(certificate, key, password=_no_pass_phrase)
    except (ssl.SSLError, OSError, ValueError) as error:
        what = getattr(error, "reason", None) or error
        files = certificate if key is None else f"{certificate} and {key}"
        raise LocomoteError(
            f"{files}: expected a certificate and its key in PEM, without a pass phrase: {what}"
        ) from None
    return context


def _no_pass_phrase() -> str:
    raise ValueError("the key has a pass phrase")
