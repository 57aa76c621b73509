"""When and where a foot is planted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.cleaning._easing import BoolArray
from locomote.cleaning._rolling import put_down, roll_foot
from locomote.cleaning._soles import FlatSole
from locomote.cleaning._tracks import FootTrack
from locomote.contacts import Contacts, Floor
from locomote.contacts.feet import speeds
from locomote.contacts.records import runs
from locomote.rotations import FloatArray

# A foot is planted from shortly after it lands until shortly before it leaves. Lengths are for an adult's leg and go
# with its size, speeds go with the root of the size.
LANDING = 1 / 30  # s after the strike: strikes are not known better
LANDING_SHARE, LANDING_SPEED = 0.5, (0.3, 1.0)  # of the speed at the strike; at least and at most, m/s
LANDING_HEIGHT = 0.02  # m over its usual height in the contact
LEAVING_SHARE, LEAVING_SPEED = 0.35, (0.3, 0.6)  # of the speed at toe-off; at least and at most, m/s
LEAVING_HEIGHT = 0.035  # m over its usual height in the contact
LEAST_FRAMES = 2
SHORT_TIME, MOST_SHORT = 0.15, 0.03  # s, m; at the ends of a plant a leg that is so much too short lets go
MOST_SLIDE = 0.12  # m; a foot that was recorded further away does not stand at this place:
SLIDE_TIME = 0.2  # s; it moves in this time to another one, in the same contact


@dataclass(frozen=True, eq=False)
class PlantedStance:
    """Where a foot stands: valid in the frames of ``planted``."""

    planted: BoolArray  # (F,)
    turn: FloatArray  # (F, 4) world rotation of the ankle
    ankle: FloatArray  # (F, 3) its place
    toe_turn: FloatArray  # (F, 4) of the toes against the ankle


def stand(
    foot: FootTrack, contacts: Contacts, i: int, sole: FlatSole, asked: BoolArray, kept: BoolArray
) -> PlantedStance:
    """All plants of one foot, each at the place and heading that change the recording least.

    In the frames of ``asked (F,)`` the foot is to stand if its leg reaches so far, in those of ``kept (F,)`` it
    stands as recorded.
    """
    out = PlantedStance(kept.copy(), foot.turn.copy(), foot.ankle.copy(), foot.toe_turn.copy())
    both = (contacts.heel & contacts.toe)[:, i]
    gap = round(SLIDE_TIME * contacts.fps)
    last = len(foot.ankle)
    todo = [(int(a), int(b), a == 0, b == last) for a, b in runs((contacts.foot[:, i] | asked) & ~kept)]
    while todo:
        start, stop, *cut = todo.pop()
        span = slice(start, stop)
        planted = _plant(out, span, foot, both, asked, (cut[0], cut[1]), contacts, sole)
        if len(planted):
            # What is left of a contact in which the foot slides to another place.
            rest = [(start, planted[0] - gap, cut[0], True), (planted[-1] + 1 + gap, stop, True, cut[1])]
            todo += [piece for piece in rest if piece[1] - piece[0] > gap]
    return out


def _plant(
    out: PlantedStance,
    span: slice,
    foot: FootTrack,
    both: BoolArray,
    asked: BoolArray,
    cut: tuple[bool, bool],
    contacts: Contacts,
    sole: FlatSole,
) -> npt.NDArray[np.int64]:
    """Put the foot down in one contact; the frames in which it stands."""
    floor, fps = contacts.floor, contacts.fps
    piece = foot.cut(span)
    roll = roll_foot(piece, both[span], floor, fps, sole)
    planted = _joined(_firm(roll.balls, cut, floor, fps, sole) | asked[span])
    if not planted.any():
        return np.zeros(0, dtype=np.int64)
    place = _place(roll.balls[planted], floor, sole)
    turn, ankle, toes = put_down(roll, place, piece, fps, sole)
    away = np.linalg.norm((roll.balls - place)[:, [0, 2]], axis=1)
    short = np.linalg.norm(piece.hip - ankle, axis=1) - piece.reach
    planted = _joined(_released(planted, short, fps, sole) & (away < MOST_SLIDE * sole.size))
    frames = np.arange(span.start, span.stop)[planted]
    out.planted[frames] = True
    out.turn[frames], out.ankle[frames], out.toe_turn[frames] = turn[planted], ankle[planted], toes[planted]
    return frames


def _released(planted: BoolArray, short: FloatArray, fps: float, sole: FlatSole) -> BoolArray:
    """A plant without those frames near its ends for which the leg is much too short."""
    inside = np.flatnonzero(planted)
    width = min(round(SHORT_TIME * fps), len(inside) // 3)
    keep = short < MOST_SHORT * sole.size
    keep[inside[0] + width : inside[-1] + 1 - width] = True
    return planted & keep


def _firm(balls: FloatArray, cut: tuple[bool, bool], floor: Floor, fps: float, sole: FlatSole) -> BoolArray:
    """The frames of a contact in which the foot has landed and does not yet leave.

    ``cut`` says that the clip begins, and ends, within the contact.
    """
    speed = speeds(balls, fps) / np.sqrt(sole.size)
    over = (floor.heights(balls) - np.median(floor.heights(balls))) / sole.size
    landing = LANDING_SPEED[0] if cut[0] else np.clip(LANDING_SHARE * speed[0], *LANDING_SPEED)
    leaving = LEAVING_SPEED[0] if cut[1] else np.clip(LEAVING_SHARE * speed[-1], *LEAVING_SPEED)
    landed = np.flatnonzero((speed < landing) & (over < LANDING_HEIGHT))
    still = np.flatnonzero((speed < leaving) & (over < LEAVING_HEIGHT))
    out = np.zeros(len(balls), dtype=bool)
    if len(landed) and len(still):
        first = max(int(landed[0]), 0 if cut[0] else round(LANDING * fps))
        out[first : still[-1] + 1] = True
    return out


def _joined(frames: BoolArray) -> BoolArray:
    """All frames from the first to the last one, if they are more than one."""
    inside = np.flatnonzero(frames)
    out = np.zeros_like(frames)
    if len(inside) >= LEAST_FRAMES:
        out[inside[0] : inside[-1] + 1] = True
    return out


def _place(balls: FloatArray, floor: Floor, sole: FlatSole) -> FloatArray:
    """The middle of where the ball was, on the floor."""
    place = np.median(balls, axis=0)
    place[1] += sole.level - float(floor.heights(place))
    return place
