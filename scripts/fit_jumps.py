"""Fit the shipped model of jumps from the folder of recorded motion, and draw it: fit_jumps.py [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from locomote.draw import strobe
from locomote.human._model import HumanModel
from locomote.human.jumps import JumpModel, fit_jumps

HERE = Path(__file__).resolve().parents[1]
ASSET = HERE / "src" / "locomote" / "assets" / "jumps.npz"
PICTURES = HERE / "docs" / "pictures"
STRIP = (1200, 260)  # pixels of one row of poses
COLOURS = 128


def draw(jumps: JumpModel) -> None:
    """The pictures of docs/jumps-model.md: a standing and a moving jump from the side and from the front."""
    standing = jumps.motion("standing", 1.4, fps=120.0)
    moving = jumps.motion("moving", 1.9, fps=120.0)
    for name, motion in (("standing", standing), ("moving", moving[: int(0.8 * len(moving))])):
        page = Image.new("RGB", (STRIP[0], 2 * STRIP[1]))
        for row, view in enumerate(("side", "front")):
            page.paste(strobe(motion, poses=11, view=view, size=STRIP), (0, row * STRIP[1]))
        page.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"jump-{name}.png", optimize=True)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "shared" / "data"
    jumps = fit_jumps(folder, HumanModel.default())
    jumps.save(ASSET)
    draw(jumps)
    for name, kind in jumps.kinds.items():
        print(f"{name}: {kind.units} jumps, {kind.lengths[0]:.2f} to {kind.lengths[1]:.2f} hip heights")
    print(f"{ASSET.name}: {ASSET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
