"""A template as bones that turn, shift and grow, held together by their joints: rounds of least squares.

Bones are free bodies, so that loops are joints like all others; joints, limits and sizes are rows of the equations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from locomote import rotations as rot
from locomote.capture.bodies._kernels.rows import CARRIERS, UNKNOWNS, gather, skin_points
from locomote.capture.bodies._template import Template
from locomote.ik._ellipsoids import joint_turns, nearest_within
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

HELD = 30.0  # weight of a gap in a joint, where all points of the surface together weigh 1
LIMITED = 0.03  # weight of a rotation beyond its limit, size^2 / rad^2
EVEN = 4.0  # how much more the two sizes across a bone are alike than others
DAMPING, LEAST = 1e-3, 1e-10  # of every unknown: relative to its own weight, and besides that
FARTHEST = 0.35  # rad; or of the size; or of a logarithm: no bone moves more in one round


class Pairs(NamedTuple):
    """Points of the template and where they shall be."""

    corners: IntArray  # (P, 3) vertices of the template
    shares: FloatArray  # (P, 3) of them
    goals: FloatArray  # (P, 3) m
    normals: FloatArray  # (P, 3) of the goals; 0 for goals that are points
    trust: FloatArray  # (P,) their sum is what they weigh

    @classmethod
    def of_vertices(cls, vertices: IntArray, goals: FloatArray, normals: FloatArray, trust: FloatArray) -> Pairs:
        """Pairs of single vertices."""
        shares = np.zeros((len(vertices), 3))
        shares[:, 0] = 1.0
        return cls(np.repeat(vertices[:, None], 3, axis=1), shares, goals, normals, trust)


class Stiffness(NamedTuple):
    """What holds bones back, in units of the size of the template."""

    rest: float  # joints in the pose of the template, size^2 / rad^2
    sizes: float  # bones that grow other than the whole body
    sideways: float = 0.02  # of an error along the surface, of one across it


class Bones:
    """Where the bones of a template are, how they are turned, and how much they have grown."""

    def __init__(self, template: Template, size: float | None = None) -> None:
        self.template, self.links, self.axes = template, template.links, template.axes()
        self.size = template.size if size is None else size  # m, of the mesh: errors count relative to it
        body = template.body
        self.centres = np.array(body.bind_positions, dtype=np.float64)
        count = len(self.centres)
        self.turns = rot.identity(count)  # (B, 4) from the bind pose, in the world
        self.places = self.centres.copy()  # (B, 3) m, of their own joints
        self.growth = np.zeros((count, 3))  # logarithms of the size along their axes
        self.vertices = np.array(body.vertices, dtype=np.float64)
        self.joints = np.array(body.joints, dtype=np.int64)
        self.weights = np.array(body.weights, dtype=np.float64)

    @property
    def linear(self) -> FloatArray:
        """What turns and sizes make of the bind pose, ``(B, 3, 3)``."""
        stretched = self.axes * np.exp(self.growth)[:, None, :] @ self.axes.transpose(0, 2, 1)
        return np.asarray(rot.to_matrix(self.turns) @ stretched)

    def posed(self) -> FloatArray:
        """The vertices, ``(V, 3)`` m."""
        linear, out = self.linear, np.empty_like(self.vertices)
        shifts = self.places - np.einsum("bij,bj->bi", linear, self.centres)
        skin_points(self.vertices, self.joints, self.weights, linear, shifts, out)
        return out

    def ends(self) -> tuple[FloatArray, FloatArray]:
        """Where each link is by its parent, and by its child, ``(L, 3)`` m each."""
        linear, at = self.linear, self.links
        both = [
            self.places[b] + np.einsum("lij,lj->li", linear[b], at.places - self.centres[b])
            for b in (at.parents, at.children)
        ]
        return both[0], both[1]

    def bends(self) -> FloatArray:
        """Rotation vectors of the links from the bind pose, ``(L, 3)`` rad."""
        at = self.links
        body = self.template.body.bind_rotations
        turned = rot.multiply(self.turns, body)
        return joint_turns(turned[at.parents], turned[at.children], at.rest)

    def place(self, turn: FloatArray, scale: float, before: FloatArray, after: FloatArray) -> None:
        """Put the whole body elsewhere: what was at ``before`` comes to ``after``, turned and scaled."""
        self.places = after + scale * rot.rotate(turn, self.places - before)
        self.turns = rot.multiply(turn, self.turns)
        self.growth += np.log(scale)

    def fit(self, sets: list[tuple[Pairs, float]], stiff: Stiffness, grows: bool = True) -> float:
        """One round towards pairs, each set with its weight; how far vertices went at most, m."""
        size = self.size
        count = UNKNOWNS * len(self.places)
        matrix, right = np.zeros((count, count)), np.zeros(count)
        linear, shapes = self.linear, self._stretch()
        before = self.posed()
        for pairs, weight in sets:
            now = np.einsum("pk,pki->pi", pairs.shares, before[pairs.corners])
            free = stiff.sideways if np.any(pairs.normals) else 1.0
            gather(
                *(self.vertices, self.joints, self.weights, linear, self.centres, shapes),
                *(pairs.corners, pairs.shares, now - pairs.goals, pairs.normals),
                *(pairs.trust * (weight / max(float(pairs.trust.sum()), 1e-300)), free, matrix, right),
                *(np.empty(CARRIERS, dtype=np.int64), np.empty((3, UNKNOWNS * CARRIERS))),
            )
        matrix += np.tril(matrix, -1).T + np.triu(matrix, 1).T
        diagonal = np.einsum("ii->i", matrix)
        diagonal *= 1.0 + DAMPING  # of what points say alone: joints are stiff, and would be damped by their stiffness
        diagonal += LEAST * size**2
        self._hold(matrix, right, stiff, linear, shapes)
        free_unknowns = np.ones(count, dtype=bool)
        if not grows:
            free_unknowns.reshape(-1, UNKNOWNS)[:, 6:] = False
        step = np.zeros(count)
        step[free_unknowns] = cho_solve(
            cho_factor(matrix[np.ix_(free_unknowns, free_unknowns)], check_finite=False), right[free_unknowns]
        )
        self._go(step.reshape(-1, UNKNOWNS), size)
        return float(np.linalg.norm(self.posed() - before, axis=1).max())

    def _go(self, steps: FloatArray, size: float) -> None:
        most = max(
            float(np.abs(steps[:, :3]).max()),
            float(np.abs(steps[:, 3:6]).max()) / size,
            float(np.abs(steps[:, 6:]).max()),
            1e-300,
        )
        steps = steps * min(1.0, FARTHEST / most)
        self.turns = rot.normalize(rot.multiply(rot.exp(steps[:, :3]), self.turns))
        self.places += steps[:, 3:6]
        self.growth += steps[:, 6:]

    def _stretch(self) -> FloatArray:
        """What a growth along each of a bone's axes adds to its linear part, ``(B, 3, 3, 3)``."""
        turned = rot.to_matrix(self.turns) @ self.axes
        grown = np.exp(self.growth)
        return np.ascontiguousarray(np.einsum("bik,bk,bjk->bkij", turned, grown, self.axes))

    def _hold(
        self, matrix: FloatArray, right: FloatArray, stiff: Stiffness, linear: FloatArray, shapes: FloatArray
    ) -> None:
        """Add the rows of joints: their gaps, their limits, the pose and the sizes that they would have."""
        at, size = self.links, self.size
        first, second = self.ends()
        bends = self.bends()
        over = bends - nearest_within(bends, at.angles)
        frames = rot.to_matrix(
            rot.multiply(rot.multiply(self.turns, self.template.body.bind_rotations)[at.parents], at.rest)
        )
        for k in range(len(at)):
            p, c = int(at.parents[k]), int(at.children[k])
            rows = np.zeros((3, 2 * UNKNOWNS))
            for sign, b, begin in ((1.0, p, 0), (-1.0, c, UNKNOWNS)):
                off = at.places[k] - self.centres[b]
                rows[:, begin : begin + 3] = -sign * _skew(linear[b] @ off)
                rows[:, begin + 3 : begin + 6] = sign * np.eye(3)
                rows[:, begin + 6 : begin + 9] = sign * (shapes[b] @ off).T
            _add(matrix, right, (p, c), HELD * rows, rows, first[k] - second[k])
            turn = np.zeros((3, 2 * UNKNOWNS))
            turn[:, :3], turn[:, UNKNOWNS : UNKNOWNS + 3] = -frames[k].T, frames[k].T
            if np.any(over[k]):  # within its limits a joint is free
                _add(matrix, right, (p, c), LIMITED * size**2 * turn, turn, over[k])
            _add(matrix, right, (p, c), stiff.rest * size**2 * turn, turn, bends[k])
        self._hold_sizes(matrix, right, stiff.sizes * size**2)

    def _hold_sizes(self, matrix: FloatArray, right: FloatArray, weight: float) -> None:
        """Bones grow as the whole body does, and as much across one way as the other."""
        mean = float(self.growth.mean())
        for b in range(len(self.places)):
            rows = np.zeros((4, UNKNOWNS))
            rows[:3, 6:] = np.eye(3)
            rows[3, 7:] = np.sqrt(EVEN), -np.sqrt(EVEN)
            off = np.append(self.growth[b] - mean, np.sqrt(EVEN) * (self.growth[b, 1] - self.growth[b, 2]))
            _add(matrix, right, (b,), weight * rows, rows, off)


def _add(
    matrix: FloatArray,
    right: FloatArray,
    bones: tuple[int, ...],
    weighted: FloatArray,
    rows: FloatArray,
    errors: FloatArray,
) -> None:
    """Add rows over the unknowns of one or two bones to normal equations."""
    where = np.concatenate([np.arange(UNKNOWNS * b, UNKNOWNS * (b + 1)) for b in bones])
    matrix[np.ix_(where, where)] += weighted.T @ rows
    right[where] -= weighted.T @ errors


def _skew(v: FloatArray) -> FloatArray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
