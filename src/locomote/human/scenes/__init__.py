"""Scenes of people: schedules, paths and time lines, from text files or from Python."""

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
