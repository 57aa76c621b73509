"""Where the numbers of a pendulum lie: its settings and its state, one row of floats each, and the arrays of them."""

from __future__ import annotations

from typing import NamedTuple

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

# Settings of a pendulum, the same until the spring or the length of the step changes.
LENGTH = 0  # m
TRAIL = 1  # s / m, below 0: where the swing rests per speed: -drag * 2 damping / (rate * lever)
INHERIT = 2  # share of the father's deflection that the target takes over, 0 to 1
CONE = 3  # rad; the largest swing
TWIST_LIMIT = 4  # rad; the largest twist, 0 for a pendulum that does not twist
KEEP, GAIN, PULL, HOLD = 5, 6, 7, 8  # a step of the spring: offset and rate after it from those before it
CONE_COSINE = 9
WEIGHT = 10  # of its push among those that meet in its father
SWAY = 11  # 1 / m; one over the lever: how far a change of speed swings it
SETTINGS = 12

# State of a pendulum. Positions and rotations are in the world.
SWING = 0  # 2 numbers, rad: how far the bar leans along the target frame's x and z
SWING_RATE = 2  # 2 numbers, rad/s
TWIST = 4  # rad about the bar
TWIST_RATE = 5
SPIN = 6  # rad/s; how fast the target frame turned about the bar
VELOCITY = 7  # 3 numbers: that of the resting tip
RESTING = 10  # 3 numbers: where the tip would rest (in an overlay: its deviation from the animation)
ANCHOR = 13  # 3 numbers
TIP = 16  # 3 numbers
TARGET = 19  # 4 numbers: the target frame, whose +Y the bar seeks
ANIMATED_ANCHOR = 23  # 3 numbers: as given at the last step
ANIMATED_FRAME = 26  # 4 numbers: as given at the last step
DEFLECTION = 30  # 4 numbers: the rotation from the animated bar to the real one
STATE = 34

# What a push does to a pendulum, before it is done.
DRAG = 0  # 3 numbers: the sum of what it and its sons want of its tip
DRAG_WEIGHT = 3  # the sum of the sons' weights
MOVED = 4  # 1 where anything moves the tip
PUSH = 5


class Swing(NamedTuple):
    """Trees of pendulums, P each, of N characters.

    Flat, with its scratch: a tuple within a tuple would make every call from Python slower by what a step of one
    character takes.
    """

    links: IntArray  # (3, P) an order, level by level from the roots; the fathers, or -1; which settings are each one's
    levels: IntArray  # (L + 1,) where the levels begin in that order
    settings: FloatArray  # (K, SETTINGS)
    shared: bool  # pushes of sons that meet are divided by the sum of their weights
    literal: bool  # masses stay behind by geometry alone
    relative: bool  # only what deviates from the animation swings anything
    calm: FloatArray  # (N,) LIVE, FOUND or LOST: who is not live is taken along without a kick; see `step`
    state: FloatArray  # (N * P, STATE)
    moves: FloatArray  # (P, PUSH) scratch: what a push does to the pendulums of one character
    picked: IntArray  # (4, LANES) scratch: the pendulums that are in work; see `lanes.load`
    eight: FloatArray  # (ROWS * LANES,) scratch: their numbers side by side; see `lanes`
