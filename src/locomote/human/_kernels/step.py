"""One frame of many walking people: course, phase, pose and feet, in one pass over packed arrays.

A person is a `Walker`, its style weights, two `Foot` rows and one row of ``cache`` (float32): the factors of the ``P``
parts of the motion space, a plain pose to be added, and three control points around the present phase. A pose is three
planes (x, y, z) of ``width`` numbers: the rotation vector of joint j is column j, the root's position is column J, the
rest is padding.
"""

from __future__ import annotations

from typing import NamedTuple

from locomote.human._kernels import drive
from locomote.human._kernels.cycle_pose import PoseBuffers, add_parts
from locomote.human._kernels.feet import hold_feet
from locomote.human._kernels.model import Model
from locomote.human._kernels.moving_ground import carry
from locomote.human._kernels.pose import pose_body, refresh
from locomote.human._kernels.scratch import Scratch
from locomote.human._kernels.state import UNDER_WAY, People, Walker
from locomote.human.jumps._kernels.launch import launch
from locomote.math._compile import inline, kernel, part
from locomote.math.memory import fetch_row
from locomote.math.vector import Floats, Floats32
from locomote.world._kernels.ground import Terrain


class PoseArrays(NamedTuple):
    """The poses of N people, as they are given out."""

    roots: Floats  # (N, 3)
    rotations: Floats  # (N, J, 4)
    positions: Floats  # (N, J, 3)


@kernel
def step(
    dt: float,
    hold: bool,
    people: People,
    model: Model,
    terrain: Terrain,
    before: Floats,
    poses: PoseArrays,
    scratch: Scratch,
) -> int:
    """Advance all people by ``dt`` and fill in their poses; returns how many have another motion now.

    With ``hold`` the feet keep to their places on the ground; ``before (P, 4)`` is where the pieces of the ground were
    at the last step.
    """
    return _step_each(dt, hold, people, model, terrain, before, poses, scratch)


@part
def _step_each(
    dt: float,
    hold: bool,
    people: People,
    model: Model,
    terrain: Terrain,
    before: Floats,
    poses: PoseArrays,
    scratch: Scratch,
) -> int:
    """The same; a kernel would count references to the arrays of every person, which takes a third of its time."""
    factors = model.basis.shape[0] + model.stands.shape[1]
    changed = 0
    for n in range(people.walkers.shape[0]):
        _fetch_person(n + 1, hold, people, poses)
        row: Walker = people.walkers[n]
        weights, cached = people.weights[n], people.cache[n]
        if hold and terrain.pieces.shape[0] > 0:
            carry(row, people.feet[n], terrain.pieces, before)
        if drive.advance(row, weights, dt, model.timing):
            refresh(row, weights[0], cached[:factors], model)
            changed += 1
        if row.jump.state == UNDER_WAY and not row.jump.launched:
            launch(n, people, model, scratch)
        frame = PoseBuffers(
            scratch.frame.pose, scratch.frame.turns, scratch.world, poses.rotations[n], poses.positions[n]
        )
        pose_body(row, cached, people.bones[n], model, frame)
        if hold:
            hold_feet(n, dt, people, model, terrain, frame, scratch)
        root, hips = poses.roots[n], poses.positions[n, 0]
        root[0], root[1], root[2] = hips[0], hips[1], hips[2]
    return changed


@inline
def _fetch_person(n: int, hold: bool, people: People, poses: PoseArrays) -> None:
    """Have a person on the way from memory while the one before it is worked on: else half of the time is waiting."""
    fetch_row(people.walkers, n)
    fetch_row(people.cache, n)
    fetch_row(people.bones, n)
    if hold:
        fetch_row(people.feet, n)
    fetch_row(poses.rotations, n)
    fetch_row(poses.positions, n)


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
def refresh_rows(people: People, model: Model) -> None:
    """Bring the factors of all people up to date."""
    factors = model.basis.shape[0] + model.stands.shape[1]
    for n in range(people.walkers.shape[0]):
        refresh(people.walkers[n], people.weights[n, 0], people.cache[n, :factors], model)
