"""The way of a foot through the air: a profile over its path in the plan, as points evenly spaced along it.

A profile lies in the plane of the way (m along the path) and the height. It is a chain of Bezier spans over the upper
hull of all that has to be passed, so it is nowhere lower than the hull; it leaves the ground and comes down nearly
straight, and bends as little as may be between.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.swing_scratch import CrossedCell, HullPoint, PathPoint, ProfilePoint, WayPlace
from locomote.math._compile import inline, part
from locomote.math.records import Records
from locomote.math.vector import Floats, Pair

RAMP = 2.0  # cells from either end over which the clearance grows
LEAN = 0.04  # how far the way goes, of the first or last span, while the foot rises or sinks by half of it
SHIFT = 0.2  # of the way: how far at most the apex is moved to the higher end
EARLIEST = 0.2  # of the way, before and after which the apex never is
PATH_STEP = 0.5  # cells between the points of a smooth path
SPAN_POINTS = 10  # points of a span of the profile


class Passing(NamedTuple):
    """How a foot passes what its path crosses."""

    start: int  # flat numbers of the cells in which it leaves and lands: there it passes nothing
    target: int
    clearance: float  # m, kept over all else
    ramp: float  # m from either end over which the clearance grows


class StepHeights(NamedTuple):
    """Between what a foot steps; metres."""

    first: float
    apex: float
    last: float
    peak: float  # share of the way after which a level step is highest


@part
def smooth_path(ways: Records, count: int, start_u: float, start_v: float, cell: float, path: Records) -> int:
    """Fill ``path`` with points along a smooth line through places; how many, 0: too many.

    Hermite spans, at each place along the line between its neighbours; where no place may bend it they are straight
    lines. (start_u, start_v) is the direction at the start, or zeros.
    """
    first: PathPoint = path[0]
    first.u, first.v, first.way, first.span = ways[0].u, ways[0].v, 0.0, 0
    n = 1
    free = start_u == 0.0 and start_v == 0.0
    for k in range(count - 1):
        a: WayPlace = ways[k]
        b: WayPlace = ways[k + 1]
        u0, v0, u1, v1 = a.u, a.v, b.u, b.v
        span = math.sqrt((u1 - u0) * (u1 - u0) + (v1 - v0) * (v1 - v0))
        du, dv, eu, ev = u1 - u0, v1 - v0, u1 - u0, v1 - v0
        if k > 0:
            du, dv = _along(u1 - ways[k - 1].u, v1 - ways[k - 1].v, span * a.bend)
        elif not free:
            # A foot that has to turn back does so in a small bow.
            forward = (start_u * (u1 - u0) + start_v * (v1 - v0)) / max(span, 1e-12)
            bow = span * a.bend * max(0.25, 0.5 * (1.0 + forward))
            du, dv = start_u * bow, start_v * bow
        if k + 2 < count:
            eu, ev = _along(ways[k + 2].u - u0, ways[k + 2].v - v0, span * b.bend)
        pieces = 1 if count == 2 and free else max(math.ceil(span / PATH_STEP), 4)
        if n + pieces > path.shape[0]:
            return 0
        for j in range(1, pieces + 1):
            before: PathPoint = path[n - 1]
            point: PathPoint = path[n]
            t = j / pieces
            c, d = t * t * (3.0 - 2.0 * t), t * (1.0 - t)
            point.u = u0 + c * (u1 - u0) + d * ((1.0 - t) * du - t * eu)
            point.v = v0 + c * (v1 - v0) + d * ((1.0 - t) * dv - t * ev)
            gone_u, gone_v = point.u - before.u, point.v - before.v
            point.way = before.way + cell * math.sqrt(gone_u * gone_u + gone_v * gone_v)
            point.span = k
            n += 1
    return n


@inline
def _along(u: float, v: float, length: float) -> Pair:
    size = math.sqrt(u * u + v * v)
    if size < 1e-12:
        return 0.0, 0.0
    return u / size * length, v / size * length


@inline
def _need(cell: CrossedCell, s: float, total: float, passing: Passing) -> float:
    """The height over which a crossed cell is passed at a way; none in the cells where the foot leaves and lands."""
    if cell.number == passing.start or cell.number == passing.target:
        return -math.inf
    return cell.height + passing.clearance * min(s / passing.ramp, (total - s) / passing.ramp, 1.0)


@inline
def _push(s: float, y: float, hull: Records, n: int) -> int:
    """Put a point at the end of an upper hull."""
    while n >= 2:
        a: HullPoint = hull[n - 2]
        b: HullPoint = hull[n - 1]
        if not (b.way - a.way) * (y - a.height) >= (b.height - a.height) * (s - a.way):
            break
        n -= 1
    hull[n].way, hull[n].height = s, y
    return n + 1


@part
def upper_hull(
    heights: StepHeights, total: float, crossed: Records, count: int, passing: Passing, hull: Records
) -> int:
    """Fill ``hull`` with the upper hull of both ends, an apex between and all that is crossed; its count."""
    first, apex, last = heights.first, heights.apex, heights.last
    hull[0].way, hull[0].height = 0.0, first
    n = 1
    # Points never lie just over the ends: the way there would be upright.
    least = min(0.05 * passing.ramp, 0.01 * total)
    waiting = True
    # A foot that climbs is highest late, one that descends early.
    climb = last - first
    shift = SHIFT * climb / (abs(climb) + max(apex - max(first, last), 1e-9))
    middle = total * min(max(heights.peak + shift, EARLIEST), 1.0 - EARLIEST)
    for k in range(count):
        cell: CrossedCell = crossed[k]
        for side in range(2):
            way = cell.enter if side == 0 else cell.leave
            height = _need(cell, way, total, passing)
            s = min(max(way, least), total - least)
            if waiting and s > middle:
                n = _push(middle, apex, hull, n)
                waiting = False
            if height > -math.inf:
                n = _push(s, height, hull, n)
    if waiting:
        n = _push(middle, apex, hull, n)
    return _push(total, last, hull, n)


@part
def draw_profile(hull: Records, count: int, first_s: float, first_y: float, depth: float, profile: Records) -> int:
    """Fill ``profile`` over a hull; how many points, 0: too many.

    (first_s, first_y) is the direction in which the foot moves at the start, zeros where it rests; it may sink by
    ``depth`` at most.
    """
    total = hull[count - 1].way
    start: ProfilePoint = profile[0]
    start.way, start.height, start.length = hull[0].way, hull[0].height, 0.0
    n, slope = 1, 0.0
    for k in range(count - 1):
        s0, y0, s3, y3 = hull[k].way, hull[k].height, hull[k + 1].way, hull[k + 1].height
        wide = s3 - s0
        steep = (y3 - y0) / max(wide, 1e-12)
        s1, y1 = s0 + wide / 3.0, y0 + slope * wide / 3.0
        if k == 0 and (first_s != 0.0 or first_y != 0.0):
            far = wide / 3.0
            if first_y < 0.0:
                far = min(far, depth / -first_y)
            s1, y1 = s0 + far * first_s, y0 + far * first_y
        elif k == 0:
            s1, y1 = s0 + LEAN * wide, max(y0, 0.5 * (y0 + y3))
        slope = 0.0
        if k + 2 < count:
            after = (hull[k + 2].height - y3) / max(hull[k + 2].way - s3, 1e-12)
            if after * steep > 0.0:
                slope = 2.0 * after * steep / (after + steep)
            s2, y2 = s3 - wide / 3.0, y3 - slope * wide / 3.0
        else:
            s2, y2 = s3 - (LEAN if y0 > y3 else 1.0 / 3.0) * wide, max(y3, 0.5 * (y0 + y3))
        pieces = SPAN_POINTS
        if 0 < k < count - 2:
            pieces = min(max(int(2.0 * SPAN_POINTS * wide / total), 2), SPAN_POINTS)
        if n + pieces > profile.shape[0]:
            return 0
        for j in range(1, pieces + 1):
            before: ProfilePoint = profile[n - 1]
            point: ProfilePoint = profile[n]
            t = j / pieces
            r = 1.0 - t
            a, b, c, d = r * r * r, 3.0 * r * r * t, 3.0 * r * t * t, t * t * t
            s, y = a * s0 + b * s1 + c * s2 + d * s3, a * y0 + b * y1 + c * y2 + d * y3
            point.way, point.height = s, y
            ds, dy = s - before.way, y - before.height
            point.length = before.length + math.sqrt(ds * ds + dy * dy)
            n += 1
    return n


@inline
def covers(profile: Records, count: int, crossed: Records, cells: int, passing: Passing) -> bool:
    """Whether a profile passes over all that is crossed."""
    total = profile[count - 1].way
    j = 0
    for k in range(cells):
        cell: CrossedCell = crossed[k]
        for side in range(2):
            s = cell.enter if side == 0 else cell.leave
            height = _need(cell, s, total, passing)
            while j < count - 2 and profile[j + 1].way < s:
                j += 1
            a: ProfilePoint = profile[j]
            b: ProfilePoint = profile[j + 1]
            t = (s - a.way) / max(b.way - a.way, 1e-12)
            if a.height + min(max(t, 0.0), 1.0) * (b.height - a.height) < height - 1e-9:
                return False
    return True


@part
def space_evenly(profile: Records, points: int, path: Records, places: int, curve: Records) -> None:
    """Fill ``curve`` with points evenly spaced along a profile over a path."""
    total = profile[points - 1].length
    j, i = 0, 0
    last = curve.shape[0] - 1
    for k in range(last + 1):
        wanted = total * k / last
        while j < points - 2 and profile[j + 1].length < wanted:
            j += 1
        a: ProfilePoint = profile[j]
        b: ProfilePoint = profile[j + 1]
        t = (wanted - a.length) / max(b.length - a.length, 1e-12)
        s = a.way + t * (b.way - a.way)
        while i < places - 2 and path[i + 1].way < s:
            i += 1
        p: PathPoint = path[i]
        q: PathPoint = path[i + 1]
        r = (s - p.way) / max(q.way - p.way, 1e-12)
        point: PathPoint = curve[k]
        point.u = p.u + r * (q.u - p.u)
        point.height = a.height + t * (b.height - a.height)
        point.v = p.v + r * (q.v - p.v)
        point.way = s


@part
def lift_over(curve: Records, crossed: Records, cells: int, passing: Passing) -> bool:
    """Lift the points of a curve where the straight lines between them are lower than what they cross; whether any."""
    last = curve.shape[0] - 1
    total = curve[last].way
    i, lifted = 0, False
    for k in range(cells):
        cell: CrossedCell = crossed[k]
        most = min(max(0.5 * total, cell.enter), cell.leave)  # where the clearance is largest
        height = _need(cell, most, total, passing)
        for side in range(2):
            s = cell.enter if side == 0 else cell.leave
            while i < last - 1 and curve[i + 1].way < s:
                i += 1
                if side == 1 and 1 < i < last - 1 and curve[i].height < height:  # a point within the cell
                    curve[i].height = height
                    lifted = True
            a: PathPoint = curve[i]
            b: PathPoint = curve[i + 1]
            t = min(max((s - a.way) / max(b.way - a.way, 1e-12), 0.0), 1.0)
            here = a.height + t * (b.height - a.height)
            # The ends stay where they are, and close to them the clearance is still growing.
            if i == 0 or i == last - 1:
                short = _need(cell, s, total, passing) - here
                if short > 0.0 and i == 0:
                    curve[1].height += short / max(t, 0.25)
                elif short > 0.0:
                    a.height += short / max(1.0 - t, 0.25)
            else:
                short = height - here
                if short > 0.0:
                    a.height += short
                    b.height += short
            lifted = lifted or short > 0.0
    return lifted


@part
def space_again(curve: Records, lengths: Floats, spare: Records) -> None:
    """Space the points of a curve evenly along the lines between them."""
    last = curve.shape[0] - 1
    # The plan is in cells: the way tells how far points lie from each other in it.
    lengths[0] = 0.0
    for k in range(1, last + 1):
        ds, dy = curve[k].way - curve[k - 1].way, curve[k].height - curve[k - 1].height
        lengths[k] = lengths[k - 1] + math.sqrt(ds * ds + dy * dy)
    for k in range(last + 1):
        spare[k] = curve[k]
    j = 0
    for k in range(1, last):
        wanted = lengths[last] * k / last
        while j < last - 1 and lengths[j + 1] < wanted:
            j += 1
        t = (wanted - lengths[j]) / max(lengths[j + 1] - lengths[j], 1e-12)
        a: PathPoint = spare[j]
        b: PathPoint = spare[j + 1]
        point: PathPoint = curve[k]
        point.u, point.v = a.u + t * (b.u - a.u), a.v + t * (b.v - a.v)
        point.way, point.height = a.way + t * (b.way - a.way), a.height + t * (b.height - a.height)
