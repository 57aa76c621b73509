"""``locomote compress``: clips into one packed file."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._shared import DropTpose, Json, Quiet, Unit, progress, read, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:  # the verb imports it when it runs, to keep `--help` light
    from locomote.spaces import Library, Loss

_UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}


def compress(
    sources: Annotated[list[Path], typer.Argument(help="Motion files, or folders of them.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Packed file to write, .lmz.")],
    error: Annotated[str, typer.Option(help="Largest error of any point of the body: 1cm, 2mm, 0.01.")] = "1cm",
    mean: Annotated[bool, typer.Option("--mean", help="The error is the mean of the joints, not the largest.")] = False,
    basis: Annotated[Path | None, typer.Option(help="Take what clips share from this packed file.")] = None,
    feet: Annotated[bool, typer.Option("--feet", help="Find contacts and keep planted feet where they stand.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Also print, clip by clip, what packing cost.")] = False,
    unit: Unit = None,
    drop_tpose: DropTpose = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Pack clips into one file with an error that is promised, a hundredth of the size at 1 cm."""
    from locomote.formats._files import split_name
    from locomote.spaces import Library, compression_loss

    if output.suffix.lower() != ".lmz":
        raise LocomoteError(f"{output}: packed files are called .lmz")
    limit = metres(error)
    shared = None if basis is None else Library.load(basis).bases
    clips = []
    for path in _files_of(sources):
        motion = read(path, unit, None, None, drop_tpose)
        clips.append(replace(motion, body=None, name=split_name(path)[0]))
    with progress(f"packing {len(clips)} clips", quiet or as_json) as tell:
        library = Library.of(clips, limit, mean, shared, feet, tell)
    library.save(output)
    frames, size = sum(map(len, clips)), output.stat().st_size
    told: dict[str, Any] = {
        "file": str(output),
        "clips": len(clips),
        "frames": frames,
        "bytes": size,
        "bytes_a_frame": round(size / frames, 2),
        "ratio": round(sum(clip.ratio * clip.size for clip in library) / size, 1),
        "error_m": limit,
    }
    losses = [compression_loss(clip, library[clip.name].motion()) for clip in clips] if report else []
    if as_json:
        rows = [{"name": clip.name, **loss._asdict()} for clip, loss in zip(clips, losses, strict=report)]
        typer.echo(json.dumps(told | ({"losses": rows} if report else {}), indent=2))
        return
    if report:
        typer.echo(_table(library, losses))
    say(f"{output}: {len(clips)} clips, {frames} frames, {size} bytes, 1 : {told['ratio']}", quiet)


def _table(library: Library, losses: list[Loss]) -> str:
    """A line a clip: size, ratios in bytes and in numbers, and the figures of `compression_loss`."""
    head = [
        "clip",
        "bytes",
        "1 :",
        "numbers 1 :",
        "max mm",
        "mean mm",
        "distortion %",
        "to root %",
        "angle deg",
        "skate m/s",
    ]
    rows = [head]
    for clip, loss in zip(library, losses, strict=True):
        row = [clip.name, f"{clip.size}", f"{clip.ratio:.1f}", f"{clip.count_ratio:.1f}"]
        row += [f"{1e3 * loss.largest_error:.2f}", f"{1e3 * loss.mean_error:.2f}", f"{loss.distortion:.3f}"]
        row += [f"{loss.distortion_root:.3f}", f"{math.degrees(loss.angle_error):.3f}", f"{loss.skate_added:+.4f}"]
        rows.append(row)
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def metres(text: str) -> float:
    """A length such as ``1cm``, ``2 mm`` or plain metres."""
    number = text.strip().lower()
    unit = next((unit for unit in _UNITS if number.endswith(unit)), "")
    number, scale = number.removesuffix(unit), _UNITS.get(unit, 1.0)
    try:
        return float(number) * scale
    except ValueError:
        raise LocomoteError(f"--error {text!r}: expected a length such as 1cm, 2mm or 0.01") from None


def _files_of(sources: list[Path]) -> list[Path]:
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    found: list[Path] = []
    for source in sources:
        if not source.is_dir():
            found.append(source)
            continue
        inside = [path for path in sorted(source.rglob("*")) if path.is_file()]
        known = [(path, FORMATS.get(split_name(path)[1])) for path in inside]
        found += [path for path, form in known if form is not None and form.reads]
    if not found:
        raise LocomoteError(f"{', '.join(map(str, sources))}: no motion files there")
    return found
