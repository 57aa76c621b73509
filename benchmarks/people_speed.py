"""What one person costs in one frame of ten thousand: free, with feet, on rough ground; beside batched NumPy.

    python benchmarks/people_speed.py

All take turns in one process, so that a busy machine slows all of them alike; each figure is the least processor time
of its turns, and what is to be judged are ratios.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from _kernels import Table, first_call_seconds
from _page import write_page
from human_step import FRAME, plain_step
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote_lab.human.foot_courses import COURSES

PEOPLE = 10_000
ROUNDS = 12
FRAMES = 30  # of a turn: a foot lands or lifts only now and then, and all of it is to be paid for
PLAIN = 3  # times that NumPy poses them in a turn
SETTLED = 30  # frames before the first turn
FIELD = (150.0, 100.0)  # m, across and ahead, on which people begin: all of their way is on rough ground
LIMITS = {"free": 0.14, "feet": 0.42, "feet, rough ground": 0.74}  # of NumPy's time


def crowds(model: HumanModel) -> dict[str, Crowd]:
    places = np.random.default_rng(0).random((PEOPLE, 3)) * (FIELD[0], 0.0, FIELD[1]) - (75.0, 0.0, 75.0)
    return {
        "free": Crowd(model, PEOPLE, speed=1.4, feet=False),
        "feet": Crowd(model, PEOPLE, speed=1.4),
        "feet, rough ground": Crowd(model, PEOPLE, speed=1.4, positions=places, ground=COURSES["rough"].ground()),
    }


def frames(crowd: Crowd, count: int = FRAMES) -> None:
    for _ in range(count):
        crowd.step(FRAME)


def microseconds(call: Callable[[], object], frames: int) -> float:
    """Processor time for one person and frame."""
    start = time.process_time()
    call()
    return 1e6 * (time.process_time() - start) / frames / PEOPLE


def cost_rows(model: HumanModel) -> list[list[str]]:
    tried = crowds(model)
    for crowd in tried.values():
        frames(crowd, SETTLED)
    best = dict.fromkeys([*tried, "NumPy"], np.inf)
    for _ in range(ROUNDS):
        for name, crowd in tried.items():
            best[name] = min(best[name], microseconds(lambda crowd=crowd: frames(crowd), FRAMES))  # type: ignore[misc]
        for _ in range(PLAIN):  # the first of them pays for memory that the next finds there
            best["NumPy"] = min(best["NumPy"], microseconds(lambda: plain_step(model, tried["free"]), 1))
    rows = [
        [name, f"{best[name]:.2f}", f"{best[name] / best['NumPy']:.2f}", f"{limit:.2f}"]
        for name, limit in LIMITS.items()
    ]
    return [*rows, ["NumPy, the pose alone", f"{best['NumPy']:.2f}", "1.00", ""]]


def byte_rows(model: HumanModel) -> list[list[str]]:
    """What a frame has to bring from memory and back."""
    crowd = Crowd(model, 2, speed=1.4)
    arrays = {**crowd._people._asdict(), "poses": crowd.poses.rotations}
    size = {name: array[0].nbytes for name, array in arrays.items()}
    size["poses"] += crowd.poses.joint_positions()[0].nbytes + crowd.poses.root_positions[0].nbytes
    what = {
        "walkers": "course",
        "feet": "feet, where they are held",
        "cache": "motion: factors and control points",
        "bones": "offsets of the joints",
        "poses": "poses given out",
    }
    return [[text, str(size[name])] for name, text in what.items()]


def tables(model: HumanModel) -> list[Table]:
    cold, warm = first_call_seconds(
        "from locomote.human import Crowd, HumanModel\nm = HumanModel.default()", "Crowd(m, 1).step(0.01)"
    )
    return [
        (
            f"One person, one frame, of {PEOPLE:,}",
            ["", "us", "of NumPy's time", "to be reached"],
            cost_rows(model),
        ),
        ("Bytes of a person", ["", "bytes"], byte_rows(model)),
        ("First step", ["compiled anew, s", "from the cache, s"], [[f"{cold:.1f}", f"{warm:.1f}"]]),
    ]


def main() -> None:
    method = (
        f"One thread; least processor time of {ROUNDS} turns of {FRAMES} frames, in turn with the same pose by NumPy\n"
        "over all people at once (from known coefficients: sample, exponentials, forward kinematics; no course, no\n"
        "feet). Frames of 1/60 s at 1.4 m/s, with all world positions of 22 joints. A frame of free people goes\n"
        "through some 4 kB each, of such with feet through 6: the next one is fetched while one is worked on. The\n"
        "first step is processor time in a fresh process."
    )
    write_page("people-speed", "Ten thousand people", method, tables(HumanModel.default()))


if __name__ == "__main__":
    main()
