"""Cut the shipped database of steps from the folder of recorded motion, and draw it: fit_steps.py [FOLDER]."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from locomote.skeleton import IntArray
from locomote.steps._database import PLAIN, StepDatabase
from locomote.steps.building._analysis import ENOUGH, movement, widths
from locomote.steps.building._build import StepClip, build_steps
from locomote.steps.building._report import step_map
from locomote.steps.building._thinning import pick, spread, without_duplicates

HERE = Path(__file__).resolve().parents[1]
PICTURES = HERE / "docs" / "pictures"
ASSET = HERE / "src" / "locomote" / "assets" / "steps.npz"
PLAIN_STEPS = 450
STYLE_STEPS = 30  # of each other style
ORDINARY_SHARE = 1 / 3  # of the plain steps: straight walking, mostly of one performer, so that plain walks stay plain
MAIN_PERFORMER, MAIN_SHARE = "69", 0.7  # of the ordinary steps
WALKERS = ("16", "35", "07", "39", "132")  # who walk plainly, too
LEAST_TRAVEL = 0.5  # hip heights of an ordinary step
STRAIGHT = np.radians(15.0)  # a foot that turns more does not walk straight
SLOWEST = 0.75  # s, of a swing
FEWEST_STEPS = 8  # of a style: fewer span no space worth the name
ABOUT = (
    "Cut from the CMU Graphics Lab Motion Capture Database. The data used in this project was obtained from "
    "mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217. The data is free for use in "
    "research and commercial projects worldwide; it may not be resold directly, even in converted form."
)
STYLES = {
    "104_11": "happy", "104_41": "zombie", "104_44": "attitude", "132_35": "leaning", "132_42": "swinging",
    "136_01": "bent", "136_05": "bent", "136_09": "crouched", "136_27": "tiptoe", "136_31": "quick",
    "137_04": "cat", "137_33": "old", "142_08": "happy", "142_14": "rushed", "91_05": "mummy", "91_13": "sad",
    "91_19": "marching", "91_20": "shy", "91_24": "limping",
}  # fmt: skip
# Of the folder `other` only these are steps on level ground; the rest climbs, dances, kicks or is damaged.
OTHER = ("133_11", "133_13", "140_06", "83_15", "83_20", "83_21", "83_44", *STYLES)


def recordings(folder: Path) -> list[StepClip]:
    """The clips of the folder of recorded motion that may be shipped, with performer and style."""
    out = []
    for kind in ("walk", "turn", "side", "other"):
        for path in sorted((folder / "human" / kind).glob("cmu_*.bvh.xz")):
            number = path.name.split(".")[0].removeprefix("cmu_")
            if kind != "other" or number in OTHER:
                out.append(StepClip(path, number.split("_")[0], STYLES.get(number, PLAIN), drop_tpose=True))
    return out


def choose(steps: StepDatabase) -> StepDatabase:
    """The steps to ship: plain ones that cover the space, and some of every other style."""
    steps = without_duplicates(steps)
    start, end = widths(steps)
    # After a step that ends wider than any starts one could only go on by extrapolation.
    steps = steps.taken(end <= np.sort(start[steps.tags == 0])[-ENOUGH])
    parts = []
    for style in range(len(steps.styles)):
        mine = np.flatnonzero(steps.tags == style)
        some = steps.taken(mine)
        if len(some) < FEWEST_STEPS:
            continue
        count = PLAIN_STEPS if style == 0 else STYLE_STEPS
        parts.append(mine[pick(some, count, ordinary(some) if style == 0 else None)])
    return tidy(steps.taken(np.concatenate(parts)))


def ordinary(steps: StepDatabase) -> IntArray:
    """Indices of straight walking steps, as many as are kept for it."""
    forward, sideways = movement(steps)
    turn = np.abs((steps.yaws[:, 2] - steps.yaws[:, 1] + np.pi) % (2.0 * np.pi) - np.pi)
    straight = (forward > LEAST_TRAVEL) & (np.abs(sideways) < 0.2 * forward) & (turn < STRAIGHT)
    straight &= steps.durations.max(axis=1) < SLOWEST
    who = np.array([steps.sources[clip].split("_")[1] for clip in steps.clips])
    count = round(ORDINARY_SHARE * PLAIN_STEPS)
    main = np.flatnonzero(straight & (who == MAIN_PERFORMER))[: round(MAIN_SHARE * count)]
    others = np.flatnonzero(straight & np.isin(who, WALKERS))
    pool = np.union1d(main, others)
    return pool[spread(steps.taken(pool), count, np.flatnonzero(np.isin(pool, main)))]


def tidy(steps: StepDatabase) -> StepDatabase:
    """The same steps, naming only the clips and styles that occur."""
    clips, clip_rows = np.unique(steps.clips, return_inverse=True)
    tags, tag_rows = np.unique(steps.tags, return_inverse=True)
    return replace(
        steps,
        clips=clip_rows.astype(np.int64),
        sources=tuple(steps.sources[k] for k in clips),
        tags=tag_rows.astype(np.int64),
        styles=tuple(steps.styles[k] for k in tags),
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "shared" / "data"
    built = build_steps(recordings(folder), ABOUT)
    steps = choose(built.steps)
    steps.save(ASSET)
    picture = step_map(steps.only(PLAIN)).quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    picture.save(PICTURES / "steps-coverage.png", optimize=True)
    print(f"{built.cut} steps cut, {len(built.steps)} usable, {len(steps)} shipped")
    for reason, count in built.left_out.most_common():
        print(f"  left out: {count} {reason}")
    print(f"{ASSET.name}: {ASSET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
