"""Write the picture of docs/pendulums.md: a walker who is hit, beside the same walk."""

from __future__ import annotations

from pathlib import Path

import locomote as lm
from locomote.pendulums import Hit, overlay

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SHOWN = slice(87, 150)  # frames around the hit
HIT = 1.5  # s


def main() -> None:
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.3).record(seconds=3, fps=60)
    hit = overlay(walk, [Hit(HIT, "Spine2", (0.18, 0.0, -0.1))])
    after = HIT - SHOWN.start / walk.fps
    lm.draw.sheet(
        hit[SHOWN],
        PICTURES / "pendulums-hit.png",
        against=walk[SHOWN],
        poses=9,
        title=f"Hit on the chest after {after:.2f} s",
    )


if __name__ == "__main__":
    main()
