"""VRM animation: a binary glTF file that says which node is which bone of an avatar."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import samples, save
from locomote.creatures import Creature
from locomote.errors import LocomoteError
from locomote.formats.vrma import human_bones
from locomote.human import Crowd, HumanModel
from locomote.motion import Motion
from tests.formats.gltf_judge import Judge

REQUIRED = {"hips", "spine", "head"} | {
    side + part
    for side in ("left", "right")
    for part in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")
}  # of the specification of VRM 1.0


def test_a_walk_says_its_bones_and_moves_them(tmp_path: Path) -> None:
    motion = Crowd(HumanModel.default(), 1, speed=1.4).record(1.0)
    save(motion, tmp_path / "walk.vrma")
    (tmp_path / "walk.glb").write_bytes((tmp_path / "walk.vrma").read_bytes())
    judge = Judge(tmp_path / "walk.glb")
    judge.check_structure()
    assert judge.file.extensionsUsed == ["VRMC_vrm_animation"]
    about = judge.file.extensions["VRMC_vrm_animation"]
    assert about["specVersion"] == "1.0"
    bones = {name: one["node"] for name, one in about["humanoid"]["humanBones"].items()}
    assert set(bones) >= REQUIRED
    assert len(set(bones.values())) == len(bones)
    assert {channel.target.path for channel in judge.file.animations[0].channels} == {"translation", "rotation"}
    places = motion.joint_positions()
    for frame in (0, 30, 60):
        worlds = judge.worlds(frame)
        seen = np.array([worlds[n][:3, 3] for n in range(len(motion.skeleton))])
        assert np.abs(seen - places[frame]).max() < 1e-4
    rest = judge.worlds(None)
    assert rest[bones["leftHand"]][0, 3] > 0.5  # a T-pose that faces +Z has its left at +X
    assert list(tmp_path.glob("*.tmp*")) == []


def test_only_people_have_one(tmp_path: Path) -> None:
    dog = Creature.build("dog").morphology.skeleton
    with pytest.raises(LocomoteError, match="two legs"):
        save(Motion(dog, 30.0, dog.offsets[None, 0], dog.rest_rotations[None]), tmp_path / "dog.vrma")
    assert set(human_bones(samples.performer().motion.skeleton)) >= REQUIRED
