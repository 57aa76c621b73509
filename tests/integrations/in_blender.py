"""What the tests have done inside Blender: ``python in_blender.py ADDON.zip TASKS.json``, with Blender's Python.

A task is a JSON object; what Blender shows is written to an archive of arrays beside it, by the names the tests gave.
"""

import json
import os
import sys
import time
from pathlib import Path

import bpy
import numpy as np

ADDON = "bl_ext.user_default.locomote_blender"


def install(path):
    """Install the zip as a user would, and turn it on."""
    done = bpy.ops.extensions.package_install_files(filepath=path, repo="user_default", enable_on_install=True)
    assert done == {"FINISHED"}, done
    assert ADDON in bpy.context.preferences.addons
    assert bpy.ops.locomote.import_motion.get_rna_type().name == "Import motion"


def build(name, bones, turn, scale, place):
    """An armature from rows: bone, parent, head, tail."""
    data = bpy.data.armatures.new(name)
    made = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, parent, head, tail in bones:
        new = data.edit_bones.new(bone)
        new.head, new.tail = head, tail
        new.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    made.rotation_euler, made.scale, made.location = turn, [scale] * 3, place
    bpy.context.view_layer.update()
    return made


def rigify():
    """The rig that Blender itself brings for people."""
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    return bpy.context.active_object


def heads(armature, names):
    """Where Blender shows the heads of bones, in the world."""
    whole = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [list(whole.matrix_world @ whole.pose.bones[name].head) for name in names]


def over_time(armature, names, frames):
    """The heads in every frame."""
    shown = []
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
        shown.append(heads(armature, names))
    return np.array(shown)


def chosen(armature):
    """Select an armature, and nothing else."""
    for each in bpy.context.view_layer.objects:
        each.select_set(each == armature)
    bpy.context.view_layer.objects.active = armature


def do(task, out):
    """One task."""
    if task["do"] == "import":
        armature = None
        if task["onto"] == "rigify":
            armature = rigify()
            rest = [[bone.name, bone.parent and bone.parent.name] for bone in armature.data.bones]
            out["rest"] = np.array([list(bone.head_local) + list(bone.tail_local) for bone in armature.data.bones])
            task["names"] = [name for name, _ in rest]
            out["tree"] = np.frombuffer(json.dumps(rest).encode(), np.uint8)
        elif task["onto"]:
            armature = build(**task["onto"])
        chosen(armature)
        told = {"onto": "SELECTED" if armature else "NEW", "filepath": task["file"], "feet": task.get("feet", True)}
        assert bpy.ops.locomote.import_motion(**told) == {"FINISHED"}
        armature = armature or bpy.context.view_layer.objects.active
        out["fps"] = np.array(bpy.context.scene.render.fps / bpy.context.scene.render.fps_base)
        out["heads"] = over_time(armature, task["names"], task["frames"])
    elif task["do"] == "stream":
        stream(task, out)


def stream(task, out):
    """Follow somebody with an armature; what was sent last is kept beside what is shown."""
    addon = sys.modules[ADDON]
    armature = build(**task["onto"])
    chosen(armature)
    told = bpy.context.scene.locomote
    told.port, told.everyone = task["port"], True
    assert bpy.ops.locomote.connect() == {"FINISHED"}
    assert bpy.ops.locomote.follow() == {"FINISHED"}
    receiver, kept = addon._receiver, []
    taken = receiver.stream.take

    def keep():
        hello, latest = taken()
        kept.append((hello, latest))
        return hello, latest

    receiver.stream.take = keep
    assert bpy.ops.locomote.record() == {"FINISHED"}
    seen, count = [], 0
    end = time.monotonic() + 60.0
    while count < task["updates"] and time.monotonic() < end:
        if receiver.update():
            count += 1
            bpy.context.view_layer.update()
            seen.append(heads(armature, task["names"]))
        time.sleep(0.005)
    own = receiver.shown["people", 1].rig
    out["own"] = np.array(heads(own.object, own.skeleton.names))
    out["seen"] = np.array(seen)
    with_people = [pair for pair in kept if 0 in pair[1]]
    for name, at in (("early", task["early"]), ("last", -1)):
        out[name] = np.frombuffer(with_people[at][1][0], np.uint8)
    out["hello"] = np.frombuffer(json.dumps(with_people[-1][0]).encode(), np.uint8)
    assert bpy.ops.locomote.record() == {"FINISHED"}  # once more: keys
    out["keyed"] = over_time(armature, task["names"], 1)
    assert bpy.ops.locomote.disconnect() == {"FINISHED"}


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    install(arguments[0])
    for task in json.loads(Path(arguments[1]).read_text()):
        arrays = {}
        do(task, arrays)
        np.savez(task["out"], **arrays)
    bpy.ops.preferences.addon_disable(module=ADDON)
    assert not hasattr(bpy.types.Scene, "locomote")
    print("done", flush=True)  # noqa: T201
    os._exit(0)  # Blender as a module does not always come to an end by itself
