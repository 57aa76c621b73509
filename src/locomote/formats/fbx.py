"""FBX (.fbx), through the library ufbx: skeleton and animation in; the format has no free writer, so never out."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from locomote.errors import FormatError, LocomoteError, MissingExtra
from locomote.formats._gltf_matrix import join_matrix, world_rotation
from locomote.formats._gltf_sample import local_pose
from locomote.formats.units import unit_in_metres
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

_MOVES = 5e-6  # of the body's size; a joint that strays further from its offset has a translation of its own
_MOST_RATE = 1000.0  # frames a second
_PATIENCE = 600.0  # s


def read(
    data: bytes,
    path: Path,
    animation: str | int | None = None,
    fps: float | None = None,
    unit: str | float = "auto",
) -> Motion:
    """The skeleton of a file under one of its animations, in metres and Y up; its mesh is not read.

    Parameters
    ----------
    data, path : the file, and its name for messages
    animation : a name or an index; the first by default
    fps : frames a second at which it is sampled; by default the file's own
    unit : in metres or by name, where the file says a wrong one
    """
    if importlib.util.find_spec("ufbx") is None:
        raise MissingExtra("ufbx", "fbx", "reading FBX")
    if fps is not None and not (np.isfinite(fps) and 0.0 < fps <= _MOST_RATE):
        raise LocomoteError(f"{path}: fps must be a positive number of at most {_MOST_RATE:g}, got {fps}")
    scale = 1.0 if unit == "auto" else unit_in_metres(unit)
    held = _read_elsewhere(data, path, json.dumps([animation, fps, unit == "auto"]))
    above = held["parents"]
    chosen = _joints(held["bones"], held["meshes"], above.tolist(), path)
    with np.errstate(all="ignore"):
        rest, frames = (_worlds(held[key], above)[:, chosen] for key in ("rest", "frames"))
    if not all(np.all(np.isfinite(worlds)) and np.abs(worlds).max() < 1e30 for worlds in (rest, frames)):
        raise FormatError(path, "positions grow beyond all numbers")
    for worlds in (rest, frames):
        worlds[..., :3, 3] *= scale
    index = {one: j for j, one in enumerate(chosen)}
    parents = np.array([-1, *(index[int(above[one])] for one in chosen[1:])])
    (rest_places, rest_turns), (places, turns) = (
        (worlds[..., :3, 3], world_rotation(worlds[..., :3, :3])) for worlds in (rest[0], frames)
    )
    offsets, rests = local_pose(parents, rest_places, rest_turns)
    moved, local = local_pose(parents, places, turns)
    size = max(float(np.ptp(rest_places, axis=0).max()), 1e-9)
    strays = np.abs(moved[:, 1:] - offsets[1:]).max(initial=0.0) > _MOVES * size
    return Motion(
        skeleton=Skeleton(_names([str(held["names"][one]) for one in chosen]), parents, offsets, rests),
        fps=float(held["rate"]),
        root_positions=places[:, 0].copy(),
        rotations=local,
        translations=moved if strays else None,
        name=str(held["animation"]),
    )


def _read_elsewhere(data: bytes, path: Path, options: str) -> dict[str, np.ndarray]:
    """What the child process made of the file."""
    command = [sys.executable, "-m", "locomote.formats._fbx_child", options]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise FormatError(path, f"was not read within {_PATIENCE:g} s") from None
    if done.stdout.startswith(b"refused: "):
        what = done.stdout[9:].decode()
        raise LocomoteError(f"{path}: {what}") if what.startswith("no animation") else FormatError(path, what)
    try:
        with np.load(io.BytesIO(done.stdout), allow_pickle=False) as held:
            return dict(held)
    except (ValueError, OSError, EOFError):
        raise FormatError(path, "brings the library down that reads it: it is damaged") from None


def _joints(bones: np.ndarray, meshes: np.ndarray, above: list[int], path: Path) -> list[int]:
    """The bones and all between them, parents first; the nodes without a mesh where there is no bone."""
    root = above.index(-1)
    wanted = np.flatnonzero(bones).tolist() or [one for one in np.flatnonzero(~meshes).tolist() if one != root]
    if not wanted:
        raise FormatError(path, "there are no bones, so there is no skeleton")
    chains = []
    for one in wanted:
        chain = [one]
        while above[chain[-1]] not in (-1, root):
            chain.append(above[chain[-1]])
        chains.append(chain[::-1])
    tops = {chain[0] for chain in chains}
    if len(tops) > 1:
        raise FormatError(path, f"its bones hang on {len(tops)} roots, expected one")
    depth = 0  # as far down as all chains are one
    while all(len(chain) > depth + 1 and chain[depth + 1] == chains[0][depth + 1] for chain in chains):
        depth += 1
    first = next((at for at, one in enumerate(chains[0][: depth + 1]) if one in wanted), depth)
    return list(dict.fromkeys(one for chain in sorted(chains, key=len) for one in chain[first:]))


def _worlds(parts: FloatArray, above: IntArray) -> FloatArray:
    """World matrices ``(F, N, 4, 4)`` from translations, rotations and scales against parents ``(F, N, 10)``."""
    local = join_matrix(parts[..., :3], parts[..., 3:7], parts[..., 7:])
    worlds = local.copy()
    for one, parent in enumerate(above):  # parents come before their children
        if parent >= 0:
            worlds[:, one] = worlds[:, parent] @ local[:, one]
    return worlds


def _names(given: list[str]) -> tuple[str, ...]:
    """Names of nodes, all different."""
    out: list[str] = []
    for at, base in enumerate(given):
        name = base or f"node_{at}"
        number = 1
        while name in out:
            number += 1
            name = f"{base}_{number}"
        out.append(name)
    return tuple(out)
