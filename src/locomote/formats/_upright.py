"""Which way is up in a file that does not say, by what its legs stand on; and a body turned to stand on them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.formats.units import basis
from locomote.motion import Motion
from locomote.roles import find_roles
from locomote.rotations import FloatArray
from locomote.skeleton import Roles, Skeleton

SAMPLES = 60  # frames of a clip that are looked at
STANDS = 0.5  # of the unit vector from feet to hips: more of it along an axis, and the body stands along it
CLEARLY = 0.8  # the same, of a body that stands along another axis than Y
MOST_LEGS = 4  # knees of insects are over their hips, and often the last bone has no end
LEAST_RISE = 0.1  # of a leg's length; hips less high over the feet tell nothing
WALKED = 1.0  # leg lengths gone over the ground, and
FLOOR_SHARE, FLOOR_BAND = 70.0, 0.08  # per cent of the frames in which a foot is on a floor this thick, in leg lengths

_AXES = ("x", "y", "z")
_OTHERS = ("z", "-y", "x", "-z", "-x")


class Up(NamedTuple):
    """An axis of a file that points up, and what says so."""

    axis: str
    why: str

    @property
    def note(self) -> str:
        """What is told to the reader of a file."""
        return f"up: {self.axis} guessed, as {self.why}; give up= to be sure"


def guess_up(motion: Motion) -> Up | None:
    """The axis along which a body stands, where it is clearly not Y.

    Hips are over feet along it, in the mean of the frames and in the rest pose. Where the rest pose says something
    else somebody may be asleep: then feet must walk on a floor square to the axis.
    """
    skeleton = motion.skeleton
    roles = skeleton.roles
    if not roles.legs:
        return _by_shape(skeleton)
    if len(roles.legs) > MOST_LEGS:
        return None
    positions = some_frames(motion)
    moving = _over_feet(roles, positions)
    if moving is None or moving[1] > STANDS:
        return None
    axis = _clear_axis(moving)
    if axis is None:
        return None
    resting = _over_feet(roles, skeleton.rest_pose()[0][None])
    if resting is not None and _clear_axis(resting) == axis:
        return Up(axis, "hips are over feet along it")
    return Up(axis, "it walks on a floor square to it") if _walks(roles, positions, basis(axis, None)[1]) else None


def _over_feet(roles: Roles, positions: FloatArray) -> FloatArray | None:
    """The mean direction ``(3,)`` from feet to hips over frames ``(F, J, 3)``, shorter than 1 where it changes."""
    hips = positions[:, [leg.hip for leg in roles.legs]].mean(axis=1)
    feet = positions[:, [leg.toe for leg in roles.legs]].mean(axis=1)
    lines = positions[:, [list(leg.chain[:2]) for leg in roles.legs]]
    size = float(np.linalg.norm(lines[:, :, 1] - lines[:, :, 0], axis=-1).mean())
    length = np.linalg.norm(hips - feet, axis=1)
    if not size > 0.0 or np.median(length) < LEAST_RISE * size:
        return None
    out: FloatArray = ((hips - feet) / np.maximum(length, 1e-12)[:, None]).mean(axis=0)
    return out


def _clear_axis(direction: FloatArray) -> str | None:
    best = int(np.argmax(np.abs(direction)))
    if abs(direction[best]) < CLEARLY:
        return None
    return ("-" if direction[best] < 0.0 else "") + _AXES[best]


def _walks(roles: Roles, positions: FloatArray, up: FloatArray) -> bool:
    """Whether feet go over a floor that is square to an axis."""
    height = (positions[:, [leg.toe for leg in roles.legs]] @ up).min(axis=1)
    leg = max(float(np.median(positions[:, roles.root] @ up - height)), 1e-12)
    level = positions[:, roles.root] - (positions[:, roles.root] @ up)[:, None] * up
    gone = float(np.linalg.norm(np.ptp(level, axis=0)))
    thick = float(np.percentile(height, FLOOR_SHARE) - np.percentile(height, 5.0))
    return gone >= WALKED * leg and thick <= FLOOR_BAND * leg


def _by_shape(skeleton: Skeleton) -> Up | None:
    """For a body whose names tell no legs: the only axis along which it has legs to stand on."""
    standing = []
    for axis in _OTHERS:
        turned = _turned(skeleton, rot.from_matrix(basis(axis, None)))
        roles = find_roles(turned)
        over = None if not roles.legs else _over_feet(roles, turned.rest_pose()[0][None])
        if over is not None and over[1] > CLEARLY:
            standing.append(axis)
    return Up(standing[0], "only so it has legs to stand on") if len(standing) == 1 else None


def some_frames(motion: Motion) -> FloatArray:
    """World positions ``(F, J, 3)`` in some of the frames; without a kernel, as reading a file compiles nothing."""
    some = np.unique(np.linspace(0, len(motion) - 1, min(SAMPLES, len(motion))).astype(np.int64))
    parents = motion.skeleton.parents
    turns = motion.rotations[some].copy()
    places = np.repeat(motion.skeleton.offsets[None], len(some), axis=0)
    if motion.translations is not None:
        places = motion.translations[some].copy()
    places[:, 0] = motion.root_positions[some]
    for j in range(1, len(parents)):
        places[:, j] = places[:, parents[j]] + rot.rotate(turns[:, parents[j]], places[:, j])
        turns[:, j] = rot.multiply(turns[:, parents[j]], turns[:, j])
    return places


def turned_up(motion: Motion, up: str) -> Motion:
    """The motion of a file in which ``up`` points up, turned so that Y does: its world, its rest pose and its body."""
    turn = rot.from_matrix(basis(up, None))
    body = motion.body
    if body is not None:
        body = replace(
            body,
            vertices=rot.rotate(turn, body.vertices),
            bind_positions=rot.rotate(turn, body.bind_positions),
            bind_rotations=rot.multiply(turn, body.bind_rotations),
        )
    return replace(motion.moved(turn), skeleton=_turned(motion.skeleton, turn), body=body)


def _turned(skeleton: Skeleton, turn: FloatArray) -> Skeleton:
    offsets, rest = skeleton.offsets.copy(), skeleton.rest_rotations.copy()
    offsets[0] = rot.rotate(turn, offsets[0])
    rest[0] = rot.multiply(turn, rest[0])
    roles = skeleton.given_roles
    if roles is not None:
        x, y, z = rot.rotate(turn, np.array(roles.forward))
        roles = replace(roles, forward=(float(x), float(y), float(z)))
    return replace(skeleton, offsets=offsets, rest_rotations=rest, given_roles=roles)
