"""Natural vibrations: gaits of any jointed body without data, trees in the wind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.modal import trees
    from locomote.modal._crowd import Crowd
    from locomote.modal._gait import Channel, Gait
    from locomote.modal._holds import Hold
    from locomote.modal._jointed import JointedBody
    from locomote.modal._linkage import Link, Linkage
    from locomote.modal._modes import Modes
    from locomote.modal._poses import person_pose
    from locomote.modal._presets import PRESETS, Part, Preset
    from locomote.modal._response import Response
    from locomote.modal._roles import ROLES, describe, role_modes

__all__ = [
    "PRESETS",
    "ROLES",
    "Channel",
    "Crowd",
    "Gait",
    "Hold",
    "JointedBody",
    "Link",
    "Linkage",
    "Modes",
    "Part",
    "Preset",
    "Response",
    "describe",
    "person_pose",
    "role_modes",
    "trees",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "PRESETS": "_presets",
        "ROLES": "_roles",
        "Channel": "_gait",
        "Crowd": "_crowd",
        "Gait": "_gait",
        "Hold": "_holds",
        "JointedBody": "_jointed",
        "Link": "_linkage",
        "Linkage": "_linkage",
        "Modes": "_modes",
        "Part": "_presets",
        "Preset": "_presets",
        "Response": "_response",
        "describe": "_roles",
        "person_pose": "_poses",
        "role_modes": "_roles",
        "trees": "",
    },
)
