"""Whether a curve that a foot is on still holds, against the map as it is now."""

from __future__ import annotations

import math

from locomote.kernels._compile import part
from locomote.kernels.map_layout import GROWN, LEG, NO_STAND
from locomote.kernels.swing_curve import swing_at
from locomote.kernels.swing_grid import Bytes
from locomote.kernels.vector import Floats


@part
def curve_clear(
    curve: Floats,
    share: float,
    slack: float,
    elev: Floats,
    flags: Bytes,
    x_low: float,
    z_low: float,
    cell: float,
) -> bool:
    """Whether the rest of a curve after a share of it runs over all that is drawn in a window, to a good footprint.

    The footprint may have risen or sunk by ``slack`` (m). The cells where the foot is now and where it lands are not
    asked for their heights, nor is what lies beyond the window.
    """
    rows, columns = elev.shape
    last = curve.shape[0] - 1
    now = swing_at(curve, share)
    row, column = math.floor((now[2] - z_low) / cell), math.floor((now[0] - x_low) / cell)
    end_row, end_column = (
        math.floor((curve[last, 2] - z_low) / cell),
        math.floor((curve[last, 0] - x_low) / cell),
    )
    if 0 <= end_row < rows and 0 <= end_column < columns:
        if flags[end_row, end_column] & (NO_STAND | GROWN | LEG) != 0:
            return False
        if abs(elev[end_row, end_column] - curve[last, 1]) > slack:
            return False
    # Four looks between two points: a curve seldom cuts a corner of a cell by less.
    first = math.ceil(share * last * 4.0)
    for k in range(first, 4 * last):
        x, y, z = swing_at(curve, k / (4.0 * last))
        r, c = math.floor((z - z_low) / cell), math.floor((x - x_low) / cell)
        if not (0 <= r < rows and 0 <= c < columns):
            continue
        if (r == row and c == column) or (r == end_row and c == end_column):
            continue
        if flags[r, c] & LEG != 0 or elev[r, c] > y:
            return False
    return True
