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
    decode_plain,
    encode_plain,
    finish_encoder,
    start_decoder,
    start_encoder,
)
from locomote.formats._lmz_numbers import (
    BINS,
    CLASSES,
    SLOTS,
    STEPS,
    Odds,
    bin_of,
    coarseness,
    get_number,
    get_symbol,
    put_number,
    put_symbol,
)
from locomote.math._compile import inline, kernel

_RATIO_BITS = 12
_LARGE = 1 << 16  # a neighbour that is larger tells no more
_USED_BITS = 16


def new_state() -> Whole:
    """The state of a coder."""
    return np.zeros(STATE, dtype=np.int64)


@inline
def _ratio(fineness: Whole, row: int, t: int) -> int:
    """How many steps of the row ``t`` a step of another is, times 4096."""
    return int((fineness[t] << _RATIO_BITS) // fineness[row])


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
def _expect(
    numbers: Numbers, fineness: Whole, t: int, rows: tuple[int, int, int, int], used: int, expected: Whole
) -> None:
    """Fill ``expected``: what other rows say about the sizes of row ``t``, in its steps, times 16 and their weights."""
    before, earlier, near, far = rows
    r0 = _ratio(fineness, before, t) if before != t else 0
    r1 = _ratio(fineness, earlier, t) if earlier != t else 0
    r2 = _ratio(fineness, near, t) if near != t else 0
    r3 = _ratio(fineness, far, t) if far != t else 0
    right = numbers.shape[1] - 1
    for c in range(used):
        e = 3 * _size(numbers, before, c, r0) + _size(numbers, earlier, c, r1)
        expected[c] = e + 2 * _size(numbers, near, c, r2) + _size(numbers, far, c, r3)
    for c in range(min(used, right)):
        expected[c] += _size(numbers, before, c + 1, r0)


@inline
def _size(numbers: Numbers, row: int, c: int, ratio: int) -> int:
    """The size of a number that is known already, in steps of the row that is being coded, times 16."""
    return (min(abs(int(numbers[row, c])), _LARGE) * ratio) >> (_RATIO_BITS - 4)


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
    numbers: Numbers, fineness: Whole, shape: Whole, odds: Odds, expected: Whole, state: Whole, out: Bytes
) -> int:
    """Write the details of some frames; how many bytes, also if there is less room.

    ``fineness (F,)`` is how many steps of a row go into the same length, times any number; ``shape`` the levels, the
    first frame and the end; ``expected (D,)`` is memory to work in.
    """
    levels, first, last = shape[0], shape[1], shape[2]
    start_encoder(state)
    for level in range(levels - 1, -1, -1):
        stride = 1 << level
        used = _used(numbers, first, last, stride)
        for k in range(_USED_BITS):
            encode_plain(state, out, (used >> k) & 1)
        kind = min(level, CLASSES - 2) * BINS
        for t in range(first + stride, last, 2 * stride):
            rows = _rows_near(t, stride, level + 1 == levels, first, last)
            _expect(numbers, fineness, t, rows, used, expected)
            left, lefter = 0, 0  # sizes of the two numbers before
            for c in range(used):
                value = int(numbers[t, c])
                e = (expected[c] + 32 * left + 16 * lefter) >> 3
                put_symbol(state, out, odds, (kind + bin_of(e)) * SLOTS, coarseness(e), value)
                left, lefter = min(abs(value), _LARGE), left
    return finish_encoder(state, out)


@kernel
def decode_details(
    numbers: Numbers, fineness: Whole, shape: Whole, odds: Odds, expected: Whole, state: Whole, data: Bytes
) -> None:
    """Read the details of some frames into ``numbers``, which is 0 there.

    Without sizes among the odds, sizes are counted out as in the first coding.
    """
    levels, first, last = shape[0], shape[1], shape[2]
    symbols = odds[1].shape[0] > 0
    start_decoder(state, data)
    for level in range(levels - 1, -1, -1):
        stride = 1 << level
        used = 0
        for k in range(_USED_BITS):
            used |= decode_plain(state, data) << k
        used = min(used, numbers.shape[1])
        kind = min(level, CLASSES - 2) * BINS
        for t in range(first + stride, last, 2 * stride):
            rows = _rows_near(t, stride, level + 1 == levels, first, last)
            _expect(numbers, fineness, t, rows, used, expected)
            left, lefter = 0, 0
            for c in range(used):
                e = (expected[c] + 32 * left + 16 * lefter) >> 3
                at = (kind + bin_of(e)) * SLOTS
                if symbols:
                    value = get_symbol(state, data, odds, at, coarseness(e))
                else:
                    value = get_number(state, data, odds[0], at)
                numbers[t, c] = min(max(value, -LARGEST), LARGEST)
                left, lefter = min(abs(int(numbers[t, c])), _LARGE), left


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
    return ((CLASSES - 1) * BINS + bin_of(e * 2)) * SLOTS


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
        put_number(state, out, contexts, STEPS, exponents[k] - before)
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
        before = min(max(before + get_number(state, data, contexts, STEPS), -most), most)
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
