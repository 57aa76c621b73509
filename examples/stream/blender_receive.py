"""Receive a stream in Blender, with nothing but what comes with it.

Start `locomote serve`, open this file in Blender's text editor and run it: an armature appears for every character and
moves. Run `stop()` in the console to end. Blender is z up and looks along -y: our (x, y, z) is its (x, -z, y).
"""

import base64
import json
import math
import os
import socket
import struct
import threading

HOST, PORT, TOKEN, RATE = "127.0.0.1", 8765, "", 30
HEADER = struct.Struct("<4sBBHIIdII")  # magic, version, flags, group, frame, count, time, layout, stride


class Stream:
    """A WebSocket by hand: keeps the greeting and the latest bytes of every group."""

    def __init__(self, host, port, token="", rate=30):
        self.hello, self.latest, self.answers, self.alive = None, {}, [], True
        self._lock, self._left = threading.Lock(), b""
        self._socket = socket.create_connection((host, port), timeout=10)
        query = "?token=" + token if token else ""
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            (
                f"GET /{query} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._some()
        head, self._left = head.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        self._socket.settimeout(None)
        self.send({"type": "subscribe", "rate": rate})
        threading.Thread(target=self._receive, daemon=True).start()

    def send(self, message):
        """Send a command, such as {"type": "go_to", "group": "people", "x": 1, "z": 2}."""
        self._write(1, json.dumps(message).encode())

    def close(self):
        self.alive = False
        self._socket.close()

    def take(self):
        """The greeting, and the frames that came since the last time: {group index: bytes}."""
        with self._lock:
            latest, self.latest = self.latest, {}
            return self.hello, latest

    def _write(self, kind, payload):
        mask = os.urandom(4)
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self._socket.sendall(bytes([128 | kind]) + length + mask + masked)

    def _some(self):
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server has gone")
        return data

    def _read(self, count):
        while len(self._left) < count:
            self._left += self._some()
        data, self._left = self._left[:count], self._left[count:]
        return data

    def _message(self):
        """The kind and the bytes of the next message, put together from its pieces."""
        whole, kind = b"", 0
        while True:
            first, size = self._read(2)
            size &= 127
            if size > 125:
                size = int.from_bytes(self._read(2 if size == 126 else 8), "big")
            piece = self._read(size)
            if first & 15 == 9:  # a ping wants its pong
                self._write(10, piece)
            elif first & 15 == 8:
                raise ConnectionError("the server says goodbye")
            elif first & 15 != 10:
                kind = first & 15 or kind
                whole += piece
                if first & 128:
                    return kind, whole

    def _receive(self):
        try:
            while self.alive:
                kind, data = self._message()
                with self._lock:
                    if kind == 2:
                        self.latest[HEADER.unpack_from(data)[3]] = data
                        continue
                    message = json.loads(data)
                    if message["type"] == "hello":
                        self.hello, self.latest = message, {}
                    elif message["type"] != "obstacles":
                        self.answers = [*self.answers[-9:], message]
        except (OSError, ConnectionError):
            self.alive = False


def characters(data, group):
    """For each character of a frame: its position, its scale and its local rotations (w, x, y, z)."""
    count, stride = HEADER.unpack_from(data)[5], HEADER.unpack_from(data)[8]
    joints = len(group["skeleton"]["parents"])
    for n in range(count):
        numbers = struct.unpack_from(f"<{4 + 4 * joints}f", data, HEADER.size + n * stride)
        turns = [numbers[4 + 4 * j : 8 + 4 * j] for j in range(joints)]
        yield numbers[:3], numbers[3], turns


def to_blender(v):
    return (v[0], -v[2], v[1])


def turn_to_blender(q):
    return (q[0], q[1], -q[3], q[2])


def times(a, b):
    w, x, y, z = a
    return (
        w * b[0] - x * b[1] - y * b[2] - z * b[3],
        w * b[1] + x * b[0] + y * b[3] - z * b[2],
        w * b[2] - x * b[3] + y * b[0] + z * b[1],
        w * b[3] + x * b[2] - y * b[1] + z * b[0],
    )


def back(q):
    return (q[0], -q[1], -q[2], -q[3])


def turned(q, v):
    return times(times(q, (0.0, *v)), back(q))[1:]


def rest_pose(skeleton, n):
    """Where the joints of a character are at rest and how they are turned, in Blender's axes."""
    places, turns = [], []
    size = len(skeleton["offsets"])
    offsets = skeleton["own_offsets"][n * size : (n + 1) * size] or skeleton["offsets"]
    for j, parent in enumerate(skeleton["parents"]):
        offset = to_blender(offsets[3 * j : 3 * j + 3])
        turn = turn_to_blender(skeleton["rest_rotations"][4 * j : 4 * j + 4])
        if parent >= 0:
            offset = tuple(a + b for a, b in zip(places[parent], turned(turns[parent], offset), strict=True))
            turn = times(turns[parent], turn)
        places.append(offset)
        turns.append(turn)
    return places, turns


class Figure:
    """One character as an armature."""

    def __init__(self, bpy, name, skeleton, n):
        self.parents = skeleton["parents"]
        self.places, self.rest = rest_pose(skeleton, n)
        armature = bpy.data.armatures.new(name)
        self.object = bpy.data.objects.new(name, armature)
        bpy.context.collection.objects.link(self.object)
        bpy.context.view_layer.objects.active = self.object
        bpy.ops.object.mode_set(mode="EDIT")
        bones = []
        for j, parent in enumerate(self.parents):
            bone = armature.edit_bones.new(skeleton["names"][j])
            bone.head, bone.tail = self.places[j], self._tail(j)
            bone.parent = bones[parent] if parent >= 0 else None
            bones.append(bone)
        names = [bone.name for bone in bones]
        bpy.ops.object.mode_set(mode="OBJECT")
        self.bones = [self.object.pose.bones[each] for each in names]
        # How each bone lies at rest: Blender counts a bone's turn from there.
        self.lies = [tuple(armature.bones[each].matrix_local.to_quaternion()) for each in names]
        for bone in self.bones:
            bone.rotation_mode = "QUATERNION"

    def _tail(self, joint):
        """Towards the first joint that hangs on it; a short way up where there is none."""
        head = self.places[joint]
        for child, parent in enumerate(self.parents):
            if parent == joint and math.dist(head, self.places[child]) > 1e-3:
                return self.places[child]
        return (head[0], head[1], head[2] + 0.05)

    def pose(self, position, scale, turns):
        self.object.scale = (scale, scale, scale)
        for j, parent in enumerate(self.parents):
            turn = times(turn_to_blender(turns[j]), back(self.rest[j]))
            if parent >= 0:
                turn = times(self.rest[parent], turn)
            self.bones[j].rotation_quaternion = times(times(back(self.lies[j]), turn), self.lies[j])
        place = to_blender([each / scale for each in position])
        off = tuple(a - b for a, b in zip(place, self.places[0], strict=True))
        self.bones[0].location = turned(back(self.lies[0]), off)


class Receiver:
    """Keeps armatures in step with the stream."""

    def __init__(self, bpy, stream):
        self.bpy, self.stream, self.layout, self.figures = bpy, stream, None, {}

    def update(self):
        hello, latest = self.stream.take()
        if hello is None:
            return
        if hello["layout"] != self.layout:
            for figure in self.figures.values():
                self.bpy.data.objects.remove(figure.object)
            self.figures, self.layout = {}, hello["layout"]
        for index, data in latest.items():
            group = hello["groups"][index]
            if HEADER.unpack_from(data)[7] != self.layout:
                continue
            for n, (position, scale, turns) in enumerate(characters(data, group)):
                if (index, n) not in self.figures:
                    self.figures[index, n] = Figure(self.bpy, f"{group['name']} {n}", group["skeleton"], n)
                self.figures[index, n].pose(position, scale, turns)


def start(bpy):
    receiver = Receiver(bpy, Stream(HOST, PORT, TOKEN, RATE))

    def tick():
        receiver.update()
        return 1.0 / RATE if receiver.stream.alive else None

    bpy.app.timers.register(tick)
    return receiver


def stop():
    running.stream.close()


if __name__ == "__main__":
    import bpy

    running = start(bpy)
