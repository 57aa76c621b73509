"""The natural vibrations of a body: frequencies, shapes, and whether left and right do the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses, is_person
from locomote.modal._holds import Hold
from locomote.modal._jointed import PERSON, JointedBody, usual_factors
from locomote.modal._linkage import Linkage
from locomote.modal._rows import rows_of, tree_columns, weighed
from locomote.modal._symmetry import mirror_of, split
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton, checked_skeleton

RIGID = ("surge", "sway", "heave", "roll", "pitch", "yaw")  # what needs no joint, about the centre of mass
HEAVES = 0.1  # of the length of its legs that a body goes with an amplitude of 1 where it does not bend
_LOOSE = 1e-9  # of the largest, below which a singular value is 0


@dataclass(frozen=True, eq=False)
class Modes:
    """The natural vibrations of a body, in the order of their frequencies.

    The first ones have frequency 0: the body goes or turns as a whole (``RIGID``, as far as nothing holds it). A shape
    is scaled so that the joint that turns most turns by 1 rad (of a body that is held, the root where that turns more);
    amplitudes are then angles in radians. Those of the first ones are 1 rad, or a tenth of the length of the legs.

    >>> modes = Modes.of_linkage(Linkage.chain())
    >>> len(modes), modes.rigid, [round(float(f), 3) for f in modes.frequencies[6:9]]
    (21, 6, [0.622, 1.715, 3.361])
    """

    linkage: Linkage
    frequencies: FloatArray  # (M,) Hz
    parity: FloatArray  # (M,) 1: left and right do the same, -1: the opposite, between: the body has no mirror
    root: FloatArray  # (M, 6) how the root turns, rad, and where its point goes, m, in the axes of the rest pose
    rates: FloatArray  # (M, A) rad by which every axis of every link turns
    moves: FloatArray  # (M, 6 B) how every body turns, rad, and where its centre goes, m
    names: tuple[str, ...]  # of the rigid ones, "" for others
    body: JointedBody | None = None  # the skeleton that it is
    hold: tuple[Hold, ...] = ()

    @classmethod
    def of(
        cls,
        skeleton: Skeleton,
        masses: Masses | None = None,
        *,
        rest: FloatArray | None = None,
        stiffness: float | None = None,
        factors: Mapping[str, float] | None = None,
        hold: Sequence[Hold] = (),
    ) -> Modes:
        """The vibrations of a skeleton about a pose.

        Parameters
        ----------
        skeleton : whose
        masses : what its joints carry; as `Masses.of` has it unless given
        rest : (J, 4) local rotations of the pose; its rest pose unless given
        stiffness : N m/rad, of all joints; 100 for people, and for others what holds them up (`holding`)
        factors : times as stiff are some joints, by groups ("spine", "legs", "arms", "tail"), names or patterns such
            as "*.L"; a stiff spine unless given
        hold : what it is held by
        """
        skeleton = checked_skeleton(skeleton, "Modes.of")
        told = usual_factors(skeleton) if factors is None else dict(factors)
        first = PERSON if is_person(skeleton) else 1.0
        body = JointedBody.of(skeleton, masses, rest, first if stiffness is None else stiffness, told)
        if stiffness is None and not is_person(skeleton):
            from locomote.modal._holding import holding

            body = body.with_linkage(body.linkage.stiffened(holding(body)))
        return cls.of_body(body, hold)

    @classmethod
    def of_body(cls, body: JointedBody, hold: Sequence[Hold] = ()) -> Modes:
        """The vibrations of a skeleton whose bodies and springs are known.

        Parameters
        ----------
        body : the skeleton as a linkage
        hold : what it is held by
        """
        rows = [one.rows(body) for one in hold]
        extra = np.concatenate(rows) if rows else None
        found = cls.of_linkage(body.linkage, extra, HEAVES * body.leg_length)
        return replace(found, body=body, hold=tuple(hold))

    @classmethod
    def of_linkage(cls, linkage: Linkage, held: FloatArray | None = None, unit: float = 0.1) -> Modes:
        """The vibrations of any bodies and links.

        Parameters
        ----------
        linkage : bodies and links
        held : (C, 6 B) rates of bodies that must be 0, beside what the links forbid
        unit : m that the body goes with an amplitude of 1 where it does not bend
        """
        columns = tree_columns(linkage)
        rows = rows_of(linkage)
        closing = _closing(linkage, rows.closed)
        extra = closing if held is None else np.concatenate([closing, held])
        free = None if not len(extra) else _null_space(extra @ columns)
        inner = rows.turns @ columns
        still = _rigid(linkage, extra @ columns, free)
        values, vectors, parity = _solve(linkage, columns, inner, free)
        count = still[1].shape[1]
        shapes = np.concatenate([still[1], vectors[:, count:]], axis=1)
        rates = (inner @ shapes).T
        rates[:count] = 0.0
        lengths = _largest(linkage, rates)
        if held is not None:  # who is held far from the root swings it about by the turns of many joints
            lengths = np.maximum(lengths, np.linalg.norm(shapes[:3], axis=0))
        lengths[:count] = [1.0 / unit if name in RIGID[:3] else 1.0 for name in still[0]]
        signs = np.sign(shapes.T[np.arange(shapes.shape[1]), np.argmax(np.abs(shapes), axis=0)])
        scale = (np.where(np.arange(len(lengths)) < count, 1.0, signs) / lengths)[:, None]
        frequencies = np.sqrt(np.maximum(values, 0.0)) / (2.0 * np.pi)
        frequencies[:count] = 0.0
        parity[:count] = [_RIGID_PARITY[name] if abs(parity).min() > 0.5 else 0.0 for name in still[0]]
        names = (*still[0], *[""] * (len(values) - count))
        return cls(
            linkage, frequencies, parity, scale * shapes[:6].T, scale * rates, scale * (columns @ shapes).T, names
        )

    def __len__(self) -> int:
        return len(self.frequencies)

    @property
    def rigid(self) -> int:
        """How many of the first ones do not bend the body."""
        return sum(name != "" for name in self.names)

    @cached_property
    def shapes(self) -> FloatArray:
        """How the joints of the skeleton turn ``(M, J, 3)``: rotation vectors in the frames of the joints, rad.

        Laid over the rest pose as ``rest exp(amplitude shape)``.
        """
        body = self._skeletal()
        out = np.zeros((len(self), len(body.skeleton), 3))
        world, at = body.world[1], 0
        for joint, link in zip(body.joints[1:], self.linkage.links, strict=True):
            count = len(link.axes)
            turned = self.rates[:, at : at + count] @ link.axes
            out[:, joint] = rot.rotate(rot.inverse(world[joint]), turned)
            at += count
        out.setflags(write=False)
        return out

    @cached_property
    def feet(self) -> FloatArray:
        """How its feet go, seen from the pelvis ``(M, F, 3)``: m for an amplitude of 1."""
        body = self._skeletal()
        ends = [(leg.toe, point) for leg, point in zip(body.skeleton.roles.legs, body.feet, strict=True)]
        return self.moved(ends)

    def moved(self, points: Sequence[tuple[int, FloatArray]]) -> FloatArray:
        """How points of the skeleton go, seen from the root ``(M, P, 3)``: m for an amplitude of 1.

        Parameters
        ----------
        points : the joint that carries each, and where it is at rest, m
        """
        body, world = self._skeletal(), self._skeletal().world
        out = np.zeros((len(self), len(points), 3))
        for p, (joint, point) in enumerate(points):
            for j in body.skeleton.ancestors(joint)[:-1]:
                out[:, p] += np.cross(rot.rotate(world[1][j], self.shapes[:, j]), point - world[0][j])
        return out

    def stiffened(self, factors: Mapping[str, float]) -> Modes:
        """The vibrations of the same body with some joints stiffer or softer: an injury, a habit.

        Parameters
        ----------
        factors : times as stiff, by groups ("spine", "legs", "arms", "tail"), names of joints or patterns
        """
        body = self._skeletal()
        linkage = body.linkage.stiffened(body.link_factors(factors))
        return Modes.of_body(body.with_linkage(linkage), self.hold)

    def _skeletal(self) -> JointedBody:
        if self.body is None:
            raise LocomoteError("these are vibrations of a linkage, not of a skeleton; make them by Modes.of")
        return self.body


_RIGID_PARITY = {"surge": 1.0, "sway": -1.0, "heave": 1.0, "roll": -1.0, "pitch": 1.0, "yaw": -1.0, "turn": 0.0}


def _closing(linkage: Linkage, closed: FloatArray) -> FloatArray:
    """The rows of the links that close loops."""
    starts = np.cumsum([0, *(6 - len(link.axes) for link in linkage.links)])
    rows = [closed[starts[k] : starts[k + 1]] for k in linkage.tree.closing]
    return np.concatenate([np.zeros((0, closed.shape[1])), *rows])


def _null_space(rows: FloatArray) -> FloatArray:
    """An orthonormal basis ``(D, d)`` of what makes all rows 0; rows may say the same twice."""
    from scipy.linalg import qr

    q, r, _ = qr(rows.T, pivoting=True)
    diagonal = np.abs(np.diag(r))
    return np.asarray(q[:, int(np.sum(diagonal > _LOOSE * max(diagonal[0], 1e-300))) :])


def _solve(
    linkage: Linkage, columns: FloatArray, inner: FloatArray, free: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Squares of angular frequencies, shapes ``(D, M)`` in the coordinates of the tree, and parities."""
    mass = columns.T @ weighed(linkage, columns)
    stiff = (inner.T * linkage.stiffness) @ inner
    mirror = mirror_of(linkage)
    halves = None if mirror is None else split(mirror, free)
    if halves is None:
        values, vectors = _eigen(stiff, mass, np.eye(len(mass)) if free is None else free)
        if mirror is None:
            return values, vectors, np.zeros(len(values))
        weights = np.einsum("dm,dm->m", vectors, mass @ vectors)
        return values, vectors, np.einsum("dm,dm->m", vectors, mass @ mirror @ vectors) / weights
    parts = [_eigen(stiff, mass, half) for half in halves]
    values = np.concatenate([part[0] for part in parts])
    parity = np.repeat([1.0, -1.0], [len(part[0]) for part in parts])
    order = np.argsort(values, kind="stable")
    return values[order], np.concatenate([part[1] for part in parts], axis=1)[:, order], parity[order]


def _eigen(stiff: FloatArray, mass: FloatArray, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    from scipy.linalg import LinAlgError, eigh

    if not basis.shape[1]:
        return np.zeros(0), np.zeros((len(mass), 0))
    try:
        values, vectors = eigh(basis.T @ stiff @ basis, basis.T @ mass @ basis)
    except (LinAlgError, ValueError):
        raise LocomoteError("masses: some joint moves nothing that has mass, or a value is not finite") from None
    return values, basis @ vectors


def _rigid(linkage: Linkage, rows: FloatArray, free: FloatArray | None) -> tuple[tuple[str, ...], FloatArray]:
    """Motions of the body as a whole that nothing forbids ``(D, r)``, named where they are one of the six."""
    count = 6 + sum(len(linkage.links[k].axes) for k in linkage.tree.links)
    six = np.zeros((count, 6))
    six[[5, 3, 4], [0, 1, 2]] = 1.0  # z ahead, x to the left, y up
    for k, axis in enumerate((2, 0, 1), start=3):
        six[axis, k] = 1.0
        six[3:6, k] = np.cross(np.eye(3)[axis], linkage.root - linkage.mass_centre)
    if free is None:
        return RIGID, six
    size = float(np.max(np.ptp(linkage.centre, axis=0), initial=1e-6))
    left = _null_space_of_few(rows @ six * np.array([1.0, 1.0, 1.0, *[1.0 / size] * 3]))
    left[3:] /= size
    names, kept = [], []
    for k, name in enumerate(RIGID):  # those that are free by themselves; then what is left of the others together
        own = np.eye(6)[:, k]
        if left.shape[1] and np.linalg.norm(rows @ six @ own) < 1e-9 * max(1.0, float(np.abs(rows).max())):
            names.append(name)
            kept.append(own)
    rest = left if not kept else left - np.stack(kept, 1) @ (np.stack(kept, 1).T @ left)
    u, s, _ = np.linalg.svd(rest, full_matrices=False) if rest.size else (rest, np.zeros(0), None)
    for column, value in zip(u.T, s, strict=False):
        if value > 1e-6 * max(1.0, 1.0 / size) and len(kept) < left.shape[1]:
            names.append("turn")
            kept.append(column / max(float(np.abs(column[3:]).max()), 1e-9))
    return tuple(names), six @ np.stack(kept, axis=1) if kept else np.zeros((count, 0))


def _null_space_of_few(rows: FloatArray) -> FloatArray:
    _, s, v = np.linalg.svd(rows, full_matrices=True)
    rank = int(np.sum(s > 1e-9 * max(float(s[0]) if len(s) else 0.0, 1e-300)))
    return np.asarray(v[rank:].T)


def _largest(linkage: Linkage, rates: FloatArray) -> FloatArray:
    """The largest turn of any link ``(M,)``."""
    starts = np.cumsum([0, *(len(link.axes) for link in linkage.links)])
    if len(starts) == 1:
        return np.ones(len(rates))
    each = np.sqrt(np.add.reduceat(rates**2, starts[:-1], axis=1))
    return np.asarray(np.maximum(each.max(axis=1), 1e-300))
