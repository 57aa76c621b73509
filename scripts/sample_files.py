"""Makes the clip and the rig that come with the package: ``python scripts/sample_files.py``.

Both are ours: a person of the walking engine who walks, and the mannequin of another body, who stands in an A-pose.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import locomote as lm
from locomote import rotations as rot
from locomote.human_skeleton import human_skeleton
from locomote.mannequin import mannequin

FILES = Path(__file__).resolve().parents[1] / "src" / "locomote" / "samples" / "files"
HERO = lm.human.Body("female", age=28.0, build=-0.3, stature=1.74)
ARMS_DOWN = {"Arm": 0.7, "ForeArm": 0.15}  # rad that each joint of a left arm is turned down


def hero() -> lm.Motion:
    """One frame of the rig."""
    skeleton = human_skeleton(HERO.leg_length, HERO.proportions)
    body = mannequin(skeleton, light=True)
    rest = rot.identity(len(skeleton))
    for part, angle in ARMS_DOWN.items():
        for side, sign in (("Left", -1.0), ("Right", 1.0)):
            rest[skeleton.index(side + part)] = rot.from_axis_angle((0.0, 0.0, sign), angle)
    # A rig from elsewhere does not say what is what: that is found.
    skeleton = replace(skeleton, rest_rotations=rest, given_roles=None)
    hips = skeleton.offsets[0][None]
    return lm.Motion(skeleton, 30.0, hips, rest[None], name="hero", body=body)


def main() -> None:
    """Write both files."""
    lm.save(hero(), FILES / "hero.glb")
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=2, speed=1.3, style="steady")
    crowd.record(2.0)
    walk = crowd.record(4.0, fps=60.0)
    start = walk.root_positions[0] * (1.0, 0.0, 1.0)
    lm.save(replace(walk, root_positions=walk.root_positions - start, name="walk"), FILES / "walk.bvh")


if __name__ == "__main__":
    main()
