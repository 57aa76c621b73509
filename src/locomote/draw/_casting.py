"""Shapes as a camera sees them, ray by ray."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.draw._camera import Camera
from locomote.draw._shapes import Shapes

Floats32 = npt.NDArray[np.float32]
_MISS = np.float32(1e30)


def cast(shapes: Shapes, camera: Camera, samples: int) -> tuple[Floats32, Floats32, npt.NDArray[np.int32]]:
    """Depth, normals and index of the shape that each ray meets; depth is 1e30 where it meets none.

    Capsules are counted first, then triangles.
    """
    from locomote.draw._kernels.raster import cast_capsules
    from locomote.draw._kernels.raster_mesh import cast_triangles

    shape = (camera.height * samples, camera.width * samples)
    depth = np.full(shape, _MISS, dtype=np.float32)
    normals = np.empty((*shape, 3), dtype=np.float32)
    which = np.empty(shape, dtype=np.int32)
    cast_capsules(
        np.ascontiguousarray(shapes.ends),
        np.ascontiguousarray(shapes.radii),
        np.ascontiguousarray(shapes.flat_axes),
        np.ascontiguousarray(shapes.flats),
        camera.eye,
        camera.axes,
        camera.inverse,
        camera.perspective,
        1.0 / samples,
        depth,
        normals,
        which,
    )
    mesh = shapes.mesh
    if len(mesh.triangles):
        cast_triangles(
            np.ascontiguousarray(mesh.vertices),
            np.ascontiguousarray(mesh.triangles),
            np.ascontiguousarray(mesh.normals),
            np.ascontiguousarray(mesh.shading),
            len(shapes.ends),
            camera.eye,
            camera.axes,
            camera.inverse,
            camera.perspective,
            1.0 / samples,
            depth,
            normals,
            which,
        )
    return depth, normals, which
