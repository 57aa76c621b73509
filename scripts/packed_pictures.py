"""Write the picture of docs/compress.md: poses of a jump as recorded and as packed to larger and larger errors."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

import locomote as lm
from locomote.spaces import Library

HERE = Path(__file__).resolve().parents[1]
CLIP = HERE.parent / "shared" / "data" / "human" / "jump" / "cmu_118_02.bvh.xz"
PICTURE = HERE / "docs" / "pictures" / "compress-qualities.png"
ERRORS = (0.01, 0.03, 0.1)  # m
TILE = (136, 176)  # pixels
POSES = 5
COLORS = 24


def row(motion: lm.Motion, frames: list[int], title: str) -> Image.Image:
    out = Image.new("RGB", (TILE[0] * len(frames), TILE[1]))
    for column, frame in enumerate(frames):
        out.paste(lm.draw.frame(motion, frame, size=TILE).convert("RGB"), (column * TILE[0], 0))
    ImageDraw.Draw(out).text((4, 4), title, fill=(0, 0, 0))
    return out


def main() -> None:
    source = lm.load(CLIP, drop_tpose=True).resampled(30.0)
    frames = [int((0.12 + 0.6 * k / (POSES - 1)) * (len(source) - 1)) for k in range(POSES)]
    rows = [row(source, frames, "as recorded: 1240 bytes a frame")]
    for error in ERRORS:
        clip = Library.of([source], error, bases=[])[0]
        title = f"{100 * error:g} cm: {clip.size / len(clip):.1f} bytes a frame, 1 : {clip.ratio:.0f}"
        rows.append(row(clip.motion(), frames, title))
    out = Image.new("RGB", (rows[0].width, TILE[1] * len(rows)))
    for number, each in enumerate(rows):
        out.paste(each, (0, number * TILE[1]))
    out.quantize(COLORS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
