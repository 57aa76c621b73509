"""A body to be posed by its handles, and clips that are edited by them."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from locomote.contacts import detect
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.mannequin import mannequin
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.samples._performance import performer
from locomote.skeleton import Skeleton
from locomote.spaces import Drag, Handle, Poser, PoseSpace, edit, pose_space
from locomote.studio._clips import MOST_POSES, body_of_clip, read_clip
from locomote.studio._grips import FPS, Grip, PoseState, grips_of, recorded_poses, rest, standing_row, upright
from locomote.studio._people import LEG
from locomote.studio._pieces import look_of

FARTHEST = 10.0  # m from the hips that a handle can be dragged
MOST_UNDONE = 200


class StudioPose:
    """One body with handles; with a clip, drags at moments of it."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="locomote-pose")
        self.keep = True  # what was dragged is pinned where it is let go: as other handles move, a free one drifts off
        self.window = 0.5  # s before and after a drag, within which a clip gives way
        self.person()

    def person(self) -> None:
        """The built-in person, standing."""
        skeleton = human_skeleton(LEG)
        self._begin(Motion(skeleton, FPS, *rest(skeleton, 0.0), name="pose", body=mannequin(skeleton)))
        self.stand()
        self.history.clear()

    def open(self, name: str, content: bytes) -> None:
        """A clip or a rig from a file that somebody gave."""
        self.put(read_clip(name, content))

    def sample(self) -> None:
        """A walk to begin with."""
        self.put(replace(performer(speed=1.4, seconds=4.0).motion, name="sample"))

    def put(self, motion: Motion) -> None:
        """Take the body of a motion; one of several frames is a clip to be edited."""
        if len(motion) * len(motion.skeleton) > MOST_POSES:
            raise LocomoteError(f"{motion.name}: {len(motion)} frames; too long for the page")
        self._begin(motion)

    def _begin(self, motion: Motion) -> None:
        skeleton = motion.skeleton
        if len(skeleton.roles.legs) != 2:
            raise LocomoteError(f"{motion.name}: has {len(skeleton.roles.legs)} legs; only bodies with two are posed")
        try:
            database = recorded_poses().onto(motion if len(motion) > 1 else skeleton)
        except LocomoteError as error:
            raise LocomoteError(f"{motion.name}: cannot be posed: {error}") from None
        ground = detect(motion).floor.height
        look = look_of(skeleton, body_of_clip(motion))
        self.poser, self.look, self.motion, self.ground = Poser(database, ground=ground), look, motion, ground
        self.editing, self._edited = len(motion) > 1, motion
        self._space: Future[PoseSpace] | None = None
        if self.editing:  # takes seconds, which pass while one looks at the clip
            self._space = self._worker.submit(pose_space, skeleton, database)
        self.time = 0.0
        self.held: int | None = None
        self.history: list[PoseState] = []
        first = Poses(skeleton, motion.root_positions[:1], motion.rotations[:1])
        self.state = PoseState(first, grips_of(skeleton))
        self._pin_again()

    @property
    def skeleton(self) -> Skeleton:
        """Of the body."""
        return self.look.skeleton

    @property
    def shown(self) -> Motion:
        """What is to be kept: the clip as it is edited, or the pose as one frame."""
        if self.editing:
            return self._edited
        pose = self.state.pose
        name = f"{self.motion.name} pose" if len(self.motion) > 1 else self.motion.name
        return Motion(pose.skeleton, FPS, pose.root_positions, pose.rotations, name=name, body=self.motion.body)

    @property
    def frame(self) -> int:
        """Of the clip, that is seen now."""
        return min(round(self.time * self.motion.fps), len(self.motion) - 1) if self.editing else 0

    def world(self) -> tuple[FloatArray, FloatArray]:
        """Places ``(1, J, 3)`` and rotations ``(1, J, 4)`` of the joints now."""
        return self.shown[self.frame : self.frame + 1].world()

    def edit_clip(self, on: bool) -> None:
        """Drag the clip, or a pose that is taken from it."""
        if on and len(self.motion) < 2:
            raise LocomoteError(f"{self.motion.name}: is a single pose; open a clip to edit one")
        if on == self.editing:
            return
        self.release()
        if not on:
            now = self.shown[self.frame : self.frame + 1]
            self.state = replace(self.state, pose=Poses(now.skeleton, now.root_positions, now.rotations))
        self.editing = on
        self._pin_again()
        self.history.clear()  # what is before belongs to the other one

    # Dragging

    def drag(self, joint: int, place: FloatArray, turn: FloatArray | None = None) -> None:
        """A handle goes to a place in the world, and the body with it; the first call of a drag can be undone to."""
        grip = self.grip(joint)
        place = np.asarray(place, dtype=np.float64)
        hips = self.world()[0][0, self.skeleton.roles.root]
        if not (np.isfinite(place).all() and float(np.linalg.norm(place - hips)) <= FARTHEST):
            raise LocomoteError(f"{grip.title}: expected to be dragged within {FARTHEST:g} m of the hips")
        if self.editing and self.motion.translations is not None:
            raise LocomoteError(f"{self.motion.name}: its joints move against their parents; drag a pose of it instead")
        if self.held != joint:
            self.release()
            self._remember()
            self.held = joint
        if self.editing:
            time = self.frame / self.motion.fps
            others = [d for d in self.state.drags if not (d.joint == joint and d.time == time)]
            self._edit((*others, Drag(joint, time, place, self.window)))
            return
        handles = [Handle(joint, position=place)]
        if grip.turned and turn is not None:
            handles.append(Handle(joint, rotation=turn))
        own = {joint} if grip.ball is None else {joint, grip.ball}
        turned = {other.joint for other in self.state.grips if other.turned}
        for j, (pin, pin_turn) in self.state.pins.items():
            if j not in own:
                handles.append(Handle(j, position=pin))
                if j in turned:
                    handles.append(Handle(j, rotation=pin_turn))
        posed = self.poser.solve(handles, previous=self.state.pose).pose
        assert isinstance(posed, Poses)
        self.state = replace(self.state, pose=posed)

    def release(self) -> None:
        """The drag is over; a pinned handle stays where the body could bring it."""
        if self.held is not None:
            joint, self.held = self.held, None
            if self.keep and not self.editing:
                self._change(replace(self.grip(joint), pinned=True))
            self._pin_again(joint)

    def undo(self) -> None:
        """Back to before the last change."""
        self.release()
        if not self.history:
            raise LocomoteError("undo: nothing has been changed yet")
        self.state = self.history.pop()
        if self.editing:
            self._edit(self.state.drags)

    def stand(self) -> None:
        """Stand upright where the body is now, with only the feet pinned."""
        row = standing_row()
        here = self.state.pose.root_positions[0] * np.array([1.0, 0.0, 1.0])
        poses = self.poser.database.poses
        start = Poses(self.skeleton, poses.root_positions[row][None] + here, poses.rotations[row][None])
        level = here + np.array([0.0, self.ground, 0.0])
        handles = [Handle(joint, position=place + level) for joint, place in upright(self.skeleton).items()]
        found = self.poser.solve(handles, previous=start).pose
        assert isinstance(found, Poses)
        self._take(found)

    def rest(self) -> None:
        """The pose that the rig was built in."""
        places, turns = rest(self.skeleton, self.ground)
        self._take(Poses(self.skeleton, places, turns))

    def _take(self, pose: Poses) -> None:
        if self.editing:
            raise LocomoteError("a clip is edited: choose to drag a pose first")
        self.release()
        self._remember()
        feet = {leg.ankle for leg in self.skeleton.roles.legs}
        grips = tuple(replace(grip, pinned=grip.joint in feet) for grip in self.state.grips)
        self.state = replace(self.state, pose=pose, grips=grips)
        self._pin_again()

    # Handles

    def grip(self, joint: int) -> Grip:
        """The handle on a joint."""
        for grip in self.state.grips:
            if grip.joint == joint:
                return grip
        raise LocomoteError(f"joint {joint}: has no handle; those with one: {', '.join(self.titles)}")

    @property
    def titles(self) -> list[str]:
        """Of the handles."""
        return [grip.title for grip in self.state.grips]

    def add(self, name: str) -> Grip:
        """A handle on any joint."""
        joint = self.skeleton.index(name)
        if all(grip.joint != joint for grip in self.state.grips):
            self._remember()
            self.state = replace(self.state, grips=(*self.state.grips, Grip(joint, name)))
        return self.grip(joint)

    def remove(self, joint: int) -> None:
        """Let a joint go for good."""
        gone = self.grip(joint)
        self.release()
        self._remember()
        self.state = replace(self.state, grips=tuple(grip for grip in self.state.grips if grip is not gone))
        self._pin_again(joint)

    def set(self, joint: int, *, pinned: bool | None = None, turned: bool | None = None) -> None:
        """Pin a handle where it is now or let it follow the body; let it hold its rotation as well or not."""
        grip = self.grip(joint)
        self._remember()
        pinned, turned = grip.pinned if pinned is None else pinned, grip.turned if turned is None else turned
        self._change(replace(grip, pinned=pinned, turned=turned))
        self._pin_again(joint)
        if self.editing:
            self._edit(self.state.drags)

    def _change(self, new: Grip) -> None:
        grips = tuple(new if grip.joint == new.joint else grip for grip in self.state.grips)
        self.state = replace(self.state, grips=grips)

    def _pin_again(self, joint: int | None = None) -> None:
        """Keep pinned handles, or one of them, where the body is now."""
        places, turns = self.world()
        pins = {}
        for grip in self.state.grips:
            for j in (grip.joint, grip.ball) if grip.pinned else ():
                if j is not None:
                    old = None if joint in (None, grip.joint) else self.state.pins.get(j)
                    pins[j] = old or (places[0, j].copy(), turns[0, j].copy())
        self.state = replace(self.state, pins=pins)

    # Clips

    def advance(self, dt: float) -> None:
        """Play the clip, not while somebody holds a handle; from the end it goes back to the beginning."""
        if self.editing and self.held is None:
            self.time = self.time + dt if self.time + dt <= self.motion.duration else 0.0

    def seek(self, time: float) -> None:
        """Go to a time of the clip, s."""
        self.release()
        self.time = float(np.clip(time, 0.0, self.motion.duration))

    def remove_drag(self, number: int) -> None:
        """Take one drag back, whenever it was made."""
        drags = self.state.drags
        if not 0 <= number < len(drags):
            raise LocomoteError(f"drag {number + 1}: there are {len(drags)}")
        self.release()
        self._remember()
        self._edit(drags[:number] + drags[number + 1 :])

    def drag_titles(self) -> list[str]:
        """What was dragged when."""
        names = {grip.joint: grip.title for grip in self.state.grips}
        return [
            f"{n + 1}: {names.get(int(d.joint), self.skeleton.names[int(d.joint)])} at {d.time:.2f} s"
            for n, d in enumerate(self.state.drags)
        ]

    def _edit(self, drags: tuple[Drag, ...]) -> None:
        assert self._space is not None
        moved = {d.joint for d in drags}
        # A foot that is dragged takes its ball along.
        hold = [
            j
            for grip in self.state.grips
            if grip.pinned and grip.joint not in moved
            for j in (grip.joint, grip.ball)
            if j is not None
        ]
        edited = edit(self.motion, drags, space=self._space.result(), hold=hold) if drags else self.motion
        self.state, self._edited = replace(self.state, drags=drags), edited

    def _remember(self) -> None:
        self.history = [*self.history[1 - MOST_UNDONE :], self.state]
