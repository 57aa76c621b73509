"""Whole numbers of any size in few bytes, and a reader that never goes past the end."""

from __future__ import annotations

from collections.abc import Iterable

from locomote.errors import LocomoteError

_LONGEST = 5  # bytes of a whole number


def varints(values: Iterable[int]) -> bytes:
    """Whole numbers, seven bits a byte, the lowest first; all but the last byte of each have the high bit."""
    out = bytearray()
    for value in values:
        rest = int(value)
        while rest > 0x7F:
            out.append(0x80 | rest & 0x7F)
            rest >>= 7
        out.append(rest)
    return bytes(out)


class Reader:
    """Bytes, taken from the front."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > self.left:
            raise LocomoteError(f"ends too early: {count} more bytes expected, {self.left} left")
        self._at += count
        return self._data[self._at - count : self._at]

    def varint(self) -> int:
        """The next whole number."""
        value = 0
        for k in range(_LONGEST):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << (7 * k)
            if byte < 0x80:
                return value
        raise LocomoteError("has a number that is too long")
