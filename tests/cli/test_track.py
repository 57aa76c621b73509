"""`locomote track`: meshes and silhouettes in, a motion out; what cannot be tracked is told in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import locomote as lm
from locomote.capture import camera_ring, stage
from locomote.capture.cages import save_cameras
from locomote.cli import app
from locomote.errors import LocomoteError

FRAMES = 3


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Meshes, silhouettes with their cameras and a motion for the prior."""
    folder = tmp_path_factory.mktemp("recording")
    walk = lm.samples.performer(speed=1.2, seconds=0.8, fps=30.0).motion
    lm.save(walk, folder / "prior.bvh")
    part = walk[6 : 6 + FRAMES]
    surface = stage.meshes(part)
    for f, vertices in enumerate(surface.vertices):
        rows = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices]
        rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in surface.faces]
        (folder / f"scan_{f:03d}.obj").write_text("\n".join(rows))
    cameras = camera_ring(3, 3.5, target=part.root_positions.mean(axis=0), size=(120, 120))
    save_cameras(folder / "cameras.json", cameras)
    for c, camera in enumerate(cameras):
        (folder / "masks" / str(c)).mkdir(parents=True)
        for f, mask in enumerate(stage.silhouettes(part, camera)):
            Image.fromarray((255 * mask).astype(np.uint8)).save(folder / "masks" / str(c) / f"{f:03d}.png")
    return folder


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["track", *map(str, words)])
    if isinstance(result.exception, LocomoteError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_meshes_and_silhouettes_become_motions(recording: Path) -> None:
    more = ("--prior", recording / "prior.bvh", "--voxel", "0.04", "--fps", "30", "--json")
    scans = sorted(recording.glob("scan_*.obj"))
    told = json.loads(run(*scans, "-o", recording / "scans.bvh", *more))
    assert (told["frames"], told["gaps"]) == (FRAMES, [])
    assert len(lm.load(recording / "scans.bvh")) == FRAMES
    cameras = ("--cameras", recording / "cameras.json", "--height", "1.8")
    told = json.loads(run(recording / "masks", *cameras, "-o", recording / "hulls.glb", *more))
    assert len(told["used"]) == 3
    assert len(lm.load(recording / "hulls.glb")) == FRAMES


def test_what_cannot_be_tracked_is_told(recording: Path, tmp_path: Path) -> None:
    out = ("-o", tmp_path / "out.bvh")
    with pytest.raises(LocomoteError, match="--cameras FILE"):
        run(recording / "masks", *out)
    with pytest.raises(LocomoteError, match="expected a mesh"):
        run(recording / "cameras.json", *out)
    with pytest.raises(LocomoteError, match="no such file"):
        run(tmp_path / "none.obj", *out)
    (tmp_path / "0").mkdir()
    with pytest.raises(LocomoteError, match="no pictures of camera 0"):
        run(tmp_path, "--cameras", recording / "cameras.json", *out)
    (tmp_path / "0" / "a.png").write_bytes(b"no picture")
    with pytest.raises(LocomoteError, match="not a picture"):
        run(tmp_path, "--cameras", recording / "cameras.json", *out)
    assert not (tmp_path / "out.bvh").exists()
