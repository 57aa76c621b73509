"""Skins for bones: tubes along chains of joints, thick and thin where the animal is, and rounded pieces on them.

A tube is a row of oval rings. Its thickness is told at a few stations and flows smoothly between them; around a joint
its skin follows the bones on both sides in equal measure, so that it bends without a seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.body import Body
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton

_DOME = np.radians([35.0, 68.0])  # latitudes of the rings that round off an end
_CORNER = 0.12  # of a segment: how far the middle line of a limb is rounded at a joint
_BLEND = 0.28  # of a segment: how far from a joint the skin of a limb follows both bones


@dataclass(frozen=True, eq=False)
class SkinPiece:
    """A closed mesh, each vertex following two joints."""

    vertices: FloatArray  # (V, 3) at rest
    triangles: IntArray  # (T, 3)
    joints: IntArray  # (V, 2)
    weights: FloatArray  # (V, 2)


def tube(
    places: ArrayLike,
    bones: Sequence[int],
    stations: Sequence[tuple[float, ...]],
    side: ArrayLike = (1.0, 0.0, 0.0),
    around: int = 12,
    rings: int = 5,
    corner: float = _CORNER,
    blend: float = _BLEND,
    dome: float = 0.8,
) -> SkinPiece:
    """A skin along a line of places.

    A station is (where, half width, half height) or (where, half width, height above, height below): ``where`` counts
    places, so that 1.5 lies half-way from the second to the third. Width is along ``side``, height along the vector
    square to it and to the tube: ``side`` x direction.

    Parameters
    ----------
    places : (P, 3) m, at rest
    bones : (P - 1,) the joint that the part from one place to the next follows
    stations : how thick it is, m
    side : (3,) along which it is wide
    around, rings : vertices around it, and rings from one place to the next
    corner, blend : of a segment, how far it is rounded at a place, and follows both bones there
    dome : length of the rounded ends over their radius
    """
    from scipy.interpolate import PchipInterpolator  # who only reads and writes files does without

    line = np.asarray(places, dtype=np.float64)
    across = np.asarray(side, dtype=np.float64)
    told = np.array([[*row, row[-1]] if len(row) == 3 else row for row in stations], dtype=np.float64)
    count = max(2, round(rings * (told[-1, 0] - told[0, 0])) + 1)
    at = np.linspace(told[0, 0], told[-1, 0], count)
    sizes = PchipInterpolator(told[:, 0], told[:, 1:])(at) if len(told) > 1 else np.tile(told[:, 1:], (count, 1))
    middles, along = _middle_line(line, at, corner)
    heights = np.cross(across, along)
    heights /= np.linalg.norm(heights, axis=1, keepdims=True)
    middles, at, sizes, heights, poles = _rounded(middles, along, at, sizes, heights, dome)
    angles = np.arange(around) * (2.0 * np.pi / around)
    cos, sin = np.cos(angles)[None, :, None], np.sin(angles)[None, :, None]
    tall = np.where(sin > 0.0, sizes[:, 1, None, None], sizes[:, 2, None, None])
    shells = middles[:, None] + cos * sizes[:, 0, None, None] * across + sin * tall * heights[:, None]
    vertices = np.concatenate([shells.reshape(-1, 3), poles])
    joints, weights = _followed(at, np.asarray(bones, dtype=np.int64), blend)
    joints = np.concatenate([np.repeat(joints, around, axis=0), joints[[0, -1]]])
    weights = np.concatenate([np.repeat(weights, around, axis=0), weights[[0, -1]]])
    return SkinPiece(vertices, _outwards(vertices, _tube_triangles(len(middles), around)), joints, weights)


def ball(
    joint: int, centre: ArrayLike, radii: ArrayLike, along: ArrayLike = (0.0, 0.0, 1.0), around: int = 12
) -> SkinPiece:
    """An egg on one joint.

    Parameters
    ----------
    joint : that carries it
    centre : (3,) m, at rest
    radii : (3,) m, half width, half height and half length
    along : (3,) where its length lies
    around : vertices around it
    """
    way = np.asarray(along, dtype=np.float64)
    way = way / np.linalg.norm(way)
    side = np.cross([0.0, 1.0, 0.0], way)
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    wide, tall, long = (float(r) for r in np.asarray(radii, dtype=np.float64))
    middle = np.asarray(centre, dtype=np.float64)
    latitudes = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around // 2 + 2)[1:-1]
    stations = [(0.5 + 0.5 * float(np.sin(t)), wide * float(np.cos(t)), tall * float(np.cos(t))) for t in latitudes]
    line = np.stack([middle - long * way, middle + long * way])
    rim = (long - long * float(np.sin(latitudes[-1]))) / max(stations[-1][1], 1e-9)
    return tube(line, [joint], stations, side, around, rings=len(latitudes) + 2, corner=0.0, dome=rim)


def spike(joint: int, base: ArrayLike, tip: ArrayLike, radius: float, side: ArrayLike, flat: float = 1.0) -> SkinPiece:
    """A cone on one joint: ears, claws, beaks.

    Parameters
    ----------
    joint : that carries it
    base, tip : (3,) m, at rest
    radius : m, at the base
    side : (3,) along which it is wide
    flat : its thickness over its width
    """
    stations = [(0.0, radius, flat * radius), (0.5, 0.68 * radius, 0.68 * flat * radius),
                (1.0, 0.08 * radius, 0.08 * flat * radius)]  # fmt: skip
    line = np.stack([np.asarray(base, dtype=np.float64), np.asarray(tip, dtype=np.float64)])
    return tube(line, [joint], stations, side, around=8, rings=4, corner=0.0)


def body_of(skeleton: Skeleton, pieces: Sequence[SkinPiece]) -> Body:
    """One body of many pieces, bound to the rest pose.

    Parameters
    ----------
    skeleton : at rest
    pieces : of skin
    """
    positions, turns = skeleton.rest_pose()
    starts = np.cumsum([0] + [len(piece.vertices) for piece in pieces[:-1]])
    joints = np.concatenate([piece.joints for piece in pieces])
    weights = np.concatenate([piece.weights for piece in pieces])
    return Body(
        vertices=np.concatenate([piece.vertices for piece in pieces]),
        triangles=np.concatenate([piece.triangles + at for piece, at in zip(pieces, starts, strict=True)]),
        joints=np.pad(joints, ((0, 0), (0, 2))),
        weights=np.pad(weights, ((0, 0), (0, 2))),
        bind_positions=positions,
        bind_rotations=turns,
    )


def _middle_line(line: FloatArray, at: FloatArray, corner: float) -> tuple[FloatArray, FloatArray]:
    """Points of a line of places, rounded at its corners, and its directions there."""

    def point(where: FloatArray) -> FloatArray:
        below = np.clip(where.astype(int), 0, len(line) - 2)
        share = np.clip(where - below, 0.0, 1.0)[:, None]
        return np.asarray((1.0 - share) * line[below] + share * line[below + 1])

    reach = np.minimum(corner, np.minimum(at, len(line) - 1.0 - at))  # the ends stay where they are
    middles = 0.25 * point(at - reach) + 0.5 * point(at) + 0.25 * point(at + reach)
    wide = max(corner, 0.05)
    along = point(at + wide) - point(at - wide)
    return middles, along / np.linalg.norm(along, axis=1, keepdims=True)


def _rounded(
    middles: FloatArray,
    along: FloatArray,
    at: FloatArray,
    sizes: FloatArray,
    heights: FloatArray,
    dome: float,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Rings and poles added that round off both ends."""
    cos, sin = np.cos(_DOME), np.sin(_DOME)
    first, last = dome * sizes[0].mean(), dome * sizes[-1].mean()
    before = middles[0] - first * sin[::-1, None] * along[0]
    after = middles[-1] + last * sin[:, None] * along[-1]
    poles = np.stack([middles[0] - first * along[0], middles[-1] + last * along[-1]])
    two = np.ones(len(_DOME))
    return (
        np.concatenate([before, middles, after]),
        np.concatenate([two * at[0], at, two * at[-1]]),
        np.concatenate([cos[::-1, None] * sizes[0], sizes, cos[:, None] * sizes[-1]]),
        np.concatenate([two[:, None] * heights[0], heights, two[:, None] * heights[-1]]),
        poles,
    )


def _followed(at: FloatArray, bones: IntArray, blend: float) -> tuple[IntArray, FloatArray]:
    """Two joints and their weights for each ring: half and half at a joint, one alone beyond the blend."""
    own = np.clip(at.astype(int), 0, len(bones) - 1)
    nearest = np.clip(np.round(at).astype(int), 1, max(len(bones) - 1, 1))  # the joint between two bones
    if len(bones) == 1:
        return np.stack([bones[own], bones[own]], axis=1), np.tile([1.0, 0.0], (len(at), 1))
    t = np.clip(0.5 + 0.5 * (at - nearest) / blend, 0.0, 1.0)
    later = t * t * (3.0 - 2.0 * t)
    return np.stack([bones[nearest - 1], bones[nearest]], axis=1), np.stack([1.0 - later, later], axis=1)


def _tube_triangles(rings: int, around: int) -> IntArray:
    k = np.arange(around)
    after = (k + 1) % around
    first, last = rings * around, rings * around + 1
    parts = [np.stack([after, k, np.full_like(k, first)], axis=1)]
    for r in range(rings - 1):
        a, b = r * around, (r + 1) * around
        parts += [
            np.stack([a + k, a + after, b + after], axis=1),
            np.stack([a + k, b + after, b + k], axis=1),
        ]
    end = (rings - 1) * around
    parts.append(np.stack([end + k, end + after, np.full_like(k, last)], axis=1))
    return np.concatenate(parts)


def _outwards(vertices: FloatArray, triangles: IntArray) -> IntArray:
    """The triangles turned so that the mesh encloses a positive volume."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    volume = float(np.einsum("ij,ij->", a - vertices[0], np.cross(b - vertices[0], c - vertices[0])))
    return triangles if volume > 0.0 else triangles[:, ::-1]
