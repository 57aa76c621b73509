"""Scenes of people: schedules, paths and time lines, from text files or from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.human.scenes._path import Route, read_points
    from locomote.human.scenes._scene import Action, Character, Scene, read_scene
    from locomote.human.scenes._schedule import Schedule, parse_schedule
    from locomote.human.scenes._script import Plan, perform, walk
    from locomote.human.scenes._timed_obstacles import TimedObstacles

__all__ = [
    "Action",
    "Character",
    "Plan",
    "Route",
    "Scene",
    "Schedule",
    "TimedObstacles",
    "parse_schedule",
    "perform",
    "read_points",
    "read_scene",
    "walk",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Action": "_scene",
        "Character": "_scene",
        "Plan": "_script",
        "Route": "_path",
        "Scene": "_scene",
        "Schedule": "_schedule",
        "TimedObstacles": "_timed_obstacles",
        "parse_schedule": "_schedule",
        "perform": "_script",
        "read_points": "_path",
        "read_scene": "_scene",
        "walk": "_script",
    },
)
