"""How the trunk of a creature bends: its girdles, and the line of joints between the first and the last of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.creatures._kernels.model import Spine
from locomote.creatures._morphology import Morphology
from locomote.creatures._necks import nods_of
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

BEND = math.radians(20.0)  # between two pieces of the line, in the plan
STRAIGHTENS = math.log(2.0) / 0.6  # 1/s, at which a standing body of up to FEW legs loses its bend
FEW = 4
BLADES = 0.15  # of the yaw of shoulder blades with which the chest turns
NONE = -2  # no piece of the line

IntArray = npt.NDArray[np.int64]


def spine_of(morphology: Morphology, bend: float = BEND, blades: bool = False) -> Spine:
    """The trunk of a creature for `_kernels.spine_pose`; ``bend`` is the most between two of its joints.

    With ``blades`` its front legs hang on shoulder blades that turn on the chest.
    """
    skeleton = morphology.skeleton
    positions, turns = morphology.rest_pose
    places = positions - morphology.centre
    line = line_of(morphology)
    trunk = _trunk_of(skeleton, [*line, *morphology.spine, *morphology.girdles])
    at = {joint: k for k, joint in enumerate(trunk)}
    parents = [at.get(int(skeleton.parents[j]), -1) for j in trunk]
    nodes = [_node_of(skeleton, j, line, places) for j in trunk]
    girdles, carriers = _girdles_of(morphology, line, places)
    stations = places[girdles][:, 2]
    drives = _drives(skeleton, line)
    behind, ahead, slopes, shares = _curve(trunk, line, drives, places, stations, nodes)
    heads = _heads(morphology, trunk, girdles[0])
    weights = np.array([leg.weight for leg in morphology.legs])
    sums = np.bincount(carriers, weights, len(girdles))
    return Spine(
        lengths=np.abs(np.diff(places[line][:, 2])),
        places=places[line],
        drives=drives,
        limit=float(bend),
        straightens=STRAIGHTENS if len(morphology.legs) <= FEW else 0.0,
        joints=np.array(trunk, dtype=np.int64),
        parents=np.array(parents, dtype=np.int64),
        nodes=np.array(nodes, dtype=np.int64),
        offsets=places[trunk],
        rests=turns[trunk].copy(),
        parent_rests=np.stack(
            [rot.inverse(turns[skeleton.parents[j]]) if skeleton.parents[j] >= 0 else rot.IDENTITY for j in trunk]
        ),
        behind=behind,
        ahead=ahead,
        slopes=slopes,
        shares=shares,
        sways=_sways(shares, behind != ahead, blades),
        heads=heads,
        nods=nods_of(heads),
        girdles=np.array([at[j] for j in girdles], dtype=np.int64),
        carriers=carriers,
        weights=weights / sums[carriers],
        levers=_levers(morphology),
    )


def line_of(morphology: Morphology) -> list[int]:
    """The joints from the front girdle back to the last; only one where the trunk does not bend.

    It bends where the legs hang on joints that lie behind one another in one line of the skeleton.
    """
    skeleton, places = morphology.skeleton, morphology.rest_pose[0]
    girdles = sorted(set(morphology.girdles), key=lambda j: -float(places[j, 2]))
    if len(girdles) < 2 or not morphology.spine:
        return girdles[:1]
    up, down = skeleton.ancestors(girdles[0]), skeleton.ancestors(girdles[-1])
    joined = next(j for j in up if j in down)
    path = [*up[: up.index(joined) + 1], *down[: down.index(joined)][::-1]]
    z = places[path, 2]
    return path if np.all(np.diff(z) < 0.0) else girdles[:1]


def _trunk_of(skeleton: Skeleton, joints: Sequence[int]) -> list[int]:
    """These joints and all above them, parents first."""
    return sorted({each for joint in joints for each in skeleton.ancestors(joint)})


def _node_of(skeleton: Skeleton, joint: int, line: Sequence[int], places: FloatArray) -> int:
    """The node of the line with which a joint turns: itself, the nearest above it, or the nearest along the body."""
    for up in skeleton.ancestors(joint):
        if up in line:
            return line.index(up)
    return int(np.argmin(np.abs(places[list(line), 2] - places[joint, 2])))


def _girdles_of(morphology: Morphology, line: Sequence[int], places: FloatArray) -> tuple[list[int], IntArray]:
    """The girdles from front to back, and which one carries each leg."""
    skeleton = morphology.skeleton
    own = [line[_node_of(skeleton, j, line, places)] for j in morphology.girdles]
    girdles = sorted(set(own), key=line.index)
    return girdles, np.array([girdles.index(j) for j in own], dtype=np.int64)


def _drives(skeleton: Skeleton, line: Sequence[int]) -> IntArray:
    """For each node the pieces of the line that hang on its joint."""
    out = np.full((len(line), 2), NONE, dtype=np.int64)
    for piece, (front, back) in enumerate(pairwise(line)):
        node = piece + 1 if skeleton.parents[front] == back else piece
        out[node, 0 if out[node, 0] == NONE else 1] = piece
    return out


def _curve(
    trunk: Sequence[int],
    line: Sequence[int],
    drives: IntArray,
    places: FloatArray,
    stations: FloatArray,
    nodes: Sequence[int],
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Between which girdles each joint lies, how its bone slopes with them, and its share of the one ahead."""
    count = len(trunk)
    behind, ahead = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    slopes, shares = np.zeros((count, 4)), np.zeros(count)
    for k, joint in enumerate(trunk):
        z = places[joint, 2]
        pieces = drives[nodes[k]][drives[nodes[k]] != NONE] if joint in line else np.zeros(0, dtype=np.int64)
        ends = z, z
        if len(pieces):
            ends = places[line[int(pieces.max()) + 1], 2], places[line[int(pieces.min())], 2]
        middle = 0.5 * (ends[0] + ends[1])
        after = int(np.count_nonzero(stations >= middle))  # girdles ahead of the bone
        front, back = max(after - 1, 0), min(after, len(stations) - 1)
        behind[k], ahead[k] = back, front
        if len(pieces) and front != back:
            slopes[k] = _slopes(ends, (stations[back], stations[front]))
        else:
            nearest = int(np.argmin(np.abs(stations - z)))
            behind[k] = ahead[k] = nearest
            slopes[k] = 0.0, 1.0, 0.0, 0.0
        span = stations[ahead[k]] - stations[behind[k]]
        shares[k] = np.clip((z - stations[behind[k]]) / span, 0.0, 1.0) if span > 0.0 else 0.0
    return behind, ahead, slopes, shares


def _slopes(ends: tuple[float, float], girdles: tuple[float, float]) -> FloatArray:
    """The slope of a bone on the curve through two girdles: shares of height and slope of each."""
    length = girdles[1] - girdles[0]
    heights = []
    for z in ends:
        t = (z - girdles[0]) / length
        heights.append(
            np.array(
                [
                    2 * t**3 - 3 * t**2 + 1,
                    length * (t**3 - 2 * t**2 + t),
                    3 * t**2 - 2 * t**3,
                    length * (t**3 - t**2),
                ]
            )
        )
    out: FloatArray = (heights[1] - heights[0]) / (ends[1] - ends[0])
    return out


def _sways(shares: FloatArray, between: npt.NDArray[np.bool_], blades: bool) -> FloatArray:
    """Shares of the yaws of the girdles behind and ahead for each joint.

    Where shoulder blades turn on the chest the back does not follow them: it bends with the pelvis only, most of it
    near there. Of a recorded dog that walks, trots or gallops the bend is -1.0 to -1.3 times the yaw of the pelvis,
    with a correlation of 0.96 to 1.00, whatever the shoulders do.
    """
    out = np.stack([1.0 - shares, shares], axis=1)
    if blades:
        out[between] = np.stack([(1.0 - shares) ** 2, BLADES * shares], axis=1)[between]
    return out


def _heads(morphology: Morphology, trunk: Sequence[int], front: int) -> FloatArray:
    """0 for the trunk, rising along the neck to 1 for the head."""
    out = np.zeros(len(trunk))
    if morphology.head is None:
        return out
    up = morphology.skeleton.ancestors(morphology.head)
    if front not in up:
        return out  # the head hangs on something else than the front girdle
    neck = up[: up.index(front)]
    for k, each in enumerate(neck[::-1]):
        out[list(trunk).index(each)] = (k + 1.0) / len(neck)
    return out


def _levers(morphology: Morphology) -> FloatArray:
    """How far a foot is from its hip across and down, positive to the left."""
    feet = morphology.rest_feet - morphology.hips
    across = np.abs(morphology.rest_feet[:, 0])
    sides = np.where(np.array(morphology.sides) == 0, 0.0, np.sign(morphology.rest_feet[:, 0]))
    out: FloatArray = sides * np.hypot(across, feet[:, 1])
    return out
