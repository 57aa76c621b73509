"""Decimal text of many numbers at once, digit for digit as Python's ``%`` writes it.

A number is a cell of words of four characters, looked up in tables; characters that are zero are left out in the end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.rotations import FloatArray

Words = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FIXED, GENERAL = "%.7f", "%.9g"
_DIGITS = 9  # significant ones of `GENERAL`,
_DECIMALS = 15  # that its cells have room for
_LEAST, _MOST = 1e-4, 9.9e7  # between these it needs no exponent, and its cells have room


# Tables of the numbers below 10,000 (those with a point: below 1,000).
_N = np.arange(10000)[:, None]
_CHARACTERS = (_N // (1000, 100, 10, 1) % 10 + ord("0")).astype(np.uint8)
_POINTED = np.concatenate([np.full((1000, 1), ord("."), np.uint8), _CHARACTERS[:1000, 1:]], axis=1)
_LEADS, _TRAILS = _N >= (1000, 100, 10, 0), _N % (10000, 1000, 100, 10) != 0


def _words(characters: npt.NDArray[np.uint8]) -> Words:
    return np.ascontiguousarray(characters).view(np.uint32)[:, 0]


_FOUR = _words(_CHARACTERS)
_LEADING = _words(_CHARACTERS * _LEADS)  # no zeros in front
_TRAILING = _words(_CHARACTERS * _TRAILS)  # no zeros behind
_POINT = _words(_POINTED)
_POINT_TRAILING = _words(_POINTED * _TRAILS[:1000])  # none behind, and no point without digits
_SPACE, _SPACE_MINUS, _MINUS, _END = np.frombuffer(b" \0\0\0 -\0\0-\0\0\0\n\0\0\0", np.uint32)
_POWERS = np.array([10.0**k for k in range(-4, 9)])
_TENS = 10 ** np.arange(_DECIMALS + 1)


def fixed(values: FloatArray) -> Words:
    """The cells ``(..., 4)`` of numbers within 9,999 written as ``%.7f``, each with a space before it."""
    size = np.abs(values)
    count, odd = _rounded(size, 1e7)
    count[odd] = 0
    high, low = np.divmod(count, 10000)
    whole, high = np.divmod(high, 1000)
    out = np.empty((*values.shape, 4), np.uint32)
    out[..., 1], out[..., 2], out[..., 3] = _LEADING[whole], _POINT[high], _FOUR[low]
    return _finished(out, values, odd, FIXED)


def general(values: FloatArray) -> Words:
    """The cells ``(..., 7)`` of numbers written as ``%.9g``, each with a space before it."""
    size = np.abs(values)
    decimals = _DIGITS + 3 - np.maximum(np.searchsorted(_POWERS, size, side="right") - 1, 0)
    count, odd = _rounded(size, _TENS[decimals].astype(np.float64))
    odd |= ~((size == 0.0) | ((size >= _LEAST) & (size < _MOST)))
    count[odd] = 0
    whole, rest = np.divmod(count, _TENS[decimals])
    rest *= _TENS[_DECIMALS - decimals]
    thousands, whole = np.divmod(whole, 10000)
    rest, fourth = np.divmod(rest, 10000)
    rest, third = np.divmod(rest, 10000)
    first, second = np.divmod(rest, 10000)
    out = np.empty((*values.shape, 7), np.uint32)
    out[..., 1] = np.where(thousands > 0, _LEADING[thousands], 0)
    out[..., 2] = np.where(thousands > 0, _FOUR[whole], _LEADING[whole])
    out[..., 3] = np.where(second + third + fourth > 0, _POINT[first], _POINT_TRAILING[first])
    out[..., 4] = np.where(third + fourth > 0, _FOUR[second], _TRAILING[second])
    out[..., 5] = np.where(fourth > 0, _FOUR[third], _TRAILING[third])
    out[..., 6] = _TRAILING[fourth]
    return _finished(out, values, odd, GENERAL)


def text_of(cells: Words) -> bytes:
    """The text of rows ``(R, words)`` of cells: one line each, a space at its beginning left out."""
    lines = np.concatenate([cells, np.full((len(cells), 1), _END)], axis=1)
    lines[:, 0] = np.where(lines[:, 0] == _SPACE, 0, _MINUS)
    return lines.tobytes().translate(None, b"\0")


def _rounded(size: FloatArray, scale: FloatArray | float) -> tuple[Ints, Bools]:
    """The whole numbers nearest to products, and where the rounding of the products leaves them in doubt."""
    with np.errstate(invalid="ignore", over="ignore"):  # such numbers are odd ones, too
        product = size * scale
        # Halves are float64 here, so a product on one side of a half is never rounded to the other.
        return np.rint(product).astype(np.int64), product - np.floor(product) == 0.5


def _finished(cells: Words, values: FloatArray, odd: Bools, form: str) -> Words:
    """Signs put in; odd numbers written one by one."""
    cells[..., 0] = np.where(np.signbit(values), _SPACE_MINUS, _SPACE)
    if np.any(odd):
        room = 4 * (cells.shape[-1] - 1)
        texts = b"".join((form % value).encode().ljust(room, b"\0") for value in np.abs(values[odd]).tolist())
        cells[odd, 1:] = np.frombuffer(texts, np.uint32).reshape(-1, cells.shape[-1] - 1)
    return cells
