"""Who may connect: by the page that a browser is on, by a token, and by how many are there."""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qs, urlsplit

from locomote.errors import LocomoteError
from locomote.stream._messages import MOST_MESSAGES

BURST = 2 * MOST_MESSAGES  # messages that a client may send at once
TOO_MANY = 4 * MOST_MESSAGES  # messages over the limit after which it is let go
_LOCAL = "localhost"


class Guard:
    """Checks a request before the connection is opened."""

    def __init__(self, token: str | None = None, origins: Iterable[str] = ()) -> None:
        if token is not None and not (token.isascii() and token.isprintable() and 1 <= len(token) <= 256):
            raise LocomoteError("token: expected 1 to 256 plain letters, digits and signs")
        self._token = None if token is None else token.encode()
        self._origins = frozenset(_origin(each) for each in origins)

    def refuses(self, path: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """The HTTP status and reason for which a request is refused, or None."""
        origin = headers.get("Origin")
        if origin is not None and not self._welcome(origin, headers.get("Host", "")):
            return 403, "this origin may not connect; it has to be allowed by name"
        if self._token is not None and not hmac.compare_digest(_given(path, headers), self._token):
            return 401, "the token is missing or wrong"
        return None

    def _welcome(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may connect: pages of this very host, and those allowed.

        A host counts by its number, or as localhost: a name could be made to point here by a stranger.
        """
        if origin in self._origins:
            return True
        page, here = _host(origin), _host(f"http://{host}")
        return page is not None and page == here


def _host(address: str) -> str | None:
    """The host of an address, if it is an IP number or localhost; all names of this machine are one."""
    try:
        name = urlsplit(address).hostname or ""
        if name == _LOCAL:
            return _LOCAL
        number = ipaddress.ip_address(name)
    except ValueError:
        return None
    return _LOCAL if number.is_loopback else str(number)


def _origin(text: str) -> str:
    """An origin that is to be allowed, as browsers write it."""
    parts = urlsplit(text)
    plain = text == f"{parts.scheme}://{parts.netloc}" and parts.scheme in ("http", "https", "file")
    if text != "null" and not (plain and text == text.lower()):
        raise LocomoteError(f"origin {text!r}: expected one such as http://example.org:3000")
    return text


def _given(path: str, headers: Mapping[str, str]) -> bytes:
    """The token of a request, in a header or in the address."""
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return bearer.strip().encode("utf-8", "replace")
    try:
        given = parse_qs(urlsplit(path).query, max_num_fields=16).get("token", [""])
    except ValueError:
        return b""
    return given[0].encode("utf-8", "replace")


class Allowance:
    """How many messages a client may still send: filled evenly, up to a burst."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = time.monotonic()

    def spend(self) -> bool:
        """Take one; False if there was none."""
        now = time.monotonic()
        self._left = min(float(BURST), self._left + MOST_MESSAGES * (now - self._at)) - 1.0
        self._at = now
        return self._left >= 0.0

    @property
    def abused(self) -> bool:
        """Whether so many were sent beyond the limit that it is no mistake any more."""
        return self._left < -TOO_MANY
