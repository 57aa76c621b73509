"""Motion that needs no data: a synthetic performer whose contacts are known by construction."""

from locomote.human_skeleton import human_skeleton
from locomote.samples._performance import Performance, performer
from locomote.samples._truth import LegContacts

__all__ = ["LegContacts", "Performance", "human_skeleton", "performer"]
