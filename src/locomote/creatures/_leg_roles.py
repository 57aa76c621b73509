"""A creature's legs, spine, head and tail as the roles of its skeleton: what drawing and measuring go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from locomote import skeleton as core
from locomote.creatures._morphology import LEFT, RIGHT, CreatureLeg
from locomote.roles import find_roles
from locomote.skeleton import Roles, Skeleton

_SIDES = {LEFT: "left", RIGHT: "right"}


def with_leg_roles(
    skeleton: Skeleton,
    legs: Sequence[CreatureLeg],
    girdles: Sequence[int],
    head: int | None,
    spine: Sequence[int],
    tail: tuple[int, ...],
) -> Skeleton:
    """The skeleton with its roles given; arms, and the neck of a two-legged body, are found as usual."""
    found = find_roles(skeleton)
    taken = {j for leg in legs for j in leg.joints}
    last = max(leg.rank for leg in legs)
    root = next(girdle for leg, girdle in zip(legs, girdles, strict=True) if leg.rank == last)
    back, neck = found.spine, found.neck
    if len(legs) > 2 or not found.legs:
        line = list(spine)[::-1]
        line = line[line.index(root) + 1 :] if root in line else line
        line = [j for j in line if j != head]
        front = max((line.index(girdle) + 1 for girdle in girdles if girdle in line), default=0)
        back, neck = tuple(line[:front]), tuple(line[front:])
    roles = Roles(
        root=root,
        spine=back,
        neck=neck,
        head=head,
        legs=tuple(sorted((_leg(leg) for leg in legs), key=lambda leg: (leg.row, leg.side))),
        arms=tuple(arm for arm in found.arms if not {arm.shoulder, arm.elbow, arm.wrist} & taken),
        tail=tail,
    )
    return replace(skeleton, given_roles=roles)


def _leg(leg: CreatureLeg) -> core.Leg:
    """The joints of a leg by name; a leg of many joints has its knee half way down."""
    count = len(leg.joints)
    x, y, z = (float(value) for value in leg.tip)
    return core.Leg(
        side=_SIDES.get(leg.side, ""),
        row=leg.rank,
        hip=leg.joints[0],
        knee=leg.joints[min(max((count - 1) // 2, 1), count - 1)],
        ankle=leg.joints[-2 if count > 3 else -1],
        ball=leg.joints[-1],
        toe=leg.joints[-1],
        toe_offset=(x, y, z),
        chain=leg.joints,
    )
