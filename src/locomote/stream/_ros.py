"""Joint states of a robot for ROS 2, as JSON over the WebSocket of rosbridge.

ROS has Z up and X forward where ours has Y up and Z forward: our (x, y, z) is its (z, x, y).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, MissingExtra
from locomote.retargeting import JointAngles
from locomote.rotations import FloatArray

URL = "ws://127.0.0.1:9090"  # where rosbridge listens as a rule
TYPES = {"joints": "sensor_msgs/msg/JointState", "base": "tf2_msgs/msg/TFMessage"}
WAIT = 5.0  # s for a connection
_TO_ROS = rot.from_matrix(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


def place_in_ros(place: FloatArray) -> FloatArray:
    """Places ``(..., 3)`` in the axes of ROS."""
    return place[..., [2, 0, 1]]


def turn_in_ros(rotation: FloatArray) -> FloatArray:
    """Rotations ``(..., 4)`` wxyz as the x, y, z, w of ROS."""
    turned = rot.multiply(rot.multiply(_TO_ROS, rotation), rot.inverse(_TO_ROS))
    return turned[..., [1, 2, 3, 0]]


def joint_state(angles: JointAngles, frame: int, stamp: float) -> dict[str, Any]:
    """A frame as a message ``sensor_msgs/msg/JointState``.

    Parameters
    ----------
    angles, frame : which frame of what
    stamp : time of the message, s
    """
    return {
        "header": {"stamp": _stamp(stamp), "frame_id": ""},
        "name": list(angles.names),
        "position": angles.positions[frame].tolist(),
        "velocity": angles.velocities[frame].tolist(),
        "effort": [],
    }


def base_transform(angles: JointAngles, frame: int, stamp: float, fixed: str, base: str) -> dict[str, Any]:
    """Where the base of the robot is, as a message ``tf2_msgs/msg/TFMessage``.

    Parameters
    ----------
    angles, frame : which frame of what
    stamp : time of the message, s
    fixed, base : names of the world's frame and of the robot's first link
    """
    place = place_in_ros(angles.base_positions[frame]).tolist()
    turn = turn_in_ros(angles.base_rotations[frame]).tolist()
    transform = {
        "translation": dict(zip("xyz", place, strict=True)),
        "rotation": dict(zip("xyzw", turn, strict=True)),
    }
    header = {"stamp": _stamp(stamp), "frame_id": fixed}
    return {"transforms": [{"header": header, "child_frame_id": base, "transform": transform}]}


class RosBridge:
    """Publishes the joint states of a robot through rosbridge.

    Parameters
    ----------
    url : of rosbridge
    topic : of the joint states
    base : the robot's first link, whose way through the world goes to ``/tf``; None: it is not told
    fixed : name of the world's frame
    """

    def __init__(
        self, url: str = URL, topic: str = "/joint_states", base: str | None = None, fixed: str = "world"
    ) -> None:
        try:
            from websockets.exceptions import WebSocketException
            from websockets.sync.client import connect
        except ImportError:
            raise MissingExtra("websockets", "stream", "publishing to ROS") from None
        self._topic, self._base, self._fixed = topic, base, fixed
        self._lost = (WebSocketException, OSError)
        try:
            self._socket = connect(url, open_timeout=WAIT)
        except (OSError, ValueError, WebSocketException) as error:
            raise LocomoteError(f"{url}: no rosbridge there: {error}") from None
        self._send({"op": "advertise", "topic": topic, "type": TYPES["joints"]})
        if base is not None:
            self._send({"op": "advertise", "topic": "/tf", "type": TYPES["base"]})

    def __enter__(self) -> RosBridge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def publish(self, angles: JointAngles, frame: int, stamp: float | None = None) -> None:
        """Publish one frame.

        Parameters
        ----------
        angles, frame : which frame of what
        stamp : time of the message, s; now unless given
        """
        stamp = time.time() if stamp is None else stamp
        self._send({"op": "publish", "topic": self._topic, "msg": joint_state(angles, frame, stamp)})
        if self._base is not None:
            told = base_transform(angles, frame, stamp, self._fixed, self._base)
            self._send({"op": "publish", "topic": "/tf", "msg": told})

    def play(
        self, angles: JointAngles, *, loop: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> None:
        """Publish all frames at their own rate.

        Parameters
        ----------
        angles : what is played
        loop : begin anew at the end, until it is interrupted
        progress : called with the frames that were sent, and all there are
        """
        begun, count = time.monotonic(), 0
        while loop or count < len(angles.positions):
            frame = count % len(angles.positions)
            time.sleep(max(0.0, begun + count / angles.fps - time.monotonic()))
            self.publish(angles, frame)
            count += 1
            if progress is not None:
                progress(frame + 1, len(angles.positions))

    def close(self) -> None:
        """Say that no more comes, and end the connection."""
        try:
            self._socket.send(json.dumps({"op": "unadvertise", "topic": self._topic}))
            if self._base is not None:
                self._socket.send(json.dumps({"op": "unadvertise", "topic": "/tf"}))
        except self._lost:
            pass  # it is gone already
        self._socket.close()

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._socket.send(json.dumps(message, separators=(",", ":"), allow_nan=False))
        except self._lost as error:
            raise LocomoteError(f"rosbridge has gone: {error}") from None


def _stamp(seconds: float) -> dict[str, int]:
    whole = int(np.floor(seconds))
    return {"sec": whole, "nanosec": min(round((seconds - whole) * 1e9), 999_999_999)}
