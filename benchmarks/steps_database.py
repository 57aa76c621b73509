"""The database of steps: counts, coverage, checks, shape, error of blends and size: docs/performance/steps-database.md.

steps_database.py [FOLDER], the folder of recorded motion.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType

import numpy as np

from _page import write_page
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.rotations import FloatArray
from locomote.steps._database import StepDatabase, difference
from locomote.steps.building._analysis import SIDEWAYS, analyse, joint_places, movement, pose_errors
from locomote.steps.building._build import Built, build_steps
from locomote.steps.building._thinning import pick, prune, without_duplicates

HERE = Path(__file__).resolve().parents[1]
ASSET = HERE / "src" / "locomote" / "assets" / "steps.npz"
TURNS = np.radians(20.0)  # of the swinging foot; the name of the class ends in T
CLASSES = ("fwd", "fwdT", "back", "backT", "side", "sideT")
PROTOTYPE_CLASSES = {"fwd": 1045, "fwdT": 683, "back": 230, "backT": 195, "side": 165, "sideT": 85}
PICKS = {100: (0.31, 0.03), 200: (0.40, 0.14), 300: (0.43, 0.22), 400: (0.45, 0.25), 600: (0.47, 0.30)}
PROTOTYPE = {
    "smallest start": "3.5", "widest start": "105", "smallest end": "3.7", "widest end": "111",
    "steps that start small": "425", "steps that end small": "386", "steps that start wide": "31",
    "steps that end wide": "52", "smallest start of a sidestep": "2.6", "smallest end of a sidestep": "3.0",
}  # fmt: skip
SOURCE = {
    "smallest start": "18.0", "widest start": "77.2", "smallest end": "18.4", "widest end": "90.2",
    "smallest start of a sidestep": "18.7", "smallest end of a sidestep": "21.3",
}  # fmt: skip
METHOD = (
    "Steps cut from the redistributable recordings, mirrored to the right foot; lengths on hips 0.9 m high. "
    "Prototype: figures\nmeasured before on the same recordings with another cutter; clips that climb, dance or kick "
    "are in its counts, and its\nlengths are those of the recorded bodies. Source: the left database printed for the "
    "method, 94 steps. A pose error is the\nroot mean square distance of all joints over the whole step. "
    "The required range\nreaches to one hip height."
)
PROTOTYPE_SPACE = "the prototype's 2155 good steps: 1.10 m3, in hull 0.41, 0.48 and 0.35 within 15 cm, up to 0.95 m"


def fitting() -> ModuleType:
    """The script that makes the shipped file."""
    spec = importlib.util.spec_from_file_location("fit_steps", HERE / "scripts" / "fit_steps.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def classes(steps: StepDatabase) -> dict[str, int]:
    """How many steps go forwards, backwards and sideways, straight and turning."""
    forward, sideways = movement(steps)
    side = np.abs(sideways) > SIDEWAYS * np.abs(forward)
    turn = np.abs((steps.yaws[:, 2] - steps.yaws[:, 1] + np.pi) % (2.0 * np.pi) - np.pi) > TURNS
    way = np.where(side, 4, np.where(forward > 0.0, 0, 2)) + turn
    return {name: int(np.sum(way == k)) for k, name in enumerate(CLASSES)}


def count_rows(built: Built, shipped: StepDatabase) -> list[list[str]]:
    usable, ours = classes(built.steps), classes(shipped)
    rows = [[name, str(PROTOTYPE_CLASSES[name]), str(usable[name]), str(ours[name])] for name in CLASSES]
    return [*rows, ["sum", "2409", str(len(built.steps)), str(len(shipped))]]


def check_rows(whole: StepDatabase, shipped: StepDatabase) -> list[list[str]]:
    rows = []
    for all_steps, ours in zip(analyse(whole).checks, analyse(shipped).checks, strict=True):
        name = ours.name if "at least" not in ours.name else "steps that start as wide as the widest end"
        unit = f" {ours.unit}" if ours.unit else ""
        sign, digits = ">=" if ours.at_least else "<=", 1 if ours.unit else 0
        source, prototype = SOURCE.get(name, ""), PROTOTYPE.get(name, "")
        if "widest end" in name and "steps" in name:
            source = prototype = "0"
        rows.append(
            [
                name, f"{sign} {ours.required:.0f}{unit}", source, prototype, f"{all_steps.measured:.{digits}f}",
                f"{ours.measured:.{digits}f}", "ok" if ours.passed else "not met",
            ]
        )  # fmt: skip
    return rows


def shape_rows(whole: StepDatabase, shipped: StepDatabase) -> list[list[str]]:
    rows = []
    for name, steps in (("all usable plain steps", whole), ("shipped", shipped)):
        found = analyse(steps)
        errors = found.pose_errors[np.isfinite(found.pose_errors)]
        inside, one, three = found.covered
        rows.append(
            [
                name, str(len(steps)), f"{found.hull_volume:.2f}", f"{inside:.2f}", f"{one:.2f}", f"{three:.2f}",
                f"{np.median(found.flattest):.0f}", f"{100 * found.alternatives.mean():.0f} %",
                f"{100 * np.mean(errors):.1f} / {100 * np.median(errors):.1f}",
            ]
        )  # fmt: skip
    return rows


def best_of_hull(steps: StepDatabase) -> tuple[FloatArray, FloatArray]:
    """Errors (m) of all steps when the most similar other one is taken as it is, and of their mean pose."""
    places = joint_places(steps)
    nearest = np.array(
        [
            np.argsort(difference(steps.features, one))[1]  # the first is the step itself
            for one in steps.features
        ]
    )
    away = [places - places[nearest], places - places.mean(axis=0)]
    alike, mean = (np.sqrt(np.mean(np.sum(a**2, axis=-1), axis=(1, 2))) for a in away)
    return REFERENCE_HIP_HEIGHT * alike, REFERENCE_HIP_HEIGHT * mean


def error_rows(shipped: StepDatabase) -> list[list[str]]:
    alike, mean = best_of_hull(shipped)
    blend = REFERENCE_HIP_HEIGHT * pose_errors(shipped)
    inside = np.isfinite(blend)
    return [
        [name, f"{100 * np.mean(errors[inside]):.1f}", f"{100 * np.median(errors[inside]):.1f}"]
        for name, errors in (
            ("blend of the four corners", blend),
            ("most similar step in nine dimensions, as it is", alike),
            ("mean pose of all steps", mean),
        )
    ]


def pick_rows(whole: StepDatabase) -> list[list[str]]:
    rows = []
    for count, (one, three) in PICKS.items():
        found = analyse(whole.taken(pick(whole, count)))
        rows.append([str(count), f"{one:.2f} / {three:.2f}", f"{found.covered[1]:.2f} / {found.covered[2]:.2f}"])
    return rows


def prune_rows(shipped: StepDatabase) -> list[list[str]]:
    kept = prune(shipped)
    share = shipped.taken(kept).hull_volume() / shipped.hull_volume()
    error = np.nanmean(pose_errors(shipped, kept)) / np.nanmean(pose_errors(shipped))
    return [[str(len(shipped)), str(len(kept)), f"{100 * share:.1f} %", f"{100 * error - 100:+.1f} %"]]


def size_rows(built_in: float) -> list[list[str]]:
    begin = time.perf_counter()
    steps = StepDatabase.default(None)
    loaded = time.perf_counter() - begin
    size = ASSET.stat().st_size
    return [
        ["file", f"{size / 1e6:.2f} MB, {size / len(steps) / 1000:.2f} kB a step"],
        ["styles", ", ".join(f"{name} {np.sum(steps.tags == k)}" for k, name in enumerate(steps.styles))],
        ["building from the clips", f"{built_in:.0f} s"],
        ["loading", f"{loaded:.1f} s"],
    ]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "shared" / "data"
    script = fitting()
    begin = time.perf_counter()
    built = build_steps(script.recordings(folder))
    seconds = time.perf_counter() - begin
    shipped = StepDatabase.default()
    whole = without_duplicates(built.steps.only("plain"))
    left_out = [[reason, str(count)] for reason, count in built.left_out.most_common()]
    counts = ["class", "prototype, usable", "ours, usable", "shipped, plain"]
    checks = ["check", "required", "source", "prototype", "all plain", "shipped", ""]
    space = ["steps", "n", "hull, m3", "in hull", "1 within 15 cm", "3 within 15 cm"]
    space += [
        "smallest dihedral angle, median, deg",
        "corners with an alternative",
        "blend error, cm (mean / median)",
    ]
    write_page(
        "steps-database",
        "The database of steps",
        METHOD,
        [
            ("Steps by class", counts, count_rows(built, shipped)),
            (f"Left out ({built.cut} steps cut)", ["reason", "swings"], left_out),
            ("Checks", checks, check_rows(whole, shipped)),
            (f"Space ({PROTOTYPE_SPACE})", space, shape_rows(whole, shipped)),
            (
                "Pose error of the shipped steps, each without itself, cm",
                ["made from", "mean", "median"],
                error_rows(shipped),
            ),
            (
                "Picked by hull and nine-dimensional distance: share with 1 / 3 steps within 15 cm",
                ["n", "prototype", "ours"],
                pick_rows(whole),
            ),
            ("Pruning", ["steps", "kept", "hull volume", "pose error"], prune_rows(shipped)),
            ("File", ["", ""], size_rows(seconds)),
        ],
    )


if __name__ == "__main__":
    main()
