"""Ray casting of tapered capsules into depth, normal and index buffers, and their shading.

A capsule is the convex hull of two balls. It may be flattened: space is stretched by ``1 / flat`` along a
unit axis before the hull is met, so the body seems squeezed to ``flat`` of its thickness along that axis.

A camera is ``eye (3,)`` and ``axes (3, 3)``: rows for one pixel to the right, one pixel down, and forward.
Parallel rays start at ``eye + x right + y down`` and run along ``forward``; perspective rays all start at
``eye`` and run along ``forward + x right + y down``. Depth is measured in lengths of that ray direction. The
axes need not be square to one another, which lets the same code cast shadows obliquely on a floor.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote.math._compile import inline, kernel
from locomote.math.vector import Vector

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Ints32 = npt.NDArray[np.int32]
Bytes8 = npt.NDArray[np.int8]

HIDDEN, SUNK, SEEN = 0, 1, 2  # what the ground leaves of what a ray meets
NEAR = 1e-3  # depth in front of a perspective eye below which nothing is drawn
MISS = 1e30  # depth of a ray that meets nothing


@inline
def _ball(dd: float, pd: float, pp: float, radius: float) -> float:
    """The first depth at which a ray enters a ball, from the products of direction and start."""
    under = pd * pd - dd * (pp - radius * radius)
    if under < 0.0:
        return MISS
    return (-pd - math.sqrt(under)) / dd


@kernel
def cast_capsules(
    ends: Floats,
    radii: Floats,
    flat_axes: Floats,
    flats: Floats,
    eye: Floats,
    axes: Floats,
    inverse: Floats,
    perspective: bool,
    step: float,
    depth: Floats32,
    normals: Floats32,
    which: Ints32,
) -> None:
    """Draw capsules ``ends (C, 2, 3)``, ``radii (C, 2)`` into ``depth``, ``normals``, ``which`` (index).

    ``inverse`` is the inverse of the matrix whose columns are the camera's axes. ``step`` is the distance
    between samples in pixels of the camera: 1/2 draws at twice its resolution. What is nearer already stays.
    """
    height, width = depth.shape
    box = np.empty(4)
    for c in range(ends.shape[0]):
        _bounds(ends[c], radii[c], eye, inverse, perspective, box)
        left, right = max(0, math.floor(box[0] / step)), min(width, math.ceil(box[1] / step) + 1)
        top, bottom = max(0, math.floor(box[2] / step)), min(height, math.ceil(box[3] / step) + 1)
        if left >= right or top >= bottom:
            continue
        stretch = 1.0 / flats[c] - 1.0
        fx, fy, fz = flat_axes[c, 0], flat_axes[c, 1], flat_axes[c, 2]
        # Everything is measured from end 0 in stretched space: other end, eye, and the camera's axes.
        ox, oy, oz = ends[c, 0, 0], ends[c, 0, 1], ends[c, 0, 2]
        bx, by, bz = ends[c, 1, 0] - ox, ends[c, 1, 1] - oy, ends[c, 1, 2] - oz
        bx, by, bz = _stretched(bx, by, bz, stretch, fx, fy, fz)
        ex, ey, ez = _stretched(eye[0] - ox, eye[1] - oy, eye[2] - oz, stretch, fx, fy, fz)
        rx, ry, rz = _stretched(axes[0, 0], axes[0, 1], axes[0, 2], stretch, fx, fy, fz)
        ux, uy, uz = _stretched(axes[1, 0], axes[1, 1], axes[1, 2], stretch, fx, fy, fz)
        vx, vy, vz = _stretched(axes[2, 0], axes[2, 1], axes[2, 2], stretch, fx, fy, fz)
        length = math.sqrt(bx * bx + by * by + bz * bz)
        ra, rb = radii[c, 0], radii[c, 1]
        tapered = length > abs(ra - rb) + 1e-9  # otherwise one ball swallows the other
        sine = (ra - rb) / length if tapered else 0.0
        cosine2 = 1.0 - sine * sine
        for row in range(top, bottom):
            y = (row + 0.5) * step
            for column in range(left, right):
                x = (column + 0.5) * step
                ax, ay, az = x * rx + y * ux, x * ry + y * uy, x * rz + y * uz
                if perspective:
                    px, py, pz = ex, ey, ez
                    dx, dy, dz = vx + ax, vy + ay, vz + az
                else:
                    px, py, pz = ex + ax, ey + ay, ez + az
                    dx, dy, dz = vx, vy, vz
                dd = dx * dx + dy * dy + dz * dz
                pd = px * dx + py * dy + pz * dz
                pp = px * px + py * py + pz * pz
                bd = bx * dx + by * dy + bz * dz
                bp = bx * px + by * py + bz * pz
                wd, wp, qa, qb, under = 0.0, 0.0, 0.0, 0.0, -1.0
                if tapered:
                    wd, wp = bd / length, bp / length
                    qa = cosine2 * dd - wd * wd
                    qb = cosine2 * pd - wp * wd + ra * sine * wd
                    under = qb * qb - qa * (cosine2 * pp - wp * wp + 2.0 * ra * sine * wp - ra * ra)
                    if under < 0.0 and qa > 0.0:  # the cone around both balls is missed, and so are they
                        continue
                # The hull is entered through a ball or through the cone that touches both.
                best, part, u = _ball(dd, pd, pp, ra), 0, 0.0
                t = _ball(dd, pd - bd, pp - 2.0 * bp + length * length, rb)
                if t < best:
                    best, part = t, 1
                if under >= 0.0 and abs(qa) > 1e-15:
                    root = math.sqrt(under)
                    for sign in (-1.0, 1.0):
                        t = (-qb + sign * root) / qa
                        along = wp + t * wd
                        if t < best and 0.0 <= along - ra * sine <= length * cosine2:
                            best, part, u = t, 2, along
                if best >= min(depth[row, column], MISS) or (perspective and best < NEAR):
                    continue
                nx, ny, nz = px + best * dx, py + best * dy, pz + best * dz
                if part == 1:
                    nx, ny, nz = nx - bx, ny - by, nz - bz
                elif part == 2:
                    # Away from the axis by the cone's half angle: radial * cosine + along * sine.
                    radial = cosine2 / max(ra - u * sine, 1e-9)
                    lift, back = sine / length, u / length
                    nx = (nx - back * bx) * radial + lift * bx
                    ny = (ny - back * by) * radial + lift * by
                    nz = (nz - back * bz) * radial + lift * bz
                nx, ny, nz = _stretched(nx, ny, nz, stretch, fx, fy, fz)
                size = math.sqrt(nx * nx + ny * ny + nz * nz)
                depth[row, column] = best
                which[row, column] = c
                normals[row, column, 0] = nx / size
                normals[row, column, 1] = ny / size
                normals[row, column, 2] = nz / size


@inline
def _stretched(
    x: float, y: float, z: float, stretch: float, fx: float, fy: float, fz: float
) -> tuple[float, float, float]:
    """A vector made ``1 + stretch`` times as long along a unit axis."""
    along = stretch * (x * fx + y * fy + z * fz)
    return x + along * fx, y + along * fy, z + along * fz


@inline
def _bounds(ends: Floats, radii: Floats, eye: Floats, inverse: Floats, perspective: bool, box: Floats) -> None:
    """The pixels ``(left, right, top, bottom)`` between which a capsule may appear."""
    box[0], box[1], box[2], box[3] = 1e9, -1e9, 1e9, -1e9
    for e in range(2):
        for corner in range(8):
            q0 = ends[e, 0] - eye[0] + (radii[e] if corner & 1 else -radii[e])
            q1 = ends[e, 1] - eye[1] + (radii[e] if corner & 2 else -radii[e])
            q2 = ends[e, 2] - eye[2] + (radii[e] if corner & 4 else -radii[e])
            x = inverse[0, 0] * q0 + inverse[0, 1] * q1 + inverse[0, 2] * q2
            y = inverse[1, 0] * q0 + inverse[1, 1] * q1 + inverse[1, 2] * q2
            if perspective:
                z = inverse[2, 0] * q0 + inverse[2, 1] * q1 + inverse[2, 2] * q2
                if z < NEAR:  # partly behind the eye: it may appear anywhere
                    box[0], box[1], box[2], box[3] = -1e9, 1e9, -1e9, 1e9
                    return
                x, y = x / z, y / z
            box[0], box[1] = min(box[0], x), max(box[1], x)
            box[2], box[3] = min(box[2], y), max(box[3], y)


@kernel
def shade(
    depth: Floats32,
    normals: Floats32,
    which: Ints32,
    colours: Floats,
    eye: Floats,
    axes: Floats,
    perspective: bool,
    samples: int,
    light: Floats,
    seen: Bytes8,
    through: float,
    crease: float,
    out: Floats32,
) -> None:
    """Turn ``samples x samples`` rays a pixel into ``out (H, W, 4)``, colour already multiplied by its alpha.

    ``light (3,)`` points to the light. ``seen`` says of every ray whether what it meets is SEEN, HIDDEN, or SUNK
    into the ground, through which it is seen with the alpha ``through``. A step in depth of more than ``crease``
    gets a thin dark line, so that limbs in front of the body stand out from it.
    """
    height, width = out.shape[:2]
    rows, columns = depth.shape
    weight = 1.0 / (samples * samples)
    for row in range(height):
        for column in range(width):
            for i in range(4):
                out[row, column, i] = 0.0
            for sample in range(samples * samples):
                r, c = row * samples + sample // samples, column * samples + sample % samples
                near = depth[r, c]
                if near >= MISS or seen[r, c] == HIDDEN:
                    continue
                _, (dx, dy, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, eye, axes, perspective)
                speed = math.sqrt(dx * dx + dy * dy + dz * dz)
                nx, ny, nz = normals[r, c, 0], normals[r, c, 1], normals[r, c, 2]
                facing = max(0.0, -(nx * dx + ny * dy + nz * dz) / speed)
                lit = nx * light[0] + ny * light[1] + nz * light[2]
                tone = 0.68 + 0.34 * smooth(0.5 + 0.5 * lit) + 0.05 * ny
                gloss = 0.10 * _power24(max(0.0, lit))
                rim = 1.0 - facing
                tone *= 1.0 - 0.42 * rim * rim * rim
                if _in_front(depth, r, c, samples, near - crease / speed, rows, columns):
                    tone *= 0.72
                alpha = weight
                if seen[r, c] == SUNK:
                    alpha *= through
                for i in range(3):
                    value = colours[which[r, c], i] * tone + gloss
                    out[row, column, i] += alpha * min(1.0, max(0.0, value))
                out[row, column, 3] += alpha


@kernel
def sink_into_plane(
    depth: Floats32,
    eye: Floats,
    axes: Floats,
    perspective: bool,
    samples: int,
    plane: Floats,
    tolerance: float,
    seen: Bytes8,
) -> None:
    """Fill ``seen``: SUNK where a ray meets something more than ``tolerance`` below a floor, else SEEN.

    ``plane`` is the floor ``(height, slope along x, slope along z)``.
    """
    rows, columns = depth.shape
    for r in range(rows):
        for c in range(columns):
            seen[r, c] = SEEN
            if depth[r, c] >= MISS:
                continue
            (px, py, pz), (dx, dy, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, eye, axes, perspective)
            near = depth[r, c]
            px, py, pz = px + near * dx, py + near * dy, pz + near * dz
            if py < plane[0] + plane[1] * px + plane[2] * pz - tolerance:
                seen[r, c] = SUNK


@inline
def ray(x: float, y: float, eye: Floats, axes: Floats, perspective: bool) -> tuple[Vector, Vector]:
    """Where the ray of a pixel starts, and the direction in whose lengths depth is measured."""
    ax = x * axes[0, 0] + y * axes[1, 0]
    ay = x * axes[0, 1] + y * axes[1, 1]
    az = x * axes[0, 2] + y * axes[1, 2]
    dx, dy, dz = axes[2, 0], axes[2, 1], axes[2, 2]
    if perspective:
        return (eye[0], eye[1], eye[2]), (dx + ax, dy + ay, dz + az)
    return (eye[0] + ax, eye[1] + ay, eye[2] + az), (dx, dy, dz)


@inline
def smooth(t: float) -> float:
    """From 0 to 1 without a corner, as ``t`` goes from 0 to 1."""
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


@inline
def _power24(t: float) -> float:
    t3 = t * t * t
    t6 = t3 * t3
    t12 = t6 * t6
    return t12 * t12


@inline
def _in_front(depth: Floats32, row: int, column: int, reach: int, limit: float, rows: int, columns: int) -> bool:
    """Whether a neighbour at ``reach`` samples is nearer than ``limit``."""
    if row >= reach and depth[row - reach, column] < limit:
        return True
    if row + reach < rows and depth[row + reach, column] < limit:
        return True
    if column >= reach and depth[row, column - reach] < limit:
        return True
    return column + reach < columns and depth[row, column + reach] < limit
