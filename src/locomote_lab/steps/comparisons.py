"""Exact steps beside simpler ways: rotations alone, the nearest step, and records left out of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._blending import LEGS, body, default_database
from locomote.steps._database import StepDatabase, difference
from locomote.steps._plan import LEFT, RIGHT, FootPlan
from locomote.steps._timeline import FROM, LAND, LIFT, TO
from locomote.steps._walking import CANDIDATES, Options, Walk, choose, make, plants_of, trace
from locomote.steps.building._analysis import POSE_SAMPLES, joint_places
from locomote_lab.human.jumps import centre_of_mass
from locomote_lab.steps.candidates import choices, queries_of
from locomote_lab.steps.metrics import WalkSmoothness, high_frequency, measure, sole_points

_BALLS = LEGS[:, 3]


def rotational_errors(walk: Walk, database: StepDatabase | None = None) -> FloatArray:
    """How far balls would be from their plants ``(P - 2, 2)``, m, if all joint angles were blended and nothing else.

    The supporting foot in the middle of the first double stance and the swinging one in that of the second.
    """
    steps = default_database() if database is None else database
    size = body(float(walk.motion.skeleton.leg_length())).measures.size
    out, queries = [], queries_of(walk)
    for p in range(2, len(walk.plan)):
        arrays = steps.arrays(RIGHT)
        corners, weights = walk.corners[p], walk.weights[p]
        used = weights > 0.0
        mean = rot.mean(arrays.rotations[corners[used]][:, [FROM, TO]], weights[used] / weights[used].sum())
        roots = np.tensordot(weights, arrays.roots[corners][:, [FROM, TO]], axes=1)
        balls = Motion(COMMON, 1.0, roots, mean).joint_positions()[:, _BALLS]
        query = queries[p - 2]
        landing = np.array([query[1], 0.0, query[2]])
        support = np.linalg.norm((balls[0, LEFT])[[0, 2]])
        out.append([size * support, size * float(np.linalg.norm((balls[1, RIGHT] - landing)[[0, 2]]))])
    return np.array(out)


def left_out(database: StepDatabase, count: int, seed: int = 0) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Recorded steps made from all others: rms distances of joints (m at hips 0.9 m high) and mean angles (rad).

    By plain corners, by substitutes one by one, by the best four, and by the most similar step as it is.
    """
    random = np.random.default_rng(seed)
    places = joint_places(database)
    which = random.permutation(len(database))
    errors: dict[str, list[tuple[float, float]]] = {how: [] for how in (*CANDIDATES, "most similar step")}
    queries = np.concatenate([database.params, database.yaws, database.durations], axis=1)
    done = 0
    for k in which:
        others = np.delete(np.arange(len(database)), k)
        rest = database.taken(others)
        if rest.tetrahedra.locate(database.params[k][None])[0][0] < 0:
            continue
        for how in CANDIDATES:
            corners, weights = choices(rest, queries[k][None], how)
            errors[how].append(_errors(database, places, int(k), others[corners[0]], weights[0]))
        near = others[[int(np.argmin(difference(database.features[k], rest.features)))]]
        errors["most similar step"].append(_errors(database, places, int(k), near, np.ones(1)))
        done += 1
        if done == count:
            break
    names = dict(zip(CANDIDATES, ("corners of Delaunay", "substitutes one by one", "best four"), strict=True))
    return {
        names.get(how, how): (np.array([e[0] for e in found]), np.array([e[1] for e in found]))
        for how, found in errors.items()
    }


def _errors(
    database: StepDatabase, places: FloatArray, k: int, corners: IntArray, weights: FloatArray
) -> tuple[float, float]:
    used = weights > 1e-9
    blend = np.tensordot(weights, places[corners], axes=1)
    turns = database.rotations[:, POSE_SAMPLES]
    mean = rot.mean(turns[corners[used]], weights[used] / weights[used].sum())
    away = np.sqrt(np.mean(np.sum((blend - places[k]) ** 2, axis=-1)))
    return 0.9 * float(away), float(rot.distance(mean, turns[k]).mean())


def nearest_and_moved(plans: Sequence[tuple[FootPlan, float]]) -> dict[str, list[str]]:
    """Blends beside the one most similar step whose feet are moved to the plants, over plans with their legs."""
    ours, theirs = [], []
    for plan, leg in plans:
        (made,) = trace([plan], leg_length=leg)
        ours.append(made)
        theirs.append(_with_nearest(plan, leg, made))
    return {
        name: [
            f"{1e3 * max(measure(walk).foot_error for walk in walks):.4f}",
            f"{100 * np.mean([unbalanced(walk) for walk in walks]):.1f}",
            f"{np.mean([measure(walk).root_jerk for walk in walks]):.0f}",
            f"{100 * max(-float(walk.sinks[1].min()) for walk in walks):.1f}",
        ]
        for name, walks in (("blend of four", ours), ("nearest step, feet moved", theirs))
    }


def _with_nearest(plan: FootPlan, leg: float, made: Walk) -> Walk:
    """The same walk with the most similar recorded step everywhere."""
    database = default_database()
    queries = queries_of(made)
    recorded = np.concatenate([database.params, database.yaws, database.durations], axis=1)
    picked = [int(np.argmin(difference(_features(query), _features(recorded)))) for query in queries]
    person, options = body(leg), Options()
    plants = plants_of([plan])
    chosen = choose(plants, None, person, options)
    chosen.corners[2:] = np.array(picked)[:, None]
    for weights in (chosen.weights, chosen.turns):
        weights[2:] = [1.0, 0.0, 0.0, 0.0]
    frames = np.array([0, len(made.motion)])
    other = make(plants, chosen, None, person, options, made.motion.fps, frames)
    motion = Motion(person.skeleton, made.motion.fps, other.roots, other.rotations)
    return replace(made, motion=motion, stands=other.stands, sinks=other.sinks)


def _features(rows: FloatArray) -> FloatArray:
    from locomote.steps._database import features

    return features(rows[..., :3], rows[..., 3:6], rows[..., 6:])


def unbalanced(walk: Walk) -> float:
    """The mean distance, m, of the centre of mass on the ground plan from the area between the feet that stand."""
    from scipy.spatial import ConvexHull

    positions, world = walk.motion.world()
    soles = sole_points(walk, positions, world)[:, :, [0, 2]][..., [0, 2]]
    mass = centre_of_mass(positions)[:, [0, 2]]
    out = []
    for n in range(0, len(mass), 3):
        standing = soles[n][walk.stands[:, n] >= 0].reshape(-1, 2)
        if len(standing) == 0:
            continue
        if len(standing) > 2:
            hull = ConvexHull(standing)
            if np.all(hull.equations @ [*mass[n], 1.0] <= 0.0):
                out.append(0.0)
                continue
            standing = standing[hull.vertices]
        ends = np.roll(standing, -1, axis=0)
        along = np.sum((mass[n] - standing) * (ends - standing), axis=1)
        share = np.clip(along / np.maximum(np.sum((ends - standing) ** 2, axis=1), 1e-9), 0.0, 1.0)
        out.append(float(np.linalg.norm(standing + share[:, None] * (ends - standing) - mass[n], axis=1).min()))
    return float(np.mean(out))


def recorded_smoothness(database: StepDatabase) -> WalkSmoothness:
    """Of recorded steps, in their swings: what of it they can tell."""
    size, swing = 0.9, slice(LIFT, LAND + 1)
    rate = (LAND - LIFT) / database.durations[:, 1]
    roots = size * database.roots[:, swing]
    jerk = np.diff(roots, n=3, axis=1) * rate[:, None, None] ** 3
    acceleration = np.linalg.norm(np.diff(roots, n=2, axis=1) * rate[:, None, None] ** 2, axis=-1)
    rolls = [high_frequency(database.knee_rolls[k, :, side], 60.0) for k in range(len(database)) for side in (0, 1)]
    hands = joint_hands(database)
    return WalkSmoothness(
        float(np.sqrt(np.mean(np.sum(jerk**2, axis=-1)))),
        float(np.percentile(acceleration.max(axis=1), 95)),
        1e3 * float(np.mean(rolls)),
        np.nan,
        np.nan,
        np.nan,
        float(hands),
    )


def joint_hands(database: StepDatabase) -> float:
    """How far hands go to and fro against the pelvis in a recorded step, mean, m at hips 0.9 m high."""
    places = joint_places(database)
    hands = [COMMON.index(side + "Hand") for side in ("Left", "Right")]
    back = rot.from_yaw(-rot.yaw(database.rotations[:, POSE_SAMPLES, 0]))
    off = rot.rotate(back[:, :, None], places[:, :, hands] - places[:, :, :1])[..., [0, 2]]
    reach = np.linalg.norm(off.max(axis=1) - off.min(axis=1), axis=-1)
    return 0.9 * float(reach.mean())
