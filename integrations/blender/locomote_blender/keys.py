# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as actions: key frames of an armature, in the versions of Blender from 4.2 on."""

from __future__ import annotations

from typing import Any

import numpy as np

import locomote as lm

from .rigs import Rig, basis

LINEAR = 1  # of Blender's ways between two keys


def write_action(bpy: Any, rig: Rig, motion: lm.Motion, times: Any) -> Any:
    """Give an armature a new action with the poses of a motion on its skeleton.

    Parameters
    ----------
    times : (F,) the scene's frames at which the poses are keyed
    """
    shown = basis(rig, motion)
    action = bpy.data.actions.new(motion.name or rig.object.name)
    curves = _curves(rig.object, action)
    for j, name in enumerate(rig.skeleton.names):
        rig.object.pose.bones[name].rotation_mode = "QUATERNION"
        path = f'pose.bones["{bpy.utils.escape_identifier(name)}"]'
        _add(curves, f"{path}.rotation_quaternion", times, shown.rotations[:, j])
        if j in shown.locations:
            _add(curves, f"{path}.location", times, shown.locations[j])
    return action


def _curves(owner: Any, action: Any) -> Any:
    """Where the curves of an action go; from 4.4 on they belong to a slot of it."""
    animation = owner.animation_data_create()
    animation.action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots.new(id_type="OBJECT", name=owner.name)
    animation.action_slot = slot
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def _add(curves: Any, path: str, times: Any, values: Any) -> None:
    for index in range(values.shape[1]):
        curve = curves.new(path, index=index)
        curve.keyframe_points.add(len(times))
        curve.keyframe_points.foreach_set("co", np.stack([times, values[:, index]], axis=1).ravel())
        curve.keyframe_points.foreach_set("interpolation", [LINEAR] * len(times))
        curve.update()
