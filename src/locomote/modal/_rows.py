"""Rows and columns of a linkage: which velocities its links allow, and how fast its joints then turn.

A velocity of all bodies is ``(6 B,)``: for each body how it turns, rad/s, and how its centre goes, m/s, in the axes of
the world. At the rest pose these differ from those of frames along the principal axes by a rotation alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.modal._linkage import Link, Linkage
from locomote.rotations import FloatArray


class Rows(NamedTuple):
    """What links forbid, and what they let turn."""

    closed: FloatArray  # (C, 6 B): these rates must be 0
    turns: FloatArray  # (A, 6 B): how fast each axis of each link turns, child against parent


def rows_of(linkage: Linkage) -> Rows:
    """The constraint rows of all links (5 a hinge, 3 a ball joint), and the rows of their joint rates."""
    size = 6 * len(linkage)
    closed, turns = [], []
    for link in linkage.links:
        apart, own = _relative(linkage, link)
        frame = _frame(link.axes)
        turns.append(frame[: len(link.axes)] @ own)
        closed.append(np.concatenate([frame[len(link.axes) :] @ own, frame @ apart]))
    empty = np.zeros((0, size))
    return Rows(np.concatenate([empty, *closed]), np.concatenate([empty, *turns]))


def point_rows(linkage: Linkage, body: int, point: FloatArray) -> FloatArray:
    """The velocity of a point of a body, ``(3, 6 B)``."""
    rows = np.zeros((3, 6 * len(linkage)))
    arm = np.asarray(point, dtype=np.float64) - linkage.centre[body]
    rows[:, 6 * body : 6 * body + 3] = -_cross(arm)
    rows[:, 6 * body + 3 : 6 * body + 6] = np.eye(3)
    return rows


def turn_rows(linkage: Linkage, body: int) -> FloatArray:
    """How a body turns, ``(3, 6 B)``."""
    rows = np.zeros((3, 6 * len(linkage)))
    rows[:, 6 * body : 6 * body + 3] = np.eye(3)
    return rows


def tree_columns(linkage: Linkage) -> FloatArray:
    """Velocities ``(6 B, 6 + A)`` of all bodies by the motion of the root and the rates of the tree's axes.

    They span all that an open linkage can do. First the root: how it turns and where its point goes.
    """
    tree = linkage.tree
    used = [linkage.links[k] for k in tree.links]
    counts = [len(link.axes) for link in used]
    axes = np.concatenate(
        [np.zeros((0, 3)), *(sign * link.axes for link, sign in zip(used, tree.outwards, strict=True))]
    )
    places = np.repeat(np.array([link.place for link in used]).reshape(-1, 3), counts, axis=0)
    beyond = np.repeat(tree.beyond, counts, axis=0)[:, :, None]
    columns = np.zeros((6 + len(axes), len(linkage), 6))
    columns[:3, :, :3] = np.eye(3)[:, None]
    columns[:3, :, 3:] = np.cross(np.eye(3)[:, None], linkage.centre - linkage.root)
    columns[3:6, :, 3:] = np.eye(3)[:, None]
    columns[6:, :, :3] = beyond * axes[:, None]
    columns[6:, :, 3:] = beyond * np.cross(axes[:, None], linkage.centre - places[:, None])
    return columns.reshape(len(columns), -1).T


def weighed(linkage: Linkage, columns: FloatArray) -> FloatArray:
    """Momenta ``(6 B, D)`` of velocities ``(6 B, D)``."""
    each = columns.reshape(len(linkage), 6, -1)
    turning = linkage.inertia @ each[:, :3]
    going = linkage.mass[:, None, None] * each[:, 3:]
    return np.concatenate([turning, going], axis=1).reshape(columns.shape)


def _relative(linkage: Linkage, link: Link) -> tuple[FloatArray, FloatArray]:
    """How the place of a link comes apart, and how its child turns against its parent; each ``(3, 6 B)``."""
    apart = point_rows(linkage, link.child, link.place) - point_rows(linkage, link.parent, link.place)
    return apart, turn_rows(linkage, link.child) - turn_rows(linkage, link.parent)


def _frame(axes: FloatArray) -> FloatArray:
    """Three directions square to each other, the axes of the link first."""
    if len(axes) == 3:
        return np.asarray(axes)
    first = axes[0]
    aside = np.cross(first, np.eye(3)[int(np.argmin(np.abs(first)))])
    aside /= np.linalg.norm(aside)
    return np.stack([first, aside, np.cross(first, aside)])


def _cross(v: FloatArray) -> FloatArray:
    """The matrix of the product ``v x``."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
