"""Where walkers go at a moment, for all that looks ahead: courses, drives, escapes."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline
from locomote.math.records import Record, Records
from locomote.math.vector import Floats, Ints
from locomote.navigation._kernels.velocity_obstacles import CloseObstacles

CALM, MAKES_ROOM, FLEES = range(3)  # gets away from somebody who flees; from something


class Course(Record):
    """Where a walker is and how it goes on."""

    x: float  # m
    z: float
    yaw: float  # rad
    speed: float  # m/s
    turn: float  # rad/s
    aside_x: float  # m/s, besides what it goes along its yaw
    aside_z: float


class Drive(Record):
    """What the legs of a walker are to do in a frame."""

    speed: float  # m/s
    turn: float  # rad/s
    aside_x: float  # m/s
    aside_z: float


class Escape(Record):
    """How a walker gets away from something that moves."""

    x: float  # m/s
    z: float
    why: int  # CALM, MAKES_ROOM or FLEES


class Traffic(NamedTuple):
    """N walkers and what is near them."""

    courses: Records  # (N,) `Course`
    radii: Floats  # (N,) m
    near: Ints  # (N, K) who is near whom
    counts: Ints  # (N,) how many
    obstacles: CloseObstacles
    escapes: Records  # (N,) `Escape`


@inline
def go_on(x: float, z: float, yaw: float, way: float, speed: float, turn: float, out: Course) -> None:
    """Where an arc leads."""
    half = 0.5 * turn
    chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
    out.x, out.z = x + chord * math.sin(yaw + half), z + chord * math.cos(yaw + half)
    out.yaw, out.speed = yaw + turn, speed


@inline
def stopping_way(course: Course, brake: float, dt: float) -> tuple[float, float, float, float]:
    """From where, and how far and whither, a walker goes until it stands."""
    # The last step of braking is a whole one, in which less braking may be needed.
    way = 0.5 * course.speed * course.speed / brake + 0.125 * brake * dt * dt if course.speed > 0.0 else 0.0
    x, z = way * math.sin(course.yaw), way * math.cos(course.yaw)
    if course.aside_x != 0.0 or course.aside_z != 0.0:
        seconds = 0.5 * math.sqrt(course.aside_x * course.aside_x + course.aside_z * course.aside_z) / brake + 0.5 * dt
        x, z = x + seconds * course.aside_x, z + seconds * course.aside_z
    return course.x, course.z, x, z


@inline
def gap_between(x: float, z: float, dx: float, dz: float, ux: float, uz: float, ex: float, ez: float) -> float:
    """The squared distance between two line segments, each a start and a way."""
    cross = dx * ez - dz * ex
    sx, sz = ux - x, uz - z
    if abs(cross) > 1e-12:
        s, t = (sx * ez - sz * ex) / cross, (sx * dz - sz * dx) / cross
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            return 0.0
    return min(
        min(_off(x, z, ux, uz, ex, ez), _off(x + dx, z + dz, ux, uz, ex, ez)),
        min(_off(ux, uz, x, z, dx, dz), _off(ux + ex, uz + ez, x, z, dx, dz)),
    )


@inline
def _off(x: float, z: float, ux: float, uz: float, ex: float, ez: float) -> float:
    """The squared distance between a point and a line segment."""
    square = ex * ex + ez * ez
    t = min(1.0, max(0.0, ((x - ux) * ex + (z - uz) * ez) / square)) if square > 0.0 else 0.0
    px, pz = ux + t * ex - x, uz + t * ez - z
    return px * px + pz * pz
