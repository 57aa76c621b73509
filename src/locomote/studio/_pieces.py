"""A body cut into stiff pieces, one for each joint, so that a whole crowd can share them.

Around a joint both pieces keep the skin that bends there, so that no gap opens between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.body import Body, capsule_body
from locomote.draw import _palette as palette
from locomote.draw._skin import skin_of
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.skin_pieces import ball

OVERLAP = 0.2  # least share of a joint in a triangle that its piece keeps
HALF = 0.3  # of skin that both bones of a joint carry in about equal shares, the lesser one
ROUND = 0.94  # of the size of a limb at a joint: the ball inside it, which is seen when the limb bends
FLAT = 1.6  # times as wide as high: a foot, say, in which there is no room for a ball, and which bends little
AROUND = 10  # corners of a ball
LOW_ANKLE = 0.2  # of the height of the hip: what hangs on a lower ankle is all foot
MOST_TRIANGLES = 60_000  # of a body that is shown


@dataclass(frozen=True, eq=False)
class RigidPiece:
    """The part of a body that one joint carries, in the frame of the joint."""

    joint: int
    vertices: FloatArray  # (V, 3)
    triangles: IntArray  # (T, 3)
    colour: palette.Colour
    foot: int  # the leg whose foot it is, -1 elsewhere


@dataclass(frozen=True, eq=False)
class Part:
    """All of a body that has one colour, for true skinning: rows of its vertices and triangles between them."""

    vertices: IntArray  # (V,)
    triangles: IntArray  # (T, 3)
    colour: palette.Colour
    foot: int


@dataclass(frozen=True, eq=False)
class Look:
    """How one kind of character is shown."""

    skeleton: Skeleton
    body: Body
    pieces: tuple[RigidPiece, ...]
    parts: tuple[Part, ...]


def look_of(skeleton: Skeleton, body: Body | None) -> Look:
    """A body with the colours of its limbs, whole and in pieces; rounded limbs where there is none."""
    # A scan with a face in every pore is too much for a page; rounded limbs show its motion as well.
    if body is None or len(body.triangles) > MOST_TRIANGLES:
        body = capsule_body(skeleton)
    skin = skin_of(skeleton, body)
    colours, foot = _feet(skeleton, skin.body, np.round(255.0 * skin.colours).astype(int), skin.foot.copy())
    shares = _shares(skin.body, len(skeleton))
    weights = shares[skin.body.triangles].mean(axis=1)
    limbs = {joint for leg in skeleton.roles.legs for joint in (leg.hip, *leg.chain)}
    limbs |= {joint for arm in skeleton.roles.arms for joint in (arm.shoulder, arm.elbow, arm.wrist)}
    pieces = []
    inverse = rot.inverse(skin.body.bind_rotations)
    for joint in range(len(skeleton)):
        mine = weights[:, joint] >= OVERLAP
        mine |= (weights.argmax(axis=1) == joint) & (weights[:, joint] > 0.0)
        if not np.any(mine):
            continue
        core = mine & (weights.argmax(axis=1) == joint)
        core = core if np.any(core) else mine
        rows, triangles = np.unique(skin.body.triangles[mine], return_inverse=True)
        placed, balls = _rounded(skeleton, skin.body, shares[rows], joint, rows, limbs)
        placed, faces = _with_balls(placed, triangles.reshape(-1, 3), balls)
        local = rot.rotate(inverse[joint], placed - skin.body.bind_positions[joint])
        feet = foot[core]
        pieces.append(
            RigidPiece(
                joint,
                local,
                faces,
                _commonest(colours[core]),
                int(np.bincount(feet + 1).argmax()) - 1,
            )
        )
    return Look(skeleton, skin.body, tuple(pieces), _parts(skin.body, colours, foot))


def _shares(body: Body, joints: int) -> FloatArray:
    """The share ``(V, J)`` of every joint in every vertex."""
    out = np.zeros((len(body.vertices), joints))
    for k in range(body.joints.shape[1]):
        np.add.at(out, (np.arange(len(out)), body.joints[:, k]), body.weights[:, k])
    return out


def _rounded(
    skeleton: Skeleton, body: Body, shares: FloatArray, joint: int, rows: IntArray, limbs: set[int]
) -> tuple[FloatArray, list[tuple[FloatArray, float]]]:
    """Vertices of a piece, with what reaches beyond a joint of a limb drawn into a ball about it; and those balls.

    However far a limb bends, only round ends come out. A trunk hardly bends: there the pieces go on as they are.
    """
    other = shares.argmax(axis=1)
    meets = np.where(skeleton.parents[other] == joint, other, joint)
    foreign = (other != joint) & np.isin(meets, list(limbs))
    out: FloatArray = body.vertices[rows].copy()
    balls = []
    for meet in np.unique(meets[foreign]):
        middle = body.bind_positions[meet]
        away = np.linalg.norm(out - middle, axis=1)
        near = foreign & (meets == meet)
        about = np.minimum(shares[:, meet], shares[:, skeleton.parents[meet]]) > HALF
        sizes = away[about] if np.any(about) else away[near]
        radius = ROUND * float(sizes.min())
        if sizes.max() > FLAT * radius:
            continue
        shrunk = np.minimum(1.0, radius / np.maximum(away, 1e-9))[:, None]
        out = np.where(near[:, None], middle + shrunk * (out - middle), out)
        balls.append((middle, radius))
    return out, balls


def _with_balls(
    vertices: FloatArray, triangles: IntArray, balls: list[tuple[FloatArray, float]]
) -> tuple[FloatArray, IntArray]:
    for middle, radius in balls:
        one = ball(0, middle, np.full(3, radius), around=AROUND)
        triangles = np.vstack([triangles, one.triangles + len(vertices)])
        vertices = np.vstack([vertices, one.vertices])
    return vertices, triangles


def _feet(skeleton: Skeleton, body: Body, colours: IntArray, foot: IntArray) -> tuple[IntArray, IntArray]:
    """Colours and feet of the triangles, where what hangs on a low ankle is foot as well as the toes."""
    lead = _shares(body, len(skeleton))[body.triangles].mean(axis=1).argmax(axis=1)
    positions = body.bind_positions
    for index, leg in enumerate(skeleton.roles.legs):
        low = positions[leg.toe, 1]
        if positions[leg.ankle, 1] - low < LOW_ANKLE * (positions[leg.hip, 1] - low):
            mine = lead == leg.ankle
            colours[mine], foot[mine] = palette.side_colour(leg.side), index
    return colours, foot


def _commonest(colours: IntArray) -> palette.Colour:
    values, counts = np.unique(colours, axis=0, return_counts=True)
    red, green, blue = (int(v) for v in values[counts.argmax()])
    return red, green, blue


def _parts(body: Body, colours: IntArray, foot: IntArray) -> tuple[Part, ...]:
    parts = []
    keys = np.column_stack([colours, foot])
    for key in np.unique(keys, axis=0):
        rows, triangles = np.unique(body.triangles[np.all(keys == key, axis=1)], return_inverse=True)
        parts.append(Part(rows, triangles.reshape(-1, 3), (int(key[0]), int(key[1]), int(key[2])), int(key[3])))
    return tuple(parts)
