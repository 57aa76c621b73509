"""Find what the joints of a skeleton are for, from their names and from the shape of the rest pose."""

from __future__ import annotations

from locomote.skeleton import Roles, Skeleton


def find_roles(skeleton: Skeleton) -> Roles:
    """The roles of a skeleton."""
    raise NotImplementedError
