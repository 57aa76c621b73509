"""The text of a BVH file to be written, from numbers that are already in the file's unit and axes."""

from __future__ import annotations

import re

import numpy as np

from locomote.formats._number_text import GENERAL, fixed, general, text_of
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

_UNSAFE = re.compile(r"[\s{}\x00-\x1f\x7f]+")
_ROWS_AT_ONCE = 128  # what is computed in between stays in the cache
# Positions have nine digits, a micrometre on a kilometre; angles seven decimals of a degree, with arms and legs at its
# end far below a micrometre.


def safe_names(names: tuple[str, ...]) -> list[str]:
    """Names without spaces and braces, each still used once."""
    safe: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = _UNSAFE.sub("_", name.strip()).encode("utf-8", "replace").decode("utf-8") or "joint"
        unique, count = plain, 1
        while unique in taken:
            count += 1
            unique = f"{plain}_{count}"
        taken.add(unique)
        safe.append(unique)
    return safe


def hierarchy_text(
    skeleton: Skeleton, offsets: FloatArray, end_offsets: FloatArray, order: str, all_positions: bool
) -> tuple[str, list[int]]:
    """The HIERARCHY section, and the joints in the order in which it lists them.

    A joint at the end of a chain that has no end site gets one of length zero: readers expect it.
    """
    names = safe_names(skeleton.names)
    turns = " ".join(f"{axis.upper()}rotation" for axis in order)
    listed: list[int] = []
    lines = ["HIERARCHY"]
    # Joints still to be listed, with their depth; -1 closes a brace. No recursion: chains may be long.
    waiting: list[tuple[int, int]] = [(0, 0)]
    while waiting:
        joint, depth = waiting.pop()
        tab = "\t" * depth
        if joint < 0:
            lines.append(f"{tab}}}")
            continue
        positions = "6 Xposition Yposition Zposition" if all_positions or joint == 0 else "3"
        lines += [f"{tab}{'JOINT' if listed else 'ROOT'} {names[joint]}", f"{tab}{{"]
        lines += [f"{tab}\tOFFSET {_vector(offsets[joint])}", f"{tab}\tCHANNELS {positions} {turns}"]
        listed.append(joint)
        children = skeleton.children(joint)
        ends = [_vector(end_offsets[e]) for e in np.flatnonzero(skeleton.end_parents == joint)]
        for end in ends if ends or children else ["0 0 0"]:
            lines += [f"{tab}\tEnd Site", f"{tab}\t{{", f"{tab}\t\tOFFSET {end}", f"{tab}\t}}"]
        waiting.append((-1, depth))
        waiting += [(child, depth + 1) for child in reversed(children)]
    return "\n".join(lines) + "\n", listed


def values_text(positions: FloatArray, angles: FloatArray, listed: list[int]) -> bytes:
    """One line for each frame: positions (F, 1 or J, 3), angles (F, J, 3) in degrees, joints as listed."""
    moved = positions.shape[1]  # joints: their positions stand before their angles, that of the root before all
    lines = []
    for first in range(0, len(angles), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        places = general(positions[rows, listed[:moved]])
        turns = fixed(angles[rows, listed])
        count = len(turns)
        cells = np.concatenate([places.reshape(count, moved, -1), turns.reshape(count, moved, -1)], axis=2)
        lines.append(text_of(cells.reshape(count, -1)))
    return b"".join(lines)


def _vector(v: FloatArray) -> str:
    return " ".join(GENERAL % x for x in v)
