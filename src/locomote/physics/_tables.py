"""Forces as tables for spreadsheets and scripts."""

from __future__ import annotations

import csv
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from locomote.formats._files import atomic_path
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

if TYPE_CHECKING:
    from locomote.physics._forces import ContactForces


def leg_names(legs: tuple[Leg, ...]) -> list[str]:
    """left, right; with the number of the row, from the front, where there are more than one."""
    rows = len({leg.row for leg in legs})
    sides = [leg.side or "middle" for leg in legs]
    return [f"{side}{leg.row + 1}" if rows > 1 else side for side, leg in zip(sides, legs, strict=True)]


def table(found: ContactForces, torques: bool) -> tuple[list[str], FloatArray]:
    """Names and values ``(F, columns)`` of all that was found."""
    names = ["time_s"]
    columns = [np.arange(len(found))[:, None] / found.fps]
    for i, leg in enumerate(leg_names(found.skeleton.roles.legs)):
        names += [f"{leg}_force_{axis}_N" for axis in "xyz"] + [f"{leg}_centre_{axis}_m" for axis in "xyz"]
        names.append(f"{leg}_friction")
        columns += [found.force[:, i], found.centre[:, i], found.friction[:, i, None]]
    names += [f"missing_force_{axis}_N" for axis in "xyz"] + [f"missing_moment_{axis}_Nm" for axis in "xyz"]
    columns += [found.residual, found.effort[:, None]]
    names.append("effort_N2m2")
    if torques:
        names += [f"{joint}_torque_{axis}_Nm" for joint in found.skeleton.names for axis in "xyz"]
        columns.append(found.torques.reshape(len(found), -1))
    return names, np.concatenate(columns, axis=1)


def write_csv(path: str | PathLike[str], names: list[str], columns: FloatArray) -> None:
    """Write a table, entirely or not at all."""
    with atomic_path(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([f"{value:.6g}" for value in row] for row in columns)
