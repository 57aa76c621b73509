"""When heels and toes leave the floor and touch it again, found in recorded jumps (OBS-17, PCA-071)."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON, SHANK, THIGH, heel_offset
from locomote.motion import Motion
from locomote.rotations import FloatArray

# Hip heights over where a point rests: higher is off the floor. The heels of a crouching person float by up to 5 cm
# before they leave for good.
HEEL_HEIGHT = 0.08
BALL_HEIGHT = 0.035
RESTING = 40.0  # percentile of a height that is its rest: feet stand for most of a support

_FEET = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]
_BALLS = [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]
_HEEL = heel_offset(THIGH + SHANK)


def foot_events(
    root: FloatArray,
    rotations: FloatArray,
    toe_off: float,
    touch_down: float,
    start: float,
    end: float,
    side: str,
) -> dict[str, float]:
    """Frames of the events of a jump between ``start`` and ``end``, the mean of both feet where both take part.

    The toe events are those of the ball. A jump off one foot has no landing here: the recorded ones end on two feet,
    which is not played.
    """
    positions, world = Motion(COMMON, 1.0, root, rotations).world()
    heels = (positions[:, _FEET] + rot.rotate(world[:, _FEET], _HEEL))[..., 1]
    balls = positions[:, _BALLS, 1]
    first, off, down, last = (round(frame) for frame in (start, toe_off, touch_down, end))
    middle = (off + down) // 2
    taking_off = {"left": [0], "right": [1], "both": [0, 1]}[side]
    out = {
        "heel_off": _mean([_leaves(heels[first : middle + 1, f], HEEL_HEIGHT) for f in taking_off], first),
        "toe_off": _mean([_leaves(balls[first : middle + 1, f], BALL_HEIGHT) for f in taking_off], first),
    }
    if side == "both":
        out["heel_strike"] = _mean([_touches(heels[middle : last + 1, f], HEEL_HEIGHT) for f in (0, 1)], middle)
        out["toe_strike"] = _mean([_touches(balls[middle : last + 1, f], BALL_HEIGHT) for f in (0, 1)], middle)
    return out


def _leaves(heights: FloatArray, most: float) -> float:
    """The fractional index at which heights rise for good ``most`` above where they rest."""
    most = most + float(np.percentile(heights, RESTING))
    low = np.flatnonzero(heights < most)
    k = int(low[-1]) if len(low) else 0
    if k + 1 >= len(heights):
        return float(k)
    rise = heights[k + 1] - heights[k]
    return k + float(np.clip((most - heights[k]) / max(rise, 1e-9), 0.0, 1.0))


def _touches(heights: FloatArray, most: float) -> float:
    return len(heights) - 1 - _leaves(heights[::-1], most)


def _mean(indices: list[float], first: int) -> float:
    return first + float(np.mean(indices))
