"""Live output to other programs: one frame, many listeners; and commands that come back."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from locomote.stream.engine import Engine, Figures, Listener
    from locomote.stream.frames import Frame, GroupFrame, GroupLayout, Layout
    from locomote.stream.server import Server
    from locomote.stream.stage import Stage
    from locomote.stream.staging import stage_of, stage_of_scene
    from locomote.stream.vmc import VmcSender

_HOMES = {
    "Engine": "engine",
    "Figures": "engine",
    "Frame": "frames",
    "GroupFrame": "frames",
    "GroupLayout": "frames",
    "Layout": "frames",
    "Listener": "engine",
    "Server": "server",
    "Stage": "stage",
    "VmcSender": "vmc",
    "stage_of": "staging",
    "stage_of_scene": "staging",
}

__all__ = [
    "Engine",
    "Figures",
    "Frame",
    "GroupFrame",
    "GroupLayout",
    "Layout",
    "Listener",
    "Server",
    "Stage",
    "VmcSender",
    "stage_of",
    "stage_of_scene",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
