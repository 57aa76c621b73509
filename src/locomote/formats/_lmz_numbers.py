"""One whole number as bits, given how large it is expected to be.

Whether it is 0 is a bit of its own; sign and size are one symbol of 16, of a size in fewer steps the larger it is
expected to be, with plain bits for the rest. Clips of the first coding have a bit for every step of the size instead,
and for every bit of a large one, which takes twice as long to read.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from locomote.formats._lmz_coder import (
    LARGEST,
    SYMBOLS,
    Bytes,
    Whole,
    decode,
    decode_bits,
    decode_plain,
    decode_symbol,
    encode,
    encode_bits,
    encode_plain,
    encode_symbol,
    thresholds,
)
from locomote.formats._lmz_priors import prior
from locomote.math._compile import inline

BINS = 24  # of expected size, two an octave
CLASSES = 4  # finest details, next, coarser, smooth rows
UNARY = 6  # sizes up to here are counted out, larger ones have an exponent
EXPONENTS = 31
SLOTS = 1 + UNARY + EXPONENTS  # bits of one number that have contexts by its expected size
_HALVES = CLASSES * BINS * SLOTS  # from here on: which half of its octave a large number is in
STEPS = _HALVES + EXPONENTS  # how the step changes from piece to piece
_FIRST_COARSE = 12  # bin from which on a symbol stands for two sizes; for twice as many an octave later
_LAST_COARSE = 12  # plain bits at most

Odds: TypeAlias = tuple[Whole, Whole]  # contexts of bits, odds of sizes

_PRIOR = prior()


def fresh() -> Whole:
    """Contexts that have seen nothing of a clip."""
    return _PRIOR.copy()


def _size_odds() -> Whole:
    """How likely symbols are in each context, as the odds of bits that count sizes out say; in whole numbers."""
    out = np.zeros((CLASSES * BINS, SYMBOLS), dtype=np.int64)
    for k in range(len(out)):
        odds = [int(quick) for quick in _PRIOR[k * SLOTS : (k + 1) * SLOTS, 0]]
        left, likely = 1 << 40, []
        for bit in range(1, 1 + UNARY):
            likely.append(left * odds[bit] >> 16)
            left -= likely[-1]
        for bits in range(12):  # sizes beyond share their octave evenly
            octave = left * odds[1 + UNARY + bits] >> 16
            left -= octave
            likely += [octave >> bits] * (1 << bits)
        width = 1 << max((k % BINS - _FIRST_COARSE + 2) // 2, 0)
        out[k] = thresholds([sum(likely[width * n : width * (n + 1)]) for n in range(SYMBOLS - 1)])
    return out


_SIZES = _size_odds()


def fresh_sizes() -> Whole:
    """Odds of the sizes that have seen nothing of a clip."""
    return _SIZES.copy()


def _octaves(size: int) -> int:
    """Two bins an octave."""
    half = max(size.bit_length() - 2, 0)
    return min(2 * half + (size >> half), BINS - 1)


_BIN_OF = np.array([_octaves(size) for size in range(1 << BINS // 2)], dtype=np.int64)


@inline
def bin_of(expected: int) -> int:
    """The bin of an expected size."""
    return int(_BIN_OF[min(expected, _BIN_OF.shape[0] - 1)])


@inline
def coarseness(expected: int) -> int:
    """How many of the lowest bits of a size are plain, if so much is expected."""
    more = 0
    while expected >= _BIN_OF.shape[0] and more < _LAST_COARSE:
        expected >>= 1
        more += 1
    return min(max((bin_of(expected) - _FIRST_COARSE + 2) // 2, 0) + more, _LAST_COARSE)


@inline
def put_number(state: Whole, out: Bytes, contexts: Whole, at: int, value: int) -> None:
    """Write a number, its size counted out."""
    size = abs(value)
    encode(state, out, contexts[at], 1 if size else 0)
    if size == 0:
        return
    encode_plain(state, out, 1 if value < 0 else 0)
    for k in range(UNARY):
        more = 1 if size > k + 1 else 0
        encode(state, out, contexts[at + 1 + k], more)
        if more == 0:
            return
    _put_large(state, out, contexts, at, size - UNARY)


@inline
def put_symbol(state: Whole, out: Bytes, odds: Odds, at: int, coarse: int, value: int) -> None:
    """Write a number, its sign and all but the ``coarse`` lowest bits of its size as one symbol."""
    contexts, sizes = odds
    encode(state, out, contexts[at], 1 if value else 0)
    if value == 0:
        return
    rest = abs(value) - 1
    steps = rest >> coarse
    encode_symbol(state, out, sizes[at // SLOTS], 1 if value < 0 else 0, min(steps, SYMBOLS - 1))
    if steps >= SYMBOLS - 1:
        _put_large(state, out, contexts, at, steps - SYMBOLS + 2)
    if coarse > 0:
        encode_bits(state, out, coarse, rest & ((1 << coarse) - 1))


@inline
def _put_large(state: Whole, out: Bytes, contexts: Whole, at: int, rest: int) -> None:
    """Write what goes beyond the sizes that are counted out, at least 1."""
    bits = 0
    while rest >> (bits + 1):
        encode(state, out, contexts[at + 1 + UNARY + bits], 1)
        bits += 1
    if bits < EXPONENTS - 1:
        encode(state, out, contexts[at + 1 + UNARY + bits], 0)
    for k in range(bits - 1, -1, -1):
        bit = (rest >> k) & 1
        if k == bits - 1:
            encode(state, out, contexts[_HALVES + bits], bit)
        else:
            encode_plain(state, out, bit)


@inline
def get_number(state: Whole, data: Bytes, contexts: Whole, at: int) -> int:
    """Read what `put_number` wrote."""
    if decode(state, data, contexts[at]) == 0:
        return 0
    negative = decode_plain(state, data)
    size = 1
    while size <= UNARY and decode(state, data, contexts[at + size]) == 1:
        size += 1
    if size > UNARY:
        size = UNARY + _get_large(state, data, contexts, at)
    return -size if negative else size


@inline
def get_symbol(state: Whole, data: Bytes, odds: Odds, at: int, coarse: int) -> int:
    """Read what `put_symbol` wrote."""
    contexts, sizes = odds
    if decode(state, data, contexts[at]) == 0:
        return 0
    symbol = decode_symbol(state, data, sizes[at // SLOTS])
    size = symbol & (SYMBOLS - 1)
    if size == SYMBOLS - 1:
        size += min(_get_large(state, data, contexts, at), LARGEST) - 1
    if coarse > 0:
        size = (size << coarse) | decode_bits(state, data, coarse)
    return -1 - size if symbol >= SYMBOLS else 1 + size


@inline
def _get_large(state: Whole, data: Bytes, contexts: Whole, at: int) -> int:
    bits = 0
    while bits < EXPONENTS - 1 and decode(state, data, contexts[at + 1 + UNARY + bits]) == 1:
        bits += 1
    rest = 1
    for k in range(bits - 1, -1, -1):
        bit = decode(state, data, contexts[_HALVES + bits]) if k == bits - 1 else decode_plain(state, data)
        rest = (rest << 1) | bit
    return rest
