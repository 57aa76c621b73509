"""Can a classifier tell the strides of recorded dogs from those of the wolf, and by what?

    python benchmarks/dogs_told_apart.py [DATA]

Writes docs/performance/dogs-told-apart.md. Needs the recorded motion in ../shared/data and scikit-learn.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from _page import write_page
from locomote.rotations import FloatArray
from locomote_lab.creatures.told_apart import PARTS, DogStride, labrador, other_dog, part, strides_of, wolf
from locomote_lab.human.told_apart import area, scores

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
CLIPS = ("quad_walkrun_001", "quad_walkrun_006", "quad_walkrun_007", "idle_002", "idle_004")
HEIGHTS = {"Labrador": 0.565, "other dog": 0.375}  # m, of the hips
GAITS = {name: name for name in ("walk", "pace", "trot", "transverse gallop")} | {"rotary gallop": "gallop"}
NOISE = 0.05  # of the height of the hips
SEEDS = 5
# What was found, moving, of the wolf as it was before its wrists bent, its neck nodded and its girdles rolled, by the
# same method: against the Labrador, the other dog, and both.
BEFORE = {
    "whole body": ("0.91 ± 0.04", "0.98 ± 0.02", "0.99 ± 0.01"),
    "trunk": ("0.49 ± 0.05", "0.95 ± 0.02", "0.90 ± 0.01"),
    "head": ("0.69 ± 0.10", "0.92 ± 0.03", "0.88 ± 0.03"),
    "hind legs": ("0.95 ± 0.02", "0.87 ± 0.05", "0.92 ± 0.03"),
    "fore legs": ("0.81 ± 0.04", "0.99 ± 0.01", "0.96 ± 0.01"),
}

METHOD = """
Strides of two recorded dogs ({counts}),
and for each of them a stride of the wolf of the package in the same gait and at the same speed over √(g h), of another
seed. A stride is where 20 joints are from the middle of the pelvis, over the height of the hips, in a body that goes
along +Z: the mean of each and three harmonics of the cycle, from landing to landing of the left (in gallops: first)
hind foot; ends are closed. {percent:.0f} % of the height of the hips is added to every feature as noise. Trees learn
from the strides of four fifths of the clips and judge the rest: the area under their ROC curve, the mean of {seeds}
draws of noise and folds; 0.5 is chance, 1 is told apart always.

*As they stand* has the means, in which three bodies with other bones differ whatever they do: so do the two dogs.
*Moving* only has the harmonics. Two dogs are no population: how well they are told from one another is the scale. Most
strides of the other dog are paces, which the gaits of the wolf were not fitted to.
"""


def twins(strides: Sequence[DogStride]) -> list[DogStride]:
    """A stride of the wolf for each, in the same gait and at the same speed."""
    out = []
    for seed, stride in enumerate(strides):
        found = [each for each in strides_of(wolf(GAITS[stride.gait], stride.speed, seed)) if each.gait == stride.gait]
        if found:
            out.append(found[len(found) // 2])
    return out


def told(one: Sequence[DogStride], other: Sequence[DogStride], name: str, moving: bool) -> str:
    """The area for a part of the body, and its spread over the draws."""
    both = [*one, *other]
    features: FloatArray = part(np.array([stride.features for stride in both]), name, moving)
    first = np.arange(len(both)) < len(one)
    clips = np.array([stride.clip for stride in both])
    areas = [area(scores(features, first, clips, NOISE, seed), first) for seed in range(SEEDS)]
    return f"{np.mean(areas):.2f} ± {np.std(areas):.2f}"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    recorded = {
        "Labrador": [s for walked in labrador(folder, CLIPS, HEIGHTS["Labrador"]) for s in strides_of(walked)],
        "other dog": [s for walked in other_dog(folder, HEIGHTS["other dog"]) for s in strides_of(walked)],
    }
    recorded = {dog: [s for s in strides if s.gait in GAITS] for dog, strides in recorded.items()}
    made = {dog: twins(strides) for dog, strides in recorded.items()}
    everybody = [s for strides in recorded.values() for s in strides], [s for strides in made.values() for s in strides]
    tables = []
    for moving, caption in ((True, "Moving"), (False, "As they stand")):
        rows = []
        for name in PARTS:
            row = [name, *(told(recorded[dog], made[dog], name, moving) for dog in recorded)]
            row += [told(*everybody, name, moving), told(*recorded.values(), name, moving)]
            rows.append([*row, *(BEFORE.get(name, ("", "", "")) if moving else ())])
            print(*rows[-1], sep=" | ", flush=True)
        head = ["", *(f"{dog} and wolf" for dog in recorded), "both dogs and wolf", "dog and dog"]
        head += [f"before: {who}" for who in (*recorded, "both")] if moving else []
        tables.append((caption, head, rows))
    counts = "; ".join(
        f"{dog}: " + ", ".join(f"{sum(s.gait == gait for s in strides)} {gait}" for gait in GAITS)
        for dog, strides in recorded.items()
    )
    method = METHOD.format(counts=counts, percent=100 * NOISE, seeds=SEEDS)
    write_page("dogs-told-apart", "Recorded dogs and the wolf, told apart", method, tables)


if __name__ == "__main__":
    main()
