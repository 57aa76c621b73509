"""Open Sound Control: messages of numbers and texts, and bundles of them, as bytes (OSC 1.0)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

IMMEDIATELY = 1  # time tag: do it when it comes
_BUNDLE = b"#bundle\0"


def message(address: str, *arguments: int | float | str) -> bytes:
    """One message; whole numbers are sent as int32, others as float32."""
    types, parts = ",", []
    for value in arguments:
        if isinstance(value, str):
            types += "s"
            parts.append(_text(value))
        elif isinstance(value, int):
            types += "i"
            parts.append(struct.pack(">i", value))
        else:
            types += "f"
            parts.append(struct.pack(">f", value))
    return b"".join([_text(address), _text(types), *parts])


def bundle(messages: Iterable[bytes], time_tag: int = IMMEDIATELY) -> bytes:
    """Messages that belong together."""
    parts = [_BUNDLE, struct.pack(">Q", time_tag)]
    for each in messages:
        parts += [struct.pack(">i", len(each)), each]
    return b"".join(parts)


def bundles(messages: Iterable[bytes], most_bytes: int, time_tag: int = IMMEDIATELY) -> Iterator[bytes]:
    """One bundle, or as many as it takes for none to be longer than ``most_bytes``, in order."""
    kept: list[bytes] = []
    size = empty = len(bundle([]))
    for each in messages:
        if kept and size + 4 + len(each) > most_bytes:
            yield bundle(kept, time_tag)
            kept, size = [], empty
        kept.append(each)
        size += 4 + len(each)
    if kept:
        yield bundle(kept, time_tag)


def _text(value: str) -> bytes:
    """Letters, at least one zero, and zeros up to a multiple of four."""
    raw = value.encode("ascii", "replace").replace(b"\0", b"?")
    return raw + b"\0" * (4 - len(raw) % 4)
