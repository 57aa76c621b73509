"""Natural vibrations: what analysis and playback cost, and a wolf by them beside one by gait presets and a real dog."""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread everywhere

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from scipy.linalg import eigh, null_space

import locomote as lm
from _page import write_page
from locomote import rotations as rot
from locomote.masses import Masses
from locomote.modal import Crowd, Gait, Linkage, Modes
from locomote.modal._rows import rows_of, weighed
from locomote.motion import Motion
from locomote_lab.creatures.footfalls import PawTrack
from locomote_lab.creatures.strides import CURVES, PART_CURVES, StrideCycle, average, find_strides
from quadruped import DATA, FPS, GAITS, SECONDS, WARM_UP, WOLF_ARMS, WOLF_HEAD, WOLF_SPINE, labrador

COUNT = 10_000  # characters
TIME = 0.5  # s of calls, of which the best counts


def best(call: Callable[[], object], seconds: float = TIME) -> float:
    """The least time of the processor that a call takes, s."""
    call()
    least, end = float("inf"), time.perf_counter() + seconds
    while least == float("inf") or time.perf_counter() < end:
        start = time.process_time()
        call()
        least = min(least, time.process_time() - start)
    return least


def by_svd(linkage: Linkage) -> None:
    """The same frequencies as the source finds them: the null space of all constraint rows."""
    rows = rows_of(linkage)
    free = null_space(rows.closed, rcond=1e-9)
    turns = rows.turns @ free
    eigh((turns.T * linkage.stiffness) @ turns, free.T @ weighed(linkage, free))


def analysis() -> list[list[str]]:
    out = []
    dog = lm.creatures.Creature.build("dog").morphology
    modes = Modes.of(dog.skeleton, Masses.of(dog.skeleton, body=dog.body))
    cases = [("dog of the package", modes.linkage), ("chain of 75 rods", Linkage.chain(75))]
    cases.append(("chain of 495 rods", Linkage.chain(495)))
    for name, linkage in cases:
        own = best(partial(Modes.of_linkage, linkage))
        slow = best(partial(by_svd, linkage), 0.0)
        count = len(Modes.of_linkage(linkage))
        out.append([name, str(count), f"{1e3 * own:.1f}", f"{1e3 * slow:.0f}", f"{slow / own:.0f}"])
    return out


def by_numpy(crowd: Crowd) -> None:
    """The same poses, channel by channel in NumPy, with forward kinematics."""
    gait = crowd.gait
    body = gait.modes.body
    assert body is not None
    told = np.zeros((len(crowd), len(body.skeleton), 3))
    for channel in gait.channels:
        told += (channel.amplitude * np.sin(crowd.phases + channel.phase))[:, None, None] * gait.modes.shapes[
            channel.mode
        ]
    Motion(body.skeleton, 60.0, crowd.poses.root_positions, rot.multiply(body.rest, rot.exp(told))).joint_positions()


def playback() -> list[list[str]]:
    dog = lm.creatures.Creature.build("dog").morphology
    modes = Modes.of(dog.skeleton, Masses.of(dog.skeleton, body=dog.body))
    crowd = Crowd(Gait.fit(modes, [0.5, 0.0, 0.0, 0.5]), COUNT)
    own, slow = best(lambda: crowd.step(1 / 60)), best(lambda: by_numpy(crowd), 0.0)
    channels = len(crowd.gait.channels)
    what = f"{len(modes)} degrees of freedom, {len(dog.skeleton)} joints, {channels} modes, positions of all joints"
    return [[what, f"{COUNT / own:,.0f}", f"{COUNT / slow:,.0f}", f"{slow / own:.0f}"]]


def wolf(gait: str, speed: float, by_modes: bool) -> StrideCycle:
    """The wolf at the speed of a dog, over sqrt(g h)."""
    kind = lm.creatures.Creature.build("wolf")
    kind = kind.by_modes() if by_modes else kind
    height = float(kind.morphology.hips[:, 1].min())
    crowd = lm.creatures.Crowd(kind, 1, speed=speed * np.sqrt(9.81 * height), gait=gait)
    crowd.record(WARM_UP, FPS)
    motion = crowd.record(SECONDS, FPS)
    track = PawTrack.of_creature(motion, kind.morphology, WOLF_SPINE).with_parts(motion, WOLF_HEAD, WOLF_ARMS)
    return average(find_strides(track))


def beside_the_dog(folder: Path) -> list[tuple[str, list[str], list[list[str]]]]:
    tables = []
    nearer = {"modes": 0, "presets": 0}
    for name, dog in labrador(folder).items():
        if name == "back":
            continue
        modal, preset = (wolf(GAITS[name], dog.mean.speed, by) for by in (True, False))
        rows = []
        for curve in (*CURVES, *PART_CURVES):
            if "wrist" in curve:
                continue  # folded by the feet, not by vibrations
            digits = 3 if "height" in curve or curve == "sway" else 1
            alike = [float(np.corrcoef(dog.curve(curve), each.curve(curve))[0, 1]) for each in (modal, preset)]
            off = [float(np.sqrt(np.mean((each.curve(curve) - dog.curve(curve)) ** 2))) for each in (modal, preset)]
            first = "modes" if off[0] < off[1] else "presets"
            nearer[first] += 1
            ranges = [f"{each.ranges[curve]:.{digits}f}" for each in (dog, modal, preset)]
            told = [f"{value:+.2f}" for value in alike] + [f"{value:.{digits}f}" for value in off]
            rows.append([curve, *ranges, *told, first])
        head = ["", "dog", "modes", "presets", "alike: modes", "presets", "off: modes", "presets", "nearer"]
        tables.append((f"Wolf and Labrador, {name}", head, rows))
    rows = [[who, str(count)] for who, count in nearer.items()]
    tables.insert(0, ("Which is nearer to the dog, in how many curves", ["wolf by", "curves"], rows))
    return tables


def main() -> None:
    method = (
        "Natural vibrations of jointed bodies, one thread; times are of the processor. Analysis: the tree of joints "
        "with an eigenproblem for motions that are their own mirror image and one for the others, beside the null "
        "space of all constraint rows by an SVD, in the same run. Playback: `modal.Crowd.step`, beside NumPy. "
        "The wolf goes at the speed of the recorded strides (`locomote_lab.creatures.strides`); ranges are from the "
        "lowest to the highest over a cycle, in degrees or hip heights, *alike* is the correlation of two curves, "
        "*off* the root mean square of their difference. "
        "Feet of both wolves go the same ways: trunk, neck, head and which joints of the legs bend differ. "
        "The presets were chosen by looking at these very strides; the vibrations have seen no dog."
    )
    head = ["body", "degrees of freedom", "tree, ms", "null space by SVD, ms", "times"]
    tables = [("Analysis", head, analysis())]
    tables.append(("Playback", ["", "characters a second", "NumPy", "times"], playback()))
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if folder.exists():
        tables += beside_the_dog(folder)
    write_page("modal", "Natural vibrations", method, tables)


if __name__ == "__main__":
    main()
