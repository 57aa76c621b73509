"""How well templates are fitted to meshes of known truth, and how long it takes. Writes docs/performance/bodies.md.

Run: python benchmarks/fitted_bodies.py   (some minutes)
"""

from __future__ import annotations

import time

import numpy as np
from scipy.spatial import cKDTree

import locomote as lm
from _page import write_page
from locomote.capture.bodies import Template, fit
from locomote.capture.bodies._pairing import Target, pair_up
from locomote_lab.bones import Deformed, deformed, subdivided, twenty_bones

METHOD = (
    "Templates posed and grown at random: every joint is turned about any axis by an angle drawn evenly up to the one "
    "told, lengths and girths of every bone are drawn evenly within the share told; meshes have seven (creature) and "
    "four (wolf) times as many vertices. Ten seeds each; joints are off by so many % of the body's length. Landmarks "
    "(ends of paws, head, tail) are 5 mm off. *Bumps*: 60 swellings and hollows of up to 1 % of the length that no "
    "bone can grow, and noise. Times are of the processor, one thread."
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
    name: str, bodies: tuple[Template, Template], angle: float, growth: float, marked: bool, bumps: bool = False
) -> list[str]:
    """A row of the table: ten fits of one body."""
    template, dense = bodies
    means, worsts, times, named, far = [], [], [], 0, 0.0
    for seed in SEEDS:
        truth = deformed(template, dense, np.radians(angle), growth, seed)
        marks = marks_of(template, truth, ENDS[name], seed) if marked else {}
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
        str(len(ENDS[name])) if marked else "none",
        f"{np.mean(means):.3f} ({max(means):.3f})",
        f"{max(worsts):.2f}",
        f"{sum(w <= 1.5 for w in worsts)} of {len(SEEDS)}",
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
    walk = lm.creatures.Crowd("wolf", 1, speed=1.2).record(seconds=4, fps=60)
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
        moved = lm.retarget(walk, fitted.motion())
        told = lm.measure(moved).as_dict()
        rows.append(
            [
                f"wolf to {name}",
                str(len(marks)),
                ", ".join(fitted.failed) or "none",
                f"{1000 * np.median(fitted.off) / np.ptp(fitted.vertices, axis=0).max():.1f}",
                f"{told['drift_median']:.1f}, {told['drift_p95']:.1f}",
                f"{100 * heights_apart(walk, moved):.1f} %",
            ]
        )
    return rows


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


def main() -> None:
    creature, fine = twenty_bones(), twenty_bones(52, 54)
    wolf = Template.of(lm.creatures.Crowd("wolf", 1).record(seconds=0.1, fps=30))
    finer = subdivided(wolf)
    rows = []
    for name, both in (("creature", (creature, fine)), ("wolf", (wolf, finer))):
        for angle, growth in ((10.0, 0.1), (20.0, 0.15)):
            rows += [accuracy(name, both, angle, growth, marked) for marked in (True, False)]
        rows.append(accuracy(name, both, 20.0, 0.15, True, bumps=True))
    heads = ["body", "joint and bone, up to", "a joint went, most", "landmarks", "joints off, mean (worst seed)"]
    heads += ["worst joint", "within 1.5 %", "told to fail", "s"]
    write_page(
        "bodies",
        "Bodies fitted to meshes",
        METHOD,
        [
            ("Accuracy", heads, rows),
            (
                "Fits that fail, without landmarks: joints off by more than 2 %",
                ["creature", "fits with such joints", "told", "such joints named", "good fits told to fail"],
                failures(creature),
            ),
            ("Pairs both ways", ["", "vertices of the template", "of the mesh", "ms"], costs()),
            (
                "The walk of the wolf on its body fitted to that of another kind",
                [
                    "",
                    "landmarks",
                    "told to fail",
                    "off, thousandths",
                    "drift, mm: median, 95 %",
                    "heights of feet apart",
                ],
                carried(),
            ),
        ],
    )


if __name__ == "__main__":
    main()
