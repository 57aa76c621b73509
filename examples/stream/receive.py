"""Receive a stream in Python: pip install websockets numpy; locomote serve; python receive.py."""

from __future__ import annotations

import argparse
import json
import struct
import time

import numpy as np
from websockets.sync.client import connect

HEADER = struct.Struct("<4sBBHIIdII")  # magic, version, flags, group, frame, count, time, layout, stride
TYPES = {"float32": "<f4", "uint16": "<u2", "uint8": "u1"}


def records(data: bytes, hello: dict) -> tuple[dict, int, float, np.ndarray]:
    """The group, the frame's number, its time, and one record for each character."""
    magic, version, flags, index, frame, count, at, layout, stride = HEADER.unpack_from(data)
    if (magic, version, layout) != (b"LMOT", 1, hello["layout"]):
        raise ValueError("not a frame of the stream that the greeting describes")
    group = hello["groups"][index]
    fields = group["records"]["int16" if flags & 1 else "float32"]["fields"]
    kind = np.dtype(
        {
            "names": [field["name"] for field in fields],
            "formats": [(TYPES[field["type"]], tuple(field["shape"])) for field in fields],
            "offsets": [field["offset"] for field in fields],
            "itemsize": stride,
        }
    )
    return group, frame, at, np.frombuffer(data, kind, count, HEADER.size)


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """Local rotations (N, J, 4) as w, x, y, z, from four floats or from three 16-bit numbers."""
    if rotations.shape[-1] == 4:
        return rotations.astype(float)
    left_out = (rotations[..., 0] >> 15) | (rotations[..., 1] >> 15) << 1
    parts = ((rotations & 32767) / 32766.0 * 2.0 - 1.0) * np.sqrt(0.5)
    whole = np.empty((*rotations.shape[:-1], 4))
    for place in range(4):
        three = parts[left_out == place]
        rest = np.sqrt(np.maximum(0.0, 1.0 - (three**2).sum(axis=-1)))
        whole[left_out == place] = np.insert(three, place, rest, axis=-1)
    return whole


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    w, u = q[..., :1], q[..., 1:]
    return v + 2.0 * np.cross(u, np.cross(u, v) + w * v)


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w, v], axis=-1)


def joint_positions(group: dict, characters: np.ndarray) -> np.ndarray:
    """World positions (N, J, 3) of the joints, metres."""
    skeleton = group["skeleton"]
    # One for all of them, or one for each where bodies have bones of their own.
    offsets = np.reshape(skeleton["own_offsets"] or skeleton["offsets"], (-1, len(skeleton["parents"]), 3))
    turns = quaternions(characters["rotations"])
    places = np.empty((*turns.shape[:2], 3))
    world = np.empty_like(turns)
    for joint, parent in enumerate(skeleton["parents"]):
        if parent < 0:
            places[:, joint], world[:, joint] = characters["position"], turns[:, joint]
            continue
        offset = characters["scale"][:, None] * offsets[:, joint]
        places[:, joint] = places[:, parent] + rotate(world[:, parent], offset)
        world[:, joint] = multiply(world[:, parent], turns[:, joint])
    return places


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?", default="ws://127.0.0.1:8765")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rotations", choices=("float32", "int16"), default="float32")
    asked = parser.parse_args()
    frames, hello, end = 0, None, time.monotonic() + asked.seconds
    with connect(asked.url, max_size=None) as socket:
        socket.send(json.dumps({"type": "subscribe", "rotations": asked.rotations, "rate": 30}))
        while time.monotonic() < end:
            data = socket.recv()
            if isinstance(data, str):
                message = json.loads(data)
                if message["type"] == "hello":  # comes again when anyone appears or vanishes
                    hello = message
                    first = hello["groups"][0]["name"]
                    print({group["name"]: group["count"] for group in hello["groups"]})
                    socket.send(json.dumps({"type": "go_to", "group": first, "who": 0, "x": 3.0, "z": 3.0}))
                elif message["type"] != "obstacles":
                    print(message)
            elif hello is not None:
                group, _frame, at, characters = records(data, hello)
                places = joint_positions(group, characters)
                frames += 1
                if frames % 60 == 0:
                    head = places[0, :, 1].max()
                    print(f"{at:8.2f} s  {group['name']} 0 at {places[0, 0].round(2)}, top at {head:.2f} m")
    print(f"{frames} messages with frames")


if __name__ == "__main__":
    main()
