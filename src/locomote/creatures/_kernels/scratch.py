"""Room in which a thread works on one creature after the other; nothing of it is kept."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.state import SpineNode
from locomote.creatures._kernels.swing_scores import LegLines
from locomote.creatures._kernels.swing_scratch import make_swing_scratch
from locomote.math._compile import maker
from locomote.math.records import Record, Records, dtype_of
from locomote.math.vector import Floats


class GirdlePose(Record):
    """How a girdle is moved by its feet."""

    heave: float  # m up
    slope: float  # of the trunk there, nose up
    yaw: float  # rad
    roll: float  # rad, left side up
    aside: float  # m to the left
    ahead: float  # m
    tread: float  # m, the height on which the feet of a girdle of a long body tread
    lowest: float  # m, the lowest that such a girdle may be, over the plane of all feet
    room: float  # m, the highest that the centre may be for its feet to stay in reach


class JointFrame(Record):
    """A joint of the trunk."""

    turn: Annotated[Floats, 4]  # its rotation
    middle: Annotated[Floats, 3]  # m, where it has the middle of the body
    sway: Annotated[Floats, 3]  # rad, the rotation vector by which it goes with the feet, body frame


class LegReach(Record):
    """How a leg would have to reach for its foot."""

    distance: float  # m from the hip, or from under it
    aimed: float  # cosine of the angle by which the hip is turned


class TrunkScratch(NamedTuple):
    """The room in which a trunk is bent: G girdles, T joints, F feet."""

    girdles: Records  # (G,) GirdlePose
    frames: Records  # (T,) JointFrame
    reaches: Records  # (F,) LegReach
    calm_reaches: Records  # (F,) LegReach, without any effects
    ways: Floats  # (3 F,) m, of the feet from their places under the body


class Scratch(NamedTuple):
    """The room for F feet and M nodes; apart, what the trunk needs."""

    times: StepTimes
    legs: LegLines
    curve: Floats  # (SAMPLES, 3)
    target: Floats  # (3,)
    places: Floats  # (F, 3) of feet that swing
    swing: Records  # (1,) SwingScratch
    nodes: Records  # (M,) SpineNode, as they were


_NODE, _GIRDLE, _FRAME, _REACH = (dtype_of(record) for record in (SpineNode, GirdlePose, JointFrame, LegReach))


@maker
def make_scratch(feet: int, samples: int, nodes: int) -> Scratch:
    """New room to work in."""
    return Scratch(
        StepTimes(np.empty(feet), np.empty(feet)),
        LegLines(np.empty((feet, 2, 2)), np.empty((feet, 3, 2))),
        np.empty((samples, 3)),
        np.empty(3),
        np.empty((feet, 3)),
        make_swing_scratch(),
        np.empty(nodes, _NODE),
    )


@maker
def make_trunk_scratch(girdles: int, joints: int, feet: int) -> TrunkScratch:
    """The same, to bend trunks in."""
    return TrunkScratch(
        np.empty(girdles, _GIRDLE),
        np.empty(joints, _FRAME),
        np.empty(feet, _REACH),
        np.empty(feet, _REACH),
        np.zeros(3 * feet),
    )
