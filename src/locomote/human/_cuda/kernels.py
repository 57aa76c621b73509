"""The step of people as CUDA kernels: one thread a person, with the functions of `human/_kernels` as they are.

State lies in tiles of 32 people (`math/_cuda_records`): a warp reads a number of 32 of them side by side. A step is
four launches, in this order:

- ``advance_all``: the course of everyone, and the factors of their motions;
- ``fill_points``: the control points of the motions that have moved on, a block for a tile, its threads side by side
  along the numbers of a pose: one person a thread would read the basis in 32 places at once;
- ``pose_all``: bodies and feet. Who launches a jump, or plans a step, waits in a queue: few do in a frame, but it takes
  a hundred times as long as all the rest and would stall the 31 others of a warp;
- ``go_on``: those in the queue.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from numba import cuda
from numba.cuda import types

from locomote.human._kernels import drive
from locomote.human._kernels.cycle_pose import PoseBuffers, nearest_sample, new_points
from locomote.human._kernels.feet import PLANS, begin_frame, decide, land, move_feet, plan
from locomote.human._kernels.legs import AIM_COLUMNS
from locomote.human._kernels.model import Model
from locomote.human._kernels.moving_ground import carry
from locomote.human._kernels.pose import pose_body, refresh
from locomote.human._kernels.scratch import Scratch
from locomote.human._kernels.state import UNDER_WAY, Foot, People, Walker
from locomote.human._kernels.step import PoseArrays
from locomote.human.jumps._kernels.launch import launch
from locomote.math._cuda_records import LANES, tiled_array, tiled_rows, tiled_type
from locomote.math.records import dtype_of
from locomote.math.vector import Floats, Floats32, Ints
from locomote.world._kernels.ground import Terrain

WALKER = dtype_of(Walker)
WALKER_WORDS, FOOT_WORDS = WALKER.itemsize // 8, dtype_of(Foot).itemsize // 8
LEGS = 2
LAUNCH = LEGS  # in place of the leg whose step is planned
FILLING = 4  # people at a time, of a block that fills in control points: a thread for every number of a pose
BANKED = LANES + 1  # one more than there are, so that columns of shared memory are in banks of their own


class Tiles(NamedTuple):
    """The state of N people in tiles of 32, each number of all of them before the next; the last may be empty."""

    walkers: Ints
    feet: Ints
    weights: Floats
    cache: Floats32
    bones: Floats32


class Queue(NamedTuple):
    """Those who launch a jump or plan a step in this frame."""

    counts: Ints  # (2,) of them, and of those who have another motion now
    who: Ints  # (N,)
    leg: Ints  # (N,) whose step is planned, or `LAUNCH`
    doing: Ints  # (N,)


def make_kernels(joints: int, width: int, parts: int, styles: int) -> dict[str, Callable[..., None]]:
    """The launches of a step, for models of these sizes: local memory is of a fixed size."""
    pose_size = 3 * width
    factors, cache_size = parts + pose_size, parts + 4 * pose_size
    walker_at, feet_at = tiled_rows(tiled_type(WALKER), (1,)), tiled_rows(tiled_type(dtype_of(Foot)), (1, LEGS))
    weights_at = tiled_array(types.float64, (1, 2, styles))
    cache_at = tiled_array(types.float32, (1, cache_size))
    bones_at = tiled_array(types.float32, (1, 3, width))
    points_from = parts + pose_size

    def advance_all(
        dt: float,
        hold: bool,
        count: int,
        state: Tiles,
        model: Model,
        terrain: Terrain,
        before: Floats,
        queue: Queue,
    ) -> None:
        n = cuda.grid(1)
        if n >= count:
            return
        tile, lane = n // LANES, n % LANES
        row = walker_at(state.walkers, tile * LANES * WALKER_WORDS + lane)[0]
        weights = weights_at(state.weights, tile * LANES * 2 * styles + lane)[0]
        if hold and terrain.pieces.shape[0] > 0:
            feet = feet_at(state.feet, tile * LANES * LEGS * FOOT_WORDS + lane)
            carry(row, feet[0], terrain.pieces, before)
        if drive.advance(row, weights, dt, model.timing):
            cached = cache_at(state.cache, tile * LANES * cache_size + lane)[0]
            refresh(row, weights[0], cached[:factors], model)
            cuda.atomic.add(queue.counts, 1, 1)

    def fill_points(count: int, state: Tiles, basis: Floats32) -> None:
        amounts = cuda.shared.array((parts, LANES), types.float32)
        made = cuda.shared.array((pose_size, BANKED), types.float32)
        starts = cuda.shared.array(LANES, types.int32)
        slots = cuda.shared.array(LANES, types.int32)
        numbers = cuda.shared.array(LANES, types.int32)
        thread, tile = cuda.threadIdx.x, cuda.blockIdx.x
        lane = thread % LANES
        cache = tile * LANES * cache_size + lane
        for part in range(thread // LANES, parts, FILLING * pose_size // LANES):
            amounts[part, lane] = state.cache[cache + LANES * part]
        if thread < LANES:
            numbers[lane] = 0
            if tile * LANES + lane < count:
                row = walker_at(state.walkers, tile * LANES * WALKER_WORDS + lane)[0]
                samples = basis.shape[1] // pose_size - 2
                nearest, _ = nearest_sample(row.cycles - math.floor(row.cycles), samples)
                middle, first, start, slot, number = new_points(nearest, row.held, samples)
                starts[lane], slots[lane], numbers[lane] = start * pose_size, slot, number
                if number > 0:
                    row.held = 3 * middle + first
        cuda.syncthreads()
        x = thread % pose_size
        for k in range(3):
            for person in range(thread // pose_size, LANES, FILLING):
                if k < numbers[person]:
                    column = starts[person] + k * pose_size + x
                    total = types.float32(0.0)
                    for p in range(0, parts, 8):
                        eight = types.float32(0.0)
                        for i in range(8):
                            eight += amounts[p + i, person] * basis[p + i, column]
                        total += eight
                    made[x, person] = total
            cuda.syncthreads()
            if k < numbers[lane]:
                to = cache + LANES * (points_from + (slots[lane] + k) * pose_size)
                for column in range(thread // LANES, pose_size, FILLING * pose_size // LANES):
                    state.cache[to + LANES * column] = made[column, lane]
            cuda.syncthreads()

    def pose_all(
        dt: float, hold: bool, count: int, state: Tiles, model: Model, terrain: Terrain, poses: PoseArrays, queue: Queue
    ) -> None:
        n = cuda.grid(1)
        if n >= count:
            return
        tile, lane = n // LANES, n % LANES
        pose = cuda.local.array(pose_size, types.float32)
        turns = cuda.local.array((4, width), types.float32)
        world = cuda.local.array((joints, 4), types.float64)
        aims = cuda.local.array((LEGS, AIM_COLUMNS), types.float64)
        people = People(
            walker_at(state.walkers, tile * LANES * WALKER_WORDS + lane),
            weights_at(state.weights, tile * LANES * 2 * styles + lane),
            feet_at(state.feet, tile * LANES * LEGS * FOOT_WORDS + lane),
            cache_at(state.cache, tile * LANES * cache_size + lane),
            bones_at(state.bones, tile * LANES * 3 * width + lane),
        )
        row = people.walkers[0]
        waits = row.jump.state == UNDER_WAY and not row.jump.launched
        leg, doing = LAUNCH, 0
        if not waits:
            frame = PoseBuffers(pose, turns, world, poses.rotations[n], poses.positions[n])
            pose_body(row, people.cache[0], people.bones[0], model, frame)
            if hold:
                doing = begin_frame(row)
                for leg in range(LEGS):
                    doing = decide(leg, 0, dt, doing, people, model, terrain, frame)
                    if doing & PLANS:
                        waits = True
                        break
                    land(leg, 0, dt, doing, people, model, terrain)
                if not waits:
                    move_feet(0, dt, doing, people, model, terrain, frame, aims)
        if waits:
            at = cuda.atomic.add(queue.counts, 0, 1)
            queue.who[at], queue.leg[at], queue.doing[at] = n, leg, doing
        else:
            for i in range(3):
                poses.roots[n, i] = poses.positions[n, 0, i]

    def go_on(
        dt: float, hold: bool, state: Tiles, model: Model, terrain: Terrain, poses: PoseArrays, queue: Queue
    ) -> None:
        # The walker itself is copied, too: who looks ahead copies it, which records in tiles cannot do.
        own = cuda.local.array(WALKER_WORDS, types.int64)
        ahead = cuda.local.array(WALKER_WORDS, types.int64)
        pose = cuda.local.array(pose_size, types.float32)
        turns = cuda.local.array((4, width), types.float32)
        world = cuda.local.array((joints, 4), types.float64)
        ahead_world = cuda.local.array((joints, 4), types.float64)
        rotations = cuda.local.array((joints, 4), types.float64)
        positions = cuda.local.array((joints, 3), types.float64)
        cached = cuda.local.array(cache_size, types.float32)
        weights = cuda.local.array((2, styles), types.float64)
        aims = cuda.local.array((LEGS, AIM_COLUMNS), types.float64)
        buffers = PoseBuffers(pose, turns, ahead_world, rotations, positions)
        scratch = Scratch(ahead.view(WALKER), weights, cached, buffers, aims, world)
        for q in range(cuda.grid(1), queue.counts[0], cuda.gridsize(1)):
            n = queue.who[q]
            tile, lane = n // LANES, n % LANES
            words = tile * LANES * WALKER_WORDS + lane
            for i in range(WALKER_WORDS):
                own[i] = state.walkers[words + LANES * i]
            people = People(
                own.view(WALKER),
                weights_at(state.weights, tile * LANES * 2 * styles + lane),
                feet_at(state.feet, tile * LANES * LEGS * FOOT_WORDS + lane),
                cache_at(state.cache, tile * LANES * cache_size + lane),
                bones_at(state.bones, tile * LANES * 3 * width + lane),
            )
            row = people.walkers[0]
            frame = PoseBuffers(pose, turns, world, poses.rotations[n], poses.positions[n])
            first, doing = queue.leg[q], queue.doing[q]
            decided = first != LAUNCH
            if not decided:
                first = 0
                launch(0, people, model, scratch)
            pose_body(row, people.cache[0], people.bones[0], model, frame)
            if hold:
                if not decided:
                    doing = begin_frame(row)
                for leg in range(first, LEGS):
                    if not decided:
                        doing = decide(leg, 0, dt, doing, people, model, terrain, frame)
                    decided = False
                    if doing & PLANS:
                        plan(leg, 0, dt, doing, people, model, terrain, frame, scratch)
                    land(leg, 0, dt, doing, people, model, terrain)
                move_feet(0, dt, doing, people, model, terrain, frame, aims)
            for i in range(3):
                poses.roots[n, i] = poses.positions[n, 0, i]
            for i in range(WALKER_WORDS):
                state.walkers[words + LANES * i] = own[i]

    return {each.__name__: each for each in (advance_all, fill_points, pose_all, go_on)}
