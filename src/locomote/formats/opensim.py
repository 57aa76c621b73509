"""OpenSim files: joint coordinates as motion, and tables, markers and ground forces as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats import _opensim_model as model
from locomote.formats._opensim_table import (
    FootForce,
    Forces,
    Markers,
    Table,
    coordinate_name,
    parse_table,
    read_forces,
    read_markers,
    read_table,
    to_our_axes,
)
from locomote.motion import Motion
from locomote.rotations import FloatArray

__all__ = ["FootForce", "Forces", "Markers", "Table", "read", "read_forces", "read_markers", "read_table"]

NEEDED = (
    *("pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz"),
    *("hip_flexion_r", "knee_angle_r", "ankle_angle_r", "hip_flexion_l", "knee_angle_l", "ankle_angle_l"),
)
USUAL = ("lumbar_extension", "arm_flex_r", "elbow_flex_r")  # one of each part that a file may leave out
STANDING_PERCENTILE = 15.0  # of the frames' lowest foot points: a foot is down this often, even in running
PLAUSIBLE_HEIGHT = (0.8, 2.4)  # m; outside it the floor is not at y = 0 and says nothing about the body
UNEVEN_STEP = 0.05  # of the mean time step; rows further off are interpolated to even times


def read(data: bytes, path: Path, height: float | None = None, leg_length: float | None = None) -> Motion:
    """Read joint coordinates (.mot, .sto) as the motion of a human body.

    The file holds no body: unless told it is as tall as it must be for the feet to stand on the floor at height 0.

    Parameters
    ----------
    data, path : the file, and its name for messages
    height : m, of the body
    leg_length : m, hip to knee to ankle
    """
    table = _even(parse_table(data, path))
    columns = {coordinate_name(name): i for i, name in enumerate(table.names) if not name.endswith("/speed")}
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise FormatError(path, f"not joint coordinates of a person: no column {', '.join(missing)}")
    nothing = np.zeros(len(table))
    notes = [f"the first frame is at {table.times[0]:g} s of the file", "the head is held level"]
    notes += [f"no column {name}: left at rest" for name in USUAL if name not in columns]

    def value(name: str) -> FloatArray:
        default = np.full(len(table), 0.5 * np.pi) if name.startswith("pro_sup") else nothing
        return table.columns[:, columns[name]] if name in columns else default

    for name, i in columns.items():
        bad = np.flatnonzero(~np.isfinite(table.columns[:, i]))
        if len(bad):
            raise FormatError(path, f"the value of {name} in row {bad[0] + 1} is not a finite number")
    knees = np.concatenate([value("knee_angle_r"), value("knee_angle_l")])
    knee_sign = -1.0 if np.mean(knees) < 0.0 else 1.0  # older models count a bent knee as negative
    roots = to_our_axes(np.stack([value("pelvis_tx"), value("pelvis_ty"), value("pelvis_tz")], axis=-1))
    body = model.human_skeleton(1.0, knee_sign)
    turns = model.joint_rotations(body, value, knee_sign)
    scale, how = _scale(Motion(body, table.rate, np.zeros_like(roots), turns), roots, height, leg_length)
    notes.append(f"body height {scale * model.REFERENCE_HEIGHT:.2f} m, {how}")
    return Motion(model.human_skeleton(scale, knee_sign), table.rate, roots, turns, notes=tuple(notes))


def _scale(hanging: Motion, roots: FloatArray, height: float | None, leg_length: float | None) -> tuple[float, str]:
    """How large the body is beside the table, and why; ``hanging`` moves with its pelvis at the origin."""
    for name, given in (("height", height), ("leg_length", leg_length)):
        if given is not None and not 0.0 < given < np.inf:
            raise LocomoteError(f"{name}: expected metres above 0, got {given}")
    if height is not None:
        return height / model.REFERENCE_HEIGHT, "as given"
    if leg_length is not None:
        return leg_length / model.REFERENCE_LEG_LENGTH, "from the leg length given"
    # How far the feet reach below the pelvis is proportional to the body: take one that reaches the floor.
    reach = np.min(hanging.end_positions()[..., 1], axis=1)
    low, high = (h / model.REFERENCE_HEIGHT for h in PLAUSIBLE_HEIGHT)
    for _ in range(40):
        middle = 0.5 * (low + high)
        above = np.percentile(roots[:, 1] + middle * reach, STANDING_PERCENTILE) > 0.0
        low, high = (middle, high) if above else (low, middle)
    found = 0.5 * (low + high)
    if min(abs(found * model.REFERENCE_HEIGHT - limit) for limit in PLAUSIBLE_HEIGHT) < 1e-3:
        return 1.0, "assumed: the feet do not meet the floor at height 0"
    return found, "so that the feet meet the floor at height 0"


def _even(table: Table) -> Table:
    """The table at even times."""
    steps = np.diff(table.times)
    if len(steps) == 0 or np.all(np.abs(steps * table.rate - 1.0) <= UNEVEN_STEP):
        return table
    times = np.linspace(table.times[0], table.times[-1], len(table))
    columns = np.stack([np.interp(times, table.times, column) for column in table.columns.T], axis=-1)
    return Table(table.names, columns, times, table.metadata, table.rate)
