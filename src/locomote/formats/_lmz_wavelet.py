"""The transform over time of packed motion: CDF 9/7 lifting in place, for clips of any length.

Rows of ``values (F, D)`` are frames. After `analyse`, row ``t`` holds the details of the level that the trailing zeros
of ``t`` tell (odd rows are the finest), and the rows at multiples of ``2**levels`` the smooth rest. Ends are mirrored.
"""

from __future__ import annotations

from locomote.math._compile import inline, kernel
from locomote.math.vector import Floats

# Daubechies and Sweldens, "Factoring wavelet transforms into lifting steps", 1998
_PREDICT = -1.586134342059924
_UPDATE = -0.052980118572961
_PREDICT_AGAIN = 0.882911075530934
_UPDATE_AGAIN = 0.443506852043971
SMOOTH_GAIN = 1.149604398860241  # what makes the lifted smooth part nearly orthonormal; details take its inverse

REACH = 4  # rows of the coarsest spacing by which a wrong row can spread in `synthesise`


@inline
def _lift(values: Floats, first: int, stride: int, weight: float) -> None:
    """Add to every second row, from ``first`` on, its two neighbours at ``stride`` times ``weight``."""
    frames, width = values.shape
    for t in range(first, frames, 2 * stride):
        before, after = t - stride, t + stride
        if before < 0:
            before = after if after < frames else t
        if after >= frames:
            after = before
        if before == t:
            continue
        for c in range(width):
            values[t, c] += weight * (values[before, c] + values[after, c])


@kernel
def analyse(values: Floats, levels: int) -> None:
    """Turn frames into details and a smooth rest, in place."""
    for level in range(levels):
        stride = 1 << level
        _lift(values, stride, stride, _PREDICT)
        _lift(values, 0, stride, _UPDATE)
        _lift(values, stride, stride, _PREDICT_AGAIN)
        _lift(values, 0, stride, _UPDATE_AGAIN)


@kernel
def synthesise(values: Floats, levels: int) -> None:
    """Turn details and the smooth rest into frames, in place."""
    for level in range(levels - 1, -1, -1):
        stride = 1 << level
        _lift(values, 0, stride, -_UPDATE_AGAIN)
        _lift(values, stride, stride, -_PREDICT_AGAIN)
        _lift(values, 0, stride, -_UPDATE)
        _lift(values, stride, stride, -_PREDICT)
