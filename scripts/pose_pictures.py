"""Write the pictures of docs/pose.md: ten bodies posed by handles beside plain inverse kinematics, an edited walk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from _stills import FILM_QUALITY
from PIL import Image, ImageDraw
from space_pictures import DRAGS

import locomote as lm
from locomote.motion import Motion, Poses
from locomote.spaces import Drag, Handle, Posed, PoseDatabase, Poser, edit

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
TILE = (190, 250)  # pixels
STEPS = 20  # of a drag
DRAGGED = 2.0  # s, when the hand of the walker is dragged
REACH = np.array([-0.05, 0.65, 0.35])  # m


def walk() -> Motion:
    """A walk of the model that ships."""
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=3, speed=1.2)
    return crowd.record(seconds=4.0, fps=60)


def tile(pose: Motion, title: str, miss: float) -> Image.Image:
    image = lm.draw.frame(pose, 0, size=TILE, contacts=False).convert("RGB")
    pen = ImageDraw.Draw(image)
    pen.text((4, 4), title, fill=(0, 0, 0))
    pen.text((4, TILE[1] - 14), f"miss {1000 * miss:.0f} mm", fill=(0, 0, 0))
    return image


def standing() -> Motion:
    """A person who stands."""
    return lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=3, speed=0.0).record(seconds=1.0, fps=30)[-1:]


def dragged(poser: Poser, still: Motion, asked: dict[str, np.ndarray]) -> Posed:
    """A body whose handles are dragged to their places, step by step."""
    begin = {joint: still.joint_positions()[0, still.skeleton.index(joint)] for joint in asked}
    pose: Motion | Poses = still
    for share in np.linspace(0.05, 1.0, STEPS):
        goals = [Handle(joint, begin[joint] + share * (place - begin[joint])) for joint, place in asked.items()]
        found = poser.solve(goals, pose)
        pose = found.pose
    return found


def ten_poses() -> None:
    still = standing()
    poser = Poser(PoseDatabase.default().onto(still.skeleton))
    places = dict(zip(still.skeleton.names, still.joint_positions()[0], strict=True))
    out = Image.new("RGB", (5 * TILE[0], 4 * TILE[1]))
    for i, (name, drags) in enumerate(DRAGS.items()):
        asked = {joint: places[joint] + drag for joint, drag in {"LeftFoot": 0.0, "RightFoot": 0.0, **drags}.items()}
        found = dragged(poser, still, asked)
        natural = Motion(still.skeleton, 30.0, found.pose.root_positions, found.pose.rotations)
        plain = lm.ik.solve(still, [lm.ik.Goal(joint, place) for joint, place in asked.items()], steps=40)
        rows = ("recorded", natural, found.error), ("plain", plain.pose, plain.error)
        for row, (label, pose, error) in enumerate(rows):
            image = tile(pose, f"{label}: {name}", float(error.max()))
            out.paste(image, (i % 5 * TILE[0], (2 * (i // 5) + row) * TILE[1]))
    out.quantize(96).save(PICTURES / "pose-handles.png", optimize=True)


def edited_walk() -> None:
    old = walk()
    hand = old.skeleton.index("RightHand")
    goal = old.joint_positions()[round(DRAGGED * old.fps), hand] + REACH
    new = edit(old, [Drag("RightHand", DRAGGED, goal, window=0.8)])
    lm.draw.film(
        new[45:], PICTURES / "pose-edit.webp", against=old[45:], size=(560, 270), fps=30.0, quality=FILM_QUALITY
    )


if __name__ == "__main__":
    ten_poses()
    edited_walk()
