"""How contacts, figures, cleaning and retargeting grow with the length of a clip.

    python benchmarks/growth.py

Processor time of one thread; what is to be judged is the exponent.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

import locomote as lm
from _kernels import Table
from _page import write_page
from locomote.cleaning import clean
from locomote.contacts import detect
from locomote.measures import measure
from locomote.motion import Motion
from locomote.retargeting import retarget

LENGTHS = (1_000, 3_162, 10_000, 31_623, 100_000)  # frames
FPS = 60.0
WARM = 300  # frames, before the clock starts
MOST_EXPONENT, MOST_SECONDS = 1.1, 3.0  # the latter of the contacts of the longest
ENOUGH, LEAST_RUNS = 0.5, 3  # s; the first run on many frames pays for memory that the next finds there


def capture() -> Motion:
    """A walk of half an hour with skating feet, as captured ones have."""
    walk = lm.samples.performer(speed=1.3, seconds=LENGTHS[-1] / FPS, fps=FPS).motion[: LENGTHS[-1]]
    times = walk.times[:, None]
    sway = 0.015 * np.sin(2.0 * math.pi * times * (0.31, 0.0, 0.23))
    return replace(walk, root_positions=walk.root_positions + sway)


def seconds(call: Callable[[], object]) -> float:
    """The least processor time of a call, of three and of more if it is short."""
    best, spent, runs = math.inf, 0.0, 0
    while spent < ENOUGH or runs < LEAST_RUNS:
        gc.collect()
        start = time.process_time()
        call()
        took = time.process_time() - start
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best


def main() -> None:
    walk, child = capture(), lm.samples.human_skeleton(0.6)
    rig = Motion(child, FPS, child.offsets[:1], child.rest_rotations[None])
    verbs: dict[str, Callable[[Motion], object]] = {
        "contacts": detect,
        "measure": measure,
        "clean": clean,
        "retarget": lambda motion: retarget(motion, rig),
    }
    rows = []
    for name, verb in verbs.items():
        verb(walk[:WARM])
        times = [seconds(partial(verb, walk[:frames])) for frames in LENGTHS]
        whole = float(np.polyfit(np.log(LENGTHS), np.log(times), 1)[0])
        last = math.log(times[-1] / times[-3]) / math.log(LENGTHS[-1] / LENGTHS[-3])
        rows.append([name, *(f"{t:.3f}" for t in times), f"{whole:.2f}", f"{last:.2f}", f"{MOST_EXPONENT:g}"])
        print(rows[-1], flush=True)
    minutes = LENGTHS[-1] / FPS / 60.0
    method = (
        "Processor time, s, of one thread, for the first frames of one walk of the synthetic performer:\n"
        f"{minutes:.0f} minutes at {FPS:g} frames/s, with feet that skate by some centimetres. The exponent is the\n"
        "slope over all lengths, and that over the last factor of ten; the contacts of the longest are to take\n"
        f"{MOST_SECONDS:g} s at most. Each the least of {LEAST_RUNS} runs, of more where they are short; the\n"
        "machine had other work to do."
    )
    head = ["", *(f"{frames:,}" for frames in LENGTHS), "exponent", "10,000 to 100,000", "to be reached"]
    tables: list[Table] = [("", head, rows)]
    write_page("growth", "Long clips", method, tables)


if __name__ == "__main__":
    main()
