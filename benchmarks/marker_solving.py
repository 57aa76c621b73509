"""Skeletons from markers: recorded people against OpenSim, a rat whose skin slides, gaps, and what a frame costs."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

import _marker_trials as lab
import locomote as lm
from _page import write_page
from locomote import rotations as rot
from locomote.capture import markers as room
from locomote.capture import stage
from locomote.capture.markers._solving import BodyArrays, seen_by, start_pose
from locomote.motion import Motion

SLIDE = 0.005  # m
BONES = ("skull", "hand", "finger", "foot", "toe", "bone")  # words in the names of markers that do not slide
RAT = room.Springs(prior=1e-3)  # skin that slides by a tenth of a leg asks for more than that of people
METHOD = (
    "**People.** 16 walks of 8 people and 30 treadmill runs of 10, with the joint coordinates that OpenSim made of the "
    "same markers; aligned by time, joints locked where the trial locks them. *Other trials*: markers sit where they "
    "sat in the same person's other trials, on the mean over those; *next trial*: in one of them. The body is that of "
    "the joint coordinates. *Table*: nothing of the person is known. Places of markers are the means of the other "
    "people; the body is fitted to the markers of the first half of the trial and judged in the second half. Angles "
    "are flexions of hips, knees and ankles, pooled root mean square in degrees; in brackets the mean error of each "
    "trial (bias) and what is left without it. *Worst*: the largest angle of one trial. Centres: distance of knee and "
    "ankle centres, mean over trials (largest), mm; by a table the body is another one than OpenSim's, and hip, knee "
    "and ankle lie elsewhere in it.\n\n"
    "**Rat.** The built-in rat walks, trots and turns at 120 frames a second; markers as in the built-in table, 0.2 mm "
    f"of noise. Skin slides by {1e3 * SLIDE:.0f} mm (root mean square, in 3D): *soft skin* by that where it is softest "
    "and less where it is stiffer (a stage of its own, not the solver, draws it: half with the bend of the joint, half "
    "wobble); *all skin* by that everywhere but on skull, paws and implants; *wrong map*: bones slide and skin does "
    "not. Equal: all springs as the mean of the map, everything else the same."
)


def people() -> list[list[str]]:
    """Recorded trials."""
    table = room.MarkerTable.load("human")
    rows = []
    for gait in lab.GAITS:
        ways: dict[str, Callable[[lab.Trial], lab.Compared]] = {
            "other trials": lambda one: _solved(one, lab.by_others(one, lab.others(one), table)),
            "next trial": lambda one: _solved(one, lab.by_others(one, lab.others(one)[-1:], table)),
            "other trials, equal springs": lambda one: _solved(
                one, lab.by_others(one, lab.others(one), table).with_stiffness(1.0)
            ),
            "table, size fitted": lambda one: lab.by_table(one, lengths=False),
            "table, bones fitted": lambda one: lab.by_table(one, lengths=True),
        }
        for label, way in ways.items():
            found = {one.name: way(one) for one in lab.trials(gait) if lab.others(one)}
            rows.append(lab.row(f"{gait}: {label}", found))
            print(rows[-1], flush=True)
    return rows


def _solved(trial: lab.Trial, attached: room.Attached) -> lab.Compared:
    return lab.compare(trial, room.solve(trial.markers, trial.subject(), attached).motion)


def rat_clips() -> list[Motion]:
    """What the rat does, two seconds each."""
    out = []
    for speed, turn, seed in ((0.35, 0.3, 1), (0.8, 0.0, 2), (0.2, -0.8, 3)):
        crowd = lm.creatures.Crowd("rat", 1, speed=speed, seed=seed)
        crowd.command(turn_rate=turn)
        for _ in range(60):
            crowd.step(1 / 60)
        out.append(crowd.record(seconds=2.0, fps=120.0))
    return out


def rat() -> list[list[str]]:
    """Skin that slides, with the table's springs and with equal ones."""
    clips = rat_clips()
    names = stage.markers(clips[0][:2]).attached.names
    hard = [name for name in names if any(word in name for word in BONES)]
    slides = {
        "none": 0.0,
        "soft skin": SLIDE,
        "all skin": {name: SLIDE for name in names if name not in hard},
        "wrong map": {name: SLIDE for name in hard},
    }
    rows = []
    for label, slide in slides.items():
        found = [[rat_errors(clip, slide, k, equal) for equal in (False, True)] for k, clip in enumerate(clips)]
        pairs = zip(*np.array(found).mean(axis=0), strict=True)
        rows.append(
            [label, *(f"{ours:.2f} / {equal:.2f} ({100 * (ours / equal - 1):+.0f} %)" for ours, equal in pairs)]
        )
        print(rows[-1], flush=True)
    return rows


def rat_errors(clip: Motion, slide: float | dict[str, float], seed: int, equal: bool) -> list[float]:
    """Centres of knees and hips, of all joints of legs, tips of paws in mm; turns of all joints in degrees."""
    seen, attached = stage.markers(clip, slide=slide, noise=2e-4, seed=seed)
    springs = attached.with_stiffness(float(attached.stiffness.mean())) if equal else attached
    found = room.solve(seen, room.subject("rat"), springs, RAT).motion
    skeleton = clip.skeleton
    away = 1e3 * np.linalg.norm(found.joint_positions() - clip.joint_positions(), axis=-1)
    tips = 1e3 * np.linalg.norm(found.end_positions() - clip.end_positions(), axis=-1)
    sided = [j for j, name in enumerate(skeleton.names) if name.endswith((".L", ".R"))]
    knees = [skeleton.index(f"{joint}.{side}") for joint in ("thigh", "shank") for side in "LR"]
    paws = [k for k, j in enumerate(skeleton.end_parents) if skeleton.names[j].startswith(("fingers", "toes"))]
    turned = np.degrees(rot.distance(found.rotations, clip.rotations))
    return [float(v.mean()) for v in (away[:, knees], away[:, sided], tips[:, paws], turned)]


def gaps() -> list[list[str]]:
    """Markers of one shank and foot are lost for a while, in the middle of a walk."""
    trial = lab.trials("walk")[0]
    whole = lab.by_others(trial, lab.others(trial), room.MarkerTable.load("human"))
    full = room.solve(trial.markers, trial.subject(), whole).motion
    words = ("knee", "shank", "ankle", "sh2", "sh3", "sh4", "calc", "meta", "toe")
    names = [name.lower() for name in trial.markers.names]
    lost = [k for k, name in enumerate(names) if name.startswith("r_") and any(word in name for word in words)]
    rows = []
    for seconds in (0.05, 0.1, 0.2, 0.4):
        first, count = len(full) // 2, round(seconds * full.fps)
        for label, gone in (("one marker", lost[:1]), ("all of shank and foot", lost)):
            positions = trial.markers.positions.copy()
            positions[first : first + count, gone] = np.nan
            found = room.solve(lab.replace(trial.markers, positions=positions), trial.subject(), whole)
            away = np.linalg.norm(found.motion.joint_positions() - full.joint_positions(), axis=-1)
            away = away[first : first + count]
            told = sum(not gap.bridged for gap in found.gaps)
            rows.append([f"{seconds:g} s, {label}", f"{1e3 * away.mean():.1f}", f"{1e3 * away.max():.0f}",
                         str(len(found.gaps)), str(told)])  # fmt: skip
    return rows


def cost() -> list[list[str]]:
    """Processor time of a frame."""
    rows = []
    for gait in lab.GAITS:
        trial = lab.trials(gait)[0]
        whose = trial.subject()
        attached = lab.by_others(trial, lab.others(trial), room.MarkerTable.load("human"))
        kept, seen = seen_by(trial.markers, attached)
        room.solve(trial.markers, whose, attached)
        clip = min(_timed(room.solve, trial.markers, whose, attached) for _ in range(5)) / len(seen)
        live = min(_timed(_live, room.Solver(whose, kept, trial.markers.fps), seen) for _ in range(5)) / len(seen)
        plain = _timed(_by_scipy, whose, kept, seen[:3]) / 3
        times = f"{1e3 * live:.3f}", f"{1e3 * clip:.3f}", f"{1e3 * plain:.0f}", f"{plain / live:.0f}"
        rows.append([f"{gait}, {len(kept)} markers", *times])
        print(rows[-1], flush=True)
    return rows


def _live(solver: room.Solver, seen: np.ndarray) -> None:
    for frame in seen:
        solver.step(frame)


def _timed(run: Callable[..., object], *arguments: object) -> float:
    began = time.process_time()
    run(*arguments)
    return time.process_time() - began


def _by_scipy(whose: room.Subject, attached: room.Attached, seen: np.ndarray) -> None:
    """The same springs by a general solver: rotation vectors of all joints that markers are on or below."""
    root, turns = start_pose(whose, attached, seen[0])
    joints = [j for j, kind in enumerate(BodyArrays.of(whose, attached).joints.kinds) if kind]
    weights = np.sqrt(attached.stiffness)[:, None]

    def misses(x: np.ndarray, frame: np.ndarray) -> np.ndarray:
        posed = turns.copy()
        posed[joints] = rot.multiply(turns[joints], rot.exp(x[3:].reshape(-1, 3)))
        places, world = (a[0] for a in Motion(whose.skeleton, 60.0, (root + x[:3])[None], posed[None]).world())
        points = places[attached.joints] + rot.rotate(world[attached.joints], attached.points)
        return np.concatenate([np.nan_to_num(weights * (points - frame)).ravel(), 1e-3 * x])

    x = np.zeros(3 + 3 * len(joints))
    for frame in seen:
        x = least_squares(misses, x, args=(frame,)).x


if __name__ == "__main__":
    angles = "pooled (bias, rest), deg"
    write_page(
        "marker-solving",
        "Skeletons from markers",
        METHOD,
        [
            (
                "People against OpenSim",
                ["trials", "", f"hip, {angles}", "knee", "ankle", "worst, deg", "knee centre, mm", "ankle centre, mm"],
                people(),
            ),
            (
                "A rat whose skin slides: springs of the table / equal ones",
                ["slide", "knees and hips, mm", "joints of legs, mm", "tips of paws, mm", "all turns, deg"],
                rat(),
            ),
            (
                "Markers of a shank and foot that are lost: difference from the same walk with all of them",
                ["gap", "mean of the joints, mm", "largest, mm", "gaps told", "of them carried over"],
                gaps(),
            ),
            ("Processor time of a frame, ms", ["trial", "live", "a whole clip", "scipy, live", "ratio"], cost()),
        ],
    )
