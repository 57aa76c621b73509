"""Markers on a body of the stage in every frame, with skin that slides over the bones, noise and gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture.markers._subject import Subject, subject
from locomote.capture.markers._tables import Attached, MarkerTable, place_markers
from locomote.errors import LocomoteError
from locomote.formats.opensim import Markers
from locomote.motion import Motion
from locomote.rotations import FloatArray

_CALM = 0.08  # s over which skin wobbles
_DRIVEN = 0.7  # share of the slide, as an amplitude, that goes with the bend of the joint below the skin
_STIFF = 0.6  # springs that are stiffer than this are on bone, and do not slide unless told


class Placed(NamedTuple):
    """Markers on the stage."""

    markers: Markers
    attached: Attached  # where they truly sit


def markers(
    motion: Motion,
    on: MarkerTable | Attached | None = None,
    slide: float | Mapping[str, float] = 0.0,
    noise: float = 0.0,
    gaps: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    seed: int = 0,
) -> Placed:
    """Markers on a body that moves.

    Parameters
    ----------
    motion
        What it does, F frames.
    on
        Where they sit; unless given, by the built-in table for its joints, or else two beside every joint that turns.
    slide
        How far skin slides over bone, root mean square in m: by the name of a marker or of a joint; or one number, of
        the softest markers, the others as much less as they are stiffer, those on bone not at all. Half of it goes
        with the bend of the joint, half wobbles.
    noise
        Of the cameras, standard deviation of each coordinate, m.
    gaps
        Stretches in which a marker is not seen, by its name: first frame and the one after the last.
    seed
        Of slide and noise.

    Examples
    --------
    >>> import locomote as lm
    >>> walk = lm.samples.performer(speed=1.3, seconds=0.1).motion
    >>> lm.capture.stage.markers(walk).markers.positions.shape[2]
    3
    """
    random = np.random.default_rng(seed)
    attached = _attached(motion, on)
    places, turns = motion.world()
    local = np.broadcast_to(attached.points, (len(motion), *attached.points.shape)).copy()
    for m, name in enumerate(attached.names):
        size = _slide_of(m, name, attached, motion, slide)
        if size > 0.0:
            local[:, m] += size * _sliding(motion, int(attached.joints[m]), random)
    seen = places[:, attached.joints] + rot.rotate(turns[:, attached.joints], local)
    seen += noise * random.normal(size=seen.shape)
    for name, stretches in (gaps or {}).items():
        for first, last in stretches:
            seen[first:last, attached.index(name)] = np.nan
    return Placed(Markers(attached.names, seen, motion.times, motion.fps), attached)


def marked_vertices(body: Body, vertices: Sequence[int], stiffness: float = 0.5) -> Attached:
    """Vertices of a skin as markers: each on the joint that moves it most.

    Parameters
    ----------
    body
        The skin, in its bind pose.
    vertices
        Their numbers; the marker of vertex 12 is called "vertex 12".
    stiffness
        Of their springs.
    """
    at = np.asarray(vertices, dtype=np.int64)
    if at.ndim != 1 or not len(at) or at.min() < 0 or at.max() >= len(body.vertices):
        raise LocomoteError(f"vertices: expected numbers from 0 to {len(body.vertices) - 1}")
    best = np.argmax(body.weights[at], axis=1)
    joints = np.asarray(body.joints)[at, best].astype(np.int64)
    away = body.vertices[at] - body.bind_positions[joints]
    points = rot.rotate(rot.inverse(body.bind_rotations[joints]), away)
    count = len(at)
    names = tuple(f"vertex {v}" for v in at.tolist())
    return Attached(names, joints, points, np.full(count, stiffness), np.zeros(count), np.full(count, -1))


def vertex_markers(surface: FloatArray, vertices: Sequence[int], fps: float) -> Markers:
    """The places of some vertices of a mesh that is tracked, as markers of the same names as `marked_vertices` gives.

    Parameters
    ----------
    surface
        (F, V, 3) m.
    vertices
        Their numbers.
    fps
        Frames a second.
    """
    at = list(vertices)
    places = np.asarray(surface, dtype=np.float64)[:, at]
    return Markers(tuple(f"vertex {v}" for v in at), places, np.arange(len(places)) / fps, fps)


def _attached(motion: Motion, on: MarkerTable | Attached | None) -> Attached:
    if isinstance(on, Attached):
        return on
    whose = subject(motion)
    tables = [on] if on is not None else [MarkerTable.load("human"), MarkerTable.load("rat")]
    for table in tables:
        joints = {spot.joint for spot in table.spots}
        names = motion.skeleton.names
        plain = {name[:-2] for name in names if name[-2:].lower() in ("_l", "_r", ".l", ".r")} | set(names)
        if on is not None or joints <= plain:
            sides = [(spot, side) for spot in table.spots for side in (("L_", "R_") if spot.sided else ("",))]
            return place_markers([f"{side}{spot.names[0]}" for spot, side in sides], whose, table)
    return _beside_joints(whose)


def _beside_joints(whose: Subject) -> Attached:
    """Markers around every joint that has a bone below it: one along it, two to its sides."""
    skeleton = whose.skeleton
    places = skeleton.rest_pose()[0]
    turns = skeleton.rest_pose()[1]
    rows = []
    for j in range(len(skeleton)):
        below = [places[c] for c in skeleton.children(j)]
        own = skeleton.end_parents == j
        ends = places[j] + rot.rotate(turns[j], skeleton.end_offsets[own]) if own.any() else np.zeros((0, 3))
        tips = [tip for tip in (*below, *ends) if np.linalg.norm(tip - places[j]) > 0.02 * whose.size()]
        if not tips:
            continue
        bone = np.mean(tips, axis=0) - places[j]
        length = float(np.linalg.norm(bone))
        across = np.cross(bone, np.eye(3)[int(np.argmin(np.abs(bone)))])
        across *= 0.25 * length / max(float(np.linalg.norm(across)), 1e-12)
        around = np.cross(bone, across) / max(length, 1e-12)
        for k, off in enumerate((0.8 * bone + across, 0.3 * bone + around, 0.5 * bone - across)):
            rows.append((f"{skeleton.names[j]} {k + 1}", j, rot.rotate(rot.inverse(turns[j]), off)))
    names, joints, points = zip(*rows, strict=True)
    count = len(rows)
    flat = np.full(count, 0.5), np.full(count, 0.01 * whose.size()), np.full(count, -1)
    return Attached(tuple(names), np.array(joints), np.array(points), *flat)


def _slide_of(m: int, name: str, attached: Attached, motion: Motion, slide: float | Mapping[str, float]) -> float:
    if isinstance(slide, Mapping):
        joint = motion.skeleton.names[int(attached.joints[m])]
        return float(slide.get(name, slide.get(joint, 0.0)))
    soft = attached.stiffness[attached.stiffness < _STIFF]
    own = attached.stiffness[m]
    return float(slide * np.sqrt(max(soft.min(), 1e-3) / max(own, 1e-3))) if own < _STIFF else 0.0


def _sliding(motion: Motion, joint: int, random: np.random.Generator) -> FloatArray:
    """Where a patch of skin is on its bone ``(F, 3)``, root mean square 1."""
    from scipy.ndimage import gaussian_filter1d

    bend = rot.log(rot.multiply(rot.inverse(motion.rotations[:1, joint]), motion.rotations[:, joint]))
    driven = np.linalg.norm(bend - bend.mean(axis=0), axis=1) * np.sign(random.normal())
    driven = driven - driven.mean()
    way = random.normal(size=3)
    wobble = gaussian_filter1d(random.normal(size=(len(motion), 3)), _CALM * motion.fps, axis=0, mode="nearest")
    parts = [driven[:, None] * way / np.linalg.norm(way), wobble]
    shares = (_DRIVEN, np.sqrt(1.0 - _DRIVEN**2))
    sizes = [float(np.sqrt(np.mean(np.sum(part**2, axis=1)))) for part in parts]
    out = sum((s * p / max(size, 1e-12) for s, p, size in zip(shares, parts, sizes, strict=True)), np.zeros((1, 3)))
    return np.asarray(out / max(float(np.sqrt(np.mean(np.sum(out**2, axis=1)))), 1e-12))
