"""Where a foot finds hold on the ground, near the place where it would come down."""

from __future__ import annotations

import math

from locomote.human._kernels.footplants import flat_rotation
from locomote.math._compile import part
from locomote.math.quaternion import Quaternion, about_up
from locomote.math.vector import Floats, Vector
from locomote.world._kernels.ground import Terrain, height

STRIDES = 8  # places tried in front of the foot and behind it
STRIDE = 0.025  # hip heights from one to the next
STEEPEST = math.tan(math.radians(40.0))  # ground on which a foot finds hold
UNEVEN = 0.02  # hip heights by which the ground under a sole may leave its plane
HEEL_OVERHANG = 0.04  # hip heights that a foot goes further for a place where its heel has ground, too
TOE_OVERHANG = 0.02  # the same for its toes
EDGE = 0.06  # hip heights behind the heel, where
EDGES = 3  # times so far behind it, that a foot which comes down from there sees to its heel
BEHIND = 0.12  # higher ground costs as much as going so much further, and
AHEAD = 0.09  # so does higher ground as far ahead of the toes
HANGS = 0.003  # hip heights between a heel and the ground that it does not reach
LEVEL = 1e-6  # hip heights by which ground is higher only by rounding; what a foot does must not hang on that
HALF_SOLE = 0.03  # hip heights from the middle of a sole to its edges
NO_HOLD = 1e3


@part
def foothold(
    x: float,
    z: float,
    yaw: float,
    size: float,
    sole: Floats,
    ahead: float,
    terrain: Terrain,
) -> tuple[Vector, Quaternion, int, bool, float]:
    """The place of the ball, the rotation of the flat foot and the piece of ground, near a ball at ``(x, z)``.

    The foot is shifted along its own line as little as it takes to stand on one face of the ground. The last values
    say whether its heel hangs over an edge, and how much higher the ground behind it is.
    """
    if terrain.grid.size == 1 and terrain.pieces.shape[0] == 0:
        return (x, terrain.grid[0, 0], z), about_up(yaw), -1, False, 0.0
    s, c = math.sin(yaw), math.cos(yaw)
    foot, toes = size * (sole[1, 2] - sole[0, 2]), size * sole[2, 2]
    half, edge = HALF_SOLE * size, EDGE * size
    best, best_shift = math.inf, 0.0
    rise_ahead = rise_aside = 0.0
    for i in range(2 * STRIDES + 1):
        # 0, 1, -1, 2, -2, ... strides
        shift = STRIDE * size * ((i + 1) // 2) * (1.0 if i % 2 else -1.0)
        if abs(shift) >= best:
            break
        bx, bz = x + shift * s, z + shift * c
        ball, _ = height(bx, bz, ahead, terrain)
        middle, _ = height(bx - 0.5 * foot * s, bz - 0.5 * foot * c, ahead, terrain)
        heel, _ = height(bx - foot * s, bz - foot * c, ahead, terrain)
        tip, _ = height(bx + toes * s, bz + toes * c, ahead, terrain)
        left, _ = height(bx + half * c, bz - half * s, ahead, terrain)
        right, _ = height(bx - half * c, bz + half * s, ahead, terrain)
        # Over an edge the foot lies on the face under its ball.
        slope = min((ball - heel) / foot, 2.0 * (ball - middle) / foot)
        cost = abs(shift)
        uneven = UNEVEN * size
        if abs(middle - 0.5 * (ball + heel)) > 0.5 * uneven or abs(ball - heel) > STEEPEST * foot:
            slope = 2.0 * (ball - middle) / foot
            # The plane of the forefoot: the heel may hang over an edge, but not be in what stands behind it.
            if heel - (ball - slope * foot) > uneven or abs(slope) > STEEPEST:
                cost += NO_HOLD
            cost += HEEL_OVERHANG * size
        over = tip - (ball + slope * toes)
        if over > uneven:
            cost += NO_HOLD
        elif over < -uneven:
            cost += TOE_OVERHANG * size
        behind, _ = height(bx - (foot + edge) * s, bz - (foot + edge) * c, ahead, terrain)
        if behind - (ball - slope * (foot + edge)) > uneven:
            cost += BEHIND * size  # a foot that comes down from there would have to come down steeply
        front, _ = height(bx + (toes + edge) * s, bz + (toes + edge) * c, ahead, terrain)
        if front - (ball + slope * (toes + edge)) > uneven:
            cost += AHEAD * size  # the toes would have to leave it steeply
        aside = 0.5 * (left - right) / half
        if abs(aside) > STEEPEST or abs(ball - 0.5 * (left + right)) > 0.5 * uneven:
            aside = 0.0
            cost += TOE_OVERHANG * size
        if cost < best:
            best, best_shift, rise_ahead, rise_aside = cost, shift, slope, aside
    if best >= NO_HOLD:
        best_shift = rise_ahead = rise_aside = 0.0
    bx, bz = x + best_shift * s, z + best_shift * c
    ball, piece = height(bx, bz, ahead, terrain)
    # On curved ground the sole rests on what is highest.
    over = 0.0
    level = 1.0 / math.sqrt(1.0 + rise_ahead * rise_ahead)  # the plan of a sloping sole is shorter
    foot, toes = level * foot, level * toes
    for i in range(1, 5):
        at = -0.25 * foot * i
        under, _ = height(bx + at * s, bz + at * c, ahead, terrain)
        if under - (ball + rise_ahead * at) < UNEVEN * size:
            rise_ahead = min(rise_ahead, (ball - under) / -at)
    under, _ = height(bx + toes * s, bz + toes * c, ahead, terrain)
    off = under - (ball + rise_ahead * toes)
    if off < UNEVEN * size:
        over = max(over, off)
    heel, _ = height(bx - foot * s, bz - foot * c, ahead, terrain)
    overhangs = heel < ball + over - rise_ahead * foot - HANGS * size
    step = 0.0
    for i in range(1, EDGES + 1):
        at = foot + i * edge
        behind, _ = height(bx - at * s, bz - at * c, ahead, terrain)
        step = max(step, behind - (ball + over - rise_ahead * at))
    step = step if step > LEVEL * size else 0.0
    return (bx, ball + over, bz), flat_rotation(yaw, rise_ahead, rise_aside), piece, overhangs, step
