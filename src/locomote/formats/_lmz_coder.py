"""An adaptive binary range coder: bits of known odds in, bytes out, and back.

Each context keeps two estimates of how likely its next bit is 0, one quick and one slow, and codes by their mean: at
the start both learn from every bit, later the quick one follows changes and the slow one knows the long run. All in
whole numbers, so that every machine decodes the same.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline

Bytes: TypeAlias = npt.NDArray[np.uint8]
Whole: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int32]

# Columns of a coder's state.
LOW, RANGE, CACHE, PENDING, AT, STATE = 0, 1, 2, 3, 4, 5
CODE = LOW  # a decoder has the code where an encoder has the low end
# Columns of a context: two odds of a 0 in 1/65536, and how many bits it has seen.
QUICK, SLOW, SEEN, CONTEXT = 0, 1, 2, 3

_TOP = 1 << 24
_MASK = (1 << 32) - 1
_QUICKEST, _SLOWEST = 4, 7  # an estimate moves by 1/16 or 1/128 of its error in the long run
_SHARES = np.array([65536 // (seen + 2) for seen in range(1 << _SLOWEST)], dtype=np.int64)
_LEAST = 24  # of 65536: no bit is ever taken for certain
HALF = 1 << 15
LARGEST = 1 << 29  # of the numbers that are coded


@inline
def start_encoder(state: Whole) -> None:
    """Make ready to write at the beginning of the output."""
    state[LOW], state[RANGE], state[CACHE], state[PENDING], state[AT] = 0, _MASK, 0, 1, -1  # the first byte is always 0


@inline
def _shift(state: Whole, out: Bytes) -> None:
    low = state[LOW]
    if low < 0xFF000000 or low > _MASK:
        carry = low >> 32
        byte = state[CACHE]
        while state[PENDING] > 0:
            if 0 <= state[AT] < out.shape[0]:
                out[state[AT]] = (byte + carry) & 0xFF
            state[AT] += 1  # past the end too: who calls sees that the room was too small
            byte = 0xFF
            state[PENDING] -= 1
        state[CACHE] = (low >> 24) & 0xFF
    state[PENDING] += 1
    state[LOW] = (low & 0x00FFFFFF) << 8


@inline
def _narrow(state: Whole, out: Bytes, bound: int, bit: int) -> None:
    if bit == 0:
        state[RANGE] = bound
    else:
        state[LOW] += bound
        state[RANGE] -= bound
    while state[RANGE] < _TOP:
        state[RANGE] = (state[RANGE] << 8) & _MASK
        _shift(state, out)


@inline
def finish_encoder(state: Whole, out: Bytes) -> int:
    """Write what is pending; how many bytes there are. Zeros at the end are left out: a decoder reads on in zeros."""
    top = state[LOW] + state[RANGE] - 1
    for bits in range(32, -1, -8):  # of all numbers that say the same, the one that ends in the most zeros
        if (top >> bits) << bits >= state[LOW]:
            state[LOW] = (top >> bits) << bits
            break
    for _ in range(5):
        _shift(state, out)
    size = state[AT]
    while 0 < size <= out.shape[0] and out[size - 1] == 0:
        size -= 1
    return int(size)


@inline
def start_decoder(state: Whole, data: Bytes) -> None:
    """Make ready to read from the beginning of the data."""
    state[CODE], state[RANGE], state[AT] = 0, _MASK, 0
    for _ in range(4):
        _fetch(state, data)


@inline
def _fetch(state: Whole, data: Bytes) -> None:
    byte = 0
    if state[AT] < data.shape[0]:
        byte = int(data[state[AT]])
    state[AT] += 1
    state[CODE] = ((state[CODE] << 8) | byte) & _MASK


@inline
def _taken(state: Whole, data: Bytes, bound: int) -> int:
    if state[CODE] < bound:
        state[RANGE] = bound
        bit = 0
    else:
        state[CODE] -= bound
        state[RANGE] -= bound
        bit = 1
    while state[RANGE] < _TOP:
        state[RANGE] = (state[RANGE] << 8) & _MASK
        _fetch(state, data)
    return bit


@inline
def odds(context: Whole) -> int:
    """How likely a 0 is, in 1/65536."""
    return int(min(max((context[QUICK] + context[SLOW]) >> 1, _LEAST), 65536 - _LEAST))


@inline
def learn(context: Whole, bit: int) -> None:
    """Let a context see a bit."""
    seen = context[SEEN]
    goal = 0 if bit else 65536
    # While little is known every bit counts as much as those before it: steps of 1/2, 1/3, 1/4 ...
    if seen < (1 << _SLOWEST):
        context[SEEN] = seen + 1
    context[QUICK] += ((goal - context[QUICK]) * _SHARES[min(seen, (1 << _QUICKEST) - 2)]) >> 16
    context[SLOW] += ((goal - context[SLOW]) * _SHARES[min(seen, (1 << _SLOWEST) - 2)]) >> 16


@inline
def encode(state: Whole, out: Bytes, context: Whole, bit: int) -> None:
    """Write one bit in its context."""
    _narrow(state, out, (state[RANGE] >> 16) * odds(context), bit)
    learn(context, bit)


@inline
def decode(state: Whole, data: Bytes, context: Whole) -> int:
    """Read one bit in its context."""
    bit = _taken(state, data, (state[RANGE] >> 16) * odds(context))
    learn(context, bit)
    return bit


@inline
def encode_plain(state: Whole, out: Bytes, bit: int) -> None:
    """Write one bit that is as likely 0 as 1."""
    _narrow(state, out, state[RANGE] >> 1, bit)


@inline
def decode_plain(state: Whole, data: Bytes) -> int:
    """Read one bit that is as likely 0 as 1."""
    return _taken(state, data, state[RANGE] >> 1)
