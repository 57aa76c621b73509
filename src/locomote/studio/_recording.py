"""Motions that were recorded, as files to download; every name is made here, none comes from outside."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import LocomoteError
from locomote.formats import save
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.world import Obstacles

FORMATS = (".glb", ".bvh", ".usda", ".npz")
FILMS = (".gif", ".webp", ".mp4")
LONGEST = 120.0  # s of a recording
LONGEST_FILM = 20.0  # s
FILM_SIZE, FILM_FPS = (640, 360), 20.0


class Take:
    """What one of some characters does, frame by frame, so many a second."""

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self._frames: list[tuple[FloatArray, FloatArray]] = []

    def clear(self) -> None:
        """Forget what was recorded, and begin anew."""
        self._frames = []

    def keep(self, poses: Poses, who: int = 0) -> None:
        """One more frame, as long as there is room."""
        if len(self._frames) < LONGEST * self.fps:
            self._frames.append((poses.root_positions[who].copy(), poses.rotations[who].copy()))

    def motions(self, skeleton: Skeleton, name: str, body: Body | None) -> list[Motion]:
        """The motion, if there is any."""
        if not self._frames:
            return []
        places, turns = (np.array(part) for part in zip(*self._frames, strict=True))
        return [Motion(skeleton, self.fps, places, rot.continuous(turns), name=name, body=body)]


def motion_file(motions: Sequence[Motion], extension: str) -> tuple[str, bytes]:
    """Name and content of the file of a motion; of several, an archive."""
    if extension not in FORMATS:
        raise LocomoteError(f"format {extension!r}: expected {', '.join(FORMATS)}")
    if not motions:
        raise LocomoteError("nothing is recorded yet: press record, wait, press stop")
    with tempfile.TemporaryDirectory(prefix="locomote-studio-") as aside:
        if len(motions) == 1:
            path = Path(aside) / f"take{extension}"
            save(motions[0], path)
            return path.name, path.read_bytes()
        return "takes.zip", _archive(motions, Path(aside), extension)


def _archive(motions: Sequence[Motion], aside: Path, extension: str) -> bytes:
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for n, motion in enumerate(motions):
            path = aside / f"take{n + 1:0{len(str(len(motions)))}}{extension}"
            save(motion, path)
            archive.write(path, path.name)
    return out.getvalue()


def film_format() -> str:
    """What films are downloaded as: what every player shows, or a picture that moves where no encoder is installed."""
    return ".mp4" if importlib.util.find_spec("imageio_ffmpeg") else ".gif"


def film_file(
    motions: Sequence[Motion],
    extension: str,
    obstacles: Obstacles | None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[str, bytes]:
    """Name and content of a film of all motions together; ``progress`` is told the frames done and those in all."""
    from locomote.draw import film_together

    if extension not in FILMS:
        raise LocomoteError(f"film {extension!r}: expected {', '.join(FILMS)}")
    if not motions:
        raise LocomoteError("nothing is recorded yet: press record, wait, press stop")
    cut = [motion[: round(LONGEST_FILM * motion.fps)] for motion in motions]
    named = [replace(motion, name=f"take{n + 1}") for n, motion in enumerate(cut)]
    with tempfile.TemporaryDirectory(prefix="locomote-studio-") as aside:
        path = Path(aside) / f"film{extension}"
        film_together(named, path, size=FILM_SIZE, fps=FILM_FPS, obstacles=obstacles, progress=progress)
        return path.name, path.read_bytes()
