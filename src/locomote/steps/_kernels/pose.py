"""From feet and the turn of the knees to the joint angles of a body, in closed form, many frames at once."""

from __future__ import annotations

import math

import numpy as np

from locomote.math._compile import inline, kernel, maker, part
from locomote.math.quaternion import Quaternion, rotate
from locomote.math.vector import Floats, Ints
from locomote.steps._kernels.blend import (
    FEET,
    FOOT_ROWS,
    JOINTS,
    KNEE,
    PITCH,
    ROLL,
    ROOT,
    TOES,
    YAW,
    half_turn,
)
from locomote.steps._kernels.layout import BodyMeasures

SOLE, ANKLE, LIMB_ROWS = 0, 4, 7  # rows of a limb: rotation of the foot; ankle less the way from pelvis to hip
LIMBS = 2 * LIMB_ROWS

# Frames are taken in blocks: a row of a block has so many places, at offsets that the compiler knows, so that one loop
# does the whole of a limb for several frames at once.
BLOCK = 32
# Rows of a block: what is read
_GOAL, _SOLE, _PELVIS, _KNEE, _TOES = 0, 3 * BLOCK, 7 * BLOCK, 11 * BLOCK, 12 * BLOCK
# and what comes out: rotations of hip and ankle; cosine and sine of half the bend of knee and toes.
_HIP, _FOOT, _BENDS, _BLOCK_SIZE = 13 * BLOCK, 17 * BLOCK, 21 * BLOCK, 25 * BLOCK
_TINY = 1e-12  # keeps directions defined that do not exist


@inline
def foot_turn(yaw: float, pitch: float, roll: float) -> Quaternion:
    """The rotation of a foot: about its lateral axis (toes down), then the way it points, then the vertical."""
    cy, sy = half_turn(yaw)
    cp, sp = half_turn(pitch)
    cr, sr = half_turn(roll)
    w, x, y, z = cy * cr, sy * sr, sy * cr, cy * sr
    return w * cp - x * sp, w * sp + x * cp, y * cp + z * sp, z * cp - y * sp


@kernel
def pose_frames(frames: Floats, body: BodyMeasures, roots: Floats, rotations: Floats) -> None:
    """Fill ``roots (F, 3)`` and ``rotations (F, J, 4)`` from ``frames (ROWS, F)``."""
    count = frames.shape[1]
    limbs = np.empty((LIMBS, count))
    find_limbs(count, body, frames, limbs)
    pose_chain(count, 0, body, frames, limbs, roots, rotations)


@maker
def find_limbs(count: int, body: BodyMeasures, frames: Floats, limbs: Floats) -> None:
    """Fill ``limbs (LIMBS, F)`` for the first ``count`` of the frames."""
    hips, ankle_height, ankle_behind = body.hips, body.sole.ankle_height, body.sole.ankle
    block = np.empty(17 * BLOCK)
    for begin in range(0, count, BLOCK):
        lanes = min(BLOCK, count - begin)
        for foot in range(2):
            r = FEET + FOOT_ROWS * foot
            _load(frames, 0, 4, begin, lanes, block, 0)
            _load(frames, r, 3, begin, lanes, block, 4 * BLOCK)
            _load(frames, r + YAW, 3, begin, lanes, block, 7 * BLOCK)
            x, y, z = hips[foot, 0], hips[foot, 1], hips[foot, 2]
            for i in range(lanes):
                sole = foot_turn(
                    block[7 * BLOCK + i],
                    block[(7 + PITCH - YAW) * BLOCK + i],
                    block[(7 + ROLL - YAW) * BLOCK + i],
                )
                up = rotate(sole, (0.0, ankle_height, -ankle_behind))
                hip = rotate((block[i], block[BLOCK + i], block[2 * BLOCK + i], block[3 * BLOCK + i]), (x, y, z))
                block[10 * BLOCK + i], block[11 * BLOCK + i] = sole[0], sole[1]
                block[12 * BLOCK + i], block[13 * BLOCK + i] = sole[2], sole[3]
                block[14 * BLOCK + i] = block[4 * BLOCK + i] + up[0] - hip[0]
                block[15 * BLOCK + i] = block[5 * BLOCK + i] + up[1] - hip[1]
                block[16 * BLOCK + i] = block[6 * BLOCK + i] + up[2] - hip[2]
            for c in range(LIMB_ROWS):
                row, to = block[(10 + c) * BLOCK : (11 + c) * BLOCK], limbs[LIMB_ROWS * foot + c]
                to = to[begin : begin + lanes]
                for i in range(lanes):
                    to[i] = row[i]


@part
def _load(rows: Floats, first: int, count: int, begin: int, lanes: int, block: Floats, at: int) -> None:
    """Copy a stretch of some rows into a block."""
    for r in range(count):
        row, to = rows[first + r, begin : begin + lanes], block[at + r * BLOCK : at + (r + 1) * BLOCK]
        for i in range(lanes):
            to[i] = row[i]


@maker
def pose_chain(
    count: int,
    first: int,
    body: BodyMeasures,
    frames: Floats,
    limbs: Floats,
    roots: Floats,
    rotations: Floats,
) -> None:
    """The first ``count`` of the frames, written from row ``first`` on; ``limbs`` are theirs.

    Of the two quaternions of a rotation it is always the one nearer to the frame before.
    """
    joints, legs, hips = body.joints, body.legs, body.hips
    _keep_signs(count, frames)
    block = np.empty(_BLOCK_SIZE)
    for begin in range(0, count, BLOCK):
        lanes = min(BLOCK, count - begin)
        for n in range(begin, begin + lanes):
            for c in range(3):
                roots[first + n, c] = frames[ROOT + c, n]
        for j in range(JOINTS):
            joint = joints[j]
            for n in range(begin, begin + lanes):
                for c in range(4):
                    rotations[first + n, joint, c] = frames[4 * j + c, n]
        for foot in range(2):
            r = LIMB_ROWS * foot
            for c in range(3):
                goal = block[_GOAL + c * BLOCK : _GOAL + (c + 1) * BLOCK]
                ankle, pelvis = limbs[r + ANKLE + c, begin:], frames[ROOT + c, begin:]
                for i in range(lanes):
                    goal[i] = ankle[i] - pelvis[i]
            _load(limbs, r + SOLE, 4, begin, lanes, block, _SOLE)
            _load(frames, 0, 4, begin, lanes, block, _PELVIS)
            _load(frames, FEET + FOOT_ROWS * foot + KNEE, 1, begin, lanes, block, _KNEE)
            _load(frames, FEET + FOOT_ROWS * foot + TOES, 1, begin, lanes, block, _TOES)
            _solve(lanes, hips[foot, 0], hips[foot, 1], hips[foot, 2], body.thigh, body.shank, block)
            _store(first, first + begin, lanes, legs[foot], block, rotations)


@part
def _solve(lanes: int, x: float, y: float, z: float, thigh: float, shank: float, block: Floats) -> None:
    """The joints of a limb whose hip is at (x, y, z) in the frame of the pelvis, bones along -Y, knee a hinge about X.

    In the frame of the pelvis the hip swings its -Y to the ankle the short way, turns about it so that +Z is the side
    towards the pelvis, turned on by the roll of the knee, and bends forwards; the knee bends back.
    """
    level = max(math.sqrt(x * x + z * z), _TINY)
    inwards_c, inwards_s = -z / level, -x / level  # of the yaw of the way from hip to pelvis
    half = 0.5 * math.atan2(-x, -z)
    half_c, half_s = math.cos(half), math.sin(half)
    least, most = max(abs(thigh - shank), 1e-6 * thigh), thigh + shank
    knee_factor = 0.25 / (thigh * shank)
    for i in range(lanes):
        # Goal and sole in the frame of the pelvis.
        pw, px = block[_PELVIS + i], -block[_PELVIS + BLOCK + i]
        py, pz = -block[_PELVIS + 2 * BLOCK + i], -block[_PELVIS + 3 * BLOCK + i]
        gx, gy, gz = rotate(
            (pw, px, py, pz), (block[_GOAL + i], block[_GOAL + BLOCK + i], block[_GOAL + 2 * BLOCK + i])
        )
        far = math.sqrt(gx * gx + gy * gy + gz * gz)
        reach = min(max(far, least), most)
        scale = 1.0 / max(far, _TINY)
        wx, wy, wz = gx * scale, gy * scale, gz * scale
        # The short way from -Y.
        up = max(1.0 - wy, _TINY)
        scale = 1.0 / math.sqrt(2.0 * up)
        sw, sx, sz = math.sqrt(0.5 * up), -wz * scale, wx * scale
        # The way from hip to pelvis as the hip sees it, along the ground.
        tx, ty, tz = -2.0 * sz * y, 2.0 * (sz * x - sx * z), 2.0 * sx * y
        ux, uz = sw * tx + sz * ty - x, sw * tz - sx * ty - z
        along, aside = ux * inwards_s + uz * inwards_c, ux * inwards_c - uz * inwards_s
        # Half the angle of it: the sum with the unit vector.
        along += math.sqrt(along * along + aside * aside) + _TINY
        scale = 1.0 / math.sqrt(along * along + aside * aside)
        ac, as_ = along * scale, aside * scale
        kc, ks = half_turn(block[_KNEE + i])
        bc, bs = half_c * ac - half_s * as_, half_s * ac + half_c * as_
        yc, ys = bc * kc + bs * ks, bs * kc - bc * ks
        # Half of the angle between thigh and the line to the ankle, and half the bend of the knee, by Heron.
        scale = 0.25 / (thigh * reach)
        tc = math.sqrt(max((thigh + reach - shank) * (thigh + reach + shank) * scale, 0.0))
        ts = math.sqrt(max((shank - thigh + reach) * (shank + thigh - reach) * scale, 0.0))
        nc = math.sqrt(max((reach - thigh + shank) * (reach + thigh - shank) * knee_factor, 0.0))
        ns = math.sqrt(max((most - reach) * (most + reach) * knee_factor, 0.0))
        a, b, c, d = yc * tc, -yc * ts, ys * tc, ys * ts
        hw, hx = sw * a - sx * b - sz * d, sw * b + sx * a - sz * c
        hy, hz = sw * c - sx * d + sz * b, sw * d + sx * c + sz * a
        block[_HIP + i], block[_HIP + BLOCK + i] = hw, hx
        block[_HIP + 2 * BLOCK + i], block[_HIP + 3 * BLOCK + i] = hy, hz
        block[_BENDS + i], block[_BENDS + BLOCK + i] = nc, ns
        lw, lx, ly, lz = hw * nc - hx * ns, hx * nc + hw * ns, hy * nc + hz * ns, hz * nc - hy * ns
        ow, ox = block[_SOLE + i], block[_SOLE + BLOCK + i]
        oy, oz = block[_SOLE + 2 * BLOCK + i], block[_SOLE + 3 * BLOCK + i]
        a, b = pw * ow - px * ox - py * oy - pz * oz, pw * ox + px * ow + py * oz - pz * oy
        c, d = pw * oy - px * oz + py * ow + pz * ox, pw * oz + px * oy - py * ox + pz * ow
        block[_FOOT + i] = lw * a + lx * b + ly * c + lz * d
        block[_FOOT + BLOCK + i] = lw * b - lx * a - ly * d + lz * c
        block[_FOOT + 2 * BLOCK + i] = lw * c + lx * d - ly * a - lz * b
        block[_FOOT + 3 * BLOCK + i] = lw * d - lx * c + ly * b - lz * a
        block[_BENDS + 2 * BLOCK + i], block[_BENDS + 3 * BLOCK + i] = half_turn(block[_TOES + i])


@part
def _store(first: int, begin: int, lanes: int, leg: Ints, block: Floats, rotations: Floats) -> None:
    """A block of solved limbs into the rotations."""
    # Single numbers are read and written, not rows: a row taken out costs more than the work.
    _store_turns(first, begin, lanes, leg[0], block[_HIP : _HIP + 4 * BLOCK], rotations)
    _store_turns(first, begin, lanes, leg[2], block[_FOOT : _FOOT + 4 * BLOCK], rotations)
    knee, ball = leg[1], leg[3]
    for i in range(lanes):
        n = begin + i
        rotations[n, knee, 0], rotations[n, knee, 1] = block[_BENDS + i], block[_BENDS + BLOCK + i]
        rotations[n, knee, 2], rotations[n, knee, 3] = 0.0, 0.0
        rotations[n, ball, 0] = block[_BENDS + 2 * BLOCK + i]
        rotations[n, ball, 1] = block[_BENDS + 3 * BLOCK + i]
        rotations[n, ball, 2], rotations[n, ball, 3] = 0.0, 0.0


@inline
def _store_turns(first: int, begin: int, lanes: int, joint: int, turns: Floats, rotations: Floats) -> None:
    """Quaternions of one joint, each with the sign nearer to the frame before, the first with ``w >= 0``."""
    ow, ox, oy, oz = 1.0, 0.0, 0.0, 0.0
    if begin > first:
        ow, ox = rotations[begin - 1, joint, 0], rotations[begin - 1, joint, 1]
        oy, oz = rotations[begin - 1, joint, 2], rotations[begin - 1, joint, 3]
    for i in range(lanes):
        w, x, y, z = turns[i], turns[BLOCK + i], turns[2 * BLOCK + i], turns[3 * BLOCK + i]
        sign = -1.0 if w * ow + x * ox + y * oy + z * oz < 0.0 else 1.0
        ow, ox, oy, oz = sign * w, sign * x, sign * y, sign * z
        n = begin + i
        rotations[n, joint, 0], rotations[n, joint, 1] = ow, ox
        rotations[n, joint, 2], rotations[n, joint, 3] = oy, oz


@part
def _keep_signs(count: int, frames: Floats) -> None:
    """Of the two quaternions of a rotation always the one nearer to the frame before."""
    for j in range(JOINTS):
        w, x = frames[4 * j, :count], frames[4 * j + 1, :count]
        y, z = frames[4 * j + 2, :count], frames[4 * j + 3, :count]
        w1, x1, y1, z1 = w[1:], x[1:], y[1:], z[1:]
        turned = 0
        for t in range(count - 1):
            turned += 1 if w[t] * w1[t] + x[t] * x1[t] + y[t] * y1[t] + z[t] * z1[t] < 0.0 else 0
        if turned > 0:
            for t in range(count - 1):
                if w[t] * w1[t] + x[t] * x1[t] + y[t] * y1[t] + z[t] * z1[t] < 0.0:
                    w1[t], x1[t], y1[t], z1[t] = -w1[t], -x1[t], -y1[t], -z1[t]


@kernel
def sink_to_reach(frames: Floats, body: BodyMeasures) -> None:
    """Lower the pelvis of each of ``frames (ROWS, F)`` by what its legs are too short."""
    count, leg = frames.shape[1], body.thigh + body.shank
    limbs = np.empty((LIMBS, count))
    find_limbs(count, body, frames, limbs)
    for n in range(count):
        needed = 0.0
        for foot in range(2):
            r = LIMB_ROWS * foot + ANKLE
            x, y = frames[ROOT, n] - limbs[r, n], frames[ROOT + 1, n] - limbs[r + 1, n]
            z = frames[ROOT + 2, n] - limbs[r + 2, n]
            needed = max(needed, y - math.sqrt(max(leg * leg - x * x - z * z, 0.0)))
        frames[ROOT + 1, n] -= needed
