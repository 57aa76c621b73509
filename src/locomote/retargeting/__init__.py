"""A motion onto another body with as many legs, with feet that stay where they are put."""

from __future__ import annotations

from locomote.retargeting._hinges import JointAngles, joint_angles
from locomote.retargeting._live import LiveRetarget
from locomote.retargeting._retarget import retarget

__all__ = ["JointAngles", "LiveRetarget", "joint_angles", "retarget"]
