"""Motion that needs no data: a clip, a rig, and a synthetic performer whose contacts are known by construction."""

from locomote.human_skeleton import human_skeleton
from locomote.samples._files import clip, path, rig
from locomote.samples._performance import Performance, performer
from locomote.samples._truth import LegContacts

__all__ = ["LegContacts", "Performance", "clip", "human_skeleton", "path", "performer", "rig"]
