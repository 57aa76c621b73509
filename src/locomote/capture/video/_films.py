"""Films and masks from files: anything ffmpeg reads, animated pictures, folders of frames, arrays."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.errors import FormatError, LocomoteError, MissingExtra
from locomote.rotations import FloatArray

Frames = npt.NDArray[np.uint8]

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif")
ARRAYS = (".npy", ".npz")
FPS = 30.0  # of a folder of frames where nobody says otherwise
WIDEST = 480  # pixels to which wider films are made smaller: silhouettes need no more
MOST = 4000  # frames: what is longer is no clip of one gait

_HEAD = re.compile(rb"P6\s+(\d+)\s+(\d+)\s+255\s")


@dataclass(frozen=True, eq=False)
class Film:
    """Colour frames ``(F, H, W, 3)``, 0 to 255, and how many there are a second."""

    frames: Frames
    fps: float
    name: str = ""

    def __len__(self) -> int:
        return len(self.frames)

    def cut(self, start: float = 0.0, end: float | None = None) -> Film:
        """A part of it.

        Parameters
        ----------
        start, end : s, from and until when; to the end without it
        """
        first = round(start * self.fps)
        last = len(self) if end is None else round(end * self.fps)
        if not 0 <= first < min(last, len(self)):
            length = len(self) / self.fps
            raise LocomoteError(f"{self.name or 'film'}: {start:g} to {end} s is no part of its {length:.3g} s")
        return replace(self, frames=self.frames[first:last])


def read_film(path: str | PathLike[str], fps: float | None = None, widest: int = WIDEST) -> Film:
    """Read a film, an animated picture, or a folder of frames in the order of their numbers.

    Parameters
    ----------
    path : a file that ffmpeg or Pillow reads, or a folder
    fps : frames a second; as the film says, 30 for a folder
    widest : pixels to which wider frames are made smaller
    """
    where = Path(path)
    if fps is not None and not (np.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
    if not where.exists():
        raise FormatError(where, "no such film, and no folder of frames")
    if where.is_dir():
        frames, rate = list(_folder(where, widest)), FPS
    elif where.suffix.lower() in PICTURES:
        frames, rate = _animated(where, widest)
    else:
        frames, rate = _by_ffmpeg(where, widest)
    sizes = {frame.shape for frame in frames}
    if len(sizes) > 1:
        raise FormatError(where, f"its frames are of {len(sizes)} different sizes")
    if len(frames) < 2:
        raise FormatError(where, f"{len(frames)} frames: no film")
    return Film(np.stack(frames), rate if fps is None else float(fps), where.stem)


def read_masks(path: str | PathLike[str]) -> FloatArray:
    """Masks that something else made, ``(F, H, W)`` from 0 to 1: a folder or film, white on black, or .npy, .npz.

    Parameters
    ----------
    path : where they are; of an .npz the array ``masks``, or its only one
    """
    from locomote.capture.video._windows import checked_masks

    where = Path(path)
    if where.suffix.lower() not in ARRAYS:
        return checked_masks(read_film(where, widest=10**6).frames.mean(axis=-1) / 255.0)
    try:
        with np.load(where, allow_pickle=False) as stored:
            if isinstance(stored, np.ndarray):
                values = stored
            else:
                names = list(stored.files)
                values = stored["masks" if "masks" in names or len(names) != 1 else names[0]]
    except KeyError:
        raise FormatError(where, f"no array 'masks' in it; it has {', '.join(names)}") from None
    except (OSError, ValueError, EOFError, TypeError, AttributeError) as error:
        if not where.exists():
            raise FormatError(where, "no such file") from None
        raise FormatError(where, f"no masks in it: {error}") from None
    try:
        return checked_masks(values)
    except LocomoteError as error:
        raise FormatError(where, str(error)) from None


def _folder(where: Path, widest: int) -> Iterator[Frames]:
    from PIL import Image, UnidentifiedImageError

    found = [one for one in where.iterdir() if one.suffix.lower() in PICTURES]
    if not found:
        raise FormatError(where, f"no frames in this folder; expected {', '.join(PICTURES)}")
    for one in sorted(found, key=_number)[:MOST]:
        try:
            with Image.open(one) as picture:
                yield _array(picture, widest)
        except (OSError, UnidentifiedImageError, ValueError) as error:
            raise FormatError(one, f"not a picture: {error}") from None


def _number(path: Path) -> list[Any]:
    """So that frame 10 comes after frame 9."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.stem)]


def _animated(where: Path, widest: int) -> tuple[list[Frames], float]:
    from PIL import Image, ImageSequence, UnidentifiedImageError

    try:
        with Image.open(where) as picture:
            lasts = float(picture.info.get("duration", 0.0) or 1000.0 / FPS)  # ms
            return [_array(one, widest) for one in islice(ImageSequence.Iterator(picture), MOST)], 1000.0 / lasts
    except (OSError, UnidentifiedImageError, ValueError) as error:
        raise FormatError(where, f"not a picture: {error}") from None


def _array(picture: Any, widest: int) -> Frames:
    width, height = picture.size
    coloured = picture.convert("RGB")
    if width > widest:
        coloured = coloured.resize((widest, max(1, round(height * widest / width))))
    return np.asarray(coloured, dtype=np.uint8)


def _by_ffmpeg(where: Path, widest: int) -> tuple[list[Frames], float]:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingExtra("imageio-ffmpeg", "capture", "reading a film") from None
    order = [imageio_ffmpeg.get_ffmpeg_exe(), "-nostdin", "-i", str(where.resolve())]
    order += ["-vf", f"scale='min({widest},iw)':-1", "-frames:v", str(MOST), "-f", "image2pipe", "-c:v", "ppm", "-"]
    done = subprocess.run(order, capture_output=True, check=False)
    frames = list(_pixmaps(done.stdout))
    if not frames:
        raise FormatError(where, "ffmpeg finds no film in it")
    told = re.search(rb"([0-9.]+) fps", done.stderr)
    rate = float(told[1]) if told else FPS
    return frames, rate if rate > 0.0 else FPS


def _pixmaps(data: bytes) -> Iterator[Frames]:
    """Pictures that follow each other: a head with width and height, then colours."""
    at = 0
    while head := _HEAD.match(data, at):
        width, height = int(head[1]), int(head[2])
        at = head.end() + 3 * width * height
        if at > len(data):
            return
        yield np.frombuffer(data, dtype=np.uint8, count=3 * width * height, offset=head.end()).reshape(height, width, 3)
