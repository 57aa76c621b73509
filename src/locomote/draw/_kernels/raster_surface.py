"""Shading of the ground that `raster_ground` has cast: tops with a grid, walls, sections, edges and shadows."""

from __future__ import annotations

import math

from locomote.draw._kernels.bundles import Faces, Fading, Floats, Floats32, Ints32, Rays, Shadow, Solids, Surface
from locomote.draw._kernels.raster import ray, smooth
from locomote.draw._kernels.raster_floor import grid_line, shadow_at, visibility
from locomote.draw._kernels.raster_ground import BASE_FACE, NOTHING, SECTION
from locomote.math._compile import inline, kernel
from locomote.math.vector import Vector
from locomote.world._kernels.ground import Terrain, base_slope, slope
from locomote.world._kernels.ground_layout import HALF_LENGTH, HALF_WIDTH, YAW, X, Y, Z

SURFACE, LINE, SHADOW, WALL, CUT, EDGE = range(6)  # rows of the colours
_LINE_ALPHA, _SHADOW_ALPHA, _EDGE_ALPHA = 0.9, 0.85, 0.8
_UNDER_SLAB = 0.40  # alpha of the shadow of a slab that floats
_JUMP = 0.1  # of the body's size: a step in depth at which the outline of a hill begins to show
_SAME_PLANE = 0.002  # m; walls nearer than this to one plane have no edge between them


@kernel
def shade_ground(
    faces: Faces,
    rays: Rays,
    solids: Solids,
    surface: Surface,
    light: Floats,
    shadow: Shadow,
    fading: Fading,
    out: Floats32,
) -> None:
    """Turn ``samples x samples`` rays a pixel into ``out (H, W, 4)``, colour already multiplied by its alpha.

    ``light (3,)`` points to the light.
    """
    depth, face, samples, colours = faces.depth, faces.face, rays.samples, surface.colours
    rows, columns = out.shape[:2]
    near_by = (samples + 1) // 2
    for row in range(rows):
        for column in range(columns):
            for i in range(4):
                out[row, column, i] = 0.0
            # Where nothing changes within a pixel, one ray says as much as all: lines and shadows are smooth.
            one = _is_plain(row * samples, column * samples, samples, near_by, face)
            taken = 1 if one else samples * samples
            weight = 1.0 / taken
            for k in range(taken):
                at = (samples * samples) // 2 if one else k
                r, c = row * samples + at // samples, column * samples + at % samples
                kind = face[r, c]
                if kind == NOTHING:
                    continue
                x, y, z = _place(r, c, depth[r, c], rays)
                visible = visibility(x, z, fading)
                if visible <= 0.0:
                    continue
                dark, line, tone, paint = 0.0, 0.0, 1.0, CUT
                if kind != SECTION:
                    normal = _normal(kind, x, z, solids.terrain)
                    lit = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]
                    tone = 0.62 + 0.38 * min(1.2, max(0.0, lit / light[1]))
                    paint = WALL
                    if kind == BASE_FACE or kind % 8 == 0:
                        paint = SURFACE
                        line = _lines(r, c, (x, y, z), normal, kind, rays, solids, surface)
                        dark = _SHADOW_ALPHA * shadow_at(x, z, shadow)
                        dark = max(dark, _under_slabs(x, y, z, light, solids))
                edge = _EDGE_ALPHA * _edge(r, c, near_by, faces, rays, solids, surface.size)
                line *= _LINE_ALPHA
                for i in range(3):
                    value = min(1.0, colours[paint, i] * tone)
                    value += line * (colours[LINE, i] - value)
                    value += dark * (colours[SHADOW, i] - value)
                    value += edge * (colours[EDGE, i] - value)
                    out[row, column, i] += weight * visible * value
                out[row, column, 3] += weight * visible


@inline
def _is_plain(top: int, left: int, samples: int, reach: int, face: Ints32) -> bool:
    """Whether all samples of a pixel, and those around it, show one face."""
    rows, columns = face.shape
    kind = face[top, left]
    for r in range(max(0, top - reach), min(rows, top + samples + reach)):
        for c in range(max(0, left - reach), min(columns, left + samples + reach)):
            if face[r, c] != kind:
                return False
    return True


@inline
def _place(r: int, c: int, near: float, rays: Rays) -> Vector:
    """What the ray of a sample meets."""
    (px, py, pz), (dx, dy, dz) = ray((c + 0.5) / rays.samples, (r + 0.5) / rays.samples, rays)
    return px + near * dx, py + near * dy, pz + near * dz


@inline
def _normal(kind: int, x: float, z: float, terrain: Terrain) -> Vector:
    """The direction square to a face, outwards."""
    piece, side = kind // 8 - 1, kind % 8
    if side < 2:
        slope_x, slope_z = (
            base_slope(x, z, terrain.grid, terrain.frame) if piece < 0 else slope(x, z, 0.0, piece, terrain)
        )
        length = math.sqrt(slope_x * slope_x + 1.0 + slope_z * slope_z)
        sign = 1.0 if side == 0 else -1.0
        return -sign * slope_x / length, sign / length, -sign * slope_z / length
    sign = 1.0 if side % 2 else -1.0
    yaw = terrain.pieces[piece, YAW]
    sine, cosine = sign * math.sin(yaw), sign * math.cos(yaw)
    return (cosine, 0.0, -sine) if side < 4 else (sine, 0.0, cosine)


@inline
def _lines(
    r: int, c: int, place: Vector, normal: Vector, kind: int, rays: Rays, solids: Solids, surface: Surface
) -> float:
    """How much of a pixel is covered by the grid on a top."""
    x, y, z = place
    pieces, samples = solids.terrain.pieces, rays.samples
    at_x, at_z, wide, deep = x, z, 1e-9, 1e-9
    piece = kind // 8 - 1
    goes_along = piece >= 0 and solids.floating[piece] != 0
    sine, cosine = 0.0, 1.0
    if goes_along:
        sine, cosine = math.sin(pieces[piece, YAW]), math.cos(pieces[piece, YAW])
        dx, dz = x - pieces[piece, X], z - pieces[piece, Z]
        at_x, at_z = cosine * dx - sine * dz, sine * dx + cosine * dz
    # The neighbours to the right and below, on the same plane, tell how much ground the pixel covers.
    for k in range(2):
        (px, py, pz), (wx, wy, wz) = ray((c + 0.5) / samples + (1 - k), (r + 0.5) / samples + k, rays)
        towards = normal[0] * wx + normal[1] * wy + normal[2] * wz
        if abs(towards) < 1e-12:
            return 0.0
        t = (normal[0] * (x - px) + normal[1] * (y - py) + normal[2] * (z - pz)) / towards
        dx, dz = px + t * wx - x, pz + t * wz - z
        wide = max(wide, abs(cosine * dx - sine * dz))
        deep = max(deep, abs(sine * dx + cosine * dz))
    cell, line_width = surface.cell, 0.004 * surface.size
    return max(grid_line(at_x, cell, line_width, wide), grid_line(at_z, cell, line_width, deep))


@inline
def _under_slabs(x: float, y: float, z: float, light: Floats, solids: Solids) -> float:
    """How dark it is under the slabs that float above a place."""
    pieces = solids.terrain.pieces
    dark = 0.0
    for p in range(pieces.shape[0]):
        gap = pieces[p, Y] - solids.thickness[p] - y
        if solids.floating[p] == 0 or gap < 0.005:
            continue
        dx = x + gap * light[0] / light[1] - pieces[p, X]
        dz = z + gap * light[2] / light[1] - pieces[p, Z]
        sine, cosine = math.sin(pieces[p, YAW]), math.cos(pieces[p, YAW])
        inside_x = pieces[p, HALF_WIDTH] - abs(cosine * dx - sine * dz)
        inside_z = pieces[p, HALF_LENGTH] - abs(sine * dx + cosine * dz)
        blur = 0.01 + 0.2 * gap
        covered = smooth(0.5 + 0.5 * inside_x / blur) * smooth(0.5 + 0.5 * inside_z / blur)
        dark = max(dark, _UNDER_SLAB * covered / (1.0 + gap))
    return dark


@inline
def _edge(r: int, c: int, reach: int, faces: Faces, rays: Rays, solids: Solids, size: float) -> float:
    """1 where another face begins within ``reach`` samples; up to 1 where the base jumps in depth."""
    depth, face, floating = faces.depth, faces.face, solids.floating
    rows, columns = depth.shape
    kind = face[r, c]
    for k in range(4):
        row, column = (
            r + (reach if k == 0 else -reach if k == 1 else 0),
            c + (reach if k == 2 else -reach if k == 3 else 0),
        )
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        other = face[row, column]
        if other == kind:
            continue
        if other < 0 or kind < 0:
            return 1.0
        piece, other_piece = kind // 8 - 1, other // 8 - 1
        if (piece >= 0 and floating[piece] != 0) or (other_piece >= 0 and floating[other_piece] != 0):
            return 1.0
        x, y, z = _place(r, c, depth[r, c], rays)
        ox, oy, oz = _place(row, column, depth[row, column], rays)
        nx, ny, nz = _normal(kind, x, z, solids.terrain)
        mx, my, mz = _normal(other, ox, oz, solids.terrain)
        level = abs(nx * (ox - x) + ny * (oy - y) + nz * (oz - z)) < _SAME_PLANE
        if not (level and nx * mx + ny * my + nz * mz > 0.999):
            return 1.0
    if kind != BASE_FACE or not reach <= r < rows - reach:
        return 0.0
    if face[r - reach, c] != kind or face[r + reach, c] != kind:
        return 0.0
    bend = depth[r - reach, c] - 2.0 * depth[r, c] + depth[r + reach, c]
    return smooth((abs(bend) / size - _JUMP) / (4.0 * _JUMP))
