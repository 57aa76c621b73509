"""The skin of a body: a mesh that follows the joints, coloured by the limbs it covers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from locomote.body import Body
from locomote.draw import _palette as palette
from locomote.draw._shapes import Mesh
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

BoolArray = npt.NDArray[np.bool_]

_EDGE = np.cos(np.radians(50.0))  # triangles that meet at a larger angle have an edge between them
_TOUCHING = 0.1  # of the length of a foot: what is no higher above its lowest point touches the ground
_SAME_PLACE = 1e-5  # of the body's size: vertices nearer than this are one


@dataclass(frozen=True, eq=False)
class DrawnSkin:
    """The mesh of one body, ready to be posed."""

    body: Body
    shading: IntArray  # (T, 3) the corners that share a normal have the same number
    colours: FloatArray  # (T, 3)
    foot: IntArray  # (T,) the leg whose foot a triangle covers, -1 elsewhere
    soles: tuple[IntArray, ...]  # the vertices of each foot
    foot_lengths: FloatArray  # (L,) metres, 0 for a foot without skin
    below_knees: IntArray  # the vertices of all legs below the knee

    def posed(self, positions: FloatArray, turns: FloatArray, planted: BoolArray) -> Mesh:
        """The skin in one frame: joints ``(J, 3)``, ``(J, 4)``, and which feet are planted ``(L,)``."""
        vertices = self.body.posed(positions, turns)
        green = np.append(planted, False)[self.foot]
        return Mesh(
            vertices=vertices,
            triangles=self.body.triangles,
            normals=_normals(vertices, self.body.triangles, self.shading),
            shading=self.shading,
            colours=np.where(green[:, None], np.array(palette.PLANTED) / 255.0, self.colours),
        )

    def touching(self, vertices: FloatArray, leg: int) -> FloatArray:
        """The middle ``(3,)`` of what touches the ground of a planted foot."""
        sole = vertices[self.soles[leg]]
        low = sole[:, 1] <= sole[:, 1].min() + _TOUCHING * self.foot_lengths[leg]
        out: FloatArray = sole[low].mean(axis=0)
        return out


def skin_of(skeleton: Skeleton, body: Body) -> DrawnSkin:
    """The skin of a body, with the colours of its limbs."""
    # A copy of their own: arrays that cannot be written are another type to a kernel, which compiles once more.
    body = replace(body, triangles=np.array(body.triangles, dtype=np.int64))
    legs, arms = skeleton.roles.legs, skeleton.roles.arms
    part = np.zeros(len(skeleton), dtype=np.int64)  # 0 for the trunk, then two for each limb: upper and last
    colours = [palette.BODY]
    limbs = [(leg.chain[0] if leg.chain else leg.hip, leg.ball, leg.side) for leg in legs]
    limbs += [(arm.shoulder, arm.wrist, arm.side) for arm in arms]
    for k, (first, last, side) in enumerate(limbs):
        part[_with_all_below(skeleton, first)] = 2 * k + 1
        part[_with_all_below(skeleton, last)] = 2 * k + 2
        colours += [palette.limb_colour(side), palette.side_colour(side)]
    for k, leg in enumerate(legs):
        if leg.detached_foot is not None:
            part[_with_all_below(skeleton, leg.detached_foot)] = 2 * k + 2
    own = body.colours
    covering = _heaviest(body, part, len(colours))
    is_foot = (covering > 0) & (covering % 2 == 0) & (covering <= 2 * len(legs))
    foot = np.where(is_foot, covering // 2 - 1, -1)
    lower = np.concatenate([_with_all_below(skeleton, leg.knee) for leg in legs] or [np.zeros(0, dtype=int)])
    main = body.joints[np.arange(len(body.joints)), np.argmax(body.weights, axis=1)]
    soles = tuple(np.unique(body.triangles[foot == k]) for k in range(len(legs)))
    lengths = [float(np.ptp(body.vertices[sole], axis=0).max()) if len(sole) else 0.0 for sole in soles]
    return DrawnSkin(
        body=body,
        shading=_smooth_corners(body),
        colours=np.array(colours)[covering] / 255.0 if own is None else own[body.triangles].mean(axis=1),
        foot=foot,
        soles=soles,
        foot_lengths=np.array(lengths),
        below_knees=np.flatnonzero(np.isin(main, lower)),
    )


def _with_all_below(skeleton: Skeleton, joint: int) -> IntArray:
    """A joint and everything that hangs on it."""
    found = np.zeros(len(skeleton), dtype=bool)
    found[joint] = True
    for j in range(joint + 1, len(skeleton)):
        found[j] = found[skeleton.parents[j]]
    return np.flatnonzero(found)


def _heaviest(body: Body, part: IntArray, count: int) -> IntArray:
    """The part of the body ``(T,)`` that moves each triangle most."""
    weights = np.zeros((len(body.vertices), count))
    for k in range(body.joints.shape[1]):
        np.add.at(weights, (np.arange(len(weights)), part[body.joints[:, k]]), body.weights[:, k])
    out: IntArray = weights[body.triangles].sum(axis=1).argmax(axis=1)
    return out


def _smooth_corners(body: Body) -> IntArray:
    """Numbers ``(T, 3)`` for corners, the same where triangles go over into one another without an edge.

    Files store a vertex several times where its texture or normal changes; what counts here is only the shape.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    triangles = body.triangles
    size = max(float(np.ptp(body.vertices, axis=0).max(initial=0.0)), 1e-12)
    cells = np.round(body.vertices / (_SAME_PLACE * size)).astype(np.int64)
    place = np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1)[triangles]
    # Every side of every triangle, from the corner at the place of the lower number to that of the higher one.
    corners = np.arange(triangles.size).reshape(-1, 3)
    sides = np.concatenate([np.stack([place[:, [i, (i + 1) % 3]], corners[:, [i, (i + 1) % 3]]]) for i in range(3)], 1)
    turned = sides[0, :, 0] > sides[0, :, 1]
    sides[:, turned] = sides[:, turned, ::-1]
    order = np.lexsort(sides[0].T)
    ends, at = sides[0, order], sides[1, order]
    across = _across(body.vertices, triangles)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-30)
    facing = across[at[:, 0] // 3]
    meet = np.all(ends[1:] == ends[:-1], axis=1) & (np.sum(facing[1:] * facing[:-1], axis=1) > _EDGE)
    one, other = at[:-1][meet].ravel(), at[1:][meet].ravel()
    links = coo_array((np.ones(len(one), dtype=bool), (one, other)), shape=(triangles.size, triangles.size))
    out: IntArray = connected_components(links, directed=False)[1].astype(np.int64).reshape(-1, 3)
    return out


def _across(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Vectors square to triangles, twice as long as their area."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    out: FloatArray = np.cross(b - a, c - a)
    return out


def _normals(vertices: FloatArray, triangles: IntArray, shading: IntArray) -> FloatArray:
    """Unit normals: the mean of the triangles around each corner, weighted by area."""
    each = np.repeat(_across(vertices, triangles), 3, axis=0)
    corners = shading.ravel()
    sums = np.stack([np.bincount(corners, each[:, i]) for i in range(3)], axis=1)
    out: FloatArray = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-30)
    return out
