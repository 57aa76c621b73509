"""A gait from a film: ``python gait_from_video.py [folder]``.

The film is made on the stage: a wolf that trots before a background that pans. Its gait is found, the frames to pose
are chosen, the wolf's own poses stand for those of an artist, and a horse trots as the wolf did.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.capture import stage, video

SIZE = (320, 240)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    crowd = lm.creatures.Crowd("wolf", speed=2.4, gait="trot")
    crowd.record(seconds=2, fps=60)
    wolf = crowd.record(seconds=1.6, fps=30)
    frames = stage.film(wolf, stage.cameras_beside(wolf, SIZE), stage.Look(noise=6.0, pan=(-2.0, 0.0)))

    masks = video.segment(frames, subject=(106, 94, 157, 120), background=(0, 0, 320, 60))
    rhythm = video.watch(masks, fps=30.0, symmetric=True)
    print(rhythm.report())
    keys = video.choose_keys(rhythm)
    video.sheet(rhythm, keys, folder / "sheet.png")
    print("pose the frames", ", ".join(map(str, keys)))

    lm.save(wolf.sampled(keys), folder / "poses.glb")  # in place of an artist
    gait = video.VideoGait.of(rhythm, video.read_poses(folder / "poses.glb"), keys, name="filmed trot")
    gait.save(folder / "trot.npz")
    duty = np.round(gait.steps.duty, 2)
    print(f"a cycle lasts {gait.period:.2f} s, {gait.speed:.2f} m/s, feet stand for {duty} of it")

    horses = video.VideoGait.load(folder / "trot.npz").crowd("horse", count=1)
    lm.save(horses.record(seconds=3, fps=60), folder / "horse.glb")
    print(folder / "horse.glb")


if __name__ == "__main__":
    main()
