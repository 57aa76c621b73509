"""As much of Godot as the add-on uses, with the mathematics of another library."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

warnings: list[str] = []


class Vector3:
    def __init__(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        self.x, self.y, self.z = float(x), float(y), float(z)

    def array(self) -> Any:
        return np.array([self.x, self.y, self.z])

    def __mul__(self, scale: float) -> Vector3:
        return Vector3(*(self.array() * scale))

    __rmul__ = __mul__

    def __truediv__(self, scale: float) -> Vector3:
        return self * (1.0 / scale)

    def length(self) -> float:
        return float(np.linalg.norm(self.array()))

    def normalized(self) -> Vector3:
        return self / self.length()

    def dot(self, other: Vector3) -> float:
        return float(self.array() @ other.array())


Vector3.ONE, Vector3.UP, Vector3.RIGHT = Vector3(1, 1, 1), Vector3(0, 1, 0), Vector3(1, 0, 0)  # type: ignore[attr-defined]


class Quaternion:
    def __init__(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, w: float = 1.0) -> None:
        assert abs(math.hypot(x, y, z, w) - 1.0) < 1e-3, "Godot refuses quaternions that are not of length 1"
        self.turn = Rotation.from_quat([x, y, z, w])

    @classmethod
    def of(cls, turn: Rotation) -> Quaternion:
        return cls(*turn.as_quat())

    def __mul__(self, other: Quaternion) -> Quaternion:
        return Quaternion.of(self.turn * other.turn)

    def inverse(self) -> Quaternion:
        return Quaternion.of(self.turn.inv())


class Basis:
    def __init__(self, turn: Quaternion) -> None:
        self.turn = turn

    def get_rotation_quaternion(self) -> Quaternion:
        return self.turn

    @staticmethod
    def looking_at(target: Vector3, up: Vector3) -> Basis:
        assert np.linalg.norm(np.cross(target.array(), up.array())) > 1e-6, "Godot refuses to look along up"
        return Basis(Quaternion())


class Transform3D:
    def __init__(self, basis: Basis, origin: Vector3) -> None:
        self.basis, self.origin = basis, origin

    def __mul__(self, other: Any) -> Any:
        turn = self.basis.turn.turn
        if isinstance(other, Vector3):
            return Vector3(*(turn.apply(other.array()) + self.origin.array()))
        return Transform3D(Basis(Quaternion.of(turn * other.basis.turn.turn)), self * other.origin)

    def affine_inverse(self) -> Transform3D:
        back = self.basis.turn.turn.inv()
        return Transform3D(Basis(Quaternion.of(back)), Vector3(*-back.apply(self.origin.array())))


class PackedByteArray(bytes):
    def size(self) -> int:
        return len(self)

    def slice(self, first: int, end: int) -> PackedByteArray:
        return PackedByteArray(self[first:end])

    def get_string_from_ascii(self) -> str:
        return self.decode("ascii", "replace")

    def get_string_from_utf8(self) -> str:
        return self.decode()

    def _read(self, kind: str, at: int) -> Any:
        return struct.unpack_from(kind, self, at)[0]

    def decode_u16(self, at: int) -> int:
        return int(self._read("<H", at))

    def decode_u32(self, at: int) -> int:
        return int(self._read("<I", at))

    def decode_float(self, at: int) -> float:
        return float(self._read("<f", at))

    def decode_double(self, at: int) -> float:
        return float(self._read("<d", at))


class Signal:
    def __init__(self) -> None:
        self.emitted: list[tuple[Any, ...]] = []

    def emit(self, *what: Any) -> None:
        self.emitted.append(what)


class Node:
    def __init__(self) -> None:
        self.children: list[Any] = []
        self.name, self.scale, self.processing, self.freed = "", Vector3(1, 1, 1), True, False
        self.mesh: Any = None
        self.transform: Any = None

    def add_child(self, child: Any) -> None:
        self.children.append(child)

    def set_process(self, on: bool) -> None:
        self.processing = on

    def queue_free(self) -> None:
        self.freed = True


class BoneAttachment3D(Node):
    bone_idx = -1


class BoxMesh:
    size: Any = None


class Skeleton3D(Node):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.parents: list[int] = []
        self.rests: list[Transform3D] = []
        self.places: list[Vector3] = []
        self.turns: list[Quaternion] = []

    def add_bone(self, name: str) -> None:
        assert name not in self.names
        self.names.append(name)
        self.parents.append(-1)
        self.rests.append(Transform3D(Basis(Quaternion()), Vector3()))
        self.places.append(Vector3())
        self.turns.append(Quaternion())

    def set_bone_parent(self, bone: int, parent: int) -> None:
        assert type(parent) is int
        self.parents[bone] = parent

    def get_bone_parent(self, bone: int) -> int:
        return self.parents[bone]

    def set_bone_rest(self, bone: int, rest: Transform3D) -> None:
        self.rests[bone] = rest

    def set_bone_pose_position(self, bone: int, place: Vector3) -> None:
        self.places[bone] = place

    def set_bone_pose_rotation(self, bone: int, turn: Quaternion) -> None:
        self.turns[bone] = turn

    def get_bone_count(self) -> int:
        return len(self.names)

    def get_bone_name(self, bone: int) -> str:
        return self.names[bone]

    def find_bone(self, name: str) -> int:
        return self.names.index(name) if name in self.names else -1

    def get_bone_global_pose(self, bone: int) -> Transform3D:
        own = Transform3D(Basis(self.turns[bone]), self.places[bone])
        return self._global(bone, own, self.get_bone_global_pose)

    def get_bone_global_rest(self, bone: int) -> Transform3D:
        return self._global(bone, self.rests[bone], self.get_bone_global_rest)

    def _global(self, bone: int, own: Transform3D, above: Any) -> Transform3D:
        parent = self.parents[bone]
        whole: Transform3D = own if parent < 0 else above(parent) * own
        return whole

    def joints(self) -> Any:
        """World places of the bones; not Godot's."""
        count = range(len(self.names))
        return np.array([self.get_bone_global_pose(bone).origin.array() for bone in count]) * self.scale.array()


class WebSocketPeer:
    STATE_CONNECTING, STATE_OPEN, STATE_CLOSING, STATE_CLOSED = range(4)

    def __init__(self) -> None:
        self.inbound_buffer_size = 65535
        self.handshake_headers: list[str] = []
        self._socket: ClientConnection | None = None
        self._state, self._packets, self._text, self._why = 0, [], False, (-1, "")  # type: ignore[var-annotated]

    def connect_to_url(self, url: str) -> int:
        headers = dict(each.split(": ", 1) for each in self.handshake_headers)
        try:
            self._socket = connect(url, additional_headers=headers)
        except (OSError, InvalidHandshake) as error:
            self._state, self._why = self.STATE_CLOSED, (-1, str(error))
        return 0

    def poll(self) -> None:
        if self._socket is None:
            return
        self._state = self.STATE_OPEN
        try:
            while True:
                self._packets.append(self._socket.recv(timeout=0.005))
        except TimeoutError:
            pass
        except ConnectionClosed as closed:
            self._state, self._why = self.STATE_CLOSED, (closed.rcvd.code if closed.rcvd else -1, "gone")

    def get_ready_state(self) -> int:
        return self._state

    def get_available_packet_count(self) -> int:
        return len(self._packets)

    def get_packet(self) -> PackedByteArray:
        data = self._packets.pop(0)
        self._text = isinstance(data, str)
        return PackedByteArray(data.encode() if isinstance(data, str) else data)

    def was_string_packet(self) -> bool:
        return self._text

    def send_text(self, text: str) -> None:
        assert self._socket is not None
        self._socket.send(text)

    def get_close_code(self) -> int:
        return self._why[0]

    def get_close_reason(self) -> str:
        return str(self._why[1])

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


class JSON:
    @staticmethod
    def parse_string(text: str) -> Any:
        """All numbers are floats, as in Godot."""
        return json.loads(text, parse_int=float)

    @staticmethod
    def stringify(what: Any) -> str:
        return json.dumps(what)


WORLD: dict[str, Any] = {
    "Vector3": Vector3, "Quaternion": Quaternion, "Basis": Basis, "Transform3D": Transform3D, "Signal": Signal,
    "PackedByteArray": PackedByteArray, "PackedStringArray": list, "Node": Node, "Node3D": Node, "RefCounted": object,
    "MeshInstance3D": Node, "BoneAttachment3D": BoneAttachment3D, "BoxMesh": BoxMesh, "Skeleton3D": Skeleton3D,
    "WebSocketPeer": WebSocketPeer, "JSON": JSON, "OK": 0, "sqrt": math.sqrt, "maxf": max, "absf": abs,
    "push_warning": warnings.append,
}  # fmt: skip
for _name, _kind in list(WORLD.items()):
    if isinstance(_kind, type) and _kind not in (object, list):
        _kind.new = classmethod(lambda cls: cls())  # type: ignore[attr-defined]
