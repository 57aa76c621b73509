"""One of a stage as a robot: the angles of its joints for ROS, frame by frame."""

from __future__ import annotations

import logging
import time

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats._rigid import RigidModel
from locomote.motion import Motion
from locomote.retargeting import JointAngles, LiveRetarget
from locomote.retargeting._hinges import LiveAngles
from locomote.skeleton import Skeleton
from locomote.stream._engine import Engine
from locomote.stream._frames import Frame
from locomote.stream._ros import RosBridge
from locomote.stream._sending import Sender

_log = logging.getLogger("locomote")


class RosSender(Sender):
    """Lets a robot do what one of an engine's stage does, and publishes its joint states through a bridge.

    A frame that comes while the last one is worked on is left out: the next is the latest.

    Parameters
    ----------
    engine : whose frames
    bridge : that is connected; it stays open at the end
    robot : as `locomote.formats.urdf.read_model` reads it, with as many legs as who leads it
    group, who : whom it follows; the first group without a name
    """

    def __init__(
        self, engine: Engine, bridge: RosBridge, robot: RigidModel, *, group: str | None = None, who: int = 0
    ) -> None:
        super().__init__(engine, "ROS")
        self._bridge, self._robot = bridge, robot
        frame = engine.latest
        self.group = frame.layout.groups[0].name if group is None else group
        self.who = who
        index = frame.layout.index(self.group)
        if index is None:
            there = ", ".join(each.name for each in frame.layout.groups)
            raise LocomoteError(f"ROS: there is no group {self.group!r}; there are: {there}")
        count = frame.layout.groups[index].count
        if not 0 <= who < count:
            raise LocomoteError(f"ROS: {self.group} has characters 0 to {count - 1}, not {who}")
        self._search = LiveAngles(robot)
        self._live: tuple[Skeleton, LiveRetarget] | None = None  # for whom it was made
        self._before: JointAngles | None = None
        self._time = 0.0  # s of the stage, of the angles before
        self._angles(frame)  # what cannot be done is said at once, and not in a thread
        self.error: LocomoteError | None = None  # what ended it, if it was not told to

    def _run(self) -> None:
        for frame in self._frames():
            try:
                angles = self._angles(frame)
                if angles is not None:
                    self._bridge.publish(angles, 0, time.time())
                    self.sent += 1
            except LocomoteError as error:
                self.error = error
                _log.warning("%s; no joint states are sent any more", error)
                if self._listener is not None:
                    self._listener.close()

    def _angles(self, frame: Frame) -> JointAngles | None:
        """The angles of a frame, with speeds since the one before; None when there is nobody to follow."""
        index = frame.layout.index(self.group)
        if index is None or self.who >= frame.layout.groups[index].count:
            return None
        layout, group, who = frame.layout.groups[index], frame.groups[index], self.who
        if self._live is None or self._live[0] is not layout.skeleton:
            body = layout.skeleton.scaled(float(group.scales[who]))
            self._live, self._before = (layout.skeleton, LiveRetarget(body, self._robot.skeleton)), None
        places = group.root_positions[who : who + 1].astype(np.float64)
        turns = group.rotations[who : who + 1].astype(np.float64)
        root, rotations = self._live[1].follow(places, turns)
        angles = self._search.follow(Motion(self._robot.skeleton, 1.0, root, rotations))
        before, since = self._before, frame.time - self._time
        if before is not None and since > 0.0:
            turned = angles.positions - before.positions
            # A hinge without ends may count a whole turn between two frames.
            free = np.ptp(self._ranges(angles), axis=1) >= 2.0 * np.pi - 1e-9
            turned[:, free] = (turned[:, free] + np.pi) % (2.0 * np.pi) - np.pi
            angles = angles._replace(velocities=turned / since)
        self._before, self._time = angles, frame.time
        return angles

    def _ranges(self, angles: JointAngles) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        rows = {name: row for name, row in zip(self._robot.hinges, self._robot.twist, strict=True) if name}
        return np.array([rows[name] for name in angles.names])
