"""What ``locomote demo obstacles`` shows of approaches: slanting outlines, a curve, a stop, a chosen foot."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from locomote.cli._demos.people import FPS, Show, mean_style
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import record_all
from locomote.world import Ground, Obstacles

SPEED = 1.3  # m/s
SLANTS = (0.5, -0.4)  # rad that the first puddles lie off square
# m (x, z) of the outline of the last one
STONES = ((-1.2, 15.3), (-0.5, 15.0), (0.9, 15.1), (1.4, 15.5), (0.6, 15.8), (-0.9, 15.75))
TURN, ON_CURVE, ACROSS = 0.12, 6.0, 0.7  # rad/s; m along the curve to the middle of a puddle, and its length
HEDGE = 4.0  # m ahead
SIDES = 1.3  # m from the middle to either of two people
STAIR_SPEED, RISER = 0.9, 4.0  # m/s; m ahead
TOES = 0.08  # m between toes and riser: nearer ones would be set back


def slanting(model: HumanModel, seconds: float) -> Show:
    """Puddles that lie across the way at an angle, and one of any outline."""
    obstacles = Obstacles()
    for z, yaw in zip((5.0, 10.0), SLANTS, strict=True):
        obstacles.add_puddle((0.0, z), length=0.6, width=3.0, yaw=yaw)
    obstacles.add_polygon(STONES)
    crowd = Crowd(model, 1, style=mean_style(model), speed=SPEED, obstacles=obstacles)
    motion = replace(record_all(crowd, 3.5 * seconds, FPS)[0], name="slanting")
    text = "The edge that counts is where the toes come to it: the foot takes off from there, the other lands clear."
    return Show("slanting", "Over slanting and uneven outlines", text, [motion], view="high", obstacles=obstacles)


def curved(model: HumanModel, seconds: float) -> Show:
    """A run-up along a curve."""
    radius = SPEED / TURN
    turned = ON_CURVE / radius
    obstacles = Obstacles()
    place = radius * (1.0 - math.cos(turned)), radius * math.sin(turned)
    obstacles.add_puddle(place, length=ACROSS, width=3.0, yaw=turned)
    crowd = Crowd(model, 1, style=mean_style(model), speed=SPEED, obstacles=obstacles)
    crowd.command(turn_rate=TURN, within=0.0)
    motion = replace(record_all(crowd, 2.0 * seconds, FPS)[0], name="curved")
    text = "It turns all the while; the steps are counted along the curve."
    return Show("curved", "Out of a curve", text, [motion], view="high", obstacles=obstacles)


def halting(model: HumanModel, seconds: float) -> Show:
    """A stop in front of something."""
    obstacles = Obstacles()
    obstacles.add_box((0.0, HEDGE + 0.25), size=(3.0, 0.5), height=0.9, yaw=0.0)
    crowd = Crowd(model, 1, style=mean_style(model), speed=SPEED, obstacles=obstacles)
    crowd.allow(jumping=False, going_round=False)
    motion = replace(record_all(crowd, 2.0 * seconds, FPS)[0], name="halting")
    text = "Whoever may neither jump nor go round stands before it, the toes of both feet at the edge."
    return Show("halting", "Stop in front", text, [motion], view="side", obstacles=obstacles)


def chosen_foot(model: HumanModel, seconds: float) -> Show:
    """Two people at one stair, each told with which foot to arrive there."""
    ground = Ground()
    ground.add_stairs((0.0, RISER), count=3, landing=4.0, width=6.0)
    feet = ("left", "right")
    places = np.array([[SIDES, 0.0, 0.0], [-SIDES, 0.0, 0.0]])
    crowd = Crowd(model, 2, style=mean_style(model), speed=STAIR_SPEED, positions=places, phases=0.3, ground=ground)
    for who, foot in enumerate(feet):
        crowd.reach(RISER - TOES, speed=STAIR_SPEED, foot=foot, who=who)
    motions = [
        replace(motion, name=foot) for motion, foot in zip(record_all(crowd, 2.0 * seconds, FPS), feet, strict=True)
    ]
    text = "One sets the left foot before the first stair and goes up with the right one; the other does the opposite."
    return Show("feet", "The foot that was chosen", text, motions, view="three-quarter", ground=ground, follow=False)


APPROACH_SHOWS: tuple[Callable[[HumanModel, float], Show], ...] = (slanting, curved, halting, chosen_foot)
