"""Motion that needs no data: a synthetic performer whose contacts are known by construction."""

from locomote.samples.performance import Performance, performer
from locomote.samples.proportions import human_skeleton
from locomote.samples.truth import LegContacts

__all__ = ["LegContacts", "Performance", "human_skeleton", "performer"]
