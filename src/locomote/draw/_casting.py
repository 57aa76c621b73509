"""Shapes as a camera sees them, ray by ray."""

from __future__ import annotations

import numpy as np

from locomote.draw._camera import Camera
from locomote.draw._kernels.bundles import Capsules, Hits, Triangles
from locomote.draw._shapes import Shapes

_MISS = np.float32(1e30)


def cast(shapes: Shapes, camera: Camera, samples: int) -> Hits:
    """What each ray meets; depth is 1e30 where it meets nothing.

    Capsules are counted first, then triangles.
    """
    from locomote.draw._kernels.raster import cast_capsules
    from locomote.draw._kernels.raster_mesh import cast_triangles

    shape = (camera.height * samples, camera.width * samples)
    hits = Hits(
        np.full(shape, _MISS, dtype=np.float32),
        np.empty((*shape, 3), dtype=np.float32),
        np.empty(shape, dtype=np.int32),
    )
    rays = camera.rays(samples)
    capsules = (shapes.ends, shapes.radii, shapes.flat_axes, shapes.flats)
    cast_capsules(Capsules(*(np.ascontiguousarray(each) for each in capsules)), rays, hits)
    mesh = shapes.mesh
    if len(mesh.triangles):
        triangles = Triangles(
            np.ascontiguousarray(mesh.vertices),
            np.ascontiguousarray(mesh.triangles),
            np.ascontiguousarray(mesh.normals),
            np.ascontiguousarray(mesh.shading),
        )
        cast_triangles(triangles, len(shapes.ends), rays, hits)
    return hits
