"""Foot plans along a path: steps as long and as quick as people make them at a speed, on either side of the line."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human.scenes._path import Route
from locomote.rotations import FloatArray
from locomote.steps._plan import LEFT, RIGHT, FootPlan

if TYPE_CHECKING:
    from locomote.human._model import HumanModel
    from locomote.world import Ground

STANDING_HALF_WIDTH = 0.085  # leg lengths from the path to the ball of either foot, at rest
NARROWING = 0.02  # leg lengths less for each leg length a second: faster steps fall closer to the line
TOE_OUT = math.radians(5.0)
SHORT = 0.65  # of a step: the first one, from rest, and the one before the last, which closes the stance
STRETCH = 1.08  # of the natural length that steps may have so that a whole number of them fills the path
SLOWEST = 0.15  # leg lengths a second
FASTEST = 2.4  # leg lengths a second; beyond it people run
MOST_TURN = math.radians(30.0)  # of the path in a step; where it turns more, steps are shorter
SHARP = math.radians(70.0)  # a corner from which on one stops and turns on the spot
SPOT_TURN = math.radians(40.0)  # between the feet in a turn on the spot
FIRST_TIME = 1.25  # steps' durations that the first one takes, from rest
QUICKEST = 0.8  # of the natural duration of a step
SPACING = 0.02  # m between samples of the path

# Stairs, in leg lengths along the path.
EDGE = 0.05  # height between two samples, from which on there is an edge
FLIGHT = 0.8  # between two edges, up to which they belong to one flight
BEFORE_UP, ON_UP = 0.17, 0.16  # from the ball of a foot to the face of a step, and beyond it
BEFORE_DOWN, ON_DOWN = 0.07, 0.22  # to the edge of a step, and from its face: the heel has room
NOSE = 0.06  # that the ball keeps from the edge of a short tread
STAIR_TIME = 1.1  # natural durations that a step on stairs takes at least
SHORT_TREAD = 0.3  # as many short treads at once as make about this much
MOST_RISE = 0.28  # and no more than this high
LONGEST = 20_000.0  # m of a path


def plan_along(
    path: rot.ArrayLike,
    speed: float = 1.2,
    *,
    leg_length: float = 0.9,
    first: int = RIGHT,
    half_width: float | None = None,
    model: HumanModel | None = None,
    ground: Ground | None = None,
) -> FootPlan:
    """Plants along a path, from a stance at its first point to one at its last.

    Steps have the length and the duration that people choose. They are shorter in bends, and at corners sharper than 70
    degrees one turns on the spot.

    Parameters
    ----------
    path : (P, 2) m, as (x, z)
    speed : m/s
    leg_length : m
    first : LEFT or RIGHT, the foot that starts
    half_width : m, of either foot from the path
    model : of the people; the shipped one without it
    ground : that gives the heights
    """
    route = Route(np.asarray(path, dtype=np.float64))
    if not (math.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length: expected metres above 0, got {leg_length!r}")
    if not SLOWEST * leg_length <= speed <= FASTEST * leg_length:
        raise LocomoteError(
            f"speed: expected {SLOWEST * leg_length:.2f} to {FASTEST * leg_length:.2f} m/s "
            f"for a walk on legs of {leg_length:g} m, got {speed!r}"
        )
    if route.length > LONGEST:
        raise LocomoteError(f"path: {route.length:.0f} m long, expected at most {LONGEST:.0f} m")
    step_time = _step_time(speed, leg_length, model)
    centres, headings, times = _course(route, speed, step_time, leg_length, ground)
    sides = (np.arange(len(times)) + first) % 2
    outwards = np.where(sides == LEFT, 1.0, -1.0)
    aside = outwards * (_half_widths(centres, speed, step_time, leg_length) if half_width is None else half_width)
    places = np.zeros((len(sides), 3))
    places[:, 0] = centres[:, 0] + aside * np.cos(headings)
    places[:, 2] = centres[:, 1] - aside * np.sin(headings)
    if ground is not None:
        places[:, 1] = ground.heights(places)
    return FootPlan(sides, places, headings + outwards * TOE_OUT, times)


def step_length(speed: float, leg_length: float = 0.9, model: HumanModel | None = None) -> float:
    """Metres from foot to foot that people choose at a speed."""
    return speed * _step_time(speed, leg_length, model)


def _step_time(speed: float, leg_length: float, model: HumanModel | None) -> float:
    if model is None:
        from locomote.human._model import HumanModel

        model = HumanModel.default()
    return 0.5 / model.cycles_per_second(speed / leg_length)


def _half_widths(centres: FloatArray, speed: float, step_time: float, leg_length: float) -> FloatArray:
    """Metres from the path to either foot: wide where one stands or turns, narrow where one walks on."""
    gaps = np.hypot(*np.diff(centres, axis=0).T)
    walking = np.zeros(len(centres))
    walking[1:-1] = np.minimum(np.minimum(gaps[:-1], gaps[1:]) / (speed * step_time), 1.0)
    return leg_length * STANDING_HALF_WIDTH - NARROWING * speed * walking


def _course(
    route: Route, speed: float, step_time: float, leg: float, ground: Ground | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middles between the feet ``(N, 2)``, headings and times of all plants; the first two are the stance."""
    natural = speed * step_time
    centres: list[FloatArray] = [np.repeat(route.points[:1], 2, axis=0)]
    headings: list[FloatArray] = [np.full(2, np.nan)]
    times: list[FloatArray] = [np.zeros(2)]
    clock = (FIRST_TIME - 1.0) * step_time
    for stretch in _stretches(route):
        begin = _Stretch(stretch, natural)
        if len(headings) == 1:
            headings[0][:] = begin.headings[0]
        last = float(headings[-1][-1])
        turn = math.remainder(begin.headings[0] - last, math.tau)
        if abs(turn) > 1e-9:
            count = math.ceil(abs(turn) / SPOT_TURN) + 1
            shares = np.minimum(np.arange(1, count + 1) / (count - 1), 1.0)
            centres.append(np.repeat(stretch.points[:1], count, axis=0))
            headings.append(last + turn * shares)
            times.append(clock + step_time * np.arange(1, count + 1, dtype=np.float64))
            clock = float(times[-1][-1])
        marks = _treads(begin.arcs, ground.heights(begin.points), leg) if ground is not None else []
        arcs, lengths, on_stairs = begin.steps(marks)
        durations = np.maximum(lengths / speed, np.where(on_stairs, STAIR_TIME, QUICKEST) * step_time)
        centres.append(np.array([np.interp(arcs, begin.arcs, begin.points[:, axis]) for axis in (0, 1)]).T)
        headings.append(np.interp(arcs, begin.arcs, begin.headings))
        times.append(clock + np.cumsum(durations))
        clock = float(times[-1][-1])
    return np.vstack(centres), np.concatenate(headings), np.concatenate(times)


def _stretches(route: Route) -> list[Route]:
    """The path, cut where it turns sharply."""
    ways = np.diff(route.points, axis=0)
    yaws = np.arctan2(ways[:, 0], ways[:, 1])
    turns = np.abs(np.remainder(np.diff(yaws) + math.pi, math.tau) - math.pi)
    cuts = [0, *(np.flatnonzero(turns > SHARP) + 1).tolist(), len(route.points) - 1]
    return [Route(route.points[a : b + 1]) for a, b in pairwise(cuts)]


def _treads(arcs: FloatArray, heights: FloatArray, leg: float) -> list[FloatArray]:
    """Places along a path for one foot on every tread, for each flight of stairs: before it, on it and beyond."""
    # A single sample may lie in the seam between two pieces.
    heights = np.median([np.append(heights[:1], heights[:-1]), heights, np.append(heights[1:], heights[-1:])], axis=0)
    rises = np.diff(heights)
    edges = np.flatnonzero(np.abs(rises) > EDGE * leg)
    if len(edges) == 0:
        return []
    at, rises = 0.5 * (arcs[edges] + arcs[edges + 1]), rises[edges]
    cuts = np.flatnonzero((np.diff(at) > FLIGHT * leg) | (np.diff(np.sign(rises)) != 0.0)) + 1
    out = []
    for where, up in zip(np.split(at, cuts), np.split(rises, cuts), strict=True):
        if len(where) > 1:
            tread, rise = float(np.diff(where).mean()), float(np.abs(up).max())
            where = where[:: max(1, min(round(SHORT_TREAD * leg / tread), int(MOST_RISE * leg / rise)))]
        before, on = (BEFORE_UP, ON_UP) if up[0] > 0.0 else (BEFORE_DOWN, ON_DOWN)
        room = np.append(np.diff(where) - NOSE * leg, np.inf)
        marks = np.concatenate([where[:1] - before * leg, where + np.minimum(on * leg, room)])
        out.append(marks[(marks > 0.0) & (marks < arcs[-1])])
    return [flight for flight in out if len(flight)]


class _Stretch:
    """A stretch without sharp corners, sampled, with headings that turn evenly."""

    def __init__(self, route: Route, natural: float) -> None:
        count = max(2, math.ceil(route.length / SPACING) + 1)
        self.natural = natural
        self.arcs: FloatArray = np.linspace(0.0, route.length, count)
        self.points = self._at(route, self.arcs)
        # The heading is that of the chord of one step, so that a polyline is walked as the curve that it stands for.
        ahead = np.minimum(self.arcs + 0.5 * natural, route.length)
        behind = np.maximum(self.arcs - 0.5 * natural, 0.0)
        chord = self._at(route, ahead) - self._at(route, behind)
        self.headings: FloatArray = np.unwrap(np.arctan2(chord[:, 0], chord[:, 1]))

    def steps(self, marks: list[FloatArray]) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        """Where the feet come down along the stretch, the last two at its end; lengths of most steps there.

        ``marks`` are places on flights of stairs that have a foot each; the last array says which steps are on stairs.
        """
        # Along a bend a metre counts for more, so that as many more steps go into it.
        bend = np.abs(np.gradient(self.headings, self.arcs)) * self.natural / MOST_TURN
        counts = np.maximum(1.0, bend)
        effort = np.concatenate([[0.0], np.cumsum(0.5 * (counts[1:] + counts[:-1]) * np.diff(self.arcs))])
        bounds = np.interp(np.concatenate([[0.0], *marks, self.arcs[-1:]]), self.arcs, effort)
        climbs = np.concatenate([[False], *(np.arange(len(flight)) > 0 for flight in marks), [False]])
        gaps, lengths, on_stairs = [], [], []
        for n, (total, climb) in enumerate(zip(np.diff(bounds), climbs[1:], strict=True)):
            short = np.array([n == 0, n == len(bounds) - 2])
            count = max(1, math.ceil(total / (STRETCH * self.natural) + np.sum(short) * (1.0 - SHORT)))
            shares = np.ones(count)
            if count > 1:
                shares[[0, -1]] = np.where(short, SHORT, 1.0)
            gaps.append(total * shares / shares.sum())
            lengths.append(np.full(count, gaps[-1].max()))
            on_stairs.append(np.full(count, climb))
            on_stairs[-1][0] |= climbs[n]  # off the last tread
        arcs: FloatArray = np.interp(np.cumsum(np.concatenate(gaps)), effort, self.arcs)
        lengths.append(lengths[-1][-1:])
        on_stairs.append(np.array([False]))
        return np.append(arcs, arcs[-1]), np.concatenate(lengths), np.concatenate(on_stairs)

    @staticmethod
    def _at(route: Route, arcs: FloatArray) -> FloatArray:
        return np.array([np.interp(arcs, route.arcs, route.points[:, axis]) for axis in (0, 1)]).T
