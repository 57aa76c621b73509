"""The models of walking and jumping as the plain arrays that kernels take."""

from __future__ import annotations

from typing import NamedTuple

from locomote.human._kernels.cycle_pose import LegArrays
from locomote.math.vector import Floats, Floats32, Ints

LEG_SHARE = 0.925  # of the hip height, from hip to ankle
REFERENCE_HIP_HEIGHT = 0.9  # m, of the body whose speeds the model knows


class Timing(NamedTuple):
    """How gaits are timed: K styles, walk and run, T speeds. Speeds are those of the reference body."""

    table: Floats  # (K, 2, T, 6) frequency of the cycle, its integral over the speed, and the phases of the contacts:
    # left strike, left off, right strike, right off
    speeds: Floats  # (T,) hip heights / s
    centre: Floats  # (2,) speeds of walk and run about which styles slope
    slowest: Floats  # (2,)
    fastest: Floats  # (2,)
    exponent: float  # of the way from standing to the slowest speed
    rest: float  # the phase that is nearest to standing; so is the one half a cycle later


class Model(NamedTuple):
    """A model of human motion. A pose is three planes (x, y, z) of ``width`` numbers, see `step`."""

    basis: Floats32  # (P, (S + 2) 3 width) control points of every part's quadratic spline over the cycle; the last
    # one stands before them, too, and the first one after them
    curve: Floats  # (2, 3, m) walk and run as functions 1, s, sqrt(s) of the speed
    styles: Floats  # (K, 2, 2 m + 2) offset, slope, slowest and fastest speed
    timing: Timing
    stands: Floats32  # (K, 3 width) standing poses
    joints: Floats32  # (11, width) centres (4), offsets (3), parent, hinge axis (1 to 3, 0 for none), the sign of
    # its bend, the tangent of half its widest bend
    legs: Ints  # (L, 4) hip, knee, ankle, ball
    arms: Ints  # (2,) the upper arms, left and right
    swings: Ints  # (4,) entries of a pose that swing: left and right upper arm, left and right forearm
    swing_means: Floats  # (P, 4) what every part has there in the mean of the cycle
    sole: Floats  # (3, 3) hip heights: heel and ball in the frame of the ankle, tip of the toes in that of the ball
    jumps: Floats32  # (U, 3, (N + 2) 3 width) control points of the units of jumps: constant, for each hip height of
    # length, for each unit of flight
    masses: Floats  # (J,) share of the body's mass at each joint
    leg_arrays: LegArrays
    lively: Floats  # (L, 5) what noise does: entry of a pose, channel, and its spread (rad; of the place hip heights)
    # for one who walks, for one who stands, and for breath
