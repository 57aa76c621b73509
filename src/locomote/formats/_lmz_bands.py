"""How the whole numbers of a packed clip become bits: what was coded near by tells how large the next one will be.

``numbers (F, D)`` are quantised rows as `_lmz_wavelet` leaves them. The smooth rows of the whole clip are one stream;
the details are one stream for each stretch of frames, coarse levels first, so that a stretch can be read by itself.
"""

from __future__ import annotations

import numpy as np

from locomote.formats._lmz_coder import (
    LARGEST,
    STATE,
    Bytes,
    Numbers,
    Whole,
    decode,
    decode_plain,
    encode,
    encode_plain,
    finish_encoder,
    start_decoder,
    start_encoder,
)
from locomote.formats._lmz_priors import prior
from locomote.math._compile import inline, kernel

BINS = 24  # of expected size, two an octave
CLASSES = 4  # finest details, next, coarser, smooth rows
UNARY = 6  # sizes up to here are counted out, larger ones have an exponent
EXPONENTS = 31
SLOTS = 1 + UNARY + EXPONENTS  # bits of one number that have contexts by its expected size
_HALVES = CLASSES * BINS * SLOTS  # from here on: which half of its octave a large number is in
_STEPS = _HALVES + EXPONENTS  # how the step changes from piece to piece
CONTEXTS = _STEPS + SLOTS

_RATIO_BITS = 12
_LARGE = 1 << 16  # a neighbour that is larger tells no more
_USED_BITS = 16


_PRIOR = prior()


def fresh() -> Whole:
    """Contexts that have seen nothing of a clip."""
    return _PRIOR.copy()


def new_state() -> Whole:
    """The state of a coder."""
    return np.zeros(STATE, dtype=np.int64)


def _octaves(size: int) -> int:
    """Two bins an octave."""
    half = max(size.bit_length() - 2, 0)
    return min(2 * half + (size >> half), BINS - 1)


_BIN_OF = np.array([_octaves(size) for size in range(1 << BINS // 2)], dtype=np.int64)


@inline
def _bin(expected: int) -> int:
    return int(_BIN_OF[min(expected, _BIN_OF.shape[0] - 1)])


@inline
def put_number(state: Whole, out: Bytes, contexts: Whole, at: int, value: int) -> None:
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
    rest = size - UNARY  # 1 and more
    bits = 0
    while rest >> (bits + 1):
        bits += 1
    for k in range(bits):
        encode(state, out, contexts[at + 1 + UNARY + k], 1)
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
    if decode(state, data, contexts[at]) == 0:
        return 0
    negative = decode_plain(state, data)
    size = 1
    while size <= UNARY and decode(state, data, contexts[at + size]) == 1:
        size += 1
    if size > UNARY:
        bits = 0
        while bits < EXPONENTS - 1 and decode(state, data, contexts[at + 1 + UNARY + bits]) == 1:
            bits += 1
        rest = 1
        for k in range(bits - 1, -1, -1):
            bit = decode(state, data, contexts[_HALVES + bits]) if k == bits - 1 else decode_plain(state, data)
            rest = (rest << 1) | bit
        size = UNARY + rest
    return -size if negative else size


@inline
def _ratio(fineness: Whole, row: int, t: int) -> int:
    """How many steps of the row ``t`` a step of another is, times 4096."""
    return int((fineness[t] << _RATIO_BITS) // fineness[row])


@inline
def _size(numbers: Numbers, row: int, c: int, ratio: int) -> int:
    """The size of a number that is known already, in steps of the row that is being coded, times 16."""
    return (min(abs(int(numbers[row, c])), _LARGE) * ratio) >> (_RATIO_BITS - 4)


@inline
def _rows_near(t: int, stride: int, coarsest: bool, first: int, last: int) -> tuple[int, int, int, int]:
    """The rows that tell about ``t``: two before it, two of the next coarser level around it; ``t`` for none."""
    before = t - 2 * stride if t - 2 * stride >= first else t
    earlier = t - 4 * stride if t - 4 * stride >= first else t
    near, far = t, t
    if not coarsest:
        left = ((t - stride) // (2 * stride)) & 1
        near = t - stride if left else t + stride
        far = t + 3 * stride if left else t - 3 * stride
        near = near if near < last else t
        far = far if first <= far < last else t
    return before, earlier, near, far


@inline
def _detail_context(
    numbers: Numbers, t: int, c: int, rows: tuple[int, int, int, int], ratios: tuple[int, int, int, int], kind: int
) -> int:
    e = 0
    if c > 0:
        e += 2 * _size(numbers, t, c - 1, 1 << _RATIO_BITS)
    if c > 1:
        e += _size(numbers, t, c - 2, 1 << _RATIO_BITS)
    before, earlier, near, far = rows
    if before != t:
        e += 3 * _size(numbers, before, c, ratios[0])
        if c + 1 < numbers.shape[1]:
            e += _size(numbers, before, c + 1, ratios[0])
        if earlier != t:
            e += _size(numbers, earlier, c, ratios[1])
    if near != t:
        e += 2 * _size(numbers, near, c, ratios[2])
    if far != t:
        e += _size(numbers, far, c, ratios[3])
    return (kind * BINS + _bin(e >> 3)) * SLOTS


@inline
def _ratios(fineness: Whole, t: int, rows: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (
        _ratio(fineness, rows[0], t),
        _ratio(fineness, rows[1], t),
        _ratio(fineness, rows[2], t),
        _ratio(fineness, rows[3], t),
    )


@inline
def _used(numbers: Numbers, first: int, last: int, stride: int) -> int:
    """Numbers beyond so many are 0 in all rows of a level."""
    used = 0
    for t in range(first + stride, last, 2 * stride):
        for c in range(numbers.shape[1] - 1, used - 1, -1):
            if numbers[t, c] != 0:
                used = c + 1
                break
    return used


@kernel
def encode_details(
    numbers: Numbers, fineness: Whole, levels: int, first: int, last: int, contexts: Whole, state: Whole, out: Bytes
) -> int:
    """Write the details of the frames ``first`` to ``last``; how many bytes, also if there is less room.

    ``fineness (F,)`` is how many steps of a row go into the same length, times any number.
    """
    start_encoder(state)
    for level in range(levels - 1, -1, -1):
        stride = 1 << level
        used = _used(numbers, first, last, stride)
        for k in range(_USED_BITS):
            encode_plain(state, out, (used >> k) & 1)
        kind = min(level, CLASSES - 2)
        for t in range(first + stride, last, 2 * stride):
            rows = _rows_near(t, stride, level + 1 == levels, first, last)
            ratios = _ratios(fineness, t, rows)
            for c in range(used):
                at = _detail_context(numbers, t, c, rows, ratios, kind)
                put_number(state, out, contexts, at, int(numbers[t, c]))
    return finish_encoder(state, out)


@kernel
def decode_details(
    numbers: Numbers, fineness: Whole, levels: int, first: int, last: int, contexts: Whole, state: Whole, data: Bytes
) -> None:
    """Read the details of the frames ``first`` to ``last`` into ``numbers``, which is 0 there."""
    start_decoder(state, data)
    for level in range(levels - 1, -1, -1):
        stride = 1 << level
        used = 0
        for k in range(_USED_BITS):
            used |= decode_plain(state, data) << k
        kind = min(level, CLASSES - 2)
        for t in range(first + stride, last, 2 * stride):
            rows = _rows_near(t, stride, level + 1 == levels, first, last)
            ratios = _ratios(fineness, t, rows)
            for c in range(min(used, numbers.shape[1])):
                at = _detail_context(numbers, t, c, rows, ratios, kind)
                numbers[t, c] = min(max(get_number(state, data, contexts, at), -LARGEST), LARGEST)


@inline
def _expected_smooth(smooth: Numbers, fineness: Whole, t: int, c: int) -> int:
    """What the smooth row before says about this one: a smooth row is coded as the change since then."""
    if t == 0:
        return 0
    before = int(smooth[t - 1, c])
    own, was = fineness[t], fineness[t - 1]
    size = int(min((2 * abs(before) * own + was) // (2 * was), LARGEST))
    return size if before >= 0 else -size


@inline
def smooth_context(changes: Whole, earlier: Whole, c: int) -> int:
    e = 3 * int(earlier[c])
    if c > 0:
        e += 3 * changes[c - 1]
    if c > 1:
        e += 2 * changes[c - 2]
    return ((CLASSES - 1) * BINS + _bin(e * 2)) * SLOTS


@kernel
def encode_base(
    exponents: Whole,
    smooth: Numbers,
    fineness: Whole,
    contexts: Whole,
    changes: Whole,
    state: Whole,
    out: Bytes,
) -> int:
    """Write the step of every piece and the smooth rows ``(S, D)``; ``changes (2, D)`` is memory to work in."""
    start_encoder(state)
    before = 0
    for k in range(exponents.shape[0]):
        put_number(state, out, contexts, _STEPS, exponents[k] - before)
        before = exponents[k]
    changes[:] = 0
    for t in range(smooth.shape[0]):
        for c in range(smooth.shape[1]):
            value = int(smooth[t, c]) - _expected_smooth(smooth, fineness, t, c)
            put_number(state, out, contexts, smooth_context(changes[0], changes[1], c), value)
            changes[0, c] = abs(value)
        for c in range(smooth.shape[1]):
            changes[1, c] = changes[0, c]
    return finish_encoder(state, out)


@kernel
def decode_steps(exponents: Whole, most: int, contexts: Whole, state: Whole, data: Bytes) -> None:
    """Read the step of every piece, none beyond ``most``; `decode_smooth` goes on from there."""
    start_decoder(state, data)
    before = 0
    for k in range(exponents.shape[0]):
        before = min(max(before + get_number(state, data, contexts, _STEPS), -most), most)
        exponents[k] = before


@kernel
def decode_smooth(smooth: Numbers, fineness: Whole, contexts: Whole, changes: Whole, state: Whole, data: Bytes) -> None:
    """Read the smooth rows of a clip; ``changes (2, D)`` is memory to work in."""
    changes[:] = 0
    for t in range(smooth.shape[0]):
        for c in range(smooth.shape[1]):
            change = get_number(state, data, contexts, smooth_context(changes[0], changes[1], c))
            value = change + _expected_smooth(smooth, fineness, t, c)
            smooth[t, c] = min(max(value, -LARGEST), LARGEST)
            changes[0, c] = abs(change)
        for c in range(smooth.shape[1]):
            changes[1, c] = changes[0, c]
