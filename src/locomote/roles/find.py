"""From limbs to roles: legs in rows, arms, trunk, tail, and the direction the body faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote.roles import names as say
from locomote.roles import shape
from locomote.roles.arms import make_arm
from locomote.roles.legs import make_leg
from locomote.roles.limbs import Limb, find_limbs
from locomote.roles.trunk import common_ancestor, find_trunk
from locomote.rotations import FloatArray, rotate
from locomote.skeleton import Leg, Roles, Skeleton

CLEAR_TOES = 0.02  # of the body's height; shorter feet do not tell where a body faces
SAME_PLACE = 1e-3  # of the body's size; limbs that begin and end nearer to each other are copies
QUADRUPED_ARM = 0.65  # arm length over leg length; with a tail, arms this long are fore legs


def find_roles(skeleton: Skeleton) -> Roles:
    """What the joints of a skeleton are for: names decide first, the rest pose checks.

    What is not found is left out: a skeleton without legs gets roles without legs, never an error.
    """
    positions, turns = skeleton.rest_pose()
    sides = say.sides(skeleton.names)
    spoken = sides.count("left") >= 2 and sides.count("right") >= 2
    if not spoken:
        sides = shape.mirror_sides(skeleton, positions)
    limbs = _without_copies(find_limbs(skeleton, sides, positions, turns), positions)
    named = [limb for limb in limbs if limb.kind == "leg"]
    upright = shape.hangs(named, positions) if named else True
    leg_limbs, arm_limbs = _sort_limbs(skeleton, limbs, upright, positions)
    if not _paired(leg_limbs):
        return Roles(root=_first_branch(skeleton), arms=(), legs=())

    if spoken and not arm_limbs and len(leg_limbs) == 2:  # legs are named by side, arms by letters of some maker
        seen = find_limbs(skeleton, shape.mirror_sides(skeleton, positions), positions, turns)
        tops = {limb.path[0] for limb in limbs}
        arm_limbs = _silent_arms([limb for limb in seen if limb.path[0] not in tops], leg_limbs)
    lateral = _lateral(leg_limbs)
    legs = [make_leg(skeleton, limb, lateral, len(leg_limbs), positions) for limb in leg_limbs]
    arms = [arm for arm in (make_arm(skeleton, limb, positions) for limb in arm_limbs) if arm is not None]
    root = _pelvis(skeleton, legs)
    trunk = find_trunk(skeleton, root, legs, arms, sides, positions)
    forward = _forward(skeleton, root, trunk.front, legs, spoken, upright, positions, turns)
    if not spoken and shape.UP @ np.cross(forward, _lateral_of_legs(legs, positions)) < 0.0:
        legs = [replace(leg, side=_other(leg.side)) for leg in legs]
        arms = [replace(arm, side=_other(arm.side)) for arm in arms]
    return Roles(
        root=root,
        spine=trunk.spine,
        neck=trunk.neck,
        head=trunk.head,
        legs=_in_rows(legs, forward, positions),
        arms=tuple(sorted(arms, key=lambda arm: arm.side)),
        tail=trunk.tail,
        forward=(float(forward[0]), float(forward[1]), float(forward[2])),
    )


def _sort_limbs(
    skeleton: Skeleton, limbs: list[Limb], upright: bool, positions: FloatArray
) -> tuple[list[Limb], list[Limb]]:
    """The limbs that are legs, and those that are arms."""
    limbs = [limb for limb in limbs if limb.kind != "other"]
    legs = [limb for limb in limbs if limb.kind == "leg"]
    arms = [limb for limb in limbs if limb.kind == "arm"]
    if not upright:
        if arms and _walks_on_arms(skeleton, legs, arms):
            legs, arms = [*legs, *arms], []
        return legs, arms
    standing = [limb for limb in limbs if shape.stands(limb, limbs, positions)]
    if not legs and len(arms) == 2 and all(limb in arms for limb in standing):  # a trunk on a table
        return [], arms
    if any(limb in standing for limb in legs) or not legs:
        legs = standing
        arms = [limb for limb in limbs if limb not in standing and limb.kind in ("arm", "leg")]
    if not arms and len(legs) == 2:
        arms = _silent_arms(limbs, legs)
    return legs, arms


def _without_copies(limbs: list[Limb], positions: FloatArray) -> list[Limb]:
    """The limbs with more than one joint; of those that lie in one place, as in rigs for IK, the first."""
    size = float(np.linalg.norm(np.ptp(positions, axis=0)))
    out: list[Limb] = []
    for limb in (limb for limb in limbs if len(limb.path) > 1):
        ends = positions[[limb.path[0], limb.path[-1]]]
        same = (ends - positions[[one.path[0], one.path[-1]]] for one in out if one.side == limb.side)
        if all(np.abs(apart).max() > SAME_PLACE * size for apart in same):
            out.append(limb)
    return out


def _silent_arms(limbs: list[Limb], legs: list[Limb]) -> list[Limb]:
    """Without names, the pair of long limbs that does not stand on the floor."""
    rest = [limb for limb in limbs if limb not in legs and limb.kind in ("", "arm") and len(limb.path) >= 3]
    longest = [
        max((limb for limb in rest if limb.side == side), key=lambda limb: len(limb.path), default=None)
        for side in ("left", "right")
    ]
    return [limb for limb in longest if limb is not None] if None not in longest else []


def _walks_on_arms(skeleton: Skeleton, legs: list[Limb], arms: list[Limb]) -> bool:
    """Without a rest pose that means something: a tail, and arms about as long as the legs."""
    if not any(say.says(name, say.TAIL) for name in skeleton.names) or not legs:
        return False
    lengths = [
        np.mean([sum(np.linalg.norm(skeleton.offsets[j]) for j in limb.path[1:]) for limb in group])
        for group in (arms, legs)
    ]
    return bool(lengths[0] >= QUADRUPED_ARM * lengths[1])


def _paired(limbs: list[Limb]) -> bool:
    return {limb.side for limb in limbs} == {"left", "right"}


def _first_branch(skeleton: Skeleton) -> int:
    """The first joint that is more than a link to its only child; the top of a body without legs."""
    joint = 0
    while len(skeleton.children(joint)) == 1 and np.linalg.norm(skeleton.offsets[skeleton.children(joint)[0]]) < 1e-9:
        joint = skeleton.children(joint)[0]
    return joint


def _pelvis(skeleton: Skeleton, legs: Sequence[Leg]) -> int:
    """Where the hind legs meet: of all meeting joints of a left and a right leg the nearest to the root."""
    meets = [common_ancestor(skeleton, a.hip, b.hip) for a in legs for b in legs if a.side == "left" != b.side]
    return min(meets, key=lambda joint: len(skeleton.ancestors(joint)))


def _lateral(limbs: list[Limb]) -> FloatArray:
    """From right to left, by the ends of the limbs."""
    left = np.mean([limb.end for limb in limbs if limb.side == "left"], axis=0)
    right = np.mean([limb.end for limb in limbs if limb.side == "right"], axis=0)
    return shape.snapped(left - right)


def _lateral_of_legs(legs: Sequence[Leg], positions: FloatArray) -> FloatArray:
    left = np.mean([positions[leg.hip] for leg in legs if leg.side == "left"], axis=0)
    right = np.mean([positions[leg.hip] for leg in legs if leg.side == "right"], axis=0)
    out: FloatArray = left - right
    return out


def _forward(
    skeleton: Skeleton,
    root: int,
    front: int | None,
    legs: Sequence[Leg],
    spoken: bool,
    upright: bool,
    positions: FloatArray,
    turns: FloatArray,
) -> FloatArray:
    left = _lateral_of_legs([leg for leg in legs if root in skeleton.ancestors(leg.hip)], positions)
    spine = np.zeros(3) if front is None else positions[front] - positions[root]
    if not upright:
        # The pelvis still says where its legs and its spine attach.
        if len(legs) > 2:
            rows = _front_to_hind(skeleton, legs, positions)
            ahead = spine if rows is None else rows
            return shape.snapped(ahead - left * (ahead @ left) / max(float(left @ left), 1e-12))
        return shape.snapped(np.cross(left, spine))
    across = np.cross(shape.level(left), shape.UP)
    if spoken:
        return shape.snapped(across)
    ahead = spine
    if len(legs) == 2:
        toes = _toes(legs, positions, turns)
        ahead = toes if np.linalg.norm(toes) > CLEAR_TOES * np.ptp(positions[:, 1]) else spine
    return shape.snapped(across if across @ ahead >= 0.0 else -across)


def _front_to_hind(skeleton: Skeleton, legs: Sequence[Leg], positions: FloatArray) -> FloatArray | None:
    """From the hips of the hind legs to those of the fore legs, where the names tell which is which."""
    rows = {row: [leg.hip for leg in legs if say.row(skeleton.names[leg.hip]) == row] for row in ("front", "hind")}
    if not all(rows.values()):
        return None
    out: FloatArray = positions[rows["front"]].mean(axis=0) - positions[rows["hind"]].mean(axis=0)
    return out


def _toes(legs: Sequence[Leg], positions: FloatArray, turns: FloatArray) -> FloatArray:
    """Where the toes point, over the ground."""
    ends = [positions[leg.toe] + rotate(turns[leg.toe], np.asarray(leg.toe_offset)) for leg in legs]
    return shape.level(np.mean(ends, axis=0) - np.mean([positions[leg.ankle] for leg in legs], axis=0))


def _in_rows(legs: list[Leg], forward: FloatArray, positions: FloatArray) -> tuple[Leg, ...]:
    """Front to back, left before right."""
    out: list[Leg] = []
    for side in ("left", "right"):
        row = sorted((leg for leg in legs if leg.side == side), key=lambda leg: -float(positions[leg.hip] @ forward))
        out.extend(replace(leg, row=i) for i, leg in enumerate(row))
    return tuple(sorted(out, key=lambda leg: (leg.row, leg.side)))


def _other(side: str) -> str:
    return {"left": "right", "right": "left"}[side]
