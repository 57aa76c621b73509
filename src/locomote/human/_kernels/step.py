"""One frame of many walking people: course, phase, pose and feet, in one pass over packed arrays.

A character is one row of ``state`` (float64, the columns of `drive`), one row of ``feet`` (float64, a foot each with
the columns of `footplants`) and one row of ``cache`` (float32): the factors of the ``P`` parts of the motion space, a
plain pose to be added, and three control points around the present phase. A pose is three planes (x, y, z) of
``width`` numbers: the rotation vector of joint j is column j, the root's position is column J, the rest is padding.
"""

from __future__ import annotations

import numpy as np

from locomote.human._kernels import drive
from locomote.human._kernels.cycle_pose import PoseBuffers, add_parts
from locomote.human._kernels.feet import hold_feet
from locomote.human._kernels.legs import AIM_COLUMNS
from locomote.human._kernels.moving_ground import carry
from locomote.human._kernels.next_step import Ghost
from locomote.human._kernels.pose import Floats32, Model, pose_body, refresh
from locomote.human.jumps._kernels import jump as leap
from locomote.human.jumps._kernels.launch import launch
from locomote.math._compile import kernel
from locomote.math.vector import Floats, Ints


@kernel
def step(
    dt: float,
    hold: bool,
    state: Floats,
    feet: Floats,
    cache: Floats32,
    basis: Floats32,
    curve: Floats,
    styles: Floats,
    timing: Floats,
    stands: Floats32,
    numbers: Floats,
    joints: Floats32,
    legs: Ints,
    sole: Floats,
    jumps: Floats32,
    masses: Floats,
    roots: Floats,
    rotations: Floats,
    positions: Floats,
    pieces: Floats,
    grid: Floats,
    raster: Floats,
    before: Floats,
) -> int:
    """Advance all characters by ``dt`` and fill ``roots``, ``rotations``, ``positions``; returns how many changed.

    From ``basis`` to ``masses`` the arrays are those of `walker.Model`. With ``hold`` the feet keep to their places on
    the ground, which is given as in `ground.height`; ``before`` is where its pieces were at the last step.
    """
    # Plain arrays come in faster than tuples of them.
    model = Model(basis, curve, styles, timing, stands, numbers, joints, legs, sole, jumps, masses)
    width, count = joints.shape[1], rotations.shape[1]
    ghost = Ghost(
        np.empty(state.shape[1]),
        np.empty(cache.shape[1], np.float32),
        PoseBuffers(
            np.empty(3 * width, np.float32),
            np.empty((4, width), np.float32),
            np.empty((count, 4)),
            np.empty((count, 4)),
            np.empty((count, 3)),
        ),
        np.empty((legs.shape[0], AIM_COLUMNS)),
    )
    world = np.empty((count, 4))
    factors = basis.shape[0] + stands.shape[1]
    changed = 0
    for n in range(state.shape[0]):
        row = state[n]
        if hold and pieces.shape[0] > 0:
            carry(row, feet[n], pieces, before)
        if drive.advance(row, dt, timing, numbers):
            refresh(row, cache[n, :factors], model)
            changed += 1
        if row[drive.JUMP + leap.STATE] == leap.UNDER_WAY and row[drive.JUMP + leap.LAUNCHED] == 0.0:
            launch(row, feet[n], cache[n], model, ghost.row, ghost.cached, ghost.frame)
        frame = PoseBuffers(ghost.frame.pose, ghost.frame.turns, world, rotations[n], positions[n])
        pose_body(row, cache[n], model, frame)
        if hold:
            hold_feet(row, feet[n], dt, cache[n], model, frame, ghost, pieces, grid, raster)
        root, hips = roots[n], positions[n, 0]
        root[0], root[1], root[2] = hips[0], hips[1], hips[2]
    return changed


@kernel
def units(cache: Floats32, samples: Floats32, out: Floats32) -> None:
    """Fill ``out (N, S, 3 width)`` with all poses of the cycles whose factors are in ``cache``.

    ``samples (P, S * 3 width)`` are the parts of the motion space themselves, not the control points of ``basis``.
    """
    parts, size = samples.shape[0], out.shape[2]
    for n in range(cache.shape[0]):
        still = cache[n, parts : parts + size]
        for s in range(out.shape[1]):
            out[n, s] = still
        add_parts(cache[n, :parts], samples, 0, out[n].reshape(samples.shape[1]))


@kernel
def refresh_rows(
    state: Floats,
    cache: Floats32,
    basis: Floats32,
    curve: Floats,
    styles: Floats,
    timing: Floats,
    stands: Floats32,
    numbers: Floats,
    joints: Floats32,
    legs: Ints,
    sole: Floats,
    jumps: Floats32,
    masses: Floats,
) -> None:
    """Bring the factors of all characters up to date."""
    model = Model(basis, curve, styles, timing, stands, numbers, joints, legs, sole, jumps, masses)
    factors = basis.shape[0] + stands.shape[1]
    for n in range(state.shape[0]):
        refresh(state[n], cache[n, :factors], model)
