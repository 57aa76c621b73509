"""Which joint follows which, and how the turns of one body become the turns of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.formats._doubts import is_person
from locomote.retargeting._reference import Reference
from locomote.retargeting._soles import Sole
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Leg, Roles, Skeleton

ALIKE_ANGLE = np.radians(20.0)  # bones of many-legged bodies that stand further apart in the references are not alike
SAME_FOOT = np.radians(8.0)  # feet that stand further apart are compared as they stand on the floor
HOCK_BEND = np.radians(25.0)  # between knee and ankle, from which on a joint is a hock and not a twist joint
LEAST_BONE = 0.15  # of two bones; a shorter one is a link of the joint at its end
STRAIGHT_KNEE = 0.02  # of a leg's length; a knee nearer to the line from hip to ankle has no side
BACK_KNEE = 0.10  # the same, of people: thighs of many robots slope back a little when all their joints are at zero

LATERAL: FloatArray = np.array([1.0, 0.0, 0.0])  # towards the left of a body that faces +Z
FORWARD: FloatArray = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Follow:
    """A target joint turns as a mix of two source joints turn against the reference pose."""

    joint: int
    first: int
    second: int
    mix: float  # 0 follows `first`, 1 follows `second`
    align: FloatArray  # (4,) turns the target's reference bone onto the source's


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two bodies."""

    skeleton: Skeleton
    roles: Roles
    reference: Reference
    soles: tuple[Sole, ...] = ()  # one for each leg of a body with a mesh

    def bends_back(self, leg: Leg) -> bool:
        """Whether a knee is built to bend to the front, its shin forwards; that of a person would have to show it."""
        clearly = BACK_KNEE if is_person(self.roles) else STRAIGHT_KNEE
        return self.reference.bend(leg) < -clearly


def paired_legs(source: Side, target: Side) -> Iterator[tuple[Leg, Leg]]:
    """Legs of both bodies on the same side and in the same row."""
    for leg in target.roles.legs:
        yield source.roles.leg(leg.side, leg.row), leg


def same_feet(source: Side, target: Side) -> bool:
    """Whether the feet of both bodies stand alike in the reference poses, from ankle to ball."""
    for leg, other in paired_legs(source, target):
        one = source.reference.ball(leg) - source.reference.positions[leg.ankle]
        two = target.reference.ball(other) - target.reference.positions[other.ankle]
        if not (one.any() and two.any()) or rot.angle(rot.between(one, two)) > SAME_FOOT:
            return False
    return True


def alike(source: Side, target: Side) -> bool:
    """Whether the legs are built so much alike that their bones can simply point the same way."""
    return all(_alike(source, target, leg, other) for leg, other in paired_legs(source, target))


def _alike(source: Side, target: Side, leg: Leg, other: Leg) -> bool:
    bones, others = bones_of(source, leg, leg.ankle), bones_of(target, other, other.ankle)
    if len(bones) != len(others) or source.bends_back(leg) != target.bends_back(other):
        return False
    if len(target.roles.legs) == 2:
        return True
    for (a, b), (c, d) in zip(bones, others, strict=True):
        one = source.reference.positions[b] - source.reference.positions[a]
        two = target.reference.positions[d] - target.reference.positions[c]
        if rot.angle(rot.between(one, two)) > ALIKE_ANGLE:
            return False
    return True


def bones_of(side: Side, leg: Leg, end: int) -> list[tuple[int, int]]:
    """The bones of a leg down to a joint, that bend against each other.

    A leg of two-legged bodies bends at knee and hock only: twist joints and the links of a robot's hip, which lie
    within a bone, do not bend.
    """
    chain = leg.chain[: leg.chain.index(end) + 1]
    if len(side.roles.legs) == 2:
        at = side.reference.positions
        knee = chain.index(leg.knee)
        chain = (
            leg.hip,
            *(j for i, j in enumerate(chain[1:-1], 1) if i == knee or (i > knee and _bent(at, chain, i))),
            end,
        )
    return list(pairwise(chain))


def _bent(at: FloatArray, chain: tuple[int, ...], i: int) -> bool:
    before, after = at[chain[i]] - at[chain[i - 1]], at[chain[i + 1]] - at[chain[i]]
    short = min(float(np.linalg.norm(before)), float(np.linalg.norm(after))) < LEAST_BONE * np.linalg.norm(
        before + after
    )
    return not short and float(rot.angle(rot.between(before, after))) > HOCK_BEND


def follows(source: Side, target: Side) -> dict[int, Follow]:
    """By target joint, all that follow the source; the bones of legs that are not alike are left out."""
    out: dict[int, Follow] = {}
    a, b = source.roles, target.roles
    _add(out, b.root, a.root)
    for joint, first, second, mix in _trunk(source, target):
        out.setdefault(joint, Follow(joint, first, second, mix, rot.IDENTITY))
    for arm in b.arms:
        for mate in (other for other in a.arms if other.side == arm.side):
            _follow_arm(source, target, mate, arm, out)
    same = alike(source, target)
    for mate_leg, leg in paired_legs(source, target):
        _follow_leg(source, target, mate_leg, leg, same, out)
    _follow_by_name(source, target, out)
    return out


def _add(out: dict[int, Follow], joint: int, mate: int, align: FloatArray = rot.IDENTITY) -> None:
    out.setdefault(joint, Follow(joint, mate, mate, 0.0, align))


def _follow_leg(source: Side, target: Side, mate: Leg, leg: Leg, same: bool, out: dict[int, Follow]) -> None:
    if same:
        pairs = zip(bones_of(target, leg, leg.ankle), bones_of(source, mate, mate.ankle), strict=True)
        for (j, j2), (i, i2) in pairs:
            _add(out, j, i, _alignment(source, target, (i, i2), (j, j2), LATERAL))
        _add(out, leg.ankle, mate.ankle)
    # Feet turn against flat feet: rigs place the joints of a foot too differently to compare its bones.
    if leg.ball != leg.ankle and bends_toes(target, leg):
        _add(out, leg.ball, mate.ball)
    foot = foot_of(leg, len(target.roles.legs))
    _add(out, foot if leg.detached_foot is None else leg.detached_foot, foot_of(mate, len(target.roles.legs)))


def bends_toes(side: Side, leg: Leg) -> bool:
    """Whether the toes of a foot have a joint where toes bend."""
    return len(side.roles.legs) > 2 or not side.soles or side.soles[side.roles.legs.index(leg)].bends


def foot_of(leg: Leg, legs: int) -> int:
    """The joint that turns with the sole: the ankle of a two-legged body, the paw of others."""
    return leg.ankle if legs == 2 else leg.ball


def _follow_arm(source: Side, target: Side, mate: Arm, arm: Arm, out: dict[int, Follow]) -> None:
    if arm.clavicle is not None and mate.clavicle is not None:
        _add(out, arm.clavicle, mate.clavicle)
    upper = _alignment(source, target, (mate.shoulder, mate.elbow), (arm.shoulder, arm.elbow), FORWARD)
    ends = mate.elbow != mate.wrist and arm.elbow != arm.wrist
    fore = _alignment(source, target, (mate.elbow, mate.wrist), (arm.elbow, arm.wrist), FORWARD) if ends else upper
    _add(out, arm.shoulder, mate.shoulder, upper)
    _add(out, arm.elbow, mate.elbow, fore)
    _add(out, arm.wrist, mate.wrist, fore)


def _follow_by_name(source: Side, target: Side, out: dict[int, Follow]) -> None:
    """Joints without a role (fingers, ears) follow their namesakes, aligned as the limb they end."""
    mates = {
        name: j for j, name in enumerate(source.skeleton.names) if source.roles.root in source.skeleton.ancestors(j)
    }
    for joint, name in enumerate(target.skeleton.names):
        line = target.skeleton.ancestors(joint)
        if joint not in out and name in mates and target.roles.root in line:
            above = next(j for j in line if j in out)
            _add(out, joint, mates[name], out[above].align)


def _alignment(
    source: Side, target: Side, bone: tuple[int, int], other: tuple[int, int], side: FloatArray
) -> FloatArray:
    """The turn that lays the target's bone, in its reference pose, onto the source's."""
    a = frame(source.reference.positions[bone[1]] - source.reference.positions[bone[0]], side)
    b = frame(target.reference.positions[other[1]] - target.reference.positions[other[0]], side)
    return rot.multiply(a, rot.inverse(b))


def frame(primary: FloatArray, secondary: FloatArray) -> FloatArray:
    """The rotation ``(..., 4)`` whose first axis is ``primary`` and whose second is near ``secondary``."""
    x = primary / np.maximum(np.linalg.norm(primary, axis=-1, keepdims=True), 1e-12)
    y = secondary - x * np.sum(x * secondary, axis=-1, keepdims=True)
    helper = np.roll(x, 1, axis=-1) - x * np.sum(x * np.roll(x, 1, axis=-1), axis=-1, keepdims=True)
    length = np.linalg.norm(y, axis=-1, keepdims=True)
    y = np.where(length > 1e-6, y, helper)
    y = y / np.maximum(np.linalg.norm(y, axis=-1, keepdims=True), 1e-12)
    return rot.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def _trunk(source: Side, target: Side) -> Iterator[tuple[int, int, int, float]]:
    """Target joint, two source joints and their mix, for spine, neck, head and tail."""
    a, b = source.roles, target.roles
    chest = a.spine[-1] if a.spine else a.root
    head = a.head if a.head is not None else (a.neck[-1] if a.neck else chest)
    yield from _chain(source, target, a.root, a.spine, b.root, b.spine)
    if a.neck:
        yield from _chain(source, target, chest, a.neck, b.spine[-1] if b.spine else b.root, b.neck)
    else:
        for i, joint in enumerate(b.neck):
            yield joint, chest, head, (i + 1) / (len(b.neck) + 1)
    if b.head is not None:
        yield b.head, head, head, 0.0
    if a.tail:
        yield from _chain(source, target, a.root, a.tail, b.root, b.tail)


def _chain(
    source: Side, target: Side, above: int, chain: Sequence[int], other_above: int, others: Sequence[int]
) -> Iterator[tuple[int, int, int, float]]:
    """Follow by place along a chain of any number of joints; the last joint follows the last."""
    joints = [above, *chain]
    if len(chain) == len(others):
        yield from ((other, joint, joint, 0.0) for other, joint in zip(others, chain, strict=True))
        return
    ours, theirs = _places(source, above, chain), _places(target, other_above, others)
    for other, place in zip(others, theirs[1:], strict=True):
        after = min(max(int(np.searchsorted(ours, place)), 1), len(joints) - 1) if len(joints) > 1 else 0
        before = max(after - 1, 0)
        gap = ours[after] - ours[before]
        mix = float(np.clip((place - ours[before]) / gap, 0.0, 1.0)) if gap > 0.0 else 1.0
        yield other, joints[before], joints[after], mix


def _places(side: Side, above: int, chain: Sequence[int]) -> FloatArray:
    """Places from 0 to 1 along a chain, by length; by number where the chain has none."""
    line = side.reference.positions[[above, *chain]]
    places = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    if places[-1] < 1e-9:
        places = np.arange(len(places), dtype=np.float64)
    out: FloatArray = places / max(float(places[-1]), 1e-12)
    return out


def followed_turns(source: Side, target: Side, source_turns: FloatArray) -> FloatArray:
    """World rotations ``(F, J, 4)`` of the target; joints that follow nothing stay as in the reference."""
    back = rot.inverse(source.reference.rotations)
    known = follows(source, target)
    frames = len(source_turns)
    out = np.zeros((frames, len(target.skeleton), 4))
    for j, parent in enumerate(target.skeleton.parents):
        if j not in known:
            here = target.reference.rotations[j]
            if parent < 0:
                out[:, j] = here
            else:
                local = rot.multiply(rot.inverse(target.reference.rotations[parent]), here)
                out[:, j] = rot.multiply(out[:, parent], local)
            continue
        follow = known[j]
        turn = rot.multiply(source_turns[:, follow.first], back[follow.first])
        if follow.mix > 0.0:
            other = rot.multiply(source_turns[:, follow.second], back[follow.second])
            turn = rot.slerp(turn, other, np.full(frames, follow.mix))
        reference = rot.multiply(follow.align, target.reference.rotations[j])
        out[:, j] = rot.multiply(turn, reference)
    return out
