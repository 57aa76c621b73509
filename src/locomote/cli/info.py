"""``locomote info``: what a file holds, and what was assumed in reading it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from locomote.cli._shared import Animation, DropTpose, Json, RolesFile, Unit, Up, read
from locomote.motion import Motion
from locomote.skeleton import Skeleton


def info(
    files: Annotated[list[Path], typer.Argument(help="Motion files.")],
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    roles: RolesFile = None,
    joints: Annotated[bool, typer.Option("--joints", help="Also list every joint.")] = False,
    as_json: Json = False,
) -> None:
    """Say what is in a file: size, rate, body, roles of the joints, and what was assumed."""
    reports = [_report(path, read(path, unit, up, animation, drop_tpose, roles), joints or as_json) for path in files]
    if as_json:
        typer.echo(json.dumps(reports if len(reports) > 1 else reports[0], indent=2))
        return
    for report in reports:
        for key, value in report.items():
            if isinstance(value, list):
                value = "\n".join(f"{'' if i == 0 else ' ' * 16}{line}" for i, line in enumerate(value)) or "none"
            typer.echo(f"{key:14}  {value}")
        if len(reports) > 1:
            typer.echo()


def _report(path: Path, motion: Motion, joints: bool) -> dict[str, Any]:
    skeleton = motion.skeleton
    positions = motion.joint_positions()
    low, high = positions[..., 1].min(), positions[0, :, 1].max() - positions[0, :, 1].min()
    roles = skeleton.roles
    report: dict[str, Any] = {
        "file": str(path),
        "name": motion.name,
        "frames": len(motion),
        "fps": round(motion.fps, 6),
        "seconds": round(motion.duration, 4),
        "joints": len(skeleton),
        "end sites": len(skeleton.end_parents),
        "height": f"{high:.3f} m in the first frame; lowest joint of all frames at {low:.3f} m",
        "leg length": f"{skeleton.leg_length():.3f} m" if roles.legs else "no legs found",
        "mesh": f"{len(motion.body.vertices)} vertices" if motion.body else "none",
        "moving joints": "some joints move against their parents" if motion.translations is not None else "root only",
        "notes": list(motion.notes),
        "roles": _role_lines(skeleton),
    }
    if joints:
        parents = ["-" if p < 0 else skeleton.names[p] for p in skeleton.parents]
        report["joint tree"] = [f"{name} < {parent}" for name, parent in zip(skeleton.names, parents, strict=True)]
    return report


def _role_lines(skeleton: Skeleton) -> list[str]:
    roles, names = skeleton.roles, skeleton.names
    lines = [f"root: {names[roles.root]}"]
    for what, chain in (("spine", roles.spine), ("neck", roles.neck), ("tail", roles.tail)):
        if chain:
            lines.append(f"{what}: {', '.join(names[j] for j in chain)}")
    if roles.head is not None:
        lines.append(f"head: {names[roles.head]}")
    for leg in roles.legs:
        parts = ", ".join(f"{part} {names[getattr(leg, part)]}" for part in ("hip", "knee", "ankle", "ball", "toe"))
        lines.append(f"{leg.side} leg, row {leg.row}: {parts}")
    for arm in roles.arms:
        parts = ", ".join(f"{part} {names[getattr(arm, part)]}" for part in ("shoulder", "elbow", "wrist"))
        lines.append(f"{arm.side} arm: {parts}")
    return lines
