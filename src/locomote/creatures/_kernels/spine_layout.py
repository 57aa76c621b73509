"""How a trunk bends, for the kernels: its joints, the girdles that carry legs, and the line from the first to the last.

The *line* runs from the front girdle back to the last one through M nodes, which are joints of the trunk; a trunk that
does not bend has one node. The *trunk* is the T joints from the root to the head and to all girdles, each behind its
parent. All places are of the rest pose, about the centre of the body.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Of a node: where the guiding line has it in the world, the turn of its joint from the body's yaw, and where its
# joint is in the frame of the body, by the turns of all joints.
NODE_X, NODE_Z, NODE_YAW, NODE_LOCAL_X, NODE_LOCAL_Z = range(5)
NODE_COLUMNS = 5

HEAVE, HEAVING = 0, 1  # of a girdle: m above the plane of all feet, for its own feet and ground; m/s
GIRDLE_COLUMNS = 2

CHAIN = 3  # girdles from which on a body is a chain: its front leads, and each girdle is carried over its own ground


class Spine(NamedTuple):
    """A trunk that bends; lengths in metres."""

    lengths: npt.NDArray[np.float64]  # (M - 1,) from node to node
    places: npt.NDArray[np.float64]  # (M, 3) of the nodes
    drives: npt.NDArray[np.int64]  # (M, 2) pieces of the line that turn with the joint of a node; -2: none
    limit: float  # rad between two pieces of the line
    straightens: float  # 1/s at which a standing body loses its bend
    joints: npt.NDArray[np.int64]  # (T,) numbers in the skeleton
    parents: npt.NDArray[np.int64]  # (T,) in this list; -1 for the root
    nodes: npt.NDArray[np.int64]  # (T,) the node with whose joint it turns
    offsets: npt.NDArray[np.float64]  # (T, 3) places of the joints
    rests: npt.NDArray[np.float64]  # (T, 4) their rotations, in the body frame
    parent_rests: npt.NDArray[np.float64]  # (T, 4) inverse rotations of their parents
    behind: npt.NDArray[np.int64]  # (T,) the girdle at or behind it
    ahead: npt.NDArray[np.int64]  # (T,) the girdle at or ahead of it
    slopes: npt.NDArray[np.float64]  # (T, 4) of its bone, by heave and slope of the girdles behind and ahead
    shares: npt.NDArray[np.float64]  # (T,) of the yaw of the girdle ahead; the rest is of the one behind
    heads: npt.NDArray[np.float64]  # (T,) 0 for the trunk, rising to 1 for the head
    girdles: npt.NDArray[np.int64]  # (G,) their joints, in the list of the trunk, from front to back
    carriers: npt.NDArray[np.int64]  # (F,) the girdle of each leg
    weights: npt.NDArray[np.float64]  # (F,) of the legs, 1 together for each girdle
    levers: npt.NDArray[np.float64]  # (F,) from girdle to foot across, positive to the left; 0 for a leg in the middle
