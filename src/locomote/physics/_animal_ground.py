"""The ground of a simulated animal: ours (`world.Ground`) as shapes of MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.world import Ground
from locomote.world._kernels.ground_layout import HALF_LENGTH, HALF_WIDTH, SLOPE_X, SLOPE_Z, YAW, X, Y, Z

UPRIGHT = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # turns +Z of MuJoCo's planes and height fields to +Y
_DEEP = 0.05  # m below its lowest point that a height field reaches


def add_ground(spec: Any, mujoco: Any, ground: Ground | None, friction: float) -> None:
    """Add the floor, the height field and the pieces of a ground to a model in the making; level without one."""
    touch: dict[str, Any] = {"contype": 1, "conaffinity": 0, "friction": [friction, 0.005, 0.0001]}
    kinds = mujoco.mjtGeom
    if ground is None:
        spec.worldbody.add_geom(name="floor", type=kinds.mjGEOM_PLANE, size=[0.0, 0.0, 1.0], quat=UPRIGHT, **touch)
        return
    if ground.moves:
        raise LocomoteError("a simulated animal needs ground that rests; pieces of this one move by themselves")
    terrain = ground.arrays
    if terrain.grid.size == 1:
        level = float(terrain.grid[0, 0])
        spec.worldbody.add_geom(
            name="floor", type=kinds.mjGEOM_PLANE, size=[0.0, 0.0, 1.0], pos=[0.0, level, 0.0], quat=UPRIGHT, **touch
        )
    else:
        _raster(spec, kinds, terrain.grid, terrain.frame, touch)
    for row, corners, thick in zip(terrain.pieces, ground.corners, ground.thickness, strict=True):
        if row[SLOPE_X] or row[SLOPE_Z]:
            mesh = spec.add_mesh(name=f"piece {len(spec.meshes)}")
            mesh.uservert = corners.ravel()
            spec.worldbody.add_geom(type=kinds.mjGEOM_MESH, meshname=mesh.name, **touch)
            continue
        half = 0.5 * float(thick)
        spec.worldbody.add_geom(
            type=kinds.mjGEOM_BOX, size=[row[HALF_WIDTH], half, row[HALF_LENGTH]],
            pos=[row[X], row[Y] - half, row[Z]], quat=[np.cos(0.5 * row[YAW]), 0.0, np.sin(0.5 * row[YAW]), 0.0],
            **touch,
        )  # fmt: skip


def _raster(spec: Any, kinds: Any, grid: Any, frame: Any, touch: dict[str, Any]) -> None:
    """A height field: rows of ours go along z, its rows along its own y, which is our -z."""
    rows, columns = grid.shape
    low, span = float(grid.min()), max(float(np.ptp(grid)), 1e-6)
    half = [0.5 * float(frame[2]) * (count - 1) for count in (columns, rows)]
    field = spec.add_hfield(name="ground", nrow=rows, ncol=columns, size=[half[0], half[1], span, _DEEP])
    field.userdata = ((grid[::-1] - low) / span).ravel()
    middle = [float(frame[0]) + half[0], low, float(frame[1]) + half[1]]
    spec.worldbody.add_geom(
        name="floor", type=kinds.mjGEOM_HFIELD, hfieldname="ground", pos=middle, quat=UPRIGHT, **touch
    )
