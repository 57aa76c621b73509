"""VRM animation (.vrma): the motion of a person for any VRM avatar, as glTF with the extension VRMC_vrm_animation."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._gltf_build import Builder, floats, generator
from locomote.formats._gltf_document import Json
from locomote.motion import Motion
from locomote.skeleton import Skeleton

_SPINE = ("spine", "chest", "upperChest")  # those that an avatar may have, from the hips up
_LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
_ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")


def write(motion: Motion, path: Path) -> None:
    """Write the motion of a person; what avatars have no bone for is left out.

    Parameters
    ----------
    motion : of a body with two legs and two arms, that rests in a T-pose facing +Z
    path : .vrma
    """
    bones = human_bones(motion.skeleton)
    skeleton = motion.skeleton
    builder = Builder({"asset": {"version": "2.0", "generator": generator()}, "scene": 0, "scenes": [{"nodes": [0]}]})
    # Every joint is a node, so that rotations of joints which avatars lack are not lost to those below them.
    for j, name in enumerate(skeleton.names):
        node: Json = {
            "name": name,
            "translation": skeleton.offsets[j].tolist(),
            "rotation": skeleton.rest_rotations[j, [1, 2, 3, 0]].tolist(),
        }
        if below := skeleton.children(j):
            node["children"] = below
        builder.append("nodes", node)
    times = builder.accessor(floats(motion.times[:, None]), bounds=True)
    samplers: list[Json] = []
    channels: list[Json] = []

    def add(node: int, what: str, values: np.ndarray) -> None:
        samplers.append({"input": times, "output": builder.accessor(floats(values)), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": what}})

    smooth = rot.continuous(rot.normalize(motion.rotations))
    add(0, "translation", motion.root_positions)
    for j in range(len(skeleton)):
        add(j, "rotation", smooth[:, j][:, [1, 2, 3, 0]])
    about = {"name": motion.name or "motion", "samplers": samplers, "channels": channels, "extras": {"fps": motion.fps}}
    builder.append("animations", about)
    builder.tree["extensionsUsed"] = ["VRMC_vrm_animation"]
    humanoid = {"humanBones": {name: {"node": j} for name, j in bones.items()}}
    builder.tree["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": humanoid}}
    builder.save(path.with_suffix(".glb"))  # a .vrma is a binary glTF file under another name
    path.with_suffix(".glb").replace(path)


def human_bones(skeleton: Skeleton) -> dict[str, int]:
    """The joint behind every bone of a VRM avatar that this skeleton has: at least hips, head and all four limbs."""
    roles = skeleton.roles
    if len(roles.legs) != 2 or len(roles.arms) != 2 or roles.head is None:
        found = f"{len(roles.legs)} legs, {len(roles.arms)} arms, {'a' if roles.head is not None else 'no'} head"
        raise LocomoteError(f"VRM animation is for people with two legs, two arms and a head; this body has {found}")
    bones = {"hips": roles.root, "head": roles.head}
    # Of many vertebrae those that are spread most evenly.
    picked = np.unique(np.linspace(0, len(roles.spine) - 1, min(len(roles.spine), len(_SPINE))).round().astype(int))
    bones |= {name: roles.spine[at] for name, at in zip(_SPINE, picked, strict=False)}
    if roles.neck:
        bones["neck"] = roles.neck[0]
    for leg in roles.legs:
        joints = (leg.hip, leg.knee, leg.ankle, leg.ball)
        bones |= {leg.side + name: joint for name, joint in zip(_LEG, joints, strict=True)}
        if leg.ball == leg.ankle:
            del bones[leg.side + "Toes"]
    for arm in roles.arms:
        bones |= {
            arm.side + name: joint for name, joint in zip(_ARM[1:], (arm.shoulder, arm.elbow, arm.wrist), strict=True)
        }
        if arm.clavicle is not None:
            bones[arm.side + "Shoulder"] = arm.clavicle
    if roles.root != 0:
        raise LocomoteError(f"VRM animation: the hips must be the first joint, found {skeleton.names[0]} above them")
    return bones
