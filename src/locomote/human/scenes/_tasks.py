"""What one walker of a crowd is about until it is done: a line to keep to, a goal to reach, a jump."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human.scenes._path import Route, steer

LONGEST = 3600.0  # s that anything may take
RESTED = 1.0  # s that a walker stands at the end of a way
JUMP_PATIENCE = 8.0  # s for which a walker that cannot jump yet goes on trying
_LOST = 4.0  # times as long as a way should take, after which the walker is lost
_LOST_SLOWEST = 0.1  # m/s, the least speed at which a way should be walked
_STRAIGHT_ENOUGH = 0.02  # rad off the wanted heading, at which a walker need not turn
_AT_THE_END = 0.15  # m from the end of a path, at which a walker that stands has walked it
_STANDING = 0.05  # m/s
_JUMPING = ("run-up", "waiting", "take-off", "flight", "landing")


class Task(Protocol):
    """Something that takes as long as it takes."""

    @property
    def done_at(self) -> float:
        """When it is done, seconds; infinite until that shows."""

    def act(self, time: float, wanted: float) -> None:
        """Command what is due; ``wanted`` is the speed, m/s."""


class LineTask:
    """Keeps one walker exactly on a route, whatever lies there, and stops it at the end."""

    def __init__(self, crowd: Crowd, who: int, route: Route, start: float) -> None:
        self.crowd, self.who, self.route, self.start = crowd, who, route, start
        self.progress = 0.0
        self.arrival = math.inf  # s

    @property
    def done_at(self) -> float:
        """When the walker has stood at the end for a moment."""
        return self.arrival + RESTED

    def act(self, time: float, wanted: float) -> None:
        """Head along the route, at the wanted speed where it is straight."""
        if time >= self.arrival:
            return
        crowd, route, who = self.crowd, self.route, self.who
        spot, heading, speed = crowd.positions[who, [0, 2]], crowd.headings[who], crowd.speeds[who]
        to = steer(route, spot, float(heading), float(speed), self.progress, wanted)
        self.progress = to.progress
        # A turn that is nearly done is left to come to its end: who stops sets the feet together when going straight.
        if abs(math.remainder(to.heading - heading, math.tau)) > _STRAIGHT_ENOUGH:
            crowd.command(heading=to.heading, who=who)
        if self.arrival < math.inf:
            return
        if to.stop_within is not None:
            crowd.command(speed=0.0, within=to.stop_within, who=who)
            self.arrival = time + to.stop_within
        else:
            crowd.command(speed=to.speed, who=who)
            patience = _patience(route.length, wanted)
            if time - self.start > patience:
                raise LocomoteError(
                    f"only {self.progress:.1f} of {route.length:.1f} m of the path are walked after "
                    f"{patience:.0f} s: go faster, or give seconds"
                )


class TravelTask:
    """Sends one walker to the end of a way, of one place or more, round or over what lies there."""

    def __init__(
        self,
        crowd: Crowd,
        who: int,
        places: Route | tuple[float, float],
        start: float,
        speed: float,
        heading: float | None = None,
    ) -> None:
        self.crowd, self.who, self.start, self.told = crowd, who, start, speed
        route = places if isinstance(places, Route) else None
        self.end = np.array(places.points[-1] if isinstance(places, Route) else places, dtype=np.float64)
        first = self.end if route is None else route.points[0]
        self.length = float(np.hypot(*(first - crowd.positions[who, [0, 2]])))
        if route is None:
            crowd.go_to(*self.end, heading=heading, speed=speed, who=who)
        else:
            self.length += route.length
            crowd.follow(route.points, speed=speed, who=who)
        self.arrival = math.inf  # s

    @property
    def done_at(self) -> float:
        """When the walker has stood at the end for a moment."""
        return self.arrival + RESTED

    def act(self, time: float, wanted: float) -> None:
        """Tell a new speed, and see whether the walker is there."""
        if self.arrival < math.inf:
            return
        crowd, who, speed = self.crowd, self.who, float(self.crowd.speeds[self.who])
        here = crowd.positions[who, [0, 2]]
        left = float(np.hypot(*(self.end - here)))
        if left < _AT_THE_END and (crowd.arrived[who] or speed < _STANDING):
            self.arrival = time
            return
        if abs(wanted - self.told) > 1e-3:
            self.told = wanted
            crowd.command(speed=wanted, who=who)
        patience = _patience(self.length, wanted)
        if time - self.start > patience:
            x, z = self.end
            raise LocomoteError(
                f"({x:g}, {z:g}) is not reached in {patience:.0f} s, {left:.1f} m are left: give seconds"
            )


class JumpTask:
    """Lets one walker jump as soon as it can."""

    def __init__(
        self,
        crowd: Crowd,
        who: int,
        start: float,
        length: float | None,
        policy: str = "exact",
        foot: str = "either",
        flight: float | None = None,
    ) -> None:
        self.crowd, self.who, self.start, self.length = crowd, who, start, length
        self.policy, self.foot, self.flight = policy, foot, flight
        self.jumps = False
        self.done_at = math.inf

    def act(self, time: float, wanted: float = 0.0) -> None:
        """Jump, or see whether the jump is over."""
        if self.done_at < math.inf:
            return
        if self.jumps:
            if self.crowd.states[self.who] not in _JUMPING:
                self.done_at = time
        elif self.crowd.jump(self.length, policy=self.policy, foot=self.foot, flight=self.flight, who=self.who)[0]:
            self.jumps = True
        elif time - self.start > JUMP_PATIENCE:
            far = "" if self.length is None else f" of {self.length:g} m"
            raise LocomoteError(
                f"the jump{far} at {self.start:g} s cannot be done at {float(self.crowd.speeds[self.who]):.1f} m/s"
            )


def _patience(length: float, wanted: float) -> float:
    """Seconds after which a walker has lost its way."""
    return min(LONGEST, 10.0 + _LOST * length / max(wanted, _LOST_SLOWEST))
