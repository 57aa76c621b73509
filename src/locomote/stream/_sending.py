"""What senders share: a thread that takes frames as they come, and datagrams."""

from __future__ import annotations

import socket
import threading
from abc import abstractmethod
from collections.abc import Iterator

from locomote.errors import LocomoteError
from locomote.stream._engine import Engine, Listener
from locomote.stream._frames import Frame
from locomote.stream._running import Running

GOES_ON = 0.5  # s without a frame after which a sender looks whether it is to stop


class Sender(Running):
    """Takes the frames of an engine in a thread of its own; while it works on one, others are left out.

    Parameters
    ----------
    engine : whose frames
    name : of the thread
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.sent = 0  # frames
        self._listener: Listener | None = None
        self._thread = threading.Thread(target=self._run, name=f"locomote {name}", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._listener = self._engine.listen()
        self._thread.start()

    def stop(self) -> None:
        """End."""
        if self._listener is not None:
            self._listener.close()
            self._thread.join()

    @abstractmethod
    def _run(self) -> None:
        """Send the frames, until there are no more."""

    def _frames(self) -> Iterator[Frame]:
        """The frames as they come, until the listener is closed."""
        assert self._listener is not None
        while not self._listener.closed:
            frame = self._listener.take(GOES_ON)
            if frame is not None:
                yield frame


def datagrams(host: str) -> socket.socket:
    """A socket for datagrams to a host, given by number."""
    out = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    out.setblocking(False)  # what the network does not take at once is late anyway
    return out


def resolved(host: str, what: str) -> str:
    """The number of a host, found once and not anew for every frame; ``what`` asks for it."""
    try:
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)[0][4][0])
    except (OSError, UnicodeError):
        raise LocomoteError(f"{what}: no host {host!r} is known") from None
