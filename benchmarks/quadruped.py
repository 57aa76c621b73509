"""The wolf of the package beside a recorded Labrador: feet and trunk, stride by stride.

    python benchmarks/quadruped.py [DATA]

Writes docs/quadruped.md and its pictures. Needs the recorded motion in ../shared/data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import locomote as lm
from _page import table
from locomote.creatures._recording import record_all
from locomote.draw import Series
from locomote.draw import _palette as palette
from locomote.draw._canvas import Canvas
from locomote.draw._plots import draw_plot
from locomote.draw._saving import save_picture
from locomote_lab.creatures.footfalls import BoolArray, PawTrack
from locomote_lab.creatures.strides import CURVES, PART_CURVES, Stride, StrideCycle, average, find_strides
from locomote_lab.creatures.told_apart import labrador as recorded_labrador
from locomote_lab.creatures.told_apart import other_dog

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
PICTURES = ROOT / "docs" / "pictures"

FEET = ("b_LeftToe", "b__LeftFinger", "b_RightToe", "b_RightFinger")
HIPS = ("b_LeftLegUpper", "b_LeftArm", "b_RightLegUpper", "b_RightArm")
SPINE = ("b_Hips", "b_Spine1", "b_Spine2", "b__Neck")
HEIGHT, GIRDLES = 0.565, 0.525  # m, of the Labrador's hips, and from its hips to its shoulders
OTHER_HEIGHT, OTHER_GIRDLES = 0.375, 0.48  # m, of the other dog
CLIPS = ("quad_walkrun_001", "quad_walkrun_006", "quad_walkrun_007", "idle_002", "idle_004", "back_001")
HEAD = ("b__Neck", "b_Head", "Bip01_HeadNub")
ARMS = (
    ("b_LeftForeArm", "b_LeftHand", "b__LeftFinger"),
    ("b_RightForeArm", "b_RightHand", "b_RightFinger"),
)
WOLF_SPINE = ("pelvis", "loin", "back", "chest")
WOLF_HEAD = ("neck_1", "head", "end of head")
WOLF_ARMS = tuple(tuple(f"{name}.{side}" for name in ("forearm", "hand", "fingers")) for side in "LR")
WOLF_FEET = (2, 0, 3, 1)  # left hind, left fore, right hind, right fore
FPS = 120.0
WARM_UP, SECONDS = 2.0, 8.0
STILL = 0.02  # of what a dog does, below which there is nothing to compare

# The gait of the wolf for each of the dog's.
GAITS = {"walk": "walk", "trot": "trot", "rotary gallop": "gallop", "back": "back"}
# A canter was recorded only as it was put onto a robot with hips 0.33 m high: seven strides, feet only.
CANTER_PERIOD, CANTER_STRIDE, CANTER_DUTY = 0.417 * np.sqrt(9.81 / 0.33), 1.1 / 0.33, 0.34
CANTER_LANDS = (0.0, 0.37, 0.25, 0.74)
CANTER_SPEED = 1.4  # over sqrt(g h)
# How high the tips of the paws of another dog are in their swings, of the highest: pace and trot.
TIPS = {
    "hind": [0.0, 0.5, 0.85, 0.95, 1.0, 0.93, 0.75, 0.5, 0.33, 0.22, 0.0],
    "fore": [0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.9, 1.0, 0.86, 0.53, 0.0],
}

INTRODUCTION = """# Four legs beside the truth

What the wolf of the package does, with no recorded motion at all, beside a Labrador that was recorded at 120 frames
a second (one dog, few strides: an anchor, not a norm). Both are measured by `locomote_lab.creatures.strides`:

```python
from locomote_lab.creatures.footfalls import PawTrack
from locomote_lab.creatures.strides import average, find_strides

# names of joints; feet and hips: left hind, left fore, right hind, right fore
track = PawTrack.of(lm.load("dog.bvh"), feet, hips, spine, height=0.565)
walk = average([stride for stride in find_strides(track) if stride.gait == "walk"])
walk.mean.period, walk.mean.lands, walk.mean.duty, walk.curve("hip height"), walk.ranges["flexion"]
```

A foot stands that is slow (0.3 m/s, or 0.45 of the speed of the body) and low (0.16 hip heights over its own floor).
That is wider than the truth: of the wolf, whose feet know when they stand, it finds every stance, and makes it longer
by 0.04 (walk) to 0.09 (gallop) of the cycle. So duties and placings are compared as found, and the wolf's own are given
beside them. Speeds are over √(g h), h the height of the hind hips; lengths over h, angles in degrees, from the lowest
to the highest. How alike two curves over the cycle are is their correlation: 1 is the same shape at the same time. The
wolf goes at the mean speed of the dog's strides. Written by `benchmarks/quadruped.py`.

Wrists are the angle between forearm and hand, each over the cycle of its own foot, above 0 where the hand is ahead;
those of the dog are noisy (its hands splay, and in a gallop turn over), so that their ranges are rather too wide: the
other recorded dog has 92 (walk, pace), 119 (trot) and 127 (gallop). Necks are seen from their base to the head, heads
from there to the nose, both against the level.

This is no independent test: the gaits, the shares of all that moves the body, the course of the hands and the legs of
the wolf were chosen by looking at these very strides. When the feet land in a gallop, and how high they are lifted, is
between this dog and another one. That the back bends with the pelvis and hardly
with the shoulders, whose blades turn on the chest, is read off them as well; backwards it is the other way round for
the dog, not for the wolf. In a gallop feet leave the ground quicker than they come down, as those of the dog do; fore
feet are still found to land and to leave further from their shoulders than the dog's, by up to 1.4 times. The joint
that is the dog's shoulder goes to and fro with the blade; that of the wolf, the top of the blade, hardly does.
What is left: in walks, and backwards, how the heights follow from the steps is not known, and backwards the dog sets
its feet further ahead.
[Can a classifier tell them apart?](performance/dogs-told-apart.md)
"""

BY_LENGTH = """## Beside another dog

The other recorded dog is small and long: its girdles are 1.28 hip heights apart, those of the Labrador 0.93, of the
wolf 0.81, of the dog of the package 1.31. Counted by the heights of their hips, the two dogs disagree by a quarter to a
third (at the same speed over √(g h), periods over √(h/g)); counted by the way between their girdles they agree. So
trots and gallops of bodies longer than the wolf's are slower: speeds and periods of the presets grow with the root of
the length, and feet stand for shorter shares, for legs do not reach further. Shorter bodies step as the wolf does.
Periods of animals made here over those recorded, where lengths of both are made the same:

"""


def labrador(folder: Path) -> dict[str, StrideCycle]:
    strides: list[Stride] = []
    for clip in CLIPS:
        motion = lm.load(folder / "animal" / f"labrador_dog_{clip}.bvh.xz")
        strides += find_strides(PawTrack.of(motion, FEET, HIPS, SPINE, HEIGHT).with_parts(motion, HEAD, ARMS))
    return {gait: average([stride for stride in strides if stride.gait == gait]) for gait in GAITS}


def wolf(gait: str, speed: float) -> tuple[PawTrack, BoolArray]:
    """The wolf at a speed over sqrt(g h), and which of its feet it says stand."""
    kind = lm.creatures.Creature.build("wolf")
    height = float(kind.morphology.hips[:, 1].min())
    crowd = lm.creatures.Crowd(kind, 1, speed=speed * np.sqrt(9.81 * height), gait=gait)
    crowd.record(WARM_UP, FPS)
    down: list[BoolArray] = []
    motion = record_all(crowd, SECONDS, FPS, [0], after=lambda _: down.append(crowd.planted[0]))[0]
    flags = np.array([down[0], *down])[:, WOLF_FEET]
    return PawTrack.of_creature(motion, kind.morphology, WOLF_SPINE).with_parts(motion, WOLF_HEAD, WOLF_ARMS), flags


def rows_of(dog: StrideCycle, own: StrideCycle, seen: StrideCycle) -> list[list[str]]:
    """One measure a row: dog, wolf as it knows itself, wolf as it is found, and the ratio of the last to the first."""
    rows = []

    def add(name: str, take: Callable[[Stride], Any], phase: bool = False) -> None:
        values = [float(np.mean(take(cycle.mean))) for cycle in (dog, own, seen)]
        spread = float(np.mean(take(dog.deviation)))
        off = values[2] - values[0]
        last = f"{(off + 0.5) % 1.0 - 0.5:+.2f}" if phase else f"{values[2] / values[0]:.2f}"
        rows.append([name, f"{values[0]:.2f} ± {spread:.2f}", *(f"{v:.2f}" for v in values[1:]), last])

    add("period over √(h/g)", lambda s: s.period)
    add("stride", lambda s: s.length)
    first, second = ("first", "second") if "gallop" in dog.gait else ("left", "right")
    names = (f"{first} hind", f"{first} fore", f"{second} hind", f"{second} fore")
    for foot in range(1, 4):
        add(f"{names[foot]} foot lands at", lambda s, foot=foot: s.lands[foot], phase=True)
    for who, pair in (("hind", [0, 2]), ("fore", [1, 3])):
        add(f"duty, {who}", lambda s, pair=pair: s.duty[pair])
    for who, pair in (("hind", [0, 2]), ("fore", [1, 3])):
        add(f"lands ahead of its hip, {who}", lambda s, pair=pair: s.placing[pair, 0])
        add(f"leaves ahead of its hip, {who}", lambda s, pair=pair: s.placing[pair, 1])
    for who, pair in (("hind", [0, 2]), ("fore", [1, 3])):
        add(f"clearance, {who}", lambda s, pair=pair: s.clearance[pair])
    for name in (*CURVES, *PART_CURVES):
        digits = 3 if "height" in name or name == "sway" else 1
        ranges = [dog.ranges[name], own.ranges[name], seen.ranges[name]]
        told = [f"{value:.{digits}f}" for value in ranges]
        if ranges[1] < STILL * ranges[0]:
            rows.append([name, *told, "none"])
            continue
        alike = float(np.corrcoef(dog.curve(name), own.curve(name))[0, 1])
        rows.append([name, *told, f"{ranges[2] / ranges[0]:.2f}, alike {alike:+.2f}"])
    return rows


def picture(dog: StrideCycle, own: StrideCycle, path: Path) -> None:
    """The curves of both over the cycle, and the swings of their feet."""
    phases = np.linspace(0.0, 1.0, dog.mean.curves.shape[1])
    canvas = Canvas(1500, 1330)
    canvas.text(20, 14, f"{dog.gait}: recorded dog, and wolf made here", 20)
    wide, high = 365.0, 250.0
    for k, name in enumerate((*CURVES, *PART_CURVES)):
        left, top = 20 + (k % 4) * wide, 56 + (k // 4) * high
        mean, spread = dog.curve(name), dog.deviation.curves[k]
        label = f"{name} (h)" if "height" in name or name == "sway" else f"{name} (deg)"
        draw_plot(
            canvas,
            (left, top, left + wide - 15, top + high - 12),
            [
                Series(phases, mean, "dog", palette.LEFT),
                Series(phases, mean + spread, "", palette.LEFT_LIMB, dashed=True),
                Series(phases, mean - spread, "", palette.LEFT_LIMB, dashed=True),
                Series(phases, own.curve(name), "wolf", palette.RIGHT),
            ],
            y_label=label,
            x_range=(0.0, 1.0),
        )
    u = np.linspace(0.0, 1.0, dog.mean.rise.shape[1])
    left, top = 20 + 3 * wide, 56 + 3 * high
    draw_plot(
        canvas,
        (left, top, left + wide - 15, top + high - 12),
        [
            Series(u, dog.mean.progress.mean(axis=0), "dog", palette.LEFT),
            Series(u, own.mean.progress.mean(axis=0), "wolf", palette.RIGHT),
        ],
        y_label="way of the swing",
        x_range=(0.0, 1.0),
    )
    tips = np.linspace(0.0, 1.0, 11)
    for k, (who, pair) in enumerate((("hind", [0, 2]), ("fore", [1, 3]))):
        left, top = 20 + k * wide, 56 + 4 * high
        draw_plot(
            canvas,
            (left, top, left + wide - 15, top + high - 12),
            [
                Series(tips, TIPS[who], "tips of another dog's paws", palette.LEFT),
                Series(u, own.mean.rise[pair].mean(axis=0), "wolf", palette.RIGHT),
            ],
            y_label=f"height, {who} swing",
            x_range=(0.0, 1.0),
        )
    _footfalls(canvas, dog, own, 20 + 2 * wide, 56 + 4 * high, 2 * wide - 15, high - 30)
    save_picture(canvas.finish(), path)


def _footfalls(
    canvas: Canvas, dog: StrideCycle, own: StrideCycle, left: float, top: float, wide: float, high: float
) -> None:
    """When the feet stand: two bars a foot, the dog's above."""
    names = ("H1", "F1", "H2", "F2") if "gallop" in dog.gait else ("LH", "LF", "RH", "RF")
    row = high / 4.0
    canvas.text(left + 40, top + high + 6, "feet down over the cycle", 13, palette.MUTED)
    for foot, name in enumerate(names):
        y = top + foot * row
        canvas.text(left, y + 0.4 * row, name, 13, palette.MUTED, "lm")
        for k, (cycle, colour) in enumerate(((dog, palette.LEFT), (own, palette.RIGHT))):
            begin, duty = cycle.mean.lands[foot] % 1.0, cycle.mean.duty[foot]
            for first, last in ((begin, min(begin + duty, 1.0)), (0.0, max(begin + duty - 1.0, 0.0))):
                x = left + 40 + first * (wide - 40), left + 40 + last * (wide - 40)
                if x[1] > x[0]:
                    canvas.box((x[0], y + 0.38 * row * k, x[1], y + 0.38 * row * (k + 1) - 3), colour, 0.8)


def canter_rows() -> list[list[str]]:
    track, flags = wolf("canter", CANTER_SPEED)
    own, seen = average(find_strides(track, flags)), average(find_strides(track))
    pairs = [
        ("period over √(h/g)", CANTER_PERIOD, own.mean.period, seen.mean.period),
        ("stride", CANTER_STRIDE, own.mean.length, seen.mean.length),
        ("duty", CANTER_DUTY, own.mean.duty.mean(), seen.mean.duty.mean()),
    ]
    rows = [[name, f"{a:.2f}", f"{b:.2f}", f"{c:.2f}", f"{c / a:.2f}"] for name, a, b, c in pairs]
    for foot, name in ((2, "second hind"), (1, "first fore"), (3, "second fore")):
        known, a, b = CANTER_LANDS[foot], own.mean.lands[foot], seen.mean.lands[foot]
        rows.append([f"{name} foot lands at", f"{known:.2f}", f"{a:.2f}", f"{b:.2f}", f"{b - known:+.2f}"])
    return rows


def by_length_rows(folder: Path) -> list[list[str]]:
    """Periods of animals made here over those of two recorded dogs, at the same speeds counted by height and length."""
    clips = [clip for clip in CLIPS if clip != "back_001"]
    dogs = {
        "Labrador": ([walked.track for walked in recorded_labrador(folder, clips, HEIGHT)], HEIGHT, GIRDLES),
        "other dog": ([walked.track for walked in other_dog(folder, OTHER_HEIGHT)], OTHER_HEIGHT, OTHER_GIRDLES),
    }
    rows = []
    for gait, ours in (("trot", "trot"), ("rotary gallop", "gallop"), ("transverse gallop", "transverse gallop")):
        for dog, (tracks, height, girdles) in dogs.items():
            found = [stride for track in tracks for stride in find_strides(track) if stride.gait == gait]
            if not found:
                continue
            speed = float(np.mean([stride.speed for stride in found])) * np.sqrt(9.81 * height)
            period = float(np.mean([stride.period for stride in found])) * np.sqrt(height / 9.81)
            row = [f"{gait}, {dog}", f"{len(found)}", f"{speed:.2f} m/s", f"{period:.3f} s"]
            for animal in ("wolf", "dog"):
                row += [
                    f"{_period_over(animal, ours, speed, period, *size):.2f}" for size in ((height, 1), (girdles, 2))
                ]
            rows.append(row)
    return rows


def _period_over(animal: str, gait: str, speed: float, period: float, size: float, axis: int) -> float:
    """The period of an animal of another size, by its height (1) or length (2), over one that was recorded."""
    kind = lm.creatures.Creature.build(animal)
    hips = kind.morphology.hips
    own = float(hips[2:, 1].mean() if axis == 1 else hips[:2, 2].mean() - hips[2:, 2].mean())
    factor = np.sqrt(own / size)
    crowd = lm.creatures.Crowd(kind, 1, speed=factor * speed, gait=gait)
    crowd.liven(vary=0.0)
    crowd.record(WARM_UP, FPS)
    return float(crowd.periods[0]) / factor / period


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    dogs = labrador(folder)
    parts = [INTRODUCTION]
    head = ["", "Labrador", "wolf, by its own feet", "wolf, as found", "ratio, or turns off"]
    for gait, dog in dogs.items():
        track, flags = wolf(GAITS[gait], float(dog.mean.speed))
        own, seen = average(find_strides(track, flags)), average(find_strides(track))
        name = f"quadruped-{gait.replace(' ', '-')}.png"
        picture(dog, own, PICTURES / name)
        with Image.open(PICTURES / name) as plot:
            plot.quantize(64, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)
        parts.append(
            f"## {gait.capitalize()}\n\n{dog.count} strides of the dog at {abs(float(dog.mean.speed)):.2f} √(g h), "
            f"{own.count} of the wolf.\n\n![{gait} of both](pictures/{name})\n\n" + table(head, rows_of(dog, own, seen))
        )
    parts.append(
        "## Canter\n\nThere is no clean canter among the recordings of dogs: these figures are of a canter of the same "
        "dog as it was put onto a robot, of its feet only.\n\n"
        + table(["", "dog on a robot", *head[2:]], canter_rows())
    )
    head = ["", "strides", "speed", "period", "wolf, by height", "by length", "dog, by height", "by length"]
    parts.append(BY_LENGTH + table(head, by_length_rows(folder)))
    text = "\n\n".join(parts) + "\n"
    (ROOT / "docs" / "quadruped.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
