# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of `locomote serve`, received with nothing but what comes with Blender."""

import base64
import json
import os
import socket
import ssl
import struct
import threading
from urllib.parse import quote

import numpy as np

HEADER = struct.Struct("<4sBBHIIdII")  # magic, version, flags, group, frame, count, time, layout, stride


class Stream:
    """A WebSocket by hand: keeps the greeting and the latest bytes of every group."""

    def __init__(self, host, port, token="", rate=30, encrypted=False):
        self.hello, self.latest, self.answers, self.alive = None, {}, [], True
        self._lock, self._left = threading.Lock(), b""
        self._socket = socket.create_connection((host, port), timeout=10)
        if encrypted:
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=host)
        query = "?token=" + quote(token, safe="") if token else ""
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
        """End the connection."""
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


def layout_of(data):
    """The number of the greeting that a frame belongs to, and the time of the stage, s."""
    head = HEADER.unpack_from(data)
    return head[7], head[6]


def characters(data, group):
    """The characters of a frame: places (N, 3), scales (N,) and local rotations (N, J, 4), wxyz."""
    count, stride = HEADER.unpack_from(data)[5], HEADER.unpack_from(data)[8]
    joints = len(group["skeleton"]["parents"])
    rows = np.frombuffer(data, np.uint8, count * stride, HEADER.size).reshape(count, stride)
    numbers = np.ascontiguousarray(rows[:, : 16 + 16 * joints]).view("<f4").astype(np.float64)
    return numbers[:, :3], numbers[:, 3], numbers[:, 4:].reshape(count, joints, 4)
