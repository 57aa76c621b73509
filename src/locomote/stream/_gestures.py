"""Gestures of people in a stream: laid over what their crowd makes them do, from the hips up.

A gesture turns arms, spine, neck and head only: feet stay where they are, so that one may wave and walk. Directions
are those of a person who faces +z with +x to the left, in the frame of the chest; an arm is given by where its upper
and its lower part point, and is turned as its elbow bends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote._arguments import Rows
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Skeleton

BEGINS, ENDS = 0.45, 0.6  # s in which a gesture comes and goes
STANDS = 0.1  # m/s, below which somebody stands
IDLE_EVERY = (5.0, 16.0)  # s between gestures of one who stands about
IDLE = ("nod", "shake", "shrug", "think", "wave")  # what they do then
HANG = 0.9  # of a bent back that arms do not follow, for they hang
_SIDES = {"left": 1.0, "right": -1.0}


class Reach(NamedTuple):
    """Where arms point at some times: above the elbow and below it, on the left side; the right one is its mirror."""

    upper: FloatArray  # (K, 3)
    lower: FloatArray


class Carriage(NamedTuple):
    """What a gesture adds at some times, as rotation vectors, rad: pitch, yaw, roll."""

    spine: FloatArray | None = None  # (K, 3), shared by its joints
    head: FloatArray | None = None  # (K, 3), shared by neck and head
    shoulder: float = 0.0  # by which both shoulders are raised


@dataclass(frozen=True)
class Gesture:
    """A gesture: how long it lasts, and what it is at times ``(K,)``, all in seconds."""

    seconds: float
    carriage: Callable[[FloatArray], Carriage] | None = None
    arms: tuple[tuple[str, Callable[[FloatArray], Reach]], ...] = ()


def _rows(times: FloatArray, *parts: float | FloatArray) -> FloatArray:
    """Vectors ``(K, 3)`` of numbers that hold always and numbers for each time."""
    return np.stack([np.broadcast_to(part, times.shape) for part in parts], axis=-1)


def _wave(times: FloatArray) -> Reach:
    swing = 0.42 * np.sin(2.0 * np.pi * 1.6 * times)
    return Reach(_rows(times, 0.86, 0.05, 0.32), _rows(times, 0.12 + swing, 1.0, 0.22))


def _think(times: FloatArray) -> Reach:
    sway = 0.03 * np.sin(2.0 * np.pi * 0.4 * times)
    return Reach(_rows(times, 0.0, -0.89, 0.45), _rows(times, -0.50 + sway, 0.86, 0.06))


def _open_hand(times: FloatArray) -> Reach:
    return Reach(_rows(times, 0.18, -0.97, 0.06), _rows(times, 0.50, 0.10, 0.80))


def _point(times: FloatArray) -> Reach:
    return Reach(_rows(times, 0.10, -0.08, 1.0), _rows(times, 0.02, 0.05, 1.0))


def _nod(times: FloatArray) -> Carriage:
    turn = 0.30 * np.sin(2.0 * np.pi * 1.5 * times)
    return Carriage(head=_rows(times, np.maximum(turn, -0.09), 0.0, 0.0))  # a nod goes down


def _shake(times: FloatArray) -> Carriage:
    return Carriage(head=_rows(times, 0.0, 0.42 * np.sin(2.0 * np.pi * 1.3 * times), 0.0))


GESTURES = {
    "wave": Gesture(2.9, lambda times: Carriage(head=_rows(times, 0.0, -0.12, 0.0)), (("right", _wave),)),
    "nod": Gesture(1.6, _nod),
    "shake": Gesture(1.9, _shake),
    "bow": Gesture(2.6, lambda times: Carriage(_rows(times, 0.75, 0.0, 0.0), _rows(times, 0.30, 0.0, 0.0))),
    "shrug": Gesture(
        1.9,
        lambda times: Carriage(None, _rows(times, 0.0, 0.0, 0.14), shoulder=0.18),
        (("left", _open_hand), ("right", _open_hand)),
    ),
    "think": Gesture(4.5, lambda times: Carriage(None, _rows(times, 0.14, -0.20, 0.05)), (("right", _think),)),
    "point": Gesture(2.4, None, (("right", _point),)),
}


def eased(times: FloatArray, seconds: float) -> FloatArray:
    """How much of a gesture is shown at times ``(K,)``: 0 to 1, smooth at both ends."""
    share = np.clip(np.minimum(times / BEGINS, (seconds - times) / ENDS), 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))


class _Limbs:
    """The joints of a skeleton that gestures turn, and how an arm is turned to point somewhere."""

    def __init__(self, skeleton: Skeleton) -> None:
        roles = skeleton.roles
        self.spine = roles.spine
        self.head = (*roles.neck, *(() if roles.head is None else (roles.head,)))
        self.arms = {arm.side: arm for arm in roles.arms}
        self._along = {
            arm.side: [_unit(skeleton.offsets[joint]) for joint in (arm.elbow, arm.wrist)] for arm in roles.arms
        }

    def turned(self, arm: Arm, reach: Reach) -> tuple[FloatArray, FloatArray]:
        """Local rotations ``(K, 4)`` of an arm's upper and lower part that point where a reach says."""
        side = np.array([_SIDES[arm.side], 1.0, 1.0])
        upper, lower = _unit(side * reach.upper), _unit(side * reach.lower)
        rest = self._along[arm.side]
        forward = np.array([0.0, 0.0, 1.0])
        # An elbow bends the hand forwards where the arm is held sideways: its axis goes where the two parts cross.
        held, wanted = _frame(rest[0], np.cross(rest[0], forward)), _frame(upper, np.cross(upper, lower))
        shoulder = rot.from_matrix(wanted @ held.T)
        below = rot.rotate(rot.inverse(shoulder), lower)
        return shoulder, rot.between(np.broadcast_to(rest[1], below.shape), below)


def _unit(vectors: FloatArray) -> FloatArray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _frame(first: FloatArray, second: FloatArray) -> FloatArray:
    """Axes ``(..., 3, 3)`` in columns: the first, the second made square to it, and what completes them."""
    second = _unit(second - (second * first).sum(axis=-1, keepdims=True) * first)
    return np.stack([first, second, np.cross(first, second)], axis=-1)


class Gestures:
    """Who of a group makes which gesture.

    Parameters
    ----------
    skeleton : of the people
    idle : those who stand make one now and then, by themselves
    seed : of what is drawn at random
    """

    def __init__(self, skeleton: Skeleton, idle: bool = False, seed: int = 0) -> None:
        self.idle = idle
        self._limbs = _Limbs(skeleton)
        self._random = np.random.default_rng(seed)
        self._going: dict[int, tuple[str, float]] = {}  # who: the gesture, and when it began, s
        self._due: FloatArray = np.zeros(0)  # s, when each is to do something by itself

    def begin(self, name: str, rows: Rows, time: float) -> None:
        """Let characters begin a gesture at a time, seconds; who makes another breaks it off."""
        for who in rows.tolist():
            self._going[who] = (name, time)

    def act(self, time: float, speeds: FloatArray) -> None:
        """Let those who stand about do something now and then.

        Parameters
        ----------
        time : s
        speeds : of everyone, m/s
        """
        self._going = {
            who: (name, began) for who, (name, began) in self._going.items() if time < began + GESTURES[name].seconds
        }
        if not self.idle:
            return
        if len(self._due) != len(speeds):
            self._due = time + self._random.uniform(0.0, IDLE_EVERY[1], len(speeds))
        for who in np.flatnonzero(time >= self._due).tolist():
            self._due[who] = time + self._random.uniform(*IDLE_EVERY)
            name = IDLE[int(self._random.integers(len(IDLE)))]
            if speeds[who] < STANDS and who not in self._going:
                self._going[who] = (name, time)
                self._due[who] += GESTURES[name].seconds

    def laid_over(self, rotations: FloatArray, time: float) -> FloatArray:
        """Local rotations ``(N, J, 4)`` with the gestures of a time, seconds; the same array where nobody makes one."""
        shown: dict[str, tuple[list[int], list[float]]] = {}
        for who, (name, began) in self._going.items():
            if began < time < began + GESTURES[name].seconds:
                rows, times = shown.setdefault(name, ([], []))
                rows.append(who)
                times.append(time - began)
        if not shown:
            return rotations
        rotations = np.array(rotations, dtype=np.float64)
        for name, (rows, times) in shown.items():
            turns = rotations[rows]
            self._show(turns, GESTURES[name], np.array(times))
            rotations[rows] = turns
        return rotations

    def _show(self, turns: FloatArray, gesture: Gesture, since: FloatArray) -> None:
        """Turn the joints ``(K, J, 4)`` of those who make a gesture in place."""
        limbs, share = self._limbs, eased(since, gesture.seconds)
        carriage = Carriage() if gesture.carriage is None else gesture.carriage(since)
        for joints, vectors in ((limbs.spine, carriage.spine), (limbs.head, carriage.head)):
            if joints and vectors is not None:
                turn = rot.exp(vectors * (share / len(joints))[:, None])
                turns[:, joints] = rot.multiply(turns[:, joints], turn[:, None])
        for side, arm in limbs.arms.items():
            if carriage.spine is not None:
                hanging = rot.exp(np.outer(-HANG * share * carriage.spine[:, 0], (1.0, 0.0, 0.0)))
                turns[:, arm.shoulder] = rot.multiply(hanging, turns[:, arm.shoulder])
            if carriage.shoulder and arm.clavicle is not None:
                raised = rot.exp(np.outer(_SIDES[side] * carriage.shoulder * share, (0.0, 0.0, 1.0)))
                turns[:, arm.clavicle] = rot.multiply(raised, turns[:, arm.clavicle])
        for side, reach in gesture.arms:
            if side in limbs.arms:
                arm = limbs.arms[side]
                for joint, wanted in zip((arm.shoulder, arm.elbow), limbs.turned(arm, reach(since)), strict=True):
                    turns[:, joint] = rot.slerp(turns[:, joint], wanted, share)
