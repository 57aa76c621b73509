"""Climbs from holds and the order in which they are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.motion import Motion
from locomote.physics._grips import Grips, grip_forces
from locomote.physics._newton import segment_motion
from locomote.physics._retiming import CUTOFF, retime
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.spaces import Handle, PoseDatabase, Poser

LIMBS = ("left hand", "right hand", "left foot", "right foot")
_FPS = 60.0
_MOVE = 1.0  # s that a reach takes before its time is chosen
_PAUSE = 0.5  # s of rest before each: people stop to plan
_OFF = 0.22  # m from the wall to the hips
_LIFT = 0.08  # m by which a hand or foot leaves the wall on its way
_HANGS = 0.42  # of the way from the feet up to the hands: where the hips are
_CALM, _UPRIGHT, _FACING = 0.3, 0.2, 0.1  # weights of hips, chest and facing beside what holds on
_REACHABLE = 0.06  # m by which a hold may be missed


class Climb(NamedTuple):
    """A climb: its motion and what it needs."""

    motion: Motion
    grips: Grips
    forces: FloatArray  # (F, 4, 3) N at hands and feet, in the order of `LIMBS`
    torques: FloatArray  # (F, J, 3) N m
    breaks: tuple[int, ...]  # frames at which holds are left and taken
    effort: float  # (N m)2 s
    uniform_effort: float  # the same, had all moves taken one second


def climb(
    skeleton: Skeleton,
    holds: npt.ArrayLike,
    start: Mapping[str, int],
    moves: Sequence[tuple[str, int]],
    *,
    mass: float | Masses | None = None,
    haste: float = 0.0,
    pause: float = _PAUSE,
) -> Climb:
    """A person who climbs a wall: natural poses on the holds, and moves that take as long as costs the least effort.

    Parameters
    ----------
    skeleton : of a person; the wall is ahead of it, towards +Z
    holds : (H, 3) m
    start : the hold of each of "left hand", "right hand", "left foot", "right foot"
    moves : limb and hold, one after the other
    mass : kg, or the masses of all segments
    haste : (N m)2 that a second is worth, besides effort
    pause : s of rest before each move
    """
    places = np.asarray(holds, dtype=np.float64).reshape(-1, 3)
    at = _checked(start, moves, len(places))
    masses = mass if isinstance(mass, Masses) else Masses.of(skeleton, mass)
    paths, hips, held, breaks = _paths(places, at, moves, pause)
    joints = _limb_joints(skeleton)
    poser = Poser(PoseDatabase.default().onto(skeleton), ground=None)
    handles = [Handle(joint, position=paths[:, i]) for i, joint in enumerate(joints)]
    handles += _trunk(skeleton, hips)
    posed = poser.follow(handles, _FPS)
    worst = float(np.max(posed.error[:, :4][held.astype(bool)]))
    if worst > _REACHABLE:
        raise LocomoteError(f"a hold is out of reach by {1e3 * worst:.0f} mm; a body of this size reaches less far")
    uniform = posed.pose
    assert isinstance(uniform, Motion)
    done = retime(uniform, breaks, Grips(joints, held), masses, haste=haste)
    # Which frames hold on follows the same warp as the motion.
    ends = np.concatenate([[0.0], np.cumsum(np.diff(breaks) * done.factors)])
    frames = np.interp(np.linspace(0.0, ends[-1], len(done.motion)), ends, np.asarray(breaks, dtype=float))
    grips = Grips(joints, held[np.round(frames).astype(int)])
    forces, torques = grip_forces(done.motion, masses, grips, segment_motion(done.motion, masses, CUTOFF))
    taken = tuple(round(float(end)) for end in ends)
    return Climb(done.motion, grips, forces, torques, taken, float(done.effort.sum()), float(done.before.sum()))


def _checked(start: Mapping[str, int], moves: Sequence[tuple[str, int]], count: int) -> list[int]:
    """The holds at the start, in the order of the limbs."""
    missing = [limb for limb in LIMBS if limb not in start]
    if missing:
        raise LocomoteError(f"start: no hold for the {', the '.join(missing)}")
    for limb, hold in [*start.items(), *moves]:
        if limb not in LIMBS:
            raise LocomoteError(f"limb {limb!r}: expected one of {', '.join(LIMBS)}")
        if not 0 <= hold < count:
            raise LocomoteError(f"{limb}: there is no hold {hold}; there are {count}")
    if not moves:
        raise LocomoteError("moves: expected at least one")
    return [start[limb] for limb in LIMBS]


def _limb_joints(skeleton: Skeleton) -> list[int]:
    roles = skeleton.roles
    if len(roles.arms) != 2 or len(roles.legs) != 2:
        raise LocomoteError("climbs need a body with two arms and two legs")
    wrists = [next(arm.wrist for arm in roles.arms if arm.side == side) for side in ("left", "right")]
    return [*wrists, *(roles.leg(side).ball for side in ("left", "right"))]


def _paths(
    places: FloatArray, at: list[int], moves: Sequence[tuple[str, int]], pause: float
) -> tuple[FloatArray, FloatArray, IntArray, list[int]]:
    """Of the limbs ``(F, 4, 3)`` and the hips ``(F, 3)``, what holds on ``(F, 4)``, and the frames between parts."""
    rest, reach = max(3, round(pause * _FPS)), round(_MOVE * _FPS)
    paths, hips, held, breaks = [], [], [], [0]
    now = places[at]
    for limb, hold in moves:
        which = LIMBS.index(limb)
        after = now.copy()
        after[which] = places[hold]
        u = np.concatenate([np.zeros(rest), (np.arange(reach) + 1.0) / reach])
        ease = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)  # at rest at both ends
        way = (1.0 - ease)[:, None, None] * now + ease[:, None, None] * after
        way[:, which, 2] -= _LIFT * 16.0 * (ease * (1.0 - ease)) ** 2
        paths.append(way)
        hips.append((1.0 - ease)[:, None] * _hips(now) + ease[:, None] * _hips(after))
        on = np.ones((len(u), 4), dtype=np.int64)
        on[rest : len(u) - 1, which] = 0
        held.append(on)
        breaks += [breaks[-1] + rest, breaks[-1] + rest + reach]
        now = after
    breaks[-1] -= 1
    return np.concatenate(paths), np.concatenate(hips), np.concatenate(held), breaks


def _trunk(skeleton: Skeleton, hips: FloatArray) -> list[Handle]:
    """Hips where they shall be, the trunk upright over them and turned to the wall."""
    roles = skeleton.roles
    top = roles.neck[0] if roles.neck else roles.spine[-1]
    up = np.array([0.0, skeleton.chain_length(roles.root, top), 0.0])
    return [
        Handle(roles.root, position=hips, weight=_CALM),
        Handle(top, position=hips + up, weight=_UPRIGHT),
        Handle(roles.root, rotation=skeleton.rest_pose()[1][roles.root], weight=_FACING),
    ]


def _hips(limbs: FloatArray) -> FloatArray:
    """Where the hips are while hands and feet hold on here: near the wall, over the feet, below the hands."""
    hands, feet = limbs[:2].mean(axis=0), limbs[2:].mean(axis=0)
    out: FloatArray = (1.0 - _HANGS) * feet + _HANGS * hands
    out[2] = min(hands[2], feet[2]) - _OFF
    return out
