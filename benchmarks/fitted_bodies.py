"""How well templates are fitted to meshes of known truth, and how long it takes. Writes docs/performance/bodies.md.

Run: python benchmarks/fitted_bodies.py [quick]   (some minutes; quick: without the two tables that take longest)
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread everywhere

import numpy as np
from scipy.spatial import cKDTree

import locomote as lm
from _page import renew_tables, write_page
from locomote import rotations as rot
from locomote.capture.bodies import Template, carry, fit
from locomote.capture.bodies._articulated import Bones, Stiffness
from locomote.capture.bodies._clusters import Clusters, shape_match
from locomote.capture.bodies._pairing import Target, pair_up
from locomote_lab.bones import Deformed, deformed, subdivided, twenty_bones

METHOD = (
    "Templates posed and grown at random: every joint is turned about any axis by an angle drawn evenly up to the one "
    "told, lengths and girths of every bone are drawn evenly within the share told; meshes have seven (creature) and "
    "four (wolf) times as many vertices. Ten seeds each; joints are off by so many % of the body's length. Landmarks "
    "(ends of paws, head, tail) are 5 mm off. *Bumps*: 60 swellings and hollows of up to 1 % of the length that no "
    "bone can grow, and noise. Times are of the processor, one thread. *Angles alone*: every joint turns as that of "
    "the wolf; `carry` then leads the feet as high over the ground as they were, in heights of their hips, and stops "
    "them where they stand. *One iteration*: the published rat has 214 bones and 34,817 vertices, of its mesh 50,000, "
    "the hand 27, 7,218 and 20,000; ours twenty, and as many vertices; printed are the times of a quad core of 2.4 "
    "GHz, all of it, for surfaces alone. Where two numbers of fits are told, the first have their worst joint "
    "within 1.5 %, the second ones within 2 % of the body's length. Measured beside other work on the same machine."
)
SEEDS = range(10)
ENDS = {
    "creature": ("paw.L", "paw.R", "foot.L", "foot.R", "head", "tail_3"),
    "wolf": ("fingers.L", "fingers.R", "toes.L", "toes.R", "head", "tail_4"),
}
# Joint of the wolf: that of the horse where it has another name.
HORSE = {"fingers": "pastern", "toes": "hind_pastern", "tail_4": "tail_3"}


def end_of(template: Template, name: str) -> int:
    """The vertex of a bone that is farthest from its joint."""
    joint = template.skeleton.index(name)
    mine = np.flatnonzero(template.bones == joint)
    far = np.linalg.norm(template.body.vertices[mine] - template.body.bind_positions[joint], axis=1)
    return int(mine[np.argmax(far)])


def marks_of(template: Template, truth: Deformed, names: tuple[str, ...], seed: int) -> dict[int, np.ndarray]:
    random = np.random.default_rng(seed)
    ends = [end_of(template, name) for name in names]
    return {end: truth.vertices[end] + 0.005 * random.standard_normal(3) for end in ends}


def bumped(truth: Deformed, size: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The mesh with swellings and hollows that no bone can grow, 1 % of its size deep, and noise."""
    random = np.random.default_rng(seed)
    vertices = truth.mesh.vertices.copy()
    near = cKDTree(vertices)
    for _ in range(60):
        centre = vertices[random.integers(len(vertices))]
        some = near.query_ball_point(centre, 0.06 * size)
        away = np.linalg.norm(vertices[some] - centre, axis=1) / (0.06 * size)
        depth = 0.01 * size * random.uniform(-0.5, 1.0) * (1.0 - away**2) ** 2
        vertices[some] += depth[:, None] * truth.mesh.normals[some]
    return vertices + 0.001 * size * random.standard_normal(vertices.shape), truth.mesh.faces


def accuracy(
    name: str, bodies: tuple[Template, Template], angle: float, growth: float, marked: str, bumps: bool = False
) -> list[str]:
    """A row of the table: ten fits of one body, with landmarks at its ends, on every bone or none."""
    template, dense = bodies
    every = tuple(own for joint, own in enumerate(template.skeleton.names) if np.any(template.bones == joint))
    names = {"ends": ENDS[name], "every": every, "none": ()}[marked]
    means, worsts, times, named, far = [], [], [], 0, 0.0
    for seed in SEEDS:
        truth = deformed(template, dense, np.radians(angle), growth, seed)
        marks = marks_of(template, truth, names, seed)
        mesh = bumped(truth, template.size, seed) if bumps else truth.mesh
        begun = time.process_time()
        fitted = fit(template, mesh, marks)
        times.append(time.process_time() - begun)
        off = 100.0 * np.linalg.norm(fitted.joints - truth.joints, axis=1) / template.size
        means.append(off.mean())
        worsts.append(off.max())
        named += bool(fitted.failed)
        far = max(far, 100.0 * truth.farthest / template.size)
    return [
        f"{name}{', bumps and noise' if bumps else ''}",
        f"{angle:g} degrees, {100 * growth:g} %",
        f"{far:.0f} %",
        {"ends": str(len(names)), "every": f"{len(names)}: one a bone", "none": "none"}[marked],
        f"{np.mean(means):.3f} ({max(means):.3f})",
        f"{max(worsts):.2f}",
        f"{sum(w <= 1.5 for w in worsts)}, {sum(w <= 2.0 for w in worsts)} of {len(SEEDS)}",
        f"{named}",
        f"{np.median(times):.1f}",
    ]


def failures(template: Template) -> list[list[str]]:
    """Fits that cannot succeed: are they told?"""
    rows = []
    for angle, growth in ((60.0, 0.4), (75.0, 0.5)):
        bad, told, wrong, right, false = 0, 0, 0, 0, 0
        for seed in SEEDS:
            truth = deformed(template, template, np.radians(angle), growth, seed)
            fitted = fit(template, truth.mesh)
            off = 100.0 * np.linalg.norm(fitted.joints - truth.joints, axis=1) / template.size
            lost = {template.skeleton.names[b] for b in np.flatnonzero(off > 2.0)}
            bad += bool(lost)
            told += bool(lost) and bool(fitted.failed)
            false += not lost and bool(fitted.failed)
            wrong += len(lost)
            right += len(lost & set(fitted.failed))
        cells = (f"{angle:g} degrees, {100 * growth:g} %", f"{bad} of {len(SEEDS)}", f"{told} of {bad}")
        rows.append([*cells, f"{right} of {wrong}", str(false)])
    return rows


def costs() -> list[list[str]]:
    template, dense = twenty_bones(), twenty_bones(50, 50)
    truth = deformed(template, dense, np.radians(5.0), 0.05, 0)
    target = Target(truth.mesh)
    mine, theirs = np.arange(len(template.body.vertices)), np.arange(len(truth.mesh.vertices))
    rows = []
    for exact in (False, True):
        took = []
        for _ in range(5):
            begun = time.process_time()
            pair_up(template.body.vertices, template.body.triangles, target, 0.01, mine, theirs, exact)
            took.append(1000.0 * (time.process_time() - begun))
        kind = "closest points of triangles" if exact else "closest vertices"
        rows.append([kind, f"{len(mine)}", f"{len(theirs)}", f"{min(took):.0f}"])
    return rows


def carried() -> list[list[str]]:
    """The walk of the wolf on the body that was fitted to the horse and to the rat."""
    walk = lm.creatures.Crowd("wolf", 1, speed=1.2).record(seconds=6, fps=60)[120:]
    template, rows = Template.of(walk), []
    for name in ("horse", "rat"):
        other = Template.of(lm.creatures.Crowd(name, 1).record(seconds=0.1, fps=30))
        marks = {}
        for joint in template.skeleton.names:
            base, dot, side = joint.partition(".")
            same = joint if joint in other.skeleton.names else HORSE.get(base, base) + dot + side
            if same in other.skeleton.names and np.any(other.bones == other.skeleton.index(same)):
                marks[end_of(template, joint)] = other.body.vertices[end_of(other, same)]
        fitted = fit(template, (other.body.vertices, other.body.triangles), marks)
        turned = lm.retarget(walk, fitted.motion(), feet=False)
        for how, moved in (("angles alone", turned), ("`carry`", carry(walk, fitted))):
            told = lm.measure(moved)
            rows.append(
                [
                    f"wolf to {name}, {how}",
                    str(len(marks)),
                    ", ".join(fitted.failed) or "none",
                    f"{1000 * np.median(fitted.off) / np.ptp(fitted.vertices, axis=0).max():.1f}",
                    f"{told.drift_median:.2f}, {told.drift_p95:.2f}, {told.drift_max:.2f}",
                    f"{100 * heights_apart(walk, moved):.2f} %",
                    f"{max(bends_apart(walk, moved)):.1f}, {np.mean(bends_apart(walk, moved)):.1f}",
                ]
            )
    return rows


def bends_apart(one: lm.Motion, other: lm.Motion) -> list[float]:
    """How far the angles of every joint are apart over a cycle of time, degrees: the mean over time."""
    frames = (
        np.rint(np.linspace(0, len(one) - 1, 200)).astype(int),
        np.rint(np.linspace(0, len(other) - 1, 200)).astype(int),
    )
    turns = [motion.rotations[each, 1:] for motion, each in zip((one, other), frames, strict=True)]
    return [float(x) for x in np.degrees(rot.distance(*turns)).mean(axis=0)]


def stages() -> list[list[str]]:
    """One iteration, stage by stage, of bodies as large as the published ones."""
    rows = []
    for caption, rings, dense, printed in (
        ("rat", (41, 42), (50, 50), ("3000", "40", "150")),
        ("hand", (18, 20), (31, 32), ("500", "7", "20")),
    ):
        template, finer = twenty_bones(*rings), twenty_bones(*dense)
        truth = deformed(template, finer, np.radians(5.0), 0.05, 0)
        target = Target(truth.mesh)
        mine, theirs = np.arange(len(template.body.vertices)), np.arange(len(truth.mesh.vertices))
        vertices, faces = template.body.vertices, template.body.triangles
        pairs = pair_up(vertices, faces, target, 0.01, mine, theirs)
        near = Clusters.within(vertices, template.bones, template.size / 32.0)
        wished, masses = 1e-3 * np.random.default_rng(0).standard_normal(vertices.shape), np.ones(len(vertices))
        stiff = Stiffness(1e-4, 1e-3)
        took = (
            least(pair_up, vertices, faces, target, 0.01, mine, theirs),
            least(Bones(template).fit, [(pairs[0], 1.0), (pairs[1], 1.0)], stiff),
            least(shape_match, vertices, wished, masses, near),
        )
        cells = [f"{own:.0f} ({told})" for own, told in zip(took, printed, strict=True)]
        rows.append([caption, f"{len(mine)}, {len(theirs)}", *cells])
    return rows


def least(run: Callable[..., object], *told: object) -> float:
    """Milliseconds of the processor, of the shortest of three calls."""
    took = []
    for _ in range(3):
        begun = time.process_time()
        run(*told)
        took.append(1000.0 * (time.process_time() - begun))
    return min(took)


def heights_apart(one: lm.Motion, other: lm.Motion) -> float:
    """How far apart the heights of feet are over a cycle of time, over the height of the hips: the mean."""
    both = []
    for motion in (one, other):
        places, legs = motion.joint_positions(), motion.skeleton.roles.legs
        high = np.stack([places[:, leg.ball, 1] / places[:, leg.hip, 1].mean() for leg in legs], axis=1)
        at = np.linspace(0.0, 1.0, 200)
        lows = [np.interp(at, np.linspace(0.0, 1.0, len(high)), high[:, k]) for k in range(len(legs))]
        both.append(np.array(lows) - np.min(lows, axis=1, keepdims=True))
    return float(np.abs(both[0] - both[1]).mean())


HEADS = [
    "body",
    "joint and bone, up to",
    "a joint went, most",
    "landmarks",
    "joints off, mean (worst seed)",
    "worst joint",
]
HEADS += ["within 1.5 %, 2 %", "told to fail", "s"]


def quick() -> list[tuple[str, list[str], list[list[str]]]]:
    """The tables that take no more than two minutes."""
    wolf = Template.of(lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30))
    both = wolf, subdivided(wolf)
    marked = [accuracy("wolf", both, 20.0, 0.15, "every", bumps) for bumps in (False, True)]
    head = ["", "landmarks", "told to fail", "off, thousandths", "drift, mm: median, 95 %, most"]
    head += ["heights of feet apart", "angles of joints apart, deg: most, mean"]
    sizes = ["as large as", "vertices of both", "pairs both ways", "bones", "clusters"]
    return [
        ("A landmark on every bone", HEADS, marked),
        ("Pairs both ways", ["", "vertices of the template", "of the mesh", "ms"], costs()),
        ("The walk of the wolf on its body fitted to that of another kind", head, carried()),
        ("One iteration, ms (printed figures)", sizes, stages()),
    ]


def main() -> None:
    if "quick" in sys.argv:  # nothing else anew
        renew_tables("bodies", quick())
        return
    creature, fine = twenty_bones(), twenty_bones(52, 54)
    wolf = Template.of(lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30))
    rows = []
    for name, both in (("creature", (creature, fine)), ("wolf", (wolf, subdivided(wolf)))):
        for angle, growth in ((10.0, 0.1), (20.0, 0.15)):
            rows += [accuracy(name, both, angle, growth, marked) for marked in ("ends", "none")]
        rows.append(accuracy(name, both, 20.0, 0.15, "ends", bumps=True))
    lost = ["creature", "fits with such joints", "told", "such joints named", "good fits told to fail"]
    tables = [
        ("Accuracy", HEADS, rows),
        ("Fits that fail, without landmarks: joints off by more than 2 %", lost, failures(creature)),
    ]
    write_page("bodies", "Bodies fitted to meshes", METHOD, [*tables, *quick()])


if __name__ == "__main__":
    main()
