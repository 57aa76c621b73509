"""What the kernels of drawing take, by name: rays, what they meet, and how it is lit; known without compiling anything.

Lengths are metres, colours and alphas 0 to 1. A picture of H by W pixels has ``h = samples H`` by ``w = samples W``
rays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.world._kernels.ground_layout import Terrain

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Ints32 = npt.NDArray[np.int32]
Bytes8 = npt.NDArray[np.int8]


class Rays(NamedTuple):
    """A camera, and how many rays it casts.

    Parallel rays start at ``eye + x right + y down`` and run along ``forward``; perspective rays all start at ``eye``
    and run along ``forward + x right + y down``. Depth is measured in lengths of that ray direction. The axes need not
    be square to one another, which lets the same code cast shadows obliquely on a floor.
    """

    eye: Floats  # (3,)
    axes: Floats  # (3, 3) rows: one pixel right, one pixel down, forward
    inverse: Floats  # (3, 3) of the matrix whose columns are the axes
    perspective: bool
    samples: int  # rays a pixel, in each direction


class Capsules(NamedTuple):
    """Hulls of two balls each, which may be flattened along an axis."""

    ends: Floats  # (C, 2, 3)
    radii: Floats  # (C, 2)
    flat_axes: Floats  # (C, 3) unit
    flats: Floats  # (C,) thickness along the flat axis, 1 for round


class Triangles(NamedTuple):
    """A mesh; between corners the normals blend."""

    vertices: Floats  # (V, 3)
    corners: Ints  # (T, 3) vertices
    normals: Floats  # (N, 3) unit
    shading: Ints  # (T, 3) the normal of each corner


class Hits(NamedTuple):
    """What rays meet of bodies."""

    depth: Floats32  # (h, w) MISS where a ray meets nothing; there the others are not filled
    normals: Floats32  # (h, w, 3) unit
    which: Ints32  # (h, w) index of the capsule or triangle


class Faces(NamedTuple):
    """What rays meet of the ground."""

    depth: Floats32  # (h, w)
    face: Ints32  # (h, w) see `raster_ground`


class Props(NamedTuple):
    """What rays meet of obstacles."""

    depth: Floats32  # (h, w) of prisms; flat patches have none
    face: Ints32  # (h, w) see `raster_obstacles`
    dark: Bytes8  # (h, w) 1: in the shadow of a prism


class Solids(NamedTuple):
    """The ground, and what lies under the tops of its P pieces."""

    terrain: Terrain
    thickness: Floats  # (P,) m under the top
    floating: Ints32  # (P,) 1: a slab; its grid lines go along with it
    corners: Floats  # (P, 8, 3)


class Prisms(NamedTuple):
    """Upright prisms and flat patches."""

    table: Floats  # (M, ...) columns of `obstacle_layout`
    corners: Floats  # (M, K, 2) x and z
    spans: Floats  # (M, 2) heights of bottom and top


class Shadow(NamedTuple):
    """How dark the floor is under bodies, as a map of the plan."""

    dark: Floats32  # (rows along z, columns along x) 0 to 1
    frame: Floats  # (4,) x, z, width, depth


class Fading(NamedTuple):
    """Where the world of a picture fades away."""

    focus: Floats  # (2, 2) the segment ((x, z), (x, z)) around which all is visible
    limits: Floats  # (2,) distances from it at which the fading begins and ends


class Floor(NamedTuple):
    """A plane with a grid."""

    plane: Floats  # (3,) height, slope along x, slope along z
    cell: float  # m between grid lines
    line_width: float  # m
    strengths: Floats  # (3,) alphas of surface, lines and shadow
    colours: Floats  # (3, 3) of the same


class Surface(NamedTuple):
    """How the ground is painted."""

    cell: float  # m between grid lines
    size: float  # m, of a body: lines are as wide as suits it
    colours: Floats  # (6, 3) in the order of `raster_surface`
