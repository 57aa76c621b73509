# SPDX-License-Identifier: GPL-3.0-or-later
"""A live stream on armatures: those of the scene that follow somebody, and one made for everyone else."""

from __future__ import annotations

from typing import Any

import numpy as np

import locomote as lm
from locomote.retargeting import LiveRetarget

from . import keys, rigs
from .stream_client import characters, layout_of

SHOWN = 60  # frames after which it is known how somebody's feet stand


def skeleton_of(told: dict[str, Any], n: int) -> lm.Skeleton:
    """The skeleton of one character of a group, from the server's greeting."""
    size = len(told["offsets"])
    offsets = told["own_offsets"][n * size : (n + 1) * size] or told["offsets"]
    return lm.Skeleton(
        tuple(told["names"]),
        np.array(told["parents"]),
        np.array(offsets).reshape(-1, 3),
        rest_rotations=rigs.rot.normalize(np.array(told["rest_rotations"]).reshape(-1, 4)),
        end_parents=np.array([end["parent"] for end in told["ends"]], dtype=np.int64),
        end_offsets=np.array([end["offset"] for end in told["ends"]], dtype=np.float64).reshape(-1, 3),
    )


class _Shown:
    """Somebody of the stream on an armature; poses are kept while one records."""

    rig: rigs.Rig

    def __init__(self) -> None:
        self.kept: list[tuple[float, lm.Motion]] = []

    def show(self, motion: lm.Motion, time: float, recording: bool) -> None:
        rigs.pose(self.rig, rigs.basis(self.rig, motion))
        if recording:
            self.kept.append((time, motion))

    def bake(self, bpy: Any, start: float, rate: float) -> None:
        """Key what was recorded from a frame of the scene on."""
        if self.kept:
            times = np.array([time for time, _ in self.kept])
            motions = [motion for _, motion in self.kept]
            whole = lm.Motion(
                self.rig.skeleton,
                rate,
                np.concatenate([each.root_positions for each in motions]),
                np.concatenate([each.rotations for each in motions]),
                name=self.rig.object.name,
            )
            keys.write_action(bpy, self.rig, whole, start + (times - times[0]) * rate)
        self.kept = []


class Figure(_Shown):
    """Somebody on an armature made for it."""

    def __init__(self, bpy: Any, name: str, skeleton: lm.Skeleton) -> None:
        super().__init__()
        self.skeleton = skeleton
        self.rig = rigs.new_armature(bpy, name, skeleton)

    def update(self, place: Any, scale: float, turns: Any, time: float, recording: bool) -> None:
        """Show a pose: place (3,) m, scale of the skeleton, local rotations (J, 4)."""
        self.rig.object.scale = (scale, scale, scale)
        motion = lm.Motion(self.skeleton, 1.0, place[None] / scale, turns[None])
        self.show(rigs.turned_as(self.rig, motion), time, recording)


class Follower(_Shown):
    """Somebody on an armature of the scene, retargeted frame by frame."""

    def __init__(self, armature: Any, skeleton: lm.Skeleton) -> None:
        super().__init__()
        self.skeleton, self.rig = skeleton, rigs.rig_of(armature)
        self._seen: list[tuple[Any, Any]] = []
        self._live: LiveRetarget | None = None

    def update(self, place: Any, scale: float, turns: Any, time: float, recording: bool) -> None:
        """Follow a pose: place (3,) m, scale of the skeleton, local rotations (J, 4)."""
        skeleton = self.skeleton.scaled(scale)
        motion = lm.Motion(skeleton, 1.0, place[None], turns[None])
        if self._live is None:
            self._live = LiveRetarget(skeleton, self.rig.skeleton)
        if len(self._seen) < SHOWN:
            self._seen.append((place, turns))
            if len(self._seen) == SHOWN:  # the feet of a rest pose often stand as no foot does
                places, poses = (np.array(each) for each in zip(*self._seen, strict=True))
                self._live = LiveRetarget(lm.Motion(skeleton, 30.0, places, poses), self.rig.skeleton)
        self.show(self._live.motion(motion), time, recording)


class Receiver:
    """Keeps armatures in step with a stream.

    Parameters
    ----------
    bpy : Blender's module
    stream : what `stream_client.Stream` gives
    everyone : whether armatures are made for those whom none of the scene follows
    """

    def __init__(self, bpy: Any, stream: Any, everyone: bool = True) -> None:
        self.bpy, self.stream, self.everyone = bpy, stream, everyone
        self.recording = False
        self.shown: dict[tuple[str, int], Figure | Follower] = {}
        self._layout: int | None = None
        self._followed: dict[tuple[str, int], str] = {}  # names of armatures; Blender's objects may vanish

    def follow(self, group: str, who: int, armature: Any) -> None:
        """Let an armature of the scene follow somebody from now on."""
        rigs.rig_of(armature)  # refused now rather than in the next frame
        self._followed = {key: name for key, name in self._followed.items() if name != armature.name}
        self._forget(group, who)
        self._followed[group, who] = armature.name

    def update(self) -> int:
        """Show what has come since the last time; how many characters have moved."""
        hello, latest = self.stream.take()
        if hello is None:
            return 0
        if hello["layout"] != self._layout:
            for group, who in list(self.shown):
                self._forget(group, who)
            self._layout = hello["layout"]
        moved = 0
        for index, data in latest.items():
            layout, time = layout_of(data)
            if layout == self._layout:
                moved += self._show(hello["groups"][index], data, time)
        return moved

    def bake(self, start: float) -> None:
        """Key what was recorded, and record no more."""
        render = self.bpy.context.scene.render
        for each in self.shown.values():
            each.bake(self.bpy, start, render.fps / render.fps_base)
        self.recording = False

    def _show(self, group: dict[str, Any], data: bytes, time: float) -> int:
        moved = 0
        for n, pose in enumerate(zip(*characters(data, group), strict=True)):
            figure = self._figure(group, n)
            if figure is not None:
                figure.update(pose[0], float(pose[1]), pose[2], time, self.recording)
                moved += 1
        return moved

    def _figure(self, group: dict[str, Any], n: int) -> Figure | Follower | None:
        key = group["name"], n
        if key not in self.shown:
            skeleton = skeleton_of(group["skeleton"], n)
            armature = self.bpy.data.objects.get(self._followed[key]) if key in self._followed else None
            if armature is not None:
                self.shown[key] = Follower(armature, skeleton)
            elif self.everyone:
                self.shown[key] = Figure(self.bpy, f"{group['name']} {n}", skeleton)
        return self.shown.get(key)

    def _forget(self, group: str, who: int) -> None:
        shown = self.shown.pop((group, who), None)
        if isinstance(shown, Figure):
            self.bpy.data.objects.remove(shown.rig.object)
