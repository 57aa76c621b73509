"""Roles given by hand, as a small table of joint names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from locomote.errors import SkeletonError
from locomote.roles import names as say
from locomote.roles.find import find_roles
from locomote.roles.limbs import toe_offset
from locomote.skeleton import Arm, Leg, Roles, Skeleton

_LISTS = ("spine", "neck", "tail")
_LEG_PARTS = ("hip", "knee", "ankle", "ball", "toe")
_ARM_PARTS = ("shoulder", "elbow", "wrist")


def roles_from_names(skeleton: Skeleton, mapping: Mapping[str, Any]) -> Roles:
    """The roles of a skeleton from a table of joint names; what the table leaves out is found as usual.

    Keys: ``root``, ``head``, ``spine``, ``neck``, ``tail``, ``forward`` (three numbers), ``left_arm`` and
    ``right_arm`` (shoulder, elbow, wrist, or with a clavicle before them), ``left_leg`` and ``right_leg``
    (hip, knee, ankle, and if there are any, ball and toe). Further pairs of legs, from front to back, are
    ``left_leg_2``, ``right_leg_2`` and so on.

    Parameters
    ----------
    skeleton : whose
    mapping : key: joint name or names
    """
    changes: dict[str, Any] = {}
    legs: list[Leg] = []
    arms: list[Arm] = []
    for key, value in mapping.items():
        words = key.split("_")
        if key in ("root", "head"):
            changes[key] = _joints(skeleton, key, [value], 1, 1)[0]
        elif key in _LISTS:
            changes[key] = tuple(_joints(skeleton, key, value, 0, len(skeleton)))
        elif key == "forward":
            changes[key] = _direction(value)
        elif words[0] in ("left", "right") and words[1:] == ["arm"]:
            arms.append(_arm(skeleton, key, words[0], value))
        elif words[0] in ("left", "right") and words[1:2] == ["leg"] and _row(words) is not None:
            legs.append(_leg(skeleton, key, words[0], _row(words) or 0, value))
        else:
            raise SkeletonError(
                f"role {key!r} is not known; the roles are root, head, spine, neck, tail, forward, "
                "left_arm, right_arm, left_leg, right_leg, left_leg_2, right_leg_2, ..."
            )
    if legs:
        changes["legs"] = tuple(sorted(legs, key=lambda leg: (leg.row, leg.side)))
    if arms:
        changes["arms"] = tuple(sorted(arms, key=lambda arm: arm.side))
    return replace(find_roles(skeleton), **changes)


def _row(words: list[str]) -> int | None:
    if len(words) == 2:
        return 0
    return int(words[2]) - 1 if len(words) == 3 and words[2].isdigit() and int(words[2]) > 0 else None


def _joints(skeleton: Skeleton, key: str, value: Any, least: int, most: int) -> list[int]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise SkeletonError(f"role {key!r}: expected joint names, got {value!r}")
    if not least <= len(value) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise SkeletonError(f"role {key!r}: expected {count} joint names, got {len(value)}")
    for name in value:
        if name not in skeleton.names:
            raise SkeletonError(f"role {key!r}: no joint {name!r}; the joints are: {', '.join(skeleton.names)}")
    return [skeleton.index(name) for name in value]


def _direction(value: Any) -> tuple[float, float, float]:
    try:
        vector = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.zeros(0)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)) or not vector.any():
        raise SkeletonError(f"role 'forward': expected three numbers, not all zero, got {value!r}")
    x, y, z = vector / np.linalg.norm(vector)
    return float(x), float(y), float(z)


def _leg(skeleton: Skeleton, key: str, side: str, row: int, value: Any) -> Leg:
    joints = _joints(skeleton, key, value, 3, len(_LEG_PARTS))
    _check_order(skeleton, key, joints)
    hip, knee, ankle = joints[:3]
    ball = joints[3] if len(joints) > 3 else ankle
    toe = joints[4] if len(joints) > 4 else ball
    line = skeleton.ancestors(toe)
    marks = [j for j in skeleton.children(toe) if say.is_tip(skeleton.names[j])]
    return Leg(
        side=side,
        row=row,
        hip=hip,
        knee=knee,
        ankle=ankle,
        ball=ball,
        toe=toe,
        toe_offset=toe_offset(skeleton, hip, ankle, toe, marks[0] if marks else None),
        chain=tuple(line[: line.index(hip) + 1][::-1]),
    )


def _arm(skeleton: Skeleton, key: str, side: str, value: Any) -> Arm:
    joints = _joints(skeleton, key, value, len(_ARM_PARTS), len(_ARM_PARTS) + 1)
    _check_order(skeleton, key, joints)
    clavicle = joints[0] if len(joints) > len(_ARM_PARTS) else None
    shoulder, elbow, wrist = joints[-3:]
    return Arm(side, shoulder, elbow, wrist, clavicle)


def _check_order(skeleton: Skeleton, key: str, joints: list[int]) -> None:
    for upper, lower in pairwise(joints):
        if upper == lower or upper not in skeleton.ancestors(lower):
            above, below = skeleton.names[upper], skeleton.names[lower]
            raise SkeletonError(
                f"role {key!r}: {below} does not hang below {above}; give joints from the body outwards"
            )
