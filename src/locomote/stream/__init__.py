"""Live output to other programs: one frame, many listeners; and commands that come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.stream._engine import Engine, EngineFigures, Listener
    from locomote.stream._frames import Frame, GroupFrame, GroupLayout, Layout
    from locomote.stream._livelink import LiveLinkSender
    from locomote.stream._ros import RosBridge
    from locomote.stream._ros_live import RosSender
    from locomote.stream._server import Server
    from locomote.stream._stage import Stage
    from locomote.stream._staging import stage_of, stage_of_scene
    from locomote.stream._vmc import VmcSender

__all__ = [
    "Engine",
    "EngineFigures",
    "Frame",
    "GroupFrame",
    "GroupLayout",
    "Layout",
    "Listener",
    "LiveLinkSender",
    "RosBridge",
    "RosSender",
    "Server",
    "Stage",
    "VmcSender",
    "stage_of",
    "stage_of_scene",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Engine": "_engine",
        "EngineFigures": "_engine",
        "Frame": "_frames",
        "GroupFrame": "_frames",
        "GroupLayout": "_frames",
        "Layout": "_frames",
        "Listener": "_engine",
        "LiveLinkSender": "_livelink",
        "RosBridge": "_ros",
        "RosSender": "_ros_live",
        "Server": "_server",
        "Stage": "_stage",
        "VmcSender": "_vmc",
        "stage_of": "_staging",
        "stage_of_scene": "_staging",
    },
    renamed={"Figures": "EngineFigures"},
)
