"""Films: .webp and .gif with what is always there, .mp4 with the extra ``film``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from locomote.contacts.footing import GroundOrTimes, ObstaclesOrTimes
from locomote.draw import _palette as palette
from locomote.draw._arrows import Arrows
from locomote.draw._camera import check_view
from locomote.draw._canvas import shortened
from locomote.draw._follow import Follower, check_closeup
from locomote.draw._saving import check_extension
from locomote.draw._stage import ContactsOrNot, StagedMotion, prepare
from locomote.errors import LocomoteError, MissingExtra
from locomote.formats._files import atomic_path
from locomote.motion import Motion

FILMS = (".webp", ".gif", ".mp4")
_FASTEST = {".webp": 90.0, ".gif": 50.0}  # frames/s; players slow down what is faster
_GIF_COLOURS = 128
QUALITY = 50  # of 100; lines and letters look as drawn, and a film has a third of the bytes of a .gif
_WEBP_EFFORT = 2  # of 6, which takes twenty times as long for films a sixth smaller,
_SMALL_EFFORT = 5  # and of who asks for less quality, which is to have fewer bytes

Progress = Callable[[int, int], None]


def film(
    motion: Motion,
    path: str | PathLike[str],
    *,
    contacts: ContactsOrNot = None,
    against: Motion | None = None,
    size: tuple[int, int] = (640, 360),
    fps: float = 30.0,
    view: str = "side",
    seconds: float | None = None,
    progress: Progress | None = None,
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    closeup: str | None = None,
    skin: bool = True,
    arrows: Arrows | None = None,
    quality: int = QUALITY,
) -> None:
    """Write a film of a motion; the camera goes along and the floor passes by.

    Parameters
    ----------
    motion : what is shown, with its skin if it has one
    path : .webp, .gif or .mp4
    contacts : found unless given; False leaves them out
    against : a second clip to the right, from the same start; the shorter one waits in its last pose
    size, fps, view : pixels, frames a second, and one of `VIEWS`
    seconds : after which the film is cut
    progress : called with the frames done and the frames in all
    ground, obstacles : what it goes over and what stands there, as they are or as functions of the time in seconds
    closeup : "feet" shows only what is below the knees
    skin : without it all are drawn around their bones
    arrows : such as those of forces, drawn with the body
    quality : of a .webp, 1 to 100; at 15 it has half the bytes and softer edges
    """
    check_film(path, size, fps, quality)
    view = check_view(view, ground is not None)
    if seconds is not None and not seconds > 0.0:
        raise LocomoteError(f"seconds: expected a positive number, got {seconds}")
    near = check_closeup(closeup)
    clips = [prepare(motion, contacts, ground, near, obstacles, skin).with_arrows(arrows)]
    if against is not None:
        clips.append(prepare(against, False if contacts is False else None, ground, near, obstacles, skin))
    longest = max(clip.motion.duration for clip in clips)
    shown = longest if seconds is None else min(seconds, longest)
    count = int(np.floor(shown * fps + 1e-6)) + 1
    pictures = _pictures([Follower(clip, view, near) for clip in clips], count, fps, size, progress)
    write_film(path, pictures, size, fps, quality=quality, hues=obstacle_hues(obstacles))


def check_film(path: str | PathLike[str], size: tuple[int, int], fps: float, quality: int = QUALITY) -> None:
    """Refuse what cannot be filmed before any work is done."""
    extension = check_extension(path, FILMS, "film")
    if not (np.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps: expected a positive number, got {fps}")
    fastest = _FASTEST.get(extension, fps)
    if fps > fastest:
        raise LocomoteError(f"fps: a {extension} shows at most {fastest:g} frames a second, got {fps:g}")
    if not 1 <= quality <= 100:
        raise LocomoteError(f"quality: expected 1 to 100, got {quality}")
    if min(size) < 32 or any(side % 2 for side in size):
        raise LocomoteError(f"size: expected even numbers of at least 32 pixels, got {size[0]} x {size[1]}")


def obstacle_hues(obstacles: ObstaclesOrTimes) -> tuple[palette.Colour, ...]:
    """Colours that may come into a film after its first picture."""
    if obstacles is None:
        return ()
    # The floor under water fades into the paper: one tone for both would end in a line.
    wet, far = (palette.mixed(under, palette.WATER, 0.66) for under in (palette.FLOOR, palette.PAPER))
    return palette.BLOCK, wet, far


def write_film(
    path: str | PathLike[str],
    pictures: Iterator[Image.Image],
    size: tuple[int, int],
    fps: float,
    *,
    quality: int = QUALITY,
    hues: tuple[palette.Colour, ...] = (),
) -> None:
    """Write pictures as a film, entirely or not at all; ``hues`` are those that its first picture may lack."""
    with atomic_path(path) as temporary:
        if temporary.suffix == ".gif":
            _write_gif(temporary, pictures, fps, hues)
        elif temporary.suffix == ".webp":
            _write_webp(temporary, pictures, fps, quality)
        else:
            _write_mp4(temporary, pictures, size, fps)


def _pictures(
    shots: list[Follower], count: int, fps: float, size: tuple[int, int], progress: Progress | None
) -> Iterator[Image.Image]:
    each = (size[0] // len(shots), size[1])
    scale = max(shot.scale(each) for shot in shots)
    clips = [shot.clip for shot in shots]
    for k in range(count):
        whole = Image.new("RGB", size, palette.PAPER)
        for i, shot in enumerate(shots):
            index = min(round(k / fps * shot.clip.motion.fps), len(shot.clip.motion) - 1)
            whole.paste(shot.picture(index, each, scale), (i * each[0], 0))
        _label(whole, clips, k / fps)
        if progress is not None:
            progress(k + 1, count)
        yield whole


def _label(picture: Image.Image, clips: list[StagedMotion], time: float) -> None:
    pen = ImageDraw.Draw(picture)
    width = picture.width // len(clips)
    size = max(11.0, picture.height / 26.0)
    for i, clip in enumerate(clips):
        name = shortened(clip.motion.name, size, width - 7 * size)
        pen.text((i * width + 0.8 * size, 0.7 * size), name, palette.INK, palette.font(size))
        if i:
            pen.line([(i * width, 0), (i * width, picture.height)], palette.RULE, 1)
    pen.text((picture.width - 0.8 * size, 0.7 * size), f"{time:.2f} s", palette.MUTED, palette.font(size), "ra")


def _write_gif(path: Path, pictures: Iterator[Image.Image], fps: float, hues: tuple[palette.Colour, ...]) -> None:
    """A film in one set of colours; frames last whole hundredths of a second, and the whole keeps time."""
    first = next(pictures)
    colours = _gif_colours(first, hues)
    frames = [p.quantize(palette=colours, dither=Image.Dither.NONE) for p in itertools.chain([first], pictures)]
    lasting = _lasting(len(frames), fps, 10)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=lasting, loop=0, disposal=1)


def _write_webp(path: Path, pictures: Iterator[Image.Image], fps: float, quality: int) -> None:
    """A film in all colours; frames last whole thousandths of a second, and the whole keeps time."""
    frames = list(pictures)
    frames[0].save(
        path,
        save_all=True,
        append_images=frames[1:],
        duration=_lasting(len(frames), fps, 1),
        loop=0,
        quality=quality,
        method=_WEBP_EFFORT if quality >= QUALITY else _SMALL_EFFORT,
        allow_mixed=False,
        kmin=0,
        kmax=1,  # each frame stands alone; what is kept from earlier ones leaves stains
    )


def _lasting(count: int, fps: float, unit: int) -> list[int]:
    """How long each frame is shown, in milliseconds, as multiples of ``unit``."""
    marks = np.round(np.arange(count + 1) * (1000.0 / (unit * fps))).astype(int)
    return [unit * int(d) for d in np.diff(marks)]


def _gif_colours(picture: Image.Image, more: tuple[palette.Colour, ...] = ()) -> Image.Image:
    """A picture in the colours of the whole film: those of its first frame, every tone of a body, and ``more``."""
    tones = np.linspace(0.55, 1.05, 24)
    body = (palette.BODY, palette.LEFT, palette.RIGHT, palette.LEFT_LIMB, palette.RIGHT_LIMB, palette.PLANTED)
    shades = [tuple(min(255, round(t * v)) for v in hue) for hue in (*body, *more) for t in tones]
    shades += [palette.INK, palette.MUTED, palette.RULE, *more] * len(tones)
    swatch = Image.new("RGB", (len(shades), 1))
    swatch.putdata(shades)
    sample = Image.new("RGB", (picture.width, 2 * picture.height))
    sample.paste(picture, (0, 0))
    sample.paste(swatch.resize(picture.size, Image.Resampling.NEAREST), (0, picture.height))
    found = sample.quantize(_GIF_COLOURS - 1, dither=Image.Dither.NONE)
    flat = (found.getpalette() or [])[: 3 * (_GIF_COLOURS - 1)]
    found.putpalette([*flat, *palette.PAPER])  # the paper stays exactly white
    return found


def _write_mp4(path: Path, pictures: Iterator[Image.Image], size: tuple[int, int], fps: float) -> None:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingExtra("imageio-ffmpeg", "film", "writing .mp4") from None
    writer = imageio_ffmpeg.write_frames(
        str(path), size, fps=fps, codec="libx264", quality=8, macro_block_size=2, ffmpeg_log_level="error"
    )
    writer.send(None)
    try:
        for picture in pictures:
            writer.send(np.ascontiguousarray(picture).tobytes())
    finally:
        writer.close()
