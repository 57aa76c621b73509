"""``locomote track``: motion from meshes or silhouettes, by a body in a cage."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file
from locomote.cli._shared import Json, Quiet, RolesFile, progress, read, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.capture.cages import Hulls, Meshes, PosePrior, Track
    from locomote.motion import Motion

MESHES = (".obj", ".ply", ".stl", ".off", ".glb")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")

HELP = """Track a person through meshes or silhouettes; give the motion of a rig.

Meshes (one file a frame, in the order of their names) need nothing in common: holes, flipped and doubled triangles are
put up with. Silhouettes (white on black, one folder a camera, named as in the camera file) become visual hulls.

The camera file is JSON: {"cameras": [{"name": "left", "size": [640, 480], "matrix": [[4 numbers], [4], [4]]}]}, in
metres with Y up, or "eye", "target" and "opening" (degrees) in place of "matrix".
"""


def track(
    inputs: Annotated[list[Path], typer.Argument(help="Meshes, one a frame; or a folder with one folder a camera.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Motion to write; its extension says the format.")],
    cameras: Annotated[Path | None, typer.Option(help="Camera file (JSON), of silhouettes.")] = None,
    rig: Annotated[
        Path | None, typer.Option(help="Rig with the body of the person.", show_default="a person of the right height")
    ] = None,
    height: Annotated[
        float | None, typer.Option(min=0.3, max=3.0, help="Height of the person, m.", show_default="1.75, or the rig's")
    ] = None,
    prior: Annotated[
        list[Path] | None, typer.Option(help="Motions of the kind to be expected.", show_default="walks and runs")
    ] = None,
    fps: Annotated[float, typer.Option(min=1.0, max=1000.0, help="Frames a second.")] = 30.0,
    voxel: Annotated[float, typer.Option(min=0.005, max=0.1, help="Size of voxels, m.")] = 0.02,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Track a person through meshes or silhouettes."""
    check_motion_file(output)
    target, notes = _hulls(inputs, cameras) if inputs[0].is_dir() else _meshes(inputs, cameras)
    from locomote.capture.cages import CageRig, PosePrior, Settings, Tracker
    from locomote.formats import save

    body = _body(rig, height, roles)
    cage = CageRig.of(body)
    known = None if prior is None else [read(path) for path in prior]
    hush = quiet or as_json
    with progress("poses that are likely", hush) as tick:
        likely: PosePrior = PosePrior.of(cage, known, progress=tick)
    with progress(f"tracking {len(target)} frames", hush) as tick:
        found = Tracker(cage, likely, Settings(voxel=voxel)).follow(target, fps, progress=tick)
    save(found.motion, output)
    notes += found.notes
    if as_json:
        typer.echo(json.dumps(_told(found, output, notes), indent=2, allow_nan=False))
        return
    for note in notes:
        say(note, quiet)
    say(f"{output}: {len(found.motion)} frames, {len(found.motion.skeleton)} joints", quiet)


track.__doc__ = HELP


def _told(found: Track, output: Path, notes: Sequence[str]) -> dict[str, Any]:
    import numpy as np

    gaps = np.flatnonzero(found.gaps).tolist()
    cost = float(np.nanmean(found.costs)) if len(gaps) < len(found.costs) else None
    shares = [round(float(share), 4) for share in found.used.mean(axis=0)]
    return {
        "output": str(output),
        "frames": len(found.costs),
        "fps": found.fps,
        "gaps": gaps,
        "cost": cost,
        "used": shares,
        "notes": list(notes),
    }


def _body(rig: Path | None, height: float | None, roles: Path | None) -> Motion:
    """The rig, or somebody of that height; a rig is scaled to it."""
    import numpy as np

    from locomote.human_skeleton import human_skeleton
    from locomote.motion import Motion

    if rig is None:
        skeleton = human_skeleton(0.53 * (1.75 if height is None else height) * 0.925)
        return Motion(skeleton, 30.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    body = read(rig, roles=roles)
    if height is None:
        return body
    from locomote.capture.cages import CageRig

    cage = CageRig.of(body)
    own = float(np.ptp(cage.stance.vertices @ cage.stance.up))
    return body.scaled(height / own)


def _meshes(inputs: list[Path], cameras: Path | None) -> tuple[Meshes, list[str]]:
    from locomote.capture._meshes import read_mesh
    from locomote.capture.cages import Meshes

    if cameras is not None:
        raise LocomoteError(f"{cameras}: cameras belong to a folder of silhouettes, and {inputs[0]} is a file")
    other = [path for path in inputs if path.suffix.lower() not in MESHES]
    if other:
        raise LocomoteError(f"{other[0]}: expected a mesh ({', '.join(MESHES)}) or a folder of silhouettes")
    meshes, notes = [], []
    for path in sorted(inputs):
        mesh = read_mesh(path)
        meshes.append((mesh.vertices, mesh.faces))
        notes += [f"{path}: {note}" for note in mesh.notes]
    more = [f"... and {len(notes) - 6} more notes about meshes"] if len(notes) > 6 else []
    return Meshes(meshes), notes[:6] + more


def _hulls(inputs: list[Path], cameras: Path | None) -> tuple[Hulls, list[str]]:
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    from locomote.capture.cages import Hulls, load_cameras

    if len(inputs) > 1 or cameras is None:
        raise LocomoteError(f"{inputs[0]}: silhouettes are one folder, with --cameras FILE")
    masks, known = [], load_cameras(cameras)
    for name, camera in known.items():
        folder = inputs[0] / name
        files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES) if folder.is_dir() else []
        if not files:
            raise LocomoteError(f"{folder}: no pictures of camera {name}")
        own = np.zeros((len(files), camera.height, camera.width), dtype=np.bool_)
        for f, path in enumerate(files):
            try:
                with Image.open(path) as picture:
                    seen = np.asarray(picture.convert("L"))
            except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
                raise LocomoteError(f"{path}: not a picture that can be read ({error})") from None
            if seen.shape != own.shape[1:]:
                size = f"{camera.width} x {camera.height}"
                raise LocomoteError(f"{path}: {seen.shape[1]} x {seen.shape[0]} pixels, its camera has {size}")
            own[f] = seen > 127
        masks.append(own)
    return Hulls(masks, list(known.values())), []
