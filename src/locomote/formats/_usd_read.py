"""A motion out of a USD stage that holds UsdSkel skeletons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import FormatError
from locomote.formats._usd_mesh import read_body
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

MAX_FRAMES = 1_000_000  # over two hours at 120 frames a second
EVEN_STEP = 1e-3  # of a step; time samples nearer than this to even times are frames as they are
STILL = 1e-5  # m; a joint that moves less against its parent than this keeps its offset
# A world with Z up, turned so that Y is up.
Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Pose:
    """Local offsets ``(F, J, 3)`` and rotations ``(F, J, 4)``; those of the root are in the world."""

    offsets: FloatArray
    turns: FloatArray


def motion_of(stage: Any, path: Path, wanted: str | None) -> Motion:
    """The motion of the first animated skeleton, or of the one at the prim path ``wanted``."""
    query, bindings, notes = _choose(stage, path, wanted)
    prim = query.GetPrim()
    world_turn, unit, unit_notes = _axes(stage, path)
    notes += unit_notes
    tokens = [str(token) for token in query.GetJointOrder()]
    parents = np.array([int(query.GetTopology().GetParent(i)) for i in range(len(tokens))])
    if not tokens:
        raise FormatError(path, "the skeleton has no joints", str(prim.GetPath()))
    if np.any(parents >= np.arange(len(tokens))):
        raise FormatError(path, "a joint comes before its parent", str(prim.GetPath()))
    rate = float(stage.GetTimeCodesPerSecond())
    times, fps = _times(query, rate, path)
    if not query.GetAnimQuery():
        notes.append("no animation: one frame in the rest pose")
    local, placed = _sample(query, times, path)
    rest_local = _rest(query, local[0], path)
    names = _names(query, tokens)
    if np.sum(parents < 0) > 1:  # our skeletons have one root
        names = ("root" if "root" not in names else "locomote_root", *names)
        parents = np.concatenate([[-1], parents + 1])
        local, rest_local = _with_root(local), _with_root(rest_local[None])[0]
        notes.append(f"the skeleton has several roots: joint {names[0]} carries them")
    pose = _pose(local, placed, parents, world_turn, unit)
    rest = _pose(rest_local[None], placed[:1], parents, world_turn, unit)
    ends = _end_sites(prim, len(names))
    skeleton = Skeleton(names, parents, rest.offsets[0], rest.turns[0], *ends)
    moves = np.any(np.abs(pose.offsets[:, 1:] - skeleton.offsets[1:]) > STILL)
    return Motion(
        skeleton,
        fps,
        pose.offsets[:, 0].copy(),
        rot.canonical(pose.turns),
        pose.offsets if moves else None,
        name=str(prim.GetCustomDataByKey("locomote:name") or ""),
        body=_body(query, bindings, placed[0], world_turn, unit, len(names) - len(tokens)),
        notes=tuple(notes),
    )


def _choose(stage: Any, path: Path, wanted: str | None) -> tuple[Any, list[Any], list[str]]:
    """The query of a skeleton, the meshes bound to it, and what to say about the choice."""
    from pxr import Usd, UsdSkel

    cache = UsdSkel.Cache()
    everything = Usd.TraverseInstanceProxies()
    prims = list(Usd.PrimRange.Stage(stage, everything))
    meshes: dict[str, list[Any]] = {}
    for prim in prims:
        if prim.IsA(UsdSkel.Root):
            root = UsdSkel.Root(prim)
            cache.Populate(root, everything)
            for binding in cache.ComputeSkelBindings(root, everything):
                key = str(binding.GetSkeleton().GetPath())
                meshes.setdefault(key, []).extend(binding.GetSkinningTargets())
    queries = {
        str(prim.GetPath()): cache.GetSkelQuery(UsdSkel.Skeleton(prim)) for prim in prims if prim.IsA(UsdSkel.Skeleton)
    }
    found = {key: query for key, query in queries.items() if query}
    if wanted is not None and wanted not in found:
        raise FormatError(path, f"no skeleton {wanted!r}; the skeletons are: {', '.join(found) or 'none'}")
    if not found:
        raise FormatError(path, "no UsdSkel skeleton in the stage")
    key = wanted or next((key for key, query in found.items() if query.GetAnimQuery()), next(iter(found)))
    notes = [] if len(found) == 1 else [f"skeleton {key} of {', '.join(found)}"]
    return found[key], meshes.get(key, []), notes


def _axes(stage: Any, path: Path) -> tuple[FloatArray, float, list[str]]:
    from pxr import UsdGeom

    notes = []
    unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    if not 0.0 < unit < np.inf:
        raise FormatError(path, f"metersPerUnit must be above 0, got {unit}")
    if unit != 1.0:
        notes.append(f"unit {unit:g} m turned into metres")
    if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z:
        notes.append("Z up turned into Y up")
        return Z_UP, unit, notes
    return np.eye(3), unit, notes


def _times(query: Any, rate: float, path: Path) -> tuple[FloatArray, float]:
    """The time codes of the frames, and the frame rate."""
    from pxr import UsdGeom

    if not 0.0 < rate < np.inf:
        raise FormatError(path, f"timeCodesPerSecond must be above 0, got {rate}")
    animation = query.GetAnimQuery()
    samples = set(animation.GetJointTransformTimeSamples()) if animation else set()
    prim = query.GetPrim()
    while prim and not prim.IsPseudoRoot():
        samples |= set(UsdGeom.Xformable(prim).GetTimeSamples()) if prim.IsA(UsdGeom.Xformable) else set()
        prim = prim.GetParent()
    times = np.array(sorted(samples), dtype=np.float64)
    if len(times) < 2:
        return (times if len(times) else np.zeros(1)), rate
    if not np.all(np.isfinite(times)) or times[-1] - times[0] > MAX_FRAMES or len(times) > MAX_FRAMES:
        raise FormatError(path, f"the animation is longer than {MAX_FRAMES} frames")
    step = (times[-1] - times[0]) / (len(times) - 1)
    if np.all(np.abs(np.diff(times) - step) < EVEN_STEP * step):
        return times, rate / step
    # Keys at uneven times: a frame at every whole time code from the first key to the last.
    return times[0] + np.arange(int(np.floor(times[-1] - times[0] + 1e-6)) + 1), rate


def _sample(query: Any, times: FloatArray, path: Path) -> tuple[FloatArray, FloatArray]:
    """Local joint transforms ``(F, J, 4, 4)`` and the skeleton's place in the world ``(F, 4, 4)``."""
    from pxr import Usd, UsdGeom

    count = len(query.GetJointOrder())
    local = np.empty((len(times), count, 4, 4))
    placed = np.empty((len(times), 4, 4))
    cache = UsdGeom.XformCache()
    for frame, time in enumerate(times):
        matrices = query.ComputeJointLocalTransforms(Usd.TimeCode(time))
        if matrices is None or len(matrices) != count:
            raise FormatError(path, "the joints' transforms are missing or too few", str(query.GetPrim().GetPath()))
        local[frame] = np.asarray(matrices)
        cache.SetTime(Usd.TimeCode(time))
        placed[frame] = np.asarray(cache.GetLocalToWorldTransform(query.GetPrim()))
    if not (np.all(np.isfinite(local)) and np.all(np.isfinite(placed))):
        raise FormatError(path, "a joint's transform is not finite", str(query.GetPrim().GetPath()))
    return local, placed


def _rest(query: Any, first: FloatArray, path: Path) -> FloatArray:
    """Local rest transforms ``(J, 4, 4)``; a skeleton without any rests in its first frame."""
    from pxr import Usd

    matrices = query.ComputeJointLocalTransforms(Usd.TimeCode.Default(), True) if query.HasRestPose() else None
    if matrices is None or len(matrices) != len(first):
        return first
    rest = np.array(matrices)
    if not np.all(np.isfinite(rest)):
        raise FormatError(path, "a joint's rest transform is not finite", str(query.GetPrim().GetPath()))
    return rest


def _pose(local: FloatArray, placed: FloatArray, parents: IntArray, world_turn: FloatArray, unit: float) -> Pose:
    """Rigid joints that stand where the transforms put them, scale and shear of ancestors included."""
    placed = placed.copy()
    placed[:, :3, :3] = placed[:, :3, :3] @ world_turn.T * unit
    placed[:, 3, :3] = placed[:, 3, :3] @ world_turn.T * unit
    world = np.empty_like(local)
    for j, parent in enumerate(parents):
        world[:, j] = local[:, j] @ (placed if parent < 0 else world[:, parent])
    turns = rotation_part(world)
    offsets = world[:, :, 3, :3].copy()
    local_turns = turns.copy()
    for j, parent in enumerate(parents[1:], start=1):
        back = rot.inverse(turns[:, parent])
        offsets[:, j] = rot.rotate(back, world[:, j, 3, :3] - world[:, parent, 3, :3])
        local_turns[:, j] = rot.multiply(back, turns[:, j])
    return Pose(offsets, local_turns)


def rotation_part(matrices: FloatArray) -> FloatArray:
    """The rotations ``(..., 4)`` nearest to row matrices ``(..., 4, 4)``; mirroring is taken out."""
    linear = np.swapaxes(matrices[..., :3, :3], -1, -2)
    left, _, right = np.linalg.svd(linear)
    flip = np.linalg.det(left @ right) < 0.0
    left[..., :, 2] = np.where(flip[..., None], -left[..., :, 2], left[..., :, 2])
    return rot.from_matrix(left @ right)


def _with_root(local: FloatArray) -> FloatArray:
    root = np.broadcast_to(np.eye(4), (len(local), 1, 4, 4))
    return np.concatenate([root, local], axis=1)


def _names(query: Any, tokens: list[str]) -> tuple[str, ...]:
    given = query.GetSkeleton().GetJointNamesAttr().Get()
    last = tuple(token.rsplit("/", 1)[-1] for token in tokens)
    for names in (tuple(str(name) for name in given or ()), last):
        if len(names) == len(tokens) == len(set(names)) and all(names):
            return names
    return tuple(tokens)


def _end_sites(prim: Any, joints: int) -> tuple[IntArray, FloatArray]:
    at = np.array(prim.GetCustomDataByKey("locomote:endParents") or [], dtype=np.int64)
    offsets = np.array(prim.GetCustomDataByKey("locomote:endOffsets") or [], dtype=np.float64)
    if at.ndim == 1 and offsets.shape == (len(at), 3) and np.all((at >= 0) & (at < joints)):
        return at, offsets
    return np.zeros(0, dtype=np.int64), np.zeros((0, 3))


def _body(
    query: Any, meshes: list[Any], placed: FloatArray, world_turn: FloatArray, unit: float, shift: int
) -> Body | None:
    """The meshes that the skeleton moves, as one body in the world."""
    bind = query.GetJointWorldBindTransforms()
    if not query.HasBindPose() or bind is None or len(bind) != len(query.GetJointOrder()):
        return None
    matrices = np.array(bind)
    if not np.all(np.isfinite(matrices)):
        return None
    # Bind transforms know nothing of a scale above the skeleton; the body's size in the world does.
    size = float(np.cbrt(np.abs(np.linalg.det(placed[:3, :3])))) * unit
    matrices[:, :3, :3] = matrices[:, :3, :3] @ world_turn.T
    matrices[:, 3, :3] = matrices[:, 3, :3] @ world_turn.T * size
    order = {str(token): i + shift for i, token in enumerate(query.GetJointOrder())}
    turns, positions = rotation_part(matrices), matrices[:, 3, :3]
    if shift:
        turns = np.concatenate([rot.identity(shift), turns])
        positions = np.concatenate([np.zeros((shift, 3)), positions])
    return read_body(meshes, order, positions, turns, world_turn, size)
