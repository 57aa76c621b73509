"""Find what the joints of a skeleton are for, from their names and from the shape of the rest pose."""

from __future__ import annotations

from locomote.roles.find import find_roles
from locomote.roles.given import roles_from_names

__all__ = ["find_roles", "roles_from_names"]
