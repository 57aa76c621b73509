"""When each part of each foot is on the floor, from the gait itself and not from the motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.rotations import FloatArray
from locomote.samples._feet import stride_clock, strike_time
from locomote.samples._gait import GaitLaws


@dataclass(frozen=True, eq=False)
class LegContacts:
    """When the parts of one foot are on the floor: intervals ``(n, 2)`` of start and end, seconds.

    The first may begin before time 0, the last end after the clip. In its interval a part does not move.
    """

    foot: FloatArray  # any part of the foot: heel strike to toe-off
    heel: FloatArray  # heel strike to heel-off
    ball: FloatArray  # toe strike to the moment when the ball of the foot lifts
    forefoot: FloatArray  # toe strike to toe-off: the tip of the toes


def leg_contacts(gait: GaitLaws, leg: int, seconds: float) -> LegContacts:
    """The contacts of one leg (0 left, 1 right) that overlap the time from 0 to ``seconds``."""
    first, last = stride_clock(gait, leg, np.array([0.0, seconds]))[0]
    strikes = strike_time(gait, leg, np.arange(first, last + 1.0))

    def between(start: float, end: float) -> FloatArray:
        intervals = strikes[:, None] + gait.stride_time * np.array([start, end])
        return intervals[(intervals[:, 1] > 0.0) & (intervals[:, 0] <= seconds)]

    return LegContacts(
        foot=between(0.0, gait.duty_factor),
        heel=between(0.0, gait.heel_off),
        ball=between(gait.toe_strike, gait.ball_off),
        forefoot=between(gait.toe_strike, gait.duty_factor),
    )


def inside(intervals: FloatArray, times: FloatArray) -> npt.NDArray[np.bool_]:
    """Which of the times lie in one of the intervals."""
    mask: npt.NDArray[np.bool_] = np.any(
        (times[:, None] >= intervals[:, 0]) & (times[:, None] < intervals[:, 1]), axis=1
    )
    return mask
