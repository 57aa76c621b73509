"""Inverse kinematics: limbs, chains and whole bodies reach for points, within the limits of their joints."""

from locomote.ik._bodies import Solution
from locomote.ik._ellipsoids import EllipsoidLimit
from locomote.ik._limits import JointLimit
from locomote.ik._reach import reach
from locomote.ik._solve import Goal, solve
from locomote.ik._two_bone import two_bone

__all__ = ["EllipsoidLimit", "Goal", "JointLimit", "Solution", "reach", "solve", "two_bone"]
