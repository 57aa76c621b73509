"""Latent models of poses: what fitting costs, how well each approximation keeps a walk, and where noise is bounded."""

from __future__ import annotations

import io
import lzma
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

import locomote as lm
from _page import write_page
from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.spaces._statistics import captured_joints
from locomote.spaces.posing._latent import LatentModel

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"
UNCAPTURED = ("Thumb", "Finger", "HandIndex")
TRAINED = {"full": "36 h", "dtc": "9.6 min", "pitc": "19.2 min", "fitc": "23 min", "ivm": "11.2 h"}
TRAINED["ivm-sgplvm"] = "18.3 h"
PRINTED = {"full": 0.10, "fitc": 0.30, "pitc": 0.38, "ivm-sgplvm": 0.40, "dtc": 0.45, "ivm": 0.45}
WALK_NOISE = 0.001  # rad: in one clip neighbouring frames are that near; the default bound would hide differences
METHOD = (
    "**Fitting**: poses of the CMU corpus chosen at random, rotation vectors of the captured joints (no thumbs and "
    "fingers), the heading of the hips taken out, numbers that never change left out; 12 latent dimensions, 200 "
    "inducing points or active poses (all with full), 100 rounds. Seconds are processor time. *Own*: root mean "
    "square of what the model misses of its own poses at their latent points. *New*: the same for 300 poses of 20 "
    "people it was not fitted to, each placed where it is most likely. *Density*: mean logarithm of the density "
    "that the model gives a number of such a pose at that place. Printed times are those of the source's table, in "
    "Matlab on a machine of 2006, which does not say for how many poses; for FITC at the settings of this table it "
    "names 8 min 12 s.\n\n**Walks**: the first 500 frames of one walk of every person who has one that long; 6 "
    "latent dimensions, 100 inducing points or active poses, 100 rounds, noise at least 0.001 rad. The source does "
    "not define its reconstruction error. Here every frame is *placed* (`LatentModel.place`: nearest known pose, "
    "then most likely) and predicted, and the error is the root mean square of the rotation vectors or the mean "
    "distance of the joints; *fitted* is the latter at the latent points of the fit. Blocks of PITC hold up to 25 "
    "frames that are near each other; that number was chosen on seven walks, four of them among these; with 100 the "
    "error is larger. The IVM with GPLVM moves points only while they are not active; that with SGPLVM, which has a "
    "scale for each number, moves the active ones too.\n\n**Reading**: as in the source, the whole process is best, "
    "FITC next and, of frames that are placed, DTC last. Between them the order is not that of the source (PITC, "
    "IVM with SGPLVM, IVM with GPLVM as bad as DTC): it depends on which error is asked for, and the IVM with GPLVM "
    "is better than DTC on every walk. At the latent points of the fit DTC even beats FITC: it thinks itself surer "
    "than it is, which shows when a frame has to be placed by its likelihood. The bound of the noise matters little "
    "up to 0.05 rad; 0.02 rad, the default, has the highest likelihood after 100 rounds."
)


class Corpus:
    """Poses of the CMU corpus; twenty people are kept for tests."""

    def __init__(self) -> None:
        with lzma.open(DATA / "poses" / "cmu_poses.npz.xz") as stream:
            data = np.load(io.BytesIO(stream.read()))
        self._vectors, names = data["rotations"], data["joints"].tolist()
        self._joints = [j for j, name in enumerate(names) if not any(part in name for part in UNCAPTURED)]
        person = np.array([name.split("_")[0] for name in data["names"].tolist()])[data["clip"]]
        rng = np.random.default_rng(0)
        new = np.isin(person, rng.choice(np.unique(person), 20, replace=False))
        self._known = rng.permutation(np.flatnonzero(~new))
        rows = self._known[:2000]
        self._moving = self._all(rows).std(axis=0) > 1e-3
        self.new = self._all(rng.permutation(np.flatnonzero(new))[:300])[:, self._moving]

    def poses(self, count: int) -> FloatArray:
        return self._all(self._known[:count])[:, self._moving]

    def _all(self, rows: FloatArray) -> FloatArray:
        return vectors(rot.exp(self._vectors[rows] * 1e-4), self._joints)


def vectors(rotations: FloatArray, joints: list[int]) -> FloatArray:
    """Rotation vectors of some joints side by side ``(N, 3 J)``, the first without its heading."""
    turned = rotations[:, joints]
    turned[:, 0] = rot.multiply(rot.inverse(rot.from_yaw(rot.yaw(turned[:, 0]))), turned[:, 0])
    return rot.log(turned).reshape(len(turned), -1)


def rms(off: FloatArray) -> float:
    return float(np.sqrt(np.mean(off**2)))


def judged(model: LatentModel, known: FloatArray, new: FloatArray) -> list[str]:
    mean, variance = model.predict(model.place(new))
    scaled = ((mean - new) * model.scales) ** 2 / variance[:, None]
    density = np.mean(np.log(model.scales) - 0.5 * (scaled + np.log(2 * np.pi * variance[:, None])))
    return [f"{rms(model.predict(model.latents)[0] - known):.4f}", f"{rms(mean - new):.4f}", f"{density:.2f}"]


def fitting_rows(corpus: Corpus) -> list[list[str]]:
    runs = [("full", 500), ("full", 1000), ("full", 2000)]
    runs += [(method, 2000) for method in ("dtc", "pitc", "fitc", "ivm", "ivm-sgplvm")] + [("fitc", 8000)]
    rows = []
    for method, count in runs:
        poses = corpus.poses(count)
        began = time.process_time()
        model = LatentModel.fit(poses, method=method)
        spent = time.process_time() - began
        with tempfile.TemporaryDirectory() as folder:
            model.save(Path(folder) / "a.npz")
            size = (Path(folder) / "a.npz").stat().st_size
        printed = TRAINED[method] if count == 2000 else ""
        row = [method, str(count), f"{spent:.1f}", printed, f"{size / 1e6:.2f}"]
        rows.append([*row, *judged(model, poses, corpus.new)])
        print(rows[-1], flush=True)
    return rows


def noise_rows(corpus: Corpus) -> list[list[str]]:
    poses = corpus.poses(2000)
    rows = []
    for noise in (1e-4, 0.001, 0.005, 0.02, 0.05, 0.1):
        model = LatentModel.fit(poses, noise=noise)
        row = [f"{noise:g}", f"{np.sqrt(model.kernel.noise):.2g}", f"{model.history[-1]:.0f}"]
        rows.append([*row, *judged(model, poses, corpus.new)])
    return rows


def cost_rows(corpus: Corpus) -> list[list[str]]:
    model = LatentModel.fit(corpus.poses(2000), rounds=5)
    x, pose = model.latents[7], corpus.new[:1]
    rows = []
    for label, count, call in (
        ("`predict`", 2000, lambda: model.predict(x)),
        ("`jacobian`", 2000, lambda: model.jacobian(x)),
        ("`predict` of 300", 30, lambda: model.predict(model.latents[:300])),
        ("`place`", 30, lambda: model.place(pose)),
        ("`place` of 300", 2, lambda: model.place(corpus.new)),
    ):
        best = np.inf
        call()
        for _ in range(3):
            began = time.process_time()
            for _ in range(count):
                call()
            best = min(best, (time.process_time() - began) / count)
        rows.append([label, f"{1e6 * best:.0f}"])
    return rows


def walks() -> list[Path]:
    found: dict[str, Path] = {}
    for path in sorted((DATA / "walk").glob("cmu_*.bvh.xz")):
        person = path.name.split("_")[1]
        if person not in found and len(lm.load(path, drop_tpose=True)) >= 500:
            found[person] = path
    return list(found.values())


def walk_errors(path: Path, method: str) -> tuple[float, float, float]:
    """Of placed frames the rotation vectors, rad, and the joints, mm; of fitted frames the joints, mm."""
    motion = lm.load(path, drop_tpose=True)[:500]
    joints = [0, *captured_joints(motion.skeleton).tolist()]
    poses = vectors(motion.rotations.copy(), joints)
    model = LatentModel.fit(poses, latent=6, inducing=100, method=method, noise=WALK_NOISE)

    def places(poses: FloatArray) -> FloatArray:
        turned = motion.rotations.copy()
        turned[:, joints] = rot.exp(poses.reshape(len(poses), -1, 3))
        return lm.Poses(motion.skeleton, np.zeros((len(poses), 3)), turned).joint_positions()

    def distance(found: FloatArray) -> float:
        return 1e3 * float(np.linalg.norm(places(found) - places(poses), axis=-1).mean())

    placed = model.predict(model.place(poses))[0]
    return rms(placed - poses), distance(placed), distance(model.predict(model.latents)[0])


def walk_rows(paths: list[Path]) -> tuple[list[list[str]], list[list[str]]]:
    found = {method: np.array([walk_errors(path, method) for path in paths]) for method in PRINTED}
    rows = []
    for method, errors in found.items():
        middle = np.median(errors, axis=0)
        rows.append([method, f"{PRINTED[method]:.2f}", f"{1e3 * middle[0]:.2f}", *(f"{v:.2f}" for v in middle[1:])])
    chain = list(PRINTED)
    pairs = [*pairwise(chain[:5]), ("ivm-sgplvm", "ivm"), ("ivm", "dtc")]
    orders = []
    for first, second in pairs:
        better = np.mean(found[first] < found[second], axis=0) * len(paths)
        orders.append([f"{first} < {second}", *(f"{v:.0f} of {len(paths)}" for v in better)])
    return rows, orders


def main() -> None:
    corpus = Corpus()
    paths = walks()
    judges = ["own, rad", "new, rad", "density"]
    fitted = fitting_rows(corpus)
    rows, orders = walk_rows(paths)
    errors = ["placed, rotations, mrad", "placed, joints, mm", "fitted, joints, mm"]
    write_page(
        "latent-poses",
        "Latent models of poses",
        METHOD,
        [
            ("Fitting", ["", "poses", "seconds", "printed", "file, MB", *judges], fitted),
            (f"Reconstruction of a walk: medians of {len(paths)} people", ["", "printed", *errors], rows),
            ("On how many of the walks one is better than the other", ["", *errors], orders),
            (
                "The bound of the noise (FITC, 2,000 poses)",
                ["at least, rad", "found, rad", "log likelihood", *judges],
                noise_rows(corpus),
            ),
            ("Use (FITC, 2,000 poses): processor time", ["", "us"], cost_rows(corpus)),
        ],
    )


if __name__ == "__main__":
    main()
