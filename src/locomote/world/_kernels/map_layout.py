"""How the grid maps of the world are kept, known to those who fill them without compiling anything.

The plan is cut into square cells that never move: the cell of a place has the *row* ``floor(z / cell)`` and the
*column* ``floor(x / cell)``, which may be negative. The arrays hold a window of them, whole tiles of TILE x TILE
cells; all things lie within it, and beyond it there is only the base of the ground. Only tiles that a thing touches
have a *page* where their cells are kept: a large world costs what stands in it.

A *thing* is an obstacle or a piece of the ground: a convex outline in the plan with a plane top. It has a slot, which
is its own as long as it exists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

TILE = 16  # cells along a side
TILE_BITS = 4
TILE_MASK = TILE - 1
NO_PAGE = -1  # of a tile without a page; also the end of a list of things

# What a cell is like: bits of the class maps and of a planner's window.
NO_STAND = 1  # on a thing that must not be stepped on
GROWN = 2  # a foot here would meet the side of a thing, or lie partly on one that must not be stepped on
EDGE = 4  # on top of a thing, at its edge
CORNER = 8  # on top of a thing, at a corner
INSIDE = 16  # on top of a thing: its edges and corners too
LEG = 32  # another leg or foot, set by who plans a step: neither to be passed nor to be stepped on
MET = 64  # GROWN, and a foot in the middle of the cell would meet the thing
SWEPT = 128  # a thing that moves will be here while the foot stands

# The same as classes of which a cell has just one.
GROUND, INTERIOR, AT_EDGE, AT_CORNER, SIZE_INCREASE = range(5)

# Columns of the table of things. (X, Y, Z) is the middle of the top, YAW its turn about +Y. The top is the plane
# Y + SLOPE_X * local x + SLOPE_Z * local z, between LOW and PEAK (m) within the outline. FLAT things lie on the base
# like a skin; a PIECE is one of the ground. ALIVE tells the lives of a slot apart: 0 where there is nothing, another
# number for every thing.
THING_COLUMNS = 19
(
    X,
    Y,
    Z,
    YAW,
    SLOPE_X,
    SLOPE_Z,
    SAFE,
    ALIVE,
    VX,
    VY,
    VZ,
    TURN,
    CORNERS,
    RADIUS,
    LOW,
    PEAK,
    FLAT,
    MOVES,
    PIECE,
) = range(THING_COLUMNS)
MOST_CORNERS = 16
BASE = -1  # stands for the base of the ground where a slot is asked for

# Parts of the frame: x and z (m) of the low corner of the window, the side of a cell (m), and the first row and column.
X_LOW, Z_LOW, CELL, FIRST_ROW, FIRST_COLUMN = range(5)

FLUSH = 0.03  # m by which ground may stand out beside a foot without being in its way
LIP = 0.002  # m by which an obstacle may


Ints32 = npt.NDArray[np.int32]


class Layer(NamedTuple):
    """The cells of still or of moving things; TR x TC tiles, P pages one below the other.

    Of each cell: the highest top at its middle (for the base: in all of the cell), the highest of all that touches it,
    the slot that gives the first, and its bits. Where nothing moves the tops are -inf.
    """

    pages: Ints32  # (TR, TC) the page of a tile, or NO_PAGE
    top: npt.NDArray[np.float64]  # (P * TILE, TILE)
    peak: npt.NDArray[np.float64]
    owner: Ints32
    bits: npt.NDArray[np.uint8]
    users: Ints32  # (P,) how many things of the layer touch the tile of a page, and one more if it always stays
    spare: Ints32  # (P + 1,) how many pages are free, and then which


class MapArrays(NamedTuple):
    """The maps for `locomote.world._kernels.map_reading`; TR x TC tiles, S slots.

    The things whose bounding rectangle touches a tile are a list: ``heads`` has its first entry, and of each entry
    ``links`` has the slot and the next entry, NO_PAGE after the last.
    """

    frame: npt.NDArray[np.float64]  # (5,)
    static: Layer
    moving: Layer
    versions: npt.NDArray[np.int64]  # (TR, TC) the reading of the clock at the last change of a tile
    clock: npt.NDArray[np.int64]  # (1,) how many updates changed anything
    heads: Ints32  # (TR, TC)
    links: Ints32  # (E, 2); the first row has how many entries are free, and the first free one
    thing_tiles: npt.NDArray[np.int64]  # (S, 4) first and last row, first and last column of their tiles
    things: npt.NDArray[np.float64]  # (S, THING_COLUMNS)
    thing_corners: npt.NDArray[np.float64]  # (S, MOST_CORNERS, 2) as (x, z) in the world, as in `obstacle_layout`
    pieces: npt.NDArray[np.float64]  # the ground: `locomote.world._kernels.ground`
    grid: npt.NDArray[np.float64]
    ground_frame: npt.NDArray[np.float64]


class Dirty(NamedTuple):
    """The tiles in which cells of things that others may share were cleared, and scratch for drawing."""

    bits: npt.NDArray[np.uint8]  # (TR, TC) IN_STATIC and IN_MOVING
    tiles: Ints32  # (TR * TC + 1,) how many have any, and then which
    spans: npt.NDArray[np.float64]  # (TR * TILE + 2, 4) m, of the rows of a thing: `map_outline.row_spans`
    corners: npt.NDArray[np.float64]  # (MOST_CORNERS,) m, the x of those near to a row


class Things(NamedTuple):
    """What is known of the thing in every slot beside its row, for those who draw it."""

    changed: npt.NDArray[np.uint8]  # (S,)
    drawn: npt.NDArray[np.uint8]  # (S,) NOT_DRAWN, IN_STATIC, IN_MOVING
    cells: npt.NDArray[np.int64]  # (S, 4) first and last row, first and last column of the window, as drawn
    goal: npt.NDArray[np.int64]  # (S, 4) as they will be
