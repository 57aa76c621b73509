# SPDX-License-Identifier: GPL-3.0-or-later
"""locomote in Blender: motion files and live streams on armatures (sidebar of the 3D view, tab locomote)."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, PointerProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

import locomote as lm

from . import files, live
from .files import EXTENSIONS
from .stream_client import Stream

RATE = 30  # frames a second that are asked of a server

_receiver: live.Receiver | None = None


def _armature(context: Any) -> Any:
    """The armature that is selected and active, or None."""
    chosen = context.active_object
    return chosen if chosen is not None and chosen.type == "ARMATURE" and chosen.select_get() else None


def _tried(operator: Any, do: Any) -> set[str]:
    """Do something of an operator; what is wrong is said in a line."""
    try:
        do()
    except ModuleNotFoundError as error:
        operator.report({"ERROR"}, f"{error.name} is missing in Blender's Python; the add-on's zip brings it")
    except (lm.LocomoteError, OSError) as error:
        operator.report({"ERROR"}, str(error))
    else:
        return {"FINISHED"}
    return {"CANCELLED"}


class LocomoteSettings(bpy.types.PropertyGroup):
    """Which stream, and who of it."""

    host: StringProperty(name="Host", description="Where locomote serve runs", default="127.0.0.1")
    port: IntProperty(name="Port", default=8765, min=1, max=65535)
    token: StringProperty(name="Token", description="The word that the server asks for", subtype="PASSWORD")
    encrypted: BoolProperty(name="Encrypted", description="The server was given a certificate (wss)", default=False)
    everyone: BoolProperty(name="Show everyone", description="Make an armature for everyone on the stage", default=True)
    group: StringProperty(name="Group", description="people, or the name of a creature", default="people")
    who: IntProperty(name="Who", description="Number in the group", default=0, min=0)


class LOCOMOTE_OT_import(bpy.types.Operator, ImportHelper):
    """Import a motion onto the selected armature, or onto one made for it"""

    bl_idname = "locomote.import_motion"
    bl_label = "Import motion"
    bl_options = {"UNDO"}

    filename_ext = ".npz"
    filter_glob: StringProperty(default=";".join(f"*{each}" for each in EXTENSIONS), options={"HIDDEN"})
    onto: EnumProperty(
        name="Onto",
        items=(
            ("SELECTED", "Selected armature", "Retarget it onto the selected armature"),
            ("NEW", "New armature", "Make an armature for the motion"),
        ),
    )
    feet: BoolProperty(name="Plant feet", description="Feet that stand stay where they are", default=True)
    start: IntProperty(name="First frame", default=1)
    fit_scene: BoolProperty(
        name="Motion's frame rate", description="Let the scene count frames as it does", default=True
    )

    def execute(self, context: Any) -> set[str]:
        """Import it."""
        chosen = _armature(context) if self.onto == "SELECTED" else None
        if chosen is None and self.onto == "SELECTED":
            self.report({"ERROR"}, "select an armature, or import onto a new one")
            return {"CANCELLED"}
        told = {"feet": self.feet, "start": self.start, "fit_scene": self.fit_scene}
        return _tried(self, lambda: files.import_motion(bpy, self.filepath, chosen, **told))


class LOCOMOTE_OT_connect(bpy.types.Operator):
    """Receive the stream of locomote serve"""

    bl_idname = "locomote.connect"
    bl_label = "Connect"

    def execute(self, context: Any) -> set[str]:
        """Connect, and update by a timer from then on."""
        return _tried(self, lambda: connect(context.scene.locomote))


class LOCOMOTE_OT_disconnect(bpy.types.Operator):
    """Receive no more; armatures stay as they are"""

    bl_idname = "locomote.disconnect"
    bl_label = "Disconnect"

    def execute(self, context: Any) -> set[str]:
        """Close the connection."""
        disconnect()
        return {"FINISHED"}


class LOCOMOTE_OT_follow(bpy.types.Operator):
    """Let the selected armature follow somebody of the stream"""

    bl_idname = "locomote.follow"
    bl_label = "Selected armature follows"

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Only while connected, with an armature selected."""
        return _receiver is not None and _armature(context) is not None

    def execute(self, context: Any) -> set[str]:
        """Follow from the next frame on."""
        told = context.scene.locomote
        return _tried(self, lambda: _receiver.follow(told.group, told.who, _armature(context)))


class LOCOMOTE_OT_go_to(bpy.types.Operator):
    """Send somebody of the stream to the 3D cursor"""

    bl_idname = "locomote.go_to_cursor"
    bl_label = "Go to the cursor"

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Only while connected."""
        return _receiver is not None

    def execute(self, context: Any) -> set[str]:
        """Send the command."""
        told, place = context.scene.locomote, context.scene.cursor.location
        message = {"type": "go_to", "group": told.group, "who": told.who, "x": place.x, "z": -place.y}
        return _tried(self, lambda: _receiver.stream.send(message))


class LOCOMOTE_OT_record(bpy.types.Operator):
    """Record the stream; once more: key what was recorded, from the current frame on"""

    bl_idname = "locomote.record"
    bl_label = "Record"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Only while connected."""
        return _receiver is not None

    def execute(self, context: Any) -> set[str]:
        """Begin, or bake."""
        if _receiver.recording:
            return _tried(self, lambda: _receiver.bake(context.scene.frame_current))
        _receiver.recording = True
        return {"FINISHED"}


class LOCOMOTE_PT_panel(bpy.types.Panel):
    """The tab in the sidebar."""

    bl_label = "locomote"
    bl_idname = "LOCOMOTE_PT_panel"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "locomote"

    def draw(self, context: Any) -> None:
        """Draw it."""
        layout, told = self.layout, context.scene.locomote
        layout.operator("locomote.import_motion", icon="IMPORT")
        box = layout.box()
        box.label(text="Live stream")
        if _receiver is None:
            for name in ("host", "port", "token", "encrypted", "everyone"):
                box.prop(told, name)
            box.operator("locomote.connect", icon="PLAY")
            return
        box.operator("locomote.disconnect", icon="PAUSE")
        box.prop(told, "group")
        box.prop(told, "who")
        box.operator("locomote.follow", icon="ARMATURE_DATA")
        box.operator("locomote.go_to_cursor", icon="CURSOR")
        box.operator("locomote.record", icon="REC", text="Key the recording" if _receiver.recording else "Record")


def connect(told: Any) -> live.Receiver:
    """Connect as the settings say; armatures move whenever Blender has time for it."""
    global _receiver
    disconnect()
    stream = Stream(told.host, told.port, told.token, RATE, told.encrypted)
    receiver = live.Receiver(bpy, stream, told.everyone)
    _receiver = receiver

    def tick() -> float | None:
        if _receiver is not receiver:
            return None
        if not receiver.stream.alive:
            disconnect()
            return None
        receiver.update()
        return 1.0 / RATE

    bpy.app.timers.register(tick)
    return receiver


def disconnect() -> None:
    """Close the connection, if there is one."""
    global _receiver
    if _receiver is not None:
        _receiver.stream.close()
    _receiver = None


CLASSES = (
    LocomoteSettings,
    LOCOMOTE_OT_import,
    LOCOMOTE_OT_connect,
    LOCOMOTE_OT_disconnect,
    LOCOMOTE_OT_follow,
    LOCOMOTE_OT_go_to,
    LOCOMOTE_OT_record,
    LOCOMOTE_PT_panel,
)


def _menu(menu: Any, context: Any) -> None:
    menu.layout.operator(LOCOMOTE_OT_import.bl_idname, text="Motion by locomote (.npz, .bvh, .glb, ...)")


def register() -> None:
    """Called by Blender when the add-on is turned on."""
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.locomote = PointerProperty(type=LocomoteSettings)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister() -> None:
    """Called by Blender when the add-on is turned off."""
    disconnect()
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    del bpy.types.Scene.locomote
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
