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
    _widen(state, out)


@inline
def _widen(state: Whole, out: Bytes) -> None:
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
    _fill(state, data)
    return bit


@inline
def _fill(state: Whole, data: Bytes) -> None:
    while state[RANGE] < _TOP:
        state[RANGE] = (state[RANGE] << 8) & _MASK
        _fetch(state, data)


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


@inline
def encode_bits(state: Whole, out: Bytes, count: int, value: int) -> None:
    """Write a number of so many bits, at most 16, each as likely as any."""
    state[RANGE] >>= count
    state[LOW] += state[RANGE] * value
    _widen(state, out)


@inline
def decode_bits(state: Whole, data: Bytes, count: int) -> int:
    """Read a number of so many bits."""
    state[RANGE] >>= count
    value = min(state[CODE] // state[RANGE], (1 << count) - 1)
    state[CODE] -= state[RANGE] * value
    _fill(state, data)
    return int(value)


# A symbol is a sign and one of these many sizes.
SYMBOLS = 8
_SYMBOL_BITS = 15
_FLOOR = 8  # of 32768: no size is ever ruled out
_SHARED = (1 << _SYMBOL_BITS) - SYMBOLS * _FLOOR
_SYMBOL_WORTH, _SYMBOL_MEMORY = 32, 128  # symbols that a prior counts for, and that are remembered
_SYMBOL_SHARES = np.array([65536 // (_SYMBOL_WORTH + n) for n in range(_SYMBOL_MEMORY - _SYMBOL_WORTH + 1)])


def thresholds(likely: list[int]) -> Whole:
    """The row of a table of symbols by how likely all but the largest are, in 2**-40.

    ``row[k]`` for k from 1 is how many in ``_SHARED`` are smaller than the symbol ``k``; ``row[0]`` counts what it saw.
    """
    below = np.cumsum(np.array([0, *likely], dtype=np.int64))
    return (below >> 10) * _SHARED >> 30


@inline
def _learn_symbol(row: Whole, symbol: int) -> None:
    seen = row[0]
    share = _SYMBOL_SHARES[seen]
    row[0] = min(seen + 1, _SYMBOL_SHARES.shape[0] - 1)
    for k in range(1, SYMBOLS):
        goal = _SHARED if k > symbol else 0
        row[k] += ((goal - row[k]) * share) >> 16


@inline
def _below(row: Whole, symbol: int) -> int:
    """Of 32768, how many are for smaller symbols."""
    if symbol == 0:
        return 0
    return int(row[symbol]) + _FLOOR * symbol if symbol < SYMBOLS else 1 << _SYMBOL_BITS


@inline
def encode_symbol(state: Whole, out: Bytes, row: Whole, negative: int, symbol: int) -> None:
    """Write a sign and a symbol."""
    share = state[RANGE] >> (1 + _SYMBOL_BITS)
    low = share * (_below(row, symbol) + (negative << _SYMBOL_BITS))
    state[RANGE] = share * (_below(row, symbol + 1) + (negative << _SYMBOL_BITS)) - low
    state[LOW] += low
    _widen(state, out)
    _learn_symbol(row, symbol)


@inline
def decode_symbol(state: Whole, data: Bytes, row: Whole) -> int:
    """Read a symbol, and ``SYMBOLS`` more if its sign is negative."""
    share = state[RANGE] >> (1 + _SYMBOL_BITS)
    value = min(state[CODE] // share, (2 << _SYMBOL_BITS) - 1)
    negative = value >> _SYMBOL_BITS
    value -= negative << _SYMBOL_BITS
    symbol = 0
    for k in range(1, SYMBOLS):
        symbol += 1 if row[k] + _FLOOR * k <= value else 0
    low = share * (_below(row, symbol) + (negative << _SYMBOL_BITS))
    state[RANGE] = share * (_below(row, symbol + 1) + (negative << _SYMBOL_BITS)) - low
    state[CODE] -= low
    _fill(state, data)
    _learn_symbol(row, symbol)
    return int(symbol + negative * SYMBOLS)
