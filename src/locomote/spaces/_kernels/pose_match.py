"""The recorded poses nearest to some handles, each turned about the vertical and shifted to fit them best.

For points the best turn and shift have a closed form: centred points give the turn, their means the shift.
A rotation that is asked for takes part by the three axes of its joint, as points without a place.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, quaternion, rotate
from locomote.math.vector import Floats32, Vector, add, scale, subtract, vector
from locomote.spaces._kernels.bundles import POSITION, ROTATION, HandleArrays
from locomote.spaces._kernels.posing_bundles import DatabaseArrays, Posing, PosingWork, RigArrays

_MEAN_X, _MEAN_Y, _MEAN_Z, _SQUARE, _WITH, _ACROSS = range(6)  # rows of the sums; costs take the place of squares
_BLOCK = 512  # poses at a time: their sums stay in the nearest cache
_NOTHING = np.float32(0.0)


@part
def match(
    n: int,
    linked: bool,
    posing: Posing,
    handles: HandleArrays,
    rig: RigArrays,
    database: DatabaseArrays,
    work: PosingWork,
) -> Vector:
    """Fill the nearest poses and the means of their squared distances, in no order; the centre of all points."""
    anchors, own = rig.anchors.shape[0] if linked else 0, posing.stay * posing.stay
    weight, centre = _centre(n, own, anchors, handles, rig, work)
    whole = 1.0 / weight if weight > 0.0 else 1.0
    floor, middle = posing.floor * posing.floor, centre[1] - posing.ground
    sums = work.sums
    for first in range(0, sums.shape[1], _BLOCK):
        last = min(first + _BLOCK, sums.shape[1])
        sums[:, first:last] = 0.0
        for h in range(handles.joints.shape[0]):
            j, share = handles.joints[h], whole * handles.weights[n, h] ** 2
            if handles.kinds[h] == POSITION:
                goal = subtract(vector(handles.targets[n, h]), centre)
                point = vector(handles.points[h])
                if point[0] == 0.0 and point[1] == 0.0 and point[2] == 0.0:
                    _add_joint(first, last, goal, share, database.places[j], sums)
                else:
                    _add_point(first, last, point, goal, share, database.places[j], database.world[j], sums)
            elif handles.kinds[h] == ROTATION:
                _add_axes(first, last, quaternion(handles.targets[n, h]), share, database.world[j], sums)
        for a in range(anchors):
            if not _is_held(rig.anchors[a], handles):
                goal = subtract(vector(work.anchors[a]), centre)
                _add_joint(first, last, goal, whole * own, database.places[rig.anchors[a]], sums)
        _add_up(first, last, floor, middle, sums)
    _keep_nearest(work)
    return centre


@part
def placed(i: int, centre: Vector, work: PosingWork) -> tuple[Quaternion, Vector]:
    """How a recorded pose is turned and shifted."""
    sums = work.sums
    angle = math.atan2(float(sums[_ACROSS, i]), float(sums[_WITH, i]))
    turn = math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0
    mean = float(sums[_MEAN_X, i]), float(sums[_MEAN_Y, i]), float(sums[_MEAN_Z, i])
    return turn, subtract(centre, rotate(turn, mean))


@inline
def _is_held(joint: int, handles: HandleArrays) -> bool:
    """Whether a joint goes where a handle tells it."""
    held = False
    for h in range(handles.joints.shape[0]):
        held = held or (handles.joints[h] == joint and handles.kinds[h] == POSITION)
    return held


@inline
def _centre(
    n: int, stay: float, anchors: int, handles: HandleArrays, rig: RigArrays, work: PosingWork
) -> tuple[float, Vector]:
    """The weight of all points, and their mean; anchors weigh ``stay``."""
    weight, mean = 0.0, (0.0, 0.0, 0.0)
    for h in range(handles.joints.shape[0]):
        if handles.kinds[h] == POSITION:
            own = handles.weights[n, h] ** 2
            weight, mean = weight + own, add(mean, scale(vector(handles.targets[n, h]), own))
    for a in range(anchors):
        if not _is_held(rig.anchors[a], handles):
            weight, mean = weight + stay, add(mean, scale(vector(work.anchors[a]), stay))
    return weight, scale(mean, 1.0 / max(weight, 1e-12))


@part
def _add_joint(first: int, last: int, goal: Vector, share: float, places: Floats32, sums: Floats32) -> None:
    """Take a joint into the sums of some poses; one sum after the other, so that each is made of many side by side."""
    x, y, z, own = places[0, first:last], places[1, first:last], places[2, first:last], np.float32(share)
    gx, gy, gz = np.float32(share * goal[0]), np.float32(goal[1]), np.float32(share * goal[2])
    square = np.float32(share * (goal[0] * goal[0] + goal[2] * goal[2]))
    out = sums[_MEAN_X, first:last]
    for i in range(out.shape[0]):
        out[i] += own * x[i]
    out = sums[_MEAN_Y, first:last]
    for i in range(out.shape[0]):
        out[i] += own * y[i]
    out = sums[_MEAN_Z, first:last]
    for i in range(out.shape[0]):
        out[i] += own * z[i]
    out = sums[_WITH, first:last]
    for i in range(out.shape[0]):
        out[i] += gx * x[i] + gz * z[i]
    out = sums[_ACROSS, first:last]
    for i in range(out.shape[0]):
        out[i] += gx * z[i] - gz * x[i]
    out = sums[_SQUARE, first:last]
    for i in range(out.shape[0]):
        out[i] += own * (x[i] * x[i] + z[i] * z[i] + (gy - y[i]) * (gy - y[i])) + square


@part
def _add_point(
    first: int,
    last: int,
    point: Vector,
    goal: Vector,
    share: float,
    places: Floats32,
    world: Floats32,
    sums: Floats32,
) -> None:
    """Take a point of a joint into the sums of some poses."""
    gx, gy, gz = goal
    for i in range(first, last):
        a, b, c = rotate((world[0, i], world[1, i], world[2, i], world[3, i]), point)
        a, b, c = a + places[0, i], b + places[1, i], c + places[2, i]
        sums[_MEAN_X, i] += share * a
        sums[_MEAN_Y, i] += share * b
        sums[_MEAN_Z, i] += share * c
        sums[_WITH, i] += share * (gx * a + gz * c)
        sums[_ACROSS, i] += share * (gx * c - gz * a)
        sums[_SQUARE, i] += share * (a * a + c * c + gx * gx + gz * gz + (gy - b) * (gy - b))


@part
def _add_axes(first: int, last: int, target: Quaternion, share: float, world: Floats32, sums: Floats32) -> None:
    """Take a rotation of a joint into the sums: half the squared distances of its axes are those of its angle."""
    half = 0.5 * share
    for k in range(3):
        axis = (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0)
        gx, gy, gz = rotate(target, axis)
        for i in range(first, last):
            a, b, c = rotate((world[0, i], world[1, i], world[2, i], world[3, i]), axis)
            sums[_WITH, i] += half * (gx * a + gz * c)
            sums[_ACROSS, i] += half * (gx * c - gz * a)
            sums[_SQUARE, i] += half * (a * a + c * c + gx * gx + gz * gz + (gy - b) * (gy - b))


@part
def _add_up(first: int, last: int, floor: float, middle: float, sums: Floats32) -> None:
    """Turn sums into the squared distances of poses that are turned and shifted as fits best."""
    x, y, z, out = sums[0, first:last], sums[1, first:last], sums[2, first:last], sums[_SQUARE, first:last]
    along, across = sums[_WITH, first:last], sums[_ACROSS, first:last]
    weight, height = np.float32(floor), np.float32(middle)
    for i in range(out.shape[0]):
        turned = np.sqrt(along[i] * along[i] + across[i] * across[i])
        away = max(out[i] - x[i] * x[i] - y[i] * y[i] - z[i] * z[i] - turned - turned, _NOTHING)
        out[i] = away + weight * (height - y[i]) * (height - y[i])


@part
def _keep_nearest(work: PosingWork) -> None:
    """Keep the poses of least cost."""
    near, costs, all_costs = work.near, work.costs, work.sums[_SQUARE]
    count = near.shape[0]
    worst = 0
    for i in range(count):
        near[i], costs[i] = i, all_costs[i]
        if costs[i] > costs[worst]:
            worst = i
    for i in range(count, all_costs.shape[0]):
        if all_costs[i] < costs[worst]:
            near[worst], costs[worst] = i, all_costs[i]
            for k in range(count):
                if costs[k] > costs[worst]:
                    worst = k
