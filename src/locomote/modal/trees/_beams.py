"""Branches as beams: stiffness and mass of a tree of Euler-Bernoulli elements, clamped at its root.

A node has six unknowns: how far it is moved (x, y, z) and turned (x, y, z). Elements have their own x axis along the
branch; in their frame the turns are ``ψy = -du_z/dx`` and ``ψz = du_y/dx``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

MATERIALS = ("physical", "source")
_MIRROR = np.array([1.0, -1.0, 1.0, -1.0])  # bending towards z: turns have the other sign there
_TOWARDS_Y, _TOWARDS_Z = (1, 5, 7, 11), (2, 4, 8, 10)  # unknowns of an element


@dataclass(frozen=True)
class Material:
    """Wood."""

    young: float = 1e10  # Pa
    density: float = 1000.0  # kg/m³
    kind: str = "physical"  # or "source": second moments and shear as the published method has them

    def __post_init__(self) -> None:
        if self.kind not in MATERIALS:
            raise LocomoteError(f"material {self.kind!r}: expected one of {', '.join(MATERIALS)}")
        for name in ("young", "density"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise LocomoteError(f"material: {name} must be a number above 0, got {value}")

    @property
    def shear(self) -> float:
        """The shear modulus, Pa."""
        return self.young / 2.6 if self.kind == "physical" else 2.6 * self.young

    def moments(self, radii: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Second moments of round cross-sections, m⁴: of bending and of torsion."""
        if self.kind == "physical":
            bending = 0.25 * math.pi * radii**4
            return bending, 2.0 * bending
        bending = math.pi * radii**4 / 16.0
        return bending, math.sqrt(2.0) * bending


@dataclass(frozen=True, eq=False)
class Beams:
    """Elements from parents to children: element e ends at node ``e + 1``."""

    nodes: FloatArray  # (N, 3) m, node 0 is the clamped root
    parents: IntArray  # (N,) -1 for the root; parents come first
    radii: FloatArray  # (N,) m

    @property
    def spans(self) -> FloatArray:
        """From the start to the end of every element, m ``(N - 1, 3)``."""
        out: FloatArray = self.nodes[1:] - self.nodes[self.parents[1:]]
        return out

    @property
    def lengths(self) -> FloatArray:
        """Of every element, m."""
        out: FloatArray = np.linalg.norm(self.spans, axis=1)
        return out

    @property
    def girths(self) -> FloatArray:
        """The mean radius of every element, m. A branch is as thin as its own end, not as the trunk it leaves."""
        main = np.zeros(len(self.nodes), dtype=bool)
        order = np.lexsort((np.arange(len(self.radii)), -self.radii))
        _, first = np.unique(self.parents[order], return_index=True)
        main[order[first]] = True  # the thickest child goes on with the line of its parent
        thick = self.radii[self.parents[1:]]
        return np.where(main[1:], 0.5 * (thick + self.radii[1:]), self.radii[1:])

    def frames(self) -> FloatArray:
        """Rotations ``(N - 1, 3, 3)`` whose columns are the axes of the elements in the world."""
        along = self.spans / self.lengths[:, None]
        # The world's axis that lies least along the branch, so that upright ones have a frame as well.
        least = np.argmin(np.abs(along), axis=1)
        y = np.cross(along, np.eye(3)[least])
        y /= np.linalg.norm(y, axis=1, keepdims=True)
        return np.stack([along, y, np.cross(along, y)], axis=2)

    def matrices(self, material: Material) -> tuple[sparse.csc_array, sparse.csc_array]:
        """Stiffness and mass ``(6N - 6, 6N - 6)`` of all nodes but the root."""
        stiff, mass = self._elements(material)
        turn = np.zeros((len(stiff), 12, 12))
        for k in range(4):
            turn[:, 3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = self.frames()
        ends = np.stack([self.parents[1:], np.arange(1, len(self.nodes))], axis=1)
        places = (6 * ends[:, :, None] - 6 + np.arange(6)).reshape(-1, 12)
        rows, columns = np.repeat(places, 12, axis=1).ravel(), np.tile(places, (1, 12)).ravel()
        free = (rows >= 0) & (columns >= 0)
        size = 6 * (len(self.nodes) - 1)

        def assembled(local: FloatArray) -> sparse.csc_array:
            values = (turn @ local @ turn.transpose(0, 2, 1)).ravel()
            out = sparse.coo_array((values[free], (rows[free], columns[free])), shape=(size, size)).tocsc()
            return (0.5 * (out + out.T)).tocsc()

        return assembled(stiff), assembled(mass)

    def forces(self, material: Material, moved: FloatArray) -> FloatArray:
        """The stiffness times displacements ``(6N - 6, M)``, from what every element is drawn, twisted and bent.

        The product with the matrix loses eight digits where slender branches, hardly drawn at all, go far.
        """
        length, radius = self.lengths[:, None], self.girths
        bending, torsion = (each[:, None] for each in material.moments(radius))
        frames, area = self.frames(), math.pi * radius[:, None] ** 2
        nodes = np.concatenate([np.zeros((6, moved.shape[1])), moved]).reshape(len(self.nodes), 6, -1)
        start, end = nodes[self.parents[1:]], nodes[1:]
        back = frames.transpose(0, 2, 1)
        apart, turned, more = back @ (end[:, :3] - start[:, :3]), back @ start[:, 3:], back @ end[:, 3:]
        force, here, there = np.empty_like(apart), np.empty_like(apart), np.empty_like(apart)
        force[:, 0] = material.young * area / length * apart[:, 0]
        there[:, 0] = material.shear * torsion / length * (more[:, 0] - turned[:, 0])
        here[:, 0] = -there[:, 0]
        for way, about, sign in ((1, 2, 1.0), (2, 1, -1.0)):
            one, other = sign * turned[:, about], sign * more[:, about]
            stiff = material.young * bending / length
            force[:, way] = 12.0 * stiff / length**2 * (apart[:, way] - 0.5 * length * (one + other))
            here[:, about] = sign * (stiff * (one - other) - 0.5 * length * force[:, way])
            there[:, about] = sign * (stiff * (other - one) - 0.5 * length * force[:, way])
        pulls, at_start, at_end = (frames @ each for each in (force, here, there))
        count = len(length)
        begins = sparse.csr_array((np.ones(count), (self.parents[1:], np.arange(count))), shape=(count + 1, count))
        out = begins @ np.concatenate([-pulls, at_start], axis=1).reshape(count, -1)
        out[1:] += np.concatenate([pulls, at_end], axis=1).reshape(count, -1)
        return np.asarray(out.reshape(len(moved) + 6, -1)[6:])

    def _elements(self, material: Material) -> tuple[FloatArray, FloatArray]:
        """Stiffness and consistent mass ``(N - 1, 12, 12)`` in the frames of the elements."""
        length, radius = self.lengths, self.girths
        bending, torsion = material.moments(radius)
        area = math.pi * radius**2
        stiff, mass = np.zeros((len(length), 12, 12)), np.zeros((len(length), 12, 12))
        pull, share = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
        line, twist = np.ix_(range(len(length)), (0, 6), (0, 6)), np.ix_(range(len(length)), (3, 9), (3, 9))
        stiff[line] = (material.young * area / length)[:, None, None] * pull
        stiff[twist] = (material.shear * torsion / length)[:, None, None] * pull
        mass[line] = (material.density * area * length)[:, None, None] * share
        mass[twist] = (material.density * torsion * length)[:, None, None] * share
        one, l, l2 = np.ones_like(length), length, length**2  # noqa: E741
        bend = _symmetric([12 * one, 6 * l, -12 * one, 6 * l, 4 * l2, -6 * l, 2 * l2, 12 * one, -6 * l, 4 * l2])
        bend *= (material.young * bending / length**3)[:, None, None]
        carry = _symmetric([156 * one, 22 * l, 54 * one, -13 * l, 4 * l2, 13 * l, -3 * l2, 156 * one, -22 * l, 4 * l2])
        carry *= (material.density * area * length / 420.0)[:, None, None]
        for out, block in ((stiff, bend), (mass, carry)):
            out[np.ix_(range(len(length)), _TOWARDS_Y, _TOWARDS_Y)] = block
            out[np.ix_(range(len(length)), _TOWARDS_Z, _TOWARDS_Z)] = block * np.outer(_MIRROR, _MIRROR)
        return stiff, mass


def _symmetric(upper: list[FloatArray]) -> FloatArray:
    """Matrices ``(E, 4, 4)`` from the rows of their upper halves."""
    out = np.empty((len(upper[0]), 4, 4))
    for value, r, c in zip(upper, *np.triu_indices(4), strict=True):
        out[:, r, c] = out[:, c, r] = value
    return out


def line_integrals(beams: Beams, shapes: FloatArray, weights: FloatArray) -> FloatArray:
    """``∫ w φ dx`` over all branches for every mode, ``(M, 3)``; weights of elements, ``shapes (M, N, 6)`` with root.

    Closed form of the elements' own shape functions (WND-05). Weighted by diameters it is what wind drags at, by
    masses for each metre what a base that is shaken carries along.
    """
    frames, length = beams.frames(), beams.lengths
    start, end = shapes[:, beams.parents[1:]], shapes[:, 1:]
    moved = 0.5 * length[:, None] * (start[..., :3] + end[..., :3])
    turn = np.einsum("eji,mej->mei", frames, start[..., 3:] - end[..., 3:])  # in the element's frame
    lever = np.zeros_like(turn)
    lever[..., 1], lever[..., 2] = turn[..., 2], -turn[..., 1]
    moved += np.einsum("eij,mej->mei", frames, lever * (length**2 / 12.0)[:, None])
    out: FloatArray = np.einsum("e,mei->mi", weights, moved)
    return out


def checked(nodes: FloatArray, parents: IntArray, radii: FloatArray) -> Beams:
    """Beams of a skeleton from outside, if it is one."""
    nodes, parents, radii = np.asarray(nodes, float), np.asarray(parents), np.asarray(radii, float)
    if nodes.ndim != 2 or nodes.shape[1] != 3 or len(nodes) < 2:
        raise LocomoteError(f"a tree's nodes: shape {nodes.shape}, expected (N, 3) with two or more")
    if parents.shape != (len(nodes),) or radii.shape != (len(nodes),):
        raise LocomoteError(
            f"a tree of {len(nodes)} nodes needs as many parents and radii, got {parents.shape} and {radii.shape}"
        )
    if not (np.isfinite(nodes).all() and np.isfinite(radii).all()):
        bad = int(np.argmin(np.isfinite(nodes).all(axis=1) & np.isfinite(radii)))
        raise LocomoteError(f"a tree's node {bad} has a place or a radius that is not a finite number")
    if parents[0] != -1 or np.any(parents[1:] < 0) or np.any(parents[1:] >= np.arange(1, len(nodes))):
        bad = int(np.argmax((parents[1:] < 0) | (parents[1:] >= np.arange(1, len(nodes))))) + 1
        bad = bad if parents[0] == -1 else 0
        raise LocomoteError(f"a tree's node {bad}: its parent is {parents[bad]}; node 0 has -1, others an earlier node")
    if np.any(radii <= 0.0):
        bad = int(np.argmax(radii <= 0.0))
        raise LocomoteError(f"a tree's node {bad}: a radius of {radii[bad]:g}, expected one above 0")
    beams = Beams(nodes, parents.astype(np.int64), radii)
    if np.any(beams.lengths <= 1e-9):
        bad = int(np.argmax(beams.lengths <= 1e-9)) + 1
        raise LocomoteError(f"a tree's node {bad} lies where its parent {parents[bad]} is: a branch needs a length")
    return beams
