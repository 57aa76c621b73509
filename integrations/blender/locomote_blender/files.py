# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion files onto armatures: one that is there, or one made for the motion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import locomote as lm

from . import keys, rigs

EXTENSIONS = (".npz", ".lmz", ".bvh", ".glb", ".gltf", ".amc")


def import_motion(
    bpy: Any, path: str, armature: Any = None, *, feet: bool = True, start: int = 1, fit_scene: bool = True
) -> Any:
    """Key the motion of a file on an armature and return it.

    Parameters
    ----------
    path : of the file
    armature : Blender's object that the motion is retargeted onto; one is made for the motion without it
    feet : whether feet that stand are planted when it is retargeted; otherwise joints only follow
    start : the scene's frame of the first pose
    fit_scene : whether the scene shall count frames as the motion does, and show them all
    """
    motion = lm.load(path)
    if armature is None:
        rig = rigs.new_armature(bpy, motion.name or Path(path).stem, motion.skeleton)
        motion = rigs.turned_as(rig, motion)
    else:
        rig = rigs.rig_of(armature)
        motion = lm.retarget(motion, rig.skeleton, feet=feet)
    scene = bpy.context.scene
    if fit_scene:
        scene.render.fps = max(1, round(motion.fps))
        scene.render.fps_base = scene.render.fps / motion.fps
        scene.frame_end = max(scene.frame_end, start + len(motion) - 1)
    rate = scene.render.fps / scene.render.fps_base
    keys.write_action(bpy, rig, motion, start + motion.times * rate)
    return rig.object
