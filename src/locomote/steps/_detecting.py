"""Where feet stand in a recorded clip, and the foot plan that says so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._plan import LEFT, RIGHT, FootPlan

SIDES = ("left", "right")  # in the order of LEFT and RIGHT
FLAT_TIME = 0.30  # s of the flat foot next to a swing that tell where it stands: in a longer stand it may shift
FEWEST_FLAT = 3  # frames; fewer are no flat part, and the slowest third of the contact stands in
LEVEL = 0.03  # m; a plant nearer to the fitted floor is on it
# The ball of a foot is down where it is this near to where it stands flat: before that the foot rolls over the heel,
# after it over the toes.
NEAR = 0.035  # of the length of the leg

_HEEL, _BALL = 0, 1


@dataclass(frozen=True, eq=False)
class Stance:
    """One contact of one foot; times in seconds, infinite on a side that the clip cuts."""

    side: int  # LEFT or RIGHT
    strike: float  # of the foot
    off: float
    down: float  # of the ball
    up: float
    flat: IntArray  # frames in which the whole foot is down, in order

    def flat_before(self, time: float, fps: float) -> IntArray:
        """The last flat frames before a time."""
        early = self.flat[self.flat <= time * fps]
        early = early if len(early) else self.flat[:1]
        out: IntArray = early[early >= early[-1] - FLAT_TIME * fps]
        return out

    def flat_after(self, time: float, fps: float) -> IntArray:
        """The first flat frames after a time."""
        late = self.flat[self.flat >= time * fps]
        late = late if len(late) else self.flat[-1:]
        out: IntArray = late[late <= late[0] + FLAT_TIME * fps]
        return out


def stances(contacts: Contacts, leg_length: float) -> tuple[list[Stance], list[Stance]]:
    """The contacts of the left and of the right foot, in the order of time; ``leg_length`` m from hip to ankle."""
    sides = [leg.side for leg in contacts.legs]
    if sorted(sides) != sorted(SIDES):
        raise LocomoteError(f"steps need one left and one right leg; the legs are: {sides}")
    found = []
    for side, name in enumerate(SIDES):
        leg = sides.index(name)
        mine = []
        for (a, b), (strike, off) in zip(contacts.intervals(leg), contacts.times(leg), strict=True):
            flat = _flat(contacts, leg, int(a), int(b))
            down, up = _ball_down(contacts.points[a:b, leg, _BALL], flat - a, NEAR * leg_length, contacts.fps)
            down = down + a / contacts.fps if np.isfinite(strike) else -np.inf
            up = up + a / contacts.fps if np.isfinite(off) else np.inf
            mine.append(Stance(side, float(strike), float(off), float(down), float(up), flat))
        found.append(mine)
    return found[LEFT], found[RIGHT]


def _ball_down(ball: FloatArray, flat: IntArray, near: float, fps: float) -> tuple[float, float]:
    """When the ball comes down and goes up in a contact, seconds after its first frame."""
    edge = max(1, round(FLAT_TIME * fps))
    first = np.median(ball[flat[flat <= flat[0] + edge]], axis=0)
    last = np.median(ball[flat[flat >= flat[-1] - edge]], axis=0)
    arriving = np.flatnonzero(np.linalg.norm(ball[: flat[0] + 1] - first, axis=1) > near)
    leaving = np.flatnonzero(np.linalg.norm(ball[flat[-1] :] - last, axis=1) > near)
    down = (arriving[-1] + 1) / fps if len(arriving) else 0.0
    up = (flat[-1] + leaving[0] - 1 if len(leaving) else len(ball) - 1) / fps
    return down, max(up, down)


def plan_from_motion(motion: Motion, contacts: Contacts | None = None) -> FootPlan:
    """The foot plan that a clip follows, in its own metres; plants near the floor are at height 0.

    Parameters
    ----------
    motion : of a biped
    contacts : found unless given
    """
    contacts = detect(motion) if contacts is None else contacts
    left, right = stances(contacts, motion.skeleton.leg_length())
    all_stances = _from_first_stand(sorted([*left, *right], key=lambda s: (s.strike, s.off)))
    if len({s.side for s in all_stances}) < 2:
        raise LocomoteError(f"{motion.name or 'motion'}: no plan: expected contacts of both feet")
    legs = [leg.side for leg in contacts.legs]
    sides = np.array([s.side for s in all_stances], dtype=np.int64)
    places, yaws = np.zeros((len(sides), 3)), np.zeros(len(sides))
    for k, stance in enumerate(all_stances):
        leg = legs.index(SIDES[stance.side])
        points = contacts.points[stance.flat, leg]
        places[k] = np.median(points[:, _BALL], axis=0)
        height = float(np.median(contacts.heights[stance.flat, leg, _BALL]))
        places[k, 1] = height if abs(height) > LEVEL else 0.0
        yaws[k] = heading(points[:, _BALL] - points[:, _HEEL])
    times = np.array([s.strike for s in all_stances])
    return FootPlan(sides, places, yaws, np.where(np.isfinite(times), times, np.nan))


def heading(directions: FloatArray) -> float:
    """The mean yaw of directions ``(n, 3)``."""
    mean = np.mean(directions / np.linalg.norm(directions, axis=1, keepdims=True).clip(1e-9), axis=0)
    return float(np.arctan2(mean[0], mean[2]))


def _from_first_stand(all_stances: list[Stance]) -> list[Stance]:
    """Without what comes before the last stance of one foot ahead of the first of the other."""
    for k in range(len(all_stances) - 1):
        if all_stances[k].side != all_stances[k + 1].side:
            return all_stances[k:]
    return all_stances


def _flat(contacts: Contacts, leg: int, start: int, stop: int) -> IntArray:
    """The frames of a contact in which heel and forefoot are down, or the slowest third of it."""
    both = contacts.heel[start:stop, leg] & contacts.toe[start:stop, leg]
    flat = start + np.flatnonzero(both)
    if len(flat) >= FEWEST_FLAT:
        return flat.astype(np.int64)
    ball = contacts.points[start:stop, leg, _BALL]
    if len(ball) < FEWEST_FLAT:
        return np.arange(start, stop, dtype=np.int64)
    speed = np.linalg.norm(np.gradient(ball, axis=0), axis=1)
    slow = np.sort(np.argsort(speed)[: max(FEWEST_FLAT, len(ball) // 3)])
    return (start + slow).astype(np.int64)
