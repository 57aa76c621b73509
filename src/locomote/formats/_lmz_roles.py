"""Roles of joints out of JSON, checked."""

from __future__ import annotations

from typing import Any

from locomote.errors import LocomoteError
from locomote.skeleton import Arm, Leg, Roles


def roles_of(given: dict[str, Any], joints: int) -> Roles:
    """Roles as `dataclasses.asdict` wrote them, for a skeleton with so many joints."""
    try:
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
        fields["legs"] = tuple(
            Leg(**{**leg, "toe_offset": tuple(map(float, leg["toe_offset"])), "chain": tuple(leg["chain"])})
            for leg in given["legs"]
        )
        fields["arms"] = tuple(Arm(**arm) for arm in given["arms"])
        roles = Roles(**fields)
        parts = [roles.root, *roles.spine, *roles.neck, *roles.tail]
        parts += [part for leg in roles.legs for part in (leg.hip, leg.knee, leg.ankle, leg.ball, leg.toe, *leg.chain)]
        parts += [part for arm in roles.arms for part in (arm.shoulder, arm.elbow, arm.wrist)]
        parts += [part for part in (roles.head, *(leg.detached_foot for leg in roles.legs)) if part is not None]
        parts += [arm.clavicle for arm in roles.arms if arm.clavicle is not None]
    except (TypeError, KeyError, ValueError, AttributeError):
        raise LocomoteError("its roles of joints are damaged") from None
    if not all(type(part) is int and 0 <= part < joints for part in parts):
        raise LocomoteError("its roles name a joint that does not exist")
    return roles
