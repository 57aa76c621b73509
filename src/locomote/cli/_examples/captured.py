"""Examples of what scanners and cameras give: meshes, silhouettes, a film."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import locomote as lm
from locomote.capture import stage
from locomote.cli._human import make_folder
from locomote.draw._camera import Camera
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

FRAMES = 6  # of all that is scanned and seen
FILM, FPS = (320, 240), 30.0
RING, VIEW = 6, (200, 200)  # cameras, and pixels of each


def scans(folder: Path) -> None:
    """A walker, one mesh a frame."""
    seen = stage.meshes(_walker())
    make_folder(folder)
    for frame, vertices in enumerate(seen.vertices):
        _write_obj(folder / f"{frame:03d}.obj", vertices, seen.faces)


def frames(folder: Path) -> None:
    """The rig that comes with the package, as a scanner with Z up and millimetres sees it move."""
    moved = lm.retarget(lm.samples.clip(), lm.samples.rig())
    seen = stage.meshes(moved[:: round(moved.fps / FPS)][:FRAMES])
    make_folder(folder)
    for frame, places in enumerate(seen.vertices):
        x, y, z = np.moveaxis(1000.0 * places, -1, 0)
        _write_ply(folder / f"{frame:03d}.ply", np.stack([x, -z, y], axis=-1), seen.faces)


def scanned_wolf(path: Path) -> None:
    """A wolf, one mesh."""
    seen = stage.meshes(lm.creature("wolf", 0.0, 0.1)[:1])
    _write_obj(path, seen.vertices[0], seen.faces)


def silhouettes(folder: Path) -> None:
    """White on black, one folder a camera."""
    from PIL import Image

    walk = _walker()
    for number, camera in enumerate(_ring(walk)):
        make_folder(folder / str(number))
        for frame, mask in enumerate(stage.silhouettes(walk, camera)):
            Image.fromarray(np.where(mask, 255, 0).astype(np.uint8)).save(folder / str(number) / f"{frame:03d}.png")


def cameras(path: Path) -> None:
    """Where those cameras stand."""
    from locomote.capture.cages import save_cameras

    save_cameras(path, _ring(_walker()))


def wolf_film(path: Path) -> None:
    """A wolf that trots before a background that pans."""
    import imageio_ffmpeg

    wolf = _trot()
    pictures = stage.film(wolf, stage.cameras_beside(wolf, FILM), stage.Look(noise=6.0, pan=(-2.0, 0.0)))
    writer = imageio_ffmpeg.write_frames(str(path), FILM, fps=FPS, quality=9, ffmpeg_log_level="error")
    writer.send(None)
    for picture in pictures:
        writer.send(np.ascontiguousarray(picture))
    writer.close()


def wolf_poses(path: Path) -> None:
    """The wolf's own poses in the key frames of its film, in place of an artist's."""
    from locomote.capture import video

    wolf = _trot()
    masks = stage.silhouettes(wolf, stage.cameras_beside(wolf, FILM))
    lm.save(wolf.sampled(video.choose_keys(video.watch(masks, fps=FPS, symmetric=True))), path)


def _walker() -> Motion:
    clip = lm.samples.clip()
    return clip[:: round(clip.fps / FPS)][:FRAMES]


def _ring(walk: Motion) -> list[Camera]:
    return lm.capture.camera_ring(RING, radius=3.5, target=walk.root_positions.mean(axis=0), size=VIEW)


def _trot() -> Motion:
    crowd = lm.creatures.Crowd("wolf", speed=2.4, gait="trot")
    crowd.record(seconds=2, fps=60)
    return crowd.record(seconds=1.6, fps=FPS)


def _write_obj(path: Path, vertices: FloatArray, faces: IntArray) -> None:
    lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _write_ply(path: Path, vertices: FloatArray, faces: IntArray) -> None:
    head = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}"]
    head += [f"property float {axis}" for axis in "xyz"]
    head += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    lines = [f"{x:.2f} {y:.2f} {z:.2f}" for x, y, z in vertices.tolist()]
    lines += [f"3 {a} {b} {c}" for a, b, c in faces.tolist()]
    path.write_text("\n".join([*head, *lines]) + "\n", encoding="ascii")
