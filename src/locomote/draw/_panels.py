"""Pictures side by side, one for each pose, all at one scale."""

from __future__ import annotations

from PIL import Image, ImageDraw

from locomote.draw import _palette as palette
from locomote.draw._follow import Follower
from locomote.draw._scene import STILL
from locomote.draw._stage import StagedMotion

_GAP = 6  # px between pictures
_TEXT = 13.0  # px


def panels(
    clip: StagedMotion,
    frames: list[int],
    view: str,
    size: tuple[int, int],
    closeup: bool,
    background: palette.Colour | None = palette.PAPER,
    rows: int = 1,
    scale: float | None = None,
) -> Image.Image:
    """Frames of a clip in rows that fill a picture; ``scale`` is metres a pixel, as large as fits without it."""
    follower = Follower(clip, view, closeup, frames)
    columns = -(-len(frames) // rows)
    each = ((size[0] + _GAP) // columns - _GAP, (size[1] + _GAP) // rows - _GAP)
    scale = follower.scale(each) if scale is None else scale
    whole = Image.new("RGBA", size) if background is None else Image.new("RGB", size, background)
    pen = ImageDraw.Draw(whole)
    for k, frame in enumerate(frames):
        left, top = (k % columns) * (each[0] + _GAP), (k // columns) * (each[1] + _GAP)
        whole.paste(follower.picture(frame, each, scale, STILL, background), (left, top))
        time = f"{frame / clip.motion.fps:.2f} s"
        pen.text((left + 6, top + 4), time, palette.MUTED, palette.font(_TEXT))
    return whole
