"""A foot on the floor: it rolls over its heel, stands flat, rolls over its ball, and slides nowhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._easing import BoolArray, smooth_step, soft_excess
from locomote.cleaning._legs import smooth_cover
from locomote.cleaning._soles import BALL, HEEL, FlatSole, floor_turn
from locomote.cleaning._tracks import FootTrack
from locomote.contacts import Floor
from locomote.rotations import FloatArray

SMOOTHING = 0.02  # s, of the angles at which a standing foot is recorded
FLAT_PITCH = np.radians(1.0)  # a foot tilted less stands flat; one tilted further is tilted so much less
SLAP = np.radians(2.0)  # eased over twice of this, as a toe that is put down slows
MOST_BIAS = np.radians(10.0)  # how far from flat a foot may be recorded that stands on heel and ball
BIAS_TIME = 0.1  # s of standing that show it
HELD_PITCH = np.radians(7.0)  # a foot tilted less keeps its heading and does not roll sideways;
FREE_PITCH = np.radians(40.0)  # one tilted so far turns and rolls as recorded
PIVOT = np.radians(15.0)  # a foot that turns further on the floor pivots on its ball, with its heel
PIVOT_HEEL = 0.03  # m off the floor, of an adult
PIVOT_SPREAD = 0.08  # s; how long before and after it is
MOST_TILT = 0.6  # of its pitch, by which a tilted foot may be tilted further for the leg to reach the floor
STEEPEST = np.radians(75.0)
TIP_PITCH = np.radians(15.0)  # from which on a foot may roll over the tip of its toes
LEAST_TOES = 0.05  # m, from the ball to the tip
LIFT_OFF = 0.007  # m; a ball that is recorded so much higher than it stands begins to lift, and rolls over the toes
TILT_SPREAD = 0.06  # s; how long before and after it is
_ROUNDS = 20  # of halving an angle


@dataclass(frozen=True, eq=False)
class FootRoll:
    """How a foot rolls through one contact, wherever it stands."""

    turn: FloatArray  # (n, 4) world rotation of the ankle
    pitch: FloatArray  # (n,) toes up positive: over the heel; negative: over the ball; 0 flat
    free: FloatArray  # (n,) 1 where the foot is tilted so far that it turns as recorded, else towards 0
    flat_turn: FloatArray  # (n, 4) of the ankle if the foot stood flat
    sole_line: FloatArray  # (n, 3) from heel to ball then
    balls: FloatArray  # (n, 3) where the ball was recorded to stand, or will when it comes down


def roll_foot(foot: FootTrack, both: BoolArray, floor: Floor, fps: float, sole: FlatSole) -> FootRoll:
    """The roll of a foot; ``both (n,)`` says when it stands on heel and ball."""
    ball, count = foot.points[:, BALL], len(foot.turn)
    if sole.axes is None:
        return FootRoll(foot.turn, np.zeros(count), np.ones(count), foot.turn, np.zeros((count, 3)), ball)
    tilt = floor_turn(floor)
    yaw, pitch, roll = _angles(foot.turn, tilt, sole.axes, fps)
    flat = both if np.any(both) else np.ones(count, dtype=bool)
    usual = float(np.median(yaw[flat]))
    if np.any(both):
        known = min(1.0, np.count_nonzero(both) / (BIAS_TIME * fps))
        pitch = pitch - known * np.clip(np.median(pitch[both]), -MOST_BIAS, MOST_BIAS)
    pitch = np.copysign(soft_excess(np.abs(pitch) - FLAT_PITCH, SLAP), pitch)
    free = smooth_step((np.abs(pitch) - HELD_PITCH) / (FREE_PITCH - HELD_PITCH))
    line = np.median(foot.local(BALL) - foot.local(HEEL), axis=0)
    heading, pivots = _headings(yaw, usual, np.abs(pitch) < HELD_PITCH, fps)
    raised = np.arcsin(min(PIVOT_HEEL * sole.size / float(np.linalg.norm(line)), np.sin(FREE_PITCH)))
    pitch = pitch + pivots * (np.minimum(pitch, -raised) - pitch)
    turn = _turn(heading + free * (yaw - heading), pitch, free * roll, tilt, sole.axes)
    flat_turn = _turn(heading, np.zeros(count), np.zeros(count), tilt, sole.axes)
    sole_line = rot.rotate(flat_turn, line)
    on_heel = smooth_step(0.5 + pitch / (2.0 * FLAT_PITCH))[:, None]
    balls = ball + on_heel * (foot.points[:, HEEL] + sole_line - ball)
    return FootRoll(turn, pitch, free, flat_turn, sole_line, balls)


def _headings(yaw: FloatArray, usual: float, level: BoolArray, fps: float) -> tuple[FloatArray, FloatArray]:
    """The heading of a foot on the floor ``(n,)``, and whether it pivots ``(n,)``, between 0 and 1.

    It keeps to the ``usual`` one until the recorded one, where the foot is ``level``, is `PIVOT` away.
    """
    from scipy.ndimage import gaussian_filter1d

    out = np.full(len(yaw), usual)
    if np.all(np.abs(yaw[level] - usual) <= PIVOT):
        return out, np.zeros(len(yaw))
    held = float(yaw[level][0])
    for frame in range(len(yaw)):
        held = float(np.clip(held, yaw[frame] - PIVOT, yaw[frame] + PIVOT)) if level[frame] else held
        out[frame] = held
    pivots = smooth_cover((np.diff(out, prepend=out[0]) != 0.0).astype(float), fps, PIVOT_SPREAD)
    return gaussian_filter1d(out, 0.5 * PIVOT_SPREAD * fps, mode="nearest"), pivots


def put_down(
    roll: FootRoll, place: FloatArray, foot: FootTrack, floor: Floor, fps: float, sole: FlatSole
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rotation and place of the ankle, and rotation of the toes against it, of a foot whose ball stands at a place.

    At last it rolls over the tip of its toes: the ball rises as recorded.
    """
    turn, pitch = roll.turn, roll.pitch
    ball, lying = np.broadcast_to(place, foot.ankle.shape), None
    if sole.toe_joint is not None and sole.axes is not None:
        ball, lying = _over_the_tip(roll, place, foot, floor, sole)
    if sole.axes is not None:
        more = _further_tilt(roll, ball, foot, fps, sole.axes)
        turn = rot.multiply(rot.from_axis_angle(_lateral(turn, sole.axes), -more), turn)
        pitch = pitch + more
    toes = _toes(roll, turn, pitch, foot, sole)
    if lying is not None:
        toes = np.where((pitch > 0.0)[:, None], toes, rot.multiply(rot.inverse(turn), lying))
    ankle = np.where(
        (pitch > 0.0)[:, None],
        place - roll.sole_line - rot.rotate(turn, foot.local(HEEL)),
        ball - rot.rotate(turn, foot.local(BALL)),
    )
    return turn, ankle, toes


def _over_the_tip(
    roll: FootRoll, place: FloatArray, foot: FootTrack, floor: Floor, sole: FlatSole
) -> tuple[FloatArray, FloatArray]:
    """The ball ``(n, 3)`` and the toes' rotation in the world ``(n, 4)``, of toes whose tip stays where it is."""
    assert sole.axes is not None
    flat_toes = rot.multiply(roll.flat_turn, sole.toe_flat)
    tip = rot.rotate(flat_toes, np.median(foot.tips, axis=0))
    length = float(np.linalg.norm(tip[0]))
    if length < LEAST_TOES * sole.size:  # a rig without toes rolls as if it had some
        length = LEAST_TOES * sole.size
        tip = length * roll.sole_line / np.linalg.norm(roll.sole_line, axis=1, keepdims=True)
    rise = floor.heights(foot.points[:, BALL]) - sole.level
    # A ball that is off the floor while the foot is level hovers.
    rise = smooth_step(-roll.pitch / TIP_PITCH) * soft_excess(rise - LIFT_OFF * sole.size, LIFT_OFF * sole.size)
    angle = np.arcsin(np.minimum(rise / length, np.sin(STEEPEST)))
    turn = rot.from_axis_angle(_lateral(roll.flat_turn, sole.axes), angle)
    return place + tip - rot.rotate(turn, tip), rot.multiply(turn, flat_toes)


def _further_tilt(roll: FootRoll, place: FloatArray, foot: FootTrack, fps: float, axes: FloatArray) -> FloatArray:
    """By how much more a tilted foot must be tilted, ``(F,)``, for the leg to reach the point it stands on."""
    on_heel = (roll.pitch > 0.0)[:, None]
    pivot = place - on_heel * roll.sole_line
    arm = -rot.rotate(roll.turn, np.where(on_heel, foot.local(HEEL), foot.local(BALL)))
    axis = np.where(on_heel, -1.0, 1.0) * _lateral(roll.turn, axes)
    most = np.minimum(MOST_TILT * np.abs(roll.pitch), np.maximum(STEEPEST - np.abs(roll.pitch), 0.0))
    low, high = np.zeros(len(most)), most.copy()
    for _ in range(_ROUNDS):
        middle = 0.5 * (low + high)
        ankle = pivot + rot.rotate(rot.from_axis_angle(axis, middle), arm)
        far = np.linalg.norm(foot.hip - ankle, axis=1) > foot.reach
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    short = np.linalg.norm(foot.hip - pivot - arm, axis=1) > foot.reach
    more = np.minimum(smooth_cover(np.where(short, high, 0.0), fps, TILT_SPREAD), most)
    out: FloatArray = np.copysign(more, roll.pitch)
    return out


def _lateral(turn: FloatArray, axes: FloatArray) -> FloatArray:
    """The left of a sole in the world."""
    return rot.rotate(rot.multiply(turn, axes), [1.0, 0.0, 0.0])


def _toes(roll: FootRoll, turn: FloatArray, pitch: FloatArray, foot: FootTrack, sole: FlatSole) -> FloatArray:
    """The toes lie on the floor while the ball is down, and are carried as recorded while it is not."""
    if sole.toe_joint is None or sole.axes is None:
        return foot.toe_turn
    lying = rot.multiply(rot.inverse(turn), rot.multiply(roll.flat_turn, sole.toe_flat))
    carried = rot.slerp(np.broadcast_to(sole.toe_flat, turn.shape), foot.toe_turn, roll.free)
    return np.where((pitch > 0.0)[:, None], carried, lying)


def _angles(
    turn: FloatArray, tilt: FloatArray, axes: FloatArray, fps: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Heading, pitch (toes up) and roll of a sole on the floor; smooth, and the heading without jumps."""
    from scipy.ndimage import gaussian_filter1d, median_filter

    angles = rot.to_euler("yxz", rot.multiply(rot.multiply(rot.inverse(tilt), turn), axes))
    angles[:, 0] = np.unwrap(angles[:, 0])
    # A jump of the recorded foot about its ankle would become one of the leg about the ball.
    steady = median_filter(angles, (2 * int(SMOOTHING * fps) + 1, 1), mode="nearest")
    yaw, pitch, roll = gaussian_filter1d(steady, SMOOTHING * fps, axis=0, mode="nearest").T
    return yaw, -pitch, roll


def _turn(yaw: FloatArray, pitch: FloatArray, roll: FloatArray, tilt: FloatArray, axes: FloatArray) -> FloatArray:
    """The ankle's world rotation of a sole with these angles."""
    on_level = rot.from_euler("yxz", np.stack([yaw, -pitch, roll], axis=-1))
    return rot.multiply(rot.multiply(tilt, on_level), rot.inverse(axes))
