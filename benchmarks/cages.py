"""Cages: Green coordinates near faces, recorded walks through ragged hulls, and what goes wrong without each part.

Run: PYTHONPATH=src python benchmarks/cages.py [clips, all five unless told]
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread everywhere

import numpy as np
from edt import edt
from scipy.ndimage import gaussian_filter

import locomote as lm
from _page import table, write_page
from locomote.capture import camera_ring, stage
from locomote.capture.cages import CageRig, Errors, Hulls, PosePrior, Settings, Tracker, bind, errors_of
from locomote.human_skeleton import Proportions, human_skeleton
from locomote.retargeting import retarget
from locomote.rotations import FloatArray
from locomote.skeleton import Girths

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "human" / "walk"
CLIPS = ("cmu_35_01", "cmu_69_02", "cmu_16_15", "cmu_132_46", "cmu_07_01")
FPS, FRAMES = 30.0, 30
BEGIN = 4  # frames of 120 a second: in some records they still show the pose with which the file was made
SIZE = (640, 640)
RAGGED = 1.5  # pixels, by which the edge of a silhouette is off
BAD = slice(8, 18)  # frames in which cameras fail
OTHERS = 6  # clips of other people, from which the prior comes
SIDE = ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot")
COMPARED = ("Hips", "Spine2", "Neck", "Head", *(f"{side}{part}" for side in ("Left", "Right") for part in SIDE))
METHOD = (
    "**Truth**: walks of the CMU corpus, put onto a person with legs as long as those of who walked, 30 "
    "frames a second, 1 s each; the person has the mannequin's skin. 4 or 8 cameras of 640 x 640 pixels stand "
    "in a ring that sees the whole way (5-8 mm a pixel). Silhouettes are **ragged**: their edge is shifted by "
    "noise of 1.5 pixels (normal, up to three times that), anew in every frame. **Prior**: six clips of "
    "*other* people on the same skeleton. Nothing is told about the first frame. Errors are distances of 16 "
    "joints (pelvis, chest, neck, head, shoulders, elbows, wrists, hips, knees, ankles), mm: mean over all "
    "frames, and that of the worst frame of a clip; *motion* is after the bones of the skeleton have been "
    "laid along them. *Time* is processor time a frame on one thread, with distances of silhouettes, both fits and the "
    "search of the first pose.\n\n"
    "The published figure is 38.6 mm on 150 frames of HumanEva-II, four cameras. With 8 cameras the first "
    "three clips were run.\n\n"
    "**Reading**: the Gaussian process is the default, since it wins over principal components with a Gaussian. "
    "Bodies are fitted to the silhouettes themselves: what two cameras see is true of the body, while the hull of two "
    "is much larger than it. Silhouettes that lie are found by the body they are expected to show and left out, so "
    "they cost what absent ones do; believed, they pull it away. What each part is good for is told by one clip and "
    "four cameras, failing cameras by all five clips."
)


def ragged(masks: np.ndarray, seed: int) -> np.ndarray:
    """Silhouettes whose edges are off by smooth noise."""
    random, out = np.random.default_rng(seed), np.empty_like(masks)
    for f, mask in enumerate(masks):
        away = edt(mask.astype(np.uint8)) - edt((~mask).astype(np.uint8))
        noise = gaussian_filter(random.standard_normal(mask.shape, dtype=np.float32), 3.0)
        out[f] = away + RAGGED * np.clip(noise / noise.std(), -3.0, 3.0) > 0.0
    return out


def loaded(name: str) -> lm.Motion:
    return lm.load(DATA / f"{name}.bvh.xz", drop_tpose=True)


class Clip:
    """A recorded walk, what cameras see of it, and what is known of other people."""

    def __init__(self, name: str) -> None:
        source = loaded(name)[BEGIN:]
        skeleton = human_skeleton(source.skeleton.leg_length())
        self.name = name
        self.walk = retarget(source.resampled(FPS)[:FRAMES], skeleton, feet=False)
        names = sorted({p.name.split(".")[0] for p in DATA.glob("cmu_*.bvh.xz")})
        other = [n for n in names if n.split("_")[1] != name.split("_")[1]]
        chosen = [other[i] for i in np.linspace(0, len(other) - 1, OTHERS).astype(int)]
        known = [retarget(loaded(n).resampled(12.0)[:48], skeleton, feet=False) for n in chosen]
        self.rig = CageRig.of(skeleton)
        self.known = [replace(m, skeleton=self.rig.skeleton) for m in known]
        self.priors: dict[tuple[str, int], PosePrior] = {}
        self.scenes: dict[int, tuple[list, list]] = {}
        self.joints = [skeleton.index(n) for n in COMPARED]

    def prior(self, method: str = "process", dimensions: int = 10) -> PosePrior:
        key = (method, dimensions)
        if key not in self.priors:
            self.priors[key] = PosePrior.of(self.rig, self.known, method=method, dimensions=dimensions)
        return self.priors[key]

    def scene(self, count: int) -> tuple[list, list]:
        if count not in self.scenes:
            path = self.walk.root_positions
            middle = 0.5 * (path.min(axis=0) + path.max(axis=0))
            span = float(np.ptp(path[:, [0, 2]], axis=0).max())
            radius = 4.0 + 0.5 * span
            opening = 2.0 * np.arctan(max(0.3, (0.5 * span + 0.7) / radius))
            eyes = camera_ring(count, radius, 1.6, (middle[0], 0.9, middle[2]), SIZE, opening)
            self.scenes[count] = eyes, [ragged(stage.silhouettes(self.walk, eye), k) for k, eye in enumerate(eyes)]
        return self.scenes[count]

    def run(
        self, cameras: int = 4, spoil: str = "", rig: CageRig | None = None, method: str = "process",
        dimensions: int = 10, **settings: float,
    ) -> tuple[Errors, Errors, float, FloatArray]:  # fmt: skip
        """Errors of the joints and of the motion, ms a frame."""
        eyes, masks = self.scene(cameras)
        masks = [mask.copy() for mask in masks]
        for c in (0, 2) if spoil == "opposite" else (0, 1) if spoil else ():
            if spoil in ("absent", "opposite"):
                masks[c][BAD] = False
            else:  # a band of the picture, at the height of the thighs
                rows = np.flatnonzero(masks[c].any(axis=(0, 2)))
                low = int(rows[0] + 0.45 * (rows[-1] - rows[0]))
                masks[c][BAD, low : low + int(0.15 * SIZE[1])] = False
        prior = self.prior(method, dimensions) if rig is None else PosePrior.of(rig, self.known)
        tracker = Tracker(self.rig if rig is None else rig, prior, Settings(**settings))
        begin = time.process_time()
        track = tracker.follow(Hulls(masks, eyes, reject=spoil != "believed"), FPS)
        spent = 1000.0 * (time.process_time() - begin) / FRAMES
        true = self.walk.joint_positions()[:, self.joints]
        motion = errors_of(track.motion.joint_positions()[:, self.joints], true)
        return errors_of(track.joints()[:, self.joints], true), motion, spent, track.used


def row(label: str, found: list) -> list[str]:
    joints, motions = [f[0] for f in found], [f[1] for f in found]
    said = [f"{np.mean([e.mean for e in joints]):.1f}", f"{np.mean([e.mean for e in motions]):.1f}"]
    return [label, *said, f"{max(e.worst for e in motions):.0f}", f"{np.mean([f[2] for f in found]):.0f}"]


def green_rows() -> list[list[str]]:
    rig = CageRig.of(human_skeleton(0.9))
    points = rig.stance.vertices
    random = np.random.default_rng(0)
    many = points[random.integers(0, len(points), 10_000)] * 0.999
    bind(many[:3], rig.vertices, rig.faces)
    begin = time.process_time()
    bind(many, rig.vertices, rig.faces)
    seconds = time.process_time() - begin
    corners = rig.vertices[rig.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    out = []
    for label, at in (
        ("every vertex of the skin", points),
        *((f"{d:g} m inside each face", corners.mean(axis=1) - d * normal) for d in (1e-3, 1e-6, 1e-9)),
    ):
        bound = bind(at, rig.vertices, rig.faces)
        again = bound.phi @ rig.vertices + bound.psi @ normal
        out.append([label, f"{np.abs(bound.phi.sum(axis=1) - 1).max():.1e}", f"{np.abs(again - at).max():.1e}", ""])
    out.append([f"10,000 points x {len(rig.faces)} faces", "", "", f"{seconds:.2f} s"])
    return out


def main() -> None:
    asked = sys.argv[1:] or CLIPS
    clips = [Clip(name) for name in asked]
    head = ["", "joints, mm", "motion, mm", "worst frame, mm", "time, ms"]
    bars = []
    for cameras, part in ((4, clips), (8, clips[:3])):
        found = [clip.run(cameras) for clip in part]
        bars += [row(f"{clip.name}, {cameras} cameras", [one]) for clip, one in zip(part, found, strict=True)]
        bars.append(row(f"**all, {cameras} cameras**", found))
        print(table(head, bars), flush=True)
    bars.append(row("all, 4 cameras, principal components", [clip.run(4, method="linear") for clip in clips]))
    few = clips[:1]
    cases = [row(f"as it is, {asked[0]}", [clip.run(4) for clip in few])]
    spoilt = []
    for spoil, label in (
        ("absent", "2 of 4 absent"),
        ("opposite", "2 of 4 absent, the other two face each other"),
        ("lying", "2 of 4 lie"),
        ("believed", "2 of 4 lie and are believed"),
    ):
        found = [clip.run(4, spoil) for clip in clips]
        within = np.mean([f[1].frames[BAD].mean() for f in found])
        after = np.mean([f[1].frames[BAD.stop :].mean() for f in found])
        spoilt.append([label, f"{within:.1f}", f"{after:.1f}", f"{max(f[1].worst for f in found):.0f}"])
    print(spoilt, flush=True)
    other = Proportions(trunk=0.96, shoulders=1.05, arms=1.03, girths=Girths(chest=1.08, belly=1.12, limbs=1.06))
    for label, settings in (
        ("prior off", {"prior": 0.0, "steady": 0.0}),
        ("nothing draws to what is expected", {"steady": 0.0}),
        ("latent fit alone", {"local": False}),
        ("local step without a pull", {"pull": 0.0}),
        ("nothing draws to outlines", {"cover": 0.0}),
        ("no velocity carried", {"carried": 0.0}),
        ("2 dimensions", {"dimensions": 2}),
        ("25 dimensions", {"dimensions": 25}),
        ("principal components, 10 dimensions", {"method": "linear"}),
    ):
        cases.append(row(label, [clip.run(4, **settings) for clip in few]))
        print(cases[-1], flush=True)
    strange = []
    for clip in few:
        length = clip.walk.skeleton.leg_length()
        strange.append(clip.run(4, rig=CageRig.of(human_skeleton(length, other))))
    cases.append(row("a template of another body", strange))
    write_page(
        "cages",
        "Cages",
        METHOD,
        [
            ("Green coordinates", ["", "sum less 1", "points less themselves, m", "time"], green_rows()),
            ("People who are not in the prior", head, bars),
            ("What each part is good for", head, cases),
            (
                "Cameras that fail for a third of a second",
                ["", "meanwhile, mm", "after it, mm", "worst frame, mm"],
                spoilt,
            ),
        ],
    )


if __name__ == "__main__":
    main()
