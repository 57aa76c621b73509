"""A template fitted to a mesh: bones first, then what is left of the shape; and what became of it, bone by bone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from locomote import rotations as rot
from locomote.capture._meshes import Mesh, checked_mesh
from locomote.capture.bodies._articulated import Bones, Pairs, Stiffness
from locomote.capture.bodies._clusters import Clusters, rotations_of, shape_match
from locomote.capture.bodies._pairing import Target, pair_up, vertex_areas
from locomote.capture.bodies._template import SHIFT, Template
from locomote.errors import LocomoteError
from locomote.ik._ellipsoids import nearest_within
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

Landmarks = Mapping[Any, npt.ArrayLike]  # by name of a bone, or number of a vertex
Progress = Callable[[int, int], None]  # done, of how many

MARKED, GROWS_FROM = 12, 6  # rounds by landmarks alone; sizes are free from that one on
ROUNDS, LAST = 40, 6  # by closest points of some vertices; of all of them
SOME = 3000, 4500  # vertices of template and mesh that are asked in a round
REACH = 0.06, 0.01  # of the size, first and last: pairs farther apart count less
REST, SIZES = (1e-4, 1e-9), (1e-3, 1e-8)  # first and last stiffness, see `Stiffness`
MARKS = 0.3, 3e-4  # weight of landmarks, first and last
STARTS = 4, 8  # ways to face that are tried without landmarks, and rounds for each
RADII = (1 / 8, 1 / 16, 1 / 32)  # of the size: clusters, one after the other
SMOOTH = 3  # rounds with each
WORST = 0.01  # of the size: a bone farther off than that has failed
CLAIMED = 0.6  # share of a bone's vertices, at least, with a point of the mesh near and facing the same way
STRETCHED = 1.6  # a bone longer than that, or shorter, over the whole body's growth, is in doubt


@dataclass(frozen=True, eq=False)
class Fit:
    """A template as it fits a mesh."""

    template: Template
    bones: Bones
    vertices: FloatArray  # (V, 3) m
    joints: FloatArray  # (B, 3) m
    off: FloatArray  # (B,) m, how far a bone's surface and the mesh are apart: nine tenths of both are nearer
    claimed: FloatArray  # (B,) share of a bone's surface with a point of the mesh near
    failed: tuple[str, ...]  # names of bones that do not fit
    notes: tuple[str, ...]

    @property
    def turns(self) -> FloatArray:
        """Rotations ``(B, 4)`` of the joints in the world."""
        return rot.multiply(self.bones.turns, self.template.body.bind_rotations)

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the template with the proportions that were found."""
        old, turns = self.template.skeleton, self.turns
        offsets = self.joints.copy()
        parents = np.array(old.parents)
        inner = parents >= 0
        across = self.joints[inner] - self.joints[parents[inner]]
        offsets[inner] = rot.rotate(rot.inverse(turns[parents[inner]]), across)
        ends, roles = self._grown(old.end_parents, old.end_offsets), old.given_roles
        if roles is not None and roles.legs:
            toes = np.array([leg.toe for leg in roles.legs])
            tips = self._grown(toes, np.array([leg.toe_offset for leg in roles.legs]))
            size = self.bones.size / self.template.size
            legs = [
                replace(leg.scaled(size), toe_offset=tuple(tip))
                for leg, tip in zip(roles.legs, tips.tolist(), strict=True)
            ]
            roles = replace(roles, legs=tuple(legs))
        return replace(old, offsets=offsets, end_offsets=ends, given_roles=roles)

    def _grown(self, joints: IntArray, offsets: FloatArray) -> FloatArray:
        """Places beside joints, in their frames, carried by what became of their bones, ``(N, 3)`` m."""
        world = rot.rotate(self.template.body.bind_rotations[joints], offsets)
        moved = np.einsum("nij,nj->ni", self.bones.linear[joints], world)
        out: FloatArray = rot.rotate(rot.inverse(self.turns[joints]), moved)
        return out

    def motion(self) -> Motion:
        """One frame: the fitted body in the pose of the mesh."""
        turns, parents = self.turns, np.array(self.template.skeleton.parents)
        local = turns.copy()
        inner = parents >= 0
        local[inner] = rot.multiply(rot.inverse(turns[parents[inner]]), turns[inner])
        body = replace(
            self.template.body,
            vertices=self.vertices,
            bind_positions=self.joints,
            bind_rotations=turns,
            source=None,
        )
        return Motion(self.skeleton, 30.0, self.joints[:1], local[None], body=body)

    def follow(self, points: npt.ArrayLike) -> FloatArray:
        """Where points of the template's bind pose that belong to no bone go, ``(P, 3)`` m: flesh, organs (ANA-12).

        Parameters
        ----------
        points : (P, 3) m, in the bind pose
        """
        at = np.asarray(points, dtype=np.float64)
        if at.ndim != 2 or at.shape[1] != 3 or not np.all(np.isfinite(at)):
            raise LocomoteError(f"points: expected finite (P, 3), got shape {at.shape}")
        body = self.template.body
        far, near = map(np.asarray, cKDTree(body.vertices).query(at, k=12))
        weights = 1.0 / (far**2 + (1e-6 * self.template.size) ** 2)
        weights /= weights.sum(axis=1, keepdims=True)
        linear = self.bones.linear[self.template.bones[near]]
        moved = self.vertices[near] + np.einsum("pkij,pkj->pki", linear, at[:, None] - body.vertices[near])
        return np.asarray(np.einsum("pk,pki->pi", weights, moved))


def fit(
    template: Template,
    mesh: Mesh | tuple[npt.ArrayLike, npt.ArrayLike],
    landmarks: Landmarks | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Fit a template to a mesh: the same body, or one of its kind, in any pose that its joints allow.

    Parameters
    ----------
    template : what is fitted
    mesh : vertices ``(V, 3)``, m, Y up, and faces ``(T, 3)``; upright, if no landmarks are given
    landmarks : places on the mesh, m, of vertices of the template by number, or of the ends of bones by name
    progress : called with rounds done, and of how many

    Bones that do not fit are named in ``failed``, with how far off each is in ``off`` and ``claimed``.
    """
    known = mesh if isinstance(mesh, Mesh) else checked_mesh(*mesh)
    target = Target(known)
    marks = _marks(template, landmarks or {})
    bones = _started(template, target, marks)
    random = np.random.default_rng(0)
    for k in range(ROUNDS + LAST):
        _round(bones, target, marks, random, min(1.0, k / (ROUNDS - 1)), all_of_them=k >= ROUNDS)
        if progress is not None:
            progress(k + 1, ROUNDS + LAST + 1)
    gaps = _closed(bones)
    vertices = _bent(bones, target)
    joints = _carried_joints(bones, vertices)
    if progress is not None:
        progress(ROUNDS + LAST + 1, ROUNDS + LAST + 1)
    return _judged(bones, target, vertices, joints, gaps)


def _marks(template: Template, landmarks: Landmarks) -> Pairs | None:
    """Landmarks as pairs."""
    vertices, goals = [], []
    for key, place in landmarks.items():
        goal = np.asarray(place, dtype=np.float64)
        if goal.shape != (3,) or not np.all(np.isfinite(goal)):
            raise LocomoteError(f"landmark {key!r}: expected a finite place (x, y, z), got {place!r}")
        if isinstance(key, str):
            joint = template.skeleton.index(key)
            mine = np.flatnonzero(template.bones == joint)
            if len(mine) == 0:
                raise LocomoteError(f"landmark {key!r}: no vertex of the template follows this joint")
            far = np.linalg.norm(template.body.vertices[mine] - template.body.bind_positions[joint], axis=1)
            vertices.append(int(mine[np.argmax(far)]))
        elif 0 <= int(key) < len(template.body.vertices):
            vertices.append(int(key))
        else:
            raise LocomoteError(f"landmark {key}: the template has {len(template.body.vertices)} vertices")
        goals.append(goal)
    if not goals:
        return None
    places = np.array(goals)
    return Pairs.of_vertices(np.array(vertices), places, np.zeros_like(places), np.ones(len(places)))


def _started(template: Template, target: Target, marks: Pairs | None) -> Bones:
    """Bones where the search begins: by landmarks, or as large as the mesh and facing the way that fits best."""
    own, other = template.body.vertices, target.mesh.vertices
    scale = target.mesh.size / float(np.linalg.norm(np.ptp(own, axis=0)))
    size = float(np.ptp(other, axis=0).max())
    if marks is not None and len(marks.goals) >= 3:
        bones = Bones(template, size)
        placed = own[marks.corners[:, 0]]
        spread = (marks.goals - marks.goals.mean(axis=0)).T @ (placed - placed.mean(axis=0))
        ratio = np.linalg.norm(marks.goals - marks.goals.mean(axis=0)) / np.linalg.norm(placed - placed.mean(axis=0))
        turn = rot.from_matrix(rotations_of(spread))
        bones.place(turn, float(ratio), placed.mean(axis=0), marks.goals.mean(axis=0))
        for k in range(MARKED):
            bones.fit([(marks, 1.0)], Stiffness(1e-3, 1e-2), grows=k >= GROWS_FROM)
        return bones
    best, least = Bones(template, size), np.inf
    for way in range(STARTS[0]):
        bones, random = Bones(template, size), np.random.default_rng(0)
        turn = rot.from_yaw(2.0 * np.pi * way / STARTS[0])
        bones.place(turn, scale, own.mean(axis=0), other.mean(axis=0))
        for _ in range(STARTS[1]):
            _round(bones, target, marks, random, 0.0)
        near = target.tree.query(bones.posed()[random.choice(len(own), min(SOME[0], len(own)), replace=False)])[0]
        if float(np.mean(near)) < least:
            best, least = bones, float(np.mean(near))
    return best


def _round(
    bones: Bones,
    target: Target,
    marks: Pairs | None,
    random: np.random.Generator,
    done: float,
    all_of_them: bool = False,
    grows: bool = True,
) -> float:
    """One round by closest points; ``done`` of the way from coarse to fine. How far vertices went at most, m."""
    count, others = len(bones.vertices), len(target.mesh.vertices)
    mine, theirs = np.arange(count), np.arange(others)
    if not all_of_them:
        mine = np.sort(random.choice(count, min(SOME[0], count), replace=False))
        theirs = np.sort(random.choice(others, min(SOME[1], others), replace=False))
    reach = bones.size * _between(REACH, done)
    pairs = pair_up(bones.posed(), bones.template.body.triangles, target, reach, mine, theirs)
    sets = [(pairs[0], 1.0), (pairs[1], 1.0)]
    if marks is not None:
        sets.append((marks, _between(MARKS, done)))
    return bones.fit(sets, Stiffness(_between(REST, done), _between(SIZES, done)), grows)


def _between(ends: tuple[float, float], share: float) -> float:
    return float(ends[0] * (ends[1] / ends[0]) ** share)


def _closed(bones: Bones) -> FloatArray:
    """Close the joints and keep their limits, from the root to the leaves; the gaps that loops still have, m."""
    at, bind = bones.links, bones.template.body.bind_rotations
    tree = len(bones.places) - 1
    for k in range(tree):
        p, c = int(at.parents[k]), int(at.children[k])
        bend = nearest_within(bones.bends()[k], at.angles[k])
        frame = rot.multiply(rot.multiply(bones.turns[p], bind[p]), at.rest[k])
        bones.turns[c] = rot.multiply(rot.multiply(frame, rot.exp(bend)), rot.inverse(bind[c]))
        bones.places[c] = bones.places[p] + bones.linear[p] @ (at.places[k] - bones.centres[p])
    first, second = bones.ends()
    return np.asarray(np.linalg.norm(first - second, axis=1))


def _bent(bones: Bones, target: Target) -> FloatArray:
    """Vertices after what bones do not explain: the mesh is followed by clusters of them, ever smaller ones."""
    rest, faces, size = bones.posed(), bones.template.body.triangles, bones.size
    owner = bones.template.bones
    everyone, others = np.arange(len(rest)), np.arange(len(target.mesh.vertices))
    areas = vertex_areas(rest, faces)
    now = rest.copy()
    for radius in RADII:
        near = Clusters.within(rest, owner, radius * size)
        for _ in range(SMOOTH):
            wished, trust = np.zeros_like(now), np.full(len(now), 1e-9 * areas.mean())
            for pairs in pair_up(now, faces, target, 0.02 * size, everyone, others):
                off = pairs.goals - np.einsum("pk,pki->pi", pairs.shares, now[pairs.corners])
                for k in range(3):
                    share = pairs.trust * pairs.shares[:, k]
                    np.add.at(trust, pairs.corners[:, k], share)
                    np.add.at(wished, pairs.corners[:, k], share[:, None] * off)
            wished /= trust[:, None]
            now = rest + shape_match(rest, now - rest + wished, trust, near)
    return now


def _carried_joints(bones: Bones, vertices: FloatArray) -> FloatArray:
    """Joints taken along by the vertices of their two bones, the nearer the more (ANA-07)."""
    before, owner = bones.posed(), bones.template.bones
    eps = (0.02 * bones.size) ** 2
    out = bones.places.copy()
    for b in range(len(out)):
        both = (owner == b) | (owner == int(bones.template.skeleton.parents[b]))
        if not both.any():
            continue
        weights = 1.0 / (np.sum((before[both] - bones.places[b]) ** 2, axis=1) + eps)
        weights /= weights.sum()
        middle, moved = weights @ before[both], weights @ vertices[both]
        spread = (weights[:, None] * (vertices[both] - moved)).T @ (before[both] - middle)
        out[b] = moved + rotations_of(spread) @ (bones.places[b] - middle)
    return out


def _judged(bones: Bones, target: Target, vertices: FloatArray, joints: FloatArray, gaps: FloatArray) -> Fit:
    """How far off each bone is, both ways, and which have failed."""
    template, size = bones.template, bones.size
    names, owner = template.skeleton.names, template.bones
    everyone, others = np.arange(len(vertices)), np.arange(len(target.mesh.vertices))
    pairs = pair_up(vertices, template.body.triangles, target, 0.02 * size, everyone, others)
    far = [np.linalg.norm(p.goals - np.einsum("pk,pki->pi", p.shares, vertices[p.corners]), axis=1) for p in pairs]
    whose = (
        owner[pairs[0].corners[:, 0]],
        owner[pairs[1].corners[np.arange(len(others)), np.argmax(pairs[1].shares, 1)]],
    )
    count = len(names)
    off, claimed = np.zeros(count), np.ones(count)
    growth = bones.growth - np.median(bones.growth, axis=0)
    failed = []
    for b in range(count):
        mine = whose[0] == b
        if not mine.any():
            continue
        both = np.concatenate([far[0][mine & (pairs[0].trust > 0.0)], far[1][whose[1] == b]])
        off[b] = float(np.quantile(both, 0.9)) if len(both) else np.inf
        claimed[b] = float(np.mean(pairs[0].trust[mine] > 0.0))
        stretched = bool(np.abs(growth[b, 0]) > np.log(STRETCHED))
        if off[b] > WORST * size or claimed[b] < CLAIMED or stretched:
            failed.append(names[b])
    notes = list(target.mesh.notes)
    if failed:
        notes.append(f"{len(failed)} of {count} bones do not fit: {', '.join(failed)}")
    if gaps.max(initial=0.0) > SHIFT * size:
        notes.append(f"a loop of joints stays open by {gaps.max():.4f} m")
    return Fit(template, bones, vertices, joints, off, claimed, tuple(failed), tuple(notes))
