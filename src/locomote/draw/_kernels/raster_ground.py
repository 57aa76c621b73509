"""Ray casting of the ground: a level or rastered base and the solids of its pieces, cut open before the camera.

Rays begin at a plane, the ``cut (4,)``: its normal, which points away from the camera, and its offset along it. What is
solid there is seen as a section. A normal of zeros cuts nothing. Faces are numbers: BASE_FACE, SECTION, NOTHING, or
``8 (piece + 1) + side`` with the side 0 for the top.
"""

from __future__ import annotations

import math

from locomote.draw._kernels.bundles import Bytes8, Faces, Floats, Floats32, Rays, Solids
from locomote.draw._kernels.raster import HIDDEN, MISS, NEAR, SEEN, SUNK, ray
from locomote.math._compile import inline, kernel
from locomote.math.vector import Vector
from locomote.world._kernels.ground import Terrain, base_height, height
from locomote.world._kernels.ground_layout import HALF_LENGTH, HALF_WIDTH, SLOPE_X, SLOPE_Z, YAW, X, Y, Z

BASE_FACE, NOTHING, SECTION = 0, -1, -2
_PREFERENCE = 1e-4  # m by which a top that lies flush with what was drawn before it counts as nearer, a wall as farther
_OVERLAP = 1e-5  # m by which pieces are wider than they are, so that no ray slips between two that touch
_CLEARANCE = 0.004  # m over the ground at which something counts as being in the air


@kernel
def cast_base(terrain: Terrain, rays: Rays, cut: Floats, faces: Faces) -> None:
    """Draw a level base, and the section of any base; all else becomes NOTHING."""
    grid, depth, face = terrain.grid, faces.depth, faces.face
    step = 1.0 / rays.samples
    rows, columns = depth.shape
    level, highest = grid.size == 1, grid.max()
    for row in range(rows):
        for column in range(columns):
            depth[row, column], face[row, column] = MISS, NOTHING
            (px, py, pz), (dx, dy, dz) = ray((column + 0.5) * step, (row + 0.5) * step, rays)
            start = ray_start(px, pz, dx, dz, cut)
            sx, sy, sz = px + start * dx, py + start * dy, pz + start * dz
            if sy < highest and sy < base_height(sx, sz, grid, terrain.frame):
                depth[row, column], face[row, column] = start, SECTION
            elif level and dy < -1e-12:
                depth[row, column], face[row, column] = (grid[0, 0] - py) / dy, BASE_FACE


@kernel
def cast_terrain(corners: Floats, rays: Rays, cut: Floats, faces: Faces) -> None:
    """Draw triangles ``corners (T, 3, 3)`` of the base; what is nearer already stays."""
    depth, face = faces.depth, faces.face
    step = 1.0 / rays.samples
    for t in range(corners.shape[0]):
        left, right, top, bottom = window(corners[t], rays, depth)
        ax, ay, az = corners[t, 0, 0], corners[t, 0, 1], corners[t, 0, 2]
        ux, uy, uz = corners[t, 1, 0] - ax, corners[t, 1, 1] - ay, corners[t, 1, 2] - az
        vx, vy, vz = corners[t, 2, 0] - ax, corners[t, 2, 1] - ay, corners[t, 2, 2] - az
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        size = nx * nx + ny * ny + nz * nz
        for row in range(top, bottom):
            for column in range(left, right):
                (px, py, pz), (dx, dy, dz) = ray((column + 0.5) * step, (row + 0.5) * step, rays)
                towards = nx * dx + ny * dy + nz * dz
                if abs(towards) < 1e-15:
                    continue
                px, py, pz = px - ax, py - ay, pz - az
                near = -(nx * px + ny * py + nz * pz) / towards
                if near >= depth[row, column] or near < ray_start(px + ax, pz + az, dx, dz, cut):
                    continue
                qx, qy, qz = px + near * dx, py + near * dy, pz + near * dz
                # How far the place lies along the two edges; a hair outside still counts, so that no gap opens.
                u = nx * (qy * vz - qz * vy) + ny * (qz * vx - qx * vz) + nz * (qx * vy - qy * vx)
                v = nx * (uy * qz - uz * qy) + ny * (uz * qx - ux * qz) + nz * (ux * qy - uy * qx)
                if u >= -1e-9 * size and v >= -1e-9 * size and u + v <= (1.0 + 1e-9) * size:
                    depth[row, column], face[row, column] = near, BASE_FACE


@kernel
def cast_pieces(solids: Solids, rays: Rays, cut: Floats, faces: Faces) -> None:
    """Draw the solids under the tops of pieces."""
    pieces, thickness = solids.terrain.pieces, solids.thickness
    depth, face = faces.depth, faces.face
    step = 1.0 / rays.samples
    for p in range(pieces.shape[0]):
        left, right, top, bottom = window(solids.corners[p], rays, depth)
        sine, cosine = math.sin(pieces[p, YAW]), math.cos(pieces[p, YAW])
        for row in range(top, bottom):
            for column in range(left, right):
                (px, py, pz), (dx, dy, dz) = ray((column + 0.5) * step, (row + 0.5) * step, rays)
                start = ray_start(px, pz, dx, dz, cut)
                x, y, z = px - pieces[p, X], py - pieces[p, Y], pz - pieces[p, Z]
                x, z = cosine * x - sine * z, sine * x + cosine * z
                way_x, way_z = cosine * dx - sine * dz, sine * dx + cosine * dz
                # Over the top plane, and how fast the ray rises over it.
                over = y - pieces[p, SLOPE_X] * x - pieces[p, SLOPE_Z] * z
                rising = dy - pieces[p, SLOPE_X] * way_x - pieces[p, SLOPE_Z] * way_z
                enter, leave, side = -MISS, MISS, 0
                enter, leave, side = _through(over + thickness[p], rising, thickness[p], 1, 0, enter, leave, side)
                half = pieces[p, HALF_WIDTH] + _OVERLAP
                enter, leave, side = _through(x + half, way_x, 2.0 * half, 2, 3, enter, leave, side)
                half = pieces[p, HALF_LENGTH] + _OVERLAP
                enter, leave, side = _through(z + half, way_z, 2.0 * half, 4, 5, enter, leave, side)
                if enter >= leave or leave <= start:
                    continue
                if enter < start:
                    depth[row, column], face[row, column] = start, SECTION
                    continue
                favour = _PREFERENCE if side == 0 else -_PREFERENCE
                if face[row, column] != SECTION and enter < depth[row, column] + favour:
                    depth[row, column], face[row, column] = enter, 8 * (p + 1) + side


@kernel
def sink_into_ground(
    depth: Floats32,
    ground_depth: Floats32,
    left: int,
    top: int,
    rays: Rays,
    terrain: Terrain,
    tolerance: float,
    seen: Bytes8,
) -> None:
    """Fill ``seen``: what the ground leaves of bodies, whose window has its corner at the sample ``(left, top)``.

    What lies in front of the ground is SEEN. What is inside it is SUNK, unless it is less than ``tolerance`` below
    the surface, where a sole may be, or unless something else stands before that place. All else is HIDDEN.
    """
    rows, columns = depth.shape
    samples = rays.samples
    for r in range(rows):
        for c in range(columns):
            seen[r, c] = SEEN
            near, ground = depth[r, c], ground_depth[r + top, c + left]
            if near >= MISS or near <= ground:
                continue
            (px, py, pz), (dx, dy, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, rays)
            x, y, z = px + near * dx, py + near * dy, pz + near * dz
            below = height(x, z, 0.0, terrain)[0] - y
            if below <= 0.0:
                seen[r, c] = HIDDEN
                continue
            seen[r, c] = SUNK if below > tolerance else SEEN
            if dy < -1e-9:
                # Back along the ray to where it came through the surface: if the ground was met before, it hides.
                out = near - (below + _CLEARANCE) / -dy
                x, y, z = px + out * dx, py + out * dy, pz + out * dz
                if y > height(x, z, 0.0, terrain)[0] and ground < out:
                    seen[r, c] = HIDDEN


@inline
def ray_start(px: float, pz: float, dx: float, dz: float, cut: Floats) -> float:
    """The depth at which a ray begins."""
    towards = cut[0] * dx + cut[2] * dz
    if towards <= 1e-12:
        return 0.0
    start: float = max(0.0, (cut[3] - cut[0] * px - cut[2] * pz) / towards)
    return start


@inline
def _through(
    at: float, way: float, wide: float, low: int, high: int, enter: float, leave: float, side: int
) -> tuple[float, float, int]:
    """Narrow the depths between which a ray is inside by a slab from 0 to ``wide``; sides are those of its faces."""
    if abs(way) < 1e-12:
        return (enter, leave, side) if 0.0 <= at <= wide else (MISS, -MISS, side)
    first, last, entered = -at / way, (wide - at) / way, low
    if way < 0.0:
        first, last, entered = last, first, high
    if first > enter:
        enter, side = first, entered
    return enter, min(leave, last), side


@inline
def window(points: Floats, rays: Rays, depth: Floats32) -> tuple[int, int, int, int]:
    """The samples ``(left, right, top, bottom)`` between which the hull of points may appear."""
    step = 1.0 / rays.samples
    rows, columns = depth.shape
    low_x, high_x, low_y, high_y = 1e9, -1e9, 1e9, -1e9
    count = points.shape[0]
    for i in range(count):
        x, y, z = _seen_at(points[i], rays)
        if not rays.perspective:
            z = 1.0
        if z >= NEAR:
            low_x, high_x = min(low_x, x / z), max(high_x, x / z)
            low_y, high_y = min(low_y, y / z), max(high_y, y / z)
            continue
        for j in range(count):  # behind the eye: from there to a point before it, the hull comes into sight at NEAR
            other_x, other_y, other_z = _seen_at(points[j], rays)
            if other_z < NEAR:
                continue
            t = (NEAR - z) / (other_z - z)
            across, down = (x + t * (other_x - x)) / NEAR, (y + t * (other_y - y)) / NEAR
            low_x, high_x = min(low_x, across), max(high_x, across)
            low_y, high_y = min(low_y, down), max(high_y, down)
    left, right = max(0.0, math.floor(low_x / step)), min(float(columns), math.ceil(high_x / step) + 1.0)
    top, bottom = max(0.0, math.floor(low_y / step)), min(float(rows), math.ceil(high_y / step) + 1.0)
    return int(min(left, 1e9)), int(max(right, 0.0)), int(min(top, 1e9)), int(max(bottom, 0.0))


@inline
def _seen_at(point: Floats, rays: Rays) -> Vector:
    """A point from the eye as ``(x, y, depth)``; in perspective x and y are times the depth."""
    eye, inverse = rays.eye, rays.inverse
    q0, q1, q2 = point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]
    return (
        inverse[0, 0] * q0 + inverse[0, 1] * q1 + inverse[0, 2] * q2,
        inverse[1, 0] * q0 + inverse[1, 1] * q1 + inverse[1, 2] * q2,
        inverse[2, 0] * q0 + inverse[2, 1] * q1 + inverse[2, 2] * q2,
    )
