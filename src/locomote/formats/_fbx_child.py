"""FBX read by ufbx, in a process of its own: ``python -m locomote.formats._fbx_child`` (file in, arrays out).

The library's wrappers (0.0.5) lose count of their references, which brings a process down when it tidies up; so would
a damaged file. This process ends without tidying up.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import sys
from typing import Any

import numpy as np

DEFAULT_RATE = 30.0  # frames a second
LONGEST = 3600.0  # s


class Refused(Exception):
    """What is wrong with the file, in one line."""


def read(data: bytes, animation: str | int | None, fps: float | None, metres: bool) -> dict[str, Any]:
    """Names, parents and the transforms of all nodes at rest and over time, as plain arrays."""
    import ufbx

    options: dict[str, Any] = {"target_axes": ufbx.axes_right_handed_y_up}
    if metres:
        options["target_unit_meters"] = 1.0
    try:
        scene = ufbx.load_memory(data, **options)
    except ufbx.UfbxError as error:
        raise Refused(f"not an FBX file that can be read: {error}") from None
    nodes = _items(scene.nodes)
    above = [-1 if node.parent is None else int(node.parent.typed_id) for node in nodes]
    stack = _chosen(_items(scene.anim_stacks), animation)
    rate = float(fps or scene.settings.frames_per_second or DEFAULT_RATE)
    anim, times = scene.anim, np.zeros(1)
    if stack is not None:
        anim = stack.anim
        begin, end = _span(scene, stack)
        if not 0.0 <= end - begin <= LONGEST:
            raise Refused(f"animation {stack.name!r} lasts {end - begin:g} s")
        times = begin + np.arange(int(np.floor((end - begin) * rate + 1e-6)) + 1) / rate
    return {
        "names": np.array([str(node.name) for node in nodes]),
        "parents": np.array(above),
        "bones": np.array([node.bone is not None for node in nodes]),
        "meshes": np.array([node.mesh is not None for node in nodes]),
        "rest": np.array([[_parts(node.local_transform) for node in nodes]]),
        "frames": np.array([[_parts(ufbx.evaluate_transform(anim, node, float(t))) for node in nodes] for t in times]),
        "rate": rate,
        "animation": "" if stack is None else str(stack.name),
    }


def _items(values: Any) -> list[Any]:
    """The items of one of the library's lists, which lend them without counting the loan: so it is counted here."""
    out = [values[i] for i in range(len(values))]
    for item in out:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
    return out


def _chosen(stacks: list[Any], animation: str | int | None) -> Any:
    if animation is None:
        return stacks[0] if stacks else None
    for at, stack in enumerate(stacks):
        if animation in (at, stack.name):
            return stack
    known = ", ".join(f"{at} {stack.name}" for at, stack in enumerate(stacks)) or "none"
    raise Refused(f"no animation {animation!r}; there are: {known}")


def _span(scene: Any, stack: Any) -> tuple[float, float]:
    """From when to when an animation lasts, seconds: as it says, or from the first key to the last."""
    if stack.time_end > stack.time_begin:
        return float(stack.time_begin), float(stack.time_end)
    times = [key.time for curve in _items(scene.anim_curves) for key in _items(curve.keyframes)]
    return min(times, default=0.0), max(times, default=0.0)


def _parts(t: Any) -> tuple[float, ...]:
    """Translation, rotation (w, x, y, z) and scale."""
    move, turn, scale = t.translation, t.rotation, t.scale
    return (move.x, move.y, move.z, turn.w, turn.x, turn.y, turn.z, scale.x, scale.y, scale.z)


def main() -> None:
    """Read standard input as the first argument says, and write a .npz or an error to standard output."""
    out = io.BytesIO()
    try:
        np.savez(out, **read(sys.stdin.buffer.read(), *json.loads(sys.argv[1])))
        answer = out.getvalue()
    except Refused as error:
        answer = b"refused: " + str(error).encode()
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
