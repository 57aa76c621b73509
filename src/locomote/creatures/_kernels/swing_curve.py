"""The way of a foot through the air: a profile over its path in the plan, as points evenly spaced along it.

A profile lies in the plane of the way ``s`` (m along the path) and the height ``y``. It is a chain of Bezier spans over
the upper hull of all that has to be passed, so it is nowhere lower than the hull; it leaves the ground and comes down
nearly straight, and bends as little as may be between.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.swing_grid import ENTER, HEIGHT, LEAVE, NUMBER
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Vector

SAMPLES = 33  # points of a curve
RAMP = 2.0  # cells from either end over which the clearance grows
LEAN = 0.04  # how far the way goes, of the first or last span, while the foot rises or sinks by half of it
SHIFT = 0.2  # of the way: how far at most the apex is moved to the higher end
EARLIEST = 0.2  # of the way, before and after which the apex never is
PATH_STEP = 0.5  # cells between the points of a smooth path
SPAN_POINTS = 10  # points of a span of the profile


@inline
def swing_at(curve: Floats, share: float) -> Vector:
    """Where the foot is after a share (0..1) of the length of its curve."""
    last = curve.shape[0] - 1
    along = min(max(share, 0.0), 1.0) * last
    k = min(int(along), last - 1)
    t = along - k
    return (
        curve[k, 0] + t * (curve[k + 1, 0] - curve[k, 0]),
        curve[k, 1] + t * (curve[k + 1, 1] - curve[k, 1]),
        curve[k, 2] + t * (curve[k + 1, 2] - curve[k, 2]),
    )


@inline
def swing_share(elapsed: float, duration: float, first_speed: float = 0.0, eased: bool = True) -> float:
    """The share of its curve that a foot has gone: smoothly from ``first_speed`` (shares/s) to rest, or evenly."""
    t = min(max(elapsed / max(duration, 1e-9), 0.0), 1.0)
    if not eased:
        return t
    # A cubic that starts faster than three times the mean would overshoot.
    first = min(max(first_speed * duration, 0.0), 3.0)
    return t * t * (3.0 - 2.0 * t) + first * t * (1.0 - t) * (1.0 - t)


@inline
def curve_length(curve: Floats) -> float:
    """The length (m) of a curve."""
    length = 0.0
    for k in range(1, curve.shape[0]):
        x, y, z = (
            curve[k, 0] - curve[k - 1, 0],
            curve[k, 1] - curve[k - 1, 1],
            curve[k, 2] - curve[k - 1, 2],
        )
        length += math.sqrt(x * x + y * y + z * z)
    return length


@inline
def settle(curve: Floats, height: float) -> None:
    """Let a curve end at another height; its end follows softly, its beginning stays."""
    last = curve.shape[0] - 1
    off = height - curve[last, 1]
    for k in range(1, last + 1):
        share = k / last
        curve[k, 1] += off * share * share * share


@part
def smooth_path(ways: Floats, count: int, start_u: float, start_v: float, cell: float, path: Floats) -> int:
    """Fill ``path`` with (u, span, v, way in m) along a smooth line through places; how many, 0: too many.

    Hermite spans, at each place along the line between its neighbours; the third column of ``ways`` is how much each
    place may bend it, 0 leaves straight lines. (start_u, start_v) is the direction at the start, or zeros.
    """
    path[0, 0], path[0, 1], path[0, 2], path[0, 3] = ways[0, 0], 0.0, ways[0, 1], 0.0
    n = 1
    free = start_u == 0.0 and start_v == 0.0
    for k in range(count - 1):
        u0, v0, u1, v1 = ways[k, 0], ways[k, 1], ways[k + 1, 0], ways[k + 1, 1]
        span = math.sqrt((u1 - u0) * (u1 - u0) + (v1 - v0) * (v1 - v0))
        du, dv, eu, ev = u1 - u0, v1 - v0, u1 - u0, v1 - v0
        if k > 0:
            du, dv = _along(u1 - ways[k - 1, 0], v1 - ways[k - 1, 1], span * ways[k, 2])
        elif not free:
            # A foot that has to turn back does so in a small bow.
            forward = (start_u * (u1 - u0) + start_v * (v1 - v0)) / max(span, 1e-12)
            bow = span * ways[k, 2] * max(0.25, 0.5 * (1.0 + forward))
            du, dv = start_u * bow, start_v * bow
        if k + 2 < count:
            eu, ev = _along(ways[k + 2, 0] - u0, ways[k + 2, 1] - v0, span * ways[k + 1, 2])
        pieces = 1 if count == 2 and free else max(math.ceil(span / PATH_STEP), 4)
        if n + pieces > path.shape[0]:
            return 0
        for j in range(1, pieces + 1):
            t = j / pieces
            a, b = t * t * (3.0 - 2.0 * t), t * (1.0 - t)
            path[n, 0] = u0 + a * (u1 - u0) + b * ((1.0 - t) * du - t * eu)
            path[n, 2] = v0 + a * (v1 - v0) + b * ((1.0 - t) * dv - t * ev)
            gone_u, gone_v = path[n, 0] - path[n - 1, 0], path[n, 2] - path[n - 1, 2]
            path[n, 3] = path[n - 1, 3] + cell * math.sqrt(gone_u * gone_u + gone_v * gone_v)
            path[n, 1] = k
            n += 1
    return n


@inline
def _along(u: float, v: float, length: float) -> tuple[float, float]:
    size = math.sqrt(u * u + v * v)
    if size < 1e-12:
        return 0.0, 0.0
    return u / size * length, v / size * length


@inline
def need(
    crossed: Floats, k: int, s: float, start: int, target: int, total: float, clearance: float, ramp: float
) -> float:
    """The height over which a crossed cell is passed at a way; none in the cells where the foot leaves and lands."""
    if crossed[k, NUMBER] == start or crossed[k, NUMBER] == target:
        return -math.inf
    height: float = crossed[k, HEIGHT] + clearance * min(s / ramp, (total - s) / ramp, 1.0)
    return height


@inline
def _push(s: float, y: float, hull: Floats, n: int) -> int:
    """Put a point at the end of an upper hull."""
    while n >= 2 and (hull[n - 1, 0] - hull[n - 2, 0]) * (y - hull[n - 2, 1]) >= (hull[n - 1, 1] - hull[n - 2, 1]) * (
        s - hull[n - 2, 0]
    ):
        n -= 1
    hull[n, 0], hull[n, 1] = s, y
    return n + 1


@part
def upper_hull(
    first: float,
    apex: float,
    last: float,
    total: float,
    crossed: Floats,
    count: int,
    start: int,
    target: int,
    clearance: float,
    ramp: float,
    peak: float,
    hull: Floats,
) -> int:
    """Fill ``hull`` with the upper hull of both ends, an apex between and all that is crossed; its count.

    The apex of a level step is after the share ``peak`` of its way.
    """
    hull[0, 0], hull[0, 1] = 0.0, first
    n = 1
    # Points never lie just over the ends: the way there would be upright.
    least = min(0.05 * ramp, 0.01 * total)
    waiting = True
    # A foot that climbs is highest late, one that descends early.
    climb = last - first
    shift = SHIFT * climb / (abs(climb) + max(apex - max(first, last), 1e-9))
    middle = total * min(max(peak + shift, EARLIEST), 1.0 - EARLIEST)
    for k in range(count):
        for side in (ENTER, LEAVE):
            height = need(crossed, k, crossed[k, side], start, target, total, clearance, ramp)
            s = min(max(crossed[k, side], least), total - least)
            if waiting and s > middle:
                n = _push(middle, apex, hull, n)
                waiting = False
            if height > -math.inf:
                n = _push(s, height, hull, n)
    if waiting:
        n = _push(middle, apex, hull, n)
    return _push(total, last, hull, n)


@part
def draw_profile(hull: Floats, count: int, first_s: float, first_y: float, depth: float, profile: Floats) -> int:
    """Fill ``profile`` with (way, height, length so far) over a hull; how many points, 0: too many.

    (first_s, first_y) is the direction in which the foot moves at the start, zeros where it rests; it may sink by
    ``depth`` at most.
    """
    total = hull[count - 1, 0]
    profile[0, 0], profile[0, 1], profile[0, 2] = hull[0, 0], hull[0, 1], 0.0
    n, slope = 1, 0.0
    for k in range(count - 1):
        s0, y0, s3, y3 = hull[k, 0], hull[k, 1], hull[k + 1, 0], hull[k + 1, 1]
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
            after = (hull[k + 2, 1] - y3) / max(hull[k + 2, 0] - s3, 1e-12)
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
            t = j / pieces
            r = 1.0 - t
            a, b, c, d = r * r * r, 3.0 * r * r * t, 3.0 * r * t * t, t * t * t
            s, y = a * s0 + b * s1 + c * s2 + d * s3, a * y0 + b * y1 + c * y2 + d * y3
            profile[n, 0], profile[n, 1] = s, y
            ds, dy = s - profile[n - 1, 0], y - profile[n - 1, 1]
            profile[n, 2] = profile[n - 1, 2] + math.sqrt(ds * ds + dy * dy)
            n += 1
    return n


@inline
def covers(
    profile: Floats,
    count: int,
    crossed: Floats,
    cells: int,
    start: int,
    target: int,
    clearance: float,
    ramp: float,
) -> bool:
    """Whether a profile passes over all that is crossed."""
    total = profile[count - 1, 0]
    j = 0
    for k in range(cells):
        for side in (ENTER, LEAVE):
            s = crossed[k, side]
            height = need(crossed, k, s, start, target, total, clearance, ramp)
            while j < count - 2 and profile[j + 1, 0] < s:
                j += 1
            t = (s - profile[j, 0]) / max(profile[j + 1, 0] - profile[j, 0], 1e-12)
            if profile[j, 1] + min(max(t, 0.0), 1.0) * (profile[j + 1, 1] - profile[j, 1]) < height - 1e-9:
                return False
    return True


@part
def space_evenly(profile: Floats, points: int, path: Floats, places: int, curve: Floats) -> None:
    """Fill ``curve`` with (u, height, v, way) evenly spaced along a profile over a path."""
    total = profile[points - 1, 2]
    j, i = 0, 0
    last = curve.shape[0] - 1
    for k in range(last + 1):
        wanted = total * k / last
        while j < points - 2 and profile[j + 1, 2] < wanted:
            j += 1
        t = (wanted - profile[j, 2]) / max(profile[j + 1, 2] - profile[j, 2], 1e-12)
        s = profile[j, 0] + t * (profile[j + 1, 0] - profile[j, 0])
        while i < places - 2 and path[i + 1, 3] < s:
            i += 1
        r = (s - path[i, 3]) / max(path[i + 1, 3] - path[i, 3], 1e-12)
        curve[k, 0] = path[i, 0] + r * (path[i + 1, 0] - path[i, 0])
        curve[k, 1] = profile[j, 1] + t * (profile[j + 1, 1] - profile[j, 1])
        curve[k, 2] = path[i, 2] + r * (path[i + 1, 2] - path[i, 2])
        curve[k, 3] = s


@part
def lift_over(
    curve: Floats, crossed: Floats, cells: int, start: int, target: int, clearance: float, ramp: float
) -> bool:
    """Lift the points of a curve where the straight lines between them are lower than what they cross; whether any."""
    last = curve.shape[0] - 1
    total = curve[last, 3]
    i, lifted = 0, False
    for k in range(cells):
        most = min(max(0.5 * total, crossed[k, ENTER]), crossed[k, LEAVE])  # where the clearance is largest
        height = need(crossed, k, most, start, target, total, clearance, ramp)
        for side in (ENTER, LEAVE):
            s = crossed[k, side]
            while i < last - 1 and curve[i + 1, 3] < s:
                i += 1
                if side == LEAVE and 1 < i < last - 1 and curve[i, 1] < height:  # a point within the cell
                    curve[i, 1] = height
                    lifted = True
            t = min(max((s - curve[i, 3]) / max(curve[i + 1, 3] - curve[i, 3], 1e-12), 0.0), 1.0)
            here = curve[i, 1] + t * (curve[i + 1, 1] - curve[i, 1])
            # The ends stay where they are, and close to them the clearance is still growing.
            if i == 0 or i == last - 1:
                short = need(crossed, k, s, start, target, total, clearance, ramp) - here
                if short > 0.0 and i == 0:
                    curve[1, 1] += short / max(t, 0.25)
                elif short > 0.0:
                    curve[i, 1] += short / max(1.0 - t, 0.25)
            else:
                short = height - here
                if short > 0.0:
                    curve[i, 1] += short
                    curve[i + 1, 1] += short
            lifted = lifted or short > 0.0
    return lifted


@part
def space_again(curve: Floats, spare: Floats) -> None:
    """Space the points of a curve (u, height, v, way) evenly along the lines between them."""
    last = curve.shape[0] - 1
    # The plan is in cells: the way tells how far points lie from each other in it.
    spare[0, 0] = 0.0
    for k in range(1, last + 1):
        ds, dy = curve[k, 3] - curve[k - 1, 3], curve[k, 1] - curve[k - 1, 1]
        spare[k, 0] = spare[k - 1, 0] + math.sqrt(ds * ds + dy * dy)
    for k in range(last + 1):
        for axis in range(4):
            spare[k + last + 1, axis] = curve[k, axis]
    j = 0
    for k in range(1, last):
        wanted = spare[last, 0] * k / last
        while j < last - 1 and spare[j + 1, 0] < wanted:
            j += 1
        t = (wanted - spare[j, 0]) / max(spare[j + 1, 0] - spare[j, 0], 1e-12)
        for axis in range(4):
            a, b = spare[j + last + 1, axis], spare[j + last + 2, axis]
            curve[k, axis] = a + t * (b - a)
