"""Natural vibrations: gaits of any jointed body without data, trees in the wind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.modal._holds import Hold
    from locomote.modal._jointed import JointedBody
    from locomote.modal._linkage import Link, Linkage
    from locomote.modal._modes import Modes

__all__ = ["Hold", "JointedBody", "Link", "Linkage", "Modes"]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Hold": "_holds",
        "JointedBody": "_jointed",
        "Link": "_linkage",
        "Linkage": "_linkage",
        "Modes": "_modes",
    },
)
