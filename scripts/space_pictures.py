"""Write the picture of docs/spaces.md: ten poses solved from dragged handles, beside plain inverse kinematics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import locomote as lm
from locomote import rotations as rot
from locomote.spaces import Handle, PoseSpace, Reach

HERE = Path(__file__).resolve().parents[1]
DATA = HERE.parent / "shared" / "data" / "human"
PICTURE = HERE / "docs" / "pictures" / "spaces-handles.png"
CLIPS = (
    *("walk/cmu_132_46", "other/cmu_15_07", "other/cmu_17_10", "other/cmu_05_02", "other/cmu_111_27"),
    *("jump/cmu_13_11", "jump/cmu_118_02"),
)
TILE = (190, 250)  # pixels
UP, AHEAD, LEFT = np.eye(3)[[1, 2, 0]]
# What is dragged by how much, m; feet that are not named are held where they are.
DRAGS = {
    "hand up": {"RightHand": 1.05 * UP + 0.15 * AHEAD},
    "both up": {"RightHand": UP + 0.1 * AHEAD, "LeftHand": UP + 0.1 * AHEAD},
    "reach low": {"RightHand": -0.45 * UP + 0.45 * AHEAD},
    "reach ahead": {"RightHand": 0.45 * UP + 0.75 * AHEAD},
    "duck": {"Head": -0.35 * UP + 0.1 * AHEAD},
    "aside": {"Head": 0.0 * UP, "RightHand": 0.4 * UP - 0.5 * LEFT},
    "across": {"RightHand": 0.45 * UP + 0.45 * AHEAD + 0.55 * LEFT},
    "lunge": {"LeftFoot": 0.55 * AHEAD, "RightFoot": -0.15 * AHEAD, "RightHand": 0.4 * UP + 0.6 * AHEAD},
    "kick": {"RightFoot": 0.5 * UP + 0.6 * AHEAD},
    "crouch": {"Head": -0.5 * UP, "RightHand": -0.2 * UP + 0.3 * AHEAD, "LeftHand": -0.2 * UP + 0.3 * AHEAD},
}


def tile(pose: lm.Motion, title: str, miss: float) -> Image.Image:
    image = lm.draw.frame(pose, 0, size=TILE).convert("RGB")
    pen = ImageDraw.Draw(image)
    pen.text((4, 4), title, fill=(0, 0, 0))
    pen.text((4, TILE[1] - 14), f"miss {1000 * miss:.0f} mm", fill=(0, 0, 0))
    return image


def main() -> None:
    motions = [lm.load(DATA / f"{name}.bvh.xz", drop_tpose=True).resampled(30.0) for name in CLIPS]
    space = PoseSpace.fit(motions, keep=0.995)
    still = motions[0][300:301]
    still = still.moved(rot.from_yaw(-rot.yaw(still.rotations[0, 0])))
    places = dict(zip(space.skeleton.names, still.joint_positions()[0], strict=True))
    out = Image.new("RGB", (5 * TILE[0], 4 * TILE[1]))
    for i, (name, drags) in enumerate(DRAGS.items()):
        asked = {joint: places[joint] + drag for joint, drag in {"LeftFoot": 0.0, "RightFoot": 0.0, **drags}.items()}
        handles = [Handle(joint, place) for joint, place in asked.items()]
        natural = space.reach(
            handles, still, root="free", settings=Reach(prior=3e-4, limits=0.1, rounds=60), exact=True
        )
        plain = lm.ik.solve(still, [lm.ik.Goal(joint, place) for joint, place in asked.items()], steps=40)
        for row, (label, found) in enumerate((("natural", natural), ("plain", plain))):
            image = tile(found.pose, f"{label}: {name}", float(found.error.max()))
            out.paste(image, (i % 5 * TILE[0], (2 * (i // 5) + row) * TILE[1]))
    out.quantize(128).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
