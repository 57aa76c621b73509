"""``locomote info``: what a file holds, and what was assumed in reading it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from locomote.cli._shared import Animation, DropTpose, Json, RolesFile, Unit, Up, read
from locomote.motion import Motion
from locomote.skeleton import Skeleton

_SHOWN = 20  # clips of a library, without --json


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
    reports = []
    for path in files:
        if animation is None and _is_packed(path):
            reports.append(_library_report(path, as_json))
        else:
            reports.append(_report(path, read(path, unit, up, animation, drop_tpose, roles), joints or as_json))
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


def _is_packed(path: Path) -> bool:
    from locomote.formats._files import split_name

    return split_name(path)[1] == ".lmz" and path.is_file()


def _library_report(path: Path, as_json: bool) -> dict[str, Any]:
    from locomote.spaces import Library

    library = Library.load(path)
    clips = list(library)
    size, frames = path.stat().st_size, sum(map(len, clips))
    raw = sum(clip.ratio * clip.size for clip in clips)
    largest = max(clip.error for clip in clips)
    report: dict[str, Any] = {
        "file": str(path),
        "bytes": size,
        "clips": len(clips),
        "frames": frames,
        "seconds": round(sum(len(clip) / clip.fps for clip in clips), 2),
        "ratio": f"1 : {raw / size:.1f} of 40 bytes a joint and frame, {size / frames:.2f} bytes a frame",
        "error": f"at most {1000.0 * largest:g} mm {'(mean of the joints)' if clips[0].is_mean else '(largest)'}",
        "shared": f"{library.bytes_shared()} bytes: {len(library.bases)} bases, skeletons and table",
    }
    shown = clips if as_json else clips[:_SHOWN]
    rows = [
        f"{clip.name}: {len(clip)} frames at {clip.fps:g} fps, {len(clip.skeleton)} joints, "
        f"{clip.size} bytes, 1 : {clip.ratio:.0f}"
        for clip in shown
    ]
    report["contents"] = rows + ([f"and {len(clips) - _SHOWN} more"] if len(clips) > len(shown) else [])
    return report


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
