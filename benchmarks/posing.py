"""Posing by handles: how near to the truth, how exact, how fast, how smooth; and what stands for 2.5 million frames."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import locomote as lm
from _page import write_page
from locomote import rotations as rot
from locomote.motion import Motion
from locomote.spaces import LatentModel, LatentPoser, PoseDatabase, Poser
from locomote.spaces.posing._choosing import choose_poses
from locomote_lab import posing as lab

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CLIPS = ("07_01", "118_02", "13_11", "86_01", "15_07", "137_29")  # of people who are held out
LATENT = 2000  # poses of the Gaussian process
FINE = 13  # frames for each of the corpus: somewhat more than were recorded
METHOD = (
    "Every fifth of the people of the corpus is in nothing that ships; three poses each of a hundred of their clips "
    "are tried, on the skeleton of the clip, onto which the poses that ship are carried by `onto`. Handles are joints "
    "at their true places; where the hips are not among them, nothing tells where the body is or which way it faces. "
    "*All joints*: mean distance of the 31 joints from the truth. *Nearest*: the nearest of the same recorded poses, "
    "turned and shifted to fit, by brute force. *Plain*: damped least squares over all joints and the root, from the "
    "T-pose. The source printed 29.2 mm for its own method, 34.3 for style-based and 44.8 for plain inverse "
    "kinematics, with five handles and a root that stays where it starts. *Gaussian process*: FITC, 12 dimensions, 200 "
    f"inducing points, fitted to {LATENT} poses of the people who are not held out. Times are of one thread, best of "
    "several, all of Python included."
)


def figures(tried: Sequence[lab.Tried]) -> tuple[float, float, float, float]:
    """Mean and 90th percentile of the joints, mean and largest of the handles, mm."""
    joints = np.concatenate([each.joints for each in tried])
    handles = np.concatenate([each.handles for each in tried])
    return tuple(1e3 * float(x) for x in (joints.mean(), np.percentile(joints, 90), handles.mean(), handles.max()))


def accuracy(corpus: lab.Corpus, database: PoseDatabase) -> list[list[str]]:
    trials = corpus.trials()
    known, model, _ = latent(corpus)
    rows = []
    carried = [database.onto(trial.skeleton) for trial in trials]
    for name, joints in lab.HANDLES.items():
        ours = figures([lab.by_database(Poser(own), t, joints) for own, t in zip(carried, trials, strict=True)])
        nearest = figures([lab.by_nearest(own, t, joints) for own, t in zip(carried, trials, strict=True)])
        plain = figures([lab.by_plain_ik(t, joints) for t in trials])
        process = figures([by_process(known, model, t, joints) for t in trials])
        row = [name, str(len(joints)), f"**{ours[0]:.1f}** ({ours[1]:.0f})", f"{ours[2]:.2f}, {ours[3]:.1f}"]
        row += [f"{nearest[0]:.1f}", f"{ours[0] / nearest[0]:.2f}", f"{plain[0]:.1f}", f"{ours[0] / plain[0]:.2f}"]
        rows.append([*row, f"{process[0]:.1f}", f"{process[2]:.2f}, {process[3]:.1f}"])
        print(rows[-1], flush=True)
    return rows


def latent(corpus: lab.Corpus) -> tuple[PoseDatabase, LatentModel, float]:
    """Poses of people who are not held out on a skeleton of the corpus, their Gaussian process, and its seconds."""
    train = np.flatnonzero(np.isin(corpus.clip, corpus.clips(held=False)))
    rows = np.sort(np.random.default_rng(0).choice(train, LATENT, replace=False))
    turns = rot.exp(corpus.vectors[rows] * 1e-4)
    known = PoseDatabase.headed(corpus.skeletons[0], corpus.root_positions[rows] * 1e-4, turns)
    start = time.process_time()
    model = LatentModel.fit(known.vectors)
    return known, model, time.process_time() - start


def by_process(known: PoseDatabase, model: LatentModel, truth: Motion, joints: Sequence[str]) -> lab.Tried:
    """The same joints on the bones of the trial: rotations alone are learnt."""
    found = LatentPoser(replace(known, skeleton=truth.skeleton), model).solve(lab.held_at(truth, joints))
    return lab.misses(found.pose, truth, joints)


def best(run: Callable[[], object], rounds: int = 200) -> float:
    """Microseconds of the fastest call."""
    fastest = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        fastest = min(fastest, time.perf_counter() - start)
    return 1e6 * float(fastest)


def times(corpus: lab.Corpus, database: PoseDatabase) -> list[list[str]]:
    trial = next(t for t in corpus.trials() if len(t) == 3)
    poser = Poser(database.onto(trial.skeleton))
    names = (*lab.FIVE, "Hips", "LeftForeArm", "RightForeArm")
    previous = poser.solve(lab.held_at(trial[:1], names)).pose
    now = previous.joint_positions()
    rows = []
    for count in range(1, len(names) + 1):
        # Dragged by 2 cm, as between two frames of a mouse.
        at = [trial.skeleton.index(name) for name in names[:count]]
        handles = [lm.spaces.Handle(j, position=now[:, j] + 0.02) for j in at]
        many = [lm.spaces.Handle(j, position=np.repeat(now[:, j] + 0.02, 100, axis=0)) for j in at]
        alone = best(lambda h=handles: poser.solve(h, previous))
        batch = best(lambda h=many: poser.solve(h, previous), 10) / 100
        rows.append([str(count), f"{alone:.0f}", f"{batch:.0f}", str(int(poser.solve(handles, previous).rounds[0]))])
    return rows


def smoothness(database: PoseDatabase) -> list[list[str]]:
    rows = []
    for name in CLIPS:
        path = next(DATA.glob(f"human/*/cmu_{name}.bvh.xz"))
        clip = lm.load(path, drop_tpose=True).resampled(60.0)[:600]
        own = database.onto(clip.skeleton)
        joints = lab.HANDLES["+ hips"]
        handles = lab.held_at(clip, joints)
        row = [name]
        for poser in (Poser(own), Poser(own, lag=0.0, stay=0.0)):
            found = poser.follow(handles, clip.fps)
            away = np.linalg.norm(found.pose.joint_positions() - clip.joint_positions(), axis=-1)
            rough = [np.linalg.norm(np.diff(m.joint_positions(), 2, axis=0), axis=-1) for m in (clip, found.pose)]
            row += [f"{1e3 * away.mean():.1f}", f"{rough[1].mean() / rough[0].mean():.2f}"]
            row += [f"{np.percentile(rough[1], 99) / np.percentile(rough[0], 99):.2f}"]
        rows.append(row)
    return rows


def representatives(corpus: lab.Corpus) -> list[list[str]]:
    """All poses of the corpus, and as many more between them as there were frames, reduced to 2,000."""
    places = [corpus.motion(clip) for clip in range(len(corpus.names))]
    body = [j for j, name in enumerate(places[0].skeleton.names) if "Thumb" not in name and "Finger" not in name]
    coarse = [(m.joint_positions() - m.root_positions[:, None])[:, body].astype(np.float32) for m in places]
    turns = [rot.inverse(rot.swing_twist(m.rotations[:, 0], (0.0, 1.0, 0.0))[1])[:, None] for m in places]
    headed = [rot.rotate(turn, p).astype(np.float32) for turn, p in zip(turns, coarse, strict=True)]
    rows = []
    for caption, points in (
        ("10 a second", np.concatenate(headed)),
        ("and twelve more between any two", between(headed)),
    ):
        start = time.process_time()
        kept, radius = choose_poses(points, 2000)
        seconds = time.process_time() - start
        rows.append([caption, f"{len(points):,}", f"{len(kept):,}", f"{1e3 * radius:.0f}", f"{seconds:.0f}"])
        print(rows[-1], flush=True)
    return rows


def between(headed: list[np.ndarray]) -> np.ndarray:
    out = []
    for points in headed:
        at = np.arange(FINE * (len(points) - 1) + FINE + 1) / FINE
        low = np.minimum(at.astype(int), len(points) - 1)
        high = np.minimum(low + 1, len(points) - 1)
        share = (at - low).astype(np.float32)[:, None, None]
        out.append((1 - share) * points[low] + share * points[high])
    return np.concatenate(out)


def main() -> None:
    corpus, database = lab.Corpus.load(DATA), PoseDatabase.default()
    seconds = latent(corpus)[2]
    write_page(
        "posing",
        "Posing by handles",
        METHOD,
        [
            (
                f"300 poses of {len(corpus.held_out())} people who are held out, {len(database):,} recorded poses",
                [
                    *("handles", "", "all joints, mm (p90)", "handles miss, mm: mean, worst", "nearest", "ratio"),
                    *("plain", "ratio", "Gaussian process", "handles miss"),
                ],
                accuracy(corpus, database),
            ),
            ("Time of a solve, microseconds", ["handles", "alone", "of a hundred", "rounds"], times(corpus, database)),
            (
                "Frame after frame, six handles, people who are held out: with the pose before, and without",
                ["clip", "all joints, mm", "acceleration", "its p99", "without", "acceleration", "its p99"],
                smoothness(database),
            ),
            (
                "Poses that stand for many",
                ["poses", "of", "kept", "every one within, mm", "s of the processor"],
                representatives(corpus) if "--quick" not in sys.argv else [],
            ),
            ("Gaussian process", ["", "s of the processor", "aim"], [["FITC, 100 rounds", f"{seconds:.1f}", "60"]]),
        ],
    )


if __name__ == "__main__":
    main()
