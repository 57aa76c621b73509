"""Ray casting of tapered capsules into depth, normal and index buffers, and their shading.

A capsule is the convex hull of two balls. It may be flattened: space is stretched by ``1 / flat`` along a
unit axis before the hull is met, so the body seems squeezed to ``flat`` of its thickness along that axis.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.draw._kernels.bundles import Bytes8, Capsules, Floats, Floats32, Hits, Rays
from locomote.math._compile import inline, kernel
from locomote.math.vector import Pair, Vector, vector

HIDDEN, SUNK, SEEN = 0, 1, 2  # what the ground leaves of what a ray meets
NEAR = 1e-3  # depth in front of a perspective eye below which nothing is drawn
MISS = 1e30  # depth of a ray that meets nothing
_FIRST, _SECOND, _CONE = range(3)  # the parts of a hull: the ball at either end, and what touches both


@inline
def _ball(dd: float, pd: float, pp: float, radius: float) -> float:
    """The first depth at which a ray enters a ball, from the products of direction and start."""
    under = pd * pd - dd * (pp - radius * radius)
    if under < 0.0:
        return MISS
    return (-pd - math.sqrt(under)) / dd


class _Hull(NamedTuple):
    """A capsule from its end 0, in stretched space."""

    end: Vector  # m, the other end
    radii: Pair  # m
    length: float  # m
    tapered: bool  # otherwise one ball swallows the other
    sine: float  # of the cone's half angle
    cosine2: float  # its cosine, squared


@kernel
def cast_capsules(capsules: Capsules, rays: Rays, hits: Hits) -> None:
    """Draw capsules; ``which`` counts them. What is nearer already stays."""
    depth, normals, which = hits.depth, hits.normals, hits.which
    ends, axes, eye = capsules.ends, rays.axes, rays.eye
    height, width = depth.shape
    step = 1.0 / rays.samples
    box = np.empty(4)
    for c in range(ends.shape[0]):
        _bounds(ends[c], capsules.radii[c], rays, box)
        left, right = max(0, math.floor(box[0] / step)), min(width, math.ceil(box[1] / step) + 1)
        top, bottom = max(0, math.floor(box[2] / step)), min(height, math.ceil(box[3] / step) + 1)
        if left >= right or top >= bottom:
            continue
        stretch = 1.0 / capsules.flats[c] - 1.0
        flat = vector(capsules.flat_axes[c])
        # Everything is measured from end 0 in stretched space: other end, eye, and the camera's axes.
        ox, oy, oz = ends[c, 0, 0], ends[c, 0, 1], ends[c, 0, 2]
        end = _stretched((ends[c, 1, 0] - ox, ends[c, 1, 1] - oy, ends[c, 1, 2] - oz), stretch, flat)
        ex, ey, ez = _stretched((eye[0] - ox, eye[1] - oy, eye[2] - oz), stretch, flat)
        rx, ry, rz = _stretched(vector(axes[0]), stretch, flat)
        ux, uy, uz = _stretched(vector(axes[1]), stretch, flat)
        vx, vy, vz = _stretched(vector(axes[2]), stretch, flat)
        hull = _hull(end, (capsules.radii[c, 0], capsules.radii[c, 1]))
        for row in range(top, bottom):
            y = (row + 0.5) * step
            for column in range(left, right):
                x = (column + 0.5) * step
                ax, ay, az = x * rx + y * ux, x * ry + y * uy, x * rz + y * uz
                if rays.perspective:
                    px, py, pz = ex, ey, ez
                    dx, dy, dz = vx + ax, vy + ay, vz + az
                else:
                    px, py, pz = ex + ax, ey + ay, ez + az
                    dx, dy, dz = vx, vy, vz
                best, part, u = _enter((px, py, pz), (dx, dy, dz), hull)
                if best >= min(depth[row, column], MISS) or (rays.perspective and best < NEAR):
                    continue
                met = (px + best * dx, py + best * dy, pz + best * dz)
                nx, ny, nz = _stretched(_outwards(met, part, u, hull), stretch, flat)
                size = math.sqrt(nx * nx + ny * ny + nz * nz)
                depth[row, column] = best
                which[row, column] = c
                normals[row, column, 0] = nx / size
                normals[row, column, 1] = ny / size
                normals[row, column, 2] = nz / size


@inline
def _hull(end: Vector, radii: Pair) -> _Hull:
    """A capsule from its end 0 to ``end``."""
    length = math.sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2])
    tapered = length > abs(radii[0] - radii[1]) + 1e-9
    sine = (radii[0] - radii[1]) / length if tapered else 0.0
    return _Hull(end, radii, length, tapered, sine, 1.0 - sine * sine)


@inline
def _enter(p: Vector, d: Vector, hull: _Hull) -> tuple[float, int, float]:
    """The depth at which a ray enters a hull, through which part, and how far along the axis."""
    b, (ra, rb), length, sine, cosine2 = hull.end, hull.radii, hull.length, hull.sine, hull.cosine2
    dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    pd = p[0] * d[0] + p[1] * d[1] + p[2] * d[2]
    pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    bd = b[0] * d[0] + b[1] * d[1] + b[2] * d[2]
    bp = b[0] * p[0] + b[1] * p[1] + b[2] * p[2]
    wd, wp, qa, qb, under = 0.0, 0.0, 0.0, 0.0, -1.0
    if hull.tapered:
        wd, wp = bd / length, bp / length
        qa = cosine2 * dd - wd * wd
        qb = cosine2 * pd - wp * wd + ra * sine * wd
        under = qb * qb - qa * (cosine2 * pp - wp * wp + 2.0 * ra * sine * wp - ra * ra)
        if under < 0.0 and qa > 0.0:  # the cone around both balls is missed, and so are they
            return MISS, _FIRST, 0.0
    # The hull is entered through a ball or through the cone that touches both.
    best, part, u = _ball(dd, pd, pp, ra), _FIRST, 0.0
    t = _ball(dd, pd - bd, pp - 2.0 * bp + length * length, rb)
    if t < best:
        best, part = t, _SECOND
    if under >= 0.0 and abs(qa) > 1e-15:
        root = math.sqrt(under)
        for sign in (-1.0, 1.0):
            t = (-qb + sign * root) / qa
            along = wp + t * wd
            if t < best and 0.0 <= along - ra * sine <= length * cosine2:
                best, part, u = t, _CONE, along
    return best, part, u


@inline
def _outwards(met: Vector, part: int, u: float, hull: _Hull) -> Vector:
    """Square to a hull at a place, in stretched space."""
    nx, ny, nz = met
    bx, by, bz = hull.end
    if part == _SECOND:
        nx, ny, nz = nx - bx, ny - by, nz - bz
    elif part == _CONE:
        # Away from the axis by the cone's half angle: radial * cosine + along * sine.
        radial = hull.cosine2 / max(hull.radii[0] - u * hull.sine, 1e-9)
        lift, back = hull.sine / hull.length, u / hull.length
        nx = (nx - back * bx) * radial + lift * bx
        ny = (ny - back * by) * radial + lift * by
        nz = (nz - back * bz) * radial + lift * bz
    return nx, ny, nz


@inline
def _stretched(v: Vector, stretch: float, axis: Vector) -> Vector:
    """A vector made ``1 + stretch`` times as long along a unit axis."""
    along = stretch * (v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2])
    return v[0] + along * axis[0], v[1] + along * axis[1], v[2] + along * axis[2]


@inline
def _bounds(ends: Floats, radii: Floats, rays: Rays, box: Floats) -> None:
    """The pixels ``(left, right, top, bottom)`` between which a capsule may appear."""
    eye, inverse = rays.eye, rays.inverse
    box[0], box[1], box[2], box[3] = 1e9, -1e9, 1e9, -1e9
    wide, high, deep = _size(inverse[0]), _size(inverse[1]), _size(inverse[2])
    for e in range(2):
        q0, q1, q2 = ends[e, 0] - eye[0], ends[e, 1] - eye[1], ends[e, 2] - eye[2]
        x = inverse[0, 0] * q0 + inverse[0, 1] * q1 + inverse[0, 2] * q2
        y = inverse[1, 0] * q0 + inverse[1, 1] * q1 + inverse[1, 2] * q2
        left, right, top, bottom = x - radii[e] * wide, x + radii[e] * wide, y - radii[e] * high, y + radii[e] * high
        if rays.perspective:
            z = inverse[2, 0] * q0 + inverse[2, 1] * q1 + inverse[2, 2] * q2
            near, far = z - radii[e] * deep, z + radii[e] * deep
            if near < NEAR:  # partly behind the eye: it may appear anywhere
                box[0], box[1], box[2], box[3] = -1e9, 1e9, -1e9, 1e9
                return
            left, right = min(left / near, left / far), max(right / near, right / far)
            top, bottom = min(top / near, top / far), max(bottom / near, bottom / far)
        box[0], box[1] = min(box[0], left), max(box[1], right)
        box[2], box[3] = min(box[2], top), max(box[3], bottom)


@inline
def _size(row: Floats) -> float:
    return math.sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2])


@kernel
def shade(
    hits: Hits,
    colours: Floats,
    rays: Rays,
    light: Floats,
    seen: Bytes8,
    through: float,
    crease: float,
    out: Floats32,
) -> None:
    """Turn ``samples x samples`` rays a pixel into ``out (H, W, 4)``, colour already multiplied by its alpha.

    ``colours`` are those of what ``which`` counts; ``light (3,)`` points to the light. ``seen`` says of every ray
    whether what it meets is SEEN, HIDDEN, or SUNK into the ground, through which it is seen with the alpha ``through``.
    A step in depth of more than ``crease`` gets a thin dark line, so that limbs in front of the body stand out from it.
    """
    depth, normals, samples = hits.depth, hits.normals, rays.samples
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
                _, (dx, dy, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, rays)
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
                    value = colours[hits.which[r, c], i] * tone + gloss
                    out[row, column, i] += alpha * min(1.0, max(0.0, value))
                out[row, column, 3] += alpha


@kernel
def sink_into_plane(depth: Floats32, rays: Rays, plane: Floats, tolerance: float, seen: Bytes8) -> None:
    """Fill ``seen``: SUNK where a ray meets something more than ``tolerance`` below a floor, else SEEN.

    ``plane`` is the floor ``(height, slope along x, slope along z)``.
    """
    rows, columns = depth.shape
    samples = rays.samples
    for r in range(rows):
        for c in range(columns):
            seen[r, c] = SEEN
            if depth[r, c] >= MISS:
                continue
            (px, py, pz), (dx, dy, dz) = ray((c + 0.5) / samples, (r + 0.5) / samples, rays)
            near = depth[r, c]
            px, py, pz = px + near * dx, py + near * dy, pz + near * dz
            if py < plane[0] + plane[1] * px + plane[2] * pz - tolerance:
                seen[r, c] = SUNK


@inline
def ray(x: float, y: float, rays: Rays) -> tuple[Vector, Vector]:
    """Where the ray of a pixel starts, and the direction in whose lengths depth is measured."""
    eye, axes = rays.eye, rays.axes
    ax = x * axes[0, 0] + y * axes[1, 0]
    ay = x * axes[0, 1] + y * axes[1, 1]
    az = x * axes[0, 2] + y * axes[1, 2]
    dx, dy, dz = axes[2, 0], axes[2, 1], axes[2, 2]
    if rays.perspective:
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
