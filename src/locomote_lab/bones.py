"""Bodies with known truth for fitting: a creature of twenty bones, and templates that are posed and grown at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture._meshes import Mesh, checked_mesh
from locomote.capture.bodies import Template
from locomote.capture.bodies._articulated import Bones
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

# name, parent, begin and end (m): a four-legged creature, 1 m long
_BONES = (
    ("pelvis", -1, (0.0, 0.55, -0.22), (0.0, 0.56, -0.08)),
    ("spine", 0, (0.0, 0.56, -0.08), (0.0, 0.57, 0.10)),
    ("chest", 1, (0.0, 0.57, 0.10), (0.0, 0.55, 0.28)),
    ("neck", 2, (0.0, 0.58, 0.28), (0.0, 0.74, 0.40)),
    ("head", 3, (0.0, 0.74, 0.40), (0.0, 0.70, 0.60)),
    ("tail_1", 0, (0.0, 0.55, -0.22), (0.0, 0.50, -0.34)),
    ("tail_2", 5, (0.0, 0.50, -0.34), (0.0, 0.43, -0.44)),
    ("tail_3", 6, (0.0, 0.43, -0.44), (0.0, 0.36, -0.50)),
    ("upper_arm.L", 2, (0.08, 0.52, 0.24), (0.09, 0.38, 0.20)),
    ("forearm.L", 8, (0.09, 0.38, 0.20), (0.09, 0.18, 0.22)),
    ("paw.L", 9, (0.09, 0.18, 0.22), (0.09, 0.02, 0.27)),
    ("upper_arm.R", 2, (-0.08, 0.52, 0.24), (-0.09, 0.38, 0.20)),
    ("forearm.R", 11, (-0.09, 0.38, 0.20), (-0.09, 0.18, 0.22)),
    ("paw.R", 12, (-0.09, 0.18, 0.22), (-0.09, 0.02, 0.27)),
    ("thigh.L", 0, (0.07, 0.52, -0.20), (0.09, 0.36, -0.12)),
    ("shank.L", 14, (0.09, 0.36, -0.12), (0.09, 0.20, -0.24)),
    ("foot.L", 15, (0.09, 0.20, -0.24), (0.09, 0.02, -0.17)),
    ("thigh.R", 0, (-0.07, 0.52, -0.20), (-0.09, 0.36, -0.12)),
    ("shank.R", 17, (-0.09, 0.36, -0.12), (-0.09, 0.20, -0.24)),
    ("foot.R", 18, (-0.09, 0.20, -0.24), (-0.09, 0.02, -0.17)),
)
_WAIST, _ENDS = 0.5, 0.22  # radius in the middle of a bone over that at its ends; that over the length
_FLAT = 0.75  # of a bone, from front to back
_GAP = 0.04  # of the way between two joints that a bone leaves free at either end


def twenty_bones(rings: int = 20, around: int = 20) -> Template:
    """A creature of twenty bones like dumb-bells, each a closed surface of its own."""
    names = tuple(row[0] for row in _BONES)
    parents = [row[1] for row in _BONES]
    begins = np.array([row[2] for row in _BONES])
    ends = np.array([row[3] for row in _BONES])
    offsets = begins - np.where(np.array(parents)[:, None] < 0, 0.0, begins[parents])
    parts = [_dumbbell(a, b, rings, around) for a, b in zip(begins, ends, strict=True)]
    count = len(parts[0][0])
    vertices = np.concatenate([part[0] for part in parts])
    joints = np.zeros((len(vertices), 4), dtype=np.int64)
    joints[:, 0] = np.repeat(np.arange(len(parts)), count)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(vertices), 1))
    faces = np.concatenate([part[1] + count * k for k, part in enumerate(parts)])
    body = Body(vertices, faces, joints, weights, begins, rot.identity(len(parts)))
    return Template(Skeleton(names, np.array(parents), offsets), body)


def _dumbbell(a: FloatArray, b: FloatArray, rings: int, around: int) -> tuple[FloatArray, IntArray]:
    """A surface of revolution, flattened, slimmer in the middle, from pole to pole."""
    a, b = a + _GAP * (b - a), b + _GAP * (a - b)
    along = b - a
    length = float(np.linalg.norm(along))
    axis = along / length
    side = np.cross(axis, (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    t = np.linspace(0.0, np.pi, rings + 2)[1:-1]
    down = 0.5 * (1.0 - np.cos(t))
    radius = _ENDS * length * np.sin(t) ** 0.5 * (_WAIST + (1.0 - _WAIST) * np.abs(np.cos(t)) ** 1.5 + 0.15 * down)
    turn = 2.0 * np.pi * np.arange(around) / around
    ring = _FLAT * np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * other
    points = a + length * down[:, None, None] * axis + radius[:, None, None] * ring
    vertices = np.concatenate([points.reshape(-1, 3), a[None], b[None]])
    k = np.arange(around)
    after = (k + 1) % around
    faces = []
    for r in range(rings - 1):
        low, high = around * r, around * (r + 1)
        faces += [
            np.stack([low + k, low + after, high + after], axis=1),
            np.stack([low + k, high + after, high + k], axis=1),
        ]
    first, last = len(vertices) - 2, len(vertices) - 1
    faces.append(np.stack([after, k, np.full(around, first)], axis=1))
    top = around * (rings - 1)
    faces.append(np.stack([top + k, top + after, np.full(around, last)], axis=1))
    made = np.concatenate(faces)
    p, q, r = (vertices[made[:, i]] - vertices.mean(axis=0) for i in range(3))
    return vertices, made if np.einsum("ij,ij->", p, np.cross(q, r)) > 0.0 else made[:, ::-1]


class Deformed(NamedTuple):
    """A template posed and grown at random."""

    mesh: Mesh
    joints: FloatArray  # (B, 3) m, where its joints are
    vertices: FloatArray  # (V, 3) m, where the vertices of the template went
    farthest: float  # m that a joint went at most, after the mean of all was taken off


def deformed(
    template: Template, dense: Template, angle: float, growth: float, seed: int, noise: float = 0.0
) -> Deformed:
    """The template with every joint turned by up to ``angle`` rad about any axis, bones longer and stouter by chance.

    Parameters
    ----------
    template, dense : the same body, and the one of more vertices of which the mesh is made
    angle : rad; the angle of each joint is drawn evenly from 0 to it, its axis from all directions
    growth : lengths and girths of each bone are drawn evenly from 1 - growth to 1 + growth
    seed : of all that
    noise : m, standard deviation of the mesh's vertices
    """
    random = np.random.default_rng(seed)
    count = len(template.skeleton)
    axes = random.standard_normal((count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = rot.exp(random.uniform(0.0, angle, (count, 1)) * axes)
    grown = np.log(random.uniform(1.0 - growth, 1.0 + growth, (count, 2)))[:, [0, 1, 1]]
    out = []
    for body in (template, dense):
        bones = Bones(body)
        bones.growth[:] = grown
        for b in range(count):
            parent = int(body.skeleton.parents[b])
            if parent < 0:
                continue
            bones.turns[b] = rot.multiply(bones.turns[parent], turns[b])
            bones.places[b] = bones.places[parent] + bones.linear[parent] @ (bones.centres[b] - bones.centres[parent])
        out.append(bones)
    vertices = out[1].posed()
    vertices += noise * random.standard_normal(vertices.shape)
    moved = out[0].places - out[0].centres
    farthest = float(np.linalg.norm(moved - moved.mean(axis=0), axis=1).max())
    mesh = checked_mesh(vertices, dense.body.triangles)
    return Deformed(mesh, out[0].places.copy(), out[0].posed(), farthest)


def subdivided(template: Template, rounds: int = 1) -> Template:
    """The same body with every triangle cut into four."""
    body = template.body
    for _ in range(rounds):
        sides = np.sort(body.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        edges, number = np.unique(sides, axis=0, return_inverse=True)
        middle = len(body.vertices) + number.reshape(-1, 3)
        a, b, c = body.triangles.T
        ab, bc, ca = middle.T
        triangles = np.concatenate(
            [np.stack(rows, axis=1) for rows in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
        )
        spread = np.zeros((len(edges), len(template.skeleton)))
        for k in range(2):
            np.add.at(
                spread, (np.arange(len(edges))[:, None], body.joints[edges[:, k]]), 0.5 * body.weights[edges[:, k]]
            )
        most = np.argsort(-spread, axis=1)[:, :4]
        share = np.take_along_axis(spread, most, axis=1)
        body = Body(
            np.concatenate([body.vertices, body.vertices[edges].mean(axis=1)]),
            triangles,
            np.concatenate([body.joints, most]),
            np.concatenate([body.weights, share / share.sum(axis=1, keepdims=True)]),
            body.bind_positions,
            body.bind_rotations,
        )
    return Template(template.skeleton, body, template.limits, template.loops)
