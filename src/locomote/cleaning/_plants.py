"""When and where a foot is planted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.cleaning._easing import BoolArray
from locomote.cleaning._rolling import FootRoll, put_down, roll_foot
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
MOST_NEARER = 0.02  # m; how far a plant may be shifted to the body
MOST_SLIDE = 0.12  # m; a foot that was recorded further away does not stand at this place:
SLIDE_TIME = 0.2  # s; it moves in this time to another one, in the same contact


@dataclass(frozen=True, eq=False)
class PlantedStance:
    """Where a foot stands: valid in the frames of ``planted``."""

    planted: BoolArray  # (F,)
    turn: FloatArray  # (F, 4) world rotation of the ankle
    ankle: FloatArray  # (F, 3) its place
    toe_turn: FloatArray  # (F, 4) of the toes against the ankle


def stand(foot: FootTrack, contacts: Contacts, i: int, sole: FlatSole, kept: BoolArray) -> PlantedStance:
    """All plants of one foot, each as long as its contact and at the place and heading that change the recording least.

    In the frames of ``kept (F,)`` the foot stands as recorded.
    """
    out = PlantedStance(kept.copy(), foot.turn.copy(), foot.ankle.copy(), foot.toe_turn.copy())
    both = (contacts.heel & contacts.toe)[:, i]
    gap = round(SLIDE_TIME * contacts.fps)
    last = len(foot.ankle)
    todo = [(int(a), int(b), a == 0, b == last) for a, b in runs(contacts.foot[:, i] & ~kept)]
    while todo:
        start, stop, *cut = todo.pop()
        planted = _plant(out, slice(start, stop), foot, both, (cut[0], cut[1]), contacts, sole)
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
    cut: tuple[bool, bool],
    contacts: Contacts,
    sole: FlatSole,
) -> npt.NDArray[np.int64]:
    """Put the foot down in one contact; the frames in which it stands."""
    floor, fps = contacts.floor, contacts.fps
    piece = foot.cut(span)
    roll = roll_foot(piece, both[span], floor, fps, sole)
    firm = _firm(roll.balls, cut, floor, fps, sole)
    place = _place(roll.balls[firm], floor, sole)
    place = place + _nearer(place, roll, piece, floor, fps, sole)
    turn, ankle, toes = put_down(roll, place, piece, floor, fps, sole)
    away = np.linalg.norm((roll.balls - place)[:, [0, 2]], axis=1)
    short = np.linalg.norm(piece.hip - ankle, axis=1) - piece.reach
    slid = away > MOST_SLIDE * sole.size
    planted = _joined(_released(np.ones_like(firm), short, fps, sole) & ~slid)
    frames = np.arange(span.start, span.stop)[planted]
    out.planted[frames] = True
    out.turn[frames], out.ankle[frames], out.toe_turn[frames] = turn[planted], ankle[planted], toes[planted]
    return frames


def _nearer(place: FloatArray, roll: FootRoll, foot: FootTrack, floor: Floor, fps: float, sole: FlatSole) -> FloatArray:
    """By how much a plant is better nearer to the body, ``(3,)``: a straight leg that lands reaches no further."""
    ankle = put_down(roll, place, foot, floor, fps, sole)[1][: max(1, round(SHORT_TIME * fps))]
    line = (foot.hip[: len(ankle)] - ankle) * (1.0, 0.0, 1.0)
    away = np.linalg.norm(foot.hip[: len(ankle)] - ankle, axis=1)
    level = np.linalg.norm(line, axis=1)
    worst = int(np.argmax(away - foot.reach[: len(ankle)]))
    short = float(away[worst] - foot.reach[worst])
    if short <= 0.0 or level[worst] < 1e-6:
        return np.zeros(3)
    # A step of the foot shortens the way to the hip by the cosine of the leg's angle to the floor.
    step = min(short * away[worst] / level[worst], MOST_NEARER * sole.size)
    nearer: FloatArray = step * line[worst] / level[worst]
    nearer[1] = floor.slope_x * nearer[0] + floor.slope_z * nearer[2]
    return nearer


def _released(planted: BoolArray, short: FloatArray, fps: float, sole: FlatSole) -> BoolArray:
    """A plant without those frames near its ends for which the leg is much too short."""
    inside = np.flatnonzero(planted)
    width = min(round(SHORT_TIME * fps), len(inside) // 3)
    keep = short < MOST_SHORT * sole.size
    keep[inside[0] + width : inside[-1] + 1 - width] = True
    return planted & keep


def _firm(balls: FloatArray, cut: tuple[bool, bool], floor: Floor, fps: float, sole: FlatSole) -> BoolArray:
    """The frames of a contact in which the foot has landed and does not yet leave; if none, where it is slowest.

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
    if not out.any():
        out[np.argmin(speed)] = True
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
