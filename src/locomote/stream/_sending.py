"""What those who send datagrams share."""

from __future__ import annotations

import socket

from locomote.errors import LocomoteError

GOES_ON = 0.5  # s without a frame after which a sender looks whether it is to stop


def resolved(host: str, what: str) -> str:
    """The number of a host, found once and not anew for every frame; ``what`` asks for it."""
    try:
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)[0][4][0])
    except (OSError, UnicodeError):
        raise LocomoteError(f"{what}: no host {host!r} is known") from None
