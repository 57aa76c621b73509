"""The mirror of a body: which of its motions are those of its left side, done by its right."""

from __future__ import annotations

import numpy as np

from locomote.modal._linkage import Linkage
from locomote.rotations import FloatArray

ALIKE = 1e-3  # of its size, of masses and of stiffnesses, by which two sides may differ
_PLACE = np.array([-1.0, 1.0, 1.0])  # x is to the left
_TURN = np.array([1.0, -1.0, -1.0])


def mirror_of(linkage: Linkage) -> FloatArray | None:
    """How the coordinates of the tree ``(D, D)`` of `tree_columns` are mirrored; None where left and right differ."""
    size = float(np.max(np.ptp(linkage.centre, axis=0), initial=1e-6))
    twins = _twins(linkage, size)
    if twins is None or twins[0] != 0:
        return None
    tree, links = linkage.tree, linkage.links
    used = [links[k] for k in tree.links]
    starts = np.cumsum([6, *(len(link.axes) for link in used)])
    where = {frozenset((link.parent, link.child)): k for k, link in enumerate(used)}
    out = np.zeros((starts[-1], starts[-1]))
    out[:6, :6] = np.diag([*_TURN, *_PLACE])
    for k, link in enumerate(used):
        other = where.get(frozenset((int(twins[link.parent]), int(twins[link.child]))))
        if other is None or len(used[other].axes) != len(link.axes):
            return None
        twin = used[other]
        far = np.linalg.norm(twin.place - _PLACE * link.place) > ALIKE * size
        if far or abs(twin.stiffness - link.stiffness) > ALIKE * link.stiffness:
            return None
        # Twins may be told from either end: a link that leads inwards turns the other way round.
        own = tree.outwards[k] * link.axes
        share = (tree.outwards[other] * twin.axes) @ (_TURN * own).T
        if not np.allclose(share @ share.T, np.eye(len(share)), atol=1e-3):
            return None
        out[starts[other] : starts[other + 1], starts[k] : starts[k + 1]] = share
    whole: FloatArray = np.asarray(np.round(out), dtype=np.float64)
    return whole if np.allclose(out, whole, atol=1e-3) else out


def _twins(linkage: Linkage, size: float) -> FloatArray | None:
    """The body on the other side of each."""
    mirrored = linkage.centre * _PLACE
    apart = np.linalg.norm(linkage.centre[:, None] - mirrored[None], axis=2)
    # Bodies in one place are told apart by their masses.
    apart += size * abs(linkage.mass[:, None] - linkage.mass[None]) / linkage.mass.max()
    twins = np.argmin(apart, axis=0)
    near = apart[twins, np.arange(len(twins))] <= ALIKE * size
    return twins if np.all(near) and np.all(twins[twins] == np.arange(len(twins))) else None


def split(mirror: FloatArray, free: FloatArray | None) -> tuple[FloatArray, FloatArray] | None:
    """Coordinates ``(D, d)`` of motions that are their own mirror image, and of those that are its opposite.

    ``free (D, d)``, orthonormal, spans what the body may do; all of it without. None where that differs left and right.
    """
    whole = np.eye(len(mirror))
    if free is None and np.array_equal(
        mirror, np.round(mirror)
    ):  # each coordinate is that of its twin, or its opposite
        return _columns(whole + mirror), _columns(whole - mirror)
    free = whole if free is None else free
    inner = free.T @ mirror @ free
    if not np.allclose(inner @ inner, np.eye(len(inner)), atol=1e-6):
        return None
    values, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    return free @ vectors[:, values > 0.0], free @ vectors[:, values <= 0.0]


def _columns(of: FloatArray) -> FloatArray:
    """One of every pair of equal or opposite columns, made as long as 1."""
    lengths = np.linalg.norm(of, axis=0)
    first = np.argmax(np.abs(of) > 0.5, axis=0)
    keep = (lengths > 0.5) & (first == np.arange(of.shape[1]))
    return np.asarray(of[:, keep] / lengths[keep])
