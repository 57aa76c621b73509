"""The way of a walker: what it is after and what it is about, a row of numbers beside that of the crowd's state."""

from __future__ import annotations

# Columns of a way.
MODE = 0  # FREE, TO_PLACE or ON_PATH
GOAL_X, GOAL_Z, GOAL_YAW = 1, 2, 3  # the yaw may be NaN: any
CRUISE = 4  # m/s
FIRST, COUNT, PROGRESS = 5, 6, 7  # points of the path, and how much of it is done
STATE = 8  # see below
THING = 9  # the id of the obstacle that is dealt with, -1 for none
SIDE = 10  # on which it is passed: 1 left, -1 right
LOOK = 11  # s until the walker looks again
COURSE = 12  # yaw along which it goes, NaN for straight to where it wants
REFUSED = 13  # how often in a row a run-up could not be adapted
LINE = 14  # where a free walker left its line: x, z, yaw (3)
POINTS = 17  # three places to be passed on the way back to it, each (x, z)
NEXT = 23  # which of them is next
ARRIVED = 24  # 1: at the goal, or at the end of the path
MAY_JUMP = 25
HEEDS = 26  # 1: keeps out of the way of others
RADIUS = 27  # m, of the body in the plan
LENGTH = 28  # m, of the obstacle that is jumped; of one that it stops at, from its far edge to the balls beyond
MARGIN = 30  # m between the obstacle and the take-off ball
SHARE = 31  # of the speed, on the course round something
MAY_ROUND = 32
HALT = 33  # s for which a walker has stood before an obstacle
JUMPS = 34  # 1: it jumps it then
NEAREST = 35  # m to the goal, the least that counted as progress
LOST = 36  # s since then
SCOUT = 37  # s until it may search for a way again
TRAIL_COUNT, TRAIL_NEXT = 38, 39  # places that it has found, and which is next
TRAIL_WAITS = 40  # 1: at the last of them it waits, for there is no way to the goal; COVERED: nor room there
TRAIL_LEFT = 41  # m of the way over them that were left, the least that counted as progress
TRAIL_IDLE = 42  # s since then
TRAIL = 43  # those places, each (x, z)
COVERED = 2.0
MOST_POINTS = 8
COLUMNS = TRAIL + 2 * MOST_POINTS

FREE, TO_PLACE, ON_PATH = 0.0, 1.0, 2.0
# States
NEUTRAL, ADAPT, WAIT, BLEND_IN, JUMPING, BLEND_OUT, RESTORE = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
STEER, RETURN, AVOIDING, HALTING, STEPPING = 7.0, 8.0, 9.0, 10.0, 11.0

PERIOD = 0.1  # s between two looks
