"""What may be in the messages of a page: values of controls, numbers of the scene, files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viser import _messages

LARGEST_UPLOAD = 64 << 20  # bytes of a file
MOST_PARTS = 4096  # of a file
MOST_TRANSFERS = 4  # under way at once
LONGEST_TEXT = 200  # characters


def control_problem(handle: Any, value: object) -> str | None:
    """What is wrong with a new value for a control of the page, or None."""
    label = str(getattr(handle, "label", "control"))
    if getattr(handle, "disabled", False):
        return f"{label}: cannot be changed now"
    kind = type(handle).__name__
    if kind in ("GuiSliderHandle", "GuiNumberHandle"):
        if not _is_finite(value):
            return f"{label}: expected a number"
        low, high = handle.min, handle.max
        assert isinstance(value, (int, float))
        if (low is not None and value < low - 1e-9) or (high is not None and value > high + 1e-9):
            return f"{label}: expected {low} to {high}"
        return None
    if kind in ("GuiDropdownHandle", "GuiButtonGroupHandle"):
        return None if value in tuple(handle.options) else f"{label}: not one of the choices"
    if kind in ("GuiVector2Handle", "GuiVector3Handle"):
        sound = isinstance(value, (list, tuple)) and len(value) == len(handle.value) and all(map(_is_finite, value))
        return None if sound else f"{label}: expected {len(handle.value)} numbers"
    if kind == "GuiTextHandle":
        sound = isinstance(value, str) and len(value) <= LONGEST_TEXT
        return None if sound else f"{label}: expected at most {LONGEST_TEXT} characters"
    if kind in ("GuiCheckboxHandle", "GuiButtonHandle"):
        return None if isinstance(value, bool) else f"{label}: expected true or false"
    return f"{label}: takes no value"


def _is_finite(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def nothing(_message: object) -> None:
    """Of messages in which nothing can be wrong."""


def number_problem(message: object) -> str | None:
    """Numbers of a camera or a pointer must be numbers."""
    for name, value in vars(message).items():
        if not _sound(value):
            return f"{type(message).__name__}: {name} is not sound"
    return None


def gizmo_problem(message: _messages.TransformControlsUpdateMessage) -> str | None:
    """A handle has a place and a rotation."""
    sound = len(message.position) == 3 and len(message.wxyz) == 4 and any(message.wxyz)
    if not (sound and all(map(_is_finite, (*message.position, *message.wxyz)))):
        return "handle: expected a place and a rotation"
    return number_problem(message)


def _sound(value: object, depth: int = 0) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return math.isfinite(value) and abs(value) < 1e9
    if isinstance(value, str):
        return len(value) <= LONGEST_TEXT
    if isinstance(value, (list, tuple)):
        return depth < 3 and len(value) <= 64 and all(_sound(each, depth + 1) for each in value)
    return False


def start_problem(message: _messages.FileTransferStartUpload, sizes: dict[str, int]) -> str | None:
    """What is wrong with a file that is announced; ``sizes`` are the bytes still to come of those under way."""
    size, parts = message.size_bytes, message.part_count
    if not (isinstance(size, int) and isinstance(parts, int) and size >= 0 and 0 <= parts <= MOST_PARTS):
        return "upload: malformed"
    if not (isinstance(message.filename, str) and 0 < len(message.filename) <= LONGEST_TEXT):
        return f"upload: expected a name of at most {LONGEST_TEXT} characters"
    if size > LARGEST_UPLOAD:
        return f"upload: {size >> 20} MB; at most {LARGEST_UPLOAD >> 20} MB are taken"
    if len(sizes) >= MOST_TRANSFERS:
        return f"upload: {MOST_TRANSFERS} are under way already"
    if parts:
        sizes[str(message.transfer_uuid)] = size
    return None


def part_problem(message: _messages.FileTransferPart, sizes: dict[str, int]) -> str | None:
    """What is wrong with a part of a file."""
    key = str(message.transfer_uuid)
    if key not in sizes or not isinstance(message.content, bytes):
        return "upload: this part belongs to no file"
    sizes[key] -= len(message.content)
    if sizes[key] < 0:
        del sizes[key]
        return "upload: larger than was said"
    if sizes[key] == 0:
        del sizes[key]
    return None
